import { PageSection } from "@patternfly/react-core";
import LockIcon from "@patternfly/react-icons/dist/esm/icons/lock-icon";
import { useQuery } from "@tanstack/react-query";
import { workloadsQuery } from "../../api/queries";
import { useCan } from "../../app/session";
import { roleReason } from "../../components/GuardedButton";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { NewJobForm } from "./NewJobForm";

export function NewJobPage() {
  const workloads = useQuery(workloadsQuery());
  const isAllowed = useCan("job.run");
  return (
    <>
      <PageHead title="New job" parent={{ to: "/jobs", label: "Jobs" }} />
      <PageSection isFilled>
        {isAllowed ? (
          <QueryView query={workloads} what="the catalogue" lines={10}>
            {(catalogue) => <NewJobForm catalogue={catalogue} />}
          </QueryView>
        ) : (
          <EmptyView title="You may not run jobs" icon={LockIcon}>
            {roleReason("run jobs")}
          </EmptyView>
        )}
      </PageSection>
    </>
  );
}
