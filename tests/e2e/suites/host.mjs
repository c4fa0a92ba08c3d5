import { describe, it } from "node:test";
import { pagesSay } from "../support/pages.mjs";
import { asAdmin, ownHost } from "../support/visit.mjs";

export function hostSuite(world) {
  describe("the host of the console", () => {
    it(
      "is on the overview and in the list, each number leading to its list",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        await page.getByRole("link", { name: /1 hosts active/ }).click();
        await page
          .getByRole("grid", { name: "Hosts" })
          .getByRole("link", { name: host.name, exact: true })
          .click();
        await page.getByRole("heading", { level: 1, name: host.name }).waitFor();
        await page.getByText("Last seen").first().waitFor();
      }),
    );

    it(
      "shows its crypto units with their features",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        await page.goto(`/hosts/${host.id}/units`);
        await page.getByRole("grid", { name: `Crypto units of ${host.name}` }).waitFor();
        const { count } = await admin.get(`/api/v1/units/?host=${host.id}`);
        await page
          .getByText(pagesSay(1, count, count))
          .filter({ visible: true })
          .first()
          .waitFor();
      }),
    );

    it(
      "shows its token, with the state of its PINs and no PIN",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        const { results } = await admin.get(`/api/v1/tokens/?host=${host.id}&is_initialised=true`);
        const token = results.find(({ flags }) => flags.includes("LOGIN_REQUIRED"));
        await page.goto(`/hosts/${host.id}/tokens`);
        await page.getByRole("link", { name: token.label, exact: true }).click();
        await page.getByRole("heading", { name: "PINs" }).waitFor();
        await page.getByText("LOGIN_REQUIRED").waitFor();
      }),
    );

    it(
      "finds one of its mechanisms by name and keeps the filter in the address",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        await page.goto(`/hosts/${host.id}/providers?view=mechanisms`);
        await page.getByRole("textbox", { name: "Mechanism or number" }).fill("CKM_AES_CBC");
        await page.getByText("CKM_AES_CBC", { exact: true }).first().waitFor();
        await page.waitForURL(/search=CKM_AES_CBC/);
        await page.reload();
        await page.getByText("0x00001082").first().waitFor();
      }),
    );

    it(
      "is scanned anew when asked",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        await page.goto(`/hosts/${host.id}/summary`);
        await page.getByRole("button", { name: "Scan now" }).click();
        await page.getByRole("button", { name: "Scan ordered" }).waitFor();
      }),
    );

    it(
      "is found by the global search, by keyboard alone",
      asAdmin(world, async (admin, page) => {
        const host = await ownHost(admin);
        await page.keyboard.press("/");
        await page.keyboard.type(host.name);
        await page
          .getByRole("menuitem", { name: new RegExp(`^${host.name}`) })
          .first()
          .waitFor();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/hosts/${host.id}/summary`);
        await page.getByRole("heading", { level: 1, name: host.name }).waitFor();
      }),
    );
  });
}
