import { StateLabel } from "../../components/StateLabel";

/** As programs find it; marked where that is not as it is configured. */
export function MetaslotState({ status, actual }: { status: string; actual: string }) {
  if (actual === "") return <span className="kr-subtle">nobody could look</span>;
  if (actual === status) return <StateLabel state={actual} />;
  return <StateLabel state="warning" text={`${actual}, not as configured`} />;
}
