import { FormGroup, FormSelect, FormSelectOption, TextArea } from "@patternfly/react-core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { changeCreate } from "../../api/mutations";
import { changeKindsQuery, lists } from "../../api/queries";
import { useMe } from "../../app/session";
import { FormDialog } from "../../components/FormDialog";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { TextField } from "../../components/TextField";

/** Asks for a change by hand; `host` fixes the host. */
export function NewChangeButton({ host }: { host?: string }) {
  const { capabilities } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <GuardedButton
        variant="primary"
        isAllowed={capabilities["change.request"] ?? false}
        reason={roleReason("ask for changes")}
        onClick={() => setIsOpen(true)}
      >
        New change
      </GuardedButton>
      {isOpen && <NewChangeDialog fixedHost={host} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function NewChangeDialog({ fixedHost, onClose }: { fixedHost?: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [host, setHost] = useState(fixedHost ?? "");
  const [kind, setKind] = useState("unit.assign");
  const [text, setText] = useState("{}");
  const [reason, setReason] = useState("");
  const parameters = parsed(text);
  const create = useMutation({
    mutationFn: () =>
      changeCreate({ host, kind, parameters: parameters ?? {}, reason, is_draft: false }),
    onSuccess: (change) => navigate(`/changes/${change.id}`),
  });
  return (
    <FormDialog
      title="New change"
      action="Plan"
      mutation={create}
      canSubmit={host !== "" && reason.trim() !== "" && parameters !== null}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      {fixedHost === undefined && <HostField value={host} onChange={setHost} />}
      <KindField value={kind} onChange={setKind} />
      <FormGroup label="Parameters (JSON)" fieldId="change-parameters">
        <TextArea
          id="change-parameters"
          className="kr-mono"
          value={text}
          validated={parameters === null ? "error" : "default"}
          onChange={(_event, value) => setText(value)}
          resizeOrientation="vertical"
        />
      </FormGroup>
      <TextField
        id="change-reason"
        label="Reason"
        value={reason}
        onChange={setReason}
        isRequired
        hint="Whoever approves it, and whoever reads the audit, wants to know."
      />
    </FormDialog>
  );
}

function HostField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const hosts = useQuery(lists.hosts({ page_size: "200", ordering: "name" }));
  return (
    <FormGroup label="Host" fieldId="change-host" isRequired>
      <FormSelect id="change-host" value={value} onChange={(_event, id) => onChange(id)}>
        <FormSelectOption value="" label="Choose a host" isPlaceholder />
        {(hosts.data?.results ?? []).map(({ id, name, is_simulated }) => (
          <FormSelectOption
            key={id}
            value={id}
            label={is_simulated ? `${name} (simulated)` : name}
          />
        ))}
      </FormSelect>
    </FormGroup>
  );
}

function KindField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const kinds = useQuery(changeKindsQuery());
  return (
    <FormGroup label="What" fieldId="change-kind" isRequired>
      <FormSelect id="change-kind" value={value} onChange={(_event, kind) => onChange(kind)}>
        {(kinds.data ?? []).map(({ name, title }) => (
          <FormSelectOption key={name} value={name} label={`${title} (${name})`} />
        ))}
      </FormSelect>
    </FormGroup>
  );
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
