// The wizard, in a real browser and without one: games are made by mouse and by keyboard, mistakes are told at their fields, and
// whatever the choices, the script passes `check` and is played to its end. See common.mjs for what is needed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { WEB, act, count, done, humansOnly, open, seriousFaults, shot } from "./common.mjs";

/** What the wizard makes scripts with. */
let made;
/** The engine, in this process. */
let engine;

before(async () => {
  const source = ["game", "script", "pieces", "reader", "starts"].map((name) => `export * from "./wizard_${name}";`).join("\n");
  const bundle = await build({ stdin: { contents: source, resolveDir: join(WEB, "page/src") }, bundle: true, format: "esm", write: false });
  made = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);
  const { default: init, Engine } = await import(pathToFileURL(join(WEB, "build/astragal_web.js")));
  await init({ module_or_path: readFileSync(join(WEB, "build/astragal_web_bg.wasm")) });
  engine = new Engine();
});

function ask(method, params) {
  let answer;
  engine.answer(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), (line) => (answer = JSON.parse(line)));
  assert.equal(answer.error, undefined, JSON.stringify(answer.error));
  return answer.result;
}

/** A script of which nothing is wrong; that trial games have not come to a rule is no fault of the script. */
function assertRight(script) {
  const { diagnostics } = ask("check", { text: script, variant: "own.rhai" });
  const faults = diagnostics.filter((one) => one.code !== "not-played");
  assert.deepEqual(faults.map((one) => `${one.severity} ${one.code} ${one.message}`), [], script);
}

const step = (page, name) => page.click(`.wizard-nav button:has-text('${name}')`);

async function openWizard(options) {
  const page = await open(options);
  if (await page.locator("#menu").isVisible()) await page.click("#menu");
  await page.click("#wizard-open");
  await page.waitForSelector("#wizard[open] .wizard-preview[src]");
  return page;
}

async function size(page, files, ranks) {
  await page.fill("#wizard-files", String(files));
  await page.fill("#wizard-ranks", String(ranks));
}

/** Takes pieces from the palette, opening it where they are. */
async function take(page, ...labels) {
  await step(page, "Pieces");
  for (const label of labels) {
    const button = page.locator(`[data-known='${label}']`);
    if (!(await button.isVisible())) await page.locator("#wizard-palette details", { has: button }).locator("summary").click();
    await button.click();
  }
  await page.waitForFunction((count) => document.querySelectorAll(".wizard-card .diagram image, .wizard-card .diagram-letter").length >= count, labels.length);
}

/** Puts pieces on squares by clicks, as `{ knight: "b1 e1" }`. */
async function array(page, places) {
  await step(page, "Starting position");
  for (const [piece, squares] of Object.entries(places)) {
    await page.click(`.wizard-brush:has-text('${piece}')`);
    for (const square of squares.split(" ")) await page.click(`[data-array='${square}']`);
  }
}

/** Ticks what faces let move, as `[["pawn"], ["any piece"]]`, and nothing else. */
async function faces(page, table) {
  for (const [index, wanted] of table.entries()) {
    for (const chip of await page.locator(`#wizard-face-${index} .wizard-chip`).all()) {
      const label = (await chip.locator("span:not(.wizard-man)").innerText()).trim();
      if ((await chip.locator("input").isChecked()) !== wanted.includes(label)) await chip.click();
    }
  }
}

/** The script, once trial games have found nothing wrong. */
async function finished(page) {
  await step(page, "Script");
  await page.waitForSelector("#wizard-play:enabled");
  assert.equal(await page.locator("#wizard .wizard-panel [role=status]").innerText(), "The trial games found no problems.");
  return page.locator(".wizard-script").innerText();
}

/** Plays it, for a turn of each side. */
async function plays(page, title) {
  await page.click("#wizard-play");
  await page.waitForFunction((title) => document.title.startsWith(title), title);
  await page.waitForSelector("#wizard", { state: "hidden" });
  await humansOnly(page);
  for (let tries = 0; tries < 100 && (await count(page)) < 2; tries++) await act(page);
  assert.equal(await page.locator("#notice").innerText(), "");
}

test("a game with two dice and checkmate is made by mouse, and played", async () => {
  const page = await openWizard();
  await page.fill("#wizard-title", "Small dice chess");
  await size(page, 6, 6);
  await take(page, "one-step pawn", "knight", "bishop", "rook", "queen", "king");
  const pawn = page.locator(".wizard-card").first();
  await pawn.locator("summary").click();
  await pawn.locator(".wizard-chip:has-text('queen')").click();
  await shot(page, "wizard-pieces");
  await array(page, { knight: "b1", bishop: "e1", rook: "a1 f1", queen: "c1", king: "d1" });
  await page.selectOption("[aria-label='Piece for a whole rank']", { label: "pawn" });
  await page.click("text=Fill the rank");
  assert.equal(await page.locator("[data-array=d6]").getAttribute("aria-label"), "d6, black king", "the other side mirrors");
  await shot(page, "wizard-array");
  await step(page, "Dice");
  await page.selectOption("#wizard-dice", "2");
  await page.click("text=If both dice show the same face");
  await shot(page, "wizard-dice");
  await step(page, "End");
  await page.click("#wizard-aim label:has-text('must be protected')");
  await page.selectOption("#wizard-aim-piece", { label: "king" });
  const script = await finished(page);
  await shot(page, "wizard-script");
  assert.match(script, /const PIECE = \["pawn", "knight", "bishop", "rook", "queen", "king"\];/);
  assert.match(script, /if dice\[0\] == dice\[1\] \{ return any\(\); \}/);
  assert.match(script, /setup\("rnqkbr\/pppppp\/6\/6\/PPPPPP\/RNQKBR w - - 0 1"\)/);
  assertRight(script);
  await plays(page, "Small dice chess");
  assert.match(await page.locator("#editor .cm-content").textContent(), /Small dice chess/);
  await done(page);
});

test("a game with contest dice is made by mouse, and edited", async () => {
  const page = await openWizard();
  await page.fill("#wizard-title", "Duel");
  await size(page, 5, 6);
  await page.click("text=Points where lines cross");
  await take(page, "general", "horse", "cannon", "soldier");
  await array(page, { general: "c1", horse: "b1 d1", cannon: "a2 e2", soldier: "a3 c3 e3" });
  await step(page, "Dice");
  await page.selectOption("#wizard-dice", "0");
  await step(page, "Captures");
  await page.click("text=both roll, and each kind of piece has its own die");
  for (const [name, die] of [["general", 12], ["horse", 8], ["cannon", 8], ["soldier", 4]]) {
    await page.locator(".wizard-field", { hasText: `${name} rolls 1 to` }).locator("input").fill(String(die));
  }
  await page.click("#wizard-beaten >> text=it stays where it was");
  assert.deepEqual(await page.locator("#wizard-tie input").evaluateAll((all) => all.map((one) => one.value)), ["attacker", "nothing"], "a defender who wins changes nothing");
  await page.click("#wizard-beaten >> text=it is captured");
  await page.click("#wizard-tie >> text=nothing happens");
  await step(page, "End");
  await page.click("text=capturing the royal piece");
  await page.selectOption("#wizard-aim-piece", { label: "general" });
  const script = await finished(page);
  assert.match(script, /"general": "1d12", "horse": "1d8"/);
  assert.match(script, /board\(5, 6, #\{ points: true \}\)/);
  assertRight(script);
  await page.click("#wizard-edit");
  await page.waitForSelector("#panel-script:visible");
  assert.match(await page.locator("#editor .cm-content").textContent(), /Duel/);
  await page.click("#wizard-open");
  await finished(page);
  await plays(page, "Duel");
  await done(page);
});

test("a race is made by dragging pieces, and played", async () => {
  const page = await openWizard();
  await page.fill("#wizard-title", "Rush");
  await size(page, 6, 7);
  await take(page, "camel", "shogi pawn");
  await step(page, "Starting position");
  for (const square of ["b1", "c1", "d1"]) await page.locator(".wizard-brush:has-text('camel')").dragTo(page.locator(`[data-array=${square}]`));
  await page.dragAndDrop("[data-array=d1]", "[data-array=e1]");
  await page.click(".wizard-brush:has-text('pawn')");
  for (const square of ["a2", "c2", "f2"]) await page.click(`[data-array=${square}]`);
  // Off the board, and both of the pair go.
  await page.locator("[data-array=f2]").dragTo(page.locator("#wizard-heading"));
  const label = (square) => page.locator(`[data-array=${square}]`).getAttribute("aria-label");
  assert.deepEqual(await Promise.all(["d1", "e1", "e7", "f2", "f6", "c6"].map(label)), ["d1, empty", "e1, white camel", "e7, black camel", "f2, empty", "f6, empty", "c6, black pawn"]);
  await step(page, "Dice");
  await page.fill("#wizard-faces", "4");
  await faces(page, [["camel"], ["camel", "pawn"], ["pawn"], ["any piece"]]);
  await step(page, "End");
  await page.click("text=bringing several pieces to the far rank");
  await page.selectOption("#wizard-aim-piece", { label: "camel" });
  await page.fill("#wizard-aim-count", "4");
  await page.waitForSelector("#wizard-aim-count-error:visible");
  assert.match(await page.locator("#wizard-aim-count-error").innerText(), /choose a number from 1 to 3/);
  await page.fill("#wizard-aim-count", "2");
  const script = await finished(page);
  assert.match(script, /region\("far rank"\)\) >= 2/);
  assertRight(script);
  await plays(page, "Rush");
  await done(page);
});

test("a piece of one's own is drawn at once, and a mistake in its movement told at its field", async () => {
  const page = await openWizard();
  await page.fill("#wizard-title", "Hoppers");
  await size(page, 7, 7);
  await take(page);
  await page.click("#wizard-own");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("hopper");
  const betza = page.locator(".wizard-betza");
  await betza.fill("WfNx");
  const fault = page.locator("[data-error^=betza-]:visible");
  await fault.waitFor();
  assert.match(await fault.innerText(), /found 'x'/);
  assert.equal(await betza.getAttribute("aria-invalid"), "true");
  assert.equal(await betza.getAttribute("aria-describedby"), await fault.getAttribute("id"));
  await shot(page, "wizard-betza");
  await step(page, "Script");
  assert.match(await page.locator("#wizard .problems").innerText(), /found 'x'/);
  await page.locator("#wizard .problems li", { hasText: "found 'x'" }).locator("button").click();
  await betza.fill("WfN");
  await page.waitForSelector("#wizard [aria-label^='hopper on ']");
  assert.equal(await page.locator("[data-error^=betza-]:visible").count(), 0);
  assert.match(await page.locator("#wizard .diagram").getAttribute("aria-label"), /^hopper on d\d: moves to or captures on /);
  await step(page, "Starting position");
  await page.selectOption("#wizard-mirror", "turned");
  for (const square of ["a1", "b1", "c2"]) await page.click(`[data-array=${square}]`);
  assert.equal(await page.locator("[data-array=g7]").getAttribute("aria-label"), "g7, black hopper");
  await step(page, "Dice");
  await faces(page, [["hopper"], ["hopper"], ["hopper"], ["roll lost"], ["roll lost"], ["hopper"]]);
  const script = await finished(page);
  assert.match(script, /symmetric\("turned"\);/);
  assert.match(script, /4 \| 5 => nothing\(\)|_ +=> nothing\(\)/);
  assertRight(script);
  await plays(page, "Hoppers");
  await done(page);
});

test("a game is made and played by keyboard alone", async () => {
  const page = await open();
  const key = (...keys) => keys.reduce((before, one) => before.then(() => page.keyboard.press(one)), Promise.resolve());
  const tabTo = async (selector) => {
    for (let tries = 0; tries < 150; tries++) {
      if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
      await key("Tab");
    }
    assert.fail(`${selector} is not reached by Tab`);
  };
  const next = async () => {
    await tabTo(".wizard-foot button.main");
    await key("Enter");
  };
  await tabTo("#wizard-open");
  await key("Enter");
  await tabTo("#wizard-files");
  await key("Control+A", "5");
  await tabTo("#wizard-ranks");
  await key("Control+A", "5");
  await next();
  for (const piece of ["knight", "king"]) {
    await tabTo(`[data-known=${piece}]`);
    await key("Enter");
  }
  await next();
  await tabTo("[data-array]");
  await key("n", "ArrowRight", "n", "ArrowRight", "k", "ArrowRight", "k", "Delete", "ArrowRight", "n");
  assert.match(await page.locator("#wizard .wizard-said").innerText(), /^e1: White knight/);
  await next();
  await next();
  await next();
  await tabTo("input[name=wizard-aim]");
  await key("ArrowDown");
  await tabTo("#wizard-aim-piece");
  await page.keyboard.type("king");
  await next();
  await page.waitForSelector("#wizard-play:enabled");
  const script = await page.locator(".wizard-script").innerText();
  assert.match(script, /setup\("nnk1n\/5\/5\/5\/NNK1N w - - 0 1"\);/);
  assertRight(script);
  await tabTo("#wizard-play");
  await key("Enter");
  await page.waitForFunction(() => document.title.startsWith("My game"));
  await page.waitForSelector("#wizard", { state: "hidden" });
  if (await page.getByRole("button", { name: "Roll", exact: true }).count()) {
    await tabTo("#dice button");
    await key("Enter");
  }
  const from = await page.locator("#board .square[aria-description='can move']").first().getAttribute("data-square");
  const arrowsTo = async (square) => {
    for (let steps = 0; steps < 20; steps++) {
      const here = await page.evaluate(() => document.activeElement.dataset.square);
      const [across, up] = [square.charCodeAt(0) - here.charCodeAt(0), Number(square[1]) - Number(here[1])];
      if (across === 0 && up === 0) return;
      await key(across > 0 ? "ArrowRight" : across < 0 ? "ArrowLeft" : up > 0 ? "ArrowUp" : "ArrowDown");
    }
  };
  await tabTo("#board [role=gridcell]");
  await arrowsTo(from);
  await key("Enter");
  await arrowsTo(await page.locator("#board .square.target").first().getAttribute("data-square"));
  await key("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".turns li").length > 0);
  await done(page);
});

test("what would make a broken game is refused at its field", async () => {
  const page = await openWizard();
  await size(page, 40, 6);
  assert.match(await page.locator("#wizard-files-error").innerText(), /1 to 16 files/);
  await size(page, 3, 3);
  await take(page, "rook", "king");
  assert.match(await page.locator(".wizard-nav").innerText(), /Board\s*, answered/);
  await page.locator(".wizard-card input[id^=wizard-letter]").last().fill("r");
  assert.match(await page.locator("[data-error^=letter-]:visible").innerText(), /The rook already has this letter/);
  await page.locator(".wizard-card input[id^=wizard-letter]").last().fill("k");
  await array(page, { rook: "a1 b1", king: "c1" });
  await step(page, "Captures");
  await page.click("text=both roll a die");
  await step(page, "End");
  await page.click("#wizard-aim label:has-text('must be protected')");
  await page.selectOption("#wizard-aim-piece", { label: "king" });
  await step(page, "Captures");
  assert.match(await page.locator("#wizard-contest-error").innerText(), /checkmate would mean nothing/);
  await page.click("text=the capture succeeds");
  assert.equal(await page.locator("#wizard-contest-error").isVisible(), false);
  // Nothing is wrong with any one answer: trial games find that White is mated at once.
  await step(page, "Starting position");
  await page.selectOption("#wizard-mirror", "apart");
  await page.click("text=Clear the board");
  await array(page, { king: "a1" });
  await page.click(".wizard-sides button:has-text('Black')");
  await array(page, { king: "c3", rook: "a3 b3" });
  await step(page, "Script");
  await page.waitForSelector("#wizard .problems");
  assert.match(await page.locator("#wizard .problems").innerText(), /over before the first move/);
  await page.click("#wizard .problems button");
  assert.match(await page.locator("#wizard-array-error").innerText(), /over before the first move/);
  await done(page);
});

test("no serious fault for people who use a screen reader, and room on 360 pixels", async () => {
  for (const options of [{}, { viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true }]) {
    const narrow = options.viewport !== undefined;
    const page = await openWizard(options);
    await size(page, 6, 6);
    await take(page, "pawn", "knight", "king", "nightrider");
    await array(page, { knight: "b1 e1", king: "c1", pawn: "b2 c2" });
    await step(page, "Dice");
    await page.selectOption("#wizard-dice", "2");
    await step(page, "Captures");
    await page.click("text=both roll, and each kind");
    for (const name of ["Board", "Pieces", "Starting position", "Dice", "Captures", "End", "Script"]) {
      await step(page, name);
      await page.waitForTimeout(150);
      await shot(page, `wizard-${narrow ? "narrow-dark" : "wide"}-${name.toLowerCase()}`);
      assert.deepEqual(await seriousFaults(page), [], name);
      const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.querySelector(".wizard-body").scrollWidth));
      assert.ok(wide <= (options.viewport?.width ?? 1200), `${name} is ${wide} wide`);
    }
    await done(page);
  }
});

/** A game on a board of so many files and ranks, with pieces of the palette by their labels. */
function game(files, ranks, mirror, labels, rows, cells = "square") {
  const made_ = made.emptyGame();
  Object.assign(made_, { files, ranks, mirror, cells });
  const all = made.PALETTE.flatMap((group) => group.pieces);
  labels.forEach((label, index) => {
    const { name, letter, betza, glyphs } = all.find((piece) => (piece.label ?? piece.name) === label);
    const taken = made_.pieces.map((piece) => piece.letter);
    const known = { key: index + 1, name, letter: made.freeLetter(letter, name, taken), betza, promotes: [], die: [4, 6, 8, 12, 20][index] };
    made_.pieces.push(glyphs ? { ...known, glyphs } : known);
  });
  rows.forEach((row, rank) => [...row].forEach((digit, file) => digit !== "0" && made.stand(made_, made.squareName(file, rank), { side: 0, key: Number(digit) })));
  if (mirror === "apart") [...rows[0]].forEach((digit, file) => digit !== "0" && made.stand(made_, made.squareName(file, ranks - 1), { side: 1, key: Number(digit) }));
  return made_;
}

/** Boards and men; the first piece may promote, the second runs, the last is royal. */
const ARMIES = () => [
  game(6, 6, "mirrored", ["one-step pawn", "knight", "rook", "king"], ["230423", "111111"]),
  game(5, 7, "turned", ["shogi pawn", "silver", "gold", "king"], ["23042", "11111"]),
  game(7, 6, "apart", ["soldier", "horse", "cannon", "chariot", "general"], ["2435342", "1010101"]),
  game(8, 8, "mirrored", ["pawn", "camel", "princess", "king"], ["20300402", "11111111"]),
  game(7, 7, "mirrored", ["hexagon pawn", "knight", "rook", "king"], ["2342", "11111"], "hexagon"),
  game(6, 7, "mirrored", ["shogi pawn", "ferz", "bishop", "king"], ["234200", "111110"], "hex"),
];

const FACES = [
  (n, keys) => Array.from({ length: 6 }, (_, face) => ({ lets: "pieces", keys: [keys[face % n]] })),
  (n, keys) => [{ lets: "pieces", keys: keys.slice(0, 2) }, { lets: "pieces", keys: keys.slice(-2) }, { lets: "any" }, { lets: "nothing" }],
  () => Array.from({ length: 3 }, () => ({ lets: "any" })),
];

/** Every combination of the choices. */
function* combinations() {
  const pick = (...values) => values;
  for (const aim of pick("royal", "checkmate", "far rank", "race", "all"))
    for (const contest of pick("none", "same", "own"))
      for (const [tie, beaten] of contest === "none" ? [["defender", "captured"]] : pick("attacker", "defender", "nothing").flatMap((tie) => [[tie, "captured"], [tie, "stays"]]))
        for (const dice of pick([0], [1, "one", false, "lost"], [1, "one", false, "any"], [1, "one", false, "again"], [2, "one", true, "lost"], [2, "one", false, "any"], [3, "one", true, "again"], [2, "each", false, "lost"], [3, "each", false, "lost"]))
          for (const faces of dice[0] === 0 ? [0] : [0, 1, 2]) yield { aim, contest, tie, beaten, dice, faces };
}

function chosen({ aim, contest, tie, beaten, dice, faces }, index) {
  const armies = ARMIES();
  const one = armies[index % armies.length];
  const keys = one.pieces.map((piece) => piece.key);
  const [count, moves = "one", alike = false, stuck = "lost"] = dice;
  one.dice = { count, faces: FACES[faces](keys.length, keys), moves, alike, stuck };
  one.contest = { kind: contest, die: 6, tie, beaten };
  const runs = aim === "far rank" || aim === "race";
  one.aim = { kind: aim, key: aim === "all" ? undefined : runs ? 2 : keys.at(-1), count: 2, limit: 100 };
  if (index % 3 > 0) one.pieces[0].promotes = keys.slice(1, index % 3 === 1 ? 2 : -1);
  if (index % 5 === 0 && one.cells === "square") one.cells = "points";
  return one;
}

test("all combinations of the choices make scripts, or are refused with words", () => {
  const all = [...combinations()].map(chosen);
  assert.ok(all.length > 500, `${all.length}`);
  const right = [];
  for (const one of all) {
    const found = made.problems(one);
    const refused = one.aim.kind === "checkmate" && one.contest.kind !== "none";
    assert.deepEqual(found.map((problem) => problem.field), refused ? ["contest"] : []);
    if (refused) continue;
    const script = made.writeScript(one);
    assert.ok(!/undefined|null|NaN/.test(script), script);
    const taken = made.readScript(script);
    assert.deepEqual(taken?.changes, [], script);
    assert.equal(made.writeScript(taken.game), script, "the answers are read back");
    right.push(script);
  }
  // As many as there is time for, taken from everywhere.
  const end = Date.now() + 45_000;
  let [checked, at] = [0, 0];
  for (; checked < right.length && Date.now() < end; checked++) {
    at = (at + 137) % right.length;
    const { diagnostics } = ask("check", { text: right[at], variant: "own.rhai" });
    assert.deepEqual(diagnostics.filter((one) => one.severity !== "note").map((one) => `${one.code} ${one.message}`), [], right[at]);
    ask("load", { name: "made.rhai", text: right[at] });
    const { report } = ask("simulate", { variant: "made.rhai", games: 5, seed: checked });
    assert.equal(report.games, 5);
  }
  console.log(`${right.length} scripts, ${checked} of them checked and played`);
  assert.ok(checked >= 20);
});

test("a script that was changed by hand is read back, and what would be lost is named", () => {
  const [chess, race] = made.STARTS.map((start) => made.writeScript(start.game()));
  const small = made.readScript(chess.replace("clock_reached(100)", "clock_reached(60)").replace("100 moves", "60 moves").replace('"2d6"', '"3d6"').replace("dice[0] == dice[1]", "dice.alike == 3"));
  assert.deepEqual([small.game.dice.count, small.game.aim.limit, small.game.pieces.length], [3, 60, 6]);
  // Spaces and breaks say nothing; only comments are named.
  assert.deepEqual(made.readScript(race.replace('board(6, 8);', 'board( 6,\n  8 );')).changes, []);
  const added = `${race}\n// The squares of the spring.\nregion("spring", "c4 d4");\n\n/* Unused. */\nfn helper(x) { x + 1 } // one more\n`;
  const kept = made.readScript(added);
  assert.deepEqual(kept.changes, []);
  const again = made.writeScript({ ...kept.game, ranks: 9 });
  for (const part of ["// The squares of the spring.", 'region("spring", "c4 d4");', "fn helper(x) { x + 1 } // one more"]) assert.ok(again.includes(part), again);
  const own = race.replace("    if clock_reached", '    if round() > 200 { return draw("too long"); }\n    if clock_reached').replace("// The board and its pieces.", "// My board.");
  assert.deepEqual(made.readScript(own).changes, ["replaces lines 31 to 36: outcome", "writes new comments: line 9"]);
  const slow = made.readScript(race.replace('"fWfF", #{ clock: true }', '"fWfF", #{ clock: true, value: 3 }').replace("symmetric();\n", ""));
  assert.deepEqual(slow.changes, ["replaces line 11: piece", "adds symmetric"]);
  for (const huge of [race.replace("board(6", "board(99999999"), race.replace("1d6", "1d999999999"), race + "/*".repeat(90_000)]) made.readScript(huge);
  for (const name of ["dice-chess", "xiangqi", "gallery/senet"]) assert.equal(made.readScript(readFileSync(join(WEB, `../variants/${name}.rhai`), "utf8")), undefined, name);
});

test("each choice that makes a broken game has words at its field", () => {
  const cases = [
    [(one) => (one.title = " "), "title"],
    [(one) => (one.title = "A ${value}"), "title"],
    [(one) => (one.files = 17), "files"],
    [(one) => (one.ranks = Number.NaN), "ranks"],
    [(one) => (one.cells = "hexagon"), "files"],
    [(one) => (one.sides = ["Red", "Red "]), "side-1"],
    [(one) => (one.pieces[1].name = 'a"b'), "name-2"],
    [(one) => (one.pieces[1].name = one.pieces[0].name), "name-2"],
    [(one) => (one.pieces[1].letter = one.pieces[0].letter), "letter-2"],
    [(one) => (one.pieces[1].letter = "7"), "letter-2"],
    [(one) => (one.pieces[1].betza = " "), "betza-2"],
    [(one) => (one.array = {}), "array"],
    [(one) => made.standing(one, 0, 3).concat(made.standing(one, 1, 3)).forEach((square) => delete one.array[square]), "array"],
    [(one) => (one.dice.count = 6), "dice"],
    [(one) => Object.assign(one.dice, { count: 5, faces: Array.from({ length: 20 }, () => ({ lets: "any" })) }), "dice"],
    [(one) => Object.assign(one.dice, { count: 5, stuck: "again", faces: Array.from({ length: 7 }, () => ({ lets: "any" })) }), "stuck"],
    [(one) => (one.dice.faces[2] = { lets: "pieces", keys: [] }), "face-2"],
    [(one) => (one.dice.faces = one.dice.faces.map(() => ({ lets: "nothing" }))), "face-0"],
    [(one) => (one.contest = { ...one.contest, kind: "same", die: 1 }), "contest-die"],
    [(one) => ((one.contest.kind = "own"), (one.pieces[0].die = 0)), "contest-die-1"],
    [(one) => (one.aim.key = undefined), "aim-piece"],
    [(one) => Object.assign(one.aim, { kind: "checkmate", key: 2 }), "aim-piece"],
    [(one) => Object.assign(one.aim, { kind: "race", key: 2, count: 5 }), "aim-count"],
    [(one) => (Object.assign(one.aim, { kind: "far rank", key: 2 }), made.stand(one, "a6", { side: 0, key: 2 })), "aim-piece"],
    [(one) => (Object.assign(one.aim, { kind: "far rank", key: 1 }), (one.pieces[0].promotes = [3])), "aim-piece"],
    [(one) => (Object.assign(one.aim, { kind: "far rank", key: 3 }), (one.dice.faces = [{ lets: "pieces", keys: [1] }, { lets: "nothing" }])), "aim-piece"],
    [(one) => (one.aim.limit = 0), "limit"],
  ];
  for (const [spoil, field] of cases) {
    const one = chosen({ aim: "royal", contest: "none", tie: "defender", beaten: "captured", dice: [1], faces: 0 }, 0);
    assert.deepEqual(made.problems(one), []);
    spoil(one);
    const found = made.problems(one);
    assert.ok(found.some((problem) => problem.field === field && problem.text.length > 10), `${spoil}: ${JSON.stringify(found)}`);
  }
});

test("texts of the form stay texts in the script", () => {
  const one = chosen({ aim: "all", contest: "none", tie: "defender", beaten: "captured", dice: [0], faces: 0 }, 0);
  one.title = 'A "quoted" \\ title `with {all}';
  one.sides = ["Rot-Weiß", "Crème d'Or"];
  assert.deepEqual(made.problems(one), []);
  assertRight(made.writeScript(one));
  assert.equal(ask("load", { name: "made.rhai", text: made.writeScript(one) }).title, one.title);
});

test("every piece of the palette moves as the engine reads it", () => {
  for (const piece of made.PALETTE.flatMap((group) => group.pieces)) {
    ask("load", { name: "made.rhai", text: made.writeOne({ files: 8, ranks: 8, cells: "square" }, piece) });
    const { pieces } = ask("pieces", { variant: "made.rhai" });
    const [drawn] = pieces;
    assert.ok(drawn.from && drawn.quiet.length + drawn.captures.length + drawn.over.length > 0, piece.name);
    assert.equal(drawn.images.length, 2);
  }
});

test("every piece that is offered on hexagons moves there", () => {
  const all = made.paletteFor(true).flatMap((group) => group.pieces);
  assert.ok(all.length > 12 && all.some((piece) => piece.label === "hexagon pawn"), `${all.length}`);
  for (const piece of all) {
    ask("load", { name: "made.rhai", text: made.writeOne({ files: 9, ranks: 9, cells: "hexagon" }, piece) });
    const [drawn] = ask("pieces", { variant: "made.rhai" }).pieces;
    assert.ok(drawn.from && drawn.quiet.length + drawn.captures.length + drawn.over.length > 0, piece.name);
  }
  assert.ok(!made.paletteFor(false).some((group) => group.pieces.some((piece) => piece.label === "hexagon pawn")));
});

test("a game on a hexagon is made by mouse and keys, and played", async () => {
  const page = await openWizard();
  await page.fill("#wizard-title", "Six sides");
  await page.click("#wizard-cells >> text=Hexagons in a hexagonal board");
  assert.equal(await page.locator("#wizard-ranks").count(), 0, "it is as high as it is wide");
  await page.fill("#wizard-files", "8");
  await page.waitForSelector("#wizard-files-error:visible");
  await page.fill("#wizard-files", "7");
  await take(page, "hexagon pawn", "knight", "rook", "king");
  assert.equal(await page.locator("[data-known=camel]").count(), 0, "a camel means nothing on hexagons");
  assert.equal(await page.locator(".wizard-card .diagram").first().locator("polygon").count(), 37);
  await shot(page, "wizard-hexagon-pieces");
  await array(page, { knight: "a1 c1", rook: "b1" });
  assert.equal(await page.locator("[data-array]").count(), 37);
  const label = (square) => page.locator(`[data-array=${square}]`).getAttribute("aria-label");
  assert.deepEqual(await Promise.all(["a4", "b5", "c6"].map(label)), ["a4, black knight", "b5, black rook", "c6, black knight"], "across the middle");
  // By keys: from b1 to the right, and a king there; further right and up, a pawn on each.
  await page.locator("[data-array=c1]").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("k");
  for (const key of ["ArrowUp", "p", "ArrowLeft", "p"]) await page.keyboard.press(key);
  assert.deepEqual(await Promise.all(["d1", "d7", "d2", "c1", "d6"].map(label)), ["d1, white king", "d7, black king", "d2, white pawn", "c1, white pawn", "d6, black pawn"]);
  await page.selectOption("#wizard-mirror", "turned");
  assert.deepEqual(await Promise.all(["g7", "d7", "e7"].map(label)), ["g7, black knight", "d7, black king", "e7, black pawn"]);
  await shot(page, "wizard-hexagon-array");
  await step(page, "End");
  await page.click("text=capturing the royal piece");
  await page.selectOption("#wizard-aim-piece", { label: "king" });
  const script = await finished(page);
  assert.match(script, /board\(7, 7, #\{ cells: "hex", hexagon: true \}\);/);
  assert.match(script, /setup\("\*\*\*k/);
  assertRight(script);
  await plays(page, "Six sides");
  await shot(page, "hexagon");
  await done(page);
});
