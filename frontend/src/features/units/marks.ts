/** What stands in the cell of a unit and a domain: a sign, and the same in words. */
import type { MatrixDomain, MatrixUnit } from "../../api/types";
import { ownerOf } from "./draft";

export interface Mark {
  kind: keyof typeof MARK_SIGNS;
  label: string;
  isPending: boolean;
  isWrong: boolean;
}

export const MARK_SIGNS = {
  bound: "●",
  leaving: "◐",
  coming: "◍",
  taken: "⊖",
  given: "⊕",
  wrong: "⚠",
  possible: "·",
  none: "",
} as const;

/** The signs that a legend has to explain, by whether units are counted. */
export const LEGEND = {
  counted: [
    ["bound", "bound to the domain"],
    ["possible", "the domain has CPUs of this core"],
    ["leaving", "may be freed: the host picks which"],
    ["coming", "may be given"],
  ],
  addressed: [
    ["bound", "assigned"],
    ["given", "will be assigned"],
    ["taken", "will be taken away"],
    ["possible", "could be assigned"],
    ["wrong", "cannot be assigned"],
  ],
} as const satisfies Record<string, readonly (readonly [keyof typeof MARK_SIGNS, string])[]>;

interface Cell {
  unit: MatrixUnit;
  domain: MatrixDomain;
  /** Who has it, as drafted. */
  owner: string;
  trends: Record<string, "more" | "fewer">;
  conflict: string | undefined;
  isCounted: boolean;
}

export function cellMark(cell: Cell): Mark {
  const { unit, domain } = cell;
  const what = unit.core === null ? unit.name || unit.key : `core ${unit.core}`;
  const { kind, words } = cell.isCounted ? countedMark(cell) : addressedMark(cell);
  const isPending = ["leaving", "coming", "taken", "given", "wrong"].includes(kind);
  return {
    kind,
    label: `${what}, ${domain.name}: ${words}`,
    isPending,
    isWrong: kind === "wrong",
  };
}

type Found = Pick<Mark, "kind"> & { words: string };

function countedMark({ unit, domain, trends }: Cell): Found {
  const owner = ownerOf(unit);
  const trend = trends[domain.key];
  if (owner === domain.key) {
    return trend === "fewer"
      ? { kind: "leaving", words: "bound, may be freed" }
      : { kind: "bound", words: "bound" };
  }
  if (!unit.can_serve.includes(domain.key)) return { kind: "none", words: "no CPU of this core" };
  const isLoose = owner === "" || trends[owner] === "fewer";
  if (trend === "more" && isLoose) return { kind: "coming", words: "may be given" };
  return { kind: "possible", words: "has CPUs of this core" };
}

function addressedMark({ unit, domain, owner, conflict }: Cell): Found {
  const isNow = ownerOf(unit) === domain.key;
  const isThen = owner === domain.key;
  if (isThen && conflict !== undefined) return { kind: "wrong", words: conflict };
  if (isNow && isThen) return { kind: "bound", words: "assigned" };
  if (isNow) return { kind: "taken", words: "will be taken away" };
  if (isThen) return { kind: "given", words: "will be assigned" };
  return unit.can_serve.includes(domain.key)
    ? { kind: "possible", words: "could be assigned" }
    : { kind: "none", words: "cannot be assigned" };
}
