// The commands of the language server, from its source and from the server itself.

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import manifest from "../package.json";
import { targetsOf } from "../src/arguments";
import { ACTIONS, type Action, argumentsFor, placeOf } from "../src/command_line";
import { GAME, SCRIPT } from "../src/documents";
import { ROOT } from "./tokenize";

const PROGRAM = resolve(process.env["ASTRAGAL"] ?? join(ROOT, "target/debug/astragal"));
const skip = existsSync(PROGRAM) ? false : `${PROGRAM} does not exist: build it, or set ASTRAGAL`;
const LENSES = ACTIONS.map((action) => `astragal.${action}`);

/** The commands that a source file of the server names. */
function named(path: string): string[] {
  const source = readFileSync(join(ROOT, path), "utf8");
  return [...source.matchAll(/const [A-Z]+: &str = "(astragal\.\w+)"/g)].map((found) => found[1] ?? "");
}

/** The command of the server that the client runs. */
const board = /const BOARD = "([\w.]+)"/.exec(readFileSync("src/client.ts", "utf8"))?.[1] ?? "";

test("the extension has the commands that the server's source names", () => {
  assert.deepEqual(named("service/src/editing/lenses.rs").sort(), [...LENSES].sort());
  assert.deepEqual(named("repl/src/lsp/capabilities.rs"), [board]);
  const declared = manifest.contributes.commands.map(({ command }) => command);
  for (const command of LENSES) assert.ok(declared.includes(command), command);
  // The client library registers this one, and would fail if it existed.
  assert.ok(!declared.includes(board));
});

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: any;
  error?: { message: string };
}

interface Command {
  command: string;
  arguments: string[];
  title: string;
}

/** A client of the server. */
class Client {
  private readonly program: ChildProcess;
  private input = Buffer.alloc(0);
  private readonly answers = new Map<number, (message: Message) => void>();
  private readonly waiting: { method: string; done: () => void }[] = [];
  private asked = 0;

  constructor() {
    this.program = spawn(PROGRAM, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    this.program.stdout?.on("data", (bytes: Buffer) => {
      this.input = Buffer.concat([this.input, bytes]);
      for (let message = this.next(); message !== undefined; message = this.next()) this.take(message);
    });
  }

  private next(): Message | undefined {
    const header = /^(?:.+\r\n)*?Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(this.input.toString("latin1"));
    if (header === null) return undefined;
    const [start, end] = [header[0].length, header[0].length + Number(header[1])];
    if (this.input.length < end) return undefined;
    const message = JSON.parse(this.input.subarray(start, end).toString("utf8")) as Message;
    this.input = this.input.subarray(end);
    return message;
  }

  private take(message: Message): void {
    if (message.method === undefined) return this.answers.get(Number(message.id))?.(message);
    const at = this.waiting.findIndex(({ method }) => method === message.method);
    if (at >= 0) this.waiting.splice(at, 1)[0]?.done();
    if (message.id !== undefined) this.send({ id: message.id, result: null });
  }

  private send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.program.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  async ask(method: string, params: unknown): Promise<any> {
    const id = ++this.asked;
    const answer = new Promise<Message>((done) => this.answers.set(id, done));
    this.send({ id, method, params });
    const { result, error } = await answer;
    assert.equal(error, undefined, method);
    return result;
  }

  /** Waits for the next message of the server with this method. */
  until(method: string): Promise<void> {
    return new Promise((done) => this.waiting.push({ method, done }));
  }

  async lenses(uri: string): Promise<Command[]> {
    const lenses = await this.ask("textDocument/codeLens", { textDocument: { uri } });
    return lenses.map((lens: { command: Command }) => lens.command);
  }

  async end(): Promise<void> {
    await this.ask("shutdown", null);
    const ended = new Promise((done) => this.program.once("exit", done));
    this.notify("exit", null);
    await ended;
  }

  kill(): void {
    this.program.kill();
  }
}

const CAPABILITIES = {
  workspace: { codeLens: { refreshSupport: true } },
  textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
};

/** Runs what a lens offers, as its terminal would. The exit code is that of success or of a failed test. */
function perform({ command, arguments: args }: Command): string {
  const action = command.replace("astragal.", "") as Action;
  assert.ok(ACTIONS.includes(action), command);
  const paths = targetsOf(action, args).map((one) => ("uri" in one ? fileURLToPath(one.uri) : one.path));
  const { folder, files } = placeOf(paths, [], process.platform);
  try {
    return execFileSync(PROGRAM, argumentsFor(action, files), { cwd: folder, input: "", encoding: "utf8" });
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    assert.equal(status, 1, stderr);
    return stdout;
  }
}

test("every command of the running server can be carried out", { skip, timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "my games "));
  const client = new Client();
  try {
    const game = (name: string, text: string) => writeFileSync(join(folder, name), `variant: race.rhai\n\n${text}\n`);
    execFileSync(PROGRAM, ["new", "race", "--from", "dice-chess"], { cwd: folder });
    game("one more.game", "roll 2 3\nmoves");
    game("two more.game", "roll 2 3\nstate");
    const params = { processId: null, rootUri: null, capabilities: CAPABILITIES };
    const { capabilities } = await client.ask("initialize", params);
    assert.deepEqual(capabilities.executeCommandProvider.commands, [board]);
    client.notify("initialized", {});

    const open = (name: string, languageId: string) => {
      const path = join(folder, name);
      const uri = pathToFileURL(path).href;
      const document = { uri, languageId, version: 1, text: readFileSync(path, "utf8") };
      client.notify("textDocument/didOpen", { textDocument: document });
      return uri;
    };
    const checked = client.until("textDocument/publishDiagnostics");
    const tested = client.until("workspace/codeLens/refresh");
    const script = open("race.rhai", SCRIPT);
    await checked;
    await tested;
    assert.match((await client.ask("workspace/executeCommand", { command: board, arguments: [script] })).svg, /^<svg/);
    const lenses = await client.lenses(script);
    assert.deepEqual(
      lenses.map(({ title }) => title),
      ["play", "run tests (1 of 3)", "accept 2 outputs", "odds"],
    );
    assert.deepEqual(new Set(lenses.map(({ command }) => command)), new Set(LENSES));
    const [play, run, accept, odds] = lenses as [Command, Command, Command, Command];
    assert.match(perform(play), /White to roll 2d6/);
    assert.match(perform(run), /1 passed, 2 new/);
    assert.match(perform(odds), /Next roll: 2d6/);

    // A test has lenses, and a quick fix with a command.
    const tests = client.until("textDocument/publishDiagnostics");
    const test = open("one more.game", GAME);
    await tests;
    const own = await client.lenses(test);
    assert.deepEqual(
      own.map(({ title }) => title),
      ["run test (new)", "accept output"],
    );
    for (const lens of own) targetsOf(lens.command.replace("astragal.", "") as Action, lens.arguments);
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const actions = await client.ask("textDocument/codeAction", {
      textDocument: { uri: test },
      range,
      context: { diagnostics: [] },
    });
    assert.deepEqual(
      actions.map((one: { command: Command }) => [one.command.command, ...one.command.arguments]),
      [["astragal.accept", test]],
    );

    assert.match(perform(accept), /2 accepted/);
    // A change without an edit lets the server read the accepted results.
    const again = client.until("workspace/codeLens/refresh");
    client.notify("textDocument/didChange", { textDocument: { uri: script, version: 1 }, contentChanges: [] });
    await again;
    assert.equal((await client.lenses(script))[1]?.title, "run tests (3 of 3)");

    // A new document has lenses too, for its language.
    for (const [language, first] of [
      [SCRIPT, "play"],
      [GAME, "run test"],
    ] as const) {
      const uri = `untitled:Untitled-${language}`;
      const document = { uri, languageId: language, version: 1, text: "variant;" };
      client.notify("textDocument/didOpen", { textDocument: document });
      assert.equal((await client.lenses(uri))[0]?.title, first);
    }
    await client.end();
  } finally {
    client.kill();
    rmSync(folder, { recursive: true });
  }
});
