import { Link } from "react-router";
import type { Domain } from "../../api/types";
import { formatBytes } from "../../components/format";
import { HostName } from "../../components/HostName";
import { WordLabels } from "../../components/Labels";
import type { Column, Filter } from "../../components/list/types";
import { StateLabel } from "../../components/StateLabel";
import { GONE_OPTIONS, wordOptions, yesNoOptions } from "../../components/words";
import { isPending, numberOf, unitWords, wordsOf } from "./facts";

export const domainHostColumn: Column<Domain> = {
  title: "Host",
  orderBy: "host",
  cell: (domain) => <HostName host={domain.host} tab="domains" />,
};

export const DOMAIN_COLUMNS: Column<Domain>[] = [
  {
    title: "Domain",
    orderBy: "name",
    cell: (domain) => (
      <Link className="kr-mono" to={`/domains/${domain.id}`}>
        {domain.name}
      </Link>
    ),
  },
  { title: "State", orderBy: "state", cell: (domain) => <DomainState domain={domain} /> },
  {
    title: "Flags",
    cell: (domain) => (
      <WordLabels words={wordsOf(domain, "flags")} name={`Flags of ${domain.name}`} />
    ),
  },
  { title: "Virtual CPUs", isNumeric: true, cell: (domain) => numberOf(domain, "vcpu") },
  { title: "Memory", isNumeric: true, isTight: true, cell: (domain) => memoryWords(domain) },
  { title: "Units", isNumeric: true, isTight: true, cell: unitWords },
];

export function memoryWords(domain: Domain): string {
  const bytes = numberOf(domain, "memory_bytes");
  return bytes === null ? "" : formatBytes(bytes);
}

export function DomainState({ domain }: { domain: Domain }) {
  return (
    <span className="kr-inline">
      <StateLabel state={domain.gone_at ? "gone" : domain.state} />
      {isPending(domain) && <StateLabel state="waiting_reboot" text="waits for its reboot" />}
    </span>
  );
}

export const DOMAIN_FILTERS = [
  { kind: "text", name: "search", label: "Name" },
  {
    kind: "choices",
    name: "state",
    label: "State",
    options: wordOptions(["active", "bound", "inactive", "running", "shut off"]),
  },
  {
    kind: "choice",
    name: "reconfiguration",
    label: "Reconfiguration",
    options: [
      { value: "pending", label: "Waits for a reboot" },
      { value: "none", label: "None waits" },
    ],
  },
  { kind: "choice", name: "gone", label: "Presence", options: GONE_OPTIONS },
  {
    kind: "choice",
    name: "is_simulated",
    label: "Hardware",
    options: yesNoOptions("Simulated", "Real"),
  },
] as const satisfies Filter<string>[];
