/** A maintenance window as a form has it, in words and as the API takes it. */
import type { MaintenanceWindow, MaintenanceWindowInput } from "../../api/types";

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

export interface WindowForm {
  name: string;
  group: string;
  kind: "weekly" | "once";
  weekdays: number[];
  /** `HH:MM` in `timeZone`. */
  start: string;
  hours: string;
  timeZone: string;
  /** `YYYY-MM-DDTHH:MM`, UTC. */
  from: string;
  to: string;
}

export function formOf(window: MaintenanceWindow | null, timeZone: string): WindowForm {
  return {
    name: window?.name ?? "",
    group: window?.group.id ?? "",
    kind: window?.kind ?? "weekly",
    weekdays: window?.weekdays ?? [5],
    start: window?.start_time?.slice(0, 5) ?? "22:00",
    hours:
      window === null || window.duration_seconds === 0 ? "4" : hoursOf(window.duration_seconds),
    timeZone:
      window?.time_zone === undefined || window.time_zone === "" ? timeZone : window.time_zone,
    from: window?.starts_at?.slice(0, 16) ?? "",
    to: window?.ends_at?.slice(0, 16) ?? "",
  };
}

function hoursOf(seconds: number): string {
  return String(Math.round((seconds / 3600) * 100) / 100);
}

/** What is wrong, by field; empty: nothing. */
export function faultsOf(form: WindowForm): Partial<Record<keyof WindowForm, string>> {
  const faults: Partial<Record<keyof WindowForm, string>> = {};
  if (form.name.trim() === "") faults.name = "Needed.";
  if (form.group === "") faults.group = "Choose a group.";
  if (form.kind === "weekly") {
    if (form.weekdays.length === 0) faults.weekdays = "At least one day.";
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(form.start)) faults.start = "As 22:30.";
    const hours = Number(form.hours);
    if (!(hours > 0 && hours <= 168)) faults.hours = "More than 0, at most 168.";
  } else {
    if (Number.isNaN(Date.parse(`${form.from}Z`))) faults.from = "As 2027-01-31T22:00.";
    if (!(Date.parse(`${form.to}Z`) > Date.parse(`${form.from}Z`))) {
      faults.to = "Later than the beginning.";
    }
  }
  return faults;
}

/** All but its group, which a window keeps. */
export function inputOf(form: WindowForm): Omit<MaintenanceWindowInput, "group"> {
  const common = { name: form.name.trim(), kind: form.kind };
  return form.kind === "weekly"
    ? {
        ...common,
        weekdays: [...form.weekdays].sort((one, other) => one - other),
        start_time: `${form.start}:00`,
        duration_seconds: Math.round(Number(form.hours) * 3600),
        time_zone: form.timeZone,
        starts_at: null,
        ends_at: null,
      }
    : {
        ...common,
        weekdays: [],
        start_time: null,
        starts_at: `${form.from}:00Z`,
        ends_at: `${form.to}:00Z`,
      };
}

/** `Sat, Sun from 22:00 for 4 h (Europe/Prague)`. */
export function windowWords(window: MaintenanceWindow): string {
  if (window.kind === "once") {
    return `once, ${utc(window.starts_at)} to ${utc(window.ends_at)} UTC`;
  }
  const days = window.weekdays.map((day) => WEEKDAYS[day] ?? "?").join(", ");
  const start = window.start_time?.slice(0, 5) ?? "";
  return `${days} from ${start} for ${hoursOf(window.duration_seconds)} h (${window.time_zone})`;
}

function utc(at: string | null): string {
  return at === null ? "?" : at.slice(0, 16).replace("T", " ");
}
