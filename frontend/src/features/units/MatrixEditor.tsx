import { type KeyboardEvent, useMemo, useState } from "react";
import type { Matrix, MatrixDomain, MatrixUnit } from "../../api/types";
import { useMedia } from "../../components/useMedia";
import { PlanDialog } from "../policy/PlanDialog";
import { conflictsOf } from "./conflicts";
import { countSet, draftWords, freeAfter, parametersOf, unitToggle, vcpusSet } from "./draft";
import { MatrixCards } from "./MatrixCards";
import { MatrixGrid } from "./MatrixGrid";
import { ConflictList, ElsewhereAlert, Legend, OpenChanges } from "./MatrixNotices";
import { MatrixToolbar } from "./MatrixToolbar";
import { type DraftState, useDraft } from "./useDraft";

const WIDE = "(min-width: 48rem)";

/** Edits the assignment of one host as a draft, which is then planned. */
export function MatrixEditor({ matrix }: { matrix: Matrix }) {
  const state = useDraft(matrix);
  const { draft } = state;
  const [isPlanning, setIsPlanning] = useState(false);
  const [withCpus, setWithCpus] = useState(Object.keys(draft.vcpus).length > 0);
  const isWide = useMedia(WIDE);
  const conflicts = useMemo(() => conflictsOf(matrix, draft), [matrix, draft]);
  const isCounted = matrix.mode === "counted";
  const editing = {
    matrix,
    draft,
    conflicts,
    withCpus,
    onCount: (domain: MatrixDomain, count: number) =>
      state.edit((before) => countSet(before, domain, count)),
    onCpus: (domain: MatrixDomain, count: number) =>
      state.edit((before) => vcpusSet(before, domain, count)),
    onToggle: (unit: MatrixUnit, domain: MatrixDomain) =>
      state.edit((before) => unitToggle(before, unit, domain.key)),
  };
  return (
    // Keys of the whole editor (undo, redo); the grid inside is what takes the focus.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={(event) => undoByKey(event, state)}>
      <OpenChanges matrix={matrix} />
      <ElsewhereAlert state={state} />
      <MatrixToolbar
        assigning={matrix.assigning}
        state={state}
        conflicts={conflicts}
        free={[matrix.free, freeAfter(matrix, draft), matrix.units.length]}
        withCpus={isCounted ? withCpus : null}
        onWithCpus={setWithCpus}
        onPlan={() => setIsPlanning(true)}
      />
      {isWide || !isCounted ? <MatrixGrid {...editing} /> : <MatrixCards {...editing} />}
      {/* Below, so that what is being clicked stays where it is. */}
      <ConflictList
        matrix={matrix}
        conflicts={conflicts}
        onCpus={(domain, cpus) => {
          setWithCpus(true);
          editing.onCpus(domain, cpus);
        }}
      />
      {(isWide || !isCounted) && <Legend isCounted={isCounted} />}
      {isPlanning && (
        <PlanDialog
          title={`Assignment on ${matrix.host.name}`}
          kind="unit.assign"
          hosts={[matrix.host.id]}
          parameters={parametersOf(draft)}
          words={draftWords(matrix, draft)}
          onDone={state.discard}
          onClose={() => setIsPlanning(false)}
        />
      )}
    </div>
  );
}

function undoByKey(event: KeyboardEvent, state: DraftState): void {
  if (!event.ctrlKey && !event.metaKey) return;
  const key = event.key.toLowerCase();
  const isRedo = key === "y" || (key === "z" && event.shiftKey);
  if (!isRedo && key !== "z") return;
  // Typing in a dialog has an undo of its own.
  if (event.target instanceof HTMLElement && event.target.closest("[role=dialog]")) return;
  event.preventDefault();
  if (isRedo) state.redo();
  else state.undo();
}
