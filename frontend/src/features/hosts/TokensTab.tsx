import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { TOKEN_COLUMNS, TOKEN_FILTERS } from "../tokens/columns";
import { NothingYet } from "./NothingYet";
import { useHost } from "./useHost";

export function TokensTab() {
  const host = useHost();
  return (
    <ResourceList
      title={`Tokens of ${host.name}`}
      path="/api/v1/tokens/"
      query={lists.tokens}
      fixed={{ host: host.id }}
      columns={TOKEN_COLUMNS}
      filters={[...TOKEN_FILTERS]}
      defaultOrdering="label"
      rowKey={(token) => token.id}
      empty={<NothingYet what="token" hasInventory={host.inventory_at !== null} />}
    />
  );
}
