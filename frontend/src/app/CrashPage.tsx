import { PageSection } from "@patternfly/react-core";
import { useRouteError } from "react-router";
import { ErrorView } from "../components/States";

/** The dashboard itself failed: say so, and let the person load it again. */
export function CrashPage() {
  const error = useRouteError();
  return (
    <PageSection>
      <title>Something went wrong · Keyrack</title>
      <ErrorView
        title="The dashboard could not show this page"
        error={error}
        onRetry={() => window.location.reload()}
      />
    </PageSection>
  );
}
