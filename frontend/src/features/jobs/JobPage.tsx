import { Alert, PageSection, Stack, StackItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearchParams } from "react-router";
import { jobQuery } from "../../api/queries";
import type { JobDetail, RunSummary } from "../../api/types";
import { formatDuration } from "../../components/format";
import { SimulatedLabel } from "../../components/HostName";
import { Mono } from "../../components/Mono";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { LoadingLines } from "../../components/States";
import { Time } from "../../components/Time";
import { JobState } from "./columns";
import { JobActions } from "./JobActions";
import { RunsTable } from "./RunsTable";
import { RunView } from "./RunView";

export function JobPage() {
  const { jobId = "" } = useParams();
  const job = useQuery(jobQuery(jobId));
  return (
    <QueryView
      query={job}
      what="the job"
      loading={
        <PageSection isFilled>
          <LoadingLines what="the job" lines={12} />
        </PageSection>
      }
    >
      {(data) => <JobView job={data} />}
    </QueryView>
  );
}

/** The run shown below the table: the one named in the URL, else the first that says something. */
function chosenRun(runs: RunSummary[], wanted: string | null): RunSummary | undefined {
  return (
    runs.find((run) => run.id === wanted) ??
    runs.find((run) => run.comparisons.length > 0) ??
    runs.find((run) => run.state === "running") ??
    runs[0]
  );
}

function JobView({ job }: { job: JobDetail }) {
  const [params, setParams] = useSearchParams();
  const run = chosenRun(job.runs, params.get("run"));
  return (
    <>
      <PageHead
        title={job.name || job.workload_title}
        parent={{ to: "/jobs", label: "Jobs" }}
        labels={
          <>
            <JobState job={job} />
            {job.runs.some(({ host }) => host.is_simulated) && <SimulatedLabel />}
          </>
        }
        actions={<JobActions job={job} />}
      >
        <Mono>{job.workload}</Mono> · {sentenceOf(job)} · asked for <Time at={job.created_at} /> by{" "}
        <Mono>{job.created_by_name}</Mono> · a run takes about{" "}
        {formatDuration(job.expected_seconds)}
      </PageHead>
      <PageSection isFilled>
        <Stack hasGutter>
          {job.runs.length > 1 && (
            <StackItem>
              <RunsTable
                runs={job.runs}
                chosen={run?.id}
                onChoose={(id) =>
                  setParams({ run: id }, { replace: true, preventScrollReset: true })
                }
              />
            </StackItem>
          )}
          {run !== undefined && (
            <StackItem>
              <RunView key={run.id} run={run} />
            </StackItem>
          )}
          {run === undefined && (
            <Alert component="p" isInline variant="warning" title="This job has no run any more" />
          )}
        </Stack>
      </PageSection>
    </>
  );
}

function sentenceOf({ sentence }: JobDetail): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
