import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { EnrolButton } from "../hosts/EnrolButton";
import { PROVIDER_COLUMNS, PROVIDER_FILTERS, providerHostColumn } from "./columns";
import { ProviderTabs } from "./ProviderTabs";

export function ProvidersPage() {
  return (
    <>
      <PageHead title="Providers">
        What does the cryptography: PKCS#11 libraries, kernel drivers, OpenSSL providers.
      </PageHead>
      <ProviderTabs>
        <ResourceList
          title="Providers"
          path="/api/v1/providers/"
          query={lists.providers}
          columns={[providerHostColumn, ...PROVIDER_COLUMNS]}
          filters={[...PROVIDER_FILTERS]}
          defaultOrdering="name"
          rowKey={(provider) => provider.id}
          empty={
            <EmptyView title="No provider known yet" action={<EnrolButton />}>
              Providers appear with the first inventory of a host.
            </EmptyView>
          }
        />
      </ProviderTabs>
    </>
  );
}
