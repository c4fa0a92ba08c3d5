import { PageSection } from "@patternfly/react-core";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "providers", label: "Providers" },
  { path: "mechanisms", label: "Mechanisms" },
];

export function ProviderTabs() {
  return (
    <PageSection type="tabs" padding={{ default: "noPadding" }}>
      <RouteTabs base="" tabs={TABS} label="Providers and mechanisms" />
    </PageSection>
  );
}
