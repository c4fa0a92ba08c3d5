// Debian's Chromium, driven through playwright-core; it also notices what a page must never do.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { ROOT } from "./stack.mjs";

const require = createRequire(path.join(ROOT, "frontend/package.json"));
const { chromium } = require("playwright-core");
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const CHROMIUM = process.env.KEYRACK_CHROMIUM ?? "/usr/bin/chromium";

export async function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

/** A browser window of its own session. `misdeeds` collects what no page may do. */
export class Visitor {
  static async arrive(browser, url, options = {}) {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 1440, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return new Visitor(context, page, url);
  }

  constructor(context, page, url) {
    this.context = context;
    this.page = page;
    this.url = url;
    this.misdeeds = [];
    page.on("pageerror", (error) => this.misdeeds.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !isOrdinary(message.text())) {
        this.misdeeds.push(`console: ${message.text()}`);
      }
    });
    page.on("request", (request) => {
      const to = request.url();
      if (!to.startsWith(url) && !to.startsWith("data:") && !to.startsWith("blob:")) {
        this.misdeeds.push(`request to elsewhere: ${to}`);
      }
    });
  }

  async logIn(username, password) {
    if (!new URL(this.page.url(), this.url).pathname.startsWith("/login")) {
      await this.page.goto("/login");
    }
    await this.page.getByLabel("User name").fill(username);
    await this.page.getByLabel(/^Password/).fill(password);
    await this.page.getByRole("button", { name: "Log in" }).click();
  }

  async get(address) {
    const reply = await this.page.request.get(address);
    assert.equal(reply.status(), 200, address);
    return reply.json();
  }

  /** Keep a picture of what went wrong where pictures are wanted, and close the window. */
  async showFailure() {
    const folder = process.env.KEYRACK_SCREENSHOTS;
    if (folder) {
      await this.page.screenshot({ path: `${folder}/failed-${Date.now()}.png` });
      console.log(this.page.url(), this.misdeeds);
    }
    await this.context.close();
  }

  async leave() {
    await this.context.close();
    assert.deepEqual(this.misdeeds, []);
  }
}

/** What Chromium itself logs of an HTTP refusal; whether it was right to be refused, tests say. */
function isOrdinary(text) {
  return text.startsWith("Failed to load resource");
}

/** Wait for colours to arrive: half-way through a transition their contrast is neither's. */
async function settle(page) {
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    return Promise.allSettled(passing.map((animation) => animation.finished));
  });
}

/** What axe finds, as readable lines. */
export async function axeViolations(page) {
  await settle(page);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations"] }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}
