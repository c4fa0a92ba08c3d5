import {
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
} from "@patternfly/react-core";
import type { Option } from "./list/types";

interface Props {
  id: string;
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  hint?: string;
}

export function ChoiceField({ id, label, value, options, onChange, hint }: Props) {
  return (
    <FormGroup label={label} fieldId={id}>
      <FormSelect
        id={id}
        value={value}
        onChange={(_event, picked) => onChange(picked)}
        aria-describedby={hint === undefined ? undefined : `${id}-help`}
      >
        {options.map((option) => (
          <FormSelectOption key={option.value} value={option.value} label={option.label} />
        ))}
      </FormSelect>
      {hint !== undefined && (
        <FormHelperText>
          <HelperText id={`${id}-help`}>
            <HelperTextItem>{hint}</HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  );
}
