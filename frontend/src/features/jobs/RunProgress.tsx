import { Progress } from "@patternfly/react-core";
import type { RunSummary } from "../../api/types";
import { formatDuration } from "../../components/format";
import { Time } from "../../components/Time";

interface Known {
  done: number;
  total: number;
  remaining: number | null;
  doing: string;
}

/** What the agent last said of how far it is; its keys are the workload's, so none is taken for granted. */
export function readProgress(progress: Record<string, unknown>): Known | null {
  const { done, total, remaining_seconds: remaining, doing } = progress;
  if (typeof done !== "number" || typeof total !== "number" || total <= 0) return null;
  return {
    done,
    total,
    remaining: typeof remaining === "number" ? remaining : null,
    doing: typeof doing === "string" ? doing : "",
  };
}

export function RunProgress({ run }: { run: RunSummary }) {
  if (run.state === "queued") {
    return (
      <p>
        Waiting for the host to take it. If the host does not, the run expires{" "}
        <Time at={run.expires_at} />.
      </p>
    );
  }
  if (run.state !== "running" && run.state !== "claimed") return null;
  const known = readProgress(run.progress);
  if (run.cancel_requested_at !== null) return <p>Being cancelled: the host ends it now.</p>;
  if (known === null) return <p>The host has taken the run and prepares it.</p>;
  const left = known.remaining === null ? "" : `, about ${formatDuration(known.remaining)} left`;
  return (
    <Progress
      title={`Measuring ${known.doing}${left}`}
      value={known.done}
      max={known.total}
      measureLocation="outside"
      label={`${known.done} of ${known.total}`}
      valueText={`${known.done} of ${known.total}`}
    />
  );
}
