import { useNavigate } from "react-router";
import { useCan } from "../../app/session";
import { GuardedButton, roleReason } from "../../components/GuardedButton";

export function EnrolButton() {
  const navigate = useNavigate();
  return (
    <GuardedButton
      variant="primary"
      isAllowed={useCan("host.enrol")}
      reason={roleReason("enrol hosts")}
      onClick={() => void navigate("/hosts/enrol")}
    >
      Enrol host
    </GuardedButton>
  );
}
