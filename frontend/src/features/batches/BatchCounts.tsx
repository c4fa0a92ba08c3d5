import { Flex } from "@patternfly/react-core";
import { Link } from "react-router";
import type { Batch } from "../../api/types";
import { formatCount } from "../../components/format";
import { StateLabel } from "../../components/StateLabel";

/** How many of a batch's changes are in which state; each leads to them. */
export function BatchCounts({ batch }: { batch: Batch }) {
  const states = Object.entries(batch.counts).filter(([, count]) => count > 0);
  return (
    <Flex gap={{ default: "gapSm" }}>
      {states.map(([state, count]) => (
        <Link key={state} className="kr-inline" to={`/changes?batch=${batch.id}&state=${state}`}>
          {formatCount(count)} <StateLabel state={state} />
        </Link>
      ))}
    </Flex>
  );
}
