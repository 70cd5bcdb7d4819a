// Panels in an editor that only this test has, with a server that answers as the test wants.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Boards } from "../src/board";
import { type Uri, document, reset, state, workspace } from "./vscode";

/** What the server answers: a picture, an error, or nothing. */
let answer: string | Error | undefined;
let isRunning = true;
let check: (uri: Uri) => void = () => {};

const client = {
  get isRunning() {
    return isRunning;
  },
  onDidCheck(listener: (uri: Uri) => void) {
    check = listener;
    return { dispose() {} };
  },
  async board() {
    if (answer instanceof Error) throw answer;
    return answer;
  },
};

beforeEach(() => {
  reset("");
  [answer, isRunning] = [undefined, true];
});

/** An open script, and the panels. */
function opened(): { uri: Uri; boards: Boards } {
  const race = document("/games/race.rhai", "rhai");
  workspace.textDocuments = [race];
  return { uri: race.uri, boards: new Boards(client as never) };
}

/** What the last panel shows: the picture, if there is one, and the notice. */
function shown(): [string, string] {
  const page = state.panels.at(-1)?.pages.at(-1) ?? "";
  const data = /svg\+xml;base64,([^"]*)/.exec(page)?.[1] ?? "";
  return [Buffer.from(data, "base64").toString("utf8"), /<p role="status">(.*)<\/p>/.exec(page)?.[1] ?? ""];
}

const settled = () => new Promise((done) => setImmediate(done));

test("a panel waits for the check of its script, and follows the script from then on", async () => {
  const { uri, boards } = opened();
  await boards.show(uri as never);
  assert.deepEqual(shown(), ["", "The board appears when the script has been checked."]);
  check(document("/games/other.rhai", "rhai").uri);
  answer = "<svg>1</svg>";
  check(uri);
  await settled();
  assert.deepEqual(shown(), ["<svg>1</svg>", ""]);
  answer = "<svg>2</svg>";
  check(uri);
  await settled();
  assert.deepEqual(shown(), ["<svg>2</svg>", ""]);
  const { pages } = state.panels[0]!;
  const count = pages.length;
  check(uri);
  await settled();
  assert.equal(pages.length, count, "the same page is not shown again");
  boards.dispose();
});

test("a script that cannot be loaded is explained, and the last picture stays", async () => {
  const { uri, boards } = opened();
  check(uri);
  await boards.show(uri as never);
  assert.match(shown()[1], /^The script has problems/);
  answer = "<svg>1</svg>";
  await boards.show(uri as never);
  answer = new Error("the server is busy");
  check(uri);
  await settled();
  assert.deepEqual(shown(), ["<svg>1</svg>", "the server is busy"]);
  assert.equal(state.panels.length, 1);
  boards.dispose();
});

test("without a server, a panel says so until the server has checked the script", async () => {
  const { uri, boards } = opened();
  isRunning = false;
  await boards.show(uri as never);
  assert.deepEqual(shown(), ["", "The language server is not running."]);
  [answer, isRunning] = ["<svg>1</svg>", true];
  check(uri);
  await settled();
  assert.deepEqual(shown(), ["<svg>1</svg>", ""]);
  boards.dispose();
});

test("a closed script keeps its picture", async () => {
  const { uri, boards } = opened();
  answer = "<svg>1</svg>";
  await boards.show(uri as never);
  workspace.textDocuments = [];
  answer = new Error("the document is not open");
  check(uri);
  await settled();
  assert.deepEqual(shown(), ["<svg>1</svg>", ""]);
  boards.dispose();
});
