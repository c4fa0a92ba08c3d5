/**
 * Why a draft cannot be had, while it is edited. The agent judges it again against the host: what is
 * not known here (which strands a domain would get) is taken to be possible.
 */
import type { Matrix, MatrixDomain, MatrixUnit } from "../../api/types";
import { type Draft, ownerOf } from "./draft";

export interface Conflict {
  /** A sentence. */
  text: string;
  /** With so many virtual CPUs the domain could have them. */
  cpus?: number;
}

export interface Conflicts {
  /** By domain. */
  domains: Map<string, Conflict>;
  /** By unit, where units have addresses. */
  units: Map<string, Conflict>;
  /** Of the whole draft. */
  whole: string;
}

export function conflictCount({ domains, units, whole }: Conflicts): number {
  return domains.size + units.size + (whole === "" ? 0 : 1);
}

export function conflictsOf(matrix: Matrix, draft: Draft): Conflicts {
  return matrix.mode === "addressed" ? addressed(matrix, draft) : counted(matrix, draft);
}

// Units that are counted -------------------------------------------------------------------------

function counted(matrix: Matrix, draft: Draft): Conflicts {
  const found: Conflicts = { domains: new Map(), units: new Map(), whole: "" };
  const width = strandsOfCore(matrix);
  let wanted = 0;
  for (const domain of matrix.domains) {
    wanted += draft.counts[domain.key] ?? domain.unit_count;
    const conflict = ofDomain(domain, draft, width);
    if (conflict !== null) found.domains.set(domain.key, conflict);
  }
  if (wanted > matrix.units.length) {
    found.whole = `${String(wanted)} units are asked for, the host has ${String(matrix.units.length)}.`;
  } else if (found.domains.size === 0) {
    shared(matrix, draft, found);
  }
  return found;
}

/** A unit serves a domain only through a strand of its core. */
function strandsOfCore(matrix: Matrix): number {
  return Math.max(1, ...matrix.units.map(({ cpuset }) => cpuset.length));
}

function ofDomain(domain: MatrixDomain, draft: Draft, width: number): Conflict | null {
  const { key, name, vcpu, max_units: max, state, unit_count: now } = domain;
  const count = draft.counts[key] ?? now;
  const isTouched = key in draft.counts || key in draft.vcpus;
  if (isTouched && domain.reconfiguration === "pending") {
    return { text: `${name} waits for its reboot: let it take effect, or cancel it, first.` };
  }
  if (!isTouched || count === 0) return null;
  const cpus = draft.vcpus[key] ?? vcpu ?? 0;
  const added = Math.max(0, cpus - (vcpu ?? 0));
  const most = Math.min(Math.max(max, now) + Math.ceil(added / width), Math.max(cpus, 0));
  if (count <= most) return null;
  if (state === "inactive") {
    return { text: `${name} is inactive: it has no cores, so it can be given no unit now.` };
  }
  const missing = (count - most) * width;
  const cores = most === 1 ? "one core" : `${String(most)} cores`;
  return {
    text: `${name} has CPUs on ${most === 0 ? "no core with a unit" : cores}, and each core has one unit.`,
    cpus: cpus + missing,
  };
}

/** Units that several domains could have serve one of them: is there enough for all? */
function shared(matrix: Matrix, draft: Draft, found: Conflicts): void {
  const taken = new Map<string, string>();
  const wishes: [domain: MatrixDomain, more: number][] = [];
  for (const domain of matrix.domains) {
    const count = draft.counts[domain.key] ?? domain.unit_count;
    const isGiving = count < domain.unit_count;
    if (!isGiving) {
      for (const { key } of matrix.units.filter((unit) => ownerOf(unit) === domain.key)) {
        taken.set(key, domain.key);
      }
    }
    const more = isGiving ? count : count - domain.unit_count;
    if (more > 0) wishes.push([domain, more]);
  }
  const fixed = new Set(taken.keys());
  const reach = new Map(
    wishes.map(([domain]) => [domain.key, reachable(matrix, draft, domain, fixed)]),
  );
  for (const [domain, more] of wishes) {
    for (let number = 0; number < more; number += 1) {
      if (!augment(domain.key, reach, taken)) {
        found.domains.set(domain.key, takenBy(matrix, domain, taken));
        break;
      }
    }
  }
}

function reachable(
  matrix: Matrix,
  draft: Draft,
  domain: MatrixDomain,
  fixed: Set<string>,
): string[] {
  const { key, unit_count: now, vcpu } = domain;
  const isGiving = (draft.counts[key] ?? now) < now;
  const isGrowing = (draft.vcpus[key] ?? vcpu ?? 0) > (vcpu ?? 0);
  const serves = (unit: MatrixUnit) =>
    isGiving ? ownerOf(unit) === key : isGrowing || unit.can_serve.includes(key);
  return matrix.units
    .filter((unit) => !fixed.has(unit.key) && serves(unit))
    .map((unit) => unit.key);
}

/** Give the domain one more unit, moving what others were given meanwhile along a path if need be. */
function augment(start: string, reach: Map<string, string[]>, taken: Map<string, string>): boolean {
  const came = new Map<string, { domain: string; unit: string } | null>([[start, null]]);
  const seen = new Set<string>();
  const queue = [start];
  for (const domain of queue) {
    for (const unit of reach.get(domain) ?? []) {
      if (seen.has(unit)) continue;
      seen.add(unit);
      const holder = taken.get(unit);
      if (holder === undefined) {
        giveAlong(domain, unit, came, taken);
        return true;
      }
      if (reach.has(holder) && !came.has(holder)) {
        came.set(holder, { domain, unit });
        queue.push(holder);
      }
    }
  }
  return false;
}

function giveAlong(
  domain: string,
  unit: string,
  came: Map<string, { domain: string; unit: string } | null>,
  taken: Map<string, string>,
): void {
  taken.set(unit, domain);
  let step = came.get(domain) ?? null;
  while (step !== null) {
    taken.set(step.unit, step.domain);
    step = came.get(step.domain) ?? null;
  }
}

function takenBy(matrix: Matrix, domain: MatrixDomain, taken: Map<string, string>): Conflict {
  const names = new Map(matrix.domains.map(({ key, name }) => [key, name]));
  const others = new Set<string>();
  const cores: string[] = [];
  for (const unit of matrix.units.filter(({ can_serve }) => can_serve.includes(domain.key))) {
    const holder = taken.get(unit.key);
    if (holder === undefined || holder === domain.key) continue;
    others.add(names.get(holder) ?? holder);
    cores.push(unit.core ?? unit.name);
  }
  const where = cores.length === 1 ? `core ${cores[0] ?? ""}` : `cores ${cores.join(", ")}`;
  const cpus = (domain.vcpu ?? 0) + strandsOfCore(matrix);
  return {
    text: `The unit of ${where} is ${[...others].join(" and ")}’s, which shares that core with ${domain.name}: one unit serves one domain.`,
    cpus,
  };
}

// Units that have addresses ----------------------------------------------------------------------

function addressed(matrix: Matrix, draft: Draft): Conflicts {
  const found: Conflicts = { domains: new Map(), units: new Map(), whole: "" };
  const domains = new Map(matrix.domains.map((domain) => [domain.key, domain]));
  for (const unit of matrix.units) {
    const wanted = draft.units[unit.key];
    if (wanted === undefined) continue;
    const before = domains.get(ownerOf(unit));
    const after = domains.get(wanted);
    const waiting = [before, after].find((domain) => domain?.reconfiguration === "pending");
    if (waiting !== undefined) {
      found.units.set(unit.key, { text: `${waiting.name} waits for its reboot.` });
    } else if (after !== undefined && !unit.can_serve.includes(wanted)) {
      found.units.set(unit.key, {
        text: `${unit.name || unit.key} cannot be given to ${after.name} on this host.`,
      });
    }
  }
  return found;
}
