import { screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { lists } from "../../api/queries";
import { pageOf, RACK, SPARC } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { HostName } from "../HostName";
import { ResourceList } from "./ResourceList";

const HOSTS = "*/api/v1/hosts/";
const asked: URLSearchParams[] = [];

function serve(reply: () => Response) {
  asked.length = 0;
  server.use(
    http.get(HOSTS, ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return reply();
    }),
  );
}

const list = (
  <ResourceList
    title="Hosts"
    path="/api/v1/hosts/"
    query={lists.hosts}
    columns={[{ title: "Name", orderBy: "name", cell: (host) => <HostName host={host} /> }]}
    filters={[
      { kind: "text", name: "search", label: "Name" },
      {
        kind: "choices",
        name: "state",
        label: "State",
        options: [
          { value: "active", label: "Active" },
          { value: "offline", label: "Offline" },
        ],
      },
    ]}
    defaultOrdering="name"
    rowKey={(host) => host.id}
    empty={<p>No host yet</p>}
  />
);

describe("a list", () => {
  it("shows its rows, and marks what is simulated", async () => {
    serve(() => HttpResponse.json(pageOf([RACK, SPARC])));
    renderPage(list);
    expect(await screen.findByRole("link", { name: "rack-1" })).toBeVisible();
    expect(screen.getAllByText("simulated")).toHaveLength(1);
  });

  it("holds the place of its rows while they load", () => {
    serve(() => HttpResponse.json(pageOf([])));
    renderPage(list);
    expect(screen.getByRole("grid", { name: "Hosts" })).toHaveAttribute("aria-busy", "true");
    expect(screen.getByText("Loading")).toBeInTheDocument();
  });

  it("says what to do first when there is nothing", async () => {
    serve(() => HttpResponse.json(pageOf([])));
    renderPage(list);
    expect(await screen.findByText("No host yet")).toBeVisible();
  });

  it("says that a filter matches nothing, which is not the same, and clears it", async () => {
    serve(() => HttpResponse.json(pageOf([])));
    const { user, address } = renderPage(list, { at: "/hosts?state=offline" });
    expect(await screen.findByText("Nothing matches these filters")).toBeVisible();
    await user.click(
      screen.getAllByRole("button", { name: "Clear all filters" }).at(-1) as Element,
    );
    await waitFor(() => expect(address()).toBe("/hosts"));
  });

  it("says what failed with the code to quote, and tries again", async () => {
    const failure = { code: "database.locked", message: "Busy.", extra: { request_id: "r7" } };
    serve(() => HttpResponse.json(failure, { status: 400 }));
    const { user } = renderPage(list);
    expect(await screen.findByText("database.locked r7")).toBeVisible();
    serve(() => HttpResponse.json(pageOf([RACK])));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "rack-1" })).toBeVisible();
  });

  it("asks for what the address says", async () => {
    serve(() => HttpResponse.json(pageOf([RACK])));
    renderPage(list, { at: "/hosts?state=active,offline&ordering=-name&page_size=20&cursor=abc" });
    await screen.findByRole("link", { name: "rack-1" });
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      state: "active,offline",
      ordering: "-name",
      page_size: "20",
      cursor: "abc",
    });
  });

  it("keeps filters in the address and goes back to the first page for them", async () => {
    serve(() => HttpResponse.json(pageOf([RACK])));
    const { user, address } = renderPage(list, { at: "/hosts?page=3&cursor=abc" });
    await screen.findByRole("link", { name: "rack-1" });
    await user.click(screen.getByRole("button", { name: "State" }));
    await user.click(screen.getByRole("checkbox", { name: "Offline" }));
    await waitFor(() => expect(address()).toBe("/hosts?state=offline"));
  });

  it("turns pages by cursor", async () => {
    serve(() => HttpResponse.json(pageOf([RACK], { count: 120, next: "after-rack" })));
    const { user, address } = renderPage(list);
    await screen.findByRole("link", { name: "rack-1" });
    const next = screen.getAllByRole("button", { name: "Go to next page" });
    await user.click(next[0] as Element);
    await waitFor(() => expect(address()).toBe("/?page=2&cursor=after-rack"));
    expect(asked.at(-1)?.get("cursor")).toBe("after-rack");
  });

  it("offers all rows that match as CSV, not only this page", async () => {
    serve(() => HttpResponse.json(pageOf([RACK])));
    renderPage(list, { at: "/hosts?state=active&cursor=abc&page=2" });
    const csv = await screen.findByRole("link", { name: /as CSV/ });
    expect(csv).toHaveAttribute("href", "/api/v1/hosts/?format=csv&state=active&ordering=name");
  });
});
