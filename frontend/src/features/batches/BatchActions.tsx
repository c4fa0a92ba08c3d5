import { Alert, Flex, List, ListItem, Progress } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { batchAct } from "../../api/mutations";
import type { Batch } from "../../api/types";
import { useMe } from "../../app/session";
import { FormDialog } from "../../components/FormDialog";
import { formatCount, plural } from "../../components/format";
import { GuardedButton, roleReason } from "../../components/GuardedButton";
import { Mono } from "../../components/Mono";
import { actOnAll, type Outcome } from "./actRounds";

type Act = "approve" | "apply" | "cancel";

/** Changes of these states can still be acted upon so. */
const FITTING: Record<Act, string[]> = {
  approve: ["awaiting_approval"],
  apply: ["planned"],
  cancel: ["draft", "planning", "planned", "awaiting_approval", "queued", "claimed", "running"],
};
const WORDS: Record<Act, { action: string; verb: string; title: string; says: string }> = {
  approve: {
    action: "Approve",
    verb: "change.approve",
    title: "Approve every plan that waits for it?",
    says: "Each approval is for the plan as it is now. Plans of your own, and those that destroy something, are left out and listed.",
  },
  apply: {
    action: "Apply",
    verb: "change.apply",
    title: "Apply every plan that may be applied?",
    says: "Each host does its own plan, one change at a time. What needs a typed confirmation is left out and listed.",
  },
  cancel: {
    action: "Cancel",
    verb: "change.cancel",
    title: "Cancel what has not ended?",
    says: "What runs stops between two steps and is undone; what was applied stays.",
  },
};
const MOST_SHOWN = 20;

/** Approves, applies or cancels all changes of a batch that can be. */
export function BatchActions({ batch }: { batch: Batch }) {
  const { capabilities } = useMe();
  const [act, setAct] = useState<Act | null>(null);
  return (
    <Flex gap={{ default: "gapSm" }}>
      {(["approve", "apply", "cancel"] as const).map((each) => {
        const { action, verb } = WORDS[each];
        const count = fitting(batch, each);
        const isAllowed = capabilities[verb] ?? false;
        return (
          <GuardedButton
            key={each}
            variant={each === "cancel" ? "danger" : each === "apply" ? "primary" : "secondary"}
            isAllowed={isAllowed && count > 0}
            reason={isAllowed ? `No change of it is to ${each}.` : roleReason(`${each} changes`)}
            onClick={() => setAct(each)}
          >
            {count > 0 ? `${action} ${formatCount(count)}` : action}
          </GuardedButton>
        );
      })}
      {act !== null && <ActDialog batch={batch} act={act} onClose={() => setAct(null)} />}
    </Flex>
  );
}

function fitting(batch: Batch, act: Act): number {
  return FITTING[act].reduce((sum, state) => sum + (batch.counts[state] ?? 0), 0);
}

function ActDialog({ batch, act, onClose }: { batch: Batch; act: Act; onClose: () => void }) {
  const [asked] = useState(() => fitting(batch, act));
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const run = useMutation({
    mutationFn: () => actOnAll((after) => batchAct(batch.id, act, after), setOutcome),
  });
  const { action, title, says } = WORDS[act];
  return (
    <FormDialog
      title={title}
      action={action}
      mutation={run}
      canSubmit
      onSubmit={() => run.mutate()}
      onClose={onClose}
      {...(run.data === undefined
        ? {}
        : { outcome: <Result action={action} outcome={run.data} /> })}
    >
      <p>
        {plural(asked, "change")} of {formatCount(batch.total)}. {says}
      </p>
      {run.isPending && outcome !== null && (
        <Progress
          aria-label="Done so far"
          value={outcome.done + outcome.refused.length}
          max={Math.max(asked, outcome.done + outcome.refused.length + outcome.left)}
          measureLocation="outside"
          label={`${formatCount(outcome.done)} done, ${formatCount(outcome.left)} left`}
        />
      )}
    </FormDialog>
  );
}

function Result({ action, outcome }: { action: string; outcome: Outcome }) {
  const { done, refused } = outcome;
  const shown = refused.slice(0, MOST_SHOWN);
  return (
    <>
      <Alert
        isInline
        component="p"
        variant={refused.length > 0 ? "warning" : "success"}
        title={`${action}: ${plural(done, "change")} done, ${formatCount(refused.length)} left out.`}
      />
      {shown.length > 0 && (
        <List className="kr-above">
          {shown.map(({ change, host, message }) => (
            <ListItem key={change}>
              <Mono>{host}</Mono>: {message}
            </ListItem>
          ))}
          {refused.length > shown.length && (
            <ListItem>… and {formatCount(refused.length - shown.length)} more.</ListItem>
          )}
        </List>
      )}
    </>
  );
}
