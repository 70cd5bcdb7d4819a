// What the tests in a browser share: a plain file server with the page in a sub-path, a browser, and hands to play with.
// Chromium is looked for where Debian has it, or where CHROMIUM says. With SHOTS=folder pictures are left there.

import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const WEB = join(dirname(fileURLToPath(import.meta.url)), "..");
const DIST = join(WEB, "dist");
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

let server;
export let browser;
let address;

before(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    // A token instead of the sub-path is what the program serves.
    const [, rest] = /^\/(?:games\/studio|[0-9a-f]{32})\/(.*)/.exec(path) ?? [, "none"];
    const name = rest || "index.html";
    const file = join(DIST, name);
    if (name.includes("..") || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": KINDS[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${server.address().port}/games/studio/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: QUIET });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** In place of the part of the address after the page: the start page is left as it is. */
export const START = "?";

/** A page that tells of every error, with a game at its board. */
export async function open(options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  // Where much text is replaced at once the browser's own editing tries to keep its style: the policy refuses that, as it should.
  const isFault = (message) => message.type() === "error" && !message.text().startsWith("Applying inline style");
  page.on("console", (message) => isFault(message) && page.faults.push(message.text()));
  await page.goto(address + hash);
  // The list comes with the cards of the start page.
  await page.waitForFunction(() => document.querySelectorAll("#variant option").length > 20);
  if (hash === START) return page;
  if (hash === "") await page.click("#views button:text-is('Play')");
  await page.waitForSelector("#board img");
  return page;
}

/** Goes to a panel: to its workspace, and to its tab if it has one there. */
export async function tab(page, name) {
  const view = await page.evaluate((name) => document.querySelector(`#panel-${name.toLowerCase()}`).dataset.views.split(" "), name);
  const at = await page.evaluate(() => document.body.dataset.view);
  if (!view.includes(at)) await page.click(`#views button[data-to=${view[0]}]`);
  const own = page.locator(`[role=tab]:text-is('${name}'):visible`);
  if (await own.count()) await own.click();
}

/** A page with a game chosen from the list, whose title begins so. */
export async function openGame(name, title) {
  const page = await open();
  await changeGame(page, name, title);
  return page;
}

export async function done(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

export async function shot(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** Nobody but people at the screen plays, so that the test decides what happens. */
export async function humansOnly(page) {
  const at = await page.evaluate(() => document.body.dataset.view);
  await tab(page, "Game");
  for (const select of await page.locator("[id^=seat-]").all()) await select.selectOption("human");
  await page.click(`#views button[data-to=${at}]`);
}

export const count = (page) => page.locator(".turns li").count();
export const text = async (page) => (await page.locator(".turns").innerText()).trim();

const CAN_MOVE = ".square[aria-description='can move']";
const CHOICE = "#choices button, .square[aria-description='can be chosen']";

/** Makes whatever may be done, by mouse: the first choice, or the first piece that can move and its first target. */
export async function act(page) {
  const before = await text(page);
  const roll = page.getByRole("button", { name: "Roll", exact: true });
  const ways = [
    [roll, () => roll.first().click({ timeout: 3000 })],
    [page.locator(CAN_MOVE), () => move(page)],
    [page.locator(CHOICE), () => page.locator(CHOICE).first().click({ timeout: 3000 })],
  ];
  // What is seen can be gone before it is pressed: a roll without a move ends the turn by itself.
  for (let acted = false; !acted; ) {
    await ways.map(([shown]) => shown).reduce((all, shown) => all.or(shown)).first().waitFor();
    for (const [shown, make] of ways) {
      if (acted || !(await shown.count())) continue;
      acted = await make().then(() => true, () => false);
    }
    acted ||= (await text(page)) !== before;
  }
  await page.waitForFunction((before) => document.querySelector(".turns").innerText.trim() !== before, before);
}

async function move(page) {
  await page.locator(CAN_MOVE).first().click({ timeout: 3000 });
  await page.locator(".square.target").first().click({ timeout: 3000 });
  const asked = page.locator(".pick button").first();
  if (await asked.isVisible().catch(() => false)) await asked.click();
}

/** The editor's text replaced. */
export async function write(page, script) {
  await tab(page, "Script");
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(script);
}

export const RACE = (turn) => `title("A race");\nboard(5, 1);\npiece("man", "M", "fW");\nsetup("M3m w");\nfn turn() { ${turn} }\n`;

/** The serious faults that axe finds in a page, for people who use a screen reader. */
export async function seriousFaults(page) {
  // The page's own policy lets nothing in: the test comes in as the browser's own.
  const client = await page.context().newCDPSession(page);
  await client.send("Runtime.evaluate", { expression: readFileSync(join(WEB, "node_modules/axe-core/axe.min.js"), "utf8") });
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
  return serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`);
}

/** Dice that somebody has rolled at the table. */
export async function rollByHand(page, faces) {
  const before = await text(page);
  await page.click("button:text-is('Enter real dice')");
  await page.fill("dialog input", faces);
  await page.click("dialog button.main");
  await page.waitForFunction((before) => document.querySelector(".turns").innerText.trim() !== before, before);
  await page.waitForSelector("#dice .die");
}

/** Another game from the list. */
export async function changeGame(page, name, title) {
  // The same game may be at the board already.
  await page.evaluate(() => (document.title = ""));
  await page.selectOption("#variant", name);
  await page.waitForFunction((title) => document.title.startsWith(title), title);
}
