import { Facts } from "./Facts";
import { sentenceWords } from "./format";
import { Mono } from "./Mono";

/** Further facts that only one kind of thing has, as the agent named them. */
export function Attributes({ attributes }: { attributes: Record<string, unknown> }) {
  return (
    <Facts
      columns={3}
      facts={Object.entries(attributes).map(([name, value]) => [
        sentenceWords(name.replaceAll(".", " ")),
        <Mono key={name}>{attributeText(value)}</Mono>,
      ])}
    />
  );
}

export function attributeText(value: unknown): string {
  if (value === null || value === undefined) return "not known";
  if (Array.isArray(value)) return value.map(String).join(", ") || "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return JSON.stringify(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
