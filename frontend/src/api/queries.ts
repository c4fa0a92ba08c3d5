/** All query keys and all reads of the API. A key begins with the topic whose events make it stale. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { ListQuery, Page, PagingName } from "../components/list/types";
import { body, client } from "./client";
import { ApiError } from "./errors";
import type { Topic } from "./live";
import type { paths } from "./schema";
import type { Eligibility, KindEligibility, Me } from "./types";

/** Which keys an event makes stale, besides those that begin with its own topic. */
const ALSO_STALE: Partial<Record<Topic, Topic[]>> = {
  inventory: ["host", "finding"],
  job: ["run"],
  run: ["job"],
  change: ["batch"],
  enrolment_token: ["host"],
};

const OVERVIEW_TOPICS: Topic[] = ["host", "inventory", "finding", "job", "run", "change"];

export function invalidateTopics(queryClient: QueryClient, topics: Topic[]): void {
  const stale = new Set(topics.flatMap((topic) => [topic, ...(ALSO_STALE[topic] ?? [])]));
  for (const topic of stale) void queryClient.invalidateQueries({ queryKey: [topic] });
  // A host's matrix shows the changes of it that are under way.
  if (stale.has("change"))
    void queryClient.invalidateQueries({ queryKey: ["inventory", "matrix"] });
  if (OVERVIEW_TOPICS.some((topic) => stale.has(topic))) {
    void queryClient.invalidateQueries({ queryKey: ["overview"] });
  }
}

export function invalidateEverything(queryClient: QueryClient): void {
  void queryClient.invalidateQueries();
}

export const keys = {
  me: ["user", "me"],
} as const;

// Lists ------------------------------------------------------------------------------------------

/** Endpoints that answer with a page: those that take a cursor. */
type ListPath = {
  [P in keyof paths]: paths[P] extends { get: { parameters: { query?: { cursor?: string } } } }
    ? "cursor" extends keyof NonNullable<paths[P]["get"]["parameters"]["query"]>
      ? P
      : never
    : never;
}[keyof paths];
type NameOf<P extends ListPath> = Exclude<
  keyof NonNullable<paths[P]["get"]["parameters"]["query"]> & string,
  PagingName | "format"
>;
type RowOf<P extends ListPath> = paths[P]["get"] extends {
  responses: { 200: { content: { "application/json": { results: (infer Row)[] } } } };
}
  ? Row
  : never;

/** openapi-fetch cannot follow a path that is itself generic; the types above say what comes back. */
type AnyGet = (
  path: string,
  init: { params: { query: object }; signal: AbortSignal },
) => Promise<{ data?: unknown; response: Response }>;

function readPage<P extends ListPath>(path: P, query: object, signal: AbortSignal) {
  const get = client.GET as unknown as AnyGet;
  return body(get(path, { params: { query }, signal })) as Promise<Page<RowOf<P>>>;
}

function list<P extends ListPath>(topic: Topic, path: P): ListQuery<RowOf<P>, NameOf<P>> {
  return (params) => ({
    queryKey: [topic, path, params],
    queryFn: ({ signal }) => readPage(path, params, signal),
  });
}

export const lists = {
  hosts: list("host", "/api/v1/hosts/"),
  enrolmentTokens: list("enrolment_token", "/api/v1/enrolment-tokens/"),
  units: list("inventory", "/api/v1/units/"),
  providers: list("inventory", "/api/v1/providers/"),
  slots: list("inventory", "/api/v1/slots/"),
  domains: list("inventory", "/api/v1/domains/"),
  metaslots: list("inventory", "/api/v1/metaslots/"),
  mechanisms: list("inventory", "/api/v1/mechanisms/"),
  tokens: list("inventory", "/api/v1/tokens/"),
  certificates: list("inventory", "/api/v1/certificates/"),
  snapshots: list("inventory", "/api/v1/snapshots/"),
  findings: list("finding", "/api/v1/findings/"),
  jobs: list("job", "/api/v1/jobs/"),
  runs: list("run", "/api/v1/runs/"),
  changes: list("change", "/api/v1/changes/"),
  batches: list("batch", "/api/v1/change-batches/"),
  drifts: list("drift", "/api/v1/drifts/"),
  approvalRules: list("approval_rule", "/api/v1/approval-rules/"),
  maintenanceWindows: list("maintenance_window", "/api/v1/maintenance-windows/"),
  hostGroups: list("host_group", "/api/v1/host-groups/"),
  audit: list("audit", "/api/v1/audit/"),
  users: list("user", "/api/v1/users/"),
  apiTokens: list("api_token", "/api/v1/api-tokens/"),
};

/** All pages of a list one after another, for tables that scroll without end. */
export function endlessMechanisms(params: Parameters<typeof lists.mechanisms>[0]) {
  const path = "/api/v1/mechanisms/";
  return infiniteQueryOptions({
    queryKey: ["inventory", path, "endless", params],
    queryFn: ({ pageParam, signal }) =>
      readPage(path, pageParam === "" ? params : { ...params, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
}

// Single objects ---------------------------------------------------------------------------------

export function meQuery() {
  return queryOptions({
    queryKey: keys.me,
    queryFn: async ({ signal }): Promise<Me | null> => {
      try {
        return await body(client.GET("/api/v1/me/", { signal }));
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
  });
}

const GAUGES_MILLISECONDS = 15_000;
const COUNTERS_MILLISECONDS = 60_000;
const one = (id: string) => ({ path: { id } });

export function hostQuery(id: string) {
  return queryOptions({
    queryKey: ["host", "one", id],
    queryFn: ({ signal }) => body(client.GET("/api/v1/hosts/{id}/", { params: one(id), signal })),
  });
}

/** Who has which units, and could have. Not before an inventory tells anew does it change. */
export function matrixQuery(hostId: string) {
  return queryOptions({
    queryKey: ["inventory", "matrix", hostId],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/hosts/{id}/matrix/", { params: one(hostId), signal })),
  });
}

/** Whether the host's crypto hardware is really used, from what its counters did lately. */
export function cryptoUseQuery(hostId: string) {
  return queryOptions({
    queryKey: ["inventory", "crypto-use", hostId],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/hosts/{id}/crypto-use/", { params: one(hostId), signal })),
    refetchInterval: COUNTERS_MILLISECONDS,
  });
}

export function domainQuery(id: string) {
  return queryOptions({
    queryKey: ["inventory", "domain", id],
    queryFn: ({ signal }) => body(client.GET("/api/v1/domains/{id}/", { params: one(id), signal })),
  });
}

/** All kinds of change, each with whether this host takes it. */
/** Which hosts take a kind of change, in the words of a workload's answer: `is_eligible`. */
export function kindEligibilityQuery(kind: string, query: { search: string; page_size: number }) {
  return queryOptions({
    queryKey: ["host", "kinds", kind, query],
    queryFn: async ({ signal }): Promise<Page<Eligibility>> => {
      const page = (await body(
        client.GET("/api/v1/change-kinds/{name}/eligibility/", {
          params: { path: { name: kind }, query },
          signal,
        }),
      )) as Page<KindEligibility>;
      const results = page.results.map(({ is_accepted, ...answer }) => ({
        ...answer,
        is_eligible: is_accepted,
        choices: {},
      }));
      return { ...page, results };
    },
  });
}
/** Whether applies are paused, by whom and why. */
export function pauseQuery() {
  return queryOptions({
    queryKey: ["change", "pause"],
    queryFn: ({ signal }) => body(client.GET("/api/v1/change-pause/", { signal })),
  });
}
export function batchQuery(id: string) {
  return queryOptions({
    queryKey: ["batch", "one", id],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/change-batches/{id}/", { params: one(id), signal })),
  });
}
export function hostKindsQuery(host: string) {
  return queryOptions({
    queryKey: ["host", "kinds", host],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/change-kinds/", { params: { query: { host } }, signal })),
  });
}

/** Momentary figures; no event tells of them, so they are read as often as heartbeats come. */
export function gaugesQuery(hostId: string) {
  return queryOptions({
    queryKey: ["host", "gauges", hostId],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/hosts/{id}/gauges/", { params: one(hostId), signal })),
    refetchInterval: GAUGES_MILLISECONDS,
  });
}

export function changeQuery(id: string) {
  return queryOptions({
    queryKey: ["change", "one", id],
    queryFn: ({ signal }) => body(client.GET("/api/v1/changes/{id}/", { params: one(id), signal })),
  });
}

/** All that the change's steps wrote, read on from the last piece. */
export function changeOutputQuery(id: string) {
  return queryOptions({
    queryKey: ["change", "output", id],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/changes/{id}/output/", { params: one(id), signal })),
  });
}

export function changeKindsQuery() {
  return queryOptions({
    queryKey: ["change", "kinds"],
    queryFn: ({ signal }) => body(client.GET("/api/v1/change-kinds/", { signal })),
    staleTime: Infinity,
  });
}

export function enrolmentTokenQuery(id: string) {
  return queryOptions({
    queryKey: ["enrolment_token", "one", id],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/enrolment-tokens/{id}/", { params: one(id), signal })),
  });
}

export function tokenQuery(id: string) {
  return queryOptions({
    queryKey: ["inventory", "token", id],
    queryFn: ({ signal }) => body(client.GET("/api/v1/tokens/{id}/", { params: one(id), signal })),
  });
}

export function providerQuery(id: string) {
  return queryOptions({
    queryKey: ["inventory", "provider", id],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/providers/{id}/", { params: one(id), signal })),
  });
}

export function diffQuery(host: string, from: string, to: string) {
  return queryOptions({
    queryKey: ["inventory", "diff", host, from, to],
    queryFn: ({ signal }) =>
      body(
        client.GET("/api/v1/hosts/{id}/snapshots/diff/", {
          params: { ...one(host), query: { from, to } },
          signal,
        }),
      ),
  });
}

// Jobs -------------------------------------------------------------------------------------------

/** The catalogue comes with the console's version and changes only with it. */
export function workloadsQuery() {
  return queryOptions({
    queryKey: ["job", "workloads"],
    queryFn: ({ signal }) => body(client.GET("/api/v1/workloads/", { signal })),
  });
}

/** Which hosts can run it: those of a name, or just the ones given by id. */
export function eligibilityQuery(
  workload: string,
  query: { search?: string; host?: string[]; page_size: number },
) {
  return queryOptions({
    queryKey: ["host", "eligibility", workload, query],
    queryFn: ({ signal }) =>
      body(
        client.GET("/api/v1/workloads/{name}/eligibility/", {
          params: { path: { name: workload }, query },
          signal,
        }),
        // The address answers CSV too, which is never asked for here.
      ) as Promise<Page<Eligibility>>,
  });
}

/** How long a run would take; refused with the fields that are wrong. Starts nothing. */
export function expectationQuery(workload: string, parameters: Record<string, unknown>) {
  return queryOptions({
    queryKey: ["job", "expectation", workload, parameters],
    queryFn: ({ signal }) =>
      body(
        client.POST("/api/v1/workloads/{name}/expectation/", {
          params: { path: { name: workload } },
          body: { parameters },
          signal,
        }),
      ),
    retry: false,
  });
}

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["job", "one", id],
    queryFn: ({ signal }) => body(client.GET("/api/v1/jobs/{id}/", { params: one(id), signal })),
  });
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ["run", "one", id],
    queryFn: ({ signal }) => body(client.GET("/api/v1/runs/{id}/", { params: one(id), signal })),
  });
}

export function outputQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["run", "output", id],
    queryFn: ({ pageParam, signal }) =>
      body(
        client.GET("/api/v1/runs/{id}/output/", {
          params: { ...one(id), query: { after: pageParam } },
          signal,
        }),
      ),
    initialPageParam: -1,
    getNextPageParam: ({ last, chunks }) => (chunks.length === 0 ? null : last),
  });
}

// Over everything --------------------------------------------------------------------------------

/** Everything that the overview shows, in one reply. */
export function overviewQuery() {
  return queryOptions({
    queryKey: ["overview"],
    queryFn: ({ signal }) => body(client.GET("/api/v1/overview/", { signal })),
  });
}

export const SEARCH_MIN_LENGTH = 2;

export function searchQuery(text: string) {
  return queryOptions({
    queryKey: ["inventory", "search", text],
    queryFn: ({ signal }) =>
      body(client.GET("/api/v1/search/", { params: { query: { q: text } }, signal })),
    enabled: text.length >= SEARCH_MIN_LENGTH,
  });
}
