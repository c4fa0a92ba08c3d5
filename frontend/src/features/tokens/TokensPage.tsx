import { Link } from "react-router";
import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { TOKEN_COLUMNS, TOKEN_FILTERS, tokenHostColumn } from "./columns";
import { TokenTabs } from "./TokenTabs";

export function TokensPage() {
  return (
    <>
      <PageHead title="Tokens">
        PKCS#11 tokens and the state of their PINs, over all hosts.
      </PageHead>
      <TokenTabs>
        <ResourceList
          title="Tokens"
          path="/api/v1/tokens/"
          query={lists.tokens}
          columns={[tokenHostColumn, ...TOKEN_COLUMNS]}
          filters={[...TOKEN_FILTERS]}
          defaultOrdering="label"
          rowKey={(token) => token.id}
          empty={
            <EmptyView title="No token known yet">
              Tokens are found through the PKCS#11 modules of each host: those of p11-kit’s
              registry, and paths named in the agent’s configuration. Which modules a host has
              stands under <Link to="/providers">Providers &amp; mechanisms</Link>.
            </EmptyView>
          }
        />
      </TokenTabs>
    </>
  );
}
