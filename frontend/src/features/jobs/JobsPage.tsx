import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { wordOptions } from "../../components/words";
import { JOB_COLUMNS } from "./columns";
import { JobTabs } from "./JobTabs";
import { NewJobButton } from "./NewJobButton";

export function JobsPage() {
  return (
    <>
      <PageHead title="Jobs" actions={<NewJobButton />}>
        Measurements on hosts: the same work with and without acceleration.
      </PageHead>
      <JobTabs>
        <ResourceList
          title="Jobs"
          path="/api/v1/jobs/"
          query={lists.jobs}
          columns={JOB_COLUMNS}
          filters={[
            { kind: "text", name: "search", label: "Name or author" },
            {
              kind: "choices",
              name: "state",
              label: "State",
              options: wordOptions(["queued", "running", "finished", "cancelled"]),
            },
          ]}
          defaultOrdering="-created_at"
          rowKey={(job) => job.id}
          empty={
            <EmptyView title="No job yet" action={<NewJobButton />}>
              A job measures what an accelerator is worth on your own hosts. Pick a workload and a
              host; ten seconds already show something.
            </EmptyView>
          }
        />
      </JobTabs>
    </>
  );
}
