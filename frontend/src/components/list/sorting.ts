import { SortByDirection, type ThProps } from "@patternfly/react-table";
import type { Column } from "./types";
import type { ListState } from "./useListState";

/** How a column's header sorts the list, or undefined where the API cannot order by it. */
export function sortOf<Row>(
  columns: readonly Column<Row>[],
  index: number,
  state: ListState,
  defaultOrdering: string,
): ThProps["sort"] {
  const orderBy = columns[index]?.orderBy;
  if (orderBy === undefined) return undefined;
  const ordering = state.ordering || defaultOrdering;
  const field = ordering.replace(/^-/, "");
  return {
    columnIndex: index,
    sortBy: {
      index: columns.findIndex((each) => each.orderBy === field),
      direction: ordering.startsWith("-") ? "desc" : "asc",
    },
    onSort: (_event, _index, direction) =>
      state.setOrdering(direction === SortByDirection.desc ? `-${orderBy}` : orderBy),
  };
}
