import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, it } from "node:test";
import { axeViolations } from "../support/browser.mjs";
import { everyPage, open } from "../support/pages.mjs";
import { asAdmin } from "../support/visit.mjs";

const WIDTHS = [1440, 390];
const THEMES = ["light", "dark"];
const TALLEST = 4000;

/** Where screenshots go, if anywhere: KEYRACK_SCREENSHOTS=folder keeps them. */
const folder = process.env.KEYRACK_SCREENSHOTS;

async function chooseTheme(page, theme) {
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("option", { name: theme, exact: false }).click();
}

async function photograph(page, name, width) {
  if (!folder) return;
  fs.mkdirSync(folder, { recursive: true });
  const height = await page.evaluate(
    () => (document.querySelector("#main")?.scrollHeight ?? 0) + 90,
  );
  await page.setViewportSize({ width, height: Math.min(Math.max(height, 800), TALLEST) });
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.setViewportSize({ width, height: 900 });
}

/** How far the page or its content reaches beyond the window, in pixels. */
function overflow() {
  const main = document.querySelector("#main") ?? document.body;
  return Math.max(
    document.documentElement.scrollWidth - innerWidth,
    main.scrollWidth - main.clientWidth,
  );
}

export function everyPageSuite(world) {
  for (const theme of THEMES) {
    // Both widths at once: they are two visitors, and axe keeps one processor busy.
    describe(`every page in ${theme}`, { concurrency: WIDTHS.length }, () => {
      for (const width of WIDTHS) {
        it(
          `passes axe and fits at ${width} px`,
          asAdmin(world, async (admin, page) => {
            await chooseTheme(page, theme);
            await page.setViewportSize({ width, height: 900 });
            const faults = [];
            for (const [name, address] of Object.entries(await everyPage(admin))) {
              await open(page, address);
              for (const line of await axeViolations(page)) faults.push(`${name}: ${line}`);
              const pixels = await page.evaluate(overflow);
              if (pixels > 0) faults.push(`${name}: ${pixels} px too wide`);
              await photograph(page, `${name}-${theme}-${width}`, width);
            }
            assert.deepEqual(faults, []);
          }),
        );
      }
    });
  }
}
