/** A list's filters, order and page live in the URL, so that a link shows a colleague the same thing. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

const DEFAULT_PAGE_SIZE = 50;
/** Belongs to the page turned to, not to what is looked for. */
const PAGE_PARAMS = ["cursor", "page"];

export interface ListState {
  get: (name: string) => string;
  set: (name: string, value: string) => void;
  clear: (names: readonly string[]) => void;
  ordering: string;
  setOrdering: (ordering: string) => void;
  cursor: string;
  /** Number of the page shown, from 1; only to say "51–100": the cursor alone decides what is read. */
  page: number;
  turnTo: (page: number, cursor: string) => void;
  pageSize: number;
  setPageSize: (size: number) => void;
}

function positive(text: string | null, fallback: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

export function useListState(): ListState {
  const [params, setParams] = useSearchParams();

  const change = useCallback(
    (edits: Record<string, string>, replace: boolean) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const name of PAGE_PARAMS) after.delete(name);
          for (const [name, value] of Object.entries(edits)) {
            if (value === "") after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace },
      ),
    [setParams],
  );

  return useMemo(
    () => ({
      get: (name) => params.get(name) ?? "",
      set: (name, value) => change({ [name]: value }, true),
      clear: (names) => change(Object.fromEntries(names.map((name) => [name, ""])), false),
      ordering: params.get("ordering") ?? "",
      setOrdering: (ordering) => change({ ordering }, true),
      cursor: params.get("cursor") ?? "",
      page: positive(params.get("page"), 1),
      turnTo: (page, cursor) => change(page <= 1 ? {} : { page: String(page), cursor }, false),
      pageSize: positive(params.get("page_size"), DEFAULT_PAGE_SIZE),
      setPageSize: (size) =>
        change({ page_size: size === DEFAULT_PAGE_SIZE ? "" : String(size) }, true),
    }),
    [params, change],
  );
}
