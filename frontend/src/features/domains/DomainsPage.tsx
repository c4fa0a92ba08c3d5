import { PageSection } from "@patternfly/react-core";
import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { EnrolButton } from "../hosts/EnrolButton";
import { DOMAIN_COLUMNS, DOMAIN_FILTERS, domainHostColumn } from "./columns";

export function DomainsPage() {
  return (
    <>
      <PageHead title="Domains">
        Logical domains, virtual machines and mediated devices that crypto units are given to.
      </PageHead>
      <PageSection isFilled>
        <ResourceList
          title="Domains"
          path="/api/v1/domains/"
          query={lists.domains}
          columns={[domainHostColumn, ...DOMAIN_COLUMNS]}
          filters={[...DOMAIN_FILTERS]}
          defaultOrdering="name"
          rowKey={(domain) => domain.id}
          empty={
            <EmptyView title="No domain known yet" action={<EnrolButton />}>
              Domains appear with the first inventory of a host that has some: a SPARC control
              domain, a hypervisor, a mainframe’s Linux with mediated devices.
            </EmptyView>
          }
        />
      </PageSection>
    </>
  );
}
