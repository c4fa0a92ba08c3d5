import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { userActivate, userDeactivate, userPasswordReset } from "../../api/mutations";
import type { User } from "../../api/types";
import { useMe } from "../../app/session";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { FormDialog } from "../../components/FormDialog";
import { Mono } from "../../components/Mono";
import { type RowAction, RowMenu } from "../../components/RowMenu";
import { SecretOnce } from "../../components/SecretOnce";
import { UserRoleDialog } from "./UserRoleDialog";

type Open = "role" | "password" | "deactivate" | "activate" | null;

export function UserActions({ user }: { user: User }) {
  const me = useMe();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  if (!user.capabilities["user.manage"]) return null;
  const isSelf = user.id === me.id;
  const actions: RowAction[] = [
    { title: "Change role or e-mail", onClick: () => setOpen("role") },
    { title: "New password", onClick: () => setOpen("password") },
  ];
  if (!user.is_active) actions.push({ title: "Activate", onClick: () => setOpen("activate") });
  if (user.is_active && !isSelf) {
    actions.push({ title: "Deactivate", isDanger: true, onClick: () => setOpen("deactivate") });
  }
  return (
    <>
      <RowMenu label={`Actions for ${user.username}`} actions={actions} />
      {open === "role" && <UserRoleDialog user={user} onClose={close} />}
      {open === "password" && <PasswordDialog user={user} onClose={close} />}
      {open === "activate" && <ActivateDialog user={user} onClose={close} />}
      {open === "deactivate" && <DeactivateDialog user={user} onClose={close} />}
    </>
  );
}

interface DialogProps {
  user: User;
  onClose: () => void;
}

function PasswordDialog({ user, onClose }: DialogProps) {
  const reset = useMutation({ mutationFn: () => userPasswordReset(user.id) });
  return (
    <FormDialog
      title={`A new password for ${user.username}`}
      action="Make a password"
      mutation={reset}
      canSubmit
      onSubmit={() => reset.mutate()}
      onClose={onClose}
      outcome={
        reset.data && (
          <SecretOnce title="The new password" secret={reset.data.password} name="the password">
            It is shown now and never again.
          </SecretOnce>
        )
      }
    >
      The old password stops working and all sessions of <Mono>{user.username}</Mono> end.
    </FormDialog>
  );
}

function ActivateDialog({ user, onClose }: DialogProps) {
  const activate = useMutation({ mutationFn: () => userActivate(user.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      title={`Let ${user.username} in again?`}
      action="Activate"
      mutation={activate}
      onClose={onClose}
    >
      The password works again. API tokens stay revoked.
    </ConfirmDialog>
  );
}

function DeactivateDialog({ user, onClose }: DialogProps) {
  const deactivate = useMutation({ mutationFn: () => userDeactivate(user.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      title={`Deactivate ${user.username}?`}
      action="Deactivate"
      isDanger
      mutation={deactivate}
      onClose={onClose}
    >
      All sessions end and all API tokens of this user are revoked. What the user did stays in the
      audit.
    </ConfirmDialog>
  );
}
