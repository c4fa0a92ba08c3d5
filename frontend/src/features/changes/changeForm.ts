/** Reads the JSON Schema of a change's parameters into fields, and what is typed into parameters. */

interface Base {
  /** Where the value stands: `counts`, or `settings.n2cp-sync-threads`. */
  path: string;
  title: string;
  hint: string;
  isRequired: boolean;
}
export type ChangeField = Base &
  (
    | { kind: "text" }
    /** One of some words; empty: it stays as it is. */
    | { kind: "choice"; options: string[] }
    | { kind: "switch" }
    | { kind: "number" }
    /** Words with commas between them. */
    | { kind: "words" }
    /** `name=number` (or `name=text`) with commas between them. */
    | { kind: "numbersByName"; min: number; max: number }
    | { kind: "textsByName" }
  );
/** What stands in the fields, by path; a path that is not there was not touched. */
export type Typed = Record<string, string>;

type Rule = Record<string, unknown>;

function asRule(value: unknown): Rule {
  return typeof value === "object" && value !== null ? (value as Rule) : {};
}

function isOf(rule: Rule, type: string): boolean {
  const types = rule["type"];
  return Array.isArray(types) ? types.includes(type) : types === type;
}

function readField(base: Base, rule: Rule): ChangeField[] {
  if (Array.isArray(rule["enum"])) {
    return [{ ...base, kind: "choice", options: rule["enum"].map(String) }];
  }
  if (isOf(rule, "boolean")) {
    return "default" in rule
      ? [{ ...base, kind: "switch" }]
      : [{ ...base, kind: "choice", options: ["true", "false"] }];
  }
  if (isOf(rule, "integer")) return [{ ...base, kind: "number" }];
  if (isOf(rule, "array")) return [{ ...base, kind: "words" }];
  if (isOf(rule, "object") && "properties" in rule) return readFields(rule, `${base.path}.`);
  if (isOf(rule, "object")) {
    const values = asRule(rule["additionalProperties"]);
    return isOf(values, "integer")
      ? [
          {
            ...base,
            kind: "numbersByName",
            min: limit(values["minimum"], 0),
            max: limit(values["maximum"], Number.MAX_SAFE_INTEGER),
          },
        ]
      : [{ ...base, kind: "textsByName" }];
  }
  return [{ ...base, kind: "text" }];
}

function limit(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** The fields of a schema, in its order. */
export function readFields(schema: Record<string, unknown>, prefix = ""): ChangeField[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(asRule(schema["properties"])).flatMap(([name, value]) => {
    const rule = asRule(value);
    const base = {
      path: `${prefix}${name}`,
      title: typeof rule["title"] === "string" ? rule["title"] : name,
      hint: typeof rule["description"] === "string" ? rule["description"] : "",
      isRequired: required.includes(name),
    };
    return readField(base, rule);
  });
}

export interface Read {
  parameters: Record<string, unknown>;
  /** What is wrong, by path. */
  problems: Record<string, string>;
}

/** Put what is typed together; fields that were left empty are no part of the parameters. */
export function readTyped(fields: ChangeField[], typed: Typed): Read {
  const read: Read = { parameters: {}, problems: {} };
  for (const field of fields) {
    const text = (typed[field.path] ?? "").trim();
    if (text === "") {
      if (field.isRequired && field.kind !== "number") read.problems[field.path] = "Needed.";
      else if (field.isRequired) put(read.parameters, field.path, null);
      continue;
    }
    const value = valueOf(field, text);
    if (typeof value === "object" && value !== null && "problem" in value) {
      read.problems[field.path] = String(value.problem);
    } else {
      put(read.parameters, field.path, value);
    }
  }
  return read;
}

function put(into: Record<string, unknown>, path: string, value: unknown): void {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = asRule(into[first]);
  into[first] = inner;
  put(inner, rest.join("."), value);
}

function valueOf(field: ChangeField, text: string): unknown {
  switch (field.kind) {
    case "text":
      return text;
    case "choice":
      return text === "true" ? true : text === "false" ? false : text;
    case "switch":
      return text === "true";
    case "number":
      return /^\d+$/.test(text) ? Number(text) : { problem: "A whole number." };
    case "words":
      return text.split(/[\s,]+/).filter((word) => word !== "");
    case "numbersByName":
      return byName(text, (value) => {
        const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
        return number >= field.min && number <= field.max ? number : null;
      });
    case "textsByName":
      return byName(text, (value) => value);
  }
}

function byName(text: string, read: (value: string) => string | number | null): unknown {
  const found: Record<string, string | number> = {};
  for (const pair of text.split(/[,\n]+/).filter((each) => each.trim() !== "")) {
    const [name = "", value, ...more] = pair.split("=").map((each) => each.trim());
    const known = value === undefined || more.length > 0 ? null : read(value);
    if (name === "" || known === null) return { problem: `“${pair.trim()}” is not name=value.` };
    found[name] = known;
  }
  return found;
}
