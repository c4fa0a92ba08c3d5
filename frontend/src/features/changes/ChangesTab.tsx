import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { EmptyView } from "../../components/States";
import { CHANGE_STATES, wordOptions } from "../../components/words";
import { useHost } from "../hosts/useHost";
import { CHANGE_COLUMNS } from "./columns";
import { NewChangeButton } from "./NewChangeButton";
import { PauseBanner } from "./PauseBanner";

export function ChangesTab() {
  const host = useHost();
  return (
    <>
      <PauseBanner />
      <ResourceList
        title={`Changes of ${host.name}`}
        path="/api/v1/changes/"
        query={lists.changes}
        fixed={{ host: host.id }}
        columns={CHANGE_COLUMNS}
        filters={[
          { kind: "text", name: "search", label: "Sentence or reason" },
          { kind: "choices", name: "state", label: "State", options: wordOptions(CHANGE_STATES) },
        ]}
        defaultOrdering="-created_at"
        rowKey={(change) => change.id}
        empty={
          <EmptyView title="No change of this host yet" action={<NewChangeButton host={host.id} />}>
            A change says how the host should be; its agent answers with a plan.
          </EmptyView>
        }
      />
    </>
  );
}
