import { PageSection } from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { Link } from "react-router";
import { EmptyView } from "../components/States";

export function NotFoundPage() {
  return (
    <PageSection>
      <title>Not found · Keyrack</title>
      <EmptyView
        title="There is no such page"
        headingLevel="h1"
        icon={SearchIcon}
        action={<Link to="/">Go to the overview</Link>}
      >
        The address may be mistyped, or what it named is gone.
      </EmptyView>
    </PageSection>
  );
}
