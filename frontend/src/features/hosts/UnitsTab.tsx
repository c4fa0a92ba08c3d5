import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { AssignmentMatrix } from "../units/AssignmentMatrix";
import { CryptoUseCard } from "../units/CryptoUseCard";
import { UNIT_COLUMNS, UNIT_FILTERS } from "../units/columns";
import { NothingYet } from "./NothingYet";
import { useHost } from "./useHost";

export function UnitsTab() {
  const host = useHost();
  return (
    <>
      <CryptoUseCard host={host.id} />
      <AssignmentMatrix host={host.id} isOptional />
      <ResourceList
        title={`Crypto units of ${host.name}`}
        path="/api/v1/units/"
        query={lists.units}
        fixed={{ host: host.id }}
        columns={UNIT_COLUMNS}
        filters={[...UNIT_FILTERS]}
        defaultOrdering="name"
        rowKey={(unit) => unit.id}
        empty={<NothingYet what="crypto unit" hasInventory={host.inventory_at !== null} />}
      />
    </>
  );
}
