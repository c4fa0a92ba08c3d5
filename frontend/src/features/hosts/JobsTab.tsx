import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { EmptyView } from "../../components/States";
import { RUN_STATES, wordOptions } from "../../components/words";
import { RUN_COLUMNS } from "../jobs/columns";
import { NewJobButton } from "../jobs/NewJobButton";
import { useHost } from "./useHost";

export function JobsTab() {
  const host = useHost();
  return (
    <ResourceList
      title={`Jobs on ${host.name}`}
      path="/api/v1/runs/"
      query={lists.runs}
      fixed={{ host: host.id }}
      columns={RUN_COLUMNS}
      filters={[
        { kind: "text", name: "search", label: "Job or message" },
        { kind: "choices", name: "state", label: "State", options: wordOptions(RUN_STATES) },
      ]}
      defaultOrdering="-queued_at"
      rowKey={(run) => run.id}
      empty={
        <EmptyView title="No job on this host yet" action={<NewJobButton host={host.id} />}>
          A job measures what an accelerator is worth here.
        </EmptyView>
      }
    />
  );
}
