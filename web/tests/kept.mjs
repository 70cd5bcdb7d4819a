// What the tests of kept games and of links share: how a page is left and opened again, links and files, other tabs, and what is
// stored.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { RACE, act, humansOnly, open, openGame, tab as openPanel, write } from "./common.mjs";

export const SIDEWAYS = RACE("play(any());").replace('"fW"', '"sW"');
export const link = (shared) => `#g=${deflateRawSync(JSON.stringify({ version: 1, ...shared })).toString("base64url")}`;
/** Follows a link in the page that is open. */
export const follow = (page, link) => page.evaluate((hash) => (location.hash = hash), link.slice(link.indexOf("#")));
export const titled = (page, title) => page.waitForFunction((title) => document.title.startsWith(title), title);
export const pawnOn = (page, square) => page.waitForSelector(`#board [aria-label='${square}, white pawn']`);
export const drag = (page, from, to) => page.dragAndDrop(`#board [data-square=${from}]`, `#board [data-square=${to}]`);
export const script = (page) => page.locator("#editor .cm-content").textContent();
/** Changes are stored at most this long after they were made, in milliseconds. */
export const STORED = 1000;

/** The page is loaded again; nothing may ask. */
export async function reload(page) {
  await page.reload();
  await ready(page);
}

export async function ready(page) {
  await page.waitForFunction(() => document.querySelectorAll("#variant option").length > 20);
  // A tab without a game begins with the start page, and continues the last game.
  if ((await page.evaluate(() => document.body.dataset.view)) === "start") await page.click("#views button:text-is('Play')");
  // A game is at the board, or a note says why not.
  await page.waitForFunction(() => document.querySelector("#board img") || document.querySelector("#notice").textContent !== "");
}

/** Chess at which two people have played e4. */
export async function begunChess() {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await drag(page, "e2", "e4");
  await pawnOn(page, "e4");
  return page;
}

/** A script of one's own, and a move in its game. */
export async function begunRace() {
  const page = await open();
  await write(page, SIDEWAYS);
  await titled(page, "A race");
  await openPanel(page, "Game");
  await humansOnly(page);
  await act(page);
  return page;
}

/** Another tab of the same browser. */
export async function otherTab(page, address) {
  const tab = await page.context().newPage();
  tab.setDefaultTimeout(30_000);
  await tab.goto(address ?? page.url().split("#")[0]);
  await ready(tab);
  return tab;
}

/** The entries of My games, as texts; the dialog is closed again. */
export async function myGames(page) {
  await page.click("#my-games");
  await page.waitForSelector("dialog[open]");
  const entries = await page.locator(".my-games li").allInnerTexts();
  await page.click("dialog button:text-is('Close')");
  return entries;
}

export async function openKept(page, title) {
  await page.click("#my-games");
  await page.locator(".my-games li", { hasText: title }).getByRole("button", { name: "Open", exact: true }).first().click();
}

/** Waits until a game is stored whose data contain a text. */
export async function stored(page, text) {
  const isStored = () =>
    page.evaluate(async (text) => {
      const database = await new Promise((done) => (indexedDB.open("astragal").onsuccess = (event) => done(event.target.result)));
      const all = await new Promise((done) => (database.transaction("games").objectStore("games").getAll().onsuccess = (event) => done(event.target.result)));
      database.close();
      return JSON.stringify(all).includes(text);
    }, text);
  for (const end = Date.now() + 20_000; !(await isStored()); await page.waitForTimeout(50)) assert.ok(Date.now() < end, `${text} is stored`);
}

/** The page ends, and no event tells it so. */
export async function kill(page) {
  const client = await page.context().newCDPSession(page);
  void client.send("Page.crash").catch(() => {});
  await page.waitForEvent("crash");
}

/** Saves a file with a button of the dialog, and returns its text. */
export async function saved(page, label) {
  await page.click("#share");
  const button = page.locator("#ask .files button", { has: page.locator(`strong:text-is('${label}')`) });
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}
