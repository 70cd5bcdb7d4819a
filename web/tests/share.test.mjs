// Sharing: links to a game, a position or a script, files, and a game that two people at two machines play by links alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { act, count, done, humansOnly, open, openGame, seriousFaults, shot, START, text } from "./common.mjs";

const packed = (shared) => `#g=${deflateRawSync(JSON.stringify({ version: 1, ...shared })).toString("base64url")}`;
const unpacked = (link) => JSON.parse(inflateRawSync(Buffer.from(link.split("#g=")[1], "base64url")).toString());

/** Begins a game by links as the first side, and returns the link of the invitation. */
async function invite(page) {
  await page.click("#share");
  await page.click("dialog button:text-is('Play with a friend by links')");
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
