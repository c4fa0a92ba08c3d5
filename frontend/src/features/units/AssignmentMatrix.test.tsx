import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import type { Matrix } from "../../api/types";
import { addressedMatrix, aUnit, countedMatrix } from "../../test/matrix";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { AssignmentMatrix } from "./AssignmentMatrix";

function show(matrix: Matrix, isOptional = false) {
  server.use(http.get("*/api/v1/hosts/h/matrix/", () => HttpResponse.json(matrix)));
  return renderPage(<AssignmentMatrix host="h" isOptional={isOptional} />);
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", (media: string) => ({
    media,
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1200);
});

it("says in the host's words why there is nothing to assign", async () => {
  const reason = "Since the T4, units became instructions in the core.";
  show({ ...countedMatrix(), mode: "none", reason, units: [], free: 0 });
  expect(await screen.findByText(reason)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Plan/ })).toBeNull();
});

it("lists hexadecimal addresses in their order", async () => {
  const units = ["00:0a.0", "00:10.0", "00:01.0"].map((key) => aUnit(key));
  show({ ...addressedMatrix(), units });
  const names = (await screen.findAllByRole("rowheader")).map((cell) => cell.textContent);
  expect(names).toEqual(["00:01.0", "00:0a.0", "00:10.0"]);
});

it("lists the control domain first and the others by number", async () => {
  const [control, ...others] = countedMatrix().domains;
  show({ ...countedMatrix(), domains: control === undefined ? others : [...others, control] });
  const names = (await screen.findAllByRole("link")).map((link) => link.textContent);
  expect(names[0]).toBe("primary");
});
