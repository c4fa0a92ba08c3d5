import type { ButtonProps } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { hostKindsQuery } from "../../api/queries";
import { useMe } from "../../app/session";
import { GuardedButton, roleReason } from "../../components/GuardedButton";

interface Props extends ButtonProps {
  host: string;
  /** Of the change that the button asks for. */
  kind: string;
  /** Why it makes no sense now; empty: it does. */
  whyNot?: string;
}

/** A button that begins a change; says why where the user may not ask or the host would refuse. */
export function AskButton({ host, kind, whyNot = "", ...button }: Props) {
  const reason = useRefusal(host, kind);
  const why = reason === "" ? whyNot : reason;
  return <GuardedButton {...button} isAllowed={why === ""} reason={why} />;
}

/** Why this user cannot ask this host for the kind of change; empty: they can. */
export function useRefusal(host: string, kind: string): string {
  const { capabilities } = useMe();
  const kinds = useQuery(hostKindsQuery(host));
  if (!capabilities["change.request"]) return roleReason("ask for changes");
  const found = kinds.data?.find(({ name }) => name === kind)?.acceptance;
  return found === undefined || found === null || found.is_accepted ? "" : found.reason;
}
