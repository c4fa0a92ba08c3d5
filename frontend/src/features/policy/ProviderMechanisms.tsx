import { useState } from "react";
import type { Mechanism, Provider } from "../../api/types";
import { EmptyView } from "../../components/States";
import { factColumns, nameColumn } from "../providers/mechanismColumns";
import { MechanismList } from "../providers/MechanismList";
import { AskButton } from "./AskButton";
import { hasPolicy } from "./hasPolicy";
import { PolicyDialog } from "./PolicyDialog";
import type { PolicyAction } from "./policyForm";
import { selectColumn, SelectionBar, useSelection } from "./useSelection";

const idOf = (mechanism: Mechanism) => mechanism.id;

/** One provider's mechanisms; chosen ones can be allowed or forbidden. */
export function ProviderMechanisms({ provider }: { provider: Provider }) {
  const selection = useSelection<Mechanism>(idOf);
  const [action, setAction] = useState<PolicyAction | null>(null);
  const isGoverned = hasPolicy(provider);
  const names = [...new Set([...selection.rows.values()].map(({ name }) => name))];
  const whyNot = names.length === 0 ? "Choose mechanisms first." : "";
  const ask = { host: provider.host.id, kind: "mechanism.policy" };
  const column = selectColumn(selection, { keyOf: idOf, nameOf: ({ name }) => name });
  return (
    <>
      <MechanismList
        title="Mechanisms of this provider"
        columns={[...(isGoverned ? [column] : []), nameColumn, ...factColumns]}
        fixed={{ host: provider.host.id, provider: provider.id }}
        actions={
          isGoverned ? (
            <SelectionBar count={names.length} noun="mechanism" onClear={selection.clear}>
              <AskButton
                {...ask}
                whyNot={whyNot}
                variant="secondary"
                onClick={() => setAction("allow")}
              >
                Allow
              </AskButton>
              <AskButton
                {...ask}
                whyNot={whyNot}
                variant="secondary"
                onClick={() => setAction("forbid")}
              >
                Forbid
              </AskButton>
              <AskButton {...ask} variant="link" onClick={() => setAction("none")}>
                Whole policy
              </AskButton>
            </SelectionBar>
          ) : undefined
        }
        empty={
          <EmptyView title="No mechanism">
            This provider lists no mechanism, or could not be asked; its state above says which.
          </EmptyView>
        }
      />
      {action !== null && (
        <PolicyDialog
          providers={[provider]}
          action={action}
          mechanisms={action === "none" ? [] : names}
          onDone={selection.clear}
          onClose={() => setAction(null)}
        />
      )}
    </>
  );
}
