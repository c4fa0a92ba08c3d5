/** One run: the verdict in a sentence first, then the figures behind it. */
import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  Skeleton,
  Stack,
  StackItem,
  Title,
} from "@patternfly/react-core";
import { lazy, Suspense } from "react";
import type { RunSummary } from "../../api/types";
import { formatDuration } from "../../components/format";
import { HostName } from "../../components/HostName";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";
import { ComparisonTable } from "./ComparisonTable";
import { CpuTable } from "./CpuTable";
import { runSeconds } from "./columns";
import { PublishedTable } from "./PublishedTable";
import { RawOutput } from "./RawOutput";
import { RunProgress } from "./RunProgress";
import { RunResult } from "./RunResult";

// The chart library is large and only needed where there is a chart.
const RunCharts = lazy(() => import("./RunCharts"));

export function RunView({ run }: { run: RunSummary }) {
  const { comparisons } = run;
  return (
    <Stack hasGutter>
      <StackItem>
        <RunHead run={run} />
      </StackItem>
      {comparisons.length > 0 && (
        <>
          <StackItem>
            <Card>
              <CardTitle component="h2">With and without acceleration</CardTitle>
              <CardBody>
                <Suspense
                  fallback={<Skeleton height="20rem" screenreaderText="Loading the chart" />}
                >
                  <RunCharts comparisons={comparisons} />
                </Suspense>
              </CardBody>
              <CardBody>
                <ComparisonTable comparisons={comparisons} />
              </CardBody>
            </Card>
          </StackItem>
          <StackItem>
            <CpuTable comparisons={comparisons} />
          </StackItem>
          <PublishedTable comparisons={comparisons} />
        </>
      )}
      <StackItem>
        <RunResult runId={run.id} />
      </StackItem>
      <StackItem>
        <RawOutput run={run} />
      </StackItem>
    </Stack>
  );
}

function RunHead({ run }: { run: RunSummary }) {
  const seconds = runSeconds(run);
  const verdict = run.comparisons.find((each) => each.sentence === run.sentence)?.verdict;
  return (
    <Card>
      <CardBody>
        <div className="kr-inline kr-below">
          <HostName host={run.host} tab="jobs" />
          <StateLabel state={run.state} />
          <span className="kr-subtle">
            queued <Time at={run.queued_at} />
            {seconds !== null && `, took ${formatDuration(seconds)}`}
          </span>
        </div>
        {run.sentence !== "" && (
          <Title headingLevel="h2" size="xl" className="kr-verdict" data-verdict={verdict}>
            {run.sentence}
          </Title>
        )}
        <RunProgress run={run} />
        <RunMessage run={run} />
      </CardBody>
    </Card>
  );
}

const VARIANTS = {
  succeeded: undefined,
  failed: "danger",
  errored: "danger",
  lost: "warning",
  expired: "warning",
  cancelled: "info",
} as const;

function RunMessage({ run }: { run: RunSummary }) {
  if (run.message === "") return null;
  const variant = VARIANTS[run.state as keyof typeof VARIANTS];
  if (variant === undefined) return <p className="kr-subtle kr-above">{run.message}</p>;
  return (
    <Alert component="p" isInline variant={variant} title={run.message} className="kr-above" />
  );
}
