import { Button } from "@patternfly/react-core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { lists } from "../../api/queries";
import type { Provider } from "../../api/types";
import { useMe } from "../../app/session";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { EnrolButton } from "../hosts/EnrolButton";
import { PROVIDER_COLUMNS, PROVIDER_FILTERS, providerHostColumn } from "../providers/columns";
import { ProviderTabs } from "../providers/ProviderTabs";
import { hasPolicy } from "./hasPolicy";
import { PolicyDialog } from "./PolicyDialog";
import { selectColumn, type Selection, SelectionBar, useSelection } from "./useSelection";

const MOST_AT_ONCE = "1000";
const idOf = (provider: Provider) => provider.id;

const COLUMNS = PROVIDER_COLUMNS.filter(({ title }) => title !== "Version" && title !== "Slots");

/** The policy of one provider on many hosts at once: choose it where it is, then ask. */
export function PolicyPage() {
  const selection = useSelection<Provider>(idOf);
  const chosen = [...selection.rows.values()];
  const name = chosen[0]?.name;
  const column = selectColumn(selection, {
    keyOf: idOf,
    nameOf: (provider) => `${provider.name} of ${provider.host.name}`,
    whyNot: (provider) => whyNot(provider, name),
  });
  return (
    <>
      <PageHead title="Mechanism policy">
        Choose one provider on as many hosts as it shall concern: each gets a change of its own, all
        in one batch.
      </PageHead>
      <ProviderTabs>
        <ResourceList
          title="Providers whose policy can be changed"
          path="/api/v1/providers/"
          query={lists.providers}
          columns={[column, providerHostColumn, ...COLUMNS]}
          filters={[...PROVIDER_FILTERS]}
          defaultOrdering="name"
          rowKey={idOf}
          actions={<Actions selection={selection} chosen={chosen} />}
          empty={
            <EmptyView title="No provider known yet" action={<EnrolButton />}>
              Providers appear with the first inventory of a host.
            </EmptyView>
          }
        />
      </ProviderTabs>
    </>
  );
}

function whyNot(provider: Provider, chosenName: string | undefined): string {
  if (!hasPolicy(provider)) return "Its mechanisms have no policy on the host.";
  if (chosenName !== undefined && provider.name !== chosenName) {
    return `A batch is about one provider, and ${chosenName} is chosen.`;
  }
  return "";
}

function Actions({ selection, chosen }: { selection: Selection<Provider>; chosen: Provider[] }) {
  const { capabilities } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const name = chosen[0]?.name ?? "";
  const may = capabilities["change.request"] ?? false;
  const why = may ? "Choose a provider first." : roleReason("ask for changes");
  return (
    <SelectionBar count={chosen.length} noun="provider" onClear={selection.clear}>
      {name !== "" && <ChooseAll name={name} selection={selection} />}
      <GuardedButton
        variant="primary"
        isAllowed={may && chosen.length > 0}
        reason={why}
        onClick={() => setIsOpen(true)}
      >
        Change policy
      </GuardedButton>
      {isOpen && (
        <PolicyDialog
          providers={chosen}
          onDone={selection.clear}
          onClose={() => setIsOpen(false)}
        />
      )}
    </SelectionBar>
  );
}

/** Chooses the provider on every host that has it. */
function ChooseAll({ name, selection }: { name: string; selection: Selection<Provider> }) {
  const client = useQueryClient();
  const all = useMutation({
    mutationFn: () => client.query(lists.providers({ search: name, page_size: MOST_AT_ONCE })),
    onSuccess: ({ results }) =>
      selection.add(results.filter((provider) => whyNot(provider, name) === "")),
  });
  return (
    <Button variant="link" isInline isLoading={all.isPending} onClick={() => all.mutate()}>
      Choose all hosts with it
    </Button>
  );
}
