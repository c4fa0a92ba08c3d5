import { SearchInput, ToolbarFilter } from "@patternfly/react-core";
import { useEffect, useState } from "react";

const TYPING_PAUSE_MILLISECONDS = 300;

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A filter one types into; it takes effect when the typing pauses. */
export function TextFilter({ label, value, onChange }: Props) {
  const [draft, setDraft] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    // The URL changed under us: a chip was removed, or the browser went back.
    setLastValue(value);
    setDraft(value);
  }
  useEffect(() => {
    if (draft === value) return undefined;
    const timer = setTimeout(() => onChange(draft), TYPING_PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [draft, value, onChange]);

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
