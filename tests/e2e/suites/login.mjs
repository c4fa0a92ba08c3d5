import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Visitor } from "../support/browser.mjs";
import { asAdmin } from "../support/visit.mjs";

export function loginSuite(world) {
  describe("logging in", () => {
    it("says that a name or password is wrong, and nothing more", async () => {
      const somebody = await Visitor.arrive(world.browser, world.stack.url);
      await somebody.logIn("admin", "not the password");
      await somebody.page.getByText("Name or password is wrong.").waitFor();
      await somebody.leave();
    });

    it("leads to the page that was asked for", async () => {
      const admin = await Visitor.arrive(world.browser, world.stack.url);
      await admin.page.goto("/hosts?state=offline");
      await admin.page.waitForURL("**/login?next=*");
      await admin.logIn("admin", world.stack.password("admin"));
      await admin.page.waitForURL("**/hosts?state=offline");
      await admin.leave();
    });

    it("never leads elsewhere, whatever the link says", async () => {
      const admin = await Visitor.arrive(world.browser, world.stack.url);
      await admin.page.goto("/login?next=//evil.example/");
      await admin.logIn("admin", world.stack.password("admin"));
      await admin.page.getByRole("heading", { name: "Overview" }).waitFor();
      assert.equal(new URL(admin.page.url()).origin, world.stack.url);
      await admin.leave();
    });

    it(
      "ends with logging out, and no page shows any more",
      asAdmin(world, async (_admin, page) => {
        await page.getByRole("button", { name: "User admin" }).click();
        await page.getByRole("menuitem", { name: "Log out" }).click();
        await page.getByRole("heading", { name: "Log in to Keyrack" }).waitFor();
        await page.goto("/hosts");
        await page.getByRole("heading", { name: "Log in to Keyrack" }).waitFor();
      }),
    );

    it(
      "keeps to a strict content security policy",
      asAdmin(world, async (admin, page) => {
        const policy = (await page.request.get("/")).headers()["content-security-policy"];
        assert.match(policy, /default-src 'none'/);
        assert.doesNotMatch(policy, /unsafe/);
      }),
    );
  });
}
