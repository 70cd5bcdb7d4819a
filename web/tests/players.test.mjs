// Trained players, in a real browser: a file is opened or dropped and plays a side, a player is trained here, and one comes with the
// page. With ASTRAGAL=program, which writes the files. See common.mjs for what is needed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { changeGame, done, humansOnly, open, openGame, seriousFaults, shot } from "./common.mjs";
import { link as hash, reload, stored } from "./kept.mjs";

const UR = "royal-game-of-ur";
const folder = mkdtempSync(join(tmpdir(), "players-"));
const file = join(folder, "ur.learned");
const panel = "#panel-training";

const skip = !process.env.ASTRAGAL;
before(() => skip || execFileSync(process.env.ASTRAGAL, ["train", UR, "--games", "200", "--probe", "0", "--seed", "1", "--into", file], { stdio: "ignore" }));
after(() => rmSync(folder, { recursive: true }));

const give = (page, given = file) => page.setInputFiles("#file", given);
const says = (page, words) => page.waitForSelector(`#notice >> text=${words}`);
const offered = (page) => page.locator("#seat-1 option").allInnerTexts();
const openUr = (options) => open({ viewport: { width: 1280, height: 800 }, ...options }, hash({ variant: UR, seats: ["human", "human"] }));
const study = (page) => page.click("#views button[data-to=study]");
/** Keeps the requests of all engines that contain a text. */
const listen = (page, part) =>
  page.evaluate((part) => {
    const { postMessage } = Worker.prototype;
    window.asked = [];
    Worker.prototype.postMessage = function (message) {
      if (String(message).includes(part)) window.asked.push(JSON.parse(message).params);
      return postMessage.call(this, message);
    };
  }, part);

test("a trained player from a file plays a side, and is still there after a reload", { skip }, async () => {
  const page = await openUr();
  assert.ok(!(await offered(page)).includes("Trained player"), "nothing is offered without a file");
  await give(page);
  await says(page, "ur.learned is a trained player for this game.");
  assert.deepEqual((await offered(page)).slice(-2), ["Trained player", "Trained player, two turns ahead"]);
  await shot(page, "players-opened");
  await page.click("#notice button:text-is('Play against it')");
  assert.equal(await page.inputValue("#seat-0"), "human");
  assert.equal(await page.inputValue("#seat-1"), "learned");
  await stored(page, '"learned"');
  await reload(page);
  await page.waitForFunction(() => document.querySelectorAll("#seat-1 option").length > 7);
  assert.equal(await page.inputValue("#seat-1"), "learned");
  await listen(page, '"hint"');
  await page.selectOption("#seat-0", "learned:2");
  await page.waitForFunction(() => new Set(window.asked.map((one) => one.player)).size === 2);
  await page.waitForFunction(() => document.querySelectorAll(".turns li").length > 1);
  await study(page);
  await listen(page, '"analyse"');
  await page.check("#trained");
  await page.click("#panel-analysis button.main");
  await page.waitForSelector("#panel-analysis table");
  assert.equal(await page.evaluate(() => window.asked[0].learned), true);
  await changeGame(page, "chess", "Chess ");
  await page.waitForSelector("#trained", { state: "hidden" });
  await done(page);
});

test("files of other games and damaged ones are refused in words, also when they are dropped", { skip }, async () => {
  const page = await openGame("einstein", "EinStein");
  await give(page);
  await says(page, "ur.learned cannot be opened: the file is for 'royal-game-of-ur', not for 'einstein'.");
  await shot(page, "players-refused");
  await give(page, { name: "cut.learned", mimeType: "", buffer: readFileSync(file).subarray(0, 3000) });
  await says(page, "/^cut.learned cannot be opened: the file is damaged/");
  assert.ok(!(await offered(page)).includes("Trained player"));
  const dropped = await page.evaluateHandle((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(bytes)], "dropped.learned"));
    return data;
  }, [...readFileSync(file)]);
  await page.dispatchEvent("#board", "drop", { dataTransfer: dropped });
  await says(page, "/^dropped.learned cannot be opened: the file is for/");
  await changeGame(page, UR, "Royal Game of Ur");
  await page.dispatchEvent("#board", "drop", { dataTransfer: dropped });
  await says(page, "dropped.learned is a trained player for this game.");
  // The player of one game is not offered for another.
  await changeGame(page, "einstein", "EinStein");
  assert.ok(!(await offered(page)).includes("Trained player"));
  await changeGame(page, UR, "Royal Game of Ur");
  await page.waitForFunction(() => document.querySelectorAll("#seat-1 option").length > 7);
  await done(page);
});

test("a player is trained in Study, plays in the lab, and is kept when the training stops", async () => {
  const page = await openUr();
  await study(page);
  await page.click(`${panel} button:text-is('Train')`);
  await page.waitForSelector(`${panel} >> text=/^It has learned from [\\d,]+ games\\. From one estimate to the next, its winning chance changes by \\d+\\.\\d% on average\\./`);
  await page.locator(panel).scrollIntoViewIfNeeded();
  await shot(page, "players-training");
  await page.click(`${panel} button:text-is('Stop')`);
  await page.waitForSelector(`${panel} button:text-is('Train')`);
  const games = async () => Number(/from ([\d,]+) games/.exec(await page.locator(panel).innerText())[1].replace(",", ""));
  const first = await games();
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click(`${panel} button:text-is('Save file')`)]);
  assert.equal(saved.suggestedFilename(), "royal-game-of-ur.learned");
  await shot(page, "players-trained");
  assert.deepEqual(await seriousFaults(page), []);
  await page.selectOption("#lab-player-0", "learned");
  await page.fill("#lab-games", "20");
  await page.click("#panel-lab button.main");
  await page.waitForSelector("#panel-lab table");
  assert.match(await page.locator("#panel-lab pre").textContent(), /"players": \[\s+"learned",\s+"random"/);
  await reload(page);
  await page.waitForSelector(`${panel} button:text-is('Play against it')`);
  await page.click(`${panel} button:text-is('Train')`);
  await page.waitForSelector(`${panel} >> text=/^It has learned from/`);
  await page.click(`${panel} button:text-is('Stop')`);
  assert.ok((await games()) > first, "the training continues where it ended");
  await page.click(`${panel} button:text-is('Play against it')`);
  assert.equal(await page.inputValue("#seat-1"), "learned");
  assert.equal(await page.evaluate(() => document.body.dataset.view), "play");
  await done(page);
});

test("what cannot be trained says why", async () => {
  const page = await open({}, hash({ variant: "ghosts", seats: ["human", "human"] }));
  await study(page);
  await page.click(`${panel} button:text-is('Train')`);
  await page.waitForSelector(`${panel} >> text=/hides information from its players/`);
  await done(page);
});

test("the trained player that comes with a game is fetched when it is chosen", { skip }, async () => {
  // Otherwise, its cache would answer.
  const page = await openUr({ serviceWorkers: "block" });
  const fetched = [];
  await page.route("**/games.json", async (route) => {
    const cards = await (await route.fetch()).json();
    await route.fulfill({ json: { ...cards, games: cards.games.map((one) => (one.name === UR ? { ...one, trained: true } : one)) } });
  });
  await page.route("**/players/*.learned", (route) => {
    fetched.push(new URL(route.request().url()).pathname.split("/").slice(-2).join("/"));
    return route.fulfill({ body: readFileSync(file) });
  });
  await reload(page);
  await humansOnly(page);
  assert.deepEqual((await offered(page)).slice(-2), ["Trained player", "Trained player, two turns ahead"]);
  assert.deepEqual(fetched, []);
  // Either side may be to move: a roll of 0 ends the turn of the first.
  for (const seat of ["#seat-0", "#seat-1"]) await page.selectOption(seat, "learned");
  await page.waitForFunction(() => document.querySelectorAll(".turns li").length > 2);
  assert.deepEqual(fetched, [`players/${UR}.learned`]);
  await done(page);
});

test("without its player, a game waits and says what to do", async () => {
  const page = await open({}, hash({ variant: UR, seats: ["learned", "human"] }));
  await says(page, "There is no trained player for these rules. Open the file of a trained player, or train one in Study.");
  assert.equal(await page.inputValue("#seat-0"), "learned");
  await page.selectOption("#seat-0", "1");
  await page.waitForFunction(() => /Second/.test(document.querySelector("#status").textContent));
  await done(page);
});

test("training fits a phone in the dark theme", { skip }, async () => {
  const page = await openUr({ viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true });
  await give(page);
  await says(page, "ur.learned is a trained player for this game.");
  await page.click("#notice button[aria-label=Close]");
  await page.locator("#seat-1").scrollIntoViewIfNeeded();
  await shot(page, "players-phone-seats");
  await study(page);
  await page.locator(panel).scrollIntoViewIfNeeded();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the page");
  await shot(page, "players-phone");
  assert.deepEqual(await seriousFaults(page), []);
  await done(page);
});
