import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import { apiTokenCreate } from "../../api/mutations";
import { ChoiceField } from "../../components/ChoiceField";
import { FormDialog } from "../../components/FormDialog";
import { SecretOnce } from "../../components/SecretOnce";
import { TextField } from "../../components/TextField";

const DAY_MILLISECONDS = 86_400_000;
const LIVES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "", label: "Never" },
];

function expiry(days: string): string | null {
  return days === "" ? null : new Date(Date.now() + Number(days) * DAY_MILLISECONDS).toISOString();
}

export function ApiTokenCreateDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const create = useMutation({ mutationFn: apiTokenCreate });
  return (
    <FormDialog
      title="New API token"
      action="Create token"
      mutation={create}
      canSubmit={name.trim() !== ""}
      onSubmit={() => create.mutate({ name: name.trim(), expires_at: expiry(days) })}
      onClose={onClose}
      outcome={
        create.data && (
          <SecretOnce title="Your API token" secret={create.data.secret} name="the API token">
            It is shown now and never again. Send it as <code>Authorization: Bearer …</code>; it may
            do what you may do.
          </SecretOnce>
        )
      }
    >
      <TextField
        id="token-name"
        label="What it is for"
        value={name}
        onChange={setName}
        isRequired
        error={create.isError ? asApiError(create.error).fields["name"] : undefined}
        autoComplete="off"
      />
      <ChoiceField
        id="token-life"
        label="Expires"
        value={days}
        options={LIVES}
        onChange={setDays}
      />
    </FormDialog>
  );
}
