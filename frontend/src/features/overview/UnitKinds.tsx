import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { Link } from "react-router";
import type { UnitStrip } from "../../api/types";
import { formatCount } from "../../components/format";
import { named, UNIT_KINDS } from "../../components/words";
import { figureLink } from "./figureLink";

const COLUMNS = [
  { key: "total", title: "All" },
  { key: "assigned", title: "Assigned" },
  { key: "free", title: "Free" },
  { key: "faulty", title: "Faulty" },
  { key: "simulated", title: "Simulated" },
] as const;

/** Units by kind: how many have an owner, have none, are faulty, or are only simulated. */
export function UnitKinds({ kinds }: { kinds: UnitStrip[] }) {
  if (kinds.length === 0) return <>No crypto unit is known yet.</>;
  return (
    <Table variant="compact" aria-label="Crypto units by kind">
      <Thead>
        <Tr>
          <Th modifier="wrap">Kind</Th>
          {COLUMNS.map(({ key, title }) => (
            <Th modifier="wrap" key={key} className="kr-number">
              {title}
            </Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {kinds.map((strip) => (
          <Tr key={strip.kind}>
            <Td dataLabel="Kind">{named(UNIT_KINDS, strip.kind)}</Td>
            {COLUMNS.map(({ key, title }) => (
              <Td key={key} dataLabel={title} className="kr-number">
                <Link
                  to={figureLink(strip[key])}
                  aria-label={`${formatCount(strip[key].count)} ${named(UNIT_KINDS, strip.kind)}, ${title.toLowerCase()}`}
                >
                  {formatCount(strip[key].count)}
                </Link>
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
