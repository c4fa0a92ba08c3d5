import { Button } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/errors";
import { hostUpdate } from "../../api/mutations";
import { lists } from "../../api/queries";
import type { Host } from "../../api/types";
import { FormDialog } from "../../components/FormDialog";
import { HostName } from "../../components/HostName";
import { KeyValueLabels } from "../../components/Labels";
import { formatLabels, parseLabels } from "../../components/labelText";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { TextField } from "../../components/TextField";
import { EnrolButton } from "../hosts/EnrolButton";

/** Labels group hosts: filters, and later rights, go by them. */
export function HostLabelsTab() {
  const [editing, setEditing] = useState<Host | null>(null);
  const columns: Column<Host>[] = [
    { title: "Host", orderBy: "name", cell: (host) => <HostName host={host} /> },
    { title: "State", orderBy: "state", cell: (host) => <StateLabel state={host.state} /> },
    { title: "Labels", width: 40, cell: (host) => <KeyValueLabels labels={host.labels} /> },
    {
      title: "Actions",
      isActions: true,
      cell: (host) =>
        host.capabilities["host.update"] && (
          <Button variant="link" isInline onClick={() => setEditing(host)}>
            Change name or labels
          </Button>
        ),
    },
  ];
  return (
    <>
      <ResourceList
        title="Labels of hosts"
        path="/api/v1/hosts/"
        query={lists.hosts}
        columns={columns}
        filters={[
          { kind: "text", name: "search", label: "Name" },
          { kind: "text", name: "label", label: "Label: key or key=value" },
        ]}
        defaultOrdering="name"
        rowKey={(host) => host.id}
        empty={
          <EmptyView title="No host yet" action={<EnrolButton />}>
            Hosts can be labelled once there are some.
          </EmptyView>
        }
      />
      {editing !== null && <LabelsDialog host={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

function LabelsDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const [name, setName] = useState(host.name);
  const [labels, setLabels] = useState(formatLabels(host.labels));
  const update = useMutation({
    mutationFn: () => hostUpdate(host.id, { name: name.trim(), labels: parseLabels(labels) }),
    onSuccess: onClose,
  });
  const refused = update.isError ? asApiError(update.error).fields : {};
  return (
    <FormDialog
      title={`Name and labels of ${host.name}`}
      action="Save"
      mutation={update}
      canSubmit={name.trim() !== ""}
      onSubmit={() => update.mutate()}
      onClose={onClose}
    >
      <TextField
        id="host-name"
        label="Name"
        value={name}
        onChange={setName}
        isRequired
        error={refused["name"]}
        autoComplete="off"
      />
      <TextField
        id="host-labels"
        label="Labels"
        hint="For example env=prod, site=lab. These replace the labels that it has."
        value={labels}
        onChange={setLabels}
        error={refused["labels"]}
        autoComplete="off"
      />
    </FormDialog>
  );
}
