import {
  Badge,
  MenuToggle,
  type MenuToggleElement,
  Select,
  SelectList,
  SelectOption,
  ToolbarFilter,
} from "@patternfly/react-core";
import { type Ref, useState } from "react";
import type { Option } from "./types";

interface Props {
  label: string;
  options: readonly Option[];
  /** One value, or several separated by commas: any of them matches. */
  value: string;
  isMulti: boolean;
  onChange: (value: string) => void;
}

/** A filter with a fixed set of values; its chips in the toolbar take them away again. */
export function ChoiceFilter({ label, options, value, isMulti, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const chosen = value === "" ? [] : value.split(",");
  // A link may carry a value that this list does not offer; it still filters, so it still shows.
  const nameOf = (one: string) => options.find((option) => option.value === one)?.label ?? one;

  const without = (one: string) => chosen.filter((each) => each !== one).join(",");
  const pick = (picked: string) => {
    if (chosen.includes(picked)) onChange(without(picked));
    else onChange(isMulti ? [...chosen, picked].join(",") : picked);
    if (!isMulti) setIsOpen(false);
  };
  const toggle = (ref: Ref<MenuToggleElement>) => (
    <MenuToggle
      ref={ref}
      isExpanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      badge={chosen.length > 0 ? <Badge isRead>{chosen.length}</Badge> : undefined}
    >
      {label}
    </MenuToggle>
  );
  return (
    <ToolbarFilter
      labels={chosen.map((one) => ({ key: one, node: nameOf(one) }))}
      deleteLabel={(_category, chip) =>
        onChange(without(typeof chip === "string" ? chip : chip.key))
      }
      deleteLabelGroup={() => onChange("")}
      categoryName={label}
    >
      <Select
        isOpen={isOpen}
        selected={chosen}
        onOpenChange={setIsOpen}
        onSelect={(_event, picked) => pick(String(picked))}
        toggle={toggle}
        isScrollable
      >
        <SelectList aria-label={label}>
          {options.map((option) => (
            <SelectOption
              key={option.value}
              value={option.value}
              hasCheckbox={isMulti}
              isSelected={chosen.includes(option.value)}
            >
              {option.label}
            </SelectOption>
          ))}
        </SelectList>
      </Select>
    </ToolbarFilter>
  );
}
