import { Button } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../api/errors";
import { hostGroupCreate, hostGroupDelete, hostGroupUpdate } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { HostGroup } from "../../api/types";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { FormDialog } from "../../components/FormDialog";
import { formatCount, plural } from "../../components/format";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { RowMenu } from "../../components/RowMenu";
import { EmptyView } from "../../components/States";
import { TextField } from "../../components/TextField";
import { GroupMembersDialog } from "./GroupMembersDialog";

type Open = { what: "edit" | "members" | "delete"; group: HostGroup } | { what: "new" } | null;

const COLUMNS: Column<HostGroup>[] = [
  { title: "Group", orderBy: "name", cell: (group) => group.name },
  { title: "Description", width: 40, cell: (group) => group.description },
  {
    title: "Hosts",
    isNumeric: true,
    cell: (group) => <Link to={`/hosts?group=${group.id}`}>{formatCount(group.host_count)}</Link>,
  },
];

/** Groups of hosts; maintenance windows belong to them. */
export function HostGroupsTab() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const actions: Column<HostGroup> = {
    title: "Actions",
    isActions: true,
    cell: (group) => (
      <RowMenu
        label={`Actions of ${group.name}`}
        actions={[
          { title: "Choose hosts", onClick: () => setOpen({ what: "members", group }) },
          { title: "Change", onClick: () => setOpen({ what: "edit", group }) },
          { title: "Delete", onClick: () => setOpen({ what: "delete", group }), isDanger: true },
        ]}
      />
    ),
  };
  const create = <Button onClick={() => setOpen({ what: "new" })}>New group</Button>;
  return (
    <>
      <ResourceList
        title="Host groups"
        path="/api/v1/host-groups/"
        query={lists.hostGroups}
        columns={[...COLUMNS, actions]}
        filters={[{ kind: "text", name: "search", label: "Name or description" }]}
        defaultOrdering="name"
        rowKey={(group) => group.id}
        actions={create}
        empty={
          <EmptyView title="No host group yet" action={create}>
            Hosts of a group share maintenance windows; a host may be in several.
          </EmptyView>
        }
      />
      {open?.what === "new" && <GroupDialog group={null} onClose={close} />}
      {open?.what === "edit" && <GroupDialog group={open.group} onClose={close} />}
      {open?.what === "members" && <GroupMembersDialog group={open.group} onClose={close} />}
      {open?.what === "delete" && <DeleteDialog group={open.group} onClose={close} />}
    </>
  );
}

function GroupDialog({ group, onClose }: { group: HostGroup | null; onClose: () => void }) {
  const [name, setName] = useState(group?.name ?? "");
  const [description, setDescription] = useState(group?.description ?? "");
  const save = useMutation({
    mutationFn: () =>
      group === null
        ? hostGroupCreate({ name, description })
        : hostGroupUpdate(group.id, { name, description }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={group === null ? "New host group" : `Change ${group.name}`}
      action="Save"
      mutation={save}
      canSubmit={name.trim() !== ""}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        id="group-name"
        label="Name"
        value={name}
        onChange={setName}
        isRequired
        error={save.isError ? asApiError(save.error).fields["name"] : undefined}
        autoComplete="off"
      />
      <TextField
        id="group-description"
        label="Description"
        value={description}
        onChange={setDescription}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function DeleteDialog({ group, onClose }: { group: HostGroup; onClose: () => void }) {
  const remove = useMutation({ mutationFn: () => hostGroupDelete(group.id), onSuccess: onClose });
  return (
    <ConfirmDialog
      title={`Delete ${group.name}?`}
      action="Delete"
      isDanger
      mutation={remove}
      onClose={onClose}
    >
      Its {plural(group.host_count, "host")} stay. Its maintenance windows go with it: changes of
      these hosts are then applied at any time, unless another group of theirs has windows.
    </ConfirmDialog>
  );
}
