import type { Token } from "../../api/types";

/** What a token is called: its label; without one its serial number; an uninitialised one has neither. */
export function tokenName({ label, serial }: Pick<Token, "label" | "serial">): string {
  return label || serial || "(no label)";
}
