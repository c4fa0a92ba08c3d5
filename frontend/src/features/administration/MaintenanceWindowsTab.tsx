import { Button } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { maintenanceWindowDelete } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { MaintenanceWindow } from "../../api/types";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { RowMenu } from "../../components/RowMenu";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { WindowDialog } from "./WindowDialog";
import { windowWords } from "./windowForm";

const COLUMNS: Column<MaintenanceWindow>[] = [
  { title: "Window", orderBy: "name", cell: (window) => window.name },
  { title: "Group", cell: (window) => window.group.name },
  { title: "When", width: 30, cell: windowWords },
  { title: "Opens", isTight: true, cell: (window) => <Time at={window.opens_at} /> },
  { title: "Closes", isTight: true, cell: (window) => <Time at={window.closes_at} /> },
];

/** When changes of a group's hosts may be applied. */
export function MaintenanceWindowsTab() {
  const [editing, setEditing] = useState<MaintenanceWindow | "new" | null>(null);
  const [deleting, setDeleting] = useState<MaintenanceWindow | null>(null);
  const actions: Column<MaintenanceWindow> = {
    title: "Actions",
    isActions: true,
    cell: (window) => (
      <RowMenu
        label={`Actions of ${window.name}`}
        actions={[
          { title: "Change", onClick: () => setEditing(window) },
          { title: "Delete", onClick: () => setDeleting(window), isDanger: true },
        ]}
      />
    ),
  };
  const create = <Button onClick={() => setEditing("new")}>New window</Button>;
  return (
    <>
      <ResourceList
        title="Maintenance windows"
        path="/api/v1/maintenance-windows/"
        query={lists.maintenanceWindows}
        columns={[...COLUMNS, actions]}
        filters={[{ kind: "text", name: "search", label: "Name or group" }]}
        defaultOrdering="name"
        rowKey={(window) => window.id}
        actions={create}
        empty={
          <EmptyView title="No maintenance window yet" action={create}>
            Hosts of a group with windows have their changes applied only while one of them is open;
            all others at any time.
          </EmptyView>
        }
      />
      {editing !== null && (
        <WindowDialog
          window={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {deleting !== null && <DeleteDialog window={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function DeleteDialog({ window, onClose }: { window: MaintenanceWindow; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => maintenanceWindowDelete(window.id),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={`Delete ${window.name}?`}
      action="Delete"
      isDanger
      mutation={remove}
      onClose={onClose}
    >
      Changes of the hosts of {window.group.name} then go by its other windows; without any they are
      applied at any time.
    </ConfirmDialog>
  );
}
