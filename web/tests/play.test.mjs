// How a game is played on the page: what is said of it, that the board stays where it is, turns gone back to, and what is asked
// before a game is lost.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { RACE, changeGame, count, done, humansOnly, open, openGame, rollByHand, shot, tab, text, write } from "./common.mjs";

const hash = (shared) => `#g=${deflateRawSync(JSON.stringify({ version: 1, ...shared })).toString("base64url")}`;
const status = (page) => page.locator("#status").innerText();
const drag = async (page, from, to) => {
  await page.dragAndDrop(`#board [data-square=${from}]`, `#board [data-square=${to}]`);
  await page.waitForFunction((to) => !document.querySelector(`#board [data-square=${to}]`).ariaLabel.includes("empty"), to);
};

test("a lost turn is told with its reason, and its dice stay to be seen", async () => {
  const page = await openGame("dice-chess", "Dice Chess");
  await humansOnly(page);
  assert.equal(await status(page), "White to roll two dice");
  await rollByHand(page, "3 5");
  assert.equal(await status(page), "Black to roll two dice\nWhite rolled bishop and queen and has no move: the turn is lost.");
  const lost = page.locator("#dice .roll.lost .die");
  assert.deepEqual(await lost.evaluateAll((dice) => dice.map((die) => die.ariaLabel)), ["3, bishop", "5, queen"]);
  await shot(page, "lost-turn");
  await rollByHand(page, "2 2");
  assert.match(await status(page), /^Black to move/);
  assert.equal(await lost.count(), 0);
  await done(page);
});

test("what is waited for is said in the words of a player", async () => {
  const page = await openGame("royal-game-of-ur", "Royal");
  await humansOnly(page);
  const starts = [
    ["royal-game-of-ur", "Royal", "First player to roll four dice (plain or marked)"],
    ["risk", "Risk", "Red to draw a square, one of 18"],
    ["bidding-chess", "Bidding", "How many chips do you bid? White to choose a number from 0 to 100"],
    ["daldosa", "Daldøsa", "First player to roll two four-sided dice"],
    ["grant-acedrex", "Grant", "White to roll an eight-sided die"],
  ];
  for (const [name, title, said] of starts) {
    await changeGame(page, name, title);
    assert.equal((await status(page)).split("\n")[0], said);
  }
  await changeGame(page, "risk", "Risk");
  await humansOnly(page);
  await page.click("#dice button:text-is('Draw')");
  const drawn = page.locator("#dice .drawn-square");
  await drawn.waitFor();
  assert.match(await drawn.innerText(), /^[a-e]\d$/);
  assert.equal(await page.locator("#dice .die").count(), 0, "a square is no die");
  await done(page);
});

test("dice of a turn that have been used are told apart from those that are left", async () => {
  const page = await openGame("backgammon", "Backgammon");
  await humansOnly(page);
  await rollByHand(page, "6 3");
  await page.click("#board .square[aria-description='can move']");
  await page.locator("#board .square.target").first().click();
  await page.waitForSelector("#dice .die.used");
  assert.match(await status(page), /^White to move with [36] left/);
  await done(page);
});

test("a second click on Roll before the answer changes nothing", async () => {
  const page = await openGame("dice-chess", "Dice Chess");
  await humansOnly(page);
  await page.getByRole("button", { name: "Roll", exact: true }).evaluate((button) => (button.click(), button.click()));
  await page.waitForSelector("#dice .die");
  await page.waitForFunction(() => document.querySelector("#status").innerText.includes("to move") || document.querySelector("#status").innerText.includes("lost"));
  assert.equal(await page.locator("#notice").innerText(), "");
  assert.equal(await count(page), 1);
  await done(page);
});

test("dice rolled before the turn that plays them are shown", async () => {
  const page = await openGame("backgammon", "Backgammon");
  await humansOnly(page);
  // Each side rolls one die, and the higher one begins with both.
  await rollByHand(page, "3 6");
  assert.match(await status(page), /^Black to move with 6 and 3/);
  assert.deepEqual(await page.locator("#dice .die").evaluateAll((dice) => dice.map((die) => die.ariaLabel)), ["6", "3"]);
  await done(page);
});

test("the board stays where it is, whatever comes and goes around it", async () => {
  for (const [width, variant] of [[1200, "backgammon"], [360, "backgammon"], [1200, "dice-chess"], [360, "dice-chess"]]) {
    const page = await open({ viewport: { width, height: 900 } }, hash({ variant }));
    await humansOnly(page);
    const place = async () => {
      const box = await page.locator("#board [data-square=a1]").boundingBox();
      const scrolled = await page.evaluate(() => scrollY + document.querySelector("main").scrollTop);
      return [box.x, box.y + scrolled, box.width].map(Math.round);
    };
    const begun = await place();
    await rollByHand(page, "3 5");
    assert.deepEqual(await place(), begun, `dice have their room: ${variant} ${width}`);
    await page.evaluate(() => (document.querySelector("#notice").textContent = "Something went wrong."));
    assert.deepEqual(await place(), begun, "so do notices");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the page");
    await shot(page, `steady-${variant}-${width}`);
    await done(page);
  }
});

test("turns lead to their positions, and back to the last", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  for (const [from, to] of [["e2", "e4"], ["e7", "e5"], ["g1", "f3"]]) await drag(page, from, to);
  const all = await text(page);
  const turns = page.locator(".turns button");
  await turns.first().click();
  await page.waitForSelector("#board [aria-label='e5, empty']");
  assert.equal(await text(page), all, "what comes behind it is still listed");
  assert.equal(await page.locator(".turns .ahead").count(), 2);
  assert.match(await status(page), /Black to move/);
  await shot(page, "looking-back");
  await turns.nth(1).click();
  await page.waitForSelector("#board [aria-label='e5, black pawn']");
  assert.equal(await page.locator("#board [aria-label='f3, empty']").count(), 1);
  await turns.nth(2).click();
  await page.waitForSelector("#board [aria-label='f3, white knight']");
  assert.equal(await page.locator(".turns .ahead").count(), 0);
  assert.equal(await page.locator("#redo").isDisabled(), true);
  await turns.first().click();
  await page.waitForSelector("#board [aria-label='e5, empty']");
  // Gone on with otherwise, the line that was left can be gone back to.
  await drag(page, "c7", "c5");
  await page.waitForSelector("summary:has-text('Other lines (1)')");
  await done(page);
});

test("a game under way is not ended without a word", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await page.click("#new");
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#notice").innerText(), "", "nothing was played");
  await drag(page, "e2", "e4");
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  const back = page.locator("#notice button:text-is('Go back to it')");
  await page.click("#new");
  await page.waitForSelector("#board [aria-label='e4, empty']");
  await back.click();
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  await page.selectOption("#variant", "dice-chess");
  await page.waitForFunction(() => document.title.startsWith("Dice Chess"));
  await back.click();
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  assert.equal(await page.locator("#variant").inputValue(), "chess");
  await done(page);
});

test("a piece that is dragged follows the pointer", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  const middle = async (square) => {
    const box = await page.locator(`#board [data-square=${square}]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await middle("g1")));
  await page.mouse.down();
  await page.mouse.move(...(await middle("g2")), { steps: 4 });
  await page.waitForSelector(".ghost");
  assert.equal(await page.locator("#board .square.target").count(), 2);
  await shot(page, "dragged");
  await page.mouse.move(...(await middle("f3")), { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector("#board [aria-label='f3, white knight']");
  assert.equal(await page.locator(".ghost").count(), 0);
  await done(page);
});

test("pieces without a picture are told apart by the colours of their sides", async () => {
  const page = await openGame("four-seasons", "Four Seasons");
  const svg = await page.evaluate(() => decodeURIComponent(document.querySelector("#board img").src));
  const fills = new Set([...svg.matchAll(/<circle [^>]*r="25" fill="([^"]*)"/g)].map((found) => found[1]));
  assert.equal(fills.size, 4, [...fills].join());
  assert.doesNotMatch(svg, />[a-z]'?<\/text>\s*<circle/);
  await done(page);
});

test("what is perhaps meant is offered by a click, and signatures while one writes", async () => {
  const page = await open();
  await write(page, RACE("play(any());").replace("board", "baord").replace('"fW"', '"sW"'));
  await page.click(".problems button:text-is('Maybe: write board')");
  await page.waitForFunction(() => document.title.startsWith("A race"));
  assert.equal(await page.locator(".problems li.error").count(), 0);
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type('fn mine() { piece("guard", ');
  const at = page.locator("#editor .cm-signature b").first();
  await at.waitFor();
  assert.match(await at.innerText(), /letter/);
  await shot(page, "signature");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#editor .cm-signature").count(), 0);
  await done(page);
});

test("paper gets the title, the board, who is to move and the turns", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await drag(page, "e2", "e4");
  await tab(page, "Odds");
  await page.emulateMedia({ media: "print" });
  for (const [what, shown] of [["#board img", true], ["#status", true], [".turns", true], ["#panel-odds", false], ["header", false], ["#seat-0", false]]) {
    assert.equal(await page.locator(what).first().isVisible(), shown, what);
  }
  assert.match(await page.evaluate(() => getComputedStyle(document.body, "::before").content), /Chess/);
  await shot(page, "printed");
  await done(page);
});

test("a whole game is played by keyboard alone", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await page.locator("[role=gridcell][tabindex='0']").focus();
  const to = async (square) => {
    for (let step = 0; step < 20; step++) {
      const here = await page.evaluate(() => document.activeElement.dataset.square);
      assert.ok(here, `the keyboard is on the board on the way to ${square}`);
      if (here === square) return page.keyboard.press("Enter");
      const [across, up] = [square.charCodeAt(0) - here.charCodeAt(0), Number(square[1]) - Number(here[1])];
      await page.keyboard.press(across > 0 ? "ArrowRight" : across < 0 ? "ArrowLeft" : up > 0 ? "ArrowUp" : "ArrowDown");
    }
    assert.fail(`${square} is not reached by arrows`);
  };
  for (const [from, target, side] of [["f2", "f3", "Black"], ["e7", "e5", "White"], ["g2", "g4", "Black"]]) {
    await to(from);
    await to(target);
    await page.waitForFunction((side) => document.querySelector("#status").innerText.startsWith(`${side} to move`), side);
  }
  await to("d8");
  await to("h4");
  await page.waitForFunction(() => /^Black wins: checkmate/.test(document.querySelector("#status").innerText));
  await page.click("#new");
  assert.equal(await page.locator("dialog[open]").count(), 0, "what is over is not lost");
  await done(page);
});

test("a random game that fails is made short, and kept as a test", async () => {
  const page = await open();
  // What no trial game of the check finds: four sixes, twice.
  const sixes = 'let n = roll("4d6").filter(|x| x == 6).len(); add("turns", if n == 4 { 32767 } else { 0 }); play(any());';
  const broken = RACE(sixes).replace("setup(", 'counter("turns", 0);\nsetup(').replace('"fW"', '"sW"');
  await write(page, broken);
  await page.waitForFunction(() => document.title.startsWith("A race"));
  await tab(page, "Tests");
  await page.fill("#random-games", "200");
  await page.click("text=Play random games");
  await page.waitForSelector("#panel-tests >> text=A property does not hold");
  const game = await page.locator("#panel-tests pre", { hasText: "variant:" }).innerText();
  // Of the whole game the roll is left that fails.
  assert.match(game, /turns=32767\n\nroll 6 6 6 6\n*$/);
  await shot(page, "shortened");
  await page.click("text=Keep as a test");
  await page.waitForSelector("#panel-tests li:has-text('Random game 1')");
  await done(page);
});

test("a .game file is opened and played as a test", async () => {
  const page = await open();
  await write(page, RACE("play(any());").replace('"fW"', '"sW"'));
  await page.waitForFunction(() => document.title.startsWith("A race"));
  await tab(page, "Game");
  await humansOnly(page);
  await page.click("#board [data-square=a1]");
  await page.click("#board .square.target");
  await page.waitForFunction(() => document.querySelectorAll(".turns li").length === 1);
  await tab(page, "Tests");
  await page.click("text=Make a test from this game");
  await page.click("dialog button.main");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#panel-tests button:text-is('Save as .game')")]);
  await page.click("#panel-tests button:text-is('Remove')");
  await page.locator("#panel-tests input[type=file]").setInputFiles({ name: "step.game", mimeType: "text/plain", buffer: readFileSync(await file.path()) });
  await page.waitForSelector("#panel-tests li:has-text('step not accepted yet')");
  await page.click("#panel-tests button:text-is('Accept')");
  await page.waitForSelector("#panel-tests li.good:has-text('step passed')");
  await done(page);
});

test("the line of a step that was walked is lit in the script", async () => {
  const page = await open({}, hash({ variant: "dice-chess" }));
  await humansOnly(page);
  await rollByHand(page, "2 3");
  await tab(page, "Odds");
  await page.click("text=Trace the rules of this turn");
  const waits = page.locator("#panel-trace li:has-text('comes next')");
  await waits.waitFor();
  assert.equal(await page.locator("#panel-trace summary", { hasText: "turn:" }).count(), 1, "each rule stands there once");
  await shot(page, "walk-tree");
  await waits.locator("button.place").click();
  await page.waitForSelector("#panel-script:not([hidden])");
  assert.match(await page.locator("#editor .cm-activeLine").innerText(), /play\(permit\(dice\)\)/);
  await done(page);
});


test("without a clipboard, as over plain HTTP, the link is selected to be copied", async () => {
  const page = await openGame("chess", "Chess ");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.click("button:text-is('Share')");
  const link = page.locator("dialog input[aria-label='Link']");
  await page.click("dialog button:text-is('Copy')");
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Link");
  const selected = await link.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
  assert.equal(selected, await link.inputValue());
  assert.match(selected, /#/);
  await done(page);
});
