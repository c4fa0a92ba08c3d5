import { Flex, FlexItem } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { changeCheck, changePlan } from "../../api/mutations";
import type { ChangeDetail } from "../../api/types";
import { FailureAlert } from "../../components/FailureAlert";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { ApplyDialog, ApproveDialog, CancelDialog, RejectDialog, RollbackDialog } from "./dialogs";

const NOT_CANCELLABLE = new Set([
  "succeeded",
  "failed",
  "rolled_back",
  "cancelled",
  "expired",
  "waiting_reboot",
  "needs_attention",
]);
const PLANNABLE = new Set(["draft", "planned", "awaiting_approval", "stale", "needs_attention"]);
const DIALOGS = {
  approve: ApproveDialog,
  reject: RejectDialog,
  apply: ApplyDialog,
  cancel: CancelDialog,
  rollback: RollbackDialog,
};

/** The buttons of a change, each only in the states where it means something. */
export function ChangeActions({ change }: { change: ChangeDetail }) {
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const plan = useMutation({ mutationFn: () => changePlan(change.id) });
  const check = useMutation({ mutationFn: () => changeCheck(change.id) });
  const { state, capabilities } = change;
  const Dialog = open === null ? null : DIALOGS[open];
  return (
    <>
      <FailureAlert title="It could not be planned again" mutation={plan} />
      <FailureAlert title="The host could not be asked" mutation={check} />
      <Flex gap={{ default: "gapSm" }}>
        {state === "awaiting_approval" && <Approving change={change} onOpen={setOpen} />}
        {state === "planned" && (
          <Action
            text="Apply"
            isAllowed={change.apply.may}
            reason={change.apply.why_not}
            onClick={() => setOpen("apply")}
          />
        )}
        {state === "waiting_reboot" && (
          <Action
            text="Check now"
            isAllowed={capabilities["change.apply"] ?? false}
            reason={roleReason("apply changes")}
            isLoading={check.isPending}
            onClick={() => check.mutate()}
          />
        )}
        <RollingBack change={change} onOpen={setOpen} />
        {PLANNABLE.has(state) && (
          <Action
            text="Plan again"
            isSecondary
            isAllowed={capabilities["change.request"] ?? false}
            reason={roleReason("plan changes")}
            isLoading={plan.isPending}
            onClick={() => plan.mutate()}
          />
        )}
        <Cancelling change={change} onOpen={setOpen} />
      </Flex>
      {Dialog !== null && <Dialog change={change} onClose={() => setOpen(null)} />}
    </>
  );
}

type DialogName = keyof typeof DIALOGS;
type Opening = { change: ChangeDetail; onOpen: (name: DialogName) => void };

function Approving({ change, onOpen }: Opening) {
  return (
    <>
      <Action
        text="Approve"
        isAllowed={change.approval.judgement.may}
        reason={change.approval.judgement.why_not}
        onClick={() => onOpen("approve")}
      />
      <Action
        text="Reject"
        isSecondary
        isAllowed={change.capabilities["change.approve"] ?? false}
        reason={roleReason("reject changes")}
        onClick={() => onOpen("reject")}
      />
    </>
  );
}

function RollingBack({ change, onOpen }: Opening) {
  if (change.state !== "succeeded" && change.state !== "needs_attention") return null;
  if (change.plan?.rollback == null) return null;
  return (
    <Action
      text="Roll back"
      isSecondary
      isAllowed={change.capabilities["change.rollback"] ?? false}
      reason={roleReason("roll changes back")}
      onClick={() => onOpen("rollback")}
    />
  );
}

function Cancelling({ change, onOpen }: Opening) {
  if (NOT_CANCELLABLE.has(change.state)) return null;
  return (
    <Action
      text="Cancel change"
      isSecondary
      isDanger
      isAllowed={change.capabilities["change.cancel"] ?? false}
      reason={roleReason("cancel changes")}
      onClick={() => onOpen("cancel")}
    />
  );
}

interface ActionProps {
  text: string;
  isAllowed: boolean;
  reason: string;
  isSecondary?: boolean;
  isDanger?: boolean;
  isLoading?: boolean;
  onClick: () => void;
}

function Action({ text, isSecondary = false, ...button }: ActionProps) {
  return (
    <FlexItem>
      <GuardedButton variant={isSecondary ? "secondary" : "primary"} {...button}>
        {text}
      </GuardedButton>
    </FlexItem>
  );
}
