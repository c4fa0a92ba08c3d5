/** What became different on the host since a draft was begun, in sentences. */
import type { Matrix } from "../../api/types";
import { type Base, ownerOf } from "./draft";

export function changedElsewhere(matrix: Matrix, base: Base): string[] {
  if (base.digest === matrix.snapshot_digest) return [];
  const names = new Map(matrix.domains.map(({ key, name }) => [key, name]));
  const known = new Set(Object.keys(base.counts));
  const found: string[] = [];
  for (const { key, name, unit_count, vcpu } of matrix.domains) {
    if (!known.delete(key)) {
      found.push(`${name} is new.`);
      continue;
    }
    found.push(...moved(`${name} had`, "units", base.counts[key], unit_count));
    found.push(...moved(`${name} had`, "virtual CPUs", base.vcpus[key], vcpu ?? 0));
  }
  for (const gone of known) found.push(`${gone} is gone.`);
  const isAddressed = matrix.mode === "addressed";
  for (const unit of isAddressed ? matrix.units : []) {
    const before = base.owners[unit.key];
    if (before !== undefined && before !== ownerOf(unit)) {
      const say = (owner: string) => (owner === "" ? "free" : `of ${names.get(owner) ?? owner}`);
      found.push(`${unit.name || unit.key} was ${say(before)}, is ${say(ownerOf(unit))}.`);
    }
  }
  return found;
}

function moved(what: string, noun: string, before: number | undefined, now: number): string[] {
  if (before === undefined || before === now) return [];
  return [`${what} ${String(before)} ${noun}, has ${String(now)}.`];
}
