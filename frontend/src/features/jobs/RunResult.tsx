import { Card, CardBody, CardTitle } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { runQuery } from "../../api/queries";
import { type Fact, Facts } from "../../components/Facts";
import { sentenceWords } from "../../components/format";
import { CopyableMono, Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";

const LONG = 60;

/** What the agent said of the run as a whole: versions, masks, the program's own word on them. */
export function RunResult({ runId }: { runId: string }) {
  const run = useQuery(runQuery(runId));
  return (
    <QueryView query={run} what="the run’s circumstances" lines={3}>
      {({ result }) => {
        const facts = flatten(result);
        if (facts.length === 0) return null;
        return (
          <Card>
            <CardTitle component="h2">How it was measured</CardTitle>
            <CardBody>
              <Facts facts={facts} columns={3} />
            </CardBody>
          </Card>
        );
      }}
    </QueryView>
  );
}

/** Nested objects by dotted name; `cells` is left out, because the tables above show it. */
export function flatten(result: Record<string, unknown>, prefix = ""): Fact[] {
  return Object.entries(result).flatMap(([key, value]): Fact[] => {
    const name = prefix === "" ? key : `${prefix} ${key}`;
    if (key === "cells" || value === null || value === "") return [];
    if (Array.isArray(value)) return value.length === 0 ? [] : [[sentenceWords(name), shown(name, value.map(plain).join(", "))]];
    if (typeof value === "object") return flatten(value as Record<string, unknown>, name);
    return [[sentenceWords(name), shown(name, plain(value))]];
  });
}

function plain(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shown(name: string, text: string) {
  return text.length > LONG ? <CopyableMono text={text} name={name} /> : <Mono>{text}</Mono>;
}
