import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Visitor } from "../support/browser.mjs";
import { eventually } from "../support/stack.mjs";
import { asAdmin } from "../support/visit.mjs";

const HOST = "old-t5120";

export function changesSuite(world) {
  describe("a change of a simulated host with LDoms 1.1", () => {
    let address;

    it(
      "is planned with its commands and what the reboot stalls; whoever asked may not approve",
      asAdmin(world, async (admin, page) => {
        const token = world.stack.python("-m", "tests.e2e.support.enrolment_token");
        await world.stack.startAgent(HOST, token, "t5120-ldoms11");
        await eventually("its inventory", async () => (await unitOwners(admin)).length > 0);
        await page.goto("/changes");
        await page.getByRole("button", { name: "New change" }).first().click();
        await page.locator("#change-host").selectOption(`${HOST} (simulated)`);
        await page.locator("#change-parameters").fill('{"counts": {"primary": 1}}');
        await page.locator("#change-reason").fill("One unit is spare");
        await page.getByRole("dialog").getByRole("button", { name: "Plan" }).click();
        await page.getByText("/opt/SUNWldm/bin/ldm set-mau 1 primary").first().waitFor();
        await page.getByText("Then primary has to be rebooted").waitFor();
        await page.getByText(/somebody else has to approve/).waitFor();
        await page.getByText("simulated", { exact: true }).first().waitFor();
        address = new URL(page.url()).pathname;
      }),
    );

    it("is approved by a second person", async () => {
      const approver = await Visitor.arrive(world.browser, world.stack.url);
      await approver.logIn("approver", world.stack.password("approver"));
      await approver.page.getByRole("heading", { name: "Overview" }).waitFor();
      await approver.page.goto(address);
      await press(approver.page, "Approve");
      await approver.page.getByRole("button", { name: "Apply" }).waitFor();
      await approver.leave();
    });

    it(
      "waits for the reboot once it was applied, and succeeds after it",
      asAdmin(world, async (admin, page) => {
        await page.goto(address);
        await press(page, "Apply");
        await page.getByText("Waits for the reboot of primary").waitFor();
        world.stack.simulate(HOST, "reboot", "primary");
        await page.getByRole("button", { name: "Check now" }).click();
        await page.getByText("It has taken effect").waitFor();
        await eventually(
          "the unit to be free",
          async () => (await unitOwners(admin)).filter((owner) => owner === "primary").length === 1,
          400,
        );
      }),
    );

    it(
      "is rolled back by a change of its own",
      asAdmin(world, async (_admin, page) => {
        await page.goto(address);
        await page.getByRole("button", { name: "Roll back" }).click();
        await page.locator("#rollback-reason").fill("It was not spare");
        await page.getByRole("dialog").getByRole("button", { name: "Plan" }).click();
        await page.getByText("This restores what was before").waitFor();
        await page.getByText("/opt/SUNWldm/bin/ldm set-mau 2 primary").first().waitFor();
        assert.notEqual(new URL(page.url()).pathname, address);
      }),
    );
  });
}

async function press(page, name) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

/** The owners of the host's units as the console knows them; null for a free one. */
async function unitOwners(admin) {
  const { results } = await admin.get(`/api/v1/hosts/?search=${HOST}`);
  if (results.length === 0) return [];
  const units = await admin.get(`/api/v1/units/?host=${results[0].id}`);
  return units.results.map((unit) => unit.domain?.name ?? null);
}
