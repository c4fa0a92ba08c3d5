import { Timestamp } from "@patternfly/react-core";
import { formatRelative, formatUtc } from "./format";
import { useNow } from "./useNow";

interface Props {
  /** ISO 8601; null where it has not happened. */
  at: string | null | undefined;
  /** What to show for null. */
  never?: string;
}

/** A moment in words, with the exact UTC on hover and focus. */
export function Time({ at, never = "never" }: Props) {
  const now = useNow();
  if (!at) return <>{never}</>;
  return (
    <Timestamp date={new Date(at)} tooltip={{ variant: "custom", content: formatUtc(at) }}>
      {formatRelative(Date.parse(at), now)}
    </Timestamp>
  );
}
