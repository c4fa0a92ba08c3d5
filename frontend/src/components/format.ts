/** Pure formatting of numbers, sizes, times and words. Units stand in column headers, so numbers come bare. */

const LOCALE = "en-GB";

export function formatCount(value: number): string {
  return new Intl.NumberFormat(LOCALE).format(value);
}

/** A measured figure with three or four significant digits: 4.12, 41.2, 412, 4,123. */
export function formatFigure(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 4 : 3;
  return new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: digits }).format(value);
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** A size in binary units: 8,192 → `8 KiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatFigure(value)} ${BYTE_UNITS[unit] ?? "B"}`;
}

/** A duration in words, two units at most: `1 h 5 min`, `12 s`, `0.4 s`. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${formatFigure(seconds)} s`;
  const whole = Math.round(seconds);
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return whole % 60 > 0 ? `${minutes} min ${whole % 60} s` : `${minutes} min`;
  return `${whole} s`;
}

const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [30, "day"],
  [12, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];

/** `3 minutes ago`, `in 5 days`, `just now`. Both in milliseconds since the epoch. */
export function formatRelative(at: number, now: number): string {
  let value = (at - now) / 1000;
  if (Math.abs(value) < 5) return "just now";
  const formatter = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always" });
  for (const [size, unit] of STEPS) {
    if (Math.abs(value) < size) return formatter.format(Math.trunc(value), unit);
    value /= size;
  }
  return formatter.format(Math.trunc(value), "year");
}

/** `2026-03-01 14:05:09 UTC`. */
export function formatUtc(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? iso
    : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A lower_snake word of the API as a person reads it: `count_low` → `count low`. */
export function words(value: string): string {
  return value.replaceAll("_", " ");
}

/** The same with a capital first letter. */
export function sentenceWords(value: string): string {
  const text = words(value);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 host`, `3 hosts`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
