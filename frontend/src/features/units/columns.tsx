import type { Unit } from "../../api/types";
import { HostName } from "../../components/HostName";
import { WordLabels } from "../../components/Labels";
import type { Column, Filter } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";
import { GONE_OPTIONS, named, optionsOf, UNIT_KINDS, yesNoOptions } from "../../components/words";

export const hostColumn: Column<Unit> = {
  title: "Host",
  orderBy: "host",
  cell: (unit) => <HostName host={unit.host} tab="units" />,
};

export const UNIT_COLUMNS: Column<Unit>[] = [
  { title: "Unit", orderBy: "name", width: 35, cell: (unit) => <UnitName unit={unit} /> },
  { title: "Kind", orderBy: "kind", cell: (unit) => named(UNIT_KINDS, unit.kind) },
  {
    title: "State",
    orderBy: "state",
    cell: (unit) => <StateLabel state={unit.gone_at ? "gone" : unit.state} />,
  },
  { title: "Owner", isTight: true, cell: (unit) => <Owner unit={unit} /> },
  {
    title: "Features",
    cell: (unit) => <WordLabels words={unit.features} name={`Features of ${unit.name}`} />,
  },
  {
    title: "First seen",
    orderBy: "first_seen_at",
    isTight: true,
    cell: (unit) => <Time at={unit.first_seen_at} />,
  },
];

function UnitName({ unit }: { unit: Unit }) {
  return (
    <>
      <Mono>{unit.name}</Mono>
      {unit.reason !== "" && <div className="kr-subtle">{unit.reason}</div>}
    </>
  );
}

/** Which logical domain has the unit. What cannot be assigned belongs to the host itself. */
function Owner({ unit }: { unit: Unit }) {
  if (unit.domain) return <Mono>{unit.domain.name}</Mono>;
  return <span className="kr-subtle">{unit.is_assignable ? "free" : "the host itself"}</span>;
}

export const UNIT_FILTERS = [
  { kind: "text", name: "search", label: "Name or feature" },
  { kind: "choices", name: "kind", label: "Kind", options: optionsOf(UNIT_KINDS) },
  {
    kind: "choice",
    name: "is_assigned",
    label: "Owner",
    options: yesNoOptions("Assigned to a domain", "Not assigned"),
  },
  {
    kind: "choice",
    name: "is_assignable",
    label: "Assignable",
    options: yesNoOptions("Can be assigned to domains", "Belongs to the host"),
  },
  { kind: "choice", name: "gone", label: "Presence", options: GONE_OPTIONS },
  { kind: "given", name: "state", label: "State" },
  { kind: "given", name: "domain", label: "Domain" },
  {
    kind: "choice",
    name: "is_simulated",
    label: "Hardware",
    options: yesNoOptions("Simulated", "Real"),
  },
] as const satisfies Filter<string>[];
