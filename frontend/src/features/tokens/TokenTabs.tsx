import { PageSection } from "@patternfly/react-core";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "tokens", label: "Tokens" },
  { path: "certificates", label: "Certificates" },
];

/** Tokens, and what lies on them in the open. */
export function TokenTabs() {
  return (
    <PageSection type="tabs" padding={{ default: "noPadding" }}>
      <RouteTabs base="" tabs={TABS} label="Tokens and certificates" />
    </PageSection>
  );
}
