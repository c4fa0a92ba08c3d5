import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Visitor } from "../support/browser.mjs";
import { open } from "../support/pages.mjs";
import { eventually } from "../support/stack.mjs";
import { asAdmin } from "../support/visit.mjs";

const OLD = "old-t5120";
const MIDDLE = "middle-t5120";
const NEW = "new-t5120";

export function changesSuite(world) {
  const enrolled = (name, edition) => async () => {
    const token = world.stack.python("-m", "tests.e2e.support.enrolment_token");
    await world.stack.startAgent(name, token, edition);
  };

  describe("a unit of primary moves to a guest with LDoms 1.1", () => {
    let address;
    let beginning;

    it("is enrolled as a simulated host", enrolled(OLD, "t5120-ldoms11"));

    it(
      "is drafted in the matrix, and planned with its commands, phases and what each reboot stalls",
      asAdmin(world, async (admin, page) => {
        address = await planMove(admin, OLD);
        beginning = await assignment(admin, OLD);
        await page.getByText("/opt/SUNWldm/bin/ldm set-mau 1 primary").first().waitFor();
        await page.getByText("/opt/SUNWldm/bin/ldm set-mau 2 ldg1").first().waitFor();
        await page.getByText("Then primary has to be rebooted").waitFor();
        await page.getByText("Then ldg1 has to be rebooted").waitFor();
        await page.getByText(/disks and networks of ldg2 wait while primary reboots/).waitFor();
        await page.getByText("simulated", { exact: true }).first().waitFor();
      }),
    );

    it(
      "is not approved by whoever asked for it",
      asAdmin(world, async (_admin, page) => {
        await page.goto(address);
        await page.getByText(/somebody else has to approve/).waitFor();
      }),
    );

    it("is approved by a second person", () => approved(world, address));

    it(
      "goes through the reboots of both domains, and the unit is seen in the guest",
      asAdmin(world, async (admin, page) => {
        await page.goto(address);
        await press(page, "Apply");
        await rebooted(world, page, OLD, "primary");
        await rebooted(world, page, OLD, "ldg1");
        await page.getByText("It has taken effect").waitFor();
        await eventually(
          "the unit in ldg1",
          async () => (await unitsOf(admin, OLD, "ldg1")) === 2,
          400,
        );
        await open(page, `/hosts/${await idOf(admin, OLD)}/units`);
        await page.getByRole("gridcell", { name: "core 1, ldg1: bound" }).waitFor();
      }),
    );

    it(
      "is rolled back by a change of its own, through the same reboots",
      asAdmin(world, async (admin, page) => {
        await page.goto(address);
        await page.getByRole("button", { name: "Roll back" }).click();
        await page.locator("#rollback-reason").fill("It was not spare");
        await page.getByRole("dialog").getByRole("button", { name: "Plan" }).click();
        await page.getByText("This restores what was before").waitFor();
        await page.getByText("/opt/SUNWldm/bin/ldm set-mau 2 primary").first().waitFor();
        const back = new URL(page.url()).pathname;
        assert.notEqual(back, address);
        await approved(world, back);
        await page.goto(back);
        await press(page, "Apply");
        await rebooted(world, page, OLD, "ldg1");
        await rebooted(world, page, OLD, "primary");
        await page.getByText("It has taken effect").waitFor();
        await eventually(
          "primary's",
          async () => (await unitsOf(admin, OLD, "primary")) === 2,
          400,
        );
        assert.deepEqual(await assignment(admin, OLD), beginning);
        await open(page, `/hosts/${await idOf(admin, OLD)}/units`);
        await page.getByRole("gridcell", { name: "core 1, primary: bound" }).waitFor();
      }),
    );
  });

  describe("the same with later versions of ldm", () => {
    it("are enrolled", async () => {
      await enrolled(MIDDLE, "t5120-ldoms12")();
      await enrolled(NEW, "t5120")();
    });

    it(
      "1.2 reboots primary and stops the guest for it",
      asAdmin(world, async (admin, page) => {
        const address = await planMove(admin, MIDDLE);
        await page.getByText("/opt/SUNWldm/bin/ldm stop-domain ldg1").first().waitFor();
        await approved(world, address);
        await page.goto(address);
        await press(page, "Apply");
        await rebooted(world, page, MIDDLE, "primary");
        await page.getByText("Done and read back").first().waitFor({ timeout: 60_000 });
        await eventually(
          "the unit in ldg1",
          async () => (await unitsOf(admin, MIDDLE, "ldg1")) === 2,
          400,
        );
      }),
    );

    it(
      "3.1 moves it at once",
      asAdmin(world, async (admin, page) => {
        const address = await planMove(admin, NEW);
        await page.getByText("/opt/SUNWldm/bin/ldm set-crypto 2 ldg1").first().waitFor();
        await approved(world, address);
        await page.goto(address);
        await press(page, "Apply");
        await page.getByText("Done and read back").first().waitFor({ timeout: 60_000 });
        await eventually(
          "the unit in ldg1",
          async () => (await unitsOf(admin, NEW, "ldg1")) === 2,
          400,
        );
      }),
    );
  });
}

/** Draft the move in the host's matrix, with the CPUs of the unit's core, and plan it. */
async function planMove(admin, name) {
  const { page } = admin;
  await eventually("its inventory", async () => (await unitsOf(admin, name, "primary")) === 2);
  await open(page, `/units/matrix?host=${await idOf(admin, name)}`);
  await page.getByRole("grid").waitFor();
  await page.getByText("Change virtual CPUs too").click();
  await page.getByRole("spinbutton", { name: "Virtual CPUs of primary" }).fill("8");
  await page.getByRole("spinbutton", { name: "Virtual CPUs of ldg1" }).fill("16");
  await page.getByRole("button", { name: "One unit fewer for primary" }).click();
  await page.getByRole("button", { name: "One unit more for ldg1" }).click();
  await page.getByRole("button", { name: /^Plan/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Reason/).fill("One unit is spare");
  await dialog.getByRole("button", { name: "Plan" }).click();
  await page.waitForURL(/\/changes\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname;
}

/** Have the second person look at the plan and approve it. */
async function approved(world, address) {
  const approver = await Visitor.arrive(world.browser, world.stack.url);
  await approver.logIn("approver", world.stack.password("approver"));
  await approver.page.getByRole("heading", { name: "Overview" }).waitFor();
  await approver.page.goto(address);
  await press(approver.page, "Approve");
  await approver.page.getByRole("button", { name: "Apply" }).waitFor();
  await approver.leave();
}

/** Reboot the domain that the change on the page waits for, and have it looked at. */
async function rebooted(world, page, name, domain) {
  await page.getByText(`Waits for the reboot of ${domain}`).waitFor({ timeout: 60_000 });
  world.stack.simulate(name, "reboot", domain);
  await page.getByRole("button", { name: "Check now" }).click();
  await page
    .getByText(`Waits for the reboot of ${domain}`)
    .waitFor({ state: "hidden", timeout: 60_000 });
}

async function press(page, name) {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

async function idOf(admin, name) {
  const { results } = await admin.get(`/api/v1/hosts/?search=${name}`);
  return results[0]?.id;
}

/** How many units a domain has, as the console knows it. */
async function unitsOf(admin, name, domain) {
  const id = await idOf(admin, name);
  if (id === undefined) return 0;
  const units = await admin.get(`/api/v1/units/?host=${id}&page_size=100`);
  return units.results.filter((unit) => unit.domain?.name === domain).length;
}

/** Units and virtual CPUs of each domain, and which domain has which unit. */
async function assignment(admin, name) {
  const { domains, units } = await admin.get(`/api/v1/hosts/${await idOf(admin, name)}/matrix/`);
  return {
    domains: domains.map((domain) => [domain.name, domain.unit_count, domain.vcpu]),
    units: units.map((unit) => [unit.name, unit.domain_key]),
  };
}
