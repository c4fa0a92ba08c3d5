import { useNavigate } from "react-router";
import { useMe } from "../../app/session";
import { GuardedButton, roleReason } from "../../components/GuardedButton";

/** Leads to the form of a new change; `host` is chosen there. */
export function NewChangeButton({ host }: { host?: string }) {
  const { capabilities } = useMe();
  const navigate = useNavigate();
  return (
    <GuardedButton
      variant="primary"
      isAllowed={capabilities["change.request"] ?? false}
      reason={roleReason("ask for changes")}
      onClick={() =>
        void navigate(host === undefined ? "/changes/new" : `/changes/new?hosts=${host}`)
      }
    >
      New change
    </GuardedButton>
  );
}
