import type { FigureCount } from "../../api/types";

/** The page whose list shows exactly what was counted. Lists and pages carry the same names. */
export function figureLink({ list, query }: FigureCount): string {
  const search = new URLSearchParams(query).toString();
  return search === "" ? `/${list}` : `/${list}?${search}`;
}
