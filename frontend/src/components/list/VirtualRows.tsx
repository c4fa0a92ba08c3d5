/** A table of which only the rows in view exist. Two spacer rows hold the place of the others. */
import { Table, Tbody, Td, Tr } from "@patternfly/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { HeadCells } from "./HeadCells";
import type { Column } from "./types";
import type { ListState } from "./useListState";

const ROW_PIXELS = 41;
const OVERSCAN = 12;
/** Ask for the next page when this few loaded rows are left below. */
const READ_AHEAD = 40;

interface Props<Row> {
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** All there are, loaded or not. */
  total: number;
  rowKey: (row: Row) => string;
  state: ListState;
  defaultOrdering: string;
  onNeedMore: () => void;
}

export function VirtualRows<Row>(props: Props<Row>) {
  const { title, columns, rows, total, rowKey, state, defaultOrdering, onNeedMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are used here only
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const lastIndex = last?.index ?? 0;
  useEffect(() => {
    if (rows.length < total && lastIndex >= rows.length - READ_AHEAD) onNeedMore();
  }, [rows.length, total, lastIndex, onNeedMore]);

  return (
    // Scrolls by itself, so it must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className="kr-scroller" tabIndex={0} role="region" aria-label={title}>
      <Table
        aria-label={title}
        aria-rowcount={total + 1}
        variant="compact"
        isStickyHeader
        gridBreakPoint="grid-md"
      >
        <HeadCells columns={columns} state={state} defaultOrdering={defaultOrdering} />
        <Tbody>
          <Spacer pixels={first?.start ?? 0} columns={columns.length} />
          {items.map(({ index, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <VirtualRow
                key={String(key)}
                index={index}
                row={row}
                columns={columns}
                measure={virtual.measureElement}
              />
            );
          })}
          <Spacer
            pixels={last === undefined ? 0 : virtual.getTotalSize() - last.end}
            columns={columns.length}
          />
        </Tbody>
      </Table>
    </div>
  );
}

interface RowProps<Row> {
  index: number;
  row: Row;
  columns: readonly Column<Row>[];
  measure: (element: HTMLElement | null) => void;
}

function VirtualRow<Row>({ index, row, columns, measure }: RowProps<Row>) {
  return (
    <Tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      {columns.map((column) => (
        <Td
          key={column.title}
          dataLabel={column.title}
          className={column.isNumeric ? "kr-number" : undefined}
        >
          {column.cell(row)}
        </Td>
      ))}
    </Tr>
  );
}

/** Holds the place of rows that are not drawn. */
function Spacer({ pixels, columns }: { pixels: number; columns: number }) {
  if (pixels <= 0) return null;
  return (
    <tr aria-hidden className="kr-spacer">
      <td colSpan={columns} style={{ height: pixels }} />
    </tr>
  );
}
