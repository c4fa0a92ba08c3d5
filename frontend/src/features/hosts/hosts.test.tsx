import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { FINDING, pageOf, RACK } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
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
    server.use(http.get("*/api/v1/findings/", () => HttpResponse.json(pageOf([FINDING]))));
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

  it("says that a host without allowed work can only be read", () => {
    renderPage(<SummaryTab />, { context: { ...RACK, allow: [] } });
    expect(screen.getByText("none: this host can only be read")).toBeVisible();
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
