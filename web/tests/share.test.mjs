// Sharing: links to a game, a position or a script, files, and a game that two people at two machines play by links alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { act, count, done, humansOnly, open, openGame, seriousFaults, shot, START, text } from "./common.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const packed = (shared) => `#g=${deflateRawSync(JSON.stringify({ version: 1, ...shared })).toString("base64url")}`;
const unpacked = (link) => JSON.parse(inflateRawSync(Buffer.from(link.split("#g=")[1], "base64url")).toString());

/** Begins a game by links as the first side, and returns the link of the invitation. */
async function invite(page) {
  await page.click("#share");
  await page.click("dialog button:text-is('Play by links')");
  await page.locator("dialog .row button").first().click();
  return linkOf(page);
}

/** The link that the page shows for the friend. */
async function linkOf(page) {
  const field = page.locator("[aria-label='Link for your friend']");
  await field.waitFor();
  return field.inputValue();
}

/** Follows a link in the page that is open. */
async function follow(page, link) {
  await page.evaluate((hash) => (location.hash = hash), link.slice(link.indexOf("#")));
}

/** Plays until the turn is over, and returns the link to send. */
async function turn(page) {
  for (;;) {
    const own = page.sent;
    await page.waitForFunction((own) => {
      const link = document.querySelector("[aria-label='Link for your friend']");
      return link ? link.value !== own : document.querySelector(".mail button, .square[aria-description='can move'], #choices > button");
    }, own);
    const end = page.getByRole("button", { name: "End my turn and make the link" });
    const isOver = (await page.locator(".mail input").count()) > 0;
    if (!isOver && (await end.count()) === 0) await act(page);
    else {
      if (!isOver) await end.click();
      return (page.sent = await linkOf(page));
    }
  }
}

/** A game by links in which both players have taken some turns. */
async function begun(turns, name = "dice-chess", title = "Dice Chess", options = {}) {
  const host = await openGame(name, title);
  const links = [(host.sent = await invite(host))];
  const guest = await open(options, links[0].slice(links[0].indexOf("#")));
  for (let number = 0; number < turns; number++) {
    const page = number % 2 === 0 ? guest : host;
    if (number > 0) await follow(page, links.at(-1));
    links.push(await turn(page));
  }
  return { host, guest, links };
}

test("two people play fifteen turns by links alone, and both see the same game", async () => {
  const { host, guest, links } = await begun(16);
  assert.equal(unpacked(links.at(-1)).mail.events.length, 17);
  await follow(guest, links.at(-1));
  await guest.waitForFunction((before) => document.querySelector(".turns").innerText.trim() !== before, await text(guest));
  const turns = await text(host);
  assert.ok((await text(guest)).startsWith(turns) && turns.split("\n").length > 10, turns);
  await shot(guest, "mail-turn");
  await shot(host, "mail-wait");
  assert.deepEqual(await seriousFaults(host), []);
  await done(host);
  await done(guest);
});

test("a link with a changed roll, a changed past or an old game is not followed", async () => {
  const { host, guest, links } = await begun(5);
  const kept = await text(host);
  const notice = (words) => host.waitForSelector(`#notice:has-text("${words}")`);
  const answer = unpacked(links[5]);
  const changed = { ...answer, record: answer.record.replace(/(\d),(\d)(?!.*%roll)/s, (_, a, b) => `${(a % 6) + 1},${b}`) };
  assert.notEqual(changed.record, answer.record);
  await follow(host, packed(changed));
  await notice("This link is refused");
  // The same turns with another secret of the sender.
  await follow(host, packed({ ...answer, mail: { ...answer.mail, parts: [...answer.mail.parts.slice(0, -1), "0".repeat(64)] } }));
  await notice("its secret for the dice is not the one that was promised");
  await follow(host, packed({ ...answer, mail: { ...answer.mail, parts: ["0".repeat(64), ...answer.mail.parts.slice(1)] } }));
  await notice("it changes a part of the game that you have already seen");
  await follow(host, links[1]);
  await notice("This link is older than the game that you know");
  await follow(host, packed({ ...answer, record: answer.record.replace(/(\d),(\d)/, (_, a, b) => `${(a % 6) + 1},${b}`) }));
  await notice("This link is refused");
  await follow(host, links[4]);
  await notice("This is your own link");
  assert.equal(await text(host), kept);
  assert.equal(await linkOf(host), links[4]);
  await follow(host, links[5]);
  await host.waitForFunction((before) => document.querySelector(".turns").innerText.trim() !== before, kept);
  assert.equal(await host.locator("#notice").innerText(), "");
  await done(host);
  await done(guest);
});

test("a game by links survives a reload at every point, and keeps its dice", async () => {
  const { host, guest, links } = await begun(2);
  // The link that waits to be sent is the same.
  await guest.waitForTimeout(0);
  for (const page of [host]) {
    await page.reload();
    assert.equal(await linkOf(page), links[2]);
  }
  await follow(guest, links[2]);
  await guest.waitForFunction(() => document.querySelector(".mail:empty"));
  const rolled = await text(guest);
  await guest.reload();
  await guest.waitForFunction((rolled) => document.querySelector(".turns")?.innerText.trim() === rolled, rolled);
  await done(host);
  await done(guest);
});

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
    await page.waitForFunction((before) => document.querySelector("#ask [aria-label=Link]").value !== before, before);
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
  await done(page);
  await done(opened);
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

/** Saves a file with a button of the dialog, and returns its text. */
async function saved(page, label) {
  await page.click("#share");
  const button = page.locator("#ask .files button", { has: page.locator(`strong:text-is('${label}')`) });
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

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
  await page.waitForSelector("#hint:has-text('Your turn: click Roll.')");
  const board = await page.locator("#board").boundingBox();
  assert.ok(board.width >= 330 && board.y + board.height <= 740, JSON.stringify(board));
  await shot(page, "phone-link");
  await page.getByRole("button", { name: "Roll", exact: true }).tap();
  await page.waitForSelector("#dice .die");
  // A link to a position after its roll.
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  await follow(page, packed({ variant: "dice-chess", position: `${start} w KQkq - 0 1 turn=${start}~w~KQkq~-~0~1;1,2` }));
  await page.waitForSelector("#hint:has-text('click a highlighted piece')");
  await page.locator(".square[aria-description='can move']").first().tap();
  await page.locator(".square.target").first().tap();
  await page.waitForFunction(() => !document.querySelector(".square.target"));
  await page.waitForSelector(".square.changed");
  await done(page);
});
