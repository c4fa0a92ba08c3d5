import { Checkbox } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lists } from "../../api/queries";
import { ChoiceField } from "../../components/ChoiceField";
import { MultiChoiceField } from "../../components/MultiChoiceField";
import { TextField } from "../../components/TextField";
import { EMPTY_METASLOT, metaslotParameters, type MetaslotForm, textProblem } from "./metaslotForm";
import { PlanDialog } from "./PlanDialog";

export type MetaslotAction = "metaslot.enable" | "metaslot.disable" | "metaslot.configure";

export const METASLOT_ACTIONS: { kind: MetaslotAction; label: string; words: string[] }[] = [
  {
    kind: "metaslot.enable",
    label: "Enable",
    words: ["Programs are offered one virtual slot in front of all tokens."],
  },
  {
    kind: "metaslot.disable",
    label: "Disable",
    words: ["Programs see the real slots again, each with what it can do alone."],
  },
  {
    kind: "metaslot.configure",
    label: "Configure",
    words: ["What is left empty stays as it is. Configuring it also turns it on."],
  },
];

interface Props {
  action: MetaslotAction;
  hosts: { id: string; name: string }[];
  onDone?: () => void;
  onClose: () => void;
}

/** Asks for another state of the metaslot, of one host or of many. */
export function MetaslotDialog({ action, hosts, onDone, onClose }: Props) {
  const [form, setForm] = useState<MetaslotForm>(EMPTY_METASLOT);
  const found = METASLOT_ACTIONS.find(({ kind }) => kind === action);
  const where = hosts.length === 1 ? ` of ${hosts[0]?.name ?? ""}` : "s";
  const isConfiguring = action === "metaslot.configure";
  return (
    <PlanDialog
      title={`${found?.label ?? ""} the metaslot${where}`}
      kind={action}
      hosts={hosts.map(({ id }) => id)}
      parameters={isConfiguring ? metaslotParameters(form) : {}}
      words={found?.words}
      onDone={onDone}
      onClose={onClose}
    >
      {isConfiguring && (
        <ConfigureFields
          form={form}
          host={hosts[0]?.id ?? ""}
          onChange={(more) => setForm((before) => ({ ...before, ...more }))}
        />
      )}
    </PlanDialog>
  );
}

interface FieldsProps {
  form: MetaslotForm;
  host: string;
  onChange: (more: Partial<MetaslotForm>) => void;
}

function ConfigureFields({ form, host, onChange }: FieldsProps) {
  const mechanisms = useQuery(
    lists.mechanisms({
      host,
      provider_kind: "pkcs11_library",
      ordering: "name",
      page_size: "1000",
    }),
  );
  const names = [...new Set((mechanisms.data?.results ?? []).map(({ name }) => name))];
  const options = names.map((value) => ({ value, note: "" }));
  return (
    <>
      <Checkbox
        id="metaslot-default"
        label="Default key store"
        description="Forget token and slot: the softtoken keeps the keys."
        isChecked={form.isDefault}
        onChange={(_event, isDefault) => onChange({ isDefault })}
      />
      {!form.isDefault && <KeyStoreFields form={form} onChange={onChange} />}
      <ChoiceField
        id="metaslot-migrate"
        label="Automatic key migration"
        value={form.migrate}
        options={MIGRATE}
        onChange={(migrate) => onChange({ migrate: migrate as MetaslotForm["migrate"] })}
        hint="Whether keys move by themselves to a token that can do what is asked."
      />
      <MultiChoiceField
        id="metaslot-enable"
        label="Enable mechanisms"
        hint="Of those that the host’s PKCS#11 libraries offer."
        options={options}
        values={form.enable}
        onChange={(enable) => onChange({ enable })}
      />
      <MultiChoiceField
        id="metaslot-disable"
        label="Disable mechanisms"
        hint="Programs that use the metaslot no longer find them."
        options={options}
        values={form.disable}
        onChange={(disable) => onChange({ disable })}
      />
    </>
  );
}

function KeyStoreFields({ form, onChange }: Omit<FieldsProps, "host">) {
  return (
    <>
      <TextField
        id="metaslot-token"
        label="Token"
        value={form.token}
        onChange={(token) => onChange({ token })}
        error={textProblem(form.token, 32)}
        hint="Label of the token that keeps the keys."
      />
      <TextField
        id="metaslot-slot"
        label="Slot"
        value={form.slot}
        onChange={(slot) => onChange({ slot })}
        error={textProblem(form.slot, 64)}
        hint="Description of that token’s slot."
      />
    </>
  );
}

const MIGRATE = [
  { value: "", label: "Leave as it is" },
  { value: "yes", label: "On" },
  { value: "no", label: "Off" },
] as const;
