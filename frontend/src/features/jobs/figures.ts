/** From the API's comparisons to figures in the units people use. */
import type { Comparison } from "../../api/types";
import { formatBytes } from "../../components/format";

/** What a metric is shown in: bytes per second as MB/s, everything else as it came. */
export function scaleOf(unit: string): { unit: string; factor: number } {
  return unit === "B/s" ? { unit: "MB/s", factor: 1e-6 } : { unit, factor: 1 };
}

/** `aes-128-cbc, 8 KiB`, `rsa2048 sign`: the admin's own word for the algorithm. */
export function cellName(
  comparison: Pick<Comparison, "algorithm" | "input_bytes" | "operation">,
): string {
  const { algorithm, input_bytes: bytes, operation } = comparison;
  return bytes === null ? `${algorithm} ${operation}` : `${algorithm}, ${formatBytes(bytes)}`;
}

/** Comparisons of one metric belong in one chart and under one unit. */
export function byMetric(comparisons: Comparison[]): { unit: string; rows: Comparison[] }[] {
  const units = [...new Set(comparisons.map(({ unit }) => unit))];
  return units.map((unit) => ({ unit, rows: comparisons.filter((row) => row.unit === unit) }));
}

export function formatRatio(value: number | null): string {
  return value === null ? "" : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

/** `−81 %`, `+2 %`. */
export function formatChange(percent: number | null): string {
  if (percent === null) return "";
  const rounded = Math.round(percent);
  if (rounded === 0) return "0 %";
  return `${rounded > 0 ? "+" : "−"}${Math.abs(rounded)} %`;
}
