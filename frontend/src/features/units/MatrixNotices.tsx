/** What one should know while editing an assignment: conflicts, other changes, signs. */
import { Alert, AlertActionLink, Button, List, ListItem } from "@patternfly/react-core";
import { Link } from "react-router";
import type { Matrix, MatrixDomain } from "../../api/types";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";
import { type Conflict, conflictCount, type Conflicts } from "./conflicts";
import { LEGEND, MARK_SIGNS } from "./marks";
import type { DraftState } from "./useDraft";

interface ConflictProps {
  matrix: Matrix;
  conflicts: Conflicts;
  onCpus: (domain: MatrixDomain, cpus: number) => void;
}

const MOST_SHOWN = 8;

export function ConflictList({ matrix, conflicts, onCpus }: ConflictProps) {
  const count = conflictCount(conflicts);
  const found: [key: string, conflict: Conflict][] = [
    ...conflicts.domains.entries(),
    ...conflicts.units.entries(),
    ...(conflicts.whole === "" ? [] : [["", { text: conflicts.whole }] as [string, Conflict]]),
  ];
  return (
    <div role="status">
      {count > 0 && (
        <Alert
          isInline
          component="h3"
          variant="danger"
          title={count === 1 ? "This cannot be had" : `${String(count)} things cannot be had`}
          className="kr-above"
        >
          <List isPlain>
            {found.slice(0, MOST_SHOWN).map(([key, conflict]) => (
              <ListItem key={key}>
                {conflict.text}{" "}
                <CpuOffer
                  domain={matrix.domains.find((domain) => domain.key === key)}
                  conflict={conflict}
                  onCpus={onCpus}
                />
              </ListItem>
            ))}
            {count > MOST_SHOWN && <ListItem>… and {count - MOST_SHOWN} more.</ListItem>}
          </List>
        </Alert>
      )}
    </div>
  );
}

interface OfferProps {
  domain: MatrixDomain | undefined;
  conflict: Conflict;
  onCpus: (domain: MatrixDomain, cpus: number) => void;
}

function CpuOffer({ domain, conflict: { cpus }, onCpus }: OfferProps) {
  if (domain === undefined || cpus === undefined) return null;
  return (
    <Button variant="link" isInline onClick={() => onCpus(domain, cpus)}>
      Give {domain.name} {cpus} virtual CPUs too (now {domain.vcpu ?? 0})
    </Button>
  );
}

/** The host is not any more what the draft was begun from. */
export function ElsewhereAlert({ state }: { state: DraftState }) {
  if (state.elsewhere.length === 0) return null;
  return (
    <Alert
      isInline
      component="h3"
      variant="warning"
      title="The host has changed since you began this draft"
      className="kr-below"
      actionLinks={
        <>
          <AlertActionLink onClick={state.rebase}>Keep the draft</AlertActionLink>
          <AlertActionLink onClick={state.discard}>Discard the draft</AlertActionLink>
        </>
      }
    >
      <List isPlain>
        {state.elsewhere.slice(0, MOST_SHOWN).map((sentence) => (
          <ListItem key={sentence}>{sentence}</ListItem>
        ))}
        {state.elsewhere.length > MOST_SHOWN && (
          <ListItem>… and {state.elsewhere.length - MOST_SHOWN} more.</ListItem>
        )}
      </List>
    </Alert>
  );
}

/** Changes of the same things that are not over. */
export function OpenChanges({ matrix }: { matrix: Matrix }) {
  if (matrix.open_changes.length === 0) return null;
  return (
    <Alert
      isInline
      component="h3"
      variant="info"
      title="Changes of this assignment are under way"
      className="kr-below"
    >
      <List isPlain>
        {matrix.open_changes.map(({ id, sentence, state, created_at: at }) => (
          <ListItem key={id}>
            <span className="kr-inline">
              <Link to={`/changes/${id}`}>{sentence}</Link>
              <StateLabel state={state} />
              <span className="kr-subtle">
                asked for <Time at={at} />
              </span>
            </span>
          </ListItem>
        ))}
      </List>
    </Alert>
  );
}

export function Legend({ isCounted }: { isCounted: boolean }) {
  return (
    <p className="kr-subtle kr-above kr-legend">
      {LEGEND[isCounted ? "counted" : "addressed"].map(([kind, words]) => (
        <span key={kind}>
          <span aria-hidden className="kr-grid-sign">
            {MARK_SIGNS[kind]}
          </span>{" "}
          {words}
        </span>
      ))}
      <span>
        {isCounted
          ? "Arrow keys move, + and − change a number, Ctrl+Z undoes."
          : "Arrow keys move, Enter or Space assigns, Ctrl+Z undoes."}
      </span>
    </p>
  );
}
