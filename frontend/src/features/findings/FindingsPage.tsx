import { Button, PageSection } from "@patternfly/react-core";
import { useState } from "react";
import { lists } from "../../api/queries";
import type { Finding } from "../../api/types";
import { HostName } from "../../components/HostName";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { SEVERITIES, wordOptions, yesNoOptions } from "../../components/words";
import { AcknowledgeDialog } from "./AcknowledgeDialog";

export function FindingsPage() {
  const [chosen, setChosen] = useState<Finding | null>(null);
  return (
    <>
      <PageHead title="Findings">
        What a person should know about a host, and what to do next. A finding goes by itself when
        its cause is gone.
      </PageHead>
      <PageSection isFilled>
        <ResourceList
          title="Findings"
          path="/api/v1/findings/"
          query={lists.findings}
          columns={[...COLUMNS, acknowledgement(setChosen)]}
          filters={[
            { kind: "text", name: "search", label: "Message or subject" },
            {
              kind: "choices",
              name: "severity",
              label: "Severity",
              options: wordOptions(SEVERITIES),
            },
            {
              kind: "choice",
              name: "is_resolved",
              label: "Open",
              options: yesNoOptions("Resolved", "Open"),
            },
            {
              kind: "choice",
              name: "state",
              label: "State",
              options: wordOptions(["open", "acknowledged", "resolved"]),
            },
            { kind: "host", name: "host" },
          ]}
          defaultOrdering="severity"
          rowKey={(finding) => finding.id}
          empty={
            <EmptyView title="No findings">
              Agents report what is wrong with a module, a token or a unit; the console’s own rules
              look at every inventory. Both found nothing.
            </EmptyView>
          }
        />
      </PageSection>
      {chosen !== null && <AcknowledgeDialog finding={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

const COLUMNS: Column<Finding>[] = [
  {
    title: "Severity",
    orderBy: "severity",
    cell: (finding) => <StateLabel state={finding.severity} />,
  },
  { title: "Host", orderBy: "host", cell: (finding) => <HostName host={finding.host} /> },
  { title: "What happened", width: 35, cell: (finding) => <Message finding={finding} /> },
  {
    title: "Subject",
    cell: (finding) => (
      <>
        {finding.subject_kind} <Mono>{finding.subject_key}</Mono>
      </>
    ),
  },
  {
    title: "First seen",
    orderBy: "first_seen_at",
    isTight: true,
    cell: (finding) => <Time at={finding.first_seen_at} />,
  },
];

function Message({ finding }: { finding: Finding }) {
  return (
    <>
      {finding.message}
      {finding.remedy !== "" && <div className="kr-subtle">{finding.remedy}</div>}
      {finding.resolved_at !== null && (
        <div>
          <StateLabel state="ok" text="resolved" /> <Time at={finding.resolved_at} />
        </div>
      )}
    </>
  );
}

function acknowledgement(onChoose: (finding: Finding) => void): Column<Finding> {
  return {
    title: "Acknowledged",
    cell: (finding) => {
      if (finding.acknowledged_at !== null) {
        return (
          <>
            {finding.acknowledged_by?.username}, <Time at={finding.acknowledged_at} />
            {finding.comment !== "" && <div className="kr-subtle">{finding.comment}</div>}
          </>
        );
      }
      if (finding.resolved_at !== null || !finding.capabilities["finding.acknowledge"]) return "no";
      return (
        <Button variant="link" isInline onClick={() => onChoose(finding)}>
          Acknowledge
        </Button>
      );
    },
  };
}
