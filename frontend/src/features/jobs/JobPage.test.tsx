import { screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { AES, JOB_DETAIL, RUN, SPARC } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { JobPage } from "./JobPage";

// Canvas does not exist in jsdom; the charts are looked at in the browser's tests.
vi.mock("./RunCharts", () => ({ default: () => <div>charts</div> }));

const OPEN = { at: `/jobs/${JOB_DETAIL.id}`, path: "/jobs/:jobId" };

function serve(job: typeof JOB_DETAIL) {
  server.use(http.get("*/api/v1/jobs/:id/", () => HttpResponse.json(job)));
}

beforeEach(() => {
  server.use(
    http.get("*/api/v1/runs/:id/", () =>
      HttpResponse.json({ ...RUN, result: {}, output_bytes: 0, is_output_pruned: false }),
    ),
  );
});

describe("a job's page", () => {
  it("gives the verdict in one sentence, as the first thing under its name", async () => {
    serve(JOB_DETAIL);
    renderPage(<JobPage />, OPEN);
    const verdict = await screen.findByRole("heading", { level: 2, name: AES.sentence });
    expect(verdict).toHaveAttribute("data-verdict", "faster");
  });

  it("puts ratio, interval, pairs and verdict into a table", async () => {
    serve(JOB_DETAIL);
    renderPage(<JobPage />, OPEN);
    const table = await screen.findByRole("grid", { name: "Comparisons in MB/s" });
    for (const text of ["250", "1,350", "5.40", "5.20–5.60", "faster"]) {
      expect(within(table).getByText(text)).toBeVisible();
    }
  });

  it("shows the CPU cost beside it, and how it changed", async () => {
    serve(JOB_DETAIL);
    renderPage(<JobPage />, OPEN);
    const table = await screen.findByRole("grid", { name: "CPU cost and split" });
    expect(within(table).getByText("−81 %")).toBeVisible();
  });

  it("marks a negative control and says that no difference was shown", async () => {
    const control = { ...AES, verdict: "no_difference_shown" as const, is_negative_control: true };
    serve({ ...JOB_DETAIL, runs: [{ ...RUN, comparisons: [control] }] });
    renderPage(<JobPage />, OPEN);
    expect(await screen.findByText("negative control")).toBeVisible();
    expect(screen.getByText("no difference shown")).toBeVisible();
  });

  it("lets one look at each host of many, and marks simulated ones", async () => {
    const other = {
      ...RUN,
      id: "r2",
      host: { ...RUN.host, id: SPARC.id, name: SPARC.name, is_simulated: true },
    };
    serve({
      ...JOB_DETAIL,
      runs: [RUN, { ...other, sentence: "Nothing gained.", comparisons: [] }],
    });
    const { user, address } = renderPage(<JobPage />, OPEN);
    await user.click(await screen.findByRole("radio", { name: `Show the run on ${SPARC.name}` }));
    expect(address()).toContain("run=r2");
    expect(screen.getAllByText("simulated").length).toBeGreaterThanOrEqual(2);
  });

  it("says how far a run is", async () => {
    const progress = { done: 3, total: 20, remaining_seconds: 17, doing: "sha256, software" };
    serve({
      ...JOB_DETAIL,
      runs: [{ ...RUN, state: "running", sentence: "", comparisons: [], progress }],
    });
    renderPage(<JobPage />, OPEN);
    expect(await screen.findByText("Measuring sha256, software, about 17 s left")).toBeVisible();
  });

  it("says what the host said when it failed", async () => {
    const message = "OpenSSL on this host cannot measure aes-128-xyz.";
    serve({
      ...JOB_DETAIL,
      runs: [{ ...RUN, state: "failed", sentence: "", comparisons: [], message }],
    });
    renderPage(<JobPage />, OPEN);
    expect(await screen.findByText(message)).toBeVisible();
  });

  it("does not offer to cancel what is over", async () => {
    serve(JOB_DETAIL);
    renderPage(<JobPage />, OPEN);
    await screen.findByRole("button", { name: "Run again" });
    expect(screen.queryByRole("button", { name: "Cancel job" })).toBeNull();
  });
});
