import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatDuration,
  formatFigure,
  formatRelative,
  formatUtc,
  plural,
  words,
} from "./format";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const before = (seconds: number) => NOW - seconds * 1000;

describe("relative times", () => {
  it.each([
    [before(2), "just now"],
    [before(42), "42 seconds ago"],
    [before(60), "1 minute ago"],
    [before(3 * 3600), "3 hours ago"],
    [before(40 * 86_400), "1 month ago"],
    [before(-5 * 86_400), "in 5 days"],
  ])("says %d as %s", (at, words) => expect(formatRelative(at, NOW)).toBe(words));
});

describe("durations", () => {
  it.each([
    [0.25, "0.25 s"],
    [12.4, "12 s"],
    [65, "1 min 5 s"],
    [3600, "1 h"],
    [90_000, "1 d 1 h"],
  ])("says %d seconds as %s", (seconds, words) => expect(formatDuration(seconds)).toBe(words));
});

describe("sizes and figures", () => {
  it("gives sizes in binary units", () => expect(formatBytes(8192)).toBe("8 KiB"));
  it("does not run out of units", () => expect(formatBytes(2 ** 70)).toMatch(/PiB$/));
  it("keeps three digits of small figures", () => expect(formatFigure(41.237)).toBe("41.2"));
  it("keeps four digits of large ones", () => expect(formatFigure(4123.4)).toBe("4,123"));
});

describe("words", () => {
  it("gives exact times in UTC", () =>
    expect(formatUtc("2026-03-01T12:00:00.5+02:00")).toBe("2026-03-01 10:00:00 UTC"));
  it("leaves what is no time as it came", () => expect(formatUtc("soon")).toBe("soon"));
  it("reads enum values as words", () => expect(words("count_low")).toBe("count low"));
  it("counts one and many", () =>
    expect([plural(1, "host"), plural(0, "host")]).toEqual(["1 host", "0 hosts"]));
});
