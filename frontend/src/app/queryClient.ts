import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { asApiError } from "../api/errors";
import { keys } from "../api/queries";

/** A session that ended shows as 401 on whatever was asked next: forget who we were. */
function noticeLogout(error: unknown): void {
  if (asApiError(error).status === 401) queryClient.setQueryData(keys.me, null);
}

function worthRetrying(failures: number, error: unknown): boolean {
  const { status } = asApiError(error);
  return failures < 2 && (status === 0 || status >= 500);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeLogout }),
  mutationCache: new MutationCache({ onError: noticeLogout }),
  defaultOptions: {
    queries: {
      // Events say when something changed, so what was read stays fresh until one comes.
      staleTime: 30_000,
      retry: worthRetrying,
      refetchOnWindowFocus: true,
    },
  },
});
