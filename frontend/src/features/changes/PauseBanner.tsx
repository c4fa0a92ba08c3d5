import { Alert } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { pauseQuery } from "../../api/queries";
import { Mono } from "../../components/Mono";
import { Time } from "../../components/Time";

/** Says that applies are paused; nothing while they are not. */
export function PauseBanner() {
  const pause = useQuery(pauseQuery());
  if (!pause.data?.is_paused) return null;
  const { by_name: by, at, reason } = pause.data;
  return (
    <Alert isInline variant="warning" title="Applies are paused" className="kr-below">
      <Mono>{by}</Mono> paused them <Time at={at} />: “{reason}” Plans are made and approved as
      ever; what was applied waits.
    </Alert>
  );
}
