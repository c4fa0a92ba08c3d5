import { Alert, List, ListItem, StackItem } from "@patternfly/react-core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ChangeDetail } from "../../api/types";
import { CopyableMono, Mono } from "../../components/Mono";
import { Time } from "../../components/Time";
import { partValue } from "./parts";

/** What a person should know or do now, above the plan. */
export function ChangeNotices({ change }: { change: ChangeDetail }) {
  const notices = [
    waitingNotice(change),
    attentionNotice(change),
    staleNotice(change),
    refusalNotice(change),
    approvalNotice(change),
    messageNotice(change),
    rollbackNotice(change),
  ];
  return notices.map((notice, index) =>
    notice === null ? null : <StackItem key={index}>{notice}</StackItem>,
  );
}

function waitingNotice(change: ChangeDetail): ReactNode {
  if (change.state !== "waiting_reboot" || change.waiting === null) return null;
  const { domains, text, commands } = change.waiting;
  return (
    <Alert
      isInline
      component="h2"
      variant="warning"
      title={`Waits for the reboot of ${domains.join(", ")}`}
    >
      {text} Waiting since <Time at={change.waiting_since} />. It goes on by itself once an
      inventory shows the reboot.
      <Commands commands={commands} />
    </Alert>
  );
}

function attentionNotice(change: ChangeDetail): ReactNode {
  if (change.state !== "needs_attention") return null;
  const { stands = [], to_type = [] } = change.result;
  return (
    <Alert isInline component="h2" variant="danger" title="This change needs a person">
      {change.message}
      {stands.length > 0 && (
        <List>
          {stands.map((sentence) => (
            <ListItem key={sentence}>{sentence}</ListItem>
          ))}
        </List>
      )}
      {to_type.length > 0 && <p>What puts it right, on the host:</p>}
      <Commands commands={to_type} />
    </Alert>
  );
}

function staleNotice(change: ChangeDetail): ReactNode {
  if (change.state !== "stale") return null;
  return (
    <Alert isInline component="h2" variant="warning" title="The host is not as it was planned">
      {change.message}
      <List>
        {change.stale_difference.map(({ part, expected, found }) => (
          <ListItem key={part}>
            <Mono>{part}</Mono> was {partValue(expected)}, is {partValue(found)}
          </ListItem>
        ))}
      </List>
    </Alert>
  );
}

function refusalNotice(change: ChangeDetail): ReactNode {
  const refusal = change.result.refusal;
  if (change.state !== "failed" || refusal === undefined) return null;
  return (
    <Alert isInline component="h2" variant="danger" title="The host does not take this">
      {refusal.message} {refusal.remedy}
    </Alert>
  );
}

function approvalNotice(change: ChangeDetail): ReactNode {
  if (change.state !== "awaiting_approval") return null;
  const { judgement, given, wanted, lacks } = change.approval;
  return (
    <Alert
      isInline
      component="h2"
      variant="info"
      title={`Waits for approval (${String(given)} of ${String(wanted)})`}
    >
      {lacks === "" ? "" : `${lacks} `}
      {judgement.may ? "You may approve it." : judgement.why_not}
    </Alert>
  );
}

const SAID_ELSEWHERE = new Set(["needs_attention", "stale", "waiting_reboot"]);

function messageNotice(change: ChangeDetail): ReactNode {
  if (change.message === "" || SAID_ELSEWHERE.has(change.state)) return null;
  if (change.result.refusal !== undefined) return null;
  const variant =
    change.state === "succeeded" ? "success" : change.state === "failed" ? "danger" : "info";
  return <Alert isInline component="h2" variant={variant} title={change.message} />;
}

function rollbackNotice(change: ChangeDetail): ReactNode {
  const other = change.rolled_back_by ?? change.rollback_of;
  if (other === null) return null;
  const title =
    change.rollback_of === null
      ? "It was asked to be rolled back"
      : "This restores what was before";
  return (
    <Alert isInline component="h2" variant="info" title={title}>
      <Link to={`/changes/${other}`}>The other change</Link>
    </Alert>
  );
}

function Commands({ commands }: { commands: string[] }) {
  if (commands.length === 0) return null;
  return (
    <List isPlain>
      {commands.map((command) => (
        <ListItem key={command}>
          <CopyableMono text={command} name="the command" />
        </ListItem>
      ))}
    </List>
  );
}
