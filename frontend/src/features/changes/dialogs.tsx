import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import {
  changeApply,
  changeApprove,
  changeCancel,
  changeReject,
  changeRollback,
} from "../../api/mutations";
import type { ChangeDetail } from "../../api/types";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { FormDialog } from "../../components/FormDialog";
import { TextField } from "../../components/TextField";

interface Props {
  change: ChangeDetail;
  onClose: () => void;
}

export function ApproveDialog({ change, onClose }: Props) {
  const { needs_confirmation: needsName } = change.approval.judgement;
  const approve = useMutation({
    mutationFn: () =>
      changeApprove(change.id, {
        plan_digest: change.plan?.digest ?? "",
        comment: "",
        confirmation: needsName ? change.host.name : "",
      }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title="Approve this plan?"
      action="Approve"
      typeToConfirm={needsName ? change.host.name : undefined}
      mutation={approve}
      onClose={onClose}
    >
      {change.sentence} The approval is for this plan and no other, and for two days.
      {needsName && " Nobody else could approve it: that you do it yourself is recorded."}
    </ConfirmDialog>
  );
}

export function ApplyDialog({ change, onClose }: Props) {
  const needsName = change.apply.needs_confirmation;
  const apply = useMutation({
    mutationFn: () =>
      changeApply(change.id, {
        plan_digest: change.plan?.digest ?? "",
        confirmation: needsName ? change.host.name : "",
      }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title="Apply this plan?"
      action="Apply"
      isDanger={needsName}
      typeToConfirm={needsName ? change.host.name : undefined}
      mutation={apply}
      onClose={onClose}
    >
      {change.sentence} The agent looks at the host once more first; where it is not as planned,
      nothing is run. A step that fails is undone with all before it.
    </ConfirmDialog>
  );
}

export function CancelDialog({ change, onClose }: Props) {
  const cancel = useMutation({ mutationFn: () => changeCancel(change.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      title="Cancel this change?"
      action="Cancel change"
      isDanger
      mutation={cancel}
      onClose={onClose}
    >
      What has not begun never runs. A step that runs now is finished; then what was done is undone.
    </ConfirmDialog>
  );
}

export function RejectDialog({ change, onClose }: Props) {
  const [comment, setComment] = useState("");
  const reject = useMutation({
    mutationFn: () => changeReject(change.id, comment),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Reject this change"
      action="Reject"
      mutation={reject}
      canSubmit={comment.trim() !== ""}
      onSubmit={() => reject.mutate()}
      onClose={onClose}
    >
      <TextField
        id="reject-comment"
        label="Why not"
        value={comment}
        onChange={setComment}
        isRequired
      />
    </FormDialog>
  );
}

export function RollbackDialog({ change, onClose }: Props) {
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const rollback = useMutation({
    mutationFn: () => changeRollback(change.id, reason),
    onSuccess: (next) => {
      onClose();
      void navigate(`/changes/${next.id}`);
    },
  });
  return (
    <FormDialog
      title="Roll back: plan what restores the state before"
      action="Plan"
      mutation={rollback}
      canSubmit={reason.trim() !== ""}
      onSubmit={() => rollback.mutate()}
      onClose={onClose}
    >
      <TextField
        id="rollback-reason"
        label="Reason"
        value={reason}
        onChange={setReason}
        isRequired
      />
    </FormDialog>
  );
}
