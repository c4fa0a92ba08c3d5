import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { LoginPage, safeNext } from "./LoginPage";

describe("where a login leads", () => {
  it.each([
    ["/hosts?state=offline", "/hosts?state=offline"],
    [null, "/"],
    ["//evil.example/", "/"],
    ["/\\evil.example", "/"],
    ["https://evil.example/", "/"],
    ["javascript:alert(1)", "/"],
  ])("takes %s to %s", (next, to) => expect(safeNext(next)).toBe(to));
});

it("says what the console said when it refuses", async () => {
  const refusal = { code: "session.refused", message: "Name or password is wrong.", extra: {} };
  server.use(http.post("*/api/v1/session/", () => HttpResponse.json(refusal, { status: 401 })));
  const { user } = renderPage(<LoginPage />, { at: "/login", me: null });
  await user.type(screen.getByRole("textbox", { name: /User name/ }), "alice");
  await user.type(screen.getByLabelText(/^Password/), "wrong");
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByText("Name or password is wrong.")).toBeVisible();
});
