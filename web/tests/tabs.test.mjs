// What the tabs beside the board do: legend, odds, tests, other lines of play; and what the page promises to tests of others.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { RACE, act, changeGame, count, done, humansOnly, open, openGame, rollByHand, shot, tab, text, write } from "./common.mjs";

const hash = (shared) => `#g=${deflateRawSync(JSON.stringify({ version: 1, ...shared })).toString("base64url")}`;

test("names that tests of others rely on", async () => {
  const page = await openGame("dice-chess", "Dice Chess");
  for (const name of ["Roll", "Undo", "New game", "Flip", "Share"]) {
    assert.equal(await page.getByRole("button", { name, exact: true }).count(), 1, name);
  }
  assert.equal(await page.getByRole("grid").count(), 1);
  assert.equal(await page.getByRole("gridcell").count(), 64);
  assert.equal(await page.getByLabel("e2, white pawn", { exact: true }).count(), 1);
  assert.equal(await page.getByLabel("e4, empty", { exact: true }).count(), 1);
  assert.equal(await page.locator("#status").getAttribute("aria-live"), "polite");
  await done(page);
});

test("dice fall by a button, by themselves, or are real", async () => {
  const page = await openGame("dice-chess", "Dice Chess");
  await humansOnly(page);
  const roll = page.getByRole("button", { name: "Roll", exact: true });
  await rollByHand(page, "2 2");
  assert.deepEqual(await page.locator("#dice .die").evaluateAll((all) => all.map((one) => one.ariaLabel)), ["2, knight", "2, knight"]);
  assert.match(await page.locator("#status").innerText(), /White to move/);
  await page.click("#new");
  await roll.waitFor();
  await page.check("#dice input[type=checkbox]");
  // A lost turn may follow on another; then somebody is to move.
  await page.waitForFunction(() => /to move/.test(document.querySelector("#status").innerText));
  assert.equal(await roll.count(), 0);
  await done(page);
});

test("moves and dice are told as their players say them", async () => {
  const page = await openGame("backgammon", "Backgammon");
  await humansOnly(page);
  await rollByHand(page, "3 1");
  await page.click("#board [data-square=e3]");
  await page.click("#board .square.target[data-square=h1]");
  await page.waitForFunction(() => /8\/5/.test(document.querySelector(".turns").innerText));
  await shot(page, "backgammon-stations");
  await changeGame(page, "royal-game-of-ur", "Royal");
  await rollByHand(page, "marked plain marked 0");
  assert.deepEqual(await page.locator("#dice .die").evaluateAll((dice) => dice.map((die) => die.ariaLabel)), ["1, marked", "0, plain", "1, marked", "0, plain"]);
  await act(page);
  assert.match(await text(page), /in-2/);
  await shot(page, "ur-faces");
  await done(page);
});

test("the legend draws moves, and enemies change them", async () => {
  const page = await openGame("chess", "Chess ");
  await tab(page, "Pieces");
  const pawn = page.locator("#panel-pieces section", { has: page.locator("h3:has-text('pawn')") });
  await pawn.locator("svg").waitFor();
  assert.match(await pawn.locator("svg").getAttribute("aria-label"), /^pawn on /);
  const label = () => pawn.locator("svg").getAttribute("aria-label");
  const [, from] = /on (\w\d)/.exec(await label());
  const ahead = from[0] + (Number(from[1]) + 1);
  assert.match(await label(), new RegExp(`only moves to .*${ahead}`));
  await pawn.locator(`[data-square=${ahead}]`).click();
  await page.waitForFunction((ahead) => {
    const sections = [...document.querySelectorAll("#panel-pieces section")];
    const svg = sections.find((one) => one.querySelector("h3").textContent === "pawn").querySelector("svg");
    return !svg.getAttribute("aria-label").includes(`moves to ${ahead}`);
  }, ahead);
  // Another enemy, where the pointer is: the pawn takes it.
  const aslant = String.fromCharCode(from.charCodeAt(0) + 1) + ahead[1];
  await pawn.locator(`[data-square=${aslant}]`).hover();
  await page.waitForFunction((aslant) => {
    const sections = [...document.querySelectorAll("#panel-pieces section")];
    const svg = sections.find((one) => one.querySelector("h3").textContent === "pawn").querySelector("svg");
    return svg.getAttribute("aria-label").includes(`captures on ${aslant}`);
  }, aslant);
  await shot(page, "legend");
  await done(page);
});

test("why a piece cannot move, in words, and with the line of the script", async () => {
  const page = await open({}, hash({ variant: "dice-chess" }));
  await humansOnly(page);
  await rollByHand(page, "2 3");
  await page.click("#board [data-square=e2]");
  await page.waitForSelector("#reason >> text=/permits only moves of a knight or bishop/");
  await page.click("text=Show in the script");
  await page.waitForSelector("#panel-script:not([hidden])");
  await page.click("#reason [aria-label=Close]");
  assert.equal(await page.locator("#reason").innerText(), "");
  await page.click("#board [data-square=a1]");
  await page.waitForSelector("#reason >> text=/every path is blocked/");
  await shot(page, "why");
  await done(page);
});

test("all odds as a table, the next roll, and pieces in danger", async () => {
  const position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
  const page = await open({}, hash({ variant: "dice-chess", position }));
  await humansOnly(page);
  await tab(page, "Odds");
  await page.click("text=All possible next events");
  await page.waitForSelector("#panel-odds >> text=/pawn can move/");
  await page.check("#danger");
  // With a pawn's number on one of two dice, or a double: 16 of 36.
  await page.waitForSelector("#board [data-square=d5][data-chance='44%']");
  assert.equal(await page.locator("#board [data-chance]").count(), 1);
  await rollByHand(page, "1 6");
  await page.click("text=All possible next events");
  await page.waitForSelector("#panel-odds td >> text=exd5");
  await page.click("#board [data-square=e4]");
  await page.hover("#board [data-square=e5]");
  await page.waitForFunction(() => document.querySelectorAll("#board [data-chance]").length === 0);
  await shot(page, "odds");
  await done(page);
});

test("the rules at work, step by step, with the way to each line", async () => {
  const page = await open({}, hash({ variant: "dice-chess" }));
  await humansOnly(page);
  await rollByHand(page, "2 3");
  await tab(page, "Odds");
  await page.click("text=Trace the rules of this turn");
  const turn = page.locator("#panel-trace details", { has: page.locator("summary:has-text('turn: the player')") });
  await turn.locator("li:has-text('roll(\"2d6\")') >> .answer:text-is('[2, 3]')").waitFor();
  assert.match(await turn.innerText(), /play\(permit\(dice\)\)\s+comes next/);
  await shot(page, "walk");
  await turn.locator("button.place").first().click();
  await page.waitForSelector("#panel-script:not([hidden])");
  await done(page);
});

test("what a pawn becomes is asked beside it", async () => {
  const page = await open({}, hash({ variant: "chess", position: "8/P6k/8/8/8/8/8/K7 w - - 0 1" }));
  await humansOnly(page);
  await page.click("#board [data-square=a7]");
  await page.click("#board [data-square=a8]");
  await page.locator(".pick button").first().waitFor();
  assert.deepEqual(await page.locator(".pick button").allInnerTexts(), ["queen", "rook", "bishop", "knight"], "the strongest first");
  await shot(page, "promotion");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".pick").count(), 0);
  await page.click("#board [data-square=a7]");
  await page.click("#board [data-square=a8]");
  await page.click(".pick button:has-text('knight')");
  await page.waitForSelector("#board [aria-label='a8, white knight']");
  await done(page);
});

test("lines that were left can be gone back to", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await page.dragAndDrop("#board [data-square=e2]", "#board [data-square=e4]");
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  await page.click("#undo");
  await page.waitForSelector("#board [aria-label='e2, white pawn']");
  await page.dragAndDrop("#board [data-square=d2]", "#board [data-square=d4]");
  await page.waitForSelector("#board [aria-label='d4, white pawn']");
  await page.click("summary:has-text('Other lines (1)')");
  await page.click("#panel-game button:has-text('e4')");
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  assert.equal(await page.locator("#board [aria-label='d2, white pawn']").count(), 1);
  await page.waitForSelector("button:has-text('to 1. White d4')", { state: "attached" });
  await done(page);
});

test("the game goes on while its script is written", async () => {
  const page = await open();
  await write(page, RACE("play(any());").replace('"fW"', '"sW"'));
  await page.waitForFunction(() => document.title.startsWith("A race"));
  await tab(page, "Game");
  await humansOnly(page);
  await act(page);
  const moved = await text(page);
  await write(page, RACE("play(any());").replace('"fW"', '"sWsD"').replace("A race", "A jump"));
  await page.waitForFunction(() => document.title.startsWith("A jump"));
  assert.equal(await text(page), moved);
  // Where the moves fit no more a new game begins, and that is said.
  await write(page, RACE("play(any());").replace('"fW"', '"sD"').replace("A race", "No step"));
  await page.waitForFunction(() => document.title.startsWith("No step"));
  await page.waitForSelector("#notice >> text=/does not fit the changed script/");
  assert.equal(await count(page), 0);
  await done(page);
});

test("games are tests: made, accepted, changed, painted, random", async () => {
  const page = await open();
  await write(page, RACE('play(any());\n  if 1 > 2 { label("never"); }').replace('"fW"', '"sW"'));
  await page.waitForFunction(() => document.title.startsWith("A race"));
  await tab(page, "Game");
  await humansOnly(page);
  await act(page);
  await tab(page, "Tests");
  await page.click("text=Run all");
  await page.waitForSelector("text=There are no tests yet");
  await page.click("text=Make a test from this game");
  await page.fill("dialog input", "First steps");
  await page.click("dialog button.main");
  await page.waitForSelector("#panel-tests >> text=not accepted yet");
  await page.click("#panel-tests button:text-is('Accept')");
  await page.waitForSelector("#panel-tests li.good");
  await page.waitForSelector("text=/1 passed, 0 failed, 0 not accepted yet. The tests do not reach 1 place/");
  await shot(page, "tests");
  await tab(page, "Script");
  await page.waitForSelector("#editor .cm-unreached");
  await shot(page, "painted");
  // The game has another name now: the test stays, and shows what has changed.
  await write(page, RACE("play(any());").replace('"fW"', '"sWsD"').replace("A race", "Longer steps"));
  await page.waitForFunction(() => document.title.startsWith("Longer steps"));
  await tab(page, "Tests");
  await page.click("text=Run all");
  await page.waitForSelector("#panel-tests li.bad");
  await page.fill("#random-games", "20");
  await page.click("text=Play random games");
  await page.waitForSelector("text=/20 games: all properties hold/");
  await page.reload();
  await page.click("#views button:text-is('Play')");
  await page.waitForSelector("#board img");
  await done(page);
});

test("pictures are saved as points, and a board stands alone in another page", async () => {
  const page = await openGame("chess", "Chess ");
  await page.click("#share");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("dialog >> text=PNG")]);
  const bytes = readFileSync(await file.path());
  assert.deepEqual([...bytes.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG");
  assert.ok(bytes.readUInt32BE(16) > 800, "twice the units of the picture");
  await page.click("#share");
  await page.check("dialog label:has-text('A board for a web page') input");
  const html = await page.locator("dialog [aria-label=HTML]").inputValue();
  const [, link] = /src="([^"]*)"/.exec(html);
  await done(page);
  const alone = await open({}, link.slice(link.indexOf("#")));
  assert.equal(await alone.locator("header").isVisible(), false);
  assert.equal(await alone.locator("#side").isVisible(), false);
  await alone.dragAndDrop("#board [data-square=e2]", "#board [data-square=e4]");
  await alone.waitForSelector("#board [aria-label='e4, white pawn']");
  await done(alone);
});
