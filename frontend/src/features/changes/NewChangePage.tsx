import { PageSection } from "@patternfly/react-core";
import LockIcon from "@patternfly/react-icons/dist/esm/icons/lock-icon";
import { useQuery } from "@tanstack/react-query";
import { changeKindsQuery } from "../../api/queries";
import { useCan } from "../../app/session";
import { roleReason } from "../../components/GuardedButton";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { NewChangeForm } from "./NewChangeForm";

export function NewChangePage() {
  const kinds = useQuery(changeKindsQuery());
  const isAllowed = useCan("change.request");
  return (
    <>
      <PageHead title="New change" parent={{ to: "/changes", label: "Changes" }}>
        Planning changes nothing: the agents of the hosts answer with what they would do.
      </PageHead>
      <PageSection isFilled>
        {isAllowed ? (
          <QueryView query={kinds} what="the kinds of change" lines={10}>
            {(catalogue) => <NewChangeForm catalogue={catalogue} />}
          </QueryView>
        ) : (
          <EmptyView title="You may not ask for changes" icon={LockIcon}>
            {roleReason("ask for changes")}
          </EmptyView>
        )}
      </PageSection>
    </>
  );
}
