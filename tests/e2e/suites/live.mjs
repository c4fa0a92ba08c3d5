import { describe, it } from "node:test";
import { asAdmin } from "../support/visit.mjs";

export function liveSuite(world) {
  describe("live updates", () => {
    it(
      "show without a reload what happened elsewhere",
      asAdmin(world, async (_admin, page) => {
        await page.getByRole("status", { name: "Updates: live" }).waitFor();
        await page.goto("/administration/users");
        await page.getByText("approver").first().waitFor();
        await page.getByRole("status", { name: "Updates: live" }).waitFor();
        world.stack.python("-m", "tests.e2e.support.user_create", "elsewhere");
        await page.getByText("elsewhere").waitFor({ timeout: 5000 });
      }),
    );

    it(
      "are said to be paused when the stream is down, and come back when asked",
      asAdmin(world, async (admin, page) => {
        await page.route("**/api/v1/events/**", (route) => route.abort());
        await page.reload();
        await page.getByRole("status", { name: "Updates: paused" }).waitFor();
        await page.unroute("**/api/v1/events/**");
        await page.getByRole("button", { name: "Paused" }).click();
        await page.getByRole("status", { name: "Updates: live" }).waitFor();
        admin.misdeeds.length = 0; // the aborted requests were ours
      }),
    );
  });
}
