import { Button, Switch, Toolbar, ToolbarContent, ToolbarItem } from "@patternfly/react-core";
import RedoIcon from "@patternfly/react-icons/dist/esm/icons/redo-icon";
import UndoIcon from "@patternfly/react-icons/dist/esm/icons/undo-icon";
import type { Matrix } from "../../api/types";
import { useMe } from "../../app/session";
import { formatCount, plural } from "../../components/format";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { conflictCount, type Conflicts } from "./conflicts";
import type { DraftState } from "./useDraft";

interface Props {
  /** Whether the host takes such changes, and why not. */
  assigning: Matrix["assigning"];
  state: DraftState;
  conflicts: Conflicts;
  /** Free units now, after the draft, and all units. */
  free: [now: number, then: number, all: number];
  /** null: virtual CPUs do not belong to this. */
  withCpus: boolean | null;
  onWithCpus: (isOn: boolean) => void;
  onPlan: () => void;
}

export function MatrixToolbar(props: Props) {
  const { assigning, state, conflicts, free, withCpus, onWithCpus, onPlan } = props;
  const { capabilities } = useMe();
  const { pending } = state;
  const mayAsk = capabilities["change.request"] ?? false;
  const why = assigning.reason || whyNot(pending, conflictCount(conflicts), mayAsk);
  return (
    <Toolbar inset={{ default: "insetNone" }} aria-label="Draft of the assignment">
      <ToolbarContent alignItems="center">
        <ToolbarItem>
          <GuardedButton
            variant="primary"
            isAllowed={why === ""}
            reason={why}
            countOptions={pending > 0 ? { isRead: false, count: pending } : undefined}
            onClick={onPlan}
          >
            Plan
          </GuardedButton>
        </ToolbarItem>
        <ToolbarItem>
          <span role="status">
            {pending === 0 ? "No pending change" : plural(pending, "pending change")}
            {conflictCount(conflicts) > 0 && ` · ${plural(conflictCount(conflicts), "conflict")}`}
            {" · "}
            <FreeUnits free={free} />
          </span>
        </ToolbarItem>
        <History state={state} />
        {withCpus !== null && (
          <ToolbarItem align={{ default: "alignEnd" }}>
            <Switch
              id="with-cpus"
              label="Change virtual CPUs too"
              isChecked={withCpus}
              onChange={(_event, isOn) => onWithCpus(isOn)}
            />
          </ToolbarItem>
        )}
      </ToolbarContent>
    </Toolbar>
  );
}

function History({ state }: Pick<Props, "state">) {
  return (
    <ToolbarItem>
      <Button
        variant="plain"
        icon={<UndoIcon />}
        aria-label="Undo"
        title="Undo (Ctrl+Z)"
        isDisabled={!state.canUndo}
        onClick={state.undo}
      />
      <Button
        variant="plain"
        icon={<RedoIcon />}
        aria-label="Redo"
        title="Redo (Ctrl+Y)"
        isDisabled={!state.canRedo}
        onClick={state.redo}
      />
      {state.pending > 0 && (
        <Button variant="link" onClick={state.discard}>
          Discard draft
        </Button>
      )}
    </ToolbarItem>
  );
}

function whyNot(pending: number, conflicts: number, mayAsk: boolean): string {
  if (!mayAsk) return roleReason("ask for changes");
  if (pending === 0) return "Nothing is pending: change a number or a cell first.";
  if (conflicts > 0) return "The draft has conflicts, which are listed below: solve them first.";
  return "";
}

function FreeUnits({ free: [now, then, all] }: Pick<Props, "free">) {
  return (
    <>
      {formatCount(now)} of {formatCount(all)} units free
      {then !== now && `, ${formatCount(then)} then`}
    </>
  );
}
