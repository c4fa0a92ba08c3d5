/** Where a key leads in a grid: row 0 is the header, column 0 names the rows. */

export interface Place {
  row: number;
  column: number;
}

const PAGE = 10;

/** The place that the key leads to, kept inside the grid; null: not a key that moves. */
export function moveBy(
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  from: Place,
  rows: number,
  columns: number,
): Place | null {
  const to = target(key, ctrlKey, from, rows, columns);
  if (to === null) return null;
  const inside = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
  return { row: inside(to.row, rows), column: inside(to.column, columns) };
}

function target(
  key: string,
  isFar: boolean,
  { row, column }: Place,
  rows: number,
  columns: number,
): Place | null {
  switch (key) {
    case "ArrowUp":
      return { row: row - 1, column };
    case "ArrowDown":
      return { row: row + 1, column };
    case "ArrowLeft":
      return { row, column: column - 1 };
    case "ArrowRight":
      return { row, column: column + 1 };
    case "PageUp":
      return { row: row - PAGE, column };
    case "PageDown":
      return { row: row + PAGE, column };
    case "Home":
      return { row: isFar ? 0 : row, column: 0 };
    case "End":
      return { row: isFar ? rows - 1 : row, column: columns - 1 };
    default:
      return null;
  }
}
