import { PageSection } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { enrolmentTokenCreate } from "../../api/mutations";
import { useCan } from "../../app/session";
import { roleReason } from "../../components/GuardedButton";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import LockIcon from "@patternfly/react-icons/dist/esm/icons/lock-icon";
import { EnrolCommand } from "./EnrolCommand";
import { EnrolForm } from "./EnrolForm";

/** Makes an enrolment token, shows the one command to run, and waits for the host to appear. */
export function EnrolPage() {
  const isAllowed = useCan("host.enrol");
  const create = useMutation({ mutationFn: enrolmentTokenCreate });
  return (
    <>
      <PageHead title="Enrol a host" parent={{ to: "/hosts", label: "Hosts" }}>
        One command, run on the host as its administrator, installs the agent from this console,
        enrols it and starts it. The host needs Python 3.11 or newer and reaches only this console.
      </PageHead>
      <PageSection isFilled>
        {!isAllowed && (
          <EmptyView title="You may not enrol hosts" icon={LockIcon}>
            {roleReason("enrol hosts")}
          </EmptyView>
        )}
        {isAllowed && create.data === undefined && <EnrolForm create={create} />}
        {create.data !== undefined && (
          <EnrolCommand created={create.data} onAnother={() => create.reset()} />
        )}
      </PageSection>
    </>
  );
}
