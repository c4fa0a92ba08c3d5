import { Label, Tooltip } from "@patternfly/react-core";
import BoltIcon from "@patternfly/react-icons/dist/esm/icons/bolt-icon";
import HourglassHalfIcon from "@patternfly/react-icons/dist/esm/icons/hourglass-half-icon";
import PauseCircleIcon from "@patternfly/react-icons/dist/esm/icons/pause-circle-icon";
import { POLL_MILLISECONDS } from "../api/live";
import { useLive } from "./liveContext";

const SEEN = {
  connecting: {
    text: "Connecting",
    color: "grey",
    icon: <HourglassHalfIcon />,
    why: "Connecting to the console's event stream.",
  },
  live: {
    text: "Live",
    color: "green",
    icon: <BoltIcon />,
    why: "What you see changes as soon as the console learns of it.",
  },
  paused: {
    text: "Paused",
    color: "orange",
    icon: <PauseCircleIcon />,
    why:
      "The event stream is down. What you see is read again every " +
      `${POLL_MILLISECONDS / 1000} seconds. Press to connect now.`,
  },
} as const;

/** Whether the page follows events or polls. When paused it is a button that tries again. */
export function LiveIndicator() {
  const { state, reconnect } = useLive();
  const { text, color, icon, why } = SEEN[state];
  return (
    <div className="kr-live" role="status" aria-label={`Updates: ${text.toLowerCase()}`}>
      <Tooltip content={why}>
        <Label
          color={color}
          icon={icon}
          {...(state === "paused" ? { onClick: reconnect } : { tabIndex: 0 })}
        >
          <span className="kr-wide-only">{text}</span>
        </Label>
      </Tooltip>
    </div>
  );
}
