import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import { userCreate } from "../../api/mutations";
import type { Role } from "../../api/types";
import { ChoiceField } from "../../components/ChoiceField";
import { FormDialog } from "../../components/FormDialog";
import { SecretOnce } from "../../components/SecretOnce";
import { TextField } from "../../components/TextField";
import { ROLES, wordOptions } from "../../components/words";

export const ROLE_HINTS: Record<Role, string> = {
  viewer: "Sees everything, changes nothing.",
  operator: "Also runs and cancels jobs, orders scans, acknowledges findings.",
  approver: "As an operator; approves changes of others once changes exist.",
  administrator: "Also enrols and retires hosts and manages users.",
};

export function UserCreateDialog({ onClose }: { onClose: () => void }) {
  const [username, setUsername] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const create = useMutation({ mutationFn: userCreate });
  const refused = create.isError ? asApiError(create.error).fields : {};
  return (
    <FormDialog
      title="New user"
      action="Create user"
      mutation={create}
      canSubmit={username !== ""}
      onSubmit={() => create.mutate({ username, email, role })}
      onClose={onClose}
      outcome={
        create.data && (
          <SecretOnce
            title={`${create.data.username} can log in`}
            secret={create.data.password}
            name="the password"
          >
            This password is shown now and never again. Pass it on by a safe way; the user can
            change it after logging in.
          </SecretOnce>
        )
      }
    >
      <TextField
        id="username"
        label="Name"
        value={username}
        onChange={setUsername}
        isRequired
        error={refused["username"]}
        autoComplete="off"
      />
      <TextField
        id="email"
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        error={refused["email"]}
        autoComplete="off"
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
