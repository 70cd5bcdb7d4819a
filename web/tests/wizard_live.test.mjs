// The wizard's starting points, its board that can be played at every step, and the way back from a changed script, in a real
// browser. See common.mjs for what is needed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RACE, done, open, seriousFaults, shot, tab, write } from "./common.mjs";

const LIVE = "#wizard .wizard-live";
const step = (page, name) => page.click(`.wizard-nav button:has-text('${name}')`);
const awaits = (page, words) => page.waitForFunction(([live, words]) => new RegExp(words).test(document.querySelector(`${live} .wizard-awaited`).innerText), [LIVE, words]);

async function openWizard(options = { viewport: { width: 1280, height: 800 } }) {
  const page = await open(options);
  if (await page.locator("#menu").isVisible()) await page.click("#menu");
  await page.click("#wizard-open");
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll(".wizard-starts .card img")];
    return images.length === 4 && images.every((image) => image.src);
  });
  return page;
}

/** Makes one decision of the user on the wizard's board. */
async function move(page) {
  const roll = page.locator(LIVE).getByRole("button", { name: "Roll", exact: true });
  if (await roll.isVisible()) {
    // The button stays until the engine has answered: only another one asks for another roll.
    await roll.evaluate((button) => (button.dataset.used = "yes"));
    await roll.click();
  }
  await page.waitForFunction((live) => document.querySelector(`${live} [aria-description='can move']`) || document.querySelector(`${live} .main:not([data-used])`), LIVE);
  if (await roll.isVisible()) return move(page);
  await page.locator(`${LIVE} [aria-description='can move']`).first().click();
  await page.locator(`${LIVE} .target`).first().click();
}

test("four starting points have pictures, and each plays at once", async () => {
  const page = await openWizard();
  await shot(page, "wizard-starts");
  assert.equal(await page.locator(".wizard-starts .card").count(), 4);
  await awaits(page, "A game needs pieces");
  for (const [index, name] of ["A chess game with dice", "A race", "A war for territory"].entries()) {
    await page.click(`[data-start='${name}']`);
    await page.waitForSelector(`${LIVE}[aria-busy=false] .square[data-square=a1]`);
    await awaits(page, "^White to (roll|move)");
    await move(page);
    if (index === 0) await shot(page, "wizard-live");
    // A lost roll gives the turn to the computer, too.
    await page.waitForFunction((live) => /^(Black|White): /.test(document.querySelector(`${live} > .note`).innerText), LIVE);
  }
  assert.equal(await page.inputValue("#wizard-title"), "My war");
  await done(page);
});

test("the board can be played at every step, begins again after a change, and says why a game cannot be played", async () => {
  const page = await openWizard();
  await page.click("[data-start='A race']");
  await page.waitForSelector(`${LIVE} .square[data-square=f8]`);
  await page.fill("#wizard-ranks", "9");
  await page.waitForSelector(`${LIVE} .square[data-square=f9]`);
  for (const name of ["Pieces", "Starting position", "Dice", "Captures", "End", "Script"]) {
    await step(page, name);
    await awaits(page, "^White to roll");
    assert.ok(await page.locator(`${LIVE} .square[data-square=f9]`).isVisible(), name);
    await shot(page, `wizard-live-${name.toLowerCase()}`);
  }
  await step(page, "Dice");
  await page.selectOption("#wizard-dice", "0");
  await awaits(page, "^White to move");
  await move(page);
  await page.waitForSelector(`${LIVE} button:text-is('Restart')`);
  await step(page, "End");
  await page.selectOption("#wizard-aim-piece", "");
  await awaits(page, "Choose the piece that must reach the far rank");
  assert.equal(await page.locator(`${LIVE} .square`).count(), 0);
  await page.selectOption("#wizard-aim-piece", { label: "runner" });
  await awaits(page, "^White to move");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#wizard", { state: "hidden" });
  // A closed wizard plays no game. A dialog is hidden before its event "close" comes.
  await page.locator(`${LIVE} .square`).first().waitFor({ state: "detached" });
  await done(page);
});

test("a second click on Roll before the answer changes nothing", async () => {
  const page = await openWizard();
  await page.click("[data-start='A race']");
  await awaits(page, "^White to roll");
  await page.locator(LIVE).getByRole("button", { name: "Roll", exact: true }).evaluate((button) => (button.click(), button.click()));
  await page.waitForFunction((live) => document.querySelector(`${live} > .note`).innerText.includes("["), LIVE);
  await awaits(page, "^(White|Black) to (roll|move)");
  await done(page);
});

test("a closed wizard ends its engines, and pieces are letters if the user has chosen letters", async () => {
  const page = await open({ viewport: { width: 1280, height: 800 } });
  await tab(page, "Looks");
  await page.selectOption("#look-pieces", "letters");
  await page.waitForFunction(() => decodeURIComponent(document.querySelector("#board img").src).includes(">K</text>"));
  await page.click("#wizard-open");
  await page.click("[data-start='A chess game with dice']");
  await awaits(page, "^White to roll");
  for (const picture of [`${LIVE} .wizard-board img`, ".wizard-starts img"]) {
    assert.match(decodeURIComponent(await page.locator(picture).first().getAttribute("src")), />K<\/text>/);
  }
  // One draws the pieces, and one plays.
  const two = new Promise((ended) => {
    let count = 0;
    for (const worker of page.workers()) worker.on("close", () => ++count === 2 && ended());
  });
  await page.keyboard.press("Escape");
  await two;
  await done(page);
});

test("starting points do not replace answers without a word", async () => {
  const page = await openWizard();
  await page.click("[data-start='A race']");
  await page.fill("#wizard-title", "My own race");
  await page.click("[data-start='An empty board']");
  await page.waitForSelector("#ask >> text=Your answers will be replaced.");
  await page.click("#ask button:text-is('Cancel')");
  assert.equal(await page.inputValue("#wizard-title"), "My own race");
  await page.click("[data-start='An empty board']");
  await page.click("#ask button:text-is('An empty board')");
  await page.waitForFunction(() => document.querySelector("#wizard-title").value === "My game");
  await done(page);
});

test("the wizard's board has room and no serious faults on a dark phone", async () => {
  const page = await openWizard({ viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true });
  await page.tap("[data-start='A war for territory']");
  await page.waitForSelector(`${LIVE} .square[data-square=a1]`);
  for (const name of ["Board", "Pieces", "Starting position", "End"]) {
    await step(page, name);
    await awaits(page, "^White to move");
    assert.deepEqual(await seriousFaults(page), [], name);
    const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.querySelector(".wizard-body").scrollWidth));
    assert.ok(wide <= 360, `${name} is ${wide} wide`);
  }
  await page.locator(LIVE).scrollIntoViewIfNeeded();
  await shot(page, "wizard-live-phone");
  await done(page);
});

const script = (page) => page.evaluate(() => [...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));
const back = "#panel-script button:text-is('Change in the wizard')";

test("a script of the wizard is changed by hand and goes back to the wizard, with what was added", async () => {
  const page = await openWizard({ viewport: { width: 1280, height: 1600 } });
  await page.click("[data-start='A race']");
  await step(page, "Script");
  await page.click("#wizard-edit");
  await page.waitForSelector(back);
  const changed = (await script(page)).replace("board(6, 8)", "board(6, 9)").replace("gg2/6/", "gg2/6/6/").concat('\nregion("spring", "c4 d4");\n');
  await write(page, changed);
  await page.waitForFunction(() => document.title.startsWith("My race"));
  await page.click(back);
  await page.waitForSelector("#wizard[open]");
  assert.equal(await page.inputValue("#wizard-ranks"), "9");
  await page.fill("#wizard-title", "Spring race");
  await step(page, "Script");
  await page.waitForSelector("#wizard-play:enabled");
  assert.match(await page.locator(".wizard-script").innerText(), /region\("spring", "c4 d4"\);/);
  await page.click("#wizard-play");
  await page.waitForFunction(() => document.title.startsWith("Spring race"));
  await done(page);
});

test("what the wizard would lose of a script is named before, and other scripts have no way back", async () => {
  const page = await openWizard({ viewport: { width: 1280, height: 1600 } });
  await page.click("[data-start='A race']");
  await step(page, "Script");
  await page.click("#wizard-edit");
  await page.waitForSelector(back);
  await write(page, (await script(page)).replace("    if clock_reached", '    if round() > 200 { return draw("too long"); }\n    if clock_reached'));
  await page.click(back);
  await page.waitForSelector("#ask >> text=/replaces lines \\d+ to \\d+: outcome/");
  await shot(page, "wizard-back");
  await page.click("#ask button:text-is('Cancel')");
  assert.equal(await page.locator("#wizard[open]").count(), 0);
  assert.match(await script(page), /too long/);
  await page.click(back);
  await page.click("#ask button:text-is('Continue in the wizard')");
  await page.waitForSelector("#wizard[open]");
  await page.keyboard.press("Escape");
  await write(page, RACE("play(any());"));
  await page.waitForSelector(back, { state: "hidden" });
  await done(page);
});
