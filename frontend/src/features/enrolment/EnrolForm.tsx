import {
  Button,
  Card,
  CardBody,
  Form,
  FormGroup,
  ActionGroup,
  NumberInput,
} from "@patternfly/react-core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import type { EnrolmentTokenCreated, EnrolmentTokenInput } from "../../api/types";
import { ChoiceField } from "../../components/ChoiceField";
import { FailureAlert } from "../../components/FailureAlert";
import { parseLabels } from "../../components/labelText";
import { TextField } from "../../components/TextField";

const LIVES = [
  { value: "900", label: "15 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
];
const MAX_HOSTS = 10_000;

interface Props {
  create: UseMutationResult<EnrolmentTokenCreated, Error, EnrolmentTokenInput>;
}

export function EnrolForm({ create }: Props) {
  const [name, setName] = useState("");
  const [seconds, setSeconds] = useState("3600");
  const [hosts, setHosts] = useState(1);
  const [labels, setLabels] = useState("");
  const refused = create.isError ? asApiError(create.error).fields : {};
  const submit = () =>
    create.mutate({
      name: name.trim() === "" ? "enrolment" : name.trim(),
      lifetime_seconds: Number(seconds),
      max_uses: hosts,
      labels: parseLabels(labels),
    });
  return (
    <Card>
      <CardBody>
        <FailureAlert title="No command could be made" mutation={create} />
        <Form
          isWidthLimited
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextField
            id="enrol-name"
            label="What it is for"
            hint="Only for you, to tell one command from another."
            value={name}
            onChange={setName}
            error={refused["name"]}
            autoComplete="off"
          />
          <HostsField value={hosts} onChange={setHosts} />
          <ChoiceField
            id="enrol-life"
            label="Good for"
            value={seconds}
            options={LIVES}
            onChange={setSeconds}
          />
          <TextField
            id="enrol-labels"
            label="Labels for the hosts"
            hint="For example env=test, site=lab. They can be changed later."
            value={labels}
            onChange={setLabels}
            error={refused["labels"]}
            autoComplete="off"
          />
          <ActionGroup>
            <Button type="submit" isLoading={create.isPending} isDisabled={create.isPending}>
              Show the command
            </Button>
          </ActionGroup>
        </Form>
      </CardBody>
    </Card>
  );
}

function HostsField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <FormGroup label="Hosts that may use it" fieldId="enrol-hosts">
      <NumberInput
        inputProps={{ id: "enrol-hosts" }}
        value={value}
        min={1}
        max={MAX_HOSTS}
        onMinus={() => onChange(Math.max(1, value - 1))}
        onPlus={() => onChange(Math.min(MAX_HOSTS, value + 1))}
        onChange={(event) => onChange(clamp(event.currentTarget.value))}
        inputAriaLabel="Hosts that may use it"
        minusBtnAriaLabel="One host less"
        plusBtnAriaLabel="One host more"
      />
    </FormGroup>
  );
}

function clamp(text: string): number {
  const value = Math.round(Number(text));
  return Number.isFinite(value) ? Math.min(MAX_HOSTS, Math.max(1, value)) : 1;
}
