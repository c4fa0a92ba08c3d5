/** Renders parts of the dashboard with a router, a query client and, if wanted, a user. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { createMemoryRouter, Outlet, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { keys } from "../api/queries";
import type { Me } from "../api/types";
import { ALICE } from "./cast";

interface Options {
  /** Address that the page is opened at. */
  at?: string;
  /** Pattern of that address, where the page reads parts of it. */
  path?: string;
  me?: Me | null;
  /** What an Outlet above hands down, e.g. the host of a tab. */
  context?: unknown;
  /** Other addresses that the page may lead to. */
  others?: RouteObject[];
}

export function renderPage(page: ReactNode, options: Options = {}) {
  const { at = "/", path = "*", me = ALICE, context, others = [] } = options;
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Infinity } },
  });
  client.setQueryData(keys.me, me);
  const router = createMemoryRouter(
    [{ element: <Outlet context={context} />, children: [...others, { path, element: page }] }],
    { initialEntries: [at] },
  );
  const view = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const address = () => router.state.location.pathname + router.state.location.search;
  return { ...view, client, address, user: userEvent.setup() };
}
