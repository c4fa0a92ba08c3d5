import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Visitor } from "../support/browser.mjs";
import { asAdmin } from "../support/visit.mjs";

/** The new user's password as shown once. */
let viewerPassword;

async function asViewer(world, body) {
  const vera = await Visitor.arrive(world.browser, world.stack.url);
  await vera.logIn("vera", viewerPassword);
  await vera.page.getByRole("heading", { name: "Overview" }).waitFor();
  await body(vera.page);
  await vera.leave();
}

export function accountSuite(world) {
  describe("users without rights", () => {
    it(
      "are made by an administrator, who sees the password once",
      asAdmin(world, async (_admin, page) => {
        await page.goto("/administration/users");
        await page.getByRole("button", { name: "New user" }).click();
        await page.getByRole("textbox", { name: "Name" }).fill("vera");
        await page.getByRole("button", { name: "Create user" }).click();
        await page.getByText("vera can log in").waitFor();
        viewerPassword = await page.getByRole("textbox", { name: "the password" }).inputValue();
        await page.getByRole("button", { name: "Done" }).click();
        await page.getByText("vera", { exact: true }).waitFor();
      }),
    );

    it("are told why a button cannot be pressed", () =>
      asViewer(world, async (page) => {
        await page.goto("/hosts");
        const button = page.getByRole("button", { name: "Enrol host" });
        assert.equal(await button.getAttribute("aria-disabled"), "true");
        await button.focus();
        await page.getByText("Your role does not allow you to enrol hosts.").waitFor();
        await page.goto("/jobs/new");
        await page.getByText("You may not run jobs").waitFor();
      }));

    it("see of the administration only what is their own", () =>
      asViewer(world, async (page) => {
        await page.getByRole("link", { name: "Administration" }).click();
        await page.waitForURL("**/administration/api-tokens");
        assert.equal(await page.getByRole("tab").count(), 1);
        await page.getByRole("button", { name: "New API token" }).first().click();
        await page.getByRole("textbox", { name: "What it is for" }).fill("my script");
        await page.getByRole("button", { name: "Create token" }).click();
        const secret = await page.getByRole("textbox", { name: "the API token" }).inputValue();
        assert.match(secret, /^krk_/);
      }));

    it("are refused in words when they go where they may not", () =>
      asViewer(world, async (page) => {
        await page.goto("/administration/users");
        await page.getByText("You may not see this").waitFor();
      }));
  });

  describe("one's own account", () => {
    it("has a password that can be changed", () =>
      asViewer(world, async (page) => {
        const next = `${viewerPassword}-changed`;
        await page.getByRole("button", { name: "User vera" }).click();
        await page.getByRole("menuitem", { name: "Change password" }).click();
        await page.getByLabel("Present password").fill(viewerPassword);
        await page.getByLabel("New password").fill(next);
        await page.getByRole("button", { name: "Change password" }).click();
        await page.getByText("Your password is changed").waitFor();
        viewerPassword = next;
      }));

    it("keeps its theme from one browser to the next", async () => {
      await asViewer(world, async (page) => {
        await page.getByRole("button", { name: /^Theme/ }).click();
        const saved = page.waitForResponse((reply) => reply.request().method() === "PATCH");
        await page.getByRole("option", { name: "Dark" }).click();
        await saved;
      });
      await asViewer(world, async (page) => {
        await page.locator("html.pf-v6-theme-dark").waitFor();
      });
    });
  });
}
