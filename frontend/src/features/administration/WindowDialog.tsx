import { Checkbox, Flex, FormGroup } from "@patternfly/react-core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import { maintenanceWindowCreate, maintenanceWindowUpdate } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { MaintenanceWindow } from "../../api/types";
import { ChoiceField } from "../../components/ChoiceField";
import { FormDialog } from "../../components/FormDialog";
import { TextField } from "../../components/TextField";
import { faultsOf, formOf, inputOf, WEEKDAYS, type WindowForm } from "./windowForm";

interface Props {
  /** null: a new one. */
  window: MaintenanceWindow | null;
  onClose: () => void;
}

export function WindowDialog({ window, onClose }: Props) {
  const [form, setForm] = useState(() =>
    formOf(window, Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  const [touched, setTouched] = useState(new Set<string>());
  const save = useMutation({
    mutationFn: () =>
      window === null
        ? maintenanceWindowCreate({ ...inputOf(form), group: form.group })
        : maintenanceWindowUpdate(window.id, inputOf(form)),
    onSuccess: onClose,
  });
  const faults = faultsOf(form);
  const refused = save.isError ? asApiError(save.error).fields : {};
  const set = (changes: Partial<WindowForm>) => {
    setForm({ ...form, ...changes });
    setTouched(new Set([...touched, ...Object.keys(changes)]));
  };
  const errorOf = (name: keyof WindowForm, there?: string) =>
    refused[there ?? name] ?? (touched.has(name) ? faults[name] : undefined);
  const fields = { form, set, errorOf };
  return (
    <FormDialog
      title={window === null ? "New maintenance window" : `Change ${window.name}`}
      action="Save"
      mutation={save}
      canSubmit={Object.keys(faults).length === 0}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        id="window-name"
        label="Name"
        value={form.name}
        onChange={(name) => set({ name })}
        isRequired
        error={errorOf("name")}
        autoComplete="off"
      />
      {window === null && <GroupField form={form} set={set} />}
      <ChoiceField
        id="window-kind"
        label="How often"
        value={form.kind}
        options={[
          { value: "weekly", label: "Every week" },
          { value: "once", label: "Once" },
        ]}
        onChange={(kind) => set({ kind: kind === "once" ? "once" : "weekly" })}
      />
      {form.kind === "weekly" ? <WeeklyFields {...fields} /> : <OnceFields {...fields} />}
    </FormDialog>
  );
}

interface FieldsProps {
  form: WindowForm;
  set: (changes: Partial<WindowForm>) => void;
  errorOf: (name: keyof WindowForm, there?: string) => string | undefined;
}

function GroupField({ form, set }: Pick<FieldsProps, "form" | "set">) {
  const groups = useQuery(lists.hostGroups({ ordering: "name", page_size: "1000" }));
  return (
    <ChoiceField
      id="window-group"
      label="Group of hosts"
      value={form.group}
      options={[
        { value: "", label: "Choose a group" },
        ...(groups.data?.results ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(group) => set({ group })}
    />
  );
}

function WeeklyFields({ form, set, errorOf }: FieldsProps) {
  return (
    <>
      <FormGroup label="Days" role="group">
        <Flex gap={{ default: "gapMd" }}>
          {WEEKDAYS.map((word, day) => (
            <Checkbox
              key={word}
              id={`window-day-${String(day)}`}
              label={word}
              isChecked={form.weekdays.includes(day)}
              onChange={(_event, isOn) =>
                set({
                  weekdays: isOn
                    ? [...form.weekdays, day]
                    : form.weekdays.filter((each) => each !== day),
                })
              }
            />
          ))}
        </Flex>
      </FormGroup>
      <TextField
        id="window-start"
        label="Begins at"
        value={form.start}
        onChange={(start) => set({ start })}
        error={errorOf("start", "start_time")}
        autoComplete="off"
      />
      <TextField
        id="window-hours"
        label="Hours"
        value={form.hours}
        onChange={(hours) => set({ hours })}
        error={errorOf("hours", "duration_seconds")}
        autoComplete="off"
      />
      <TextField
        id="window-zone"
        label="Time zone"
        value={form.timeZone}
        onChange={(timeZone) => set({ timeZone })}
        hint="As Europe/Prague; summer time is its own."
        error={errorOf("timeZone", "time_zone")}
        autoComplete="off"
      />
    </>
  );
}

function OnceFields({ form, set, errorOf }: FieldsProps) {
  return (
    <>
      <TextField
        id="window-from"
        label="From (UTC)"
        type="datetime-local"
        value={form.from}
        onChange={(from) => set({ from })}
        error={errorOf("from", "starts_at")}
      />
      <TextField
        id="window-to"
        label="To (UTC)"
        type="datetime-local"
        value={form.to}
        onChange={(to) => set({ to })}
        error={errorOf("to", "ends_at")}
      />
    </>
  );
}
