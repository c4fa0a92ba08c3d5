import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import type { FigureCount, Overview } from "../../api/types";
import { AES } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { attentionItems } from "./Attention";
import { OverviewPage } from "./OverviewPage";

const figure = (list: string, key: string, count: number, query = {}): FigureCount => ({
  key,
  count,
  list,
  query,
});
const none = figure("units", "x", 0);

const CALM: Overview = {
  at: "2026-01-05T10:00:00Z",
  hosts: [figure("hosts", "active", 2, { state: "active" }), figure("hosts", "offline", 0)],
  simulated_hosts: figure("hosts", "simulated", 1, { is_simulated: "true" }),
  units: [],
  token_pins: [figure("tokens", "locked", 0)],
  certificates: [figure("certificates", "expired", 0)],
  findings: [figure("findings", "critical", 0), figure("findings", "notice", 0)],
  changes: [figure("changes", "approval", 0, { needs: "approval" })],
  drift: [figure("drifts", "parts", 0)],
  change_pause: { is_paused: false, reason: "", by_name: "", at: "2026-01-05T10:00:00Z" },
  failed_runs: figure("runs", "failed", 0),
  recent_jobs: [],
};

function open(overview: Overview) {
  server.use(http.get("*/api/v1/overview/", () => HttpResponse.json(overview)));
  return renderPage(<OverviewPage />);
}

describe("the overview", () => {
  it("puts what is most urgent first and leaves out what counts nothing", () => {
    const items = attentionItems({
      ...CALM,
      findings: [figure("findings", "notice", 4), figure("findings", "critical", 0)],
      changes: [figure("changes", "apply", 1), figure("changes", "attention", 1)],
      failed_runs: figure("runs", "failed", 2),
      token_pins: [figure("tokens", "locked", 1)],
    });
    expect(items.map(({ label }) => label)).toEqual([
      "changes need a person",
      "tokens with a locked user PIN",
      "runs went wrong in the last 7 days",
      "changes are ready to be applied",
      "notices",
    ]);
  });

  it("says so when nothing needs anybody", async () => {
    open(CALM);
    expect(await screen.findByText("Nothing needs you now")).toBeVisible();
  });

  it("links each number to the list that was counted", async () => {
    open({ ...CALM, failed_runs: figure("runs", "failed", 3, { state: "failed,lost" }) });
    expect(await screen.findByRole("link", { name: /3 runs went wrong/ })).toHaveAttribute(
      "href",
      "/runs?state=failed%2Clost",
    );
    expect(screen.getByRole("link", { name: /2 hosts active/ })).toHaveAttribute(
      "href",
      "/hosts?state=active",
    );
  });

  it("draws the last jobs' speed-ups with their figures", async () => {
    const { ratio, low, high, cell, algorithm, input_bytes, operation, verdict } = AES;
    const speedup = {
      cell,
      algorithm,
      input_bytes,
      operation,
      low,
      high,
      verdict,
      ratio: ratio ?? 0,
    };
    const job = {
      id: "j1",
      name: "Nightly",
      workload: "openssl.speed",
      state: "finished" as const,
    };
    const comparisons = [{ ...speedup, is_negative_control: false }];
    open({
      ...CALM,
      recent_jobs: [{ ...job, created_at: CALM.at, hosts_total: 1, comparisons }],
    });
    expect(await screen.findByRole("link", { name: "Nightly" })).toHaveAttribute(
      "href",
      "/jobs/j1",
    );
    expect(screen.getByText("5.40 ×")).toBeVisible();
  });

  it("names the first step where there is no host at all", async () => {
    open({ ...CALM, hosts: [figure("hosts", "active", 0)], simulated_hosts: none });
    expect(await screen.findByText("No host yet")).toBeVisible();
    expect(screen.getByRole("button", { name: "Enrol host" })).toBeEnabled();
  });
});
