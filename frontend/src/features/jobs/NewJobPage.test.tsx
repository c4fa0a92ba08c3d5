import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { JOB_DETAIL, RACK, SPARC, SPEED, VERA } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { NewJobPage } from "./NewJobPage";

const brief = ({ id, name, is_simulated }: typeof RACK) => ({ id, name, is_simulated });
const ANSWERS = [
  {
    host: brief(RACK),
    is_eligible: true,
    reason: "",
    choices: { algorithms: ["aes-128-cbc", "sha256"] },
  },
  { host: brief(SPARC), is_eligible: false, reason: "It is no live hardware.", choices: {} },
];
let fleet = ANSWERS.length;
const OTHERS = [{ path: "/jobs/:jobId", element: <p>the job</p> }];

beforeEach(() => {
  fleet = ANSWERS.length;
  server.use(
    http.get("*/api/v1/workloads/", () => HttpResponse.json([SPEED])),
    http.get("*/api/v1/workloads/:name/eligibility/", ({ request }) => {
      const { searchParams } = new URL(request.url);
      const search = searchParams.get("search") ?? "";
      const ids = searchParams.getAll("host").flatMap((text) => text.split(","));
      const results = ANSWERS.filter(
        ({ host }) => host.name.includes(search) && (ids.length === 0 || ids.includes(host.id)),
      );
      return HttpResponse.json({ next: null, previous: null, count: fleet, results });
    }),
    http.post("*/api/v1/workloads/:name/expectation/", () =>
      HttpResponse.json({ parameters: {}, expected_seconds: 90 }),
    ),
  );
});

describe("a new job", () => {
  it("says why a host is not eligible and does not let it be chosen", async () => {
    renderPage(<NewJobPage />, { at: "/jobs/new" });
    expect(await screen.findByText("No: It is no live hardware.")).toBeVisible();
    expect(screen.getByRole("checkbox", { name: `Choose ${SPARC.name}` })).toBeDisabled();
  });

  it("chooses the only host that can do it, and says how long it takes and what it loads", async () => {
    renderPage(<NewJobPage />, { at: "/jobs/new" });
    expect(await screen.findByText("1 min 30 s")).toBeVisible();
    expect(screen.getByRole("checkbox", { name: "Choose rack-1" })).toBeChecked();
    expect(screen.getByText(SPEED.load)).toBeVisible();
  });

  it("chooses nothing by itself where more hosts are than it was told of", async () => {
    fleet = 10_000;
    renderPage(<NewJobPage />, { at: "/jobs/new" });
    expect(await screen.findByText(/9,998 more/)).toBeVisible();
    expect(screen.getByRole("checkbox", { name: `Choose ${RACK.name}` })).not.toBeChecked();
  });

  it("keeps a chosen host while another name is looked for", async () => {
    fleet = 10_000;
    const { user } = renderPage(<NewJobPage />, { at: `/jobs/new?hosts=${RACK.id}` });
    expect(await screen.findByText("1 host chosen")).toBeVisible();
    await user.type(screen.getByRole("textbox", { name: "Name of a host" }), SPARC.name);
    await waitFor(() =>
      expect(screen.queryByRole("checkbox", { name: `Choose ${RACK.name}` })).toBeNull(),
    );
    expect(screen.getByText("1 host chosen")).toBeVisible();
    expect(screen.getByRole("button", { name: "Start on 1 host" })).toBeVisible();
  });

  it("is started with what was chosen", async () => {
    let sent: unknown;
    server.use(
      http.post("*/api/v1/jobs/", async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json(JOB_DETAIL, { status: 201 });
      }),
    );
    const { user } = renderPage(<NewJobPage />, {
      at: "/jobs/new",
      path: "/jobs/new",
      others: OTHERS,
    });
    const start = await screen.findByRole("button", { name: "Start on 1 host" });
    await waitFor(() => expect(start).toBeEnabled());
    await user.click(start);
    expect(await screen.findByText("the job")).toBeVisible();
    expect(sent).toMatchObject({
      workload: "openssl.speed",
      hosts: [RACK.id],
      parameters: SPEED.defaults,
    });
  });

  it("names the parameters that will not do", async () => {
    const extra = { fields: { "parameters.pairs": ["1 is less than the minimum of 5"] } };
    server.use(
      http.post("*/api/v1/workloads/:name/expectation/", () =>
        HttpResponse.json({ code: "job.parameters", message: "No.", extra }, { status: 400 }),
      ),
    );
    renderPage(<NewJobPage />, { at: "/jobs/new" });
    expect(await screen.findByText(/1 is less than the minimum of 5/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Start on 1 host" })).toBeDisabled();
  });

  it("is not offered to whoever may not run jobs", async () => {
    renderPage(<NewJobPage />, { at: "/jobs/new", me: VERA });
    expect(await screen.findByText("You may not run jobs")).toBeVisible();
  });
});
