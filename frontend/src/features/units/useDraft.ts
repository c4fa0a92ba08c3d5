/** The draft of one host's assignment, with undo and redo, kept over a reload. */
import { useMemo, useState } from "react";
import type { Matrix } from "../../api/types";
import {
  type Base,
  baseOf,
  type Draft,
  draftFitted,
  keptRead,
  keptWrite,
  NO_DRAFT,
  pendingCount,
} from "./draft";
import { changedElsewhere } from "./elsewhere";

const MOST_STEPS = 200;

interface History {
  past: Draft[];
  present: Draft;
  future: Draft[];
  /** What the host was like when the first edit was made. */
  base: Base | null;
}

export interface DraftState {
  draft: Draft;
  pending: number;
  /** What became different on the host since the draft was begun. */
  elsewhere: string[];
  canUndo: boolean;
  canRedo: boolean;
  edit: (edit: (draft: Draft) => Draft) => void;
  undo: () => void;
  redo: () => void;
  discard: () => void;
  /** Go on from what the host is like now. */
  rebase: () => void;
}

export function useDraft(matrix: Matrix): DraftState {
  const host = matrix.host.id;
  const [history, setHistory] = useState<History>(() => {
    const kept = keptRead(host);
    return { past: [], present: kept?.draft ?? NO_DRAFT, future: [], base: kept?.base ?? null };
  });
  const { past, present, future, base } = history;
  const draft = useMemo(() => draftFitted(matrix, present), [matrix, present]);
  const pending = pendingCount(draft);
  const elsewhere = useMemo(
    () => (pending === 0 || base === null ? [] : changedElsewhere(matrix, base)),
    [matrix, base, pending],
  );

  const become = (next: History) => {
    const began = next.base ?? baseOf(matrix);
    keptWrite(host, { draft: draftFitted(matrix, next.present), base: began });
    setHistory({ ...next, base: pendingCount(next.present) === 0 ? null : began });
  };
  return {
    draft,
    pending,
    elsewhere,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    edit: (edit) =>
      become({
        past: [...past.slice(-MOST_STEPS), present],
        present: draftFitted(matrix, edit(draft)),
        future: [],
        base,
      }),
    undo: () => {
      const before = past.at(-1);
      if (before === undefined) return;
      become({ past: past.slice(0, -1), present: before, future: [present, ...future], base });
    },
    redo: () => {
      const [after, ...rest] = future;
      if (after === undefined) return;
      become({ past: [...past, present], present: after, future: rest, base });
    },
    discard: () =>
      become({ past: [...past.slice(-MOST_STEPS), present], present: NO_DRAFT, future: [], base }),
    rebase: () => become({ ...history, base: baseOf(matrix) }),
  };
}
