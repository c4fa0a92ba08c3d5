import { PageSection } from "@patternfly/react-core";
import { RouteTabs } from "../../components/RouteTabs";

const TABS = [
  { path: "jobs", label: "Jobs" },
  { path: "runs", label: "Runs on single hosts" },
];

export function JobTabs() {
  return (
    <PageSection type="tabs" padding={{ default: "noPadding" }}>
      <RouteTabs base="" tabs={TABS} label="Jobs and their runs" />
    </PageSection>
  );
}
