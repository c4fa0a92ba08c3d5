import { SearchInput, ToolbarFilter } from "@patternfly/react-core";
import { useTyped } from "../useTyped";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A filter one types into; it takes effect when the typing pauses. */
export function TextFilter({ label, value, onChange }: Props) {
  const [draft, setDraft] = useTyped(value, onChange);
  return (
    <ToolbarFilter
      labels={value === "" ? [] : [value]}
      deleteLabel={() => onChange("")}
      categoryName={label}
    >
      <SearchInput
        aria-label={label}
        placeholder={label}
        value={draft}
        onChange={(_event, text) => setDraft(text)}
        onClear={() => onChange("")}
      />
    </ToolbarFilter>
  );
}
