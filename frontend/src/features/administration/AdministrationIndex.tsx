import { Navigate } from "react-router";
import { useMe } from "../../app/session";
import { ADMINISTRATION_TABS } from "./tabs";

/** Opens the first part that the user may see. */
export function AdministrationIndex() {
  const { capabilities } = useMe();
  const first = ADMINISTRATION_TABS.find(({ verb }) => capabilities[verb]);
  return <Navigate to={`/administration/${first?.path ?? "api-tokens"}`} replace />;
}
