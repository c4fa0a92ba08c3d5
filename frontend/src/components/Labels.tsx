import { Label, LabelGroup } from "@patternfly/react-core";

/** A host's labels, `key=value`. */
export function KeyValueLabels({ labels }: { labels: Record<string, unknown> }) {
  const pairs = Object.entries(labels);
  if (pairs.length === 0) return null;
  return (
    <LabelGroup numLabels={4} aria-label="Labels">
      {pairs.map(([key, value]) => (
        <Label key={key} isCompact variant="outline">
          {String(value) === "" ? key : `${key}=${String(value)}`}
        </Label>
      ))}
    </LabelGroup>
  );
}

/** Words of the admin in a row: CPU instructions, token flags, operations. */
export function WordLabels({
  words,
  name,
  limit = 6,
}: {
  words: string[];
  name: string;
  limit?: number;
}) {
  if (words.length === 0) return null;
  return (
    <LabelGroup numLabels={limit} aria-label={name}>
      {words.map((word) => (
        <Label key={word} isCompact>
          <span className="kr-mono">{word}</span>
        </Label>
      ))}
    </LabelGroup>
  );
}
