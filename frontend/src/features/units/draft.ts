/** A draft of an assignment: wanted numbers of units by domain, kept over a reload. */
import type { Matrix, MatrixDomain } from "../../api/types";

export type Draft = Record<string, number>;

const key = (matrix: Matrix) => `keyrack.assignment.${matrix.host.id}`;

/** The kept draft, without what has meanwhile become so, and without domains that are gone. */
export function draftRead(matrix: Matrix): Draft {
  let kept: unknown;
  try {
    kept = JSON.parse(localStorage.getItem(key(matrix)) ?? "{}");
  } catch {
    return {};
  }
  if (typeof kept !== "object" || kept === null) return {};
  const wanted = new Map(Object.entries(kept));
  return Object.fromEntries(
    matrix.domains.flatMap((domain) => {
      const count: unknown = wanted.get(domain.key);
      return typeof count === "number" && count !== domain.unit_count ? [[domain.key, count]] : [];
    }),
  );
}

export function draftKeep(matrix: Matrix, draft: Draft): void {
  localStorage.setItem(key(matrix), JSON.stringify(draft));
}

/** The draft with another count for one domain; one that it has anyway is no part of it. */
export function draftSet(draft: Draft, domain: MatrixDomain, count: number): Draft {
  const others = Object.entries(draft).filter(([name]) => name !== domain.key);
  return Object.fromEntries(
    count === domain.unit_count ? others : [...others, [domain.key, count]],
  );
}

/** Why the draft cannot be had, by domain; the empty key: as a whole. */
export function conflicts(matrix: Matrix, draft: Draft): Record<string, string> {
  const found: Record<string, string> = {};
  let wanted = 0;
  for (const domain of matrix.domains) {
    const count = draft[domain.key] ?? domain.unit_count;
    wanted += count;
    if (count > domain.max_units) {
      found[domain.key] =
        `Its cores have ${String(domain.max_units)} units: give it CPUs of another core first.`;
    }
  }
  if (wanted > matrix.units.length) {
    found[""] =
      `${String(wanted)} units are asked for, the host has ${String(matrix.units.length)}.`;
  }
  return found;
}
