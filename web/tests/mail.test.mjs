// Games that two people at two machines play by links alone: fair dice, checks of what comes in, and what a reload keeps.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { RACE, act, done, open, openGame, seriousFaults, shot, text } from "./common.mjs";
import { SIDEWAYS, follow, link as packed, saved, titled } from "./kept.mjs";

const FIELD = "[aria-label=\"Your friend's link\"]";

/** A script that chooses in secret with the code of another one. */
const AUCTION = `import "bidding-chess" as auction;\ncounter("chips", 20, #{ each: true });\n${RACE('auction::bid(side("White")); play(any());')}`;

const unpacked = (link) => JSON.parse(inflateRawSync(Buffer.from(link.split("#g=")[1], "base64url")).toString());

/** Begins a game by links as the first or second side. */
async function begin(page, side = 0) {
  await page.click("#share");
  await page.click("dialog button:text-is('Play by links')");
  await page.locator("dialog .row button").nth(side).click();
}

/** Begins a game by links as the first side, and returns the link of the invitation. */
async function invite(page) {
  await begin(page);
  return turn(page);
}

/** The link that the page shows for the friend. */
async function linkOf(page) {
  const field = page.locator("[aria-label='Link for your friend']");
  await field.waitFor();
  return field.inputValue();
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
  // Each link contains the secrets that are new, and none that the friend has already seen.
  const { parts, commitments } = unpacked(links[12]).mail;
  assert.equal(parts.length, 12);
  for (const all of [parts, commitments]) assert.equal(all.filter(Boolean).length, 2);
  const third = await open({}, links[12].slice(links[12].indexOf("#")));
  await third.waitForSelector("#hint:has-text('You are watching this game.')");
  await third.waitForFunction((turns) => document.querySelector(".turns")?.innerText.trim() === turns, turns);
  await done(third);
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
  await notice("This link cannot be used");
  // The same turns with another secret of the sender.
  await follow(host, packed({ ...answer, mail: { ...answer.mail, parts: [...answer.mail.parts.slice(0, -1), "0".repeat(64)] } }));
  await notice("its secret for the dice does not match the commitment");
  await follow(host, packed({ ...answer, mail: { ...answer.mail, parts: ["0".repeat(64), ...answer.mail.parts.slice(1)] } }));
  await notice("it changes a part of the game that you have already seen");
  await follow(host, links[1]);
  await notice("This link is from an earlier turn");
  await follow(host, packed({ ...answer, record: answer.record.replace(/(\d),(\d)/, (_, a, b) => `${(a % 6) + 1},${b}`) }));
  await notice("This link cannot be used");
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
  await begin(host);
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
  // The pieces that can move have a color of their own, but not on the board of a player who waits.
  const isMarked = (page) => page.locator("#board img").first().evaluate((image) => image.src.includes("%23cfdfb0"));
  assert.equal(await isMarked(host), false);
  await host.click("#my-games");
  await host.waitForSelector("dialog >> text=/by links, waiting for a link/");
  await host.click("#ask button:text-is('Close')");
  const guest = await open({}, link.slice(link.indexOf("#")));
  await guest.waitForSelector("#board [aria-label='d4, white pawn']");
  assert.equal(await isMarked(guest), true);
  const answer = await turn(guest);
  const third = await open({}, answer.slice(answer.indexOf("#")));
  await third.waitForSelector("#hint:has-text('You are watching this game.')");
  await third.waitForSelector("#notice:has-text('open the link in the browser where you took your last turn')");
  assert.equal(await third.locator(".square[aria-description='can move']").count(), 0);
  assert.equal(await isMarked(third), false);
  // The answer can be pasted, if it was opened elsewhere.
  const paste = async (text) => {
    await host.fill(FIELD, text);
    await host.click(".mail button:text-is('Open')");
  };
  await paste("https://example.org/page#top");
  await host.waitForSelector(`${FIELD}:invalid`);
  await paste(link);
  await host.waitForSelector("#notice:has-text('This is your own link')");
  await paste(`${answer} `);
  await host.waitForSelector("#hint:has-text('Your turn')");
  // A second answer to the same link, from another browser, comes too late.
  const twice = await open({}, link.slice(link.indexOf("#")));
  await follow(host, await turn(twice));
  await host.waitForSelector("#notice:has-text('it changes a part of the game that you have already seen')");
  for (const page of [host, guest, third, twice]) await done(page);
});

test("a game that hides information is not played by links, also if a script that it imports does so", async () => {
  const page = await openGame("bidding-chess", "Bidding");
  const refused = async () => {
    await page.click("#share");
    await page.waitForSelector("#ask >> text=/This game hides information from the players/");
    assert.equal(await page.locator("#ask button:text-is('Play by links')").count(), 0);
    await page.click("#ask button:text-is('Close')");
  };
  await refused();
  await follow(page, packed({ text: AUCTION }));
  await titled(page, "A race");
  await refused();
  // A word in a comment hides nothing.
  await follow(page, packed({ text: `// secret: none\n${SIDEWAYS.replace("A race", "An open race")}` }));
  await titled(page, "An open race");
  await page.click("#share");
  await page.waitForSelector("#ask button:text-is('Play by links')");
  await done(page);
});

test("an invitation to a game that cannot be played by links, or that does not begin as new, is refused", async () => {
  const host = await openGame("chess", "Chess ");
  const invitation = unpacked(await invite(host));
  await done(host);
  const page = await openGame("dice-chess", "Dice Chess");
  const refused = async (shared, words) => {
    await follow(page, packed(shared));
    await page.waitForSelector(`#notice:has-text("${words}")`);
    assert.doesNotMatch(await page.locator("#notice").innerText(), /record/);
    assert.equal(await page.locator(".mail").count(), 0);
    await page.evaluate(() => document.querySelector("#notice [aria-label=Close]")?.click());
  };
  const { variant, ...other } = invitation;
  assert.equal(variant, "chess");
  await refused({ ...other, text: AUCTION, record: "*" }, "This link cannot be used: this game hides information");
  await refused({ ...invitation, variant: "three-player-babylonian", record: "*" }, "This link cannot be used: only games for two players");
  await refused({ ...invitation, record: `[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. Kd2 *` }, "are not those of a new game");
  await refused({ ...invitation, variant: "dice-chess", options: {}, record: '[Variant "dice-chess"]\n[Options "doubles=same_type"]\n\n*', mail: { ...invitation.mail, events: [0] } }, "are not those of a new game");
  await refused({ ...invitation, record: "1. e5 *" }, "its turns do not follow the rules");
  await refused({ ...invitation, diagram: true }, "This link does not contain a game");
  // The game before stays at the board, also after a reload.
  await page.reload();
  await titled(page, "Dice Chess");
  await done(page);
});

test("two links that are opened at once are checked one after the other, each with its own script", async () => {
  const page = await open();
  const links = [];
  const upwards = RACE("play(any());").replace("board(5, 1)", "board(1, 5)").replace("M3m", "m/1/1/1/M");
  for (const [title, text] of [["Upwards", upwards], ["Sideways", SIDEWAYS]]) {
    await follow(page, packed({ text: text.replace("A race", title) }));
    await titled(page, title);
    links.push(await invite(page));
  }
  const guest = await open();
  await guest.evaluate(async (hashes) => {
    for (const hash of hashes) await new Promise((changed) => (window.addEventListener("hashchange", changed, { once: true }), (location.hash = hash)));
  }, links.map((link) => link.slice(link.indexOf("#"))));
  await titled(guest, "Sideways");
  await guest.waitForSelector("#hint:has-text('Your turn')");
  assert.doesNotMatch(await guest.locator("#notice").innerText(), /refused/);
  await guest.click("#my-games");
  await guest.waitForSelector(".my-games li:has-text('Upwards')");
  await done(guest);
  await done(page);
});

test("a move that is taken back while its link is made is in no link", async () => {
  const page = await openGame("chess", "Chess ");
  await begin(page);
  await page.waitForSelector("#hint:has-text('Your turn')");
  await page.dragAndDrop("#board [data-square=e2]", "#board [data-square=e4]");
  const end = page.getByRole("button", { name: "End my turn and make the link" });
  await end.waitFor();
  await page.evaluate(() => {
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    const released = new Promise((release) => (window.release = release));
    crypto.subtle.digest = (...given) => ((window.isHeld = true), released.then(() => digest(...given)));
  });
  await end.click();
  await page.waitForFunction(() => window.isHeld);
  await page.click("#undo");
  await page.waitForSelector("#board [aria-label='e2, white pawn']");
  await page.evaluate(() => window.release());
  await page.dragAndDrop("#board [data-square=d2]", "#board [data-square=d4]");
  await end.click();
  assert.match(unpacked(await linkOf(page)).record, /1\. d4/);
  await page.waitForSelector("#board [aria-label='d4, white pawn']");
  await done(page);
});

test("a game by links that is about to begin sends nothing of the game before it", async () => {
  const page = await open();
  await page.waitForSelector("label:has-text('Roll automatically')");
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    const released = new Promise((release) => (window.release = release));
    Worker.prototype.postMessage = function (message, ...rest) {
      const isHeld = typeof message === "string" && JSON.parse(message).method === "open";
      if (isHeld) window.isHeld = true;
      void (isHeld ? released : Promise.resolve()).then(() => post.call(this, message, ...rest));
    };
  });
  await begin(page, 1);
  await page.waitForFunction(() => window.isHeld);
  await page.click("label:has-text('Roll automatically')");
  assert.equal(await page.locator(".mail > *").count(), 0);
  await page.evaluate(() => window.release());
  const { mail, record } = unpacked(await linkOf(page));
  assert.deepEqual(mail.events, [0]);
  assert.doesNotMatch(record, /%roll/);
  await done(page);
});

test("a studio on this machine plays by links too, with texts that are pasted", async () => {
  const local = async () => {
    const page = await open();
    await page.context().route("**/api/scripts", (route) => route.fulfill({ json: { folder: "/games", scripts: [] } }));
    await page.goto(page.url().replace("/games/studio/", `/${"0123456789abcdef".repeat(2)}/`));
    await page.waitForFunction(() => document.querySelectorAll("#variant option").length > 20);
    await page.click("#views button[data-to=play]");
    await page.selectOption("#variant", "chess");
    await titled(page, "Chess ");
    return page;
  };
  const [host, guest] = [await local(), await local()];
  const sent = await invite(host);
  assert.match(sent, /^#g=/);
  await host.waitForSelector(".mail >> text=/paste it into the Share dialog/");
  await shot(host, "mail-local");
  await guest.click("#share");
  await guest.fill(`#ask ${FIELD}`, sent);
  await shot(guest, "mail-paste");
  assert.deepEqual(await seriousFaults(guest), []);
  await guest.click("#ask button:text-is('Open')");
  await guest.waitForSelector(".turns li");
  await host.fill(FIELD, await turn(guest));
  await host.click(".mail button:text-is('Open')");
  await host.waitForSelector("#hint:has-text('Your turn')");
  await done(host);
  await done(guest);
});
