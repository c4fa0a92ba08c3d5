import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { CERTIFICATE, pageOf, TOKEN } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { TokenPage } from "./TokenPage";

function open(token: Partial<typeof TOKEN> = {}) {
  server.use(
    http.get("*/api/v1/tokens/:id/", () => HttpResponse.json({ ...TOKEN, ...token })),
    http.get("*/api/v1/certificates/", () => HttpResponse.json(pageOf([CERTIFICATE]))),
  );
  return renderPage(<TokenPage />, { at: `/tokens/${TOKEN.id}`, path: "/tokens/:tokenId" });
}

describe("a token's page", () => {
  it("says the state of its PINs in words", async () => {
    open();
    expect(await screen.findByText("count low")).toBeVisible();
  });

  it("keeps unlimited, not told and zero apart", async () => {
    open();
    expect(await screen.findByText("unlimited")).toBeVisible();
    expect(screen.getAllByText("not told")).toHaveLength(2);
    expect(screen.getByText("0 B")).toBeVisible();
  });

  it("lists certificates that it shows without a login", async () => {
    open();
    expect(await screen.findByText("CN=www.example.org")).toBeVisible();
  });

  it("has a name even where it has neither label nor serial", async () => {
    open({ label: "", serial: "" });
    expect(await screen.findByRole("heading", { level: 1, name: /no label/ })).toBeVisible();
  });
});
