/** The form of a change's parameters, made from its kind's schema. */
import { FormGroup, Switch } from "@patternfly/react-core";
import { ChoiceField } from "../../components/ChoiceField";
import { TextField } from "../../components/TextField";
import type { ChangeField, Typed } from "./changeForm";

interface Props {
  fields: ChangeField[];
  typed: Typed;
  /** What is wrong, by path; shown for fields that were touched, and for all once it was refused. */
  problems: Record<string, string>;
  onChange: (typed: Typed) => void;
}

export function ChangeFields({ fields, typed, problems, onChange }: Props) {
  return fields.map((field) => (
    <OneField
      key={field.path}
      field={field}
      value={typed[field.path] ?? ""}
      problem={field.path in typed ? problems[field.path] : undefined}
      onChange={(value) => onChange({ ...typed, [field.path]: value })}
    />
  ));
}

interface FieldProps {
  field: ChangeField;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

const EXAMPLES = {
  numbersByName: "As primary=1, ldg1=2.",
  textsByName: "As card1=ldg1, card2= (nothing behind the sign frees it).",
  words: "Several with commas.",
} as const;

function OneField({ field, value, problem, onChange }: FieldProps) {
  const id = `parameter-${field.path}`;
  const example = field.kind in EXAMPLES ? EXAMPLES[field.kind as keyof typeof EXAMPLES] : "";
  const hint = [field.hint, example].filter((text) => text !== "").join(" ");
  switch (field.kind) {
    case "switch":
      return (
        <FormGroup fieldId={id}>
          <Switch
            id={id}
            label={hint === "" ? field.title : `${field.title}: ${hint}`}
            isChecked={value === "true"}
            onChange={(_event, checked) => onChange(checked ? "true" : "")}
          />
        </FormGroup>
      );
    case "choice":
      return (
        <ChoiceField
          id={id}
          label={field.title}
          value={value}
          options={[
            { value: "", label: field.isRequired ? "Choose one" : "As it is" },
            ...field.options.map((word) => ({ value: word, label: CHOICE_WORDS[word] ?? word })),
          ]}
          onChange={onChange}
          {...(hint === "" ? {} : { hint })}
        />
      );
    default:
      return (
        <TextField
          id={id}
          label={field.title}
          value={value}
          onChange={onChange}
          isRequired={field.isRequired && field.kind !== "number"}
          autoComplete="off"
          {...(hint === "" ? {} : { hint })}
          {...(problem === undefined ? {} : { error: problem })}
        />
      );
  }
}

const CHOICE_WORDS: Record<string, string> = { true: "Yes", false: "No" };
