/** Reads the JSON Schema of a workload's parameters into fields of a form. */

interface Base {
  name: string;
  title: string;
  hint: string;
}
export type ParameterField =
  | (Base & { kind: "number"; min: number; max: number })
  | (Base & { kind: "switch" })
  | (Base & { kind: "numbers"; min: number; max: number })
  /** Words; `options` is empty where the hosts' own choices say what there is. */
  | (Base & { kind: "words"; options: string[] })
  | (Base & { kind: "text" });

type Rule = Record<string, unknown>;

function asRule(value: unknown): Rule {
  return typeof value === "object" && value !== null ? (value as Rule) : {};
}

function text(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function number(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

function bounds(rule: Rule): { min: number; max: number } {
  return {
    min: number(rule["minimum"], Number.MIN_SAFE_INTEGER),
    max: number(rule["maximum"], Number.MAX_SAFE_INTEGER),
  };
}

function readField(name: string, rule: Rule): ParameterField {
  const base = { name, title: text(rule["title"], name), hint: text(rule["description"], "") };
  const items = asRule(rule["items"]);
  const type = rule["type"];
  if (type === "boolean") return { ...base, kind: "switch" };
  if (type === "integer" || type === "number") return { ...base, kind: "number", ...bounds(rule) };
  if (type === "array" && items["type"] === "integer") {
    return { ...base, kind: "numbers", ...bounds(items) };
  }
  if (type === "array") {
    const options = Array.isArray(items["enum"]) ? items["enum"].map(String) : [];
    return { ...base, kind: "words", options };
  }
  return { ...base, kind: "text" };
}

/** In the schema's own order. */
export function readSchema(schema: Record<string, unknown>): ParameterField[] {
  return Object.entries(asRule(schema["properties"])).map(([name, rule]) =>
    readField(name, asRule(rule)),
  );
}

/** `64, 1400 8192` to numbers; null if a word is no whole number. */
export function parseNumbers(typed: string): number[] | null {
  const parts = typed.split(/[\s,;]+/).filter((part) => part !== "");
  const values = parts.map(Number);
  return values.every((value) => Number.isSafeInteger(value)) ? values : null;
}
