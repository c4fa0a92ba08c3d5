import { Button, Checkbox, Tooltip } from "@patternfly/react-core";
import { type ReactNode, useState } from "react";
import type { Column } from "../../components/list/types";
import { plural } from "../../components/format";

export interface Selection<Row> {
  rows: Map<string, Row>;
  toggle: (row: Row) => void;
  add: (rows: Row[]) => void;
  clear: () => void;
}

/** Rows that were chosen, also over several pages of a list. */
export function useSelection<Row>(keyOf: (row: Row) => string): Selection<Row> {
  const [rows, setRows] = useState<Map<string, Row>>(new Map());
  return {
    rows,
    toggle: (row) =>
      setRows((before) => {
        const after = new Map(before);
        if (!after.delete(keyOf(row))) after.set(keyOf(row), row);
        return after;
      }),
    add: (more) =>
      setRows((before) => new Map([...before, ...more.map((row) => [keyOf(row), row] as const)])),
    clear: () => setRows(new Map()),
  };
}

interface ColumnOptions<Row> {
  keyOf: (row: Row) => string;
  /** What is chosen, for screen readers. */
  nameOf: (row: Row) => string;
  /** Why a row cannot be chosen now; empty: it can. */
  whyNot?: (row: Row) => string;
}

export function selectColumn<Row>(
  selection: Selection<Row>,
  { keyOf, nameOf, whyNot = () => "" }: ColumnOptions<Row>,
): Column<Row> {
  return {
    title: "Chosen",
    cell: (row) => {
      const why = whyNot(row);
      const box = (
        <Checkbox
          id={`choose-${keyOf(row)}`}
          aria-label={`Choose ${nameOf(row)}`}
          isChecked={selection.rows.has(keyOf(row))}
          isDisabled={why !== ""}
          onChange={() => selection.toggle(row)}
        />
      );
      return why === "" ? (
        box
      ) : (
        <Tooltip content={why}>
          <span>{box}</span>
        </Tooltip>
      );
    },
  };
}

interface BarProps {
  count: number;
  noun: string;
  onClear: () => void;
  children: ReactNode;
}

/** How many are chosen, and what can be done with them. */
export function SelectionBar({ count, noun, onClear, children }: BarProps) {
  return (
    <span className="kr-inline">
      <span role="status">
        {count === 0 ? `No ${noun} chosen` : `${plural(count, noun)} chosen`}
      </span>
      {count > 0 && (
        <Button variant="link" isInline onClick={onClear}>
          Clear
        </Button>
      )}
      {children}
    </span>
  );
}
