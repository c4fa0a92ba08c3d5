import { Alert } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import { passwordChange } from "../../api/mutations";
import { FormDialog } from "../../components/FormDialog";
import { TextField } from "../../components/TextField";

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [present, setPresent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({ mutationFn: passwordChange });
  const refused = change.isError ? asApiError(change.error).fields : {};
  return (
    <FormDialog
      title="Change password"
      action="Change password"
      mutation={change}
      canSubmit={present !== "" && next !== ""}
      onSubmit={() => change.mutate({ old_password: present, new_password: next })}
      onClose={onClose}
      outcome={
        change.isSuccess ? (
          <Alert
            component="p"
            isInline
            isLiveRegion
            variant="success"
            title="Your password is changed"
          >
            Your other sessions have ended.
          </Alert>
        ) : undefined
      }
    >
      <TextField
        id="present-password"
        label="Present password"
        type="password"
        value={present}
        onChange={setPresent}
        isRequired
        error={refused["old_password"]}
        autoComplete="current-password"
      />
      <TextField
        id="new-password"
        label="New password"
        type="password"
        hint="Twelve characters or more."
        value={next}
        onChange={setNext}
        isRequired
        error={refused["new_password"]}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
