import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import { userUpdate } from "../../api/mutations";
import type { Role, User } from "../../api/types";
import { ChoiceField } from "../../components/ChoiceField";
import { FormDialog } from "../../components/FormDialog";
import { TextField } from "../../components/TextField";
import { ROLES, wordOptions } from "../../components/words";
import { ROLE_HINTS } from "./UserCreateDialog";

export function UserRoleDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [role, setRole] = useState<Role>(user.role);
  const [email, setEmail] = useState(user.email);
  const update = useMutation({
    mutationFn: () => userUpdate(user.id, { role, email }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={`Change ${user.username}`}
      action="Save"
      mutation={update}
      canSubmit
      onSubmit={() => update.mutate()}
      onClose={onClose}
    >
      <TextField
        id="email"
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        error={update.isError ? asApiError(update.error).fields["email"] : undefined}
      />
      <ChoiceField
        id="role"
        label="Role"
        value={role}
        options={wordOptions(ROLES)}
        onChange={(value) => setRole(value as Role)}
        hint={ROLE_HINTS[role]}
      />
    </FormDialog>
  );
}
