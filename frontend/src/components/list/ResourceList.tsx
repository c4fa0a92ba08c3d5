/** The list page: filters, order and page in the URL, server paging, the four states, CSV. */
import { Alert, Skeleton } from "@patternfly/react-core";
import { Table, Tbody, Td, Tr } from "@patternfly/react-table";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asApiError } from "../../api/errors";
import { ErrorView, NoMatchView } from "../States";
import { ListToolbar } from "./ListToolbar";
import { HeadCells } from "./HeadCells";
import { Pager } from "./Pager";
import { csvHref, listParams } from "./params";
import type { Column, Filter, ListQuery } from "./types";
import { type ListState, useListState } from "./useListState";

interface Props<Row, Name extends string> {
  /** What is listed, for screen readers and messages: `Hosts`. */
  title: string;
  /** The endpoint, for the CSV link. */
  path: string;
  query: ListQuery<Row, Name>;
  columns: Column<Row>[];
  filters: Filter<Name>[];
  /** Always sent and not for the user to change, e.g. the host of a tab. */
  fixed?: Partial<Record<Name, string>>;
  /** How the list is sorted while the user has not said: an ordering field, `-` for descending. */
  defaultOrdering: string;
  rowKey: (row: Row) => string;
  /** Shown when there is nothing at all and no filter is set. */
  empty: ReactNode;
  actions?: ReactNode;
}

export function ResourceList<Row, Name extends string>(props: Props<Row, Name>) {
  const { title, path, query, columns, filters, defaultOrdering, rowKey, empty, actions } = props;
  const state = useListState();
  const params = listParams(state, filters, props.fixed ?? {}, defaultOrdering);
  const list = useQuery({ ...query(params), placeholderData: keepPreviousData });

  if (list.isError && list.data === undefined) {
    const retry = state.cursor === "" ? () => void list.refetch() : () => state.turnTo(1, "");
    return <ErrorView title={`${title} could not be loaded`} error={list.error} onRetry={retry} />;
  }
  const isFiltered = filters.some(({ name }) => state.get(name) !== "");
  const isEmpty = list.data?.count === 0;
  if (isEmpty && !isFiltered) return empty;
  return (
    <>
      <ListToolbar
        filters={filters}
        state={state}
        csvHref={csvHref(path, params)}
        actions={actions}
        pager={<Pager state={state} page={list.data} variant="top" />}
      />
      {list.isError && <StaleAlert title={title} error={list.error} />}
      {isEmpty ? (
        <NoMatchView onClear={() => state.clear(filters.map(({ name }) => name))} />
      ) : (
        <Rows
          {...{ title, columns, rowKey, state, defaultOrdering }}
          rows={list.data?.results}
          isBusy={list.isPlaceholderData}
        />
      )}
      {(list.data?.count ?? 0) > state.pageSize && (
        <Pager state={state} page={list.data} variant="bottom" />
      )}
    </>
  );
}

/** What is on the page is older than it should be. */
function StaleAlert({ title, error }: { title: string; error: unknown }) {
  const { message, code } = asApiError(error);
  return (
    <Alert component="p" isInline variant="warning" title={`${title} could not be refreshed`}>
      What you see is the last answer. {message} ({code})
    </Alert>
  );
}

interface RowsProps<Row> {
  title: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  state: ListState;
  defaultOrdering: string;
  isBusy: boolean;
}

function Rows<Row>(props: RowsProps<Row>) {
  const { title, columns, rows, rowKey, state, defaultOrdering, isBusy } = props;
  return (
    <Table aria-label={title} variant="compact" aria-busy={isBusy || rows === undefined}>
      <HeadCells columns={columns} state={state} defaultOrdering={defaultOrdering} />
      <Tbody>
        {rows === undefined ? (
          <SkeletonRows columns={columns} />
        ) : (
          rows.map((row) => (
            <Tr key={rowKey(row)}>
              {columns.map((column) => (
                <Td
                  key={column.title}
                  dataLabel={column.title}
                  className={column.isNumeric ? "kr-number" : undefined}
                  isActionCell={column.isActions}
                  modifier={column.isTight ? "nowrap" : undefined}
                >
                  {column.cell(row)}
                </Td>
              ))}
            </Tr>
          ))
        )}
      </Tbody>
    </Table>
  );
}

const SKELETON_ROWS = 8;

function SkeletonRows<Row>({ columns }: { columns: Column<Row>[] }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <Tr key={row}>
      {columns.map((column, index) => (
        <Td key={column.title} dataLabel={column.title}>
          <Skeleton
            width={`${80 - ((row * 13 + index * 7) % 35)}%`}
            screenreaderText={row === 0 && index === 0 ? "Loading" : undefined}
          />
        </Td>
      ))}
    </Tr>
  ));
}
