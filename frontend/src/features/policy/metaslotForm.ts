/** What is asked of a metaslot, as a form has it. */

export interface MetaslotForm {
  token: string;
  slot: string;
  isDefault: boolean;
  migrate: "" | "yes" | "no";
  enable: string[];
  disable: string[];
}

export const EMPTY_METASLOT: MetaslotForm = {
  token: "",
  slot: "",
  isDefault: false,
  migrate: "",
  enable: [],
  disable: [],
};

/** Labels are limited in bytes of UTF-8. */
export function textProblem(text: string, mostBytes: number): string | undefined {
  const bytes = new TextEncoder().encode(text).length;
  return bytes > mostBytes
    ? `At most ${String(mostBytes)} bytes; this has ${String(bytes)}.`
    : undefined;
}

/** The parameters of `metaslot.configure`; null: nothing is asked for, or it cannot be. */
export function metaslotParameters(form: MetaslotForm): Record<string, unknown> | null {
  const { token, slot, isDefault, migrate, enable, disable } = form;
  if (textProblem(token, 32) !== undefined || textProblem(slot, 64) !== undefined) return null;
  if (enable.some((name) => disable.includes(name))) return null;
  const asks: Record<string, unknown> = {};
  if (isDefault) asks["default_keystore"] = true;
  else {
    if (token.trim() !== "") asks["token"] = token;
    if (slot.trim() !== "") asks["slot"] = slot;
  }
  if (migrate !== "") asks["auto_key_migrate"] = migrate === "yes";
  if (enable.length > 0) asks["enable_mechanisms"] = enable;
  if (disable.length > 0) asks["disable_mechanisms"] = disable;
  return Object.keys(asks).length === 0 ? null : asks;
}
