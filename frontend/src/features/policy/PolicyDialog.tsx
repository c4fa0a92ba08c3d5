import { Alert, Checkbox } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lists } from "../../api/queries";
import type { Mechanism } from "../../api/types";
import { ChoiceField } from "../../components/ChoiceField";
import { MultiChoiceField } from "../../components/MultiChoiceField";
import { Mono } from "../../components/Mono";
import { TextField } from "../../components/TextField";
import { onlyProvided } from "./lastProvider";
import { PlanDialog } from "./PlanDialog";
import {
  EMPTY_FORM,
  isTakingAway,
  type PolicyAction,
  type PolicyForm,
  policyParameters,
} from "./policyForm";

interface Props {
  /** The provider on each host; all of one name. */
  providers: { id: string; name: string; kind: string; host: { id: string; name: string } }[];
  action?: PolicyAction;
  mechanisms?: string[];
  onDone?: () => void;
  onClose: () => void;
}

const ACTIONS = [
  { value: "forbid", label: "Forbid some mechanisms" },
  { value: "allow", label: "Allow some mechanisms" },
  { value: "forbid_all", label: "Forbid all mechanisms" },
  { value: "allow_all", label: "Allow all mechanisms" },
  { value: "none", label: "Leave mechanisms as they are" },
] as const;
const RANDOM = [
  { value: "", label: "Leave as it is" },
  { value: "enable", label: "Use its random numbers" },
  { value: "disable", label: "Do not use its random numbers" },
] as const;

/** Asks for another policy of one provider, on one host or on many. */
export function PolicyDialog({ providers, onDone, onClose, ...asked }: Props) {
  const [form, setForm] = useState<PolicyForm>({
    ...EMPTY_FORM,
    action: asked.action ?? EMPTY_FORM.action,
    mechanisms: asked.mechanisms ?? [],
  });
  const first = providers[0];
  if (first === undefined) return null;
  const set = (more: Partial<PolicyForm>) => setForm((before) => ({ ...before, ...more }));
  const isSome = form.action === "forbid" || form.action === "allow";
  return (
    <PlanDialog
      title={`Policy of ${first.name}`}
      kind="mechanism.policy"
      hosts={providers.map(({ host }) => host.id)}
      parameters={policyParameters(first.name, form)}
      onDone={onDone}
      onClose={onClose}
    >
      <ChoiceField
        id="policy-action"
        label="Mechanisms"
        value={form.action}
        options={ACTIONS}
        onChange={(action) => set({ action: action as PolicyAction })}
      />
      {isSome && (
        <MechanismField
          first={first}
          isAlone={providers.length === 1}
          values={form.mechanisms}
          onChange={(mechanisms) => set({ mechanisms })}
        />
      )}
      <ChoiceField
        id="policy-random"
        label="Random numbers"
        value={form.random}
        options={RANDOM}
        onChange={(random) => set({ random: random as PolicyForm["random"] })}
      />
      {isTakingAway(form) && (
        <ForceFields
          form={form}
          provider={first}
          hosts={providers.map(({ host }) => host.id)}
          onChange={set}
        />
      )}
    </PlanDialog>
  );
}

interface MechanismProps {
  first: Props["providers"][number];
  isAlone: boolean;
  values: string[];
  onChange: (values: string[]) => void;
}

function MechanismField({ first, isAlone, values, onChange }: MechanismProps) {
  const found = useQuery(
    lists.mechanisms({ provider: first.id, ordering: "name", page_size: "500" }),
  );
  const options = [
    ...new Map(
      (found.data?.results ?? []).map((row) => [row.name, { value: row.name, note: noteOf(row) }]),
    ).values(),
  ];
  return (
    <MultiChoiceField
      id="policy-mechanisms"
      label="Which"
      hint={
        isAlone
          ? "As the provider lists them."
          : `As ${first.host.name} lists them; a host that does not have one of them refuses.`
      }
      options={options}
      values={values}
      onChange={onChange}
    />
  );
}

function noteOf(row: Mechanism): string {
  const words = [
    row.is_hardware ? "in hardware" : "",
    row.is_allowed === false ? "forbidden now" : "",
  ];
  return words.filter(Boolean).join(", ");
}

interface ForceProps {
  form: PolicyForm;
  provider: Props["providers"][number];
  hosts: string[];
  onChange: (more: Partial<PolicyForm>) => void;
}

/** Warns where nobody else would provide a mechanism, which hosts refuse unless it is forced. */
function ForceFields({ form, provider, hosts, onChange }: ForceProps) {
  const isOfSome = form.action === "forbid" && form.mechanisms.length > 0;
  const others = useQuery({
    ...lists.mechanisms({
      host: hosts[0] ?? "",
      name: form.mechanisms.join(","),
      page_size: "500",
    }),
    enabled: isOfSome && hosts.length === 1,
  });
  const only =
    isOfSome && others.data !== undefined && hosts.length === 1
      ? onlyProvided(form.mechanisms, provider, others.data.results)
      : [];
  return (
    <>
      {only.length > 0 && (
        <Alert
          isInline
          component="p"
          variant="warning"
          title="No other provider of this host would be left for them"
        >
          <Mono>{only.join(", ")}</Mono>: the host refuses to take the last provider away unless it
          is forced.
        </Alert>
      )}
      <Checkbox
        id="policy-force"
        label="Force"
        description="Also where a mechanism in use, or applications as a whole, would be left without a provider. A second person then has to approve."
        isChecked={form.isForced}
        onChange={(_event, isForced) => onChange({ isForced })}
      />
      {form.isForced && (
        <TextField
          id="policy-force-reason"
          label="Why it has to be forced"
          value={form.forceReason}
          onChange={(forceReason) => onChange({ forceReason })}
          isRequired
        />
      )}
    </>
  );
}
