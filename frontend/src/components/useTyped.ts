import { useEffect, useState } from "react";

const TYPING_PAUSE_MILLISECONDS = 300;

/** What is being typed, and a setter; `onChange` hears of it when the typing pauses. */
export function useTyped(
  value: string,
  onChange: (value: string) => void,
): [string, (text: string) => void] {
  const [draft, setDraft] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    // The value changed under us: a chip was removed, or the browser went back.
    setLastValue(value);
    setDraft(value);
  }
  useEffect(() => {
    if (draft === value) return undefined;
    const timer = setTimeout(() => onChange(draft), TYPING_PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [draft, value, onChange]);
  return [draft, setDraft];
}
