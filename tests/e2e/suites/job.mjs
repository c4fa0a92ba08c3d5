import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asAdmin, ownHost } from "../support/visit.mjs";

const MEASURED = 180_000;

export function jobSuite(world) {
  describe("a job", () => {
    it(
      "is asked for on one page and ends with a verdict in a sentence",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        await page.goto(`/hosts/${host.id}/summary`);
        await page.getByRole("button", { name: "New job" }).click();
        await page.getByRole("textbox", { name: "Name of the job" }).fill("Browser's job");
        await page.getByText(/^About .* on 1 host/).waitFor();
        await page.getByText("Keeps as many CPUs busy").waitFor();
        await page.getByRole("button", { name: "Start on 1 host" }).click();
        await page.getByRole("heading", { level: 1, name: "Browser's job" }).waitFor();
        const verdict = page.locator("h2[data-verdict]");
        await verdict.waitFor({ timeout: MEASURED });
        assert.match(await verdict.innerText(), /AES-128-CBC at 8 KiB: [\d.]+ × faster/);
      }),
    );

    it(
      "shows chart, figures, CPU split and raw output",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/jobs");
        await page.getByRole("link", { name: "Browser's job" }).first().click();
        await page.locator("canvas").first().waitFor();
        await page
          .getByRole("grid", { name: "Comparisons in MB/s" })
          .getByText("aes-128-cbc")
          .first()
          .waitFor();
        await page
          .getByRole("grid", { name: "CPU cost and split" })
          .getByText("accelerated")
          .first()
          .waitFor();
        await page
          .getByText(/AES-NI|PMULL|KM-AES/)
          .first()
          .waitFor();
        await page.getByRole("button", { name: /Raw output/ }).click();
        await page
          .getByLabel("Raw output")
          .getByText(/\+(F|R|DT)/)
          .first()
          .waitFor();
      }),
    );

    it(
      "is exported as JSON and CSV",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/jobs");
        await page.getByRole("link", { name: "Browser's job" }).first().click();
        for (const format of ["JSON", "CSV"]) {
          await page.getByRole("button", { name: "Export" }).click();
          const arriving = page.waitForEvent("download");
          await page.getByRole("menuitem", { name: format }).click();
          const name = (await arriving).suggestedFilename();
          assert.match(name, new RegExp(`^job_.*\\.${format.toLowerCase()}$`));
        }
      }),
    );

    it(
      "runs again with the same parameters, and stops when it is cancelled",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/jobs");
        await page.getByRole("link", { name: "Browser's job" }).first().click();
        const before = page.url();
        await page.getByRole("button", { name: "Run again" }).click();
        await page.waitForURL((url) => url.href !== before && /jobs\/[0-9a-f-]{36}/.test(url.href));
        await page.getByRole("button", { name: "Cancel job" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Cancel job" }).click();
        await page.getByText("cancelled").first().waitFor({ timeout: 30_000 });
      }),
    );

    it(
      "says which parameters will not do before anything starts",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        await page.goto(`/jobs/new?hosts=${host.id}`);
        await page.getByRole("textbox", { name: "Input sizes" }).fill("3");
        await page.getByText("These parameters will not do").waitFor();
        assert.ok(await page.getByRole("button", { name: "Start on 1 host" }).isDisabled());
      }),
    );
  });
}
