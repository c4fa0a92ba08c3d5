import { ExpandableSection, PageSection } from "@patternfly/react-core";
import { Link } from "react-router";
import { lists } from "../../api/queries";
import type { AuditEvent } from "../../api/types";
import { words } from "../../components/format";
import { ResourceList } from "../../components/list/ResourceList";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { wordOptions } from "../../components/words";

const COLUMNS: Column<AuditEvent>[] = [
  { title: "No.", orderBy: "seq", isNumeric: true, cell: (event) => event.seq },
  {
    title: "When",
    isTight: true,
    cell: (event) => <Time at={event.at} />,
  },
  {
    title: "Who",
    cell: (event) => (
      <>
        <Mono>{event.actor.name}</Mono> <span className="kr-subtle">{words(event.actor.type)}</span>
      </>
    ),
  },
  { title: "Did", cell: (event) => <Mono>{event.verb}</Mono> },
  { title: "To", cell: (event) => <AuditObject event={event} /> },
  { title: "Host", cell: (event) => <AuditHost event={event} /> },
  { title: "Before → after", width: 30, cell: (event) => <Values event={event} /> },
];

function AuditObject({ event }: { event: AuditEvent }) {
  return (
    <>
      <span className="kr-subtle">{words(event.object.type)}</span> <Mono>{event.object.name}</Mono>
    </>
  );
}

function AuditHost({ event }: { event: AuditEvent }) {
  if (event.host === null) return null;
  return (
    <Link className="kr-mono" to={`/hosts/${event.host.id}`}>
      {event.host.name}
    </Link>
  );
}

function pairs(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function Values({ event }: { event: AuditEvent }) {
  const old = Object.fromEntries(pairs(event.old));
  const now = Object.fromEntries(pairs(event.new));
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  if (names.length === 0) return null;
  const lines = names.map((name) => (
    <div key={name} className="kr-anywhere">
      <span className="kr-subtle">{words(name)}:</span>{" "}
      <Mono>
        {name in old && `${text(old[name])} → `}
        {name in now ? text(now[name]) : "removed"}
      </Mono>
    </div>
  ));
  if (lines.length <= 3) return lines;
  return (
    <>
      {lines.slice(0, 2)}
      <ExpandableSection toggleText={`${lines.length - 2} more`}>
        {lines.slice(2)}
      </ExpandableSection>
    </>
  );
}

function text(value: unknown): string {
  if (value === null || value === "") return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function AuditPage() {
  return (
    <>
      <PageHead title="Audit">
        Who did what to which object. Rows are never changed; each is bound to the one before it.
      </PageHead>
      <PageSection isFilled>
        <ResourceList
          title="Audit events"
          path="/api/v1/audit/"
          query={lists.audit}
          columns={COLUMNS}
          filters={[
            { kind: "text", name: "search", label: "Who, what or to what" },
            { kind: "text", name: "verb", label: "Verb" },
            {
              kind: "choices",
              name: "actor_type",
              label: "Kind of actor",
              options: wordOptions(["user", "api_token", "host", "system"]),
            },
          ]}
          defaultOrdering="-seq"
          rowKey={(event) => event.id}
          empty={
            <EmptyView title="Nothing done yet">Every change made here leaves a row.</EmptyView>
          }
        />
      </PageSection>
    </>
  );
}
