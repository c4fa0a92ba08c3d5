import { Label } from "@patternfly/react-core";
import type { Mechanism } from "../../api/types";
import { words } from "../../components/format";
import { HostName } from "../../components/HostName";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { Tri } from "../../components/Tri";

export const nameColumn: Column<Mechanism> = {
  title: "Mechanism",
  orderBy: "name",
  width: 25,
  cell: (mechanism) => <MechanismName mechanism={mechanism} />,
};

export const hostColumn: Column<Mechanism> = {
  title: "Host",
  cell: (mechanism) => <HostName host={mechanism.host} tab="providers" />,
};

export const providerColumn: Column<Mechanism> = {
  title: "Provider",
  cell: (mechanism) => <Mono>{mechanism.provider.name}</Mono>,
};

export const factColumns: Column<Mechanism>[] = [
  { title: "Offered", cell: ({ is_offered }) => <Tri value={is_offered} unknown="not known" /> },
  { title: "Allowed", cell: ({ is_allowed }) => <Tri value={is_allowed} unknown="no policy" /> },
  {
    title: "Verified",
    cell: ({ is_verified }) => <Tri value={is_verified} unknown="not tested" />,
  },
  {
    title: "Hardware",
    cell: ({ is_hardware }) =>
      is_hardware ? (
        <Label isCompact color="teal">
          HW
        </Label>
      ) : null,
  },
  { title: "Key sizes", isNumeric: true, cell: (mechanism) => keySizes(mechanism) },
  { title: "Operations", cell: ({ operations }) => operations.map(words).join(", ") },
];

function MechanismName({ mechanism }: { mechanism: Mechanism }) {
  const { name, number_hex: number, slot_key: slot } = mechanism;
  return (
    <>
      <Mono>{name}</Mono>{" "}
      {number !== null && number !== name && <span className="kr-subtle kr-mono">{number}</span>}
      {slot !== "" && <div className="kr-subtle">only in slot {slot}</div>}
    </>
  );
}

/** `128–256 bits`; the unit differs by mechanism, so it stands with the number here. */
function keySizes(mechanism: Mechanism): string {
  const { min_key_size: min, max_key_size: max, key_size_unit: unit } = mechanism;
  if (min === null && max === null) return "";
  if (min === 0 && max === 0) return "";
  const range = min === max ? String(min) : `${min ?? "?"}–${max ?? "?"}`;
  return `${range} ${unit}`.trim();
}
