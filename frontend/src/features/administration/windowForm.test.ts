import { describe, expect, it } from "vitest";
import type { MaintenanceWindow } from "../../api/types";
import { faultsOf, formOf, inputOf, windowWords } from "./windowForm";

const WEEKLY: MaintenanceWindow = {
  id: "w",
  group: { id: "g", name: "web" },
  name: "Nights",
  kind: "weekly",
  weekdays: [6, 5],
  start_time: "22:30:00",
  duration_seconds: 5400,
  time_zone: "Europe/Prague",
  starts_at: null,
  ends_at: null,
  opens_at: null,
  closes_at: null,
  created_at: "2027-01-01T00:00:00Z",
  updated_at: "2027-01-01T00:00:00Z",
  capabilities: {},
};

describe("maintenance windows", () => {
  it("come back from the form as they went in", () => {
    expect(inputOf(formOf(WEEKLY, "UTC"))).toEqual({
      name: "Nights",
      kind: "weekly",
      weekdays: [5, 6],
      start_time: "22:30:00",
      duration_seconds: 5400,
      time_zone: "Europe/Prague",
      starts_at: null,
      ends_at: null,
    });
  });

  it("are told in words", () => {
    expect(windowWords(WEEKLY)).toBe("Sun, Sat from 22:30 for 1.5 h (Europe/Prague)");
    const once = {
      ...WEEKLY,
      kind: "once" as const,
      starts_at: "2027-02-01T20:00:00Z",
      ends_at: "2027-02-01T23:00:00Z",
    };
    expect(windowWords(once)).toBe("once, 2027-02-01 20:00 to 2027-02-01 23:00 UTC");
  });

  it("say what is missing", () => {
    const weekly = { ...formOf(null, "UTC"), weekdays: [], start: "25:00", hours: "0" };
    expect(Object.keys(faultsOf(weekly))).toEqual(["name", "group", "weekdays", "start", "hours"]);
    const once = { ...formOf(null, "UTC"), name: "n", group: "g", kind: "once" as const };
    expect(
      Object.keys(faultsOf({ ...once, from: "2027-02-01T20:00", to: "2027-02-01T19:00" })),
    ).toEqual(["to"]);
  });
});
