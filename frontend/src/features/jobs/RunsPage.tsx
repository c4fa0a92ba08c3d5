import { lists } from "../../api/queries";
import { formatUtc } from "../../components/format";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { RUN_STATES, VERDICTS, wordOptions } from "../../components/words";
import { RUN_COLUMNS, runHostColumn } from "./columns";
import { JobTabs } from "./JobTabs";
import { NewJobButton } from "./NewJobButton";

export function RunsPage() {
  return (
    <>
      <PageHead title="Runs" actions={<NewJobButton />}>
        Each job on each of its hosts.
      </PageHead>
      <JobTabs>
        <ResourceList
          title="Runs"
          path="/api/v1/runs/"
          query={lists.runs}
          columns={[runHostColumn, ...RUN_COLUMNS]}
          filters={[
            { kind: "text", name: "search", label: "Host, job or message" },
            { kind: "choices", name: "state", label: "State", options: wordOptions(RUN_STATES) },
            { kind: "choice", name: "verdict", label: "Verdict", options: wordOptions(VERDICTS) },
            { kind: "given", name: "queued_after", label: "Queued after", show: formatUtc },
          ]}
          defaultOrdering="-queued_at"
          rowKey={(run) => run.id}
          empty={
            <EmptyView title="No run yet" action={<NewJobButton />}>
              A job makes one run on each of its hosts.
            </EmptyView>
          }
        />
      </JobTabs>
    </>
  );
}
