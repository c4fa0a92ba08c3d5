import type { UseQueryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** One page of a list endpoint. Cursors are opaque; `count` is exact over all pages. */
export interface Page<Row> {
  count: number;
  next?: string | null;
  previous?: string | null;
  results: Row[];
}

export type PagingName = "cursor" | "page_size" | "ordering";
export type ListParams<Name extends string> = Partial<Record<Name | PagingName, string>>;
export type ListQuery<Row, Name extends string> = (
  params: ListParams<Name>,
) => UseQueryOptions<Page<Row>>;

export interface Column<Row> {
  /** With its unit, where the cells are numbers. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** The API's ordering field, where the list can be sorted by this column. */
  orderBy?: string;
  isNumeric?: boolean;
  /** Holds buttons or a menu. */
  isActions?: boolean;
  /** Keep the cell on one line. */
  isTight?: boolean;
  /** Share of the width in per cent. */
  width?: 10 | 15 | 20 | 25 | 30 | 35 | 40 | 45;
}

export interface Option {
  value: string;
  label: string;
}

export type Filter<Name extends string> =
  | { kind: "text"; name: Name; label: string }
  | { kind: "choice"; name: Name; label: string; options: readonly Option[] }
  /** Any of several values. */
  | { kind: "choices"; name: Name; label: string; options: readonly Option[] }
  /** Comes with a link and has no control of its own; `show` puts its value into words. */
  | { kind: "given"; name: Name; label: string; show?: (value: string) => string }
  /** The same for the id of one host. */
  | { kind: "host"; name: Name };
