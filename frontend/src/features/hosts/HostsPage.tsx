import { PageSection } from "@patternfly/react-core";
import ServerIcon from "@patternfly/react-icons/dist/esm/icons/server-icon";
import { Link } from "react-router";
import { lists } from "../../api/queries";
import type { Host } from "../../api/types";
import { formatCount } from "../../components/format";
import { HostName } from "../../components/HostName";
import { KeyValueLabels } from "../../components/Labels";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { PageHead } from "../../components/PageHead";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { HOST_STATES, wordOptions, yesNoOptions } from "../../components/words";
import { EnrolButton } from "./EnrolButton";

const count = (key: string) => (host: Host) => formatCount(host.counts[key] ?? 0);

const COLUMNS: Column<Host>[] = [
  { title: "Name", orderBy: "name", cell: (host) => <HostName host={host} /> },
  { title: "State", orderBy: "state", cell: (host) => <StateLabel state={host.state} /> },
  { title: "System", cell: (host) => `${host.os_name} ${host.os_version}`.trim() || host.platform },
  { title: "Units", isNumeric: true, cell: count("units") },
  { title: "Tokens", isNumeric: true, cell: count("tokens") },
  { title: "Providers", isNumeric: true, cell: count("providers") },
  { title: "Findings", isNumeric: true, cell: (host) => <FindingCount host={host} /> },
  {
    title: "Last seen",
    orderBy: "last_seen_at",
    isTight: true,
    cell: (host) => <Time at={host.last_seen_at} />,
  },
  { title: "Labels", cell: (host) => <KeyValueLabels labels={host.labels} /> },
];

function FindingCount({ host }: { host: Host }) {
  const findings = host.counts["findings"] ?? 0;
  if (findings === 0) return "0";
  return <Link to={`/findings?host=${host.id}&is_resolved=false`}>{formatCount(findings)}</Link>;
}

export function HostsPage() {
  return (
    <>
      <PageHead title="Hosts" actions={<EnrolButton />}>
        Machines that run an agent.
      </PageHead>
      <PageSection isFilled>
        <ResourceList
          title="Hosts"
          path="/api/v1/hosts/"
          query={lists.hosts}
          columns={COLUMNS}
          filters={[
            { kind: "text", name: "search", label: "Name or label" },
            { kind: "choices", name: "state", label: "State", options: wordOptions(HOST_STATES) },
            {
              kind: "choice",
              name: "is_simulated",
              label: "Hardware",
              options: yesNoOptions("Simulated", "Real"),
            },
            { kind: "given", name: "group", label: "Of one group" },
          ]}
          defaultOrdering="name"
          rowKey={(host) => host.id}
          empty={
            <EmptyView title="No host yet" icon={ServerIcon} action={<EnrolButton />}>
              A host appears here when the Keyrack agent on it has enrolled. One command, run on the
              host, does that.
            </EmptyView>
          }
        />
      </PageSection>
    </>
  );
}
