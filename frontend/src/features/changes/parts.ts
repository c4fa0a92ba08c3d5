/** A part's value as people read it. */
export function partValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" || typeof value === "number"
    ? String(value)
    : JSON.stringify(value);
}

/** A command as one would type it; words with blanks or quotes are quoted. */
export function typed(argv: string[]): string {
  return argv
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`))
    .join(" ");
}

/** Parts that a step changes, each with before and after. */
export function changedParts(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): { part: string; before: string; after: string }[] {
  return Object.keys(after)
    .map((part) => ({
      part,
      before: partValue(before[part]),
      after: partValue(after[part]),
    }))
    .filter((entry) => !(entry.part in before) || entry.before !== entry.after);
}
