// Study, in a real browser: the analysis of a game, and games of the computer against itself, as charts that are read by
// pointer, keyboard and screen reader. See common.mjs for what is needed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { act, changeGame, done, open, seriousFaults, shot, tab } from "./common.mjs";
import { follow, link as hash } from "./kept.mjs";

/** A short game in which White leaves its queen to be captured. */
const GAME = [
  '[Variant "dice-chess"]',
  "",
  "1. {[%roll 1,1]} e4 {[%roll 1,2]} e5 2. {[%roll 5,5]} Qh5 {[%roll 2,2]} Nf6 3. {[%roll 1,1]} d3 {[%roll 2,2]} Nxh5 *",
].join("\n");

async function openStudy(record = GAME, options = {}) {
  const page = await open({ viewport: { width: 1280, height: 800 }, ...options }, hash({ variant: "dice-chess", record, seats: ["human", "human"] }));
  await page.click("#views button[data-to=study]");
  return page;
}

async function analyze(page, depth = "1") {
  await page.selectOption("#depth", depth);
  await page.click("#panel-analysis button.main");
  await page.waitForSelector("#panel-analysis .plot");
}

const curve = "#panel-analysis .plot";
const read = (page) => page.getAttribute(curve, "aria-valuetext");
const onBoard = (page, square) => page.getAttribute(`#board [data-square=${square}]`, "aria-label");

test("a game is analyzed: its curve is read by pointer and keys, and leads to each turn", async () => {
  const page = await openStudy();
  await analyze(page, "2");
  await shot(page, "study-analysis");
  await page.focus(curve);
  await page.keyboard.press("End");
  assert.match(await read(page), /^3\. Black \[2,2\] Nxh5: White's winning chance \d+%, luck [+−]/);
  assert.equal(await page.locator("#panel-analysis .plot-said").innerText(), await read(page));
  await page.keyboard.press("Home");
  assert.match(await read(page), /^The start: White's winning chance/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#board [aria-label='e5, empty']");
  assert.equal(await onBoard(page, "e4"), "e4, white pawn");
  const box = await page.locator(curve).boundingBox();
  await page.mouse.move(box.x + box.width - 2, box.y + 20);
  await page.waitForFunction((curve) => /^3\. Black/.test(document.querySelector(curve).ariaValueText), curve);
  await page.mouse.click(box.x + box.width - 2, box.y + 20);
  await page.waitForSelector("#board [aria-label='h5, black knight']");
  await done(page);
});

test("the worst decision leads to its position, and the analysis stays while another move is tried there", async () => {
  const page = await openStudy();
  await analyze(page, "2");
  const worst = page.locator("#panel-analysis section", { has: page.locator("h3:text-is('Worst decisions')") });
  const first = worst.getByRole("button").first();
  assert.match(await first.innerText(), /^3\. White\s+d3 cost \d+\.\d; better: \S+$/);
  await first.click();
  await page.waitForSelector("#board [aria-label='d2, white pawn']");
  await page.waitForFunction(() => /White to move/.test(document.querySelector("#status").innerText));
  await page.click("#board [data-square=a2]");
  await page.click("#board [data-square=a3]");
  await page.waitForSelector("#board [aria-label='a3, white pawn']");
  await page.locator(curve).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#board [aria-label='h5, black knight']");
  assert.equal(await onBoard(page, "a2"), "a2, white pawn");
  await page.click("#new");
  await page.waitForFunction((curve) => !document.querySelector(curve), curve);
  await done(page);
});

test("an analysis ends with the rules that it was made for", async () => {
  const page = await openStudy();
  await analyze(page);
  // The same turns are possible with another option.
  await page.click("#views button[data-to=play]");
  await follow(page, hash({ variant: "dice-chess", record: GAME.replace("\n", '\n[Options "promotion=die"]\n'), options: { promotion: "die" }, seats: ["human", "human"] }));
  await page.waitForFunction((curve) => !document.querySelector(curve), curve);
  await done(page);
});

test("an analysis can be stopped, and refusals are said in words", async () => {
  const page = await openStudy();
  await page.selectOption("#depth", "3");
  await page.click("#panel-analysis button.main");
  await page.waitForSelector("#panel-analysis progress");
  await page.click("#panel-analysis button:text-is('Stop')");
  await page.waitForSelector("#panel-analysis >> text=Stopped.");
  await page.waitForSelector("#panel-analysis button:text-is('Analyze this game')");
  await page.click("#new");
  await page.waitForSelector("#board [aria-label='e2, white pawn']");
  await page.click("#panel-analysis button.main");
  await page.waitForSelector("#panel-analysis >> text=play some turns first");
  await done(page);
});

test("a game of a script that the user wrote is analyzed with its options", async () => {
  const text = 'title("Steps");\nboard(3, 4);\nconst N = option("n", ["few", "many"], "How many.");\npiece("man", "M", "fWF");\nsetup("mmm/3/3/MMM w");\nfn turn() { roll("1d6"); play(any()); }\n';
  const page = await open({ viewport: { width: 1280, height: 800 } }, hash({ text, options: { n: "many" }, seats: ["human", "human"] }));
  for (let turn = 0; turn < 4; turn++) await act(page);
  await page.click("#views button[data-to=study]");
  await analyze(page);
  assert.match(await page.locator("#panel-analysis table").innerText(), /White\s+±0\.0/, "dice without a meaning give no luck");
  await done(page);
});

test("the lab shows results, lengths and reasons as bars, with players for each side", async () => {
  const page = await open({ viewport: { width: 1280, height: 800 } });
  await tab(page, "Lab");
  assert.deepEqual(await page.locator("#panel-lab label").allInnerTexts(), ["Games", "White", "Black"]);
  await page.selectOption("#lab-player-0", "computer:1");
  assert.equal(await page.inputValue("#lab-games"), "100", "slow players play fewer games");
  await page.fill("#lab-games", "20");
  await page.click("#panel-lab button.main");
  await page.waitForSelector("#panel-lab table");
  const rows = (head) => page.locator("#panel-lab table", { has: page.locator(`th:text-is('${head}')`) }).locator("tbody tr").allInnerTexts();
  assert.match((await rows("Result"))[0], /^White wins\s+(9\d|100)\.\d%/, "the computer beats random moves");
  assert.match((await rows("Length"))[0], /^Turns\s+\d+\s+\d+ to \d+\s+\d+/);
  assert.ok((await rows("Reason")).length > 0);
  assert.equal(await page.locator("#panel-lab td.bars path").first().evaluate((line) => line.getBoundingClientRect().width > 2), true);
  assert.match(await page.locator("#panel-lab pre").textContent(), /"players": \[\s+"computer:1",\s+"random"/);
  await page.locator("#panel-lab").evaluate((panel) => panel.scrollIntoView());
  await shot(page, "study-lab");
  assert.deepEqual(await seriousFaults(page), []);
  await changeGame(page, "babylonian", "Babylonian");
  assert.equal(await page.locator("#panel-lab table").count(), 0, "results belong to their rules");
  assert.equal(await page.inputValue("#lab-player-0"), "computer:1");
  await done(page);
});

test("the lengths of games are a histogram, and luck is measured between computers", async () => {
  const page = await open({ viewport: { width: 1280, height: 800 } });
  await tab(page, "Lab");
  for (const side of [0, 1]) await page.selectOption(`#lab-player-${side}`, "computer:1");
  await page.fill("#lab-games", "30");
  await page.click("#panel-lab button.main");
  await page.waitForSelector("#panel-lab .plot-column");
  const chart = page.locator("#panel-lab .plot");
  const report = JSON.parse(await page.locator("#panel-lab pre").textContent());
  const { width, ranges } = report.length.turns.histogram;
  assert.equal(ranges.reduce((sum, [, count]) => sum + count, 0), 30);
  assert.equal(await page.locator("#panel-lab .plot-column").count(), ranges.length);
  await chart.focus();
  await page.keyboard.press("End");
  const [least, count] = ranges.at(-1);
  const range = width === 1 ? `${least}` : `${least} to ${least + width - 1}`;
  assert.ok((await chart.getAttribute("aria-valuetext")).startsWith(`${range} turns: ${count} game`));
  assert.match(await page.locator("#panel-lab").innerText(), /Results that the dice explain\s+\d+\.\d%/);
  await chart.scrollIntoViewIfNeeded();
  await shot(page, "study-histogram");
  await done(page);
});

test("a game of more than two sides is analyzed, and one with secrets is refused", async () => {
  const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true }, hash({ variant: "chaturaji", seats: ["human", "human", "human", "human"] }));
  for (let turn = 0; turn < 5; turn++) await act(page);
  await page.click("#views button[data-to=study]");
  await analyze(page);
  assert.equal(await page.locator("#panel-analysis table tbody tr").count(), 4);
  assert.match(await page.locator("#panel-analysis").innerText(), /All values compare \S+ with the other sides together/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the page");
  assert.deepEqual(await seriousFaults(page), []);
  await page.locator("#panel-analysis").scrollIntoViewIfNeeded();
  await shot(page, "study-phone");
  await changeGame(page, "secret-dice", "Secret");
  await page.click("#panel-analysis button.main");
  await page.waitForSelector("#panel-analysis >> text=/secrets cannot be analyzed/");
  await done(page);
});
