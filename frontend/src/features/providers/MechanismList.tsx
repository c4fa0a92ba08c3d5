/** Mechanisms: hundreds per host, so pages are fetched as one scrolls and only rows in view are drawn. */
import { Button, Content } from "@patternfly/react-core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { endlessMechanisms } from "../../api/queries";
import type { Mechanism } from "../../api/types";
import { asApiError } from "../../api/errors";
import { formatCount } from "../../components/format";
import { ListToolbar } from "../../components/list/ListToolbar";
import type { Column, Filter } from "../../components/list/types";
import { useListState } from "../../components/list/useListState";
import { csvHref, listParams } from "../../components/list/params";
import { VirtualRows } from "../../components/list/VirtualRows";
import { ErrorView, LoadingLines, NoMatchView } from "../../components/States";
import { factOptions, wordOptions, yesNoOptions } from "../../components/words";

const PATH = "/api/v1/mechanisms/";
const PAGE_SIZE = 200;
const OPERATIONS = [
  "encrypt",
  "decrypt",
  "digest",
  "sign",
  "verify",
  "generate",
  "generate_key_pair",
  "wrap",
  "unwrap",
  "derive",
] as const;

const FILTERS = [
  { kind: "text", name: "search", label: "Mechanism or number" },
  {
    kind: "choice",
    name: "is_hardware",
    label: "Hardware",
    options: yesNoOptions("In hardware", "In software"),
  },
  { kind: "choices", name: "operation", label: "Operation", options: wordOptions(OPERATIONS) },
  {
    kind: "choice",
    name: "is_offered",
    label: "Offered",
    options: yesNoOptions("Offered", "Not offered"),
  },
  {
    kind: "choice",
    name: "is_allowed",
    label: "Allowed",
    options: factOptions("Allowed", "Forbidden", "No policy known"),
  },
  {
    kind: "choice",
    name: "is_verified",
    label: "Verified",
    options: factOptions("Verified", "Self-test failed", "Not tested"),
  },
] as const satisfies Filter<string>[];

type MechanismFilter = (typeof FILTERS)[number]["name"] | "host" | "provider";

interface Props {
  title: string;
  columns: Column<Mechanism>[];
  fixed: { host?: string; provider?: string };
  empty: ReactNode;
  actions?: ReactNode;
}

export function MechanismList({ title, columns, fixed, empty, actions }: Props) {
  const state = useListState();
  const filters = [...FILTERS];
  const params = listParams<MechanismFilter>(state, filters, fixed, "name", PAGE_SIZE);
  const query = useInfiniteQuery(endlessMechanisms(params));
  const names = filters.map(({ name }) => name);

  if (query.isError && query.data === undefined) {
    return (
      <ErrorView
        title="The mechanisms could not be loaded"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const total = query.data?.pages[0]?.count;
  const isFiltered = names.some((name) => state.get(name) !== "");
  if (total === 0 && !isFiltered) return empty;
  const rows = query.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <>
      <ListToolbar
        filters={filters}
        state={state}
        csvHref={csvHref(PATH, params)}
        actions={actions}
        pager={<Counter shown={rows.length} total={total} />}
      />
      {total === undefined && <LoadingLines what="the mechanisms" lines={10} />}
      {total === 0 && <NoMatchView onClear={() => state.clear(names)} />}
      {total !== undefined && total > 0 && (
        <VirtualRows
          title={title}
          columns={columns}
          rows={rows}
          total={total}
          rowKey={(mechanism) => mechanism.id}
          state={state}
          defaultOrdering="name"
          onNeedMore={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
          }}
        />
      )}
      {query.isFetchNextPageError && (
        <Content component="p">
          More rows could not be loaded: {asApiError(query.error).message}{" "}
          <Button variant="link" isInline onClick={() => void query.fetchNextPage()}>
            Try again
          </Button>
        </Content>
      )}
    </>
  );
}

function Counter({ shown, total }: { shown: number; total: number | undefined }) {
  if (total === undefined) return null;
  return (
    <span role="status">
      {shown < total ? `${formatCount(shown)} of ${formatCount(total)} loaded` : formatCount(total)}
    </span>
  );
}
