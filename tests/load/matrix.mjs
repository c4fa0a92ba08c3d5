// Uses the matrix page of one host as a person in a hurry would, and prints the longest frames.
// Reads {url, user, password, host} from standard input; writes JSON to standard output.
import assert from "node:assert/strict";
import fs from "node:fs";
import { launch, Visitor } from "../e2e/support/browser.mjs";

const wanted = JSON.parse(fs.readFileSync(0, "utf8"));
/** Odd, so that a cell that is clicked again and again ends up changed. */
const EDITS = 41;

/** Runs in the page: from here on, the time between each two frames is kept. */
function meterStart() {
  const frames = [];
  let last = performance.now();
  let isOn = true;
  const tick = (now) => {
    frames.push(now - last);
    last = now;
    if (isOn) requestAnimationFrame(tick);
  };
  requestAnimationFrame((now) => {
    last = now;
    requestAnimationFrame(tick);
  });
  window.meterEnd = () => {
    isOn = false;
    return frames;
  };
}

async function scrollByWheel(page) {
  for (const [across, down] of [
    [0, 400],
    [300, 0],
    [0, -400],
    [-300, 0],
  ]) {
    for (let step = 0; step < EDITS; step += 1) await page.mouse.wheel(across, down);
  }
}

/** As when the scroll bar is dragged: each frame shows quite another part. */
async function scrollByJumps(page) {
  await page.getByRole("grid").evaluate(async (grid) => {
    for (let jump = 0; jump < 120; jump += 1) {
      grid.scrollTop = ((jump * 37) % 100) * (grid.scrollHeight / 100);
      grid.scrollLeft = ((jump * 53) % 100) * (grid.scrollWidth / 100);
      await new Promise(requestAnimationFrame);
    }
    grid.scrollTo(0, 0);
  });
}

/** Clicks what can be edited in view: steppers where units are counted, cells otherwise. */
async function editByMouse(page) {
  const targets = await page.getByRole("grid").evaluate((grid) => {
    const frame = grid.getBoundingClientRect();
    const steppers = [...grid.querySelectorAll("button[aria-label^='One unit more']")];
    const cells = [...grid.querySelectorAll("[role=gridcell][data-place]")];
    return (steppers.length > 0 ? steppers : cells)
      .map((one) => one.getBoundingClientRect())
      .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))
      .filter(({ x, y }) => x > frame.x + 180 && x < frame.right - 20 && y < frame.bottom - 20);
  });
  assert.ok(targets.length > 3, "nothing to click");
  for (let edit = 0; edit < EDITS; edit += 1) {
    const { x, y } = targets[(edit * 7) % targets.length];
    await page.mouse.click(x, y);
  }
  await page.getByText(/^\d+ pending change/).waitFor();
}

async function editByKeys(page) {
  await page.locator("[role=grid] [data-place][tabindex='0']").first().focus();
  const round = ["ArrowRight", "+", "ArrowDown", "Space", "PageDown", "Space", "ArrowUp"];
  for (let edit = 0; edit < EDITS; edit += 1) {
    for (const key of [...round, edit % 8 === 7 ? "Home" : "ArrowRight"]) {
      await page.keyboard.press(key);
    }
  }
  for (let undo = 0; undo < EDITS; undo += 1) await page.keyboard.press("Control+z");
}

const WAYS = {
  "by wheel": scrollByWheel,
  "by jumps": scrollByJumps,
  "editing by mouse": editByMouse,
  "editing by keys": editByKeys,
};

/**
 * The most that the page's main thread computed between two frames, in ms of its own CPU time: what
 * a busy machine hardly touches. `trace` is what Chromium recorded.
 */
function longestWork(trace) {
  const { traceEvents: events } = JSON.parse(trace.toString());
  const page = events.find(({ name }) => name === "FireAnimationFrame");
  const own = events.filter(({ pid, tid }) => pid === page.pid && tid === page.tid);
  const ends = own.filter(({ name }) => name === "FireAnimationFrame").map(({ ts }) => ts);
  ends.sort((one, other) => one - other);
  const tasks = own.filter(({ name, tdur }) => name.endsWith("RunTask") && tdur !== undefined);
  tasks.sort((one, other) => one.ts - other.ts);
  assert.ok(tasks.length > 0, "Chromium recorded no task");
  const work = [0];
  for (const { ts, tdur } of tasks) {
    while (ends.length > 0 && ts > ends[0]) {
      ends.shift();
      work.push(0);
    }
    work[work.length - 1] += tdur / 1000;
  }
  return Math.max(...work);
}

async function measure(page) {
  const found = { longest_ms: {}, work_ms: {}, frames: 0 };
  await page.getByRole("grid").hover();
  for (const [name, use] of Object.entries(WAYS)) {
    await page.waitForTimeout(500);
    await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    await page.evaluate(meterStart);
    await use(page);
    await page.waitForTimeout(300);
    const frames = await page.evaluate(() => window.meterEnd());
    found.work_ms[name] = longestWork(await browser.stopTracing());
    found.longest_ms[name] = Math.max(...frames);
    found.frames += frames.length;
  }
  found.cells = await page.getByRole("gridcell").count();
  return found;
}

const browser = await launch();
try {
  const visitor = await Visitor.arrive(browser, wanted.url);
  await visitor.logIn(wanted.user, wanted.password);
  await visitor.page.getByRole("heading", { name: "Overview" }).waitFor();
  await visitor.page.goto(`/units/matrix?host=${wanted.host}`);
  await visitor.page.getByRole("gridcell").first().waitFor();
  const found = await measure(visitor.page);
  await visitor.leave();
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
}
