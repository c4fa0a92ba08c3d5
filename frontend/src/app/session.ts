/** Who is logged in, and what they may do. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { meQuery } from "../api/queries";

/** The user, null when nobody is logged in, undefined while that is not yet known. */
export function useSession() {
  return useQuery(meQuery());
}

/** The user, on pages that are only shown to one. */
export function useMe() {
  const { data } = useSuspenseQuery(meQuery());
  if (data === null) throw new Error("This page needs a user; RequireLogin stands before it.");
  return data;
}

/** Whether the user may do `verb` at all. Replies about one object say it for that object. */
export function useCan(verb: string): boolean {
  return useMe().capabilities[verb] ?? false;
}
