import { EmptyView } from "../../components/States";

/** Nothing found and nothing looked for yet are two different things. */
export function NothingYet({ what, hasInventory }: { what: string; hasInventory: boolean }) {
  return hasInventory ? (
    <EmptyView title={`No ${what} on this host`}>
      The agent looked and found none. The summary says what it cannot see with its rights.
    </EmptyView>
  ) : (
    <EmptyView title="No inventory yet">
      The agent’s first scan has not arrived. It follows within a minute of enrolment.
    </EmptyView>
  );
}
