import {
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  Label,
  LabelGroup,
  MenuSearch,
  MenuSearchInput,
  MenuToggle,
  type MenuToggleElement,
  SearchInput,
  Select,
  SelectList,
  SelectOption,
} from "@patternfly/react-core";
import { type Ref, useState } from "react";

const SEARCH_FROM = 10;

interface Props {
  id: string;
  label: string;
  hint: string;
  options: { value: string; note: string }[];
  values: string[];
  onChange: (values: string[]) => void;
}

function optionsLike(options: Props["options"], wanted: string): Props["options"] {
  const part = wanted.trim().toLowerCase();
  return options.filter(({ value }) => value.toLowerCase().includes(part));
}

function chosenWords(values: string[]): string {
  return values.length === 0 ? "None chosen" : `${values.length} chosen`;
}

/** Several words out of many: a list to search, and what is chosen as labels that can be taken away. */
export function MultiChoiceField({ id, label, hint, options, values, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState("");
  const shown = optionsLike(options, wanted);
  const flip = (value: string) =>
    onChange(values.includes(value) ? values.filter((each) => each !== value) : [...values, value]);

  const toggle = (ref: Ref<MenuToggleElement>) => (
    <MenuToggle
      ref={ref}
      id={id}
      aria-label={`${label}: ${chosenWords(values)}`}
      isExpanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      {chosenWords(values)}
    </MenuToggle>
  );
  return (
    <FormGroup label={label} fieldId={id}>
      <Select
        isOpen={isOpen}
        selected={values}
        onOpenChange={setIsOpen}
        onSelect={(_event, value) => flip(String(value))}
        toggle={toggle}
        isScrollable
        maxMenuHeight="20rem"
      >
        {options.length >= SEARCH_FROM && (
          <MenuSearch>
            <MenuSearchInput>
              <SearchInput
                aria-label={`Look for one of ${label.toLowerCase()}`}
                value={wanted}
                onChange={(_event, text) => setWanted(text)}
                onClear={() => setWanted("")}
              />
            </MenuSearchInput>
          </MenuSearch>
        )}
        <SelectList aria-label={label}>
          {shown.map(({ value, note }) => (
            <SelectOption
              key={value}
              value={value}
              hasCheckbox
              isSelected={values.includes(value)}
              description={note === "" ? undefined : note}
            >
              <span className="kr-mono">{value}</span>
            </SelectOption>
          ))}
          {shown.length === 0 && <SelectOption isDisabled>Nothing by that name</SelectOption>}
        </SelectList>
      </Select>
      <Chosen label={label} values={values} onTakeAway={flip} />
      <Hint text={hint} />
    </FormGroup>
  );
}

interface ChosenProps {
  label: string;
  values: string[];
  onTakeAway: (value: string) => void;
}

function Chosen({ label, values, onTakeAway }: ChosenProps) {
  if (values.length === 0) return null;
  return (
    <div className="kr-above-small">
      <LabelGroup aria-label={`Chosen: ${label}`} numLabels={12}>
        {values.map((value) => (
          <Label
            key={value}
            isCompact
            onClose={() => onTakeAway(value)}
            closeBtnAriaLabel={`Take ${value} away`}
          >
            <span className="kr-mono">{value}</span>
          </Label>
        ))}
      </LabelGroup>
    </div>
  );
}

function Hint({ text }: { text: string }) {
  return (
    <FormHelperText>
      <HelperText>
        <HelperTextItem>{text}</HelperTextItem>
      </HelperText>
    </FormHelperText>
  );
}
