import { Flex, PageSection } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "react-router";
import { hostQuery } from "../../api/queries";
import type { Host } from "../../api/types";
import { SimulatedLabel } from "../../components/HostName";
import { NameHeading } from "../../components/NameHeading";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { RouteTabs } from "../../components/RouteTabs";
import { StateLabel } from "../../components/StateLabel";
import { LoadingLines } from "../../components/States";
import { Time } from "../../components/Time";
import { ClosedLane } from "./ClosedLane";
import { HostActions } from "./HostActions";

const TABS = [
  { path: "summary", label: "Summary" },
  { path: "units", label: "Units" },
  { path: "domains", label: "Domains" },
  { path: "providers", label: "Providers & mechanisms" },
  { path: "tokens", label: "Tokens" },
  { path: "jobs", label: "Jobs" },
  { path: "changes", label: "Changes" },
  { path: "history", label: "History" },
];

export function HostPage() {
  const { hostId = "" } = useParams();
  const host = useQuery(hostQuery(hostId));
  return (
    <QueryView
      query={host}
      what="the host"
      loading={
        <PageSection isFilled>
          <LoadingLines what="the host" lines={10} />
        </PageSection>
      }
    >
      {(data) => <HostView host={data} />}
    </QueryView>
  );
}

function HostView({ host }: { host: Host }) {
  return (
    <>
      <PageHead
        title={host.name}
        heading={<NameHeading text={host.name} what="the host’s name" />}
        parent={{ to: "/hosts", label: "Hosts" }}
        labels={
          <>
            <StateLabel state={host.state} />
            {host.is_simulated && <SimulatedLabel source={host.source} />}
          </>
        }
        actions={<HostActions host={host} />}
      >
        <LastSeen host={host} />
      </PageHead>
      <ClosedLane host={host} />
      <RouteTabs base={`/hosts/${host.id}`} tabs={TABS} label={`Parts of ${host.name}`}>
        <Outlet context={host} />
      </RouteTabs>
    </>
  );
}

function LastSeen({ host }: { host: Host }) {
  const system = `${host.os_name} ${host.os_version}`.trim() || host.platform;
  return (
    <Flex component="span" gap={{ default: "gapMd" }} className="kr-subtle">
      <span>{system}</span>
      <span>
        Last seen <Time at={host.last_seen_at} />
      </span>
      {host.agent_version !== "" && <span>Agent {host.agent_version}</span>}
    </Flex>
  );
}
