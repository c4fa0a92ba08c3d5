/** What is asked of a provider's policy, as a form has it. */

export type PolicyAction = "forbid" | "allow" | "forbid_all" | "allow_all" | "none";

export interface PolicyForm {
  action: PolicyAction;
  mechanisms: string[];
  /** Empty: as it is. */
  random: "" | "enable" | "disable";
  isForced: boolean;
  forceReason: string;
}

export const EMPTY_FORM: PolicyForm = {
  action: "forbid",
  mechanisms: [],
  random: "",
  isForced: false,
  forceReason: "",
};

export const isTakingAway = ({ action, random }: PolicyForm): boolean =>
  action === "forbid" || action === "forbid_all" || random === "disable";

/** The parameters of `mechanism.policy`; null: the form is not complete. */
export function policyParameters(
  provider: string,
  form: PolicyForm,
): Record<string, unknown> | null {
  const names = mechanismsOf(form);
  if (names === null) return null;
  const asks: Record<string, unknown> = { provider };
  if (names.length > 0) {
    asks[form.action.startsWith("forbid") ? "disable" : "enable"] = names;
  }
  if (form.random !== "") asks["random"] = form.random;
  if (Object.keys(asks).length === 1) return null;
  if (!form.isForced) return asks;
  if (form.forceReason.trim() === "") return null;
  return { ...asks, force: true, force_reason: form.forceReason.trim() };
}

function mechanismsOf({ action, mechanisms }: PolicyForm): string[] | null {
  if (action === "none") return [];
  if (action === "allow_all" || action === "forbid_all") return ["*"];
  return mechanisms.length === 0 ? null : mechanisms;
}
