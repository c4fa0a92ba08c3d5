import { useNavigate } from "react-router";
import { useCan } from "../../app/session";
import { GuardedButton, roleReason } from "../../components/GuardedButton";

/** `host`: chosen already when the form opens. */
export function NewJobButton({ host }: { host?: string }) {
  const navigate = useNavigate();
  return (
    <GuardedButton
      variant="primary"
      isAllowed={useCan("job.run")}
      reason={roleReason("run jobs")}
      onClick={() => void navigate(host === undefined ? "/jobs/new" : `/jobs/new?hosts=${host}`)}
    >
      New job
    </GuardedButton>
  );
}
