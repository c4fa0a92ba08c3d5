/** What a domain's attributes say; the agent names them, and may leave any of them out. */
import type { Domain } from "../../api/types";

export const numberOf = (domain: Domain, name: string): number | null => {
  const value = domain.attributes[name];
  return typeof value === "number" ? value : null;
};

export const textOf = (domain: Domain, name: string): string => {
  const value = domain.attributes[name];
  return typeof value === "string" ? value : "";
};

export const wordsOf = (domain: Domain, name: string): string[] => {
  const value = domain.attributes[name];
  return Array.isArray(value) ? value.map(String) : [];
};

export const isPending = (domain: Domain): boolean =>
  textOf(domain, "reconfiguration") === "pending";

/** `2, asks for 1 more` while a reconfiguration waits or a domain is not bound. */
export function unitWords(domain: Domain): string {
  const now = numberOf(domain, "units");
  const wanted = numberOf(domain, "units_wanted");
  if (now === null) return "";
  if (wanted === null || wanted === now) return String(now);
  return `${String(now)}, asks for ${String(wanted)}`;
}

export const DOMAIN_KINDS: Record<string, string> = {
  ldom: "Logical domain (LDom)",
  libvirt: "libvirt domain",
  vfio_ap_mdev: "Mediated device of AP queues",
};
