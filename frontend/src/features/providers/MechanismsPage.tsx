import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { factColumns, hostColumn, nameColumn, providerColumn } from "./mechanismColumns";
import { MechanismList } from "./MechanismList";
import { ProviderTabs } from "./ProviderTabs";

export function MechanismsPage() {
  return (
    <>
      <PageHead title="Mechanisms">
        What each provider offers, what policy allows, and what a self-test of ours really used:
        three separate facts.
      </PageHead>
      <ProviderTabs>
        <MechanismList
          title="Mechanisms"
          columns={COLUMNS}
          fixed={{}}
          empty={
            <EmptyView title="No mechanism known yet">
              Mechanisms appear with the first inventory of a host.
            </EmptyView>
          }
        />
      </ProviderTabs>
    </>
  );
}

const COLUMNS = [nameColumn, hostColumn, providerColumn, ...factColumns];
