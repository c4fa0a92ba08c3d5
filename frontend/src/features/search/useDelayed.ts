import { useEffect, useState } from "react";

const TYPING_PAUSE_MILLISECONDS = 250;

/** `value` as it was when it last stood still for a moment. */
export function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), TYPING_PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}
