// What goes wrong: a store that refuses, files that are missing, tabs that are killed or change the same game. Nothing that a
// person has made is lost, and the page says what is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { START, done, humansOnly, open, seriousFaults, shot, tab as openPanel, write } from "./common.mjs";
import { SIDEWAYS, STORED, begunChess, drag, kill, link, myGames, openKept, otherTab, pawnOn, ready, reload, script, stored, titled } from "./kept.mjs";

/** A page that no service worker answers for, so that files can be missing; it is given to `prepare` before it is loaded. */
async function openWithout(prepare, hash = "") {
  const first = await open({ serviceWorkers: "block" }, START);
  const page = await first.context().newPage();
  page.setDefaultTimeout(30_000);
  await prepare(page);
  await page.goto(first.url().split("?")[0] + hash);
  return page;
}

/** Holds back requests of these methods to all engines of pages that are loaded from now on, while `window.held` names them. */
const holds = (page) =>
  page.addInitScript(() => {
    window.held = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...given) {
      if (!window.held.some((method) => String(given[0]).includes(`"method":"${method}"`))) postMessage.apply(this, given);
    };
  });

test("where the browser stores nothing, the page says so once, works, and asks before it is left", async () => {
  const page = await open();
  await page.addInitScript(() => Object.defineProperty(window, "indexedDB", { get: () => { throw new DOMException("no", "SecurityError"); } }));
  await page.goto(page.url());
  await page.reload();
  await ready(page);
  // A page that is left before anybody has touched it cannot ask, and the browser says so.
  page.faults.length = 0;
  await page.waitForSelector(".warning:has-text('does not let the studio store anything')");
  await page.selectOption("#variant", "chess");
  await titled(page, "Chess ");
  await humansOnly(page);
  await drag(page, "e2", "e4");
  await pawnOn(page, "e4");
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  await openKept(page, "Chess");
  await pawnOn(page, "e4");
  const asked = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.evaluate(() => setTimeout(() => location.reload(), 0));
  while (asked.length === 0) await page.waitForTimeout(50);
  assert.deepEqual(asked, ["beforeunload"]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

/** Makes every transaction fail as in a full store, until `window.empty()`. */
async function fillStore(page) {
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    window.empty = () => (IDBObjectStore.prototype.put = put);
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given);
      Object.defineProperty(this.transaction, "error", { value: new DOMException("full", "QuotaExceededError") });
      this.transaction.abort();
      return request;
    };
  });
}

test("a change that a full store refuses begins with what is stored", async () => {
  const page = await begunChess();
  await openPanel(page, "Tests");
  const make = async (name) => {
    await page.click("text=Make a test from this game");
    await page.fill("dialog input", name);
    await page.click("dialog button.main");
    await page.waitForSelector(`#panel-tests li:has-text('${name}')`);
  };
  await make("One");
  await page.waitForTimeout(STORED);
  await fillStore(page);
  await make("Two");
  await page.waitForSelector("#panel-tests li:has-text('One')", { timeout: 2000 });
  await page.context().close();
});

test("a full store is told of once, and nothing is lost while the page is open", async () => {
  const page = await begunChess();
  await page.waitForTimeout(STORED);
  await fillStore(page);
  await drag(page, "e7", "e5");
  await page.waitForSelector(".warning:has-text('storage is full')");
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  await openKept(page, "Chess");
  await page.waitForSelector("#board [aria-label='e5, black pawn']");
  // Room again: what was kept in the page is stored with the next change.
  await page.evaluate(() => window.empty());
  await drag(page, "d2", "d4");
  await pawnOn(page, "d4");
  await page.waitForTimeout(STORED);
  await reload(page);
  await pawnOn(page, "d4");
  await page.context().close();
});

test("what a full store has refused is stored as soon as there is room, without another move", async () => {
  const page = await begunChess();
  await stored(page, "1. e4 ");
  await fillStore(page);
  await drag(page, "e7", "e5");
  await page.waitForSelector(".warning:has-text('storage is full')");
  await page.waitForFunction(() => Object.values(localStorage).some((text) => text.includes("1. e4 e5")));
  await page.evaluate(() => window.empty());
  // The user looks at another tab.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await stored(page, "1. e4 e5");
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith("astragal games")));
  await page.waitForSelector(".warning", { state: "detached" });
  await done(page);
});

test("what a full store has refused outlives a tab that is killed", async () => {
  const page = await begunChess();
  await stored(page, "1. e4 ");
  await fillStore(page);
  await drag(page, "e7", "e5");
  await page.waitForFunction(() => Object.values(localStorage).some((text) => text.includes("1. e4 e5")));
  await kill(page);
  const tab = await otherTab(page, page.url());
  await tab.waitForSelector("#board [aria-label='e5, black pawn']");
  await stored(tab, "1. e4 e5");
  assert.deepEqual((await myGames(tab)).length, 1);
  await page.context().close();
});

test("a database that opens later keeps what was done before", async () => {
  const page = await openWithout((page) =>
    page.addInitScript(() => {
      const real = window.indexedDB;
      window.isClosed = true;
      Object.defineProperty(window, "indexedDB", {
        get: () => {
          if (window.isClosed) throw new DOMException("no", "UnknownError");
          return real;
        },
      });
    }),
  );
  await page.click(".card[data-game=chess]");
  await titled(page, "Chess ");
  await humansOnly(page);
  await drag(page, "e2", "e4");
  await pawnOn(page, "e4");
  await page.waitForSelector(".warning:has-text('does not let the studio store anything')");
  await page.evaluate(() => (window.isClosed = false));
  await drag(page, "e7", "e5");
  await page.waitForSelector("#board [aria-label='e5, black pawn']");
  await page.waitForSelector(".warning", { state: "detached" });
  await stored(page, "1. e4 e5");
  await page.context().close();
});

test("after two tabs have changed a game, Go back to it leads to one's own", async () => {
  const page = await begunChess();
  await stored(page, "1. e4 ");
  const tab = await otherTab(page);
  await pawnOn(tab, "e4");
  await drag(tab, "e7", "e5");
  await stored(page, "1. e4 e5");
  await drag(page, "d7", "d5");
  await page.waitForSelector("#board [aria-label='d5, black pawn']");
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  await page.click("#notice button:text-is('Go back to it')");
  await page.waitForSelector("#board [aria-label='d5, black pawn']");
  // The same for Back, and the other tab still has its own.
  await page.selectOption("#variant", "dice-chess");
  await titled(page, "Dice Chess");
  await page.goBack();
  await page.waitForSelector("#board [aria-label='d5, black pawn']");
  await reload(tab);
  await tab.waitForSelector("#board [aria-label='e5, black pawn']");
  await done(page);
});

test("a move that is made while the rulebook is awaited outlives a tab that is killed", async () => {
  const page = await openWithout(holds);
  await page.evaluate(() => window.held.push("rules"));
  await page.click(".card[data-game=chess]");
  await page.waitForSelector("#board img");
  await drag(page, "e2", "e4");
  await pawnOn(page, "e4");
  await stored(page, "1. e4 ");
  await kill(page);
  await pawnOn(await otherTab(page, page.url()), "e4");
  await page.context().close();
});

test("what is typed while another game starts stays with the script", async () => {
  const page = await openWithout(holds);
  await page.click("#views [data-to=write]");
  await page.waitForSelector("#board img");
  await page.evaluate(() => window.held.push("load"));
  await page.selectOption("#variant", "chess");
  await write(page, SIDEWAYS.replace("board(5", "baord(5"));
  await stored(page, "baord(5");
  await kill(page);
  const tab = await otherTab(page, page.url());
  await openPanel(tab, "Script");
  assert.match(await script(tab), /baord/);
  await page.context().close();
});

test("messages are seen in every view, and can be closed", async () => {
  for (const options of [{ viewport: { width: 1280, height: 800 } }, { viewport: { width: 360, height: 740 }, colorScheme: "dark" }]) {
    const first = await open({ ...options, serviceWorkers: "block" }, START);
    const page = await first.context().newPage();
    page.setDefaultTimeout(30_000);
    await page.route("**/*.wasm", (route) => route.abort());
    await page.goto(first.url());
    await page.click(".card[data-game=chess]");
    for (const view of ["write", "study", "play"]) await page.click(`#views [data-to=${view}]`);
    const notice = page.locator("#notice:has-text('The engine could not be loaded')");
    await notice.waitFor();
    for (const view of ["start", "play", "write", "study"]) {
      await page.click(`#views [data-to=${view}]`);
      // The view may try again, and fail again.
      await notice.waitFor();
      const box = await notice.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= options.viewport.height && box.x + box.width <= options.viewport.width, `${view} ${JSON.stringify(box)}`);
      await shot(page, `message-${view}-${options.viewport.width}`);
    }
    assert.deepEqual(await seriousFaults(page), []);
    await page.click("#notice button[aria-label=Close]");
    assert.equal(await page.locator("#notice").isVisible(), false);
    // The next request tries again.
    await page.unroute("**/*.wasm");
    await page.click("#views [data-to=start]");
    await page.click(".card[data-game=chess]");
    await page.waitForSelector("#board img");
    await page.context().close();
  }
});

test("without its list of games the page says so, and opens links, games and the start page", async () => {
  for (const body of ["nothing to parse", '{"games": 5}', undefined]) {
    const page = await openWithout((page) => page.route("**/games.json", (route) => (body ? route.fulfill({ body }) : route.abort())), link({ text: SIDEWAYS }));
    await titled(page, "A race");
    await page.waitForSelector("#board img");
    await page.waitForSelector(".warning:has-text('The list of games could not be loaded.')");
    await humansOnly(page);
    await page.locator(".square[aria-description='can move']").first().click();
    await page.locator(".square.target").first().click();
    await page.waitForSelector(".turns li");
    await reload(page);
    await page.waitForSelector(".turns li");
    // The engine has the names of the games.
    await page.selectOption("#variant", "chess");
    await titled(page, "Chess ");
    await page.click("#views [data-to=start]");
    await page.waitForSelector("#kept button.kept:has-text('A race')");
    assert.ok(await page.locator(".warning").isVisible());
    await shot(page, "no-list");
    const tab = await page.context().newPage();
    await tab.route("**/games.json", (route) => route.abort());
    await tab.goto(page.url());
    await tab.click("#views [data-to=play]");
    await tab.waitForSelector("#board img");
    await page.context().close();
  }
});

test("a board in another page stores nothing", async () => {
  const page = await open({}, link({ variant: "chess", diagram: true }));
  assert.equal(await page.locator("header").isVisible(), false);
  await drag(page, "e2", "e4");
  await pawnOn(page, "e4");
  await page.waitForFunction(() => document.querySelectorAll(".turns li").length >= 2);
  await page.waitForTimeout(STORED);
  const kept = await page.evaluate(async () => {
    const database = await new Promise((done) => (indexedDB.open("astragal").onsuccess = (event) => done(event.target.result)));
    const counts = [...database.objectStoreNames].map((name) => new Promise((done) => (database.transaction(name).objectStore(name).count().onsuccess = (event) => done(event.target.result))));
    return { stored: await Promise.all(counts), places: [...Object.keys(localStorage), ...Object.keys(sessionStorage)] };
  });
  assert.ok(kept.stored.every((count) => count === 0), kept.stored.join());
  assert.deepEqual(kept.places, []);
  await done(page);
});

test("the engine is fetched and compiled once for all that it does", async () => {
  const page = await openWithout(async (page) => {
    page.fetched = 0;
    page.on("request", (request) => (page.fetched += request.url().endsWith(".wasm") ? 1 : 0));
    await page.addInitScript(() => {
      window.made = [0, 0];
      const { compileStreaming } = WebAssembly;
      WebAssembly.compileStreaming = (...given) => (window.made[0]++, compileStreaming(...given));
      window.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          window.made[1]++;
        }
      };
    });
  });
  await page.click(".card[data-game=chess]");
  await page.waitForSelector("#board img");
  await openPanel(page, "Odds");
  await page.click("text=Trace the rules of this turn");
  await page.waitForSelector("#panel-trace details");
  await openPanel(page, "Script");
  await page.waitForFunction(() => window.made[1] >= 3);
  const [compiled] = await page.evaluate(() => window.made);
  assert.equal(compiled, 1);
  assert.equal(page.fetched, 1);
  await page.context().close();
});
