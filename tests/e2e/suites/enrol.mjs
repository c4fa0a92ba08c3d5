import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asAdmin } from "../support/visit.mjs";

export function enrolSuite(world) {
  describe("enrolling a second agent", () => {
    it(
      "shows one command, waits, and shows the host as it appears",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/hosts");
        await page.getByRole("button", { name: "Enrol host" }).click();
        await page.getByRole("textbox", { name: "Labels for the hosts" }).fill("site=lab");
        await page.getByRole("button", { name: "Show the command" }).click();
        await page.getByText("Waiting for the host to appear").waitFor();
        await page.getByRole("button", { name: "Copy the command" }).click();
        const command = await page.evaluate(() => navigator.clipboard.readText());
        const [, token] = /KEYRACK_ENROLMENT_TOKEN=(kre_[\w-]+)/.exec(command);
        await world.stack.startAgent("second-agent", token);
        await page.getByText("1 of 1 host enrolled").waitFor();
        await page.getByText(/first inventory/).waitFor();
        await page.getByRole("link", { name: "second-agent" }).click();
        await page.getByRole("heading", { level: 1, name: "second-agent" }).waitFor();
      }),
    );

    it(
      "gives the host the labels that were asked for, and they can be changed",
      asAdmin(world, async (admin, page) => {
        await page.goto("/administration/host-labels?search=second-agent");
        await page.getByText("site=lab").waitFor();
        await page.getByRole("button", { name: "Change name or labels" }).click();
        await page.getByRole("textbox", { name: "Labels" }).fill("site=lab, rack=7");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("rack=7").waitFor();
        const { count } = await admin.get("/api/v1/hosts/?label=rack=7");
        assert.equal(count, 1);
      }),
    );

    it(
      "leaves a used-up token behind and a line in the audit",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/administration/enrolment-tokens?state=used_up");
        await page.getByRole("gridcell", { name: "1 of 1" }).first().waitFor();
        await page.goto("/audit?verb=host.enrol");
        await page.getByRole("link", { name: "second-agent" }).first().waitFor();
      }),
    );

    it(
      "can be undone: retiring asks for the host's name first",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/hosts?search=second-agent");
        await page.getByRole("link", { name: "second-agent" }).click();
        await page.getByRole("button", { name: "Retire" }).click();
        const confirm = page.getByRole("button", { name: "Retire host" });
        assert.ok(await confirm.isDisabled());
        await page
          .getByRole("textbox", { name: "Type second-agent to confirm" })
          .fill("second-agent");
        await confirm.click();
        await page.getByText("retired", { exact: true }).waitFor();
      }),
    );
  });
}
