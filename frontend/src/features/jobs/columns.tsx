import { Link } from "react-router";
import type { Job, RunSummary } from "../../api/types";
import { formatCount, formatDuration } from "../../components/format";
import { HostName } from "../../components/HostName";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";

export const JOB_COLUMNS: Column<Job>[] = [
  {
    title: "Job",
    orderBy: "name",
    cell: (job) => <Link to={`/jobs/${job.id}`}>{job.name || job.workload_title}</Link>,
  },
  { title: "Workload", orderBy: "workload", cell: (job) => <Mono>{job.workload}</Mono> },
  { title: "State", cell: (job) => <JobState job={job} /> },
  {
    title: "Hosts",
    orderBy: "hosts_total",
    isNumeric: true,
    cell: (job) => formatCount(job.hosts_total),
  },
  { title: "Answers", cell: (job) => job.sentence },
  { title: "By", orderBy: "created_by_name", cell: (job) => <Mono>{job.created_by_name}</Mono> },
  {
    title: "Asked for",
    orderBy: "created_at",
    isTight: true,
    cell: (job) => <Time at={job.created_at} />,
  },
];

/** The job's derived state; what went wrong on single hosts shows beside it. */
export function JobState({ job }: { job: Pick<Job, "state" | "counts"> }) {
  const wrong = ["failed", "errored", "lost", "expired"].filter((state) => job.counts[state]);
  return (
    <span className="kr-inline">
      <StateLabel state={job.state} />
      {wrong.map((state) => (
        <StateLabel key={state} state={state} text={`${job.counts[state] ?? 0} ${state}`} />
      ))}
    </span>
  );
}

export function runSeconds(run: RunSummary): number | null {
  if (run.started_at === null || run.finished_at === null) return null;
  return (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
}

export const runHostColumn: Column<RunSummary> = {
  title: "Host",
  orderBy: "host",
  cell: (run) => <HostName host={run.host} tab="jobs" />,
};

export const RUN_COLUMNS: Column<RunSummary>[] = [
  {
    title: "Job",
    cell: (run) => (
      <Link to={`/jobs/${run.job.id}?run=${run.id}`}>{run.job.name || run.job.workload}</Link>
    ),
  },
  { title: "State", orderBy: "state", cell: (run) => <StateLabel state={run.state} /> },
  { title: "What it showed", width: 40, cell: (run) => run.sentence || run.message },
  {
    title: "Took",
    isNumeric: true,
    isTight: true,
    cell: (run) => {
      const seconds = runSeconds(run);
      return seconds === null ? "" : formatDuration(seconds);
    },
  },
  {
    title: "Queued",
    orderBy: "queued_at",
    isTight: true,
    cell: (run) => <Time at={run.queued_at} />,
  },
];
