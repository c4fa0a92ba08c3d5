import { Card, CardBody, CardTitle, Content, Title } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { runQuery } from "../../api/queries";
import { type Fact, Facts } from "../../components/Facts";
import { sentenceWords } from "../../components/format";
import { Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";

/** What the agent said of the run as a whole: versions, masks, the program's own word on them. */
export function RunResult({ runId }: { runId: string }) {
  const run = useQuery(runQuery(runId));
  return (
    <QueryView query={run} what="the run’s circumstances" lines={3}>
      {({ result }) => {
        const groups = groupResult(result);
        if (groups.length === 0) return null;
        return (
          <Card>
            <CardTitle component="h2">How it was measured</CardTitle>
            <CardBody>
              {groups.map((group) => (
                <Group key={group.title} group={group} />
              ))}
            </CardBody>
          </Card>
        );
      }}
    </QueryView>
  );
}

interface ResultGroup {
  title: string;
  /** What reads as a sentence is shown as one. */
  sentences: string[];
  entries: [name: string, text: string][];
}

/** Entries shown in the tables above already. */
const SHOWN_ABOVE = new Set(["cells"]);

/**
 * A run's result by its top-level objects; single values come first, under "Run". What the keys are is
 * the workload's own business, so none is known here.
 */
export function groupResult(result: Record<string, unknown>): ResultGroup[] {
  const single: ResultGroup = { title: "Run", sentences: [], entries: [] };
  const groups = [single];
  for (const [key, value] of Object.entries(result)) {
    if (SHOWN_ABOVE.has(key) || value === null || value === "") continue;
    if (typeof value === "object" && !Array.isArray(value)) {
      groups.push({ title: term(key), sentences: [], entries: flatten(value) });
    } else if (typeof value === "string" && value.endsWith(".")) {
      single.sentences.push(value);
    } else {
      single.entries.push([term(key), plain(value)]);
    }
  }
  return groups.filter(({ sentences, entries }) => sentences.length + entries.length > 0);
}

function flatten(value: object, prefix = ""): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, string][] => {
    const name = prefix === "" ? key : `${prefix} ${key}`;
    if (inner === null || inner === "" || (Array.isArray(inner) && inner.length === 0)) return [];
    if (typeof inner === "object" && !Array.isArray(inner)) return flatten(inner, name);
    return [[term(name), plain(inner)]];
  });
}

/** A key as people write it. */
function term(key: string): string {
  return sentenceWords(key)
    .replace(/\bopenssl\b/i, "OpenSSL")
    .replace(/^cpusettings$/i, "CPU settings")
    .replace(/\bcpu\b/i, "CPU");
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Group({ group: { title, sentences, entries } }: { group: ResultGroup }) {
  return (
    <section className="kr-section">
      <Title headingLevel="h3" size="md" className="kr-below">
        {title}
      </Title>
      {sentences.map((sentence) => (
        <Content key={sentence} component="p" className="kr-anywhere">
          {sentence}
        </Content>
      ))}
      <Facts
        columns={3}
        facts={entries.map(([name, text]): Fact => [
          name,
          <span key={name} className="kr-anywhere">
            <Mono>{text}</Mono>
          </span>,
        ])}
      />
    </section>
  );
}
