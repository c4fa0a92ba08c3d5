// Runs a test as somebody who is logged in, and checks afterwards that no page misbehaved.
import { Visitor } from "./browser.mjs";
import { eventually } from "./stack.mjs";

/** A test body with `admin`, an administrator on the overview. */
export function asAdmin(world, body) {
  return async () => {
    const admin = await Visitor.arrive(world.browser, world.stack.url);
    try {
      await admin.logIn("admin", world.stack.password("admin"));
      await admin.page.getByRole("heading", { name: "Overview" }).waitFor();
      await body(admin, admin.page);
    } catch (error) {
      await admin.showFailure();
      throw error;
    }
    await admin.leave();
  };
}

/** The host that the console itself runs on, once its agent has sent an inventory. */
export async function ownHost(admin) {
  return eventually("the first inventory", async () => {
    const { results } = await admin.get("/api/v1/hosts/?is_simulated=false&state=active");
    return results.find((host) => host.first_inventory_at !== null);
  });
}
