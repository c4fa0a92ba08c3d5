/** A draft of an assignment: what shall be otherwise, what it was begun from; kept over a reload. */
import type { Matrix, MatrixDomain, MatrixUnit } from "../../api/types";

export interface Draft {
  /** Wanted numbers of units by domain. */
  counts: Record<string, number>;
  /** Wanted numbers of virtual CPUs by domain. */
  vcpus: Record<string, number>;
  /** Wanted domains by unit, where units have addresses; empty: free. */
  units: Record<string, string>;
}

/** What the host was like when the draft was begun. */
export interface Base {
  digest: string;
  counts: Record<string, number>;
  vcpus: Record<string, number>;
  owners: Record<string, string>;
}

export interface Kept {
  draft: Draft;
  base: Base;
}

export const NO_DRAFT: Draft = { counts: {}, vcpus: {}, units: {} };

const keyOf = (host: string) => `keyrack.assignment.${host}`;

export function baseOf(matrix: Matrix): Base {
  return {
    digest: matrix.snapshot_digest,
    counts: Object.fromEntries(matrix.domains.map(({ key, unit_count }) => [key, unit_count])),
    vcpus: Object.fromEntries(matrix.domains.map(({ key, vcpu }) => [key, vcpu ?? 0])),
    owners: Object.fromEntries(matrix.units.map(({ key, domain_key }) => [key, domain_key ?? ""])),
  };
}

export const ownerOf = (unit: MatrixUnit): string => unit.domain_key ?? "";

/** How many changes the draft is made of. */
export function pendingCount(draft: Draft): number {
  return [draft.counts, draft.vcpus, draft.units]
    .map((each) => Object.keys(each).length)
    .reduce((sum, number) => sum + number);
}

/** The draft without what is so anyway, and without what is gone. */
export function draftFitted(matrix: Matrix, draft: Draft): Draft {
  const domains = new Map(matrix.domains.map((domain) => [domain.key, domain]));
  const units = new Map(matrix.units.map((unit) => [unit.key, unit]));
  return {
    counts: kept(draft.counts, (key, count) => {
      const domain = domains.get(key);
      return domain !== undefined && isCount(count) && count !== domain.unit_count;
    }),
    vcpus: kept(draft.vcpus, (key, count) => {
      const domain = domains.get(key);
      return domain !== undefined && isCount(count) && count !== domain.vcpu;
    }),
    units: kept(draft.units, (key, domain) => {
      const unit = units.get(key);
      const isKnown = domain === "" || domains.has(domain);
      return unit !== undefined && isKnown && domain !== ownerOf(unit);
    }),
  };
}

function kept<Value>(
  wanted: Record<string, Value>,
  isKept: (key: string, value: Value) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => isKept(key, value)));
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

// Single edits -----------------------------------------------------------------------------------

export function countSet(draft: Draft, domain: MatrixDomain, count: number): Draft {
  return { ...draft, counts: { ...draft.counts, [domain.key]: Math.max(0, count) } };
}

export function vcpusSet(draft: Draft, domain: MatrixDomain, count: number): Draft {
  return { ...draft, vcpus: { ...draft.vcpus, [domain.key]: Math.max(1, count) } };
}

/** Give the unit to the domain; one that the domain would have becomes free. */
export function unitToggle(draft: Draft, unit: MatrixUnit, domain: string): Draft {
  const now = draft.units[unit.key] ?? ownerOf(unit);
  return { ...draft, units: { ...draft.units, [unit.key]: now === domain ? "" : domain } };
}

// Kept over a reload -----------------------------------------------------------------------------

/** The kept draft and what it was begun from; a damaged one is none. */
export function keptRead(host: string): Kept | null {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(host)) ?? "null") as Partial<Kept> | null;
    const { draft, base } = found ?? {};
    if (!isRecord(draft) || !isRecord(base)) return null;
    const whole =
      [draft.counts, draft.vcpus, draft.units].every(isRecord) &&
      [base.counts, base.vcpus, base.owners].every(isRecord);
    return whole ? { draft, base } : null;
  } catch {
    return null;
  }
}

export function keptWrite(host: string, kept: Kept): void {
  if (pendingCount(kept.draft) === 0) localStorage.removeItem(keyOf(host));
  else localStorage.setItem(keyOf(host), JSON.stringify(kept));
}

function isRecord<T>(value: T | undefined | null): value is T {
  return typeof value === "object" && value !== null;
}

// What comes of it -------------------------------------------------------------------------------

/** The parameters of `unit.assign`. */
export function parametersOf({ counts, vcpus, units }: Draft): Record<string, unknown> {
  const parts = Object.entries({ counts, vcpus, units });
  return Object.fromEntries(parts.filter(([, wanted]) => Object.keys(wanted).length > 0));
}

/** How many units would be free. */
export function freeAfter(matrix: Matrix, draft: Draft): number {
  const more = matrix.domains.map(
    ({ key, unit_count }) => (draft.counts[key] ?? unit_count) - unit_count,
  );
  const byAddress = matrix.units.map((unit) => {
    const wanted = draft.units[unit.key];
    return wanted === undefined ? 0 : Number(wanted !== "") - Number(ownerOf(unit) !== "");
  });
  return matrix.free - [...more, ...byAddress].reduce((sum, number) => sum + number, 0);
}

/** The draft as sentences, for whoever plans it. */
export function draftWords(matrix: Matrix, draft: Draft): string[] {
  const names = new Map(matrix.domains.map(({ key, name }) => [key, name]));
  const units = Object.entries(draft.units).map(([key, domain]) => {
    const unit = matrix.units.find((each) => each.key === key);
    return `${unit?.name || key}: ${domain === "" ? "free" : `to ${names.get(domain) ?? domain}`}`;
  });
  const numbers = matrix.domains.flatMap((domain) => [
    ...words(domain.name, "units", domain.unit_count, draft.counts[domain.key]),
    ...words(domain.name, "virtual CPUs", domain.vcpu ?? 0, draft.vcpus[domain.key]),
  ]);
  return [...numbers, ...units];
}

function words(name: string, what: string, before: number, after: number | undefined): string[] {
  return after === undefined ? [] : [`${name}: ${what} ${String(before)} → ${String(after)}`];
}
