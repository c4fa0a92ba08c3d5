/** From the state in the URL to the query of the API, and to the CSV link. */
import type { Filter, ListParams } from "./types";
import type { ListState } from "./useListState";

/** What to ask the API for. `fixed` is always sent and not for the user to change. */
export function listParams<Name extends string>(
  state: ListState,
  filters: readonly Filter<Name>[],
  fixed: Partial<Record<Name, string>>,
  defaultOrdering: string,
  pageSize = state.pageSize,
): ListParams<Name> {
  const wanted: Record<string, string> = {};
  for (const { name } of filters) {
    const value = state.get(name);
    if (value !== "") wanted[name] = value;
  }
  Object.assign(wanted, fixed);
  wanted["ordering"] = state.ordering || defaultOrdering;
  wanted["page_size"] = String(pageSize);
  if (state.cursor !== "") wanted["cursor"] = state.cursor;
  return wanted as ListParams<Name>;
}

/** The same rows, all pages of them, as CSV. */
export function csvHref(path: string, params: Record<string, string | undefined>): string {
  const search = new URLSearchParams({ format: "csv" });
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && name !== "cursor" && name !== "page_size") search.set(name, value);
  }
  return `${path}?${search.toString()}`;
}
