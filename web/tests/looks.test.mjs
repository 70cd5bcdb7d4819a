// How a game looks and sounds in Play: themes, boards, pieces, captured pieces, sounds, and moves that can be followed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { done, humansOnly, open, openGame, rollByHand, seriousFaults, shot, tab } from "./common.mjs";

const hash = (shared) => `#g=${deflateRawSync(JSON.stringify({ version: 1, ...shared })).toString("base64url")}`;

/** The brightness, from 0 to 255, of a point of the board's picture, in its own units. */
const brightness = (page, x, y) =>
  page.evaluate(async ([x, y]) => {
    const image = document.querySelector("#board img");
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(x, y, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part, 0) / 3;
  }, [x, y]);

const move = async (page, from, to) => {
  await page.click(`#board [data-square=${from}]`);
  await page.click(`#board [data-square=${to}]`);
};

const gone = (page, side) => page.locator("#panel-game .field", { has: page.locator(`#seat-${side}`) }).locator(".gone [role=img]");

/** Notes the pictures of all pieces that glide. */
const watchGlides = (page) =>
  page.evaluate(() => {
    window.glides = [];
    const note = (nodes) => window.glides.push(...nodes.filter((node) => node.className === "glide").map((node) => decodeURIComponent(node.src)));
    new MutationObserver((all) => note(all.flatMap((one) => [...one.addedNodes]))).observe(document.querySelector("#board"), { childList: true });
  });
const glides = (page) => page.evaluate(() => window.glides);

test("captured pieces are shown beside their side, and promoted ones are not among them", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await move(page, "e2", "e4");
  await move(page, "d7", "d5");
  assert.equal(await page.locator(".gone [role=img]").count(), 0);
  await move(page, "e4", "d5");
  await gone(page, 1).waitFor();
  assert.equal(await gone(page, 1).getAttribute("aria-label"), "Off the board: pawn");
  assert.equal(await gone(page, 0).count(), 0);
  for (const [from, to] of [["c7", "c6"], ["d5", "c6"], ["h7", "h6"], ["c6", "b7"], ["h6", "h5"]]) await move(page, from, to);
  await move(page, "b7", "a8");
  await page.click(".pick [data-answer$=q]");
  await page.waitForSelector("#board [aria-label='a8, white queen']");
  await page.waitForSelector(".gone [aria-label='Off the board: pawn (3), rook']");
  assert.equal(await gone(page, 0).count(), 0, "the pawn has become a queen");
  assert.equal(await gone(page, 1).locator("img").count(), 2, "each kind is drawn once");
  assert.equal((await gone(page, 1).innerText()).trim(), "×3");
  await shot(page, "captured");
  await page.click("#undo");
  await page.waitForSelector(".gone [aria-label='Off the board: pawn (3)']");
  await done(page);
});

test("pieces glide as they are drawn: with their signs, onto others, and from the hand", async () => {
  const page = await open({ reducedMotion: "no-preference" }, hash({ variant: "dice-xiangqi" }));
  await humansOnly(page);
  await watchGlides(page);
  await rollByHand(page, "2");
  await move(page, "a3", "a4");
  await page.waitForSelector("#board [aria-label='a4, red pawn']");
  let [drawn, ...more] = await glides(page);
  assert.match(drawn, /<circle[^>]*>\s*<path/, "a disk and its sign");
  assert.equal(more.length, 0);
  await done(page);
  for (const [variant, dice] of [["backgammon", "6 3"], ["tabula", "1 1 1"], ["royal-game-of-ur", "1 1 0 0"]]) {
    const page = await open({ reducedMotion: "no-preference" }, hash({ variant }));
    await humansOnly(page);
    await watchGlides(page);
    await rollByHand(page, dice);
    for (let moves = 1; moves <= (variant === "tabula" ? 2 : 1); moves++) {
      await page.locator("#board .square[aria-description='can move']").first().click();
      await page.locator("#board .square.target").first().click();
      await page.waitForFunction((moves) => window.glides.length === moves, moves);
      [drawn] = (await glides(page)).slice(-1);
      assert.equal([...drawn.matchAll(/<g |<circle [^>]*stroke-width="2.5"/g)].length, 1, `one piece glides: ${variant}`);
    }
    await done(page);
  }
});

test("all moves of a turn stay marked until the next turn's first move", async () => {
  const page = await open({}, hash({ variant: "king-for-2" }));
  await humansOnly(page);
  await rollByHand(page, "5 5");
  const marked = () => page.locator("#board .changed").count();
  const knight = async () => {
    const before = await page.locator("#status").innerText();
    await page.locator("#board .square[aria-description='can move']").first().click();
    await page.locator("#board .square.target").first().click();
    await page.waitForFunction((before) => document.querySelector("#status").innerText !== before, before);
  };
  await knight();
  assert.equal(await marked(), 2);
  await knight();
  assert.equal(await marked(), 4);
  await rollByHand(page, "5 5");
  assert.equal(await marked(), 4, "a roll leaves the marks");
  await knight();
  assert.equal(await marked(), 2);
  await done(page);
});

test("a piece that a finger drags is seen above it, and the page does not scroll instead", async () => {
  const page = await open({ viewport: { width: 360, height: 740 }, hasTouch: true }, hash({ variant: "chess" }));
  await humansOnly(page);
  await page.evaluate(() => (document.querySelector("main").scrollTop = 0));
  const client = await page.context().newCDPSession(page);
  const middle = async (square) => {
    const box = await page.locator(`#board [data-square=${square}]`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const touch = (type, ...touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", await middle("e2"));
  for (const square of ["e3", "e4"]) await touch("touchMove", await middle(square));
  // The picture follows the finger in the next frame.
  const { y } = await middle("e4");
  await page.waitForFunction((y) => {
    const ghost = document.querySelector(".ghost.touched")?.getBoundingClientRect();
    return ghost && ghost.y + ghost.height / 2 < y - 15;
  }, y);
  await shot(page, "dragged-by-touch");
  await touch("touchEnd");
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  assert.equal(await page.locator(".ghost").count(), 0);
  await done(page);
});

test("lines on a board stay dark in the dark theme, and lines on the background are light", async () => {
  for (const [variant, isLight] of [["dice-xiangqi", false], ["aggravation", true]]) {
    const page = await open({ colorScheme: "dark" }, hash({ variant }));
    // The middle of the first line: between two stations, or two crossings.
    const [x, y] = await page.evaluate(() => {
      const svg = decodeURIComponent(document.querySelector("#board img").src);
      const [, x, y, to, toX, toY] = /<path d="M(\d+) (\d+)(?:h(\d+)|L(\d+) (\d+))/.exec(svg).map(Number);
      return to > 0 ? [x + to / 2, y] : [(x + toX) / 2, (y + toY) / 2];
    });
    const [line, background] = [await brightness(page, x, y), await brightness(page, 5, 5)];
    assert.ok(background < 60, "the background is dark");
    assert.ok(isLight ? line > background + 50 : line < 150, `the lines of ${variant}: ${line} on ${background}`);
    await done(page);
  }
});

test("theme, board and pieces are chosen in the page, and remembered", async () => {
  const page = await open({}, hash({ variant: "chess" }));
  const around = () => brightness(page, 5, 5);
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  assert.ok((await around()) > 200);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(29, 25, 21)");
  assert.ok((await around()) < 60, "the system's theme is followed");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await tab(page, "Looks");
  await page.selectOption("#look-theme", "dark");
  assert.equal(await scheme(), "dark");
  assert.ok((await around()) < 60, "pictures follow the chosen theme");
  assert.deepEqual(await seriousFaults(page), []);
  const wood = await brightness(page, 45, 105);
  await page.selectOption("#look-board", "slate");
  assert.notEqual(await brightness(page, 45, 105), wood);
  await page.selectOption("#look-pieces", "letters");
  const hasLetters = () => />Q<\/text>/.test(decodeURIComponent(document.querySelector("#board img").src));
  await page.waitForFunction(hasLetters);
  await shot(page, "looks");
  await page.reload();
  await page.waitForSelector("#board img");
  await page.waitForFunction(hasLetters);
  assert.equal(await scheme(), "dark");
  assert.equal(await page.locator("#look-board").inputValue(), "slate");
  await tab(page, "Looks");
  await page.selectOption("#look-theme", "light");
  assert.ok((await around()) > 200, "against the system as well");
  await done(page);
});

test("moves, captures and dice are heard if the user turns sounds on", async () => {
  const page = await open();
  await page.context().addInitScript(() => {
    window.tones = 0;
    window.isActive = false;
    Object.defineProperty(navigator, "userActivation", { get: () => ({ hasBeenActive: window.isActive }) });
    const node = () => ({ connect: (next) => next, start: () => window.tones++, stop() {}, frequency: value, gain: value });
    const value = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    window.AudioContext = class {
      currentTime = 0;
      createOscillator = node;
      createGain = node;
    };
  });
  await page.reload();
  await page.waitForSelector("#board img");
  const heard = async () => {
    const tones = await page.evaluate(() => window.tones);
    await page.evaluate(() => (window.tones = 0));
    return tones;
  };
  await page.selectOption("#variant", "chess");
  await page.waitForFunction(() => document.title.startsWith("Chess "));
  await humansOnly(page);
  await page.evaluate(() => (window.isActive = true));
  await move(page, "e2", "e4");
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  assert.equal(await heard(), 0, "off by default");
  await tab(page, "Looks");
  await page.selectOption("#look-sounds", "on");
  assert.equal(await heard(), 1, "an example");
  await move(page, "d7", "d5");
  await page.waitForSelector("#board [aria-label='d5, black pawn']");
  assert.equal(await heard(), 1, "a move");
  await move(page, "e4", "d5");
  await page.waitForSelector("#board [aria-label='d5, white pawn']");
  assert.equal(await heard(), 2, "a capture");
  await page.click("#undo");
  await page.waitForSelector("#board [aria-label='d5, black pawn']");
  assert.equal(await heard(), 0, "not when a move is taken back");
  await page.selectOption("#variant", "dice-chess");
  await page.waitForFunction(() => document.title.startsWith("Dice Chess"));
  await humansOnly(page);
  await rollByHand(page, "2 2");
  assert.equal(await heard(), 4, "dice");
  await page.reload();
  await page.waitForSelector("#board img");
  assert.equal(await page.locator("#look-sounds").inputValue(), "on", "remembered");
  await page.locator("#board .square[aria-description='can move']").first().click();
  await page.locator("#board .square.target").first().click();
  await page.waitForSelector("#board .changed");
  assert.equal(await heard(), 0, "not before the user has done something");
  await done(page);
});
