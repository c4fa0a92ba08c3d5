import { Link } from "react-router";
import type { RecentJob } from "../../api/types";
import { plural } from "../../components/format";
import { StateLabel } from "../../components/StateLabel";
import { EmptyView } from "../../components/States";
import { Time } from "../../components/Time";
import { NewJobButton } from "../jobs/NewJobButton";
import { RatioBars } from "./RatioBars";

/** The newest jobs with their speed-ups as small charts. */
export function LastJobs({ jobs }: { jobs: RecentJob[] }) {
  if (jobs.length === 0) {
    return (
      <EmptyView title="No job yet" action={<NewJobButton />}>
        A job measures what an accelerator is worth here.
      </EmptyView>
    );
  }
  return (
    <ul className="kr-jobs">
      {jobs.map((job) => (
        <li key={job.id}>
          <div className="kr-inline">
            <Link to={`/jobs/${job.id}`}>{job.name || job.workload}</Link>
            <StateLabel state={job.state} />
            <span className="kr-subtle">
              {plural(job.hosts_total, "host")}, <Time at={job.created_at} />
            </span>
          </div>
          <RatioBars speedups={job.comparisons} />
        </li>
      ))}
    </ul>
  );
}
