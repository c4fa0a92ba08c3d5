import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { pagesSay } from "../support/pages.mjs";
import { asAdmin } from "../support/visit.mjs";

const shows = (page, text) => page.getByText(text).filter({ visible: true }).first().waitFor();

const MOST_ROWS_DRAWN = 120;

export function manyRowsSuite(world) {
  describe("ten thousand rows", () => {
    before(() => {
      world.stack.python("-m", "tests.e2e.support.seed_rows", "10000");
    });

    it(
      "turn page by page, forwards and backwards, without a gap",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/hosts?search=seeded&ordering=name");
        const names = () => page.locator('td[data-label="Name"] a').allInnerTexts();
        await page.getByText("seeded-00001").waitFor();
        const first = await names();
        await page.getByRole("button", { name: "Go to next page" }).first().click();
        await page.getByText("seeded-00051").waitFor();
        assert.ok(!(await names()).includes("seeded-00050"));
        await shows(page, pagesSay(51, 100, 10_000));
        await page.getByRole("button", { name: "Go to previous page" }).first().click();
        await page.getByText("seeded-00001").waitFor();
        assert.deepEqual(await names(), first);
      }),
    );

    it(
      "show the same page to whoever gets the link",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/hosts?search=seeded&ordering=-name&page_size=20");
        await page.getByText("seeded-10000").waitFor();
        await page.getByRole("button", { name: "Go to next page" }).first().click();
        await page.getByText("seeded-09980").waitFor();
        await page.reload();
        await page.getByText("seeded-09980").waitFor();
        await shows(page, pagesSay(21, 40, 10_000));
      }),
    );

    it(
      "are each marked where they are only simulated",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/hosts?search=seeded&page_size=20");
        await page.getByText("seeded-00001").waitFor();
        assert.equal(await page.locator("td").getByText("simulated", { exact: true }).count(), 20);
      }),
    );

    it(
      "are sorted by the server",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/hosts?search=seeded");
        await page.getByText("seeded-00001").waitFor();
        await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
        await page.getByText("seeded-10000").waitFor();
        assert.match(page.url(), /ordering=-name/);
      }),
    );

    it(
      "scroll as mechanisms while only those in view are drawn",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/mechanisms?search=CKM_SEEDED");
        const list = page.getByRole("region", { name: "Mechanisms" });
        await list.getByText("CKM_SEEDED_00001").waitFor();
        for (let turn = 0; turn < 8; turn += 1) {
          await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
          await page.waitForTimeout(300);
        }
        await list
          .getByText(/CKM_SEEDED_01\d\d\d/)
          .first()
          .waitFor();
        const drawn = await list.locator("tbody tr").count();
        assert.ok(drawn < MOST_ROWS_DRAWN, `${drawn} rows are drawn`);
      }),
    );
  });
}
