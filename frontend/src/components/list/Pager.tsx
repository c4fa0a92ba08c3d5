import { Pagination } from "@patternfly/react-core";
import type { Page } from "./types";
import type { ListState } from "./useListState";

const PAGE_SIZES = [20, 50, 100, 200].map((value) => ({ title: String(value), value }));

interface Props {
  state: ListState;
  page: Pick<Page<unknown>, "count" | "next" | "previous"> | undefined;
  variant: "top" | "bottom";
}

/** Turns pages by cursor: forwards and backwards, so that no row is skipped while others come and go. */
export function Pager({ state, page, variant }: Props) {
  return (
    <Pagination
      isCompact
      variant={variant}
      isStatic
      widgetId={`pager-${variant}`}
      itemCount={page?.count ?? 0}
      page={state.page}
      perPage={state.pageSize}
      perPageOptions={PAGE_SIZES}
      isDisabled={page === undefined}
      onNextClick={() => page?.next && state.turnTo(state.page + 1, page.next)}
      onPreviousClick={() => state.turnTo(state.page - 1, page?.previous ?? "")}
      onPerPageSelect={(_event, size) => state.setPageSize(size)}
      titles={{ paginationAriaLabel: `Pages, ${variant} of the list` }}
    />
  );
}
