import {
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  TextInput,
  type TextInputProps,
} from "@patternfly/react-core";

interface Props {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  /** What the console refused about it. */
  error?: string;
  isRequired?: boolean;
  type?: TextInputProps["type"];
  autoComplete?: string;
}

export function TextField(props: Props) {
  const { id, label, value, onChange, hint, error, isRequired = false, type, autoComplete } = props;
  const helper = error ?? hint;
  return (
    <FormGroup label={label} fieldId={id} isRequired={isRequired}>
      <TextInput
        id={id}
        type={type ?? "text"}
        value={value}
        isRequired={isRequired}
        autoComplete={autoComplete}
        validated={error === undefined ? "default" : "error"}
        aria-describedby={helper === undefined ? undefined : `${id}-help`}
        onChange={(_event, text) => onChange(text)}
      />
      {helper !== undefined && (
        <FormHelperText>
          <HelperText id={`${id}-help`}>
            <HelperTextItem variant={error === undefined ? "default" : "error"}>
              {helper}
            </HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  );
}
