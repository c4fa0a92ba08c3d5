import { Dropdown, DropdownItem, DropdownList, MenuToggle } from "@patternfly/react-core";
import { useState } from "react";
import { lists } from "../../api/queries";
import type { Metaslot } from "../../api/types";
import { useMe } from "../../app/session";
import { HostName } from "../../components/HostName";
import { WordLabels } from "../../components/Labels";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { StateLabel } from "../../components/StateLabel";
import { yesNoOptions } from "../../components/words";
import { ProviderTabs } from "../providers/ProviderTabs";
import { METASLOT_ACTIONS, type MetaslotAction, MetaslotDialog } from "./MetaslotDialog";
import { MetaslotState } from "./MetaslotState";
import { selectColumn, type Selection, SelectionBar, useSelection } from "./useSelection";

const idOf = (metaslot: Metaslot) => metaslot.id;

const COLUMNS: Column<Metaslot>[] = [
  {
    title: "Host",
    orderBy: "name",
    cell: (metaslot) => <HostName host={metaslot.host} tab="providers" />,
  },
  { title: "Configured", cell: ({ status }) => <StateLabel state={status} /> },
  {
    title: "As programs find it",
    cell: ({ status, actual }) => <MetaslotState status={status} actual={actual} />,
  },
  { title: "Token", cell: ({ token }) => <Mono>{token}</Mono> },
  { title: "Key migration", cell: ({ auto_key_migrate: migrate }) => migrate },
  {
    title: "Mechanisms",
    cell: ({ mechanisms, host }) => (
      <WordLabels words={mechanisms} name={`Metaslot’s mechanisms on ${host.name}`} limit={3} />
    ),
  },
];

/** Metaslots of all hosts; chosen ones can be changed in one batch. */
export function MetaslotsPage() {
  const selection = useSelection<Metaslot>(idOf);
  const column = selectColumn(selection, {
    keyOf: idOf,
    nameOf: (metaslot) => `the metaslot of ${metaslot.host.name}`,
  });
  return (
    <>
      <PageHead title="Metaslots">
        The one virtual slot that Solaris puts in front of all tokens: as it is configured, and as
        programs really find it.
      </PageHead>
      <ProviderTabs>
        <ResourceList
          title="Metaslots"
          path="/api/v1/metaslots/"
          query={lists.metaslots}
          columns={[column, ...COLUMNS]}
          filters={[
            { kind: "text", name: "search", label: "Host" },
            { kind: "choice", name: "status", label: "Configured", options: STATES },
            { kind: "choice", name: "actual", label: "As found", options: STATES },
            {
              kind: "choice",
              name: "is_simulated",
              label: "Hardware",
              options: yesNoOptions("Simulated", "Real"),
            },
          ]}
          defaultOrdering="name"
          rowKey={idOf}
          actions={<Actions selection={selection} />}
          empty={
            <EmptyView title="No metaslot known yet">
              Solaris hosts have one; it appears with the first inventory of such a host.
            </EmptyView>
          }
        />
      </ProviderTabs>
    </>
  );
}

const STATES = [
  { value: "enabled", label: "Enabled" },
  { value: "disabled", label: "Disabled" },
];

function Actions({ selection }: { selection: Selection<Metaslot> }) {
  const { capabilities } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const [action, setAction] = useState<MetaslotAction | null>(null);
  const chosen = [...selection.rows.values()];
  const may = capabilities["change.request"] ?? false;
  return (
    <SelectionBar count={chosen.length} noun="metaslot" onClear={selection.clear}>
      {may && (
        <Dropdown
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          onSelect={() => setIsOpen(false)}
          toggle={(ref) => (
            <MenuToggle
              ref={ref}
              variant="primary"
              isExpanded={isOpen}
              isDisabled={chosen.length === 0}
              onClick={() => setIsOpen(!isOpen)}
            >
              Change metaslots
            </MenuToggle>
          )}
        >
          <DropdownList>
            {METASLOT_ACTIONS.map(({ kind, label }) => (
              <DropdownItem key={kind} onClick={() => setAction(kind)}>
                {label}
              </DropdownItem>
            ))}
          </DropdownList>
        </Dropdown>
      )}
      {action !== null && (
        <MetaslotDialog
          action={action}
          hosts={chosen.map(({ host }) => host)}
          onDone={selection.clear}
          onClose={() => setAction(null)}
        />
      )}
    </SelectionBar>
  );
}
