/** Names of the API's enum values as people read them. Unknown values (a newer agent's) read as their words. */
import type { Option } from "./list/types";
import { sentenceWords } from "./format";

export const UNIT_KINDS: Record<string, string> = {
  mau: "MAU (modular arithmetic unit)",
  cwq: "CWQ (control word queue)",
  cpu_instructions: "CPU instructions",
  hardware_rng: "Hardware RNG",
  tpm: "TPM",
  qat_device: "QAT device",
  qat_vf: "QAT virtual function",
  ap_card: "AP card",
  ap_queue: "AP queue (APQN)",
  virtio_crypto: "virtio-crypto",
  pci_accelerator: "PCI accelerator",
};

export const PROVIDER_KINDS: Record<string, string> = {
  pkcs11_library: "PKCS#11 library",
  kernel_software: "Kernel, software",
  kernel_hardware: "Kernel, hardware",
  openssl_provider: "OpenSSL provider",
  openssl_engine: "OpenSSL engine",
};

export function named(names: Record<string, string>, value: string): string {
  return names[value] ?? sentenceWords(value);
}

export function optionsOf(names: Record<string, string>): Option[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

/** Options whose labels are the values' own words. */
export function wordOptions(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: sentenceWords(value) }));
}

export function yesNoOptions(yes: string, no: string): Option[] {
  return [
    { value: "true", label: yes },
    { value: "false", label: no },
  ];
}

export const HOST_STATES = ["pending", "active", "offline", "retired", "revoked"] as const;
export const PIN_STATES = [
  "locked",
  "final_try",
  "count_low",
  "to_be_changed",
  "not_initialised",
  "ok",
] as const;
export const SEVERITIES = ["critical", "warning", "notice"] as const;
export const RUN_STATES = [
  "queued",
  "claimed",
  "running",
  "succeeded",
  "failed",
  "errored",
  "cancelled",
  "lost",
  "expired",
] as const;
export const CHANGE_STATES = [
  "draft",
  "planning",
  "planned",
  "awaiting_approval",
  "queued",
  "claimed",
  "running",
  "verifying",
  "waiting_reboot",
  "succeeded",
  "failed",
  "rolled_back",
  "needs_attention",
  "cancelled",
  "expired",
  "stale",
] as const;
export const ROLES = ["viewer", "operator", "approver", "administrator"] as const;
export const VERDICTS = [
  "faster",
  "slower",
  "equivalent",
  "no_difference_shown",
  "too_few_rounds",
  "host_too_noisy",
] as const;

/** Lists show what is there; these show what was there as well, or only that. */
export const GONE_OPTIONS: Option[] = [
  { value: "true", label: "Gone" },
  { value: "any", label: "Present or gone" },
];

/** null of an API's three-valued fact is the word `unknown` in a filter. */
export function factOptions(yes: string, no: string, unknown: string): Option[] {
  return [
    { value: "true", label: yes },
    { value: "false", label: no },
    { value: "unknown", label: unknown },
  ];
}
