import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorView, LoadingLines } from "./States";

interface Props<Data> {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "isError" | "refetch">;
  /** What is being read, lower case: `the host`. */
  what: string;
  /** Room to hold while loading. */
  lines?: number;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Loading, error or content of one query. Content stays while it is read again, or cannot be. */
export function QueryView<Data>({ query, what, lines, loading, children }: Props<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) {
    return (
      <ErrorView
        title={`${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return <>{loading ?? <LoadingLines lines={lines} what={what} />}</>;
}
