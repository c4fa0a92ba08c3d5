import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { axeViolations } from "../support/browser.mjs";
import { open } from "../support/pages.mjs";
import { asAdmin } from "../support/visit.mjs";

const HOST = "old-t5120";

async function openMatrix(admin) {
  const { results } = await admin.get(`/api/v1/hosts/?search=${HOST}`);
  await open(admin.page, `/units/matrix?host=${results[0].id}`);
  await admin.page.getByRole("grid").waitFor();
  return results[0].id;
}

const unitsOf = (page, domain) => page.getByRole("spinbutton", { name: `Units of ${domain}` });
const press = (page, name) => page.getByRole("button", { name }).click();

/** Uses the simulated host that the suite of changes has enrolled. */
export function matrixSuite(world) {
  describe("the assignment matrix", () => {
    it(
      "keeps a draft over a reload, and Discard forgets it",
      asAdmin(world, async (admin, page) => {
        await openMatrix(admin);
        const before = await unitsOf(page, "ldg1").inputValue();
        await press(page, "One unit fewer for ldg1");
        await page.getByText(/^1 pending change/).waitFor();
        await page.getByText(`pending, now ${before}`).waitFor();
        await page.reload();
        await page.getByText(/^1 pending change/).waitFor();
        await press(page, "Discard draft");
        await page.getByText(/^No pending change/).waitFor();
        assert.equal(await unitsOf(page, "ldg1").inputValue(), before);
      }),
    );

    it(
      "is edited and undone by keys alone",
      asAdmin(world, async (admin, page) => {
        await openMatrix(admin);
        await unitsOf(page, "primary").focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("-");
        await page.getByText(/^1 pending change/).waitFor();
        const place = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
        assert.equal(place, "Units of ldg1");
        await page.keyboard.press("Control+z");
        await page.getByText(/^No pending change/).waitFor();
        await page.keyboard.press("Control+Shift+Z");
        await page.getByText(/^1 pending change/).waitFor();
        await press(page, "Discard draft");
      }),
    );

    it(
      "says why something cannot be had, and solves it with virtual CPUs",
      asAdmin(world, async (admin, page) => {
        await openMatrix(admin);
        await press(page, "One unit more for ldg1");
        await page.getByText("ldg1 has CPUs on one core, and each core has one unit.").waitFor();
        assert.deepEqual(await axeViolations(page), []);
        assert.equal(await isRefused(page), "true");
        await press(page, /^Give ldg1 16 virtual CPUs too/);
        await page.getByText(/^2 pending changes/).waitFor();
        assert.notEqual(await isRefused(page), "true");
        await press(page, "Discard draft");
      }),
    );

    it(
      "plans what was drafted",
      asAdmin(world, async (admin, page) => {
        await openMatrix(admin);
        await press(page, "One unit fewer for ldg1");
        await press(page, /^Plan/);
        const dialog = page.getByRole("dialog");
        await dialog.getByText("ldg1: units 1 → 0").waitFor();
        await dialog.getByLabel(/^Reason/).fill("It asks for nothing");
        await dialog.getByRole("button", { name: "Plan" }).click();
        await page.waitForURL(/\/changes\/[0-9a-f-]{36}$/);
        await page.getByText("/opt/SUNWldm/bin/ldm set-mau 0 ldg1").first().waitFor();
      }),
    );
  });

  describe("the metaslot of a simulated host", () => {
    it(
      "is disabled by a change that is planned from its card",
      asAdmin(world, async (admin, page) => {
        const { results } = await admin.get(`/api/v1/hosts/?search=${HOST}`);
        await open(page, `/hosts/${results[0].id}/providers`);
        await press(page, "Disable");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel(/^Reason/).fill("Programs shall see the slots themselves");
        await dialog.getByRole("button", { name: "Plan" }).click();
        await page.waitForURL(/\/changes\/[0-9a-f-]{36}$/);
        await page.getByText("/usr/sbin/cryptoadm disable metaslot").first().waitFor();
      }),
    );
  });
}

/** Whether Plan says that it is not to be pressed. */
const isRefused = (page) =>
  page.getByRole("button", { name: /^Plan/ }).getAttribute("aria-disabled");
