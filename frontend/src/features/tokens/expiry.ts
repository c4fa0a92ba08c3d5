/** Expiry as the API filters it: before a moment. Whole days, so that a link means the same all day long. */
import type { Option } from "../../components/list/types";

const DAY_MILLISECONDS = 86_400_000;

/** Midnight UTC after `days` days from now, ISO 8601. */
export function daysFromNow(days: number, now = Date.now()): string {
  const midnight = Math.ceil((now + days * DAY_MILLISECONDS) / DAY_MILLISECONDS) * DAY_MILLISECONDS;
  return new Date(midnight).toISOString();
}

export function expiryOptions(): Option[] {
  return [
    { value: daysFromNow(0), label: "Today or expired" },
    { value: daysFromNow(7), label: "Within 7 days" },
    { value: daysFromNow(30), label: "Within 30 days" },
    { value: daysFromNow(90), label: "Within 90 days" },
  ];
}
