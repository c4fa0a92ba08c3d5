import {
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  NumberInput,
  Switch,
} from "@patternfly/react-core";
import { useState } from "react";
import type { Eligibility } from "../../api/types";
import { plural } from "../../components/format";
import { MultiChoiceField } from "../../components/MultiChoiceField";
import { TextField } from "../../components/TextField";
import { type ParameterField, parseNumbers } from "./parameterSchema";

interface Props {
  fields: ParameterField[];
  values: Record<string, unknown>;
  /** The hosts whose choices are offered. */
  answers: Eligibility[];
  onChange: (values: Record<string, unknown>) => void;
}

/** The form of any workload's parameters, made from its schema and from what the hosts really have. */
export function ParameterFields({ fields, values, answers, onChange }: Props) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      value={values[field.name]}
      answers={answers}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
    />
  ));
}

interface FieldProps {
  field: ParameterField;
  value: unknown;
  answers: Eligibility[];
  onChange: (value: unknown) => void;
}

function OneField({ field, value, answers, onChange }: FieldProps) {
  const id = `parameter-${field.name}`;
  switch (field.kind) {
    case "switch":
      return (
        <FormGroup fieldId={id}>
          <Switch
            id={id}
            label={field.title}
            aria-describedby={`${id}-help`}
            isChecked={value === true}
            onChange={(_event, checked) => onChange(checked)}
          />
          <Hint id={id} text={field.hint} />
        </FormGroup>
      );
    case "number":
      return <NumberField id={id} field={field} value={value} onChange={onChange} />;
    case "numbers":
      return <NumbersField id={id} field={field} value={value} onChange={onChange} />;
    case "words":
      return (
        <MultiChoiceField
          id={id}
          label={field.title}
          hint={field.hint}
          options={wordOptions(field.name, field.options, answers)}
          values={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
        />
      );
    case "text":
      return (
        <TextField
          id={id}
          label={field.title}
          hint={field.hint}
          value={typeof value === "string" ? value : ""}
          onChange={onChange}
        />
      );
  }
}

/** What any of the hosts has, with a note where not all of them do. */
function wordOptions(name: string, fixed: string[], answers: Eligibility[]) {
  const having = new Map<string, number>();
  for (const { choices } of answers) {
    for (const word of choices[name] ?? []) having.set(word, (having.get(word) ?? 0) + 1);
  }
  const offered = having.size > 0 ? [...having.keys()] : fixed;
  return offered.map((word) => {
    const lacking = answers.length - (having.get(word) ?? answers.length);
    return { value: word, note: lacking > 0 ? `not on ${plural(lacking, "host")}` : "" };
  });
}

function Hint({ id, text, isError = false }: { id: string; text: string; isError?: boolean }) {
  if (text === "") return null;
  return (
    <FormHelperText>
      <HelperText id={`${id}-help`}>
        <HelperTextItem variant={isError ? "error" : "default"}>{text}</HelperTextItem>
      </HelperText>
    </FormHelperText>
  );
}

interface NumberProps {
  id: string;
  field: Extract<ParameterField, { kind: "number" }>;
  value: unknown;
  onChange: (value: unknown) => void;
}

function NumberField({ id, field, value, onChange }: NumberProps) {
  const { title, hint, min, max } = field;
  const now = typeof value === "number" ? value : min;
  const clamp = (wanted: number) => Math.min(max, Math.max(min, Math.round(wanted)));
  return (
    <FormGroup label={title} fieldId={id}>
      <NumberInput
        value={now}
        min={min}
        max={max}
        inputProps={{ id, "aria-describedby": `${id}-help` }}
        inputAriaLabel={title}
        minusBtnAriaLabel={`${title}: less`}
        plusBtnAriaLabel={`${title}: more`}
        onMinus={() => onChange(clamp(now - 1))}
        onPlus={() => onChange(clamp(now + 1))}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
        onBlur={() => onChange(clamp(Number.isFinite(now) ? now : min))}
      />
      <Hint id={id} text={hint} />
    </FormGroup>
  );
}

interface NumbersProps {
  id: string;
  field: Extract<ParameterField, { kind: "numbers" }>;
  value: unknown;
  onChange: (value: unknown) => void;
}

function NumbersField({ id, field, value, onChange }: NumbersProps) {
  const [typed, setTyped] = useState(Array.isArray(value) ? value.join(", ") : "");
  const numbers = parseNumbers(typed);
  return (
    <TextField
      id={id}
      label={field.title}
      hint={`${field.hint} Several with commas.`}
      error={numbers === null ? "Only whole numbers, with commas between them." : undefined}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(parseNumbers(text) ?? []);
      }}
      autoComplete="off"
    />
  );
}
