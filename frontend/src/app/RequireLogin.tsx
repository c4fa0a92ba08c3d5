import { Bullseye, Spinner } from "@patternfly/react-core";
import { Navigate, Outlet, useLocation } from "react-router";
import { ErrorView } from "../components/States";
import { LiveProvider } from "./LiveProvider";
import { useSession } from "./session";

/** Sends whoever is not logged in to the login page, which brings them back here. */
export function RequireLogin() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.data === null) {
    const here = pathname + search;
    const next = here === "/" ? "" : `?next=${encodeURIComponent(here)}`;
    return <Navigate to={`/login${next}`} replace />;
  }
  if (session.data !== undefined) {
    return (
      <LiveProvider>
        <Outlet />
      </LiveProvider>
    );
  }
  return (
    <Bullseye className="kr-whole-page">
      {session.isError ? (
        <ErrorView
          title="The console does not answer"
          error={session.error}
          onRetry={() => void session.refetch()}
        />
      ) : (
        <Spinner aria-label="Loading Keyrack" />
      )}
    </Bullseye>
  );
}
