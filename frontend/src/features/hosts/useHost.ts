import { useOutletContext } from "react-router";
import type { Host } from "../../api/types";

/** The host whose page surrounds this tab. */
export function useHost(): Host {
  return useOutletContext<Host>();
}
