// Exact values, in a real browser: a small ending is solved and saved, tables are opened, and the board shows what they contain.
// With ASTRAGAL=program, which writes the tables. See common.mjs for what is needed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { changeGame, done, open, rollByHand, seriousFaults, shot } from "./common.mjs";
import { follow, link as hash } from "./kept.mjs";

const folder = mkdtempSync(join(tmpdir(), "values-"));
const file = join(folder, "kings.table");
const UR = { variant: "royal-game-of-ur", position: "4*3/8/4*3[Mm] f", seats: ["human", "human"] };
const KINGS = { variant: "dicechess-3", position: "8/8/8/8/8/2k5/8/K7 w - - 0 1", seats: ["human", "human"] };
const panel = "#panel-values";

const skip = !process.env.ASTRAGAL;
before(() => skip || execFileSync(process.env.ASTRAGAL, ["solve", "dicechess-3", "--material", "KvK", "--into", file], { stdio: "ignore" }));
after(() => rmSync(folder, { recursive: true }));

async function openStudy(shared = KINGS, options = {}) {
  const page = await open({ viewport: { width: 1280, height: 800 }, ...options }, hash(shared));
  await page.click("#views button[data-to=study]");
  return page;
}

const says = (page, text) => page.waitForSelector(`${panel} >> text=${text}`);
const give = (page, given = file) => page.setInputFiles("#table-file", given);
const values = (page) => page.locator("#board [data-value]").count();
const described = (page, square) => page.getAttribute(`#board [data-square=${square}]`, "aria-description");

/** A page with two kings whose values are on the board, with the king of a1 elsewhere. */
async function openColors(options) {
  const page = await openStudy(KINGS, options);
  await give(page);
  await page.check("#by-square");
  await page.focus("#board [data-square=a1]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#board [data-value]");
  return page;
}

test("an ending is solved from the board, and its exact value follows the game", async () => {
  const page = await openStudy(UR);
  assert.equal(await page.isVisible("#by-square"), false, "without a table there is nothing to show");
  await page.click(`${panel} button.main`);
  await says(page, "/^434 positions are solved\\.$/");
  await says(page, "/^First can expect \\+0\\.060 points \\(exact\\)\\.$/");
  await page.locator(panel).scrollIntoViewIfNeeded();
  await shot(page, "values-solved");
  await rollByHand(page, "1,1,1,0");
  await says(page, "/can expect [+−]0\\.(?!060)\\d+ points \\(exact\\)/");
  await page.click("#board .movable");
  await page.hover("#board .target");
  await page.waitForSelector("#panel-odds td.number >> text=/^[+−]0\\.\\d{3}$/");
  await page.click("#board .target");
  await page.waitForSelector("#status >> text=/^Second player to roll/");
  await page.check("#by-square");
  await page.click("#board [aria-label$=' man']");
  await page.waitForSelector("#board .own[data-value]");
  assert.match(await described(page, "h1"), /^value −\d\d$/);
  assert.equal(await page.locator("#board .far").count(), 1, "only the darkest color has white numbers");
  await changeGame(page, "chess", "Chess");
  await page.waitForFunction((panel) => !/\(exact\)|are solved/.test(document.querySelector(panel).innerText), panel);
  await done(page);
});

test("what was solved can be saved and opened again, and the analysis uses it", async () => {
  const page = await openStudy(UR);
  await page.click(`${panel} button.main`);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click(`${panel} button:text-is('Save table')`)]);
  assert.equal(saved.suggestedFilename(), "royal-game-of-ur.table");
  await rollByHand(page, "1,1,1,0");
  await page.click("#panel-analysis button.main");
  // Its own estimate is +2.6.
  await page.waitForSelector("#panel-analysis tr:has-text('First') >> text=+0.7");
  const other = await openStudy(UR);
  await give(other, await saved.path());
  await says(other, "/^First can expect \\+0\\.060 points \\(exact\\)\\.$/");
  await done(page);
  await done(other);
});

test("solving goes on when the engine has stopped at its time limit, from the position where it began", async () => {
  const page = await openStudy(UR);
  await page.evaluate(() => {
    const [parse, { postMessage }] = [JSON.parse, Worker.prototype];
    window.solves = [];
    // The first answer arrives as if the time were up.
    JSON.parse = (text) => parse(window.solves.length > 1 ? text : text.replace('"reached":"solved"', '"reached":"stopped"'));
    Worker.prototype.postMessage = function (message) {
      if (String(message).includes('"solve"')) window.solves.push(parse(message).params);
      return postMessage.call(this, message);
    };
  });
  await page.click(`${panel} button.main`);
  await says(page, "/^434 positions are solved\\.$/");
  const [first, second, ...more] = await page.evaluate(() => window.solves);
  assert.deepEqual([second, more], [first, []]);
  await done(page);
});

test("solving shows its progress, and can be stopped; tables from files stay", { skip }, async () => {
  const page = await openStudy();
  await give(page);
  await says(page, "/\\(exact\\)/");
  await page.click(`${panel} button.main`);
  await says(page, "/^[\\d,]+ of [\\d,]+ positions/");
  await shot(page, "values-progress");
  await page.click(`${panel} button:text-is('Stop')`);
  await says(page, "Stopped.");
  await page.waitForSelector(`${panel} button:text-is('Solve from here')`);
  await rollByHand(page, "6,6,1");
  await says(page, "White can expect +1.000 points (exact).");
  await done(page);
});

test("what cannot be solved says why", async () => {
  const page = await openStudy({ variant: "secret-dice", seats: ["human", "human"] });
  await page.click(`${panel} button.main`);
  await says(page, "/hides information from its players/");
  await done(page);
});

test("a damaged file is refused, a table of another game is kept for it, and the odds become exact", { skip }, async () => {
  const page = await openStudy({ variant: "chess" });
  const whole = readFileSync(file);
  await give(page, { name: "cut.table", mimeType: "", buffer: whole.subarray(0, 3000) });
  await page.waitForSelector("#notice >> text=/^cut.table cannot be opened: the table should have [\\d,]+ bytes/");
  await give(page, { name: "notes.txt", mimeType: "", buffer: Buffer.from("notes") });
  await page.waitForSelector("#notice >> text=/^notes.txt cannot be opened: this is not a table/");
  await shot(page, "values-refused");
  await give(page);
  await says(page, "/another game/");
  assert.equal(await page.isVisible("#by-square"), false);
  await follow(page, hash(KINGS));
  await says(page, "White can expect +0.012 points (exact).");
  await rollByHand(page, "6,6,1");
  await page.click("#board [data-square=a1]");
  await page.hover("#board [data-square=b2]");
  await page.waitForSelector("#panel-odds td.number >> text=+1.000");
  await page.locator("#panel-odds").scrollIntoViewIfNeeded();
  await shot(page, "values-odds");
  await done(page);
});

test("the board shows the values of a piece on every square, for the eye and for a screen reader", { skip }, async () => {
  const page = await openColors();
  assert.equal(await values(page), 63, "all but the square of the other king");
  assert.equal(await described(page, "b2"), "value +27");
  assert.match(await page.locator(panel).innerText(), /with the piece from a1 on each square\. Highest: b2 \(\+27\)\. Lowest: \w\d \(0\)\./);
  await shot(page, "values-board");
  assert.deepEqual(await seriousFaults(page), []);
  await page.click("#board [data-square=d4]");
  await says(page, "/'d4' is not a square with a piece/");
  await page.click("#board [data-square=c3]");
  await says(page, "/with the piece from c3/");
  await page.keyboard.press("Escape");
  assert.equal(await values(page), 0);
  assert.equal(await page.isChecked("#by-square"), false);
  assert.equal(await described(page, "b2"), "");
  await done(page);
});

test("a move removes the values from the board, and the switch stays", { skip }, async () => {
  const page = await openColors();
  await rollByHand(page, "6,6,1");
  assert.equal(await values(page), 0);
  assert.equal(await page.isChecked("#by-square"), true);
  await page.uncheck("#by-square");
  await page.click("#board [data-square=a1]");
  await page.waitForSelector("#board .target");
  await done(page);
});

test("values fit a phone in the dark theme", { skip }, async () => {
  const page = await openColors({ viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the page");
  await shot(page, "values-phone-board");
  await page.locator(panel).scrollIntoViewIfNeeded();
  await shot(page, "values-phone");
  assert.deepEqual(await seriousFaults(page), []);
  await done(page);
});
