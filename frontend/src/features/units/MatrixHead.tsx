/** The rows above the units: domains with their states, virtual CPUs, numbers of units. */
import type { VirtualItem } from "@tanstack/react-virtual";
import { NumberInput } from "@patternfly/react-core";
import ExclamationCircleIcon from "@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon";
import PencilAltIcon from "@patternfly/react-icons/dist/esm/icons/pencil-alt-icon";
import { type CSSProperties, memo, type ReactNode } from "react";
import { Link } from "react-router";
import type { MatrixDomain } from "../../api/types";
import { StateLabel } from "../../components/StateLabel";
import { plural } from "../../components/format";
import type { Conflicts } from "./conflicts";
import type { Draft } from "./draft";
import type { Place } from "./gridKeys";
import { COLUMN_PIXELS, HEAD_PIXELS, NAME_PIXELS, NUMBERS_PIXELS } from "./metrics";

/** What a cell with a number calls. The same object as long as the grid lives: cells are memoised. */
export interface CellActions {
  onCount: (domain: MatrixDomain, count: number) => void;
  onCpus: (domain: MatrixDomain, count: number) => void;
  onFocus: (place: Place) => void;
}

export interface Editing {
  draft: Draft;
  conflicts: Conflicts;
  actions: CellActions;
}

interface HeadProps {
  domains: MatrixDomain[];
  columns: VirtualItem[];
  active: Place;
}

export const columnStyle = (start: number): CSSProperties => ({
  insetInlineStart: start,
  width: COLUMN_PIXELS,
});

/** One tab stop in the whole grid: the active cell. */
export const tabStop = (active: Place, row: number, column: number): 0 | -1 =>
  active.row === row && active.column === column ? 0 : -1;

export function HeadRow({ domains, columns, active }: HeadProps) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="kr-grid-row"
      style={{ top: 0, height: HEAD_PIXELS }}
    >
      <div
        role="columnheader"
        aria-colindex={1}
        className="kr-grid-name"
        style={{ width: NAME_PIXELS }}
        data-place="0:0"
        tabIndex={tabStop(active, 0, 0)}
      >
        Unit
      </div>
      {columns.map(({ index, start }) => {
        const domain = domains[index];
        if (domain === undefined) return null;
        return (
          <DomainHead
            key={domain.key}
            {...{ domain, start }}
            column={index + 1}
            tabIndex={tabStop(active, 0, index + 1)}
          />
        );
      })}
    </div>
  );
}

interface DomainProps {
  domain: MatrixDomain;
  start: number;
  column: number;
  tabIndex: 0 | -1;
}

const DomainHead = memo(function DomainHead({ domain, start, column, tabIndex }: DomainProps) {
  return (
    <div
      role="columnheader"
      aria-colindex={column + 1}
      className="kr-grid-cell kr-grid-domain"
      style={columnStyle(start)}
    >
      <Link
        className="kr-mono"
        to={`/domains/${domain.id}`}
        title={domain.name}
        data-place={`0:${String(column)}`}
        tabIndex={tabIndex}
      >
        {domain.name}
      </Link>
      {domain.reconfiguration === "pending" ? (
        <StateLabel state="waiting_reboot" text="waits for reboot" />
      ) : (
        <StateLabel state={domain.state} />
      )}
    </div>
  );
});

interface NumbersProps extends HeadProps {
  what: "vcpus" | "counts";
  isEditable: boolean;
  editing: Editing;
}

const ROWS = {
  vcpus: { row: 1, title: "Virtual CPUs" },
  counts: { row: 2, title: "Units" },
};

export function NumbersRow({ what, domains, columns, active, isEditable, editing }: NumbersProps) {
  const { row, title } = ROWS[what];
  return (
    <div
      role="row"
      aria-rowindex={row + 1}
      className="kr-grid-row"
      style={{ top: HEAD_PIXELS + (row - 1) * NUMBERS_PIXELS, height: NUMBERS_PIXELS }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className="kr-grid-name"
        style={{ width: NAME_PIXELS }}
        data-place={`${String(row)}:0`}
        tabIndex={tabStop(active, row, 0)}
      >
        {title}
      </div>
      {columns.map(({ index, start }) => {
        const domain = domains[index];
        if (domain === undefined) return null;
        return (
          <NumberCell
            key={domain.key}
            {...{ what, domain, isEditable, start, row }}
            column={index + 1}
            wanted={editing.draft[what][domain.key]}
            problem={
              what === "counts" ? editing.conflicts.domains.get(domain.key)?.text : undefined
            }
            actions={editing.actions}
            tabIndex={tabStop(active, row, index + 1)}
          />
        );
      })}
    </div>
  );
}

interface CellProps {
  what: "vcpus" | "counts";
  domain: MatrixDomain;
  isEditable: boolean;
  /** undefined: as it is. */
  wanted: number | undefined;
  /** Why it cannot be had. */
  problem: string | undefined;
  actions: CellActions;
  start: number;
  row: number;
  column: number;
  tabIndex: 0 | -1;
}

const NumberCell = memo(function NumberCell(props: CellProps) {
  const { what, domain, isEditable, wanted, problem, actions, start, row, column, tabIndex } =
    props;
  const isWrong = problem !== undefined;
  const now = what === "counts" ? domain.unit_count : (domain.vcpu ?? 0);
  const id = `${String(row)}:${String(column)}`;
  const isInput = isEditable || wanted !== undefined;
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      className={cellClass(wanted !== undefined, isWrong)}
      style={columnStyle(start)}
      title={problem}
      {...(isInput ? {} : { "data-place": id, tabIndex })}
    >
      {isInput ? (
        <DomainNumber
          {...{ what, domain, isWrong, actions }}
          value={wanted ?? now}
          inputProps={{
            "data-place": id,
            tabIndex,
            onFocus: () => actions.onFocus({ row, column }),
          }}
        />
      ) : (
        <span>{now}</span>
      )}
      <CellNote
        isWrong={isWrong}
        before={wanted === undefined ? undefined : now}
        domain={domain}
        what={what}
      />
    </div>
  );
});

interface DomainNumberProps {
  what: "vcpus" | "counts";
  domain: MatrixDomain;
  value: number;
  isWrong: boolean;
  actions: Pick<CellActions, "onCount" | "onCpus">;
  inputProps?: Record<string, unknown>;
}

/** The number of units, or of virtual CPUs, of one domain. */
export function DomainNumber(props: DomainNumberProps) {
  const { what, domain, value, isWrong, actions, inputProps } = props;
  const isCount = what === "counts";
  const least = isCount ? 0 : 1;
  const set = (number: number) => (isCount ? actions.onCount : actions.onCpus)(domain, number);
  const one = isCount ? "One unit" : "One virtual CPU";
  return (
    <NumberInput
      value={value}
      min={least}
      inputAriaLabel={`${isCount ? "Units" : "Virtual CPUs"} of ${domain.name}`}
      minusBtnAriaLabel={`${one} fewer for ${domain.name}`}
      plusBtnAriaLabel={`${one} more for ${domain.name}`}
      minusBtnProps={{ tabIndex: inputProps === undefined ? 0 : -1, isDisabled: value <= least }}
      plusBtnProps={{ tabIndex: inputProps === undefined ? 0 : -1 }}
      inputProps={inputProps}
      widthChars={3}
      validated={isWrong ? "error" : "default"}
      onMinus={() => set(value - 1)}
      onPlus={() => set(value + 1)}
      onChange={(event) => {
        const typed = Number((event.target as HTMLInputElement).value);
        if (Number.isInteger(typed) && typed >= least) set(typed);
      }}
    />
  );
}

interface NoteProps {
  what: "vcpus" | "counts";
  domain: MatrixDomain;
  isWrong: boolean;
  /** What it is now, where something else is wanted. */
  before: number | undefined;
}

/** Says that a number is pending or cannot be had, and what it is now. */
export function CellNote({ what, domain, isWrong, before }: NoteProps): ReactNode {
  if (before === undefined && !isWrong) {
    const { units_wanted: wanted, unit_count: now } = domain;
    if (what === "counts" && wanted !== now) {
      return <span className="kr-grid-note">asks for {wanted}</span>;
    }
    return null;
  }
  return (
    <span className={isWrong ? "kr-grid-note kr-danger" : "kr-grid-note"}>
      {isWrong ? <ExclamationCircleIcon /> : <PencilAltIcon />}{" "}
      {isWrong ? "cannot be had" : "pending"}
      {before !== undefined && `, now ${String(before)}`}
    </span>
  );
}

function cellClass(isPending: boolean, isWrong: boolean): string {
  const state = isWrong ? " kr-grid-wrong" : isPending ? " kr-grid-pending" : "";
  return `kr-grid-cell kr-grid-number${state}`;
}

export function cpusWords(domain: MatrixDomain): string {
  return plural(domain.vcpu ?? 0, "virtual CPU");
}
