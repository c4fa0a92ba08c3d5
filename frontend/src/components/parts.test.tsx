import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { ConfirmDialog } from "./ConfirmDialog";
import { Facts } from "./Facts";
import { GuardedButton } from "./GuardedButton";
import { StateLabel } from "./StateLabel";
import { Time } from "./Time";
import { Tri } from "./Tri";

const idle = { isPending: false, isError: false, error: null, reset: () => undefined };

describe("a guarded button", () => {
  it("says why it cannot be pressed, and is not pressed", async () => {
    const press = vi.fn();
    render(
      <GuardedButton isAllowed={false} reason="Only operators may." onClick={press}>
        Run
      </GuardedButton>,
    );
    const button = screen.getByRole("button", { name: "Run" });
    await userEvent.click(button);
    await userEvent.hover(button);
    expect(press).not.toHaveBeenCalled();
    expect(await screen.findByText("Only operators may.")).toBeInTheDocument();
  });

  it("is an ordinary button for whoever may", async () => {
    const press = vi.fn();
    render(
      <GuardedButton isAllowed reason="" onClick={press}>
        Run
      </GuardedButton>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(press).toHaveBeenCalledOnce();
  });
});

describe("a time", () => {
  it("is relative, with the exact UTC on focus", async () => {
    render(<Time at={new Date(Date.now() - 3 * 60_000).toISOString()} />);
    expect(screen.getByText(/^[23] minutes ago$/)).toBeVisible();
    await userEvent.tab();
    expect(await screen.findByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)).toBeInTheDocument();
  });

  it("says never for what has not happened", () => {
    render(<Time at={null} />);
    expect(screen.getByText("never")).toBeVisible();
  });
});

describe("small parts", () => {
  it("keep yes, no and not known apart", () => {
    render(
      [true, false, null].map((value) => (
        <Tri key={String(value)} value={value} unknown="no policy" />
      )),
    );
    expect(["yes", "no", "no policy"].map((text) => screen.getByText(text))).toHaveLength(3);
  });

  it("show a state word that they do not know plainly", () => {
    render(<StateLabel state="half_asleep" />);
    expect(screen.getByText("half asleep")).toBeVisible();
  });

  it("leave out facts that are empty", () => {
    render(
      <Facts
        facts={[
          ["Kernel", ""],
          ["Memory", "4 GiB"],
        ]}
      />,
    );
    expect(screen.queryByText("Kernel")).toBeNull();
    expect(screen.getByText("4 GiB")).toBeVisible();
  });
});

describe("a dialog for what cannot be taken back", () => {
  it("waits until the name is typed", async () => {
    const mutate = vi.fn();
    render(
      <ConfirmDialog
        title="Retire?"
        action="Retire host"
        isDanger
        typeToConfirm="rack-1"
        mutation={{ ...idle, mutate }}
        onClose={() => undefined}
      >
        Its agent loses its credential.
      </ConfirmDialog>,
    );
    const retire = screen.getByRole("button", { name: "Retire host" });
    expect(retire).toBeDisabled();
    await userEvent.type(screen.getByRole("textbox"), "rack-1");
    await userEvent.click(retire);
    expect(mutate).toHaveBeenCalledOnce();
  });
});
