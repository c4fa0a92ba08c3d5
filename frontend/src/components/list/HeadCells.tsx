import { Th, Thead, Tr } from "@patternfly/react-table";
import { sortOf } from "./sorting";
import type { Column } from "./types";
import type { ListState } from "./useListState";

interface Props<Row> {
  columns: readonly Column<Row>[];
  state: ListState;
  defaultOrdering: string;
}

export function HeadCells<Row>({ columns, state, defaultOrdering }: Props<Row>) {
  return (
    <Thead>
      <Tr>
        {columns.map((column, index) => (
          <Th
            key={column.title}
            sort={sortOf(columns, index, state, defaultOrdering)}
            width={column.width}
            modifier="wrap"
            className={column.isNumeric ? "kr-number" : undefined}
          >
            {column.title}
          </Th>
        ))}
      </Tr>
    </Thead>
  );
}
