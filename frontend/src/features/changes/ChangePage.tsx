import { PageSection, Stack, StackItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { changeQuery } from "../../api/queries";
import type { ChangeDetail } from "../../api/types";
import { HostName } from "../../components/HostName";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { StateLabel } from "../../components/StateLabel";
import { LoadingLines } from "../../components/States";
import { Time } from "../../components/Time";
import { ChangeActions } from "./ChangeActions";
import { ChangeNotices } from "./ChangeNotices";
import { ChangeOutput } from "./ChangeOutput";
import { PauseBanner } from "./PauseBanner";
import { PlanView } from "./PlanView";

export function ChangePage() {
  const { changeId = "" } = useParams();
  const change = useQuery(changeQuery(changeId));
  return (
    <QueryView
      query={change}
      what="the change"
      loading={
        <PageSection isFilled>
          <LoadingLines what="the change" lines={12} />
        </PageSection>
      }
    >
      {(data) => <ChangeView change={data} />}
    </QueryView>
  );
}

function ChangeView({ change }: { change: ChangeDetail }) {
  return (
    <>
      <PageHead
        title={change.sentence}
        parent={{ to: "/changes", label: "Changes" }}
        labels={
          <>
            <StateLabel state={change.state} />
            <HostName host={change.host} tab="changes" />
          </>
        }
        actions={<ChangeActions change={change} />}
      >
        <Mono>{change.kind}</Mono> · asked for <Time at={change.created_at} /> by{" "}
        <Mono>{change.requested_by_name}</Mono> · {change.reason}
      </PageHead>
      <PageSection isFilled>
        <PauseBanner />
        <Stack hasGutter>
          <ChangeNotices change={change} />
          {change.plan !== null && (
            <StackItem>
              <PlanView plan={change.plan} change={change} />
            </StackItem>
          )}
          {change.runs.length > 0 && (
            <StackItem>
              <ChangeOutput change={change} />
            </StackItem>
          )}
        </Stack>
      </PageSection>
    </>
  );
}
