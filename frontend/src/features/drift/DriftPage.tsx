import { Link } from "react-router";
import { lists } from "../../api/queries";
import type { Drift } from "../../api/types";
import { HostName } from "../../components/HostName";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { ChangeTabs } from "../changes/ChangeTabs";

const COLUMNS: Column<Drift>[] = [
  {
    title: "Host",
    orderBy: "host",
    cell: (drift) => <HostName host={drift.host} tab="changes" />,
  },
  {
    title: "Part",
    orderBy: "part",
    cell: (drift) => (
      <span className="kr-anywhere">
        <Mono>{drift.part}</Mono>
      </span>
    ),
  },
  { title: "Was set to", cell: (drift) => <Mono>{shown(drift.expected)}</Mono> },
  { title: "Is now", cell: (drift) => <Mono>{shown(drift.found)}</Mono> },
  {
    title: "Set by",
    cell: (drift) => <Link to={`/changes/${drift.change.id}`}>{drift.change.title}</Link>,
  },
  { title: "Seen", orderBy: "since", isTight: true, cell: (drift) => <Time at={drift.since} /> },
];

/** A part's value in words. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What is no longer as a change last left it. Nothing is put right by itself. */
export function DriftPage() {
  return (
    <>
      <PageHead title="Changes">
        Drift: what is no longer as a change last left it. Nothing is put right by itself; the
        change that set it can be planned again from its page.
      </PageHead>
      <ChangeTabs>
        <ResourceList
          title="Drift"
          path="/api/v1/drifts/"
          query={lists.drifts}
          columns={COLUMNS}
          filters={[
            { kind: "text", name: "search", label: "Host or part" },
            { kind: "host", name: "host" },
          ]}
          defaultOrdering="-since"
          rowKey={(drift) => drift.id}
          empty={
            <EmptyView title="No drift">
              Everything that changes have set is as they left it, as far as the last looks show.
            </EmptyView>
          }
        />
      </ChangeTabs>
    </>
  );
}
