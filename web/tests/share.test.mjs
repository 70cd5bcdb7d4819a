// Sharing: links to a game, a position or a script, files, and a game that two people at two machines play by links alone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { act, done, humansOnly, open, openGame, rollByHand, seriousFaults, shot, text } from "./common.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const packed = (shared) => `#g=${deflateRawSync(JSON.stringify({ version: 1, ...shared })).toString("base64url")}`;
const unpacked = (link) => JSON.parse(inflateRawSync(Buffer.from(link.split("#g=")[1], "base64url")).toString());

/** Begins a game by links as the first side, and returns the link of the invitation. */
async function invite(page) {
  await page.click("#share");
  await page.click("dialog button:text-is('Play by links')");
  await page.locator("dialog .row button").first().click();
  return turn(page);
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

/** Waits until the player can act, or has another link to send than before. */
async function ready(page) {
  await page.waitForFunction((own) => {
    const link = document.querySelector("[aria-label='Link for your friend']");
    return link ? link.value !== own : document.querySelector(".mail button, .square:is([aria-description='can move'], [aria-description='can be chosen']), #choices > button");
  }, page.sent);
}

/** Plays until the turn is over, and returns the link to send. */
async function turn(page) {
  for (;;) {
    await ready(page);
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
  await host.waitForSelector("#board .square");
  const links = [await invite(host)];
  const guest = await open(options, links[0].slice(links[0].indexOf("#")));
  for (let number = 0; number < turns; number++) {
    const page = number % 2 === 0 ? guest : host;
    if (number > 0) await follow(page, links.at(-1));
    links.push(await turn(page));
  }
  return { host, guest, links };
}

test("two people play a dozen turns by links alone, and both see the same game", async () => {
  const { host, guest, links } = await begun(12);
  await follow(guest, links[12]);
  await ready(guest);
  const turns = await text(host);
  assert.ok((await text(guest)).startsWith(turns) && turns.split("\n").length > 10, turns);
  await shot(guest, "mail-turn");
  await shot(host, "mail-wait");
  assert.deepEqual(await seriousFaults(host), []);
  // The dice are those that the program computes from the secrets that both reveal in turn.
  const seed = /\[Seed "(\d+)"\]/.exec((await saved(guest, "Game")).text)[1];
  const [own, answer] = [unpacked(links[11]).mail, unpacked(await turn(guest)).mail];
  const [hosts, guests] = answer.parts.slice(-2);
  const hash = (words) => createHash("sha256").update(words);
  assert.equal(hash(guests).digest("hex"), own.commitments.at(-1));
  assert.equal(hash(hosts).digest("hex"), unpacked(links[10]).mail.commitments.at(-1));
  assert.equal(String(hash(`${hosts}\n${guests}`).digest().readBigUInt64BE() >> 11n), seed);
  if (process.env.ASTRAGAL) assert.match(execFileSync(process.env.ASTRAGAL, ["fair-dice", "seed", hosts, guests], { encoding: "utf8" }), new RegExp(`^seed ${seed}\\n`));
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
  // A seed that the sender has chosen, in a form that the engine reads, does not choose the next roll.
  const chosen = answer.record.replace('[Seed "0"]', '[Seed  "42"]');
  assert.notEqual(chosen, answer.record);
  await follow(host, packed({ ...answer, record: chosen }));
  await host.waitForFunction((before) => document.querySelector(".turns").innerText.trim() !== before, kept);
  assert.equal(await host.locator("#notice").innerText(), "");
  await ready(host);
  const seed = /\[Seed "(\d+)"\]/.exec((await saved(host, "Game")).text)[1];
  const next = unpacked(await turn(host));
  const [guests, hosts] = next.mail.parts.slice(-2);
  assert.equal(String(createHash("sha256").update(`${hosts}\n${guests}`).digest().readBigUInt64BE() >> 11n), seed);
  // Who does not like a roll cannot leave it out.
  const { events } = answer.mail;
  await follow(guest, packed({ ...next, record: answer.record, mail: { ...next.mail, events: [...events, events.at(-1)] } }));
  await guest.waitForSelector('#notice:has-text("that was due in round")');
  await done(host);
  await done(guest);
});

test("a game by links survives a reload at every point, with its dice and the turn that is not sent yet", async () => {
  const { host, guest, links } = await begun(2);
  await host.reload();
  assert.equal(await linkOf(host), links[2], "the link that waits to be sent");
  await follow(guest, links[2]);
  await ready(guest);
  const rolled = await text(guest);
  await guest.reload();
  await guest.waitForFunction((rolled) => document.querySelector(".turns")?.innerText.trim() === rolled, rolled);
  // In another tab, the same link leads to the same dice.
  const tab = await guest.context().newPage();
  await tab.goto(guest.url().split("#")[0] + links[2].slice(links[2].indexOf("#")));
  await tab.waitForFunction((rolled) => document.querySelector(".turns")?.innerText.trim() === rolled, rolled);
  await done(host);
  await done(guest);
});

test("a turn by links can be taken back until its link is made, and a third person only watches", async () => {
  const host = await openGame("chess", "Chess ");
  await host.click("#share");
  await host.click("dialog button:text-is('Play by links')");
  await host.locator("dialog .row button").first().click();
  await host.waitForSelector("#hint:has-text('Your turn')");
  await host.dragAndDrop("#board [data-square=e2]", "#board [data-square=e4]");
  const end = host.getByRole("button", { name: "End my turn and make the link" });
  await end.waitFor();
  await host.reload();
  await end.waitFor();
  await host.click("#undo");
  await end.waitFor({ state: "detached" });
  await host.dragAndDrop("#board [data-square=d2]", "#board [data-square=d4]");
  await end.click();
  const link = await linkOf(host);
  assert.ok(await host.locator("#undo").isDisabled());
  assert.equal(await host.locator("#seat-1").innerText(), "Your friend");
  await host.click("#my-games");
  await host.waitForSelector("dialog >> text=/by links, waiting for a link/");
  await host.click("#ask button:text-is('Close')");
  const guest = await open({}, link.slice(link.indexOf("#")));
  await guest.waitForSelector("#board [aria-label='d4, white pawn']");
  const answer = await turn(guest);
  const third = await open({}, answer.slice(answer.indexOf("#")));
  await third.waitForSelector("#hint:has-text('You are watching this game.')");
  await third.waitForSelector("#notice:has-text('open the link in the browser where you took your last turn')");
  assert.equal(await third.locator(".square[aria-description='can move']").count(), 0);
  // The answer can be pasted, if it was opened elsewhere.
  await host.fill("[aria-label=\"Your friend's link\"]", answer);
  await host.click(".mail button:text-is('Open')");
  await host.waitForSelector("#hint:has-text('Your turn')");
  // A second answer to the same link, from another browser, comes too late.
  const twice = await open({}, link.slice(link.indexOf("#")));
  await follow(host, await turn(twice));
  await host.waitForSelector("#notice:has-text('it changes a part of the game that you have already seen')");
  for (const page of [host, guest, third, twice]) await done(page);
});

test("a game that hides information is not played by links", async () => {
  const page = await openGame("bidding-chess", "Bidding");
  await page.click("#share");
  await page.waitForSelector("#ask >> text=/This game hides information from the players/");
  assert.equal(await page.locator("#ask button:text-is('Play by links')").count(), 0);
  await done(page);
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
