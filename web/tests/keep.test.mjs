// What the browser keeps: games, scripts, answers, players and tests outlive the page, whatever the user does to it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { act, done, humansOnly, open, openGame, seriousFaults, shot, tab as openPanel, text, write } from "./common.mjs";
import { SIDEWAYS, STORED, begunChess, begunRace, drag, kill, link, myGames, openKept, otherTab, pawnOn, ready, reload, script, titled } from "./kept.mjs";

test("undo in the editor never brings back another script", async () => {
  const page = await openGame("xiangqi", "Xiangqi");
  await openPanel(page, "Script");
  await page.locator("#editor .cm-content").click();
  for (let times = 0; times < 3; times++) await page.keyboard.press("Control+Z");
  await page.waitForTimeout(1500);
  assert.match(await page.title(), /^Xiangqi/);
  assert.match(await script(page), /Xiangqi/);
  await done(page);
});

test("a game goes on after a reload, with its players, lines and dice", async () => {
  const page = await begunChess();
  await page.click("#undo");
  await pawnOn(page, "e2");
  await drag(page, "d2", "d4");
  await pawnOn(page, "d4");
  await page.click("#flip");
  const moved = await text(page);
  await reload(page);
  await titled(page, "Chess ");
  await pawnOn(page, "d4");
  assert.equal(await text(page), moved);
  assert.equal(await page.locator("#seat-1").inputValue(), "human");
  assert.equal(await page.locator("#flip").getAttribute("aria-pressed"), "true");
  await page.click("summary:has-text('Other lines (1)')");
  await page.click("#panel-game button:has-text('e4')");
  await pawnOn(page, "e4");
  await page.click("#undo");
  await pawnOn(page, "e2");
  await reload(page);
  await page.click("#redo");
  await pawnOn(page, "e4");
  await done(page);
});

test("a tab that is killed loses nothing older than a second", async () => {
  const page = await begunChess();
  await page.waitForTimeout(STORED);
  await kill(page);
  const tab = await otherTab(page, page.url());
  await pawnOn(tab, "e4");
  await done(page);
});

test("a script with mistakes is kept as it is typed, and is in My games when another game is chosen", async () => {
  const page = await open();
  await write(page, SIDEWAYS.replace("board(5", "baord(5"));
  await page.waitForTimeout(STORED);
  await reload(page);
  await openPanel(page, "Script");
  await page.waitForFunction(() => document.querySelector("#editor").shadowRoot.textContent.includes("baord(5"));
  await page.selectOption("#variant", "chess");
  await titled(page, "Chess ");
  assert.ok((await myGames(page)).some((entry) => /unfinished script/.test(entry)));
  await page.click("#notice button:text-is('Go back to it')");
  await page.waitForFunction(() => document.querySelector("#editor").shadowRoot.textContent.includes("baord(5"));
  await done(page);
});

test("a script that was typed just before a reload is played after it", async () => {
  const page = await open();
  await write(page, SIDEWAYS);
  await reload(page);
  await titled(page, "A race");
  await page.waitForSelector("#board [data-square=e1]");
  assert.equal(await page.locator("#notice").innerText(), "");
  await done(page);
});

test("a script that is played is kept, and its game", async () => {
  const page = await begunRace();
  const moved = await text(page);
  await reload(page);
  await titled(page, "A race");
  assert.equal(await text(page), moved);
  await openPanel(page, "Script");
  assert.match(await script(page), /A race/);
  await page.selectOption("#variant", "chess");
  await titled(page, "Chess ");
  await openKept(page, "A race");
  await titled(page, "A race");
  assert.equal(await text(page), moved);
  await done(page);
});

test("answers in the wizard are kept", async () => {
  const page = await open();
  await page.click("#wizard-open");
  await page.fill("#wizard-title", "Thunder");
  await page.click(".wizard-nav button:has-text('Pieces')");
  await page.click("[data-known='rook']");
  await page.waitForTimeout(STORED);
  await reload(page);
  await page.click("#wizard-open");
  await page.waitForSelector(".wizard-card:has-text('Rook'), .wizard-card input[value=rook], .wizard-card");
  await page.click(".wizard-nav button:has-text('Board')");
  assert.equal(await page.locator("#wizard-title").inputValue(), "Thunder");
  await done(page);
});

test("Back and Forward lead to the games as they were left, and a link in between is followed", async () => {
  const page = await begunChess();
  const start = page.url();
  await page.evaluate((hash) => (location.hash = hash), link({ text: SIDEWAYS }));
  await titled(page, "A race");
  await humansOnly(page);
  await act(page);
  const moved = await text(page);
  await page.goBack();
  await titled(page, "Chess ");
  await pawnOn(page, "e4");
  assert.equal(page.url(), start);
  await page.goForward();
  await titled(page, "A race");
  assert.equal(await text(page), moved);
  // A reload does not begin the link's game again.
  await reload(page);
  await titled(page, "A race");
  assert.equal(await text(page), moved);
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  assert.equal(new URL(page.url()).hash, "", "the link belongs to the other game");
  await page.goBack();
  await titled(page, "A race");
  await page.goBack();
  await pawnOn(page, "e4");
  const entries = await myGames(page);
  assert.equal(entries.length, 2, entries.join());
  await done(page);
});

test("games that are left are in My games: opened again, and removed", async () => {
  const page = await begunChess();
  await page.click("#new");
  await page.waitForSelector("#notice:has-text('My games')");
  await page.waitForSelector("#board [aria-label='e4, empty']");
  await page.click("#notice button:text-is('Go back to it')");
  await pawnOn(page, "e4");
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  const [entry, ...others] = await myGames(page);
  assert.match(entry, /Chess.*1 turn/s);
  assert.deepEqual(others, []);
  await page.click("#my-games");
  await page.waitForSelector(".my-games img");
  await shot(page, "my-games");
  assert.deepEqual(await seriousFaults(page), []);
  await page.click("dialog button:text-is('Close')");
  await openKept(page, "Chess");
  await titled(page, "Chess ");
  await pawnOn(page, "e4");
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  await page.click("#my-games");
  await page.click(".my-games button:text-is('Remove')");
  await page.click("dialog button:text-is('Remove')");
  await page.waitForSelector("dialog:has-text('appear here')");
  await page.click("dialog button:text-is('Close')");
  await done(page);
});

test("two tabs have games of their own, and a copy of a tab becomes another game", async () => {
  const page = await begunChess();
  await page.waitForTimeout(STORED);
  const tab = await otherTab(page);
  await pawnOn(tab, "e4");
  // Both continue the game.
  await drag(tab, "e7", "e5");
  await tab.waitForSelector("#board [aria-label='e5, black pawn']");
  await tab.waitForTimeout(STORED);
  await drag(page, "d7", "d5");
  await page.waitForSelector("#board [aria-label='d5, black pawn']");
  await page.waitForTimeout(STORED);
  await reload(tab);
  await tab.waitForSelector("#board [aria-label='e5, black pawn']");
  await reload(page);
  await page.waitForSelector("#board [aria-label='d5, black pawn']");
  assert.equal((await myGames(page)).length, 2);
  await tab.selectOption("#variant", "dice-chess");
  await titled(tab, "Dice Chess");
  await reload(page);
  await titled(page, "Chess ");
  await done(page);
});

test("a link carries who plays, and players belong to their game", async () => {
  const page = await begunChess();
  await page.click("#share");
  const address = await page.locator("dialog [aria-label=Link]").inputValue();
  await page.click("dialog button:text-is('Close')");
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  assert.equal(await page.locator("#seat-1").inputValue(), "2", "chess alone is for two people");
  await page.selectOption("#variant", "chess");
  await titled(page, "Chess ");
  assert.equal(await page.locator("#seat-1").inputValue(), "human");
  await done(page);
  const other = await open({}, address.slice(address.indexOf("#")));
  await pawnOn(other, "e4");
  assert.equal(await other.locator("#seat-1").inputValue(), "human");
  await done(other);
});

test("a link with a script that has mistakes opens it in the editor, where it is mended", async () => {
  const page = await (await open()).context().newPage();
  page.setDefaultTimeout(30_000);
  const [first] = page.context().pages();
  await page.goto(first.url() + link({ text: SIDEWAYS.replace("board(5", "baord(5") }));
  await page.waitForSelector("#panel-script:visible");
  await page.waitForSelector("#notice:has-text('cannot be played yet')");
  await page.waitForSelector(".problems li.error");
  await page.waitForFunction(() => /cannot be played yet/.test(document.querySelector("#status").innerText));
  assert.equal(await page.locator("#board").isVisible(), false);
  assert.match(await script(page), /baord/);
  await shot(page, "broken-link");
  await ready(page);
  await write(page, SIDEWAYS);
  await titled(page, "A race");
  await page.waitForSelector("#board img");
  await page.context().close();
});

test("a kept game that its rules no longer allow stays as it is, and a new game begins", async () => {
  const page = await begunChess();
  await page.waitForTimeout(STORED);
  await page.evaluate(async () => {
    const database = await new Promise((done) => (indexedDB.open("astragal").onsuccess = (event) => done(event.target.result)));
    const games = database.transaction("games", "readwrite").objectStore("games");
    const all = await new Promise((done) => (games.getAll().onsuccess = (event) => done(event.target.result)));
    for (const game of all) games.put({ ...game, state: { ...game.state, record: game.state.record.replace("e4", "e5") } }, game.id);
    await new Promise((done) => (games.transaction.oncomplete = done));
  });
  await reload(page);
  await titled(page, "Chess ");
  await page.waitForSelector("#notice:has-text('a new game has started')");
  await page.waitForSelector("#board [aria-label='e2, white pawn']");
  assert.equal((await myGames(page)).length, 1);
  await done(page);
});

test("tests that an earlier page has kept are still there", async () => {
  const page = await begunChess();
  await page.evaluate(() => {
    const title = document.body.dataset.title;
    localStorage.setItem(`tests of ${title}`, JSON.stringify([{ name: "Old one", text: "title: Old one\nvariant: chess\n\ne2e4\n", accepted: "" }]));
  });
  await reload(page);
  await openPanel(page, "Tests");
  await page.waitForSelector("#panel-tests li:has-text('Old one')");
  await reload(page);
  await openPanel(page, "Tests");
  await page.waitForSelector("#panel-tests li:has-text('Old one')");
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("tests of")).length), 0);
  await done(page);
});

test("a game with secrets goes on after a reload, and does not show them to the next player", async () => {
  const page = await openGame("bidding-chess", "Bidding");
  await humansOnly(page);
  await page.getByLabel("Your number").fill("3");
  await page.click("#choices button:text-is('Choose')");
  await page.click("#choices button:has-text('Hand over')");
  await page.waitForTimeout(STORED);
  await reload(page);
  await page.waitForSelector("#choices button:has-text('I am')");
  assert.equal(await page.locator("#board").isVisible(), false);
  await page.click("#choices button:has-text('I am')");
  await page.getByLabel("Your number").waitFor();
  assert.doesNotMatch(await text(page), /\b3\b/);
  await done(page);
});

test("a game keeps its moves while its script is typed quickly", async () => {
  const page = await begunRace();
  const moved = await text(page);
  await openPanel(page, "Script");
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+End");
  // Each pause lets a check begin while the game before it may still be loading.
  for (const word of ["// one\n", "// two\n", "// three\n", "// four\n"]) {
    await page.keyboard.insertText(word);
    await page.waitForTimeout(430);
  }
  await page.waitForTimeout(STORED);
  assert.equal(await text(page), moved);
  assert.match(await script(page), /four/);
  await reload(page);
  assert.equal(await text(page), moved);
  await done(page);
});

test("the latest hundred games are kept, and every one's scripts apart from them", async () => {
  const page = await begunChess();
  await page.waitForTimeout(STORED);
  const stored = (change) =>
    page.evaluate(async (change) => {
      const database = await new Promise((done) => (indexedDB.open("astragal").onsuccess = (event) => done(event.target.result)));
      const games = database.transaction("games", "readwrite").objectStore("games");
      const all = await new Promise((done) => (games.getAll().onsuccess = (event) => done(event.target.result)));
      if (!change) return all.map((game) => game.id);
      for (let age = 1; age <= 120; age++) games.put({ ...all[0], id: `old-${age}`, time: Date.now() - age * 1000 }, `old-${age}`);
      games.put({ ...all[0], id: "own", time: 1, script: { variant: "own.rhai", text: "title(\"Mine\");" } }, "own");
      games.put({ ...all[0], id: "unplayed", time: 1, hasDecisions: false }, "unplayed");
      await new Promise((done) => (games.transaction.oncomplete = done));
    }, change);
  await stored(true);
  await reload(page);
  let ids = await stored(false);
  for (const end = Date.now() + 20_000; ids.length > 102 && Date.now() < end; ids = await stored(false)) await page.waitForTimeout(50);
  assert.equal(ids.length, 102, ids.join());
  assert.ok(ids.includes("old-100") && !ids.includes("old-101") && ids.includes("own") && !ids.includes("unplayed"));
  await done(page);
});
