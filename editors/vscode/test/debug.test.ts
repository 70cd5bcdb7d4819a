// Debug sessions in an editor that only this test has, and the adapter itself.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, test } from "node:test";
import { ADAPTERS, CONFIGURATIONS, debug } from "../src/debug";
import { LAUNCH } from "../src/launch";
import { ROOT } from "./tokenize";
import { Uri, document, reset, state, window, workspace } from "./vscode";

const PROGRAM = resolve(process.env["ASTRAGAL"] ?? join(ROOT, "target/debug/astragal"));
const skip = existsSync(PROGRAM) ? false : `${PROGRAM} does not exist: build it, or set ASTRAGAL`;

beforeEach(() => reset(process.execPath));

/** The configuration that VS Code gets for another one. */
async function resolved(given: object): Promise<unknown> {
  return CONFIGURATIONS.resolveDebugConfiguration?.(undefined, given as never);
}

/** The program that VS Code starts for a session. */
function adapter(workspaceFolder?: { uri: Uri }): unknown {
  return ADAPTERS.createDebugAdapterDescriptor({ workspaceFolder } as never, undefined);
}

test("the command debugs the script of a menu or of the active editor, and saves it first", async () => {
  workspace.workspaceFolders = [{ uri: Uri.file("/games") }];
  const race = document("/games/race.rhai", "rhai");
  workspace.textDocuments = [race];
  await debug([race.uri, { groupId: 0 }]);
  window.activeTextEditor = { document: document("/other/goose.rhai", "rhai", false) };
  await debug([]);
  assert.deepEqual(state.saved, ["race.rhai"]);
  assert.deepEqual(state.sessions, [
    { ...LAUNCH, program: "/games/race.rhai", folder: "/games" },
    { ...LAUNCH, program: "/other/goose.rhai", folder: undefined },
  ]);
  assert.deepEqual([state.messages, state.terminals], [[], []]);
});

test("the command starts nothing without a file on this machine", async () => {
  await debug([]);
  window.activeTextEditor = { document: document("/games/1.game", "astragal-game") };
  await debug([]);
  await debug([Uri.parse("vscode-vfs://github/games/race.rhai")]);
  await debug([Uri.parse("untitled:Untitled-1")]);
  assert.deepEqual(state.messages.slice(0, 2), ["Open a script (.rhai) first.", "Open a script (.rhai) first."]);
  assert.match(state.messages.slice(2).join(), /^Astragal needs a file on this machine\.[^,]+$/);
  state.choice = Uri.file("/games/new.rhai");
  await debug([Uri.parse("untitled:Untitled-1")]);
  assert.deepEqual(
    state.sessions.map(({ program }) => program),
    ["/games/new.rhai"],
  );
});

test("an empty configuration becomes that of the open script, and others stay the same", async () => {
  assert.equal(await resolved({}), undefined);
  assert.deepEqual(state.messages, ["Open a script (.rhai) first."]);
  window.activeTextEditor = { document: document("/games/race.rhai", "rhai") };
  assert.deepEqual(await resolved({}), LAUNCH);
  assert.deepEqual(await resolved({ noDebug: true }), { noDebug: true, ...LAUNCH });
  const own = { type: "astragal", request: "launch", name: "Mine", program: "dice-chess" };
  window.activeTextEditor = undefined;
  assert.deepEqual(await resolved(own), own);
  window.activeTextEditor = { document: { ...document("/a", "rhai"), uri: Uri.parse("untitled:Untitled-1") } };
  assert.equal(await resolved({}), undefined);
  assert.deepEqual(state.messages.slice(1), ["Save the script first."]);
});

test("the adapter is the program of the setting, in the folder of the session", () => {
  const [one, two] = [{ uri: Uri.file("/games") }, { uri: Uri.file("/more games") }];
  const started = (cwd?: string) => ({ command: process.execPath, args: ["dap"], options: cwd ? { cwd } : {} });
  assert.deepEqual({ ...(adapter() as object) }, started());
  workspace.workspaceFolders = [one, two];
  assert.deepEqual({ ...(adapter() as object) }, started("/games"));
  assert.deepEqual({ ...(adapter(two) as object) }, started("/more games"));
});

test("a missing program is reported with its setting, and no session starts", async () => {
  state.path = "/nowhere/astragal";
  assert.equal(await resolved({ ...LAUNCH }), undefined);
  assert.match(state.messages[0] ?? "", /^The program '\/nowhere\/astragal' was not found\..+ \| Open Settings$/);
  assert.throws(() => adapter(), /'\/nowhere\/astragal' was not found/);
});

test("the running adapter stops in the game of a configuration", { skip, timeout: 60_000 }, async () => {
  state.path = PROGRAM;
  const { command, args } = adapter() as { command: string; args: string[] };
  const process = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    let output = "";
    process.stdout.on("data", (bytes: Buffer) => (output += bytes.toString("latin1")));
    const ended = new Promise<number | null>((done) => process.once("exit", done));
    const ask = (command: string, request: object = {}) => {
      const text = JSON.stringify({ seq: 1, type: "request", command, arguments: request });
      process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    ask("initialize", { adapterID: LAUNCH.type });
    ask("launch", { ...LAUNCH, program: "dice-chess" });
    ask("configurationDone");
    while (!/"reason":"entry"/.test(output) && process.exitCode === null) {
      await new Promise((done) => process.stdout.once("data", done));
    }
    assert.doesNotMatch(output, /"success":false/);
    ask("disconnect");
    assert.equal(await ended, 0);
  } finally {
    process.kill();
  }
});
