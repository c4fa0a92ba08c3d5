import { Link } from "react-router";
import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { NothingYet } from "../hosts/NothingYet";
import { useHost } from "../hosts/useHost";
import { DOMAIN_COLUMNS, DOMAIN_FILTERS } from "./columns";
import { SpconfigCard } from "./SpconfigCard";

export function DomainsTab() {
  const host = useHost();
  return (
    <>
      <SpconfigCard host={host} />
      <ResourceList
        title={`Domains of ${host.name}`}
        path="/api/v1/domains/"
        query={lists.domains}
        fixed={{ host: host.id }}
        columns={DOMAIN_COLUMNS}
        filters={DOMAIN_FILTERS.filter(({ name }) => name !== "is_simulated")}
        defaultOrdering="name"
        rowKey={(domain) => domain.id}
        actions={
          <Link className="pf-v6-c-button pf-m-link" to={`/hosts/${host.id}/units`}>
            Assign crypto units
          </Link>
        }
        empty={<NothingYet what="domain" hasInventory={host.inventory_at !== null} />}
      />
    </>
  );
}
