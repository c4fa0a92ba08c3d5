// A real embedded console with its own folder, port, Redis, worker and agent, for one test run.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const PYTHON = path.join(ROOT, ".venv/bin/python");
const START_SECONDS = 180;

async function freePort() {
  const server = net.createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Ask again until `question` answers with something, or fail after `seconds`. */
export async function eventually(what, question, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  let last;
  while (Date.now() < deadline) {
    try {
      const answer = await question();
      if (answer) return answer;
    } catch (error) {
      last = error;
    }
    await sleep(300);
  }
  throw new Error(`waited ${seconds} s for ${what}`, { cause: last });
}

export class Stack {
  constructor(folder, port) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.environment = {
      ...process.env,
      KEYRACK_VAR: path.join(folder, "var"),
      KEYRACK_PORT: String(port),
      KEYRACK_SIMULATE: "none",
      DJANGO_SETTINGS_MODULE: "console.config.settings.embedded",
    };
    this.agents = [];
  }

  static async start() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "keyrack-e2e-"));
    const stack = new Stack(folder, await freePort());
    const log = fs.openSync(path.join(folder, "supervisor.log"), "w");
    stack.supervisor = spawn(PYTHON, ["manage.py", "run_embedded"], {
      cwd: ROOT,
      env: stack.environment,
      stdio: ["ignore", log, log],
    });
    process.once("exit", () => stack.supervisor.kill("SIGTERM"));
    await eventually("the console", () => stack.isReady(), START_SECONDS);
    return stack;
  }

  async isReady() {
    if (this.supervisor.exitCode !== null) {
      throw new Error(fs.readFileSync(path.join(this.folder, "supervisor.log"), "utf8"));
    }
    const reply = await fetch(`${this.url}/readyz`);
    return reply.status === 200 && fs.existsSync(this.passwordFile("admin"));
  }

  passwordFile(username) {
    return path.join(this.environment.KEYRACK_VAR, `${username}_password`);
  }

  password(username) {
    return fs.readFileSync(this.passwordFile(username), "utf8").trim();
  }

  /** Run one of our Python programs in the console's environment; return what it printed. */
  python(...argv) {
    const { status, stdout, stderr } = spawnSync(PYTHON, argv, {
      cwd: ROOT,
      env: this.environment,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
    return stdout.trim();
  }

  /**
   * Enrol one more agent with its own folder, as the command shown to people would, and start it.
   * `simulate` names the edition of a simulated host; such an agent takes every kind of change.
   */
  async startAgent(name, enrolmentToken, simulate = "") {
    const home = path.join(this.folder, name);
    fs.mkdirSync(home, { mode: 0o700 });
    const config = path.join(home, "agent.toml");
    const lines = [`state_dir = ${JSON.stringify(path.join(home, "state"))}`];
    if (simulate !== "") lines.push(`simulate = ${JSON.stringify(simulate)}`);
    lines.push("[agent]", ...(simulate === "" ? [] : ['allow = ["*"]']));
    fs.writeFileSync(config, [...lines, `name = ${JSON.stringify(name)}`, ""].join("\n"));
    const { KEYRACK_VAR: _var, KEYRACK_PORT: _port, ...own } = this.environment;
    const env = { ...own, KEYRACK_ENROLMENT_TOKEN: enrolmentToken };
    const argv = (command) => ["-m", "agents", command, "--config", config];
    const enrol = spawnSync(PYTHON, [...argv("enrol"), "--url", this.url], {
      cwd: ROOT,
      env,
      encoding: "utf8",
    });
    if (enrol.status !== 0) throw new Error(enrol.stderr);
    const log = fs.openSync(path.join(home, "agent.log"), "w");
    const agent = spawn(PYTHON, argv("run"), {
      cwd: ROOT,
      env: own,
      stdio: ["ignore", log, log],
    });
    this.agents.push(agent);
  }

  /** Do something to the simulated host of the agent `name`, from outside: `reboot primary`. */
  simulate(name, ...words) {
    const config = path.join(this.folder, name, "agent.toml");
    return this.python("-m", "agents", "simulate", ...words, "--config", config);
  }

  async stop() {
    for (const child of [...this.agents, this.supervisor]) await end(child);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

async function end(child) {
  if (child.exitCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  const isGone = await Promise.race([gone.then(() => true), sleep(30_000).then(() => false)]);
  if (!isGone) child.kill("SIGKILL");
  await gone;
}
