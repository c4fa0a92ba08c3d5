import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { EnrolButton } from "../hosts/EnrolButton";
import { hostColumn, UNIT_COLUMNS, UNIT_FILTERS } from "./columns";
import { UnitTabs } from "./UnitTabs";

export function UnitsPage() {
  return (
    <>
      <PageHead title="Crypto units">
        Accelerators and other crypto resources of the hardware, over all hosts.
      </PageHead>
      <UnitTabs>
        <ResourceList
          title="Crypto units"
          path="/api/v1/units/"
          query={lists.units}
          columns={[hostColumn, ...UNIT_COLUMNS]}
          filters={[...UNIT_FILTERS]}
          defaultOrdering="name"
          rowKey={(unit) => unit.id}
          empty={
            <EmptyView title="No crypto unit known yet" action={<EnrolButton />}>
              Units are what hosts report: CPU instructions, random number generators, TPMs,
              accelerators. They appear with the first inventory of a host.
            </EmptyView>
          }
        />
      </UnitTabs>
    </>
  );
}
