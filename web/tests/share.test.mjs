// Sharing: links to a game, a position or a script, and files.

import assert from "node:assert/strict";
import { test } from "node:test";
import { act, done, humansOnly, open, openGame, rollByHand, seriousFaults, shot, text } from "./common.mjs";
import { follow, link as packed, saved } from "./kept.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

test("a link leads to the game, to its position or to its rules", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await page.dragAndDrop("#board [data-square=e2]", "#board [data-square=e4]");
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  await page.click("#share");
  const link = page.locator("#ask [aria-label=Link]");
  const game = await link.inputValue();
  await shot(page, "share");
  assert.deepEqual(await seriousFaults(page), []);
  const other = async (label, before) => {
    await page.check(`#ask label:has-text('${label}') input`);
    // There is no link until the new one is packed.
    await page.waitForFunction((before) => (document.querySelector("#ask [aria-label=Link]")?.value ?? before) !== before, before);
    return link.inputValue();
  };
  const position = await other("The position", game);
  const rules = await other("The rules only", position);
  await page.click("#ask button:text-is('Close')");
  const opened = await open({}, game.slice(game.indexOf("#")));
  await opened.waitForSelector("#board [aria-label='e4, white pawn']");
  assert.match(await text(opened), /e4/);
  await follow(opened, position);
  await opened.waitForFunction(() => document.querySelector(".turns").innerText.trim() === "");
  await opened.waitForSelector("#board [aria-label='e4, white pawn']");
  await follow(opened, rules);
  await opened.waitForSelector("#board [aria-label='e2, white pawn']");
  // What cannot be read is named.
  const notice = (words) => opened.waitForSelector(`#notice:has-text("${words}")`);
  await follow(opened, packed({ variant: "chess", record: " ".repeat(1 << 20) }));
  await notice("This link is too large");
  await follow(opened, packed({ version: undefined, variant: "chess" }));
  await notice("This link does not contain a game");
  await follow(opened, `${position.slice(0, -20)}`);
  await notice("This link is damaged");
  await done(page);
  await done(opened);
});

test("what is shared while a game is being opened is that game", async () => {
  const page = await open();
  // The engine answers late, so that the button is pressed between two games.
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...given) {
      window.waits ||= String(given[0]).includes('"method":"open"');
      if (window.waits) setTimeout(() => postMessage.apply(this, given), 500);
      else postMessage.apply(this, given);
    };
  });
  await page.selectOption("#variant", "backgammon");
  await page.waitForFunction(() => window.waits);
  await page.click("#share");
  await page.waitForSelector("dialog p:text-is('Share Backgammon')");
  await page.waitForSelector("dialog button:text-is('Play by links')");
  await done(page);
});

test("the device's own menu takes the link, where the browser has one", async () => {
  const page = await openGame("chess", "Chess ");
  await page.evaluate(() => (navigator.share = async (given) => void (window.handed = given)));
  await page.click("#share");
  await page.click("#ask button:text-is('Send…')");
  const handed = await page.evaluate(() => window.handed);
  assert.equal(handed.url, await page.locator("#ask [aria-label=Link]").inputValue());
  assert.match(handed.title, /^Chess/);
  await done(page);
});

test("the game, its test, its position and its script are saved as files", async () => {
  const page = await openGame("chess", "Chess ");
  await humansOnly(page);
  await page.dragAndDrop("#board [data-square=e2]", "#board [data-square=e4]");
  await page.waitForSelector("#board [aria-label='e4, white pawn']");
  const kinds = { Game: ["chess.pgn", /1\. e4/], Test: ["chess.game", /\ne4/], Position: ["chess.fen", /4P3.* b /], Script: ["chess.rhai", /title\(/], Drawing: ["chess.svg", /^<svg/] };
  for (const [label, [name, part]] of Object.entries(kinds)) {
    const file = await saved(page, label);
    assert.equal(file.name, name);
    assert.match(file.text, part);
  }
  await done(page);
});

test("a saved picture does not mark the pieces that can move", async () => {
  const page = await openGame("dice-chess", "Dice Chess");
  await humansOnly(page);
  const fills = (svg) => [...svg.matchAll(/ fill="([^"]*)"/g)].map(([, fill]) => fill);
  const before = await saved(page, "Drawing");
  await rollByHand(page, "1 2");
  await page.waitForSelector(".square[aria-description='can move']");
  assert.deepEqual(fills((await saved(page, "Drawing")).text), fills(before.text));
  await done(page);
});

test("an animation shows the game turn by turn, draws what stays once, and rests at the end", async () => {
  const page = await openGame("dice-chess", "Dice Chess");
  await humansOnly(page);
  for (let turns = 0; turns < 12; turns++) await act(page);
  const { name, text: svg } = await saved(page, "Animation");
  assert.equal(name, "dice-chess-game.svg");
  const last = (await text(page)).split("\n").length;
  assert.ok(svg.length < 60_000, `${svg.length} bytes`);
  const shown = async (options, seconds) => {
    const viewer = await page.context().browser().newPage(options);
    await viewer.setContent(svg);
    // A moment of the animation, without waiting for it.
    if (seconds !== undefined) await viewer.evaluate((time) => document.getAnimations().forEach((one) => (one.pause(), (one.currentTime = time))), 1000 * seconds);
    const words = await viewer.evaluate(() => [...document.querySelectorAll("text")].filter((one) => getComputedStyle(one).visibility === "visible").map((one) => one.textContent));
    await shot(viewer, `animation-${seconds ?? "still"}`);
    await viewer.close();
    return words.join(" ");
  };
  assert.doesNotMatch(await shown({}, 0.5), /White|Black/);
  assert.match(await shown({}, 1.5), /1\. White/);
  const still = await shown({ reducedMotion: "reduce" });
  assert.match(still, /(White|Black)/);
  assert.equal(still, await shown({}, 1.2 * (last + 1)));
  await done(page);
});

test("a link opened on a phone plays at once, on a board as wide as the screen", async () => {
  const page = await open(PHONE, packed({ variant: "dice-chess" }));
  assert.equal(await page.locator("dialog[open]").count(), 0);
  assert.equal(await page.locator("#start").isVisible(), false);
  await page.waitForSelector("#hint:has-text('Your turn: tap Roll.')");
  const board = await page.locator("#board").boundingBox();
  assert.ok(board.width >= 330 && board.y + board.height <= 740, JSON.stringify(board));
  await shot(page, "phone-link");
  await page.getByRole("button", { name: "Roll", exact: true }).tap();
  await page.waitForSelector("#dice .die");
  // A link to a position after its roll.
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  await follow(page, packed({ variant: "dice-chess", position: `${start} w KQkq - 0 1 turn=${start}~w~KQkq~-~0~1;1,2` }));
  await page.waitForSelector("#hint:has-text('tap a highlighted piece')");
  await page.locator(".square[aria-description='can move']").first().tap();
  await page.locator(".square.target").first().tap();
  await page.waitForFunction(() => !document.querySelector(".square.target"));
  await page.waitForSelector(".square.changed");
  await done(page);
});
