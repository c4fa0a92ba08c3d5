import { lists } from "../../api/queries";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { CHANGE_STATES, wordOptions } from "../../components/words";
import { ChangeTabs } from "./ChangeTabs";
import { CHANGE_COLUMNS, changeHostColumn } from "./columns";
import { NewChangeButton } from "./NewChangeButton";

export function ChangesPage() {
  return (
    <>
      <PageHead title="Changes" actions={<NewChangeButton />}>
        What is asked of hosts: planned by their agents, approved by a second person, applied step
        by step and read back.
      </PageHead>
      <ChangeTabs>
        <ResourceList
          title="Changes"
          path="/api/v1/changes/"
          query={lists.changes}
          columns={[changeHostColumn, ...CHANGE_COLUMNS]}
          filters={[
            { kind: "text", name: "search", label: "Host, sentence or reason" },
            {
              kind: "choice",
              name: "needs",
              label: "Needs",
              options: wordOptions(["approval", "reboot", "attention", "apply"]),
            },
            {
              kind: "choices",
              name: "state",
              label: "State",
              options: wordOptions(CHANGE_STATES),
            },
            { kind: "host", name: "host" },
            { kind: "given", name: "batch", label: "Of one batch" },
          ]}
          defaultOrdering="-created_at"
          rowKey={(change) => change.id}
          empty={
            <EmptyView title="No change yet" action={<NewChangeButton />}>
              A change says how a host should be. Its agent answers with a plan; nothing is done
              before somebody applies it.
            </EmptyView>
          }
        />
      </ChangeTabs>
    </>
  );
}
