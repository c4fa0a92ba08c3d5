import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ALICE } from "../../test/cast";
import { addressedMatrix, countedMatrix } from "../../test/matrix";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { MatrixEditor } from "./MatrixEditor";

const me = { ...ALICE, capabilities: { ...ALICE.capabilities, "change.request": true } };
const show = (matrix = countedMatrix()) =>
  renderPage(<MatrixEditor matrix={matrix} />, {
    me,
    others: [{ path: "/changes/c1", element: <h1>The change</h1> }],
  });

/** What jsdom lacks: a window of some size. */
function beWide(isWide: boolean) {
  vi.stubGlobal("matchMedia", (media: string) => ({
    media,
    matches: isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(isWide ? 600 : 0);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(isWide ? 1200 : 0);
}

beforeEach(() => beWide(false));

describe("the assignment of counted units", () => {
  it("counts what is pending, and undoes and redoes it", async () => {
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "One unit fewer for primary" }));
    expect(screen.getByText(/1 pending change/)).toHaveTextContent("2 then");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(screen.getByText(/No pending change/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Redo" }));
    expect(screen.getByText(/1 pending change/)).toBeVisible();
  });

  it("says why a draft cannot be had, and offers the CPUs with which it can", async () => {
    const { user } = show();
    const more = screen.getByRole("button", { name: "One unit more for ldg1" });
    await user.click(screen.getByRole("button", { name: "One unit fewer for primary" }));
    await user.click(more);
    await user.click(more);
    expect(screen.getByText(/ldg1 has CPUs on one core/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: /^Give ldg1 16 virtual CPUs/ }));
    expect(screen.queryByText("This cannot be had")).toBeNull();
    expect(screen.getByText(/3 pending changes/)).toBeVisible();
  });

  it("keeps the draft over a reload", async () => {
    const first = show();
    await first.user.click(screen.getByRole("button", { name: "One unit more for ldg1" }));
    first.unmount();
    show();
    expect(screen.getByRole("spinbutton", { name: "Units of ldg1" })).toHaveValue(1);
  });

  it("tells what changed on the host since the draft was begun", async () => {
    const first = show();
    await first.user.click(screen.getByRole("button", { name: "One unit more for ldg1" }));
    first.unmount();
    const later = { ...countedMatrix(), snapshot_digest: "later" };
    later.domains = later.domains.map((domain) =>
      domain.key === "primary" ? { ...domain, unit_count: 1 } : domain,
    );
    const { user } = show(later);
    expect(screen.getByText("primary had 2 units, has 1.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Keep the draft" }));
    expect(screen.queryByText("primary had 2 units, has 1.")).toBeNull();
  });

  it("plans what is pending with a reason, and nothing else", async () => {
    let asked: unknown;
    server.use(
      http.post("*/api/v1/changes/", async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json({ id: "c1" }, { status: 201 });
      }),
    );
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "One unit more for ldg1" }));
    await user.click(screen.getByRole("button", { name: /^Plan/ }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText("ldg1: units 0 → 1")).toBeVisible();
    await user.type(dialog.getByLabelText(/Reason/), "ldg1 serves TLS");
    await user.click(dialog.getByRole("button", { name: "Plan" }));
    await screen.findByText("The change");
    expect(asked).toMatchObject({ kind: "unit.assign", parameters: { counts: { ldg1: 1 } } });
  });

  it("cannot be planned on a host that takes no such change, and says why", async () => {
    const assigning = { is_accepted: false, reason: "alpha does not take unit.assign." };
    const { user } = show({ ...countedMatrix(), assigning });
    await user.hover(screen.getByRole("button", { name: "Plan" }));
    expect(await screen.findByText("alpha does not take unit.assign.")).toBeInTheDocument();
  });
});

describe("the grid", () => {
  beforeEach(() => beWide(true));

  it("moves by arrow keys, and + and − change the number of the column", async () => {
    const { user } = show();
    (await screen.findByRole("spinbutton", { name: "Units of primary" })).focus();
    await user.keyboard("{ArrowRight}");
    await waitFor(() =>
      expect(screen.getByRole("spinbutton", { name: "Units of ldg1" })).toHaveFocus(),
    );
    await user.keyboard("+");
    expect(screen.getByRole("spinbutton", { name: "Units of ldg1" })).toHaveValue(1);
    expect(screen.getByRole("gridcell", { name: "core 2, ldg1: may be given" })).toBeVisible();
  });

  it("has one tab stop", async () => {
    show();
    await screen.findByRole("spinbutton", { name: "Units of primary" });
    expect(screen.getByRole("grid").querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  });

  it("assigns units that have addresses cell by cell, and marks what cannot be", async () => {
    const { user } = show(addressedMatrix());
    await user.click(
      await screen.findByRole("gridcell", { name: "vf0, guest2: could be assigned" }),
    );
    expect(screen.getByRole("gridcell", { name: "vf0, guest2: will be assigned" })).toBeVisible();
    expect(screen.getByRole("gridcell", { name: "vf0, guest1: will be taken away" })).toBeVisible();
    await user.click(screen.getByRole("gridcell", { name: "vf1, guest2: cannot be assigned" }));
    expect(screen.getByText("vf1 cannot be given to guest2 on this host.")).toBeVisible();
    await user.keyboard("{Control>}z{/Control}");
    expect(screen.queryByText("This cannot be had")).toBeNull();
  });
});
