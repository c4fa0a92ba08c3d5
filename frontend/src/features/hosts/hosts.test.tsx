import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { FINDING, pageOf, RACK } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { ClosedLane } from "./ClosedLane";
import { HistoryTab } from "./HistoryTab";
import { SummaryTab } from "./SummaryTab";

const SNAPSHOTS = [2, 1].map((number) => ({
  id: `s${number}`,
  host: { id: RACK.id, name: RACK.name, is_simulated: false },
  digest: `${number}`.repeat(64),
  taken_at: RACK.enrolled_at,
  received_at: `2026-01-0${number}T00:00:00Z`,
  duration_seconds: 1,
  counts: { units: 3 },
}));

describe("a host's summary", () => {
  beforeEach(() => {
    const gauges = {
      at: RACK.enrolled_at,
      uptime_seconds: 7200,
      is_broker_reached: false,
      gauges: [],
    };
    server.use(
      http.get("*/api/v1/findings/", () => HttpResponse.json(pageOf([FINDING]))),
      http.get("*/api/v1/hosts/:id/gauges/", () => HttpResponse.json(gauges)),
    );
  });

  it("says what happened and what to do next", async () => {
    renderPage(<SummaryTab />, { context: RACK });
    expect(await screen.findByText(/did not answer within 20 seconds/)).toBeVisible();
    expect(screen.getByText(/Ask its maker/)).toBeVisible();
  });

  it("says what the agent cannot see", async () => {
    const blind = { ...RACK, blind_spots: ["/dev/tpm0 cannot be opened as this user."] };
    renderPage(<SummaryTab />, { context: blind });
    expect(await screen.findByText("/dev/tpm0 cannot be opened as this user.")).toBeVisible();
  });

  it("says how long the host is up, and that doorbells do not reach it", async () => {
    renderPage(<SummaryTab />, { context: RACK });
    expect(await screen.findByText("2 h")).toBeVisible();
    expect(screen.getByText("with the next heartbeat: no broker")).toBeVisible();
  });

  it("says that a host without allowed work can only be read", () => {
    renderPage(<SummaryTab />, { context: { ...RACK, allow: [] } });
    expect(screen.getByText("none: this host can only be read")).toBeVisible();
  });
});

describe("a host with which contact was lost during a run", () => {
  const lost = { ...RACK, work_lane_closed_at: RACK.enrolled_at };

  it("says so, and can be opened for work", async () => {
    let released = false;
    server.use(
      http.post("*/api/v1/hosts/:id/release-work-lane/", () => {
        released = true;
        return HttpResponse.json({ id: RACK.id, name: RACK.name, is_simulated: false });
      }),
    );
    const { user } = renderPage(<ClosedLane host={lost} />);
    await user.click(screen.getByRole("button", { name: "Open it for work anyway" }));
    await waitFor(() => expect(released).toBe(true));
  });

  it("says nothing while all is well", () => {
    renderPage(<ClosedLane host={RACK} />);
    expect(screen.queryByText("This host gets no new work")).toBeNull();
  });
});

describe("a host's history", () => {
  const change = {
    section: "units",
    key: "cpu.aes",
    name: "AES instructions",
    change: "changed",
    fields: [{ path: "state", before: "active", after: "faulty" }],
  };
  let asked = "";

  beforeEach(() => {
    server.use(
      http.get("*/api/v1/snapshots/", () => HttpResponse.json(pageOf(SNAPSHOTS))),
      http.get("*/api/v1/hosts/:id/snapshots/diff/", ({ request }) => {
        asked = new URL(request.url).search;
        return HttpResponse.json({ older: SNAPSHOTS[1], newer: SNAPSHOTS[0], changes: [change] });
      }),
    );
  });

  it("shows what the newest inventory changed, before and after", async () => {
    renderPage(<HistoryTab />, { context: RACK });
    expect(await screen.findByText("AES instructions")).toBeVisible();
    expect(screen.getByText("active → faulty")).toBeVisible();
    expect(asked).toBe("?from=s1&to=s2");
  });

  it("keeps the two that are compared in the address", async () => {
    const { user, address } = renderPage(<HistoryTab />, { context: RACK });
    await user.click(await screen.findByRole("radio", { name: /^Compare to 2026-01-01/ }));
    expect(address()).toBe("/?to=s1");
  });
});
