/** Units by domains as a grid of which only what is in view exists; edited by mouse and by keys. */
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Matrix, MatrixDomain, MatrixUnit } from "../../api/types";
import type { Conflicts } from "./conflicts";
import { type Draft, ownerOf } from "./draft";
import { moveBy, type Place } from "./gridKeys";
import { type CellActions, type Editing, HeadRow, NumbersRow } from "./MatrixHead";
import { COLUMN_PIXELS, HEAD_PIXELS, NAME_PIXELS, NUMBERS_PIXELS, ROW_PIXELS } from "./metrics";
import { UnitRow } from "./MatrixRow";

const OVERSCAN_ROWS = 3;
const OVERSCAN_COLUMNS = 1;

export interface GridProps {
  matrix: Matrix;
  draft: Draft;
  conflicts: Conflicts;
  /** Whether virtual CPUs are edited too. */
  withCpus: boolean;
  onCount: (domain: MatrixDomain, count: number) => void;
  onCpus: (domain: MatrixDomain, count: number) => void;
  onToggle: (unit: MatrixUnit, domain: MatrixDomain) => void;
}

export function MatrixGrid(props: GridProps) {
  const { matrix, draft, conflicts, onCount, onCpus } = props;
  const { domains, units } = matrix;
  const isCounted = matrix.mode === "counted";
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useGrid(props, scroller);
  const { active, heads, headPixels } = grid;
  const columns = grid.columns.getVirtualItems();
  const trends = useTrends(domains, draft);
  const head = { domains, columns, active };
  const actions = useSameActions({ onCount, onCpus, onFocus: grid.setActive });
  const editing: Editing = { draft, conflicts, actions };
  const width = NAME_PIXELS + domains.length * COLUMN_PIXELS;
  return (
    // The focus is in its cells, one of which is always a tab stop.
    // eslint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={scroller}
      className="kr-grid"
      role="grid"
      aria-label={`Crypto units of ${matrix.host.name} by domain`}
      aria-rowcount={grid.rowCount}
      aria-colcount={grid.columnCount}
      onKeyDown={grid.onKeyDown}
      onClick={grid.onClick}
    >
      <div role="rowgroup" className="kr-grid-head" style={{ width, height: headPixels }}>
        <HeadRow {...head} />
        {isCounted && (
          <NumbersRow {...head} what="vcpus" isEditable={props.withCpus} editing={editing} />
        )}
        {isCounted && <NumbersRow {...head} what="counts" isEditable editing={editing} />}
      </div>
      <div
        role="rowgroup"
        className="kr-grid-body"
        style={{ width, height: units.length * ROW_PIXELS }}
      >
        {grid.rows.getVirtualItems().map(({ index, start }) => {
          const unit = units[index];
          if (unit === undefined) return null;
          return (
            <UnitRow
              key={unit.key}
              {...{ unit, domains, columns, trends, isCounted }}
              row={heads + index}
              top={start - headPixels}
              owner={isCounted ? ownerOf(unit) : (draft.units[unit.key] ?? ownerOf(unit))}
              conflict={conflicts.units.get(unit.key)?.text}
              activeColumn={active.row === heads + index ? active.column : -1}
            />
          );
        })}
      </div>
    </div>
  );
}

/** What is drawn and which cell is active; the keys and clicks of the grid. */
function useGrid(props: GridProps, scroller: RefObject<HTMLDivElement | null>) {
  const { domains, units, mode } = props.matrix;
  const isCounted = mode === "counted";
  const heads = isCounted ? 3 : 1;
  const headPixels = HEAD_PIXELS + (isCounted ? 2 * NUMBERS_PIXELS : 0);
  const rowCount = heads + units.length;
  const columnCount = domains.length + 1;
  const [active, setActive] = useState<Place>({ row: isCounted ? 2 : heads, column: 1 });
  const rows = useGridVirtualizer(scroller, {
    count: units.length,
    pixels: ROW_PIXELS,
    before: headPixels,
    overscan: OVERSCAN_ROWS,
    pinned: active.row - heads,
  });
  const columns = useGridVirtualizer(scroller, {
    count: domains.length,
    pixels: COLUMN_PIXELS,
    before: NAME_PIXELS,
    overscan: OVERSCAN_COLUMNS,
    pinned: active.column - 1,
    horizontal: true,
  });
  const focusSoon = useFocusSoon(scroller, active);
  const edits = useEdits(props, heads);

  const goTo = (place: Place) => {
    setActive(place);
    focusSoon();
    if (place.row >= heads) rows.scrollToIndex(place.row - heads);
    if (place.column > 0) columns.scrollToIndex(place.column - 1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveBy(event, active, rowCount, columnCount);
    if (next !== null) goTo(next);
    else if (!edits.byKey(event, active)) return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target);
    if (place === null) return;
    setActive(place);
    edits.toggle(place);
  };
  return {
    ...{ rows, columns, heads, headPixels, rowCount, columnCount },
    ...{ active, setActive, onKeyDown, onClick },
  };
}

/** What keys and clicks do to the cell at a place. */
function useEdits(props: GridProps, heads: number) {
  const { matrix, draft, withCpus, onCount, onCpus, onToggle } = props;
  const isCounted = matrix.mode === "counted";
  const toggle = ({ row, column }: Place): void => {
    const unit = matrix.units[row - heads];
    const domain = matrix.domains[column - 1];
    if (!isCounted && unit !== undefined && domain !== undefined) onToggle(unit, domain);
  };
  const step = ({ row, column }: Place, by: number): boolean => {
    const domain = matrix.domains[column - 1];
    if (!isCounted || domain === undefined) return false;
    const { key, vcpu, unit_count: now } = domain;
    if (row === 1 && withCpus) onCpus(domain, (draft.vcpus[key] ?? vcpu ?? 0) + by);
    else onCount(domain, (draft.counts[key] ?? now) + by);
    return true;
  };
  const byKey = (event: KeyboardEvent, place: Place): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "+" || event.key === "=") return step(place, 1);
    if (event.key === "-") return step(place, -1);
    if (event.key !== "Enter" && event.key !== " ") return false;
    if (event.target instanceof HTMLAnchorElement) return false;
    toggle(place);
    return true;
  };
  return { toggle, byKey };
}

interface VirtualOptions {
  count: number;
  pixels: number;
  /** Room of the headers before the first one. */
  before: number;
  overscan: number;
  /** Always drawn, for it may have the focus. */
  pinned: number;
  horizontal?: boolean;
}

function useGridVirtualizer(
  scroller: RefObject<HTMLDivElement | null>,
  { count, pixels, before, overscan, pinned, horizontal = false }: VirtualOptions,
) {
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      if (pinned < 0 || pinned >= count || shown.includes(pinned)) return shown;
      return [...shown, pinned].sort((one, other) => one - other);
    },
    [pinned, count],
  );
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are used here only
  return useVirtualizer({
    count,
    horizontal,
    getScrollElement: () => scroller.current,
    estimateSize: () => pixels,
    paddingStart: before,
    scrollPaddingStart: before,
    overscan,
    rangeExtractor,
    // Both axes in one go; otherwise each scroll draws and lays out twice.
    useFlushSync: false,
  });
}

/** Moves the focus to the active cell once it is drawn. */
function useFocusSoon(scroller: RefObject<HTMLDivElement | null>, active: Place) {
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    const cell = scroller.current?.querySelector<HTMLElement>(
      `[data-place="${String(active.row)}:${String(active.column)}"]`,
    );
    if (cell) {
      isWanted.current = false;
      cell.focus({ preventScroll: true });
    }
  });
  return () => {
    isWanted.current = true;
  };
}

/** One object for good, which calls what was given last. */
function useSameActions(actions: CellActions): CellActions {
  const newest = useRef(actions);
  useLayoutEffect(() => {
    newest.current = actions;
  });
  return useMemo(
    () => ({
      onCount: (domain, count) => newest.current.onCount(domain, count),
      onCpus: (domain, count) => newest.current.onCpus(domain, count),
      onFocus: (place) => newest.current.onFocus(place),
    }),
    [],
  );
}

/** Which domains get more units and which fewer; the same object while that stays the same. */
function useTrends(domains: MatrixDomain[], draft: Draft): Record<string, "more" | "fewer"> {
  const text = JSON.stringify(
    domains.flatMap(({ key, unit_count: now }) => {
      const wanted = draft.counts[key];
      return wanted === undefined ? [] : [[key, wanted > now ? "more" : "fewer"]];
    }),
  );
  return useMemo(
    () => Object.fromEntries(JSON.parse(text) as [string, "more" | "fewer"][]),
    [text],
  );
}

function placeOf(target: EventTarget): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-place]") : null;
  if (cell === null) return null;
  const [row, column] = (cell.dataset["place"] ?? "").split(":").map(Number);
  return row === undefined || column === undefined ? null : { row, column };
}
