// Back, Forward and Reload: each entry of the tab's history has a view and a game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { START, done, humansOnly, open, write } from "./common.mjs";
import { SIDEWAYS, drag, pawnOn, stored, titled } from "./kept.mjs";

const view = (page) => page.evaluate(() => document.body.dataset.view);
const isIn = (page, name) => page.waitForFunction((name) => document.body.dataset.view === name, name);
const go = (page, name) => page.click(`#views button[data-to=${name}]`);

/** A game of chess whose card was chosen on the start page, after e4. */
async function chosenChess() {
  const page = await open({}, START);
  await page.click(".card[data-game=chess]");
  await page.waitForSelector("#board img");
  await humansOnly(page);
  await drag(page, "e2", "e4");
  await pawnOn(page, "e4");
  await stored(page, "1. e4 ");
  return page;
}

test("Back from the first game shows the start page, and Forward the game", async () => {
  const page = await chosenChess();
  await page.goBack();
  await isIn(page, "start");
  await page.waitForSelector("#kept button.kept:has-text('Chess')");
  await page.goForward();
  await isIn(page, "play");
  await pawnOn(page, "e4");
  // Also after the page was loaded again.
  await page.goBack();
  await page.reload();
  await page.waitForSelector("#kept button.kept:has-text('Chess')");
  assert.equal(await view(page), "start");
  assert.equal(await page.locator("#board img").count(), 0);
  await page.goForward();
  await isIn(page, "play");
  await pawnOn(page, "e4");
  await done(page);
});

test("a reload stays in the view, also on the start page", async () => {
  const page = await chosenChess();
  await go(page, "study");
  await page.reload();
  await pawnOn(page, "e4");
  assert.equal(await view(page), "study");
  await go(page, "start");
  await page.reload();
  await page.waitForSelector("#kept button.kept:has-text('Chess')");
  assert.equal(await view(page), "start");
  await done(page);
});

test("Back from the start page shows the game before, and workspaces are no steps", async () => {
  const page = await chosenChess();
  await go(page, "write");
  await go(page, "start");
  await page.click(".card[data-game=backgammon]");
  await titled(page, "Backgammon");
  await page.goBack();
  await isIn(page, "start");
  await page.goBack();
  await isIn(page, "write");
  await titled(page, "Chess ");
  await pawnOn(page, "e4");
  await page.goBack();
  await isIn(page, "start");
  await page.goForward();
  await page.goForward();
  await page.goForward();
  await titled(page, "Backgammon");
  await isIn(page, "play");
  await done(page);
});

test("a game that goes on from the start page has its entry too", async () => {
  const page = await chosenChess();
  await go(page, "start");
  await page.click("#kept button.kept");
  await isIn(page, "play");
  await page.goBack();
  await isIn(page, "start");
  await go(page, "write");
  await write(page, SIDEWAYS);
  await titled(page, "A race");
  await page.reload();
  await titled(page, "A race");
  assert.equal(await view(page), "write");
  await done(page);
});
