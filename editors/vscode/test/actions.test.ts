// The commands in an editor that only this test has.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { perform } from "../src/actions";
import { Uri, document, reset, state, window, workspace } from "./vscode";

/** A program that can be run. */
const PROGRAM = process.execPath;

beforeEach(() => reset(PROGRAM));

const lines = () => state.terminals.flatMap(({ lines }) => lines);

test("a lens runs its command next to the script", async () => {
  const uri = "file:///my%20games/race.rhai";
  await perform("play", [uri]);
  await perform("odds", [uri, "44", "2d6"]);
  await perform("test", [uri]);
  assert.deepEqual(lines(), [`${PROGRAM} play race.rhai`, `${PROGRAM} odds race.rhai`, `${PROGRAM} test race.rhai`]);
  // A game has its own terminal.
  assert.deepEqual(
    state.terminals.map(({ name, cwd }) => `${name} in ${cwd}`),
    ["Play race.rhai in /my games", "Astragal in /my games"],
  );
  assert.deepEqual(state.messages, []);
});

test("all outputs that a lens names are accepted, and no others", async () => {
  workspace.workspaceFolders = [{ uri: Uri.file("/games") }];
  await perform("accept", ["/games/my tests/it's one.game", "/games/two.game"]);
  assert.deepEqual(lines(), [`${PROGRAM} test 'my tests/it'\\''s one.game' two.game --accept`]);
});

test("menus pass the selected files", async () => {
  const [one, two] = [Uri.file("/games/1.game"), Uri.file("/games/2.game")];
  await perform("test", [one, [one, two]]);
  await perform("test", [one, { groupId: 0 }]);
  assert.deepEqual(lines(), [`${PROGRAM} test 1.game 2.game`, `${PROGRAM} test 1.game`]);
});

test("without arguments, a command is about the active editor, and tests also about the folder", async () => {
  await perform("play", []);
  await perform("test", []);
  assert.deepEqual(state.messages, ["Open a script (.rhai) first.", "Open a script or a folder first."]);
  workspace.workspaceFolders = [{ uri: Uri.file("/games") }];
  await perform("test", []);
  window.activeTextEditor = { document: document("/games/1.game", "astragal-game", false) };
  await perform("accept", []);
  await perform("odds", []);
  assert.deepEqual(lines(), [`${PROGRAM} test`, `${PROGRAM} test 1.game --accept`]);
  assert.equal(state.messages.length, 3);
});

test("changed files are saved first", async () => {
  const [race, other] = [document("/games/race.rhai", "rhai"), document("/games/other.rhai", "rhai")];
  workspace.textDocuments = [race, other, document("/games/1.game", "astragal-game"), document("/a.txt", "plaintext")];
  await perform("play", [race.uri.toString()]);
  assert.deepEqual(state.saved, ["race.rhai"]);
  // The result of a test depends on its script.
  await perform("accept", ["/games/1.game"]);
  assert.deepEqual(state.saved, ["race.rhai", "other.rhai", "1.game"]);
  assert.equal(lines().length, 2);
});

test("nothing runs if a file cannot be saved", async () => {
  state.isWritable = false;
  workspace.textDocuments = [document("/games/race.rhai", "rhai")];
  await perform("play", ["file:///games/race.rhai"]);
  assert.deepEqual(state.messages, ["race.rhai could not be saved, so nothing was run."]);
  assert.deepEqual(state.terminals, []);
});

test("a new document gets a file first", async () => {
  await perform("play", ["untitled:Untitled-1"]);
  assert.deepEqual([state.terminals, state.messages], [[], []]);
  state.choice = Uri.file("/my games/new.rhai");
  await perform("play", ["untitled:Untitled-1"]);
  assert.deepEqual(lines(), [`${PROGRAM} play new.rhai`]);
});

test("documents that are not on this machine are refused", async () => {
  await perform("play", ["vscode-vfs://github/games/race.rhai"]);
  assert.match(state.messages.join(), /^Astragal needs a file on this machine\./);
  assert.deepEqual(state.terminals, []);
});

test("a missing program is reported with its setting", async () => {
  state.path = "/nowhere/astragal";
  await perform("play", ["file:///games/race.rhai"]);
  const what = "The program '/nowhere/astragal' was not found.";
  const help = "Install Astragal, or change the setting 'astragal.path'. | Open Settings";
  assert.deepEqual(state.messages, [`${what} ${help}`, "workbench.action.openSettings astragal.path"]);
  assert.deepEqual(state.terminals, []);
});

test("unexpected arguments and names are reported", async () => {
  await perform("odds", ["file:///games/race.rhai", 44]);
  await perform("play", ["file:///games/a%0Ab.rhai"]);
  assert.match(state.messages[0] ?? "", /'astragal\.odds' got unexpected arguments/);
  assert.match(state.messages[1] ?? "", /control character/);
  assert.deepEqual(state.terminals, []);
});
