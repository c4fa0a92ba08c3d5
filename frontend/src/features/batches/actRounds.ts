/** Acting on a batch: the console does as many as fit into a moment, so one asks again for the rest. */
import type { BatchDone } from "../../api/types";

export interface Outcome {
  done: number;
  refused: BatchDone["refused"];
  /** Still to do. */
  left: number;
}

/** Ask round after round until nothing is left; `onRound` hears how far it is. */
export async function actOnAll(
  act: (after: number) => Promise<BatchDone>,
  onRound: (outcome: Outcome) => void,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, refused: [], left: 0 };
  let after = 0;
  for (;;) {
    const round = await act(after);
    outcome.done += round.done;
    outcome.refused = [...outcome.refused, ...round.refused];
    outcome.left = round.left;
    onRound({ ...outcome });
    // A round that did not get on would go on for ever.
    if (round.left === 0 || round.last <= after) return outcome;
    after = round.last;
  }
}
