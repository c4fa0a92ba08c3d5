import { Alert, PageSection } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { hostReleaseLane } from "../../api/mutations";
import type { Host } from "../../api/types";
import { FailureAlert } from "../../components/FailureAlert";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { Time } from "../../components/Time";

/** Contact was lost while the host worked: nothing new goes there until its agent reports, or somebody decides. */
export function ClosedLane({ host }: { host: Host }) {
  const release = useMutation({ mutationFn: () => hostReleaseLane(host.id) });
  if (host.work_lane_closed_at === null) return null;
  return (
    <PageSection>
      <FailureAlert title="The host could not be opened for work" mutation={release} />
      <Alert
        component="p"
        isInline
        variant="warning"
        title="This host gets no new work"
        actionLinks={
          <GuardedButton
            variant="link"
            isInline
            isAllowed={host.capabilities["host.update"] ?? false}
            reason={roleReason("open hosts for work")}
            isLoading={release.isPending}
            onClick={() => release.mutate()}
          >
            Open it for work anyway
          </GuardedButton>
        }
      >
        Contact was lost during a run, <Time at={host.work_lane_closed_at} />. The run may still go
        on there. It opens by itself when the agent reports; a late report still sets the true
        result.
      </Alert>
    </PageSection>
  );
}
