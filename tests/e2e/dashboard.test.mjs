// The dashboard in a real browser, against a real console with a real agent and a SoftHSM token.
import { after, before, describe } from "node:test";
import { launch } from "./support/browser.mjs";
import { Stack } from "./support/stack.mjs";
import { accountSuite } from "./suites/account.mjs";
import { changesSuite } from "./suites/changes.mjs";
import { enrolSuite } from "./suites/enrol.mjs";
import { everyPageSuite } from "./suites/every-page.mjs";
import { hostSuite } from "./suites/host.mjs";
import { jobSuite } from "./suites/job.mjs";
import { liveSuite } from "./suites/live.mjs";
import { loginSuite } from "./suites/login.mjs";
import { manyRowsSuite } from "./suites/many-rows.mjs";
import { matrixSuite } from "./suites/matrix.mjs";

/** Filled in before the first suite; the suites run one after another. */
const world = { stack: undefined, browser: undefined };

describe("the dashboard", { concurrency: 1 }, () => {
  before(async () => {
    world.stack = await Stack.start();
    world.browser = await launch();
  });
  after(async () => {
    await world.browser?.close();
    await world.stack?.stop();
  });

  loginSuite(world);
  hostSuite(world);
  jobSuite(world);
  enrolSuite(world);
  changesSuite(world);
  matrixSuite(world);
  liveSuite(world);
  accountSuite(world);
  everyPageSuite(world);
  manyRowsSuite(world);
});
