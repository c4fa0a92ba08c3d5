/** States as labels: colour, icon and word, so that colour is never the only sign. */
import { Label, type LabelProps } from "@patternfly/react-core";
import BanIcon from "@patternfly/react-icons/dist/esm/icons/ban-icon";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import CheckCircleIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import ClockIcon from "@patternfly/react-icons/dist/esm/icons/clock-icon";
import ExclamationCircleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon";
import ExclamationTriangleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon";
import InProgressIcon from "@patternfly/react-icons/dist/esm/icons/in-progress-icon";
import MinusCircleIcon from "@patternfly/react-icons/dist/esm/icons/minus-circle-icon";
import UnlinkIcon from "@patternfly/react-icons/dist/esm/icons/unlink-icon";
import type { ComponentType } from "react";
import { words } from "./format";

type Look = [LabelProps["color"], ComponentType];

const good: Look = ["green", CheckCircleIcon];
const waiting: Look = ["blue", ClockIcon];
const moving: Look = ["blue", InProgressIcon];
const doubtful: Look = ["orange", ExclamationTriangleIcon];
const bad: Look = ["red", ExclamationCircleIcon];
const over: Look = ["grey", MinusCircleIcon];
const plain: Look = ["grey", ClockIcon];

/** One table for all state words of the API; a word from a newer agent shows plainly. */
const LOOKS: Record<string, Look> = {
  // hosts
  pending: waiting,
  active: good,
  offline: ["orange", UnlinkIcon],
  retired: over,
  revoked: ["red", BanIcon],
  // runs and jobs
  queued: waiting,
  claimed: moving,
  running: moving,
  succeeded: good,
  finished: good,
  failed: bad,
  errored: bad,
  cancelled: over,
  lost: ["orange", UnlinkIcon],
  expired: over,
  // changes and their steps
  draft: plain,
  planning: moving,
  planned: waiting,
  awaiting_approval: ["orange", BellIcon],
  verifying: moving,
  waiting_reboot: ["orange", ClockIcon],
  rolled_back: doubtful,
  needs_attention: bad,
  stale: doubtful,
  done: good,
  undoing: moving,
  undone: over,
  undo_failed: bad,
  skipped: over,
  // risks
  low: good,
  medium: doubtful,
  high: bad,
  // units, providers, slots
  present: good,
  ok: good,
  enabled: good,
  disabled: over,
  free: ["teal", CheckCircleIcon],
  faulty: bad,
  inactive: over,
  gone: over,
  // PINs
  locked: bad,
  final_try: bad,
  count_low: doubtful,
  to_be_changed: doubtful,
  not_initialised: over,
  // findings
  critical: bad,
  warning: doubtful,
  notice: ["blue", BellIcon],
  // tokens of the API and of enrolment
  used: over,
  used_up: over,
};

export function StateLabel({ state, text }: { state: string; text?: string }) {
  const [color, Icon] = LOOKS[state] ?? plain;
  return (
    <Label isCompact variant="outline" color={color} icon={<Icon />}>
      {text ?? words(state)}
    </Label>
  );
}

const VERDICTS: Record<string, LabelProps["color"]> = {
  faster: "green",
  slower: "red",
  equivalent: "blue",
  no_difference_shown: "grey",
  too_few_rounds: "orange",
  host_too_noisy: "orange",
};

export function VerdictLabel({ verdict }: { verdict: string }) {
  return (
    <Label isCompact color={VERDICTS[verdict] ?? "grey"}>
      {words(verdict)}
    </Label>
  );
}
