import { Bullseye } from "@patternfly/react-core";
import { Navigate, Outlet, useLocation } from "react-router";
import { ErrorView } from "../components/States";
import { FirstLoad } from "./FirstLoad";
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
  if (!session.isError) return <FirstLoad />;
  return (
    <Bullseye className="kr-whole-page">
      <ErrorView
        title="The console does not answer"
        error={session.error}
        onRetry={() => void session.refetch()}
      />
    </Bullseye>
  );
}
