// Help while one writes a script in the studio: completions, explanations, renaming and formatting.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RACE, done, open, shot, write } from "./common.mjs";

const CONTENT = "#editor .cm-content";
const script = (page) => page.locator(CONTENT).innerText();
const until = (page, words) => page.locator(CONTENT).filter({ hasText: words }).waitFor();

/** Opens the studio with a script, and puts the cursor at its end. */
async function writing(text) {
  const page = await open();
  await write(page, text);
  await page.waitForFunction(() => document.title.startsWith("A race"));
  await page.locator(CONTENT).click();
  await page.keyboard.press("Control+End");
  return page;
}

test("functions and names are completed where they belong", async () => {
  const page = await writing(RACE("play(any());"));
  await page.keyboard.type("fn mine() { play(capt");
  const list = page.locator(".cm-tooltip-autocomplete");
  await list.locator("li:has-text('captures')").waitFor();
  await list.locator("li[aria-selected=true]:has-text('captures')").waitFor();
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  assert.match(await script(page), /fn mine\(\) \{ play\(captures/);
  await page.keyboard.type("); has(mover(), \"");
  await list.locator("li:has-text('man')").waitFor();
  assert.equal(await list.locator("li:has-text('captures')").count(), 0, "a name is wanted here");
  await shot(page, "completion");
  await done(page);
});

test("a completion replaces the word that it continues", async () => {
  const page = await writing(`${RACE("play(any());")}counter("lives", 3);\n`);
  await page.keyboard.type('setup("M3m w li');
  const list = page.locator(".cm-tooltip-autocomplete");
  await list.locator("li[aria-selected=true]:has-text('lives')").waitFor();
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await until(page, 'setup("M3m w lives=');
  assert.doesNotMatch(await script(page), /lilives/);
  await done(page);
});

test("signatures are requested when the cursor rests", async () => {
  const page = await writing(`${RACE("play(any());")}fn other() { has(mover(), "man") }`);
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.requested = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (String(message).includes('"signatures"')) window.requested++;
      return post.call(this, message, ...rest);
    };
    const content = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
    const options = { key: "ArrowLeft", code: "ArrowLeft", keyCode: 37, bubbles: true, cancelable: true };
    for (let i = 0; i < 8; i++) content.dispatchEvent(new KeyboardEvent("keydown", options));
  });
  await page.locator(".cm-signature").waitFor();
  assert.equal(await page.evaluate(() => window.requested), 1);
  await done(page);
});

test("a function and a piece are explained under the pointer", async () => {
  const page = await writing(RACE("play(any());"));
  const about = page.locator(".cm-tooltip-hover .cm-about");
  await page.locator(`${CONTENT} .cm-line:has-text('fn turn') >> text=/play/`).first().hover();
  await about.filter({ hasText: "Lets the player" }).waitFor();
  await page.mouse.move(5, 5);
  await about.waitFor({ state: "detached" });
  await page.locator(`${CONTENT} .cm-line:has-text('piece(')`).locator("span:text-is('\"man\"')").hover();
  await about.filter({ hasText: "Starting position" }).waitFor();
  await shot(page, "explained");
  await done(page);
});

test("code and fences with backticks are shown as they are", async () => {
  const about = "// Writes `` a`b `` and `c`.\n//\n// ````text\n// ```\n// inside\n// `````\n// After.\n";
  const page = await writing(`${RACE("play(any());")}${about}fn other() { has(mover(), "man") }`);
  await page.locator(`${CONTENT} .cm-line:has-text('fn other')`).hover({ position: { x: 44, y: 8 } });
  const shown = page.locator(".cm-tooltip-hover .cm-about");
  await shown.filter({ hasText: "Writes" }).waitFor();
  assert.deepEqual((await shown.locator("code").allInnerTexts()).slice(0, 2), ["a`b", "c"]);
  assert.equal(await shown.locator("pre").last().textContent(), "```\ninside");
  await shown.locator("p:text-is('After.')").waitFor();
  await done(page);
});

test("a name is changed wherever it is used, and a script is formatted", async () => {
  const page = await writing(`${RACE("play(pieces(MEN));")}const MEN = "man";\nfn  other( ) {has(mover(),MEN)}\n`);
  await page.locator(`${CONTENT} .cm-line:has-text('const MEN')`).click({ position: { x: 60, y: 8 } });
  await page.keyboard.press("F2");
  const input = page.locator("dialog input");
  await input.waitFor();
  await input.fill("RUNNERS");
  await page.keyboard.press("Enter");
  await until(page, "has(mover(),RUNNERS)");
  assert.equal((await script(page)).match(/RUNNERS/g).length, 3);
  assert.doesNotMatch(await script(page), /\bMEN\b/);
  await page.keyboard.press("Shift+Alt+F");
  await until(page, "fn other() { has(mover(), RUNNERS) }");
  await page.keyboard.press("Control+z");
  await until(page, "fn  other( )");
  await done(page);
});

test("formatting keeps the cursor at its word", async () => {
  const page = await writing(`${RACE("play(any());")}fn  other( ) {has(mover(),"man")}`);
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+Alt+F");
  await until(page, 'fn other() { has(mover(), "man") }');
  await page.keyboard.type("s");
  await until(page, 'has(mover(), "mans")');
  await done(page);
});

test("a name that cannot be used is refused with a reason", async () => {
  const page = await writing(`${RACE("play(pieces(MEN));")}const MEN = "man";\n`);
  await page.locator(`${CONTENT} .cm-line:has-text('const MEN')`).click({ position: { x: 60, y: 8 } });
  await page.keyboard.press("F2");
  await page.locator("dialog input").fill("two words");
  await page.keyboard.press("Enter");
  await page.locator(".error:has-text('two words')").waitFor();
  assert.match(await script(page), /const MEN/);
  await done(page);
});
