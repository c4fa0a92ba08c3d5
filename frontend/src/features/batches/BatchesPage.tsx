import { Link } from "react-router";
import { lists } from "../../api/queries";
import type { Batch } from "../../api/types";
import { formatCount } from "../../components/format";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { ChangeTabs } from "../changes/ChangeTabs";
import { NewChangeButton } from "../changes/NewChangeButton";
import { BatchCounts } from "./BatchCounts";

const COLUMNS: Column<Batch>[] = [
  {
    title: "Batch",
    width: 30,
    cell: (batch) => <Link to={`/changes/batches/${batch.id}`}>{batch.title}</Link>,
  },
  { title: "Kind", orderBy: "kind", cell: (batch) => <Mono>{batch.kind}</Mono> },
  { title: "Hosts", isNumeric: true, cell: (batch) => formatCount(batch.total) },
  { title: "States", cell: (batch) => <BatchCounts batch={batch} /> },
  { title: "Reason", cell: (batch) => batch.reason },
  { title: "By", cell: (batch) => <Mono>{batch.requested_by_name}</Mono> },
  {
    title: "Asked for",
    orderBy: "created_at",
    isTight: true,
    cell: (batch) => <Time at={batch.created_at} />,
  },
];

export function BatchesPage() {
  return (
    <>
      <PageHead title="Changes" actions={<NewChangeButton />}>
        A batch asks the same of many hosts: each has a change of its own, with its own plan.
      </PageHead>
      <ChangeTabs>
        <ResourceList
          title="Batches"
          path="/api/v1/change-batches/"
          query={lists.batches}
          columns={COLUMNS}
          filters={[{ kind: "text", name: "search", label: "Kind, reason or who asked" }]}
          defaultOrdering="-created_at"
          rowKey={(batch) => batch.id}
          empty={
            <EmptyView title="No batch yet" action={<NewChangeButton />}>
              Choose several hosts for a new change, and it becomes a batch.
            </EmptyView>
          }
        />
      </ChangeTabs>
    </>
  );
}
