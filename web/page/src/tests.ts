// Tests of the script: recorded or opened games, their results, changes and coverage; and random games that check the
// properties of all games. `test_store.ts` decides where tests are kept.

import { askText } from "./dialog";
import { el, put, words } from "./dom";
import type { Engine } from "./engine";
import { save } from "./files";
import { Job, type Progress } from "./job";
import { failure } from "./notice";
import type { Examined, GameTest, Tested } from "./protocol";
import type { Store } from "./store";
import type { Table } from "./table";
import { BrowserTests, type TestStore } from "./test_store";

export class Tests {
  readonly panel = el("div");
  private tests: GameTest[] = [];
  /** The store of the tests. */
  private store: TestStore;
  /** Counts the opened scripts, so that late results for an earlier one are ignored. */
  private script = 0;
  private found: Tested["games"] = [];
  /** How many places of the script no test has reached. */
  private missed = 0;
  private readonly list = el("ul", { className: "tests" });
  private readonly verdict = el("p", { role: "status", "aria-live": "polite" });
  private readonly games = el("input", { type: "number", value: "100", min: "1", max: "100000", id: "random-games" });
  private readonly random: Job;

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
    private readonly browser: Store,
    /** Marks lines of the script that no test has reached. */
    private readonly paint: (lines: { first: number; last: number; what: string }[]) => void,
  ) {
    this.store = new BrowserTests(browser, "", "");
    const chooser = el("input", { type: "file", accept: ".game", multiple: true, hidden: true });
    chooser.onchange = () => void this.open([...(chooser.files ?? [])]);
    this.random = new Job(engine, "Play random games", "random games", (progress) => this.playRandom(progress));
    const button = (text: string, act: () => void, className = "") => el("button", { className, onclick: act }, text);
    put(
      this.panel,
      el("p", { className: "note" }, "A test is a recorded game. After you change the script, run the tests to compare each result with the one you accepted."),
      el(
        "div",
        { className: "row" },
        button("Make a test from this game", () => void this.make()),
        button("Open .game files", () => chooser.click()),
        button("Run all", () => void this.run(), "main"),
        chooser,
      ),
      this.verdict,
      this.list,
      el("h2", {}, "Random games"),
      el("p", { className: "note" }, "Random games check properties that must hold in every game. For example: no rule fails, chances add up to one, and records and undo restore the game."),
      el("div", { className: "field" }, el("label", { htmlFor: "random-games" }, "Games"), this.games),
      this.random.button,
      this.random.panel,
    );
  }

  /** Loads the tests of another script, from files if it has any. If it is the same script, `changed`, the current tests
   * stay. */
  async opened(changed: boolean, files?: TestStore): Promise<void> {
    const script = ++this.script;
    this.found = [];
    const { title, named } = { title: this.table.title, named: this.table.named().variant };
    const stay = changed && this.tests.length > 0;
    const kept = new BrowserTests(this.browser, named, title);
    this.store = files ?? kept;
    if (stay && !files) await kept.include(this.tests);
    if (script !== this.script) return;
    if (!stay) {
      this.tests = [];
      this.random.show();
      put(this.verdict);
      const found = await this.store.list().catch((error: unknown) => error);
      if (script !== this.script) return;
      if (Array.isArray(found)) this.tests = found as GameTest[];
      else put(this.verdict, words(found));
    }
    this.show();
  }

  /** The script has become a file: tests kept in the browser move with it. */
  async saved(files: TestStore): Promise<void> {
    if (this.store instanceof BrowserTests) {
      for (const test of this.tests) await files.add(test);
    }
    await this.opened(false, files);
  }

  /** Changes the tests, and shows the new list. */
  private async change(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.tests = await this.store.list();
    } catch (error) {
      put(this.verdict, failure(error));
    }
    this.show();
  }

  private async make(): Promise<void> {
    if (this.table.shown?.course.record === undefined) {
      const why = "A test of this game would reveal secrets. Make the test when the game is over.";
      return put(this.verdict, failure(why));
    }
    const title = await askText("What does this game test?", "Make the test", { value: `Game ${this.tests.length + 1}` });
    if (!title) return;
    await this.add(async () => ({ name: title, text: await this.table.gameFile(title, this.store.script), accepted: "" }));
  }

  private async open(files: File[]): Promise<void> {
    await this.add(...files.map((file) => async () => ({ name: file.name.replace(/\.game$/, ""), text: await file.text(), accepted: "" })));
  }

  /** Adds new tests, and plays all. */
  private async add(...made: (() => Promise<GameTest>)[]): Promise<void> {
    try {
      for (const one of made) await this.store.add(await one());
    } catch (error) {
      put(this.verdict, failure(error));
      return;
    }
    await this.run();
  }

  /** Plays all tests. */
  private async run(): Promise<void> {
    this.found = [];
    await this.change(async () => {});
    if (this.tests.length === 0) {
      put(this.verdict, "There are no tests yet. Play a game, then make a test from it.");
      return;
    }
    put(this.verdict, "Playing…");
    try {
      await this.table.give(this.engine, this.store.script);
      const asked = { variant: this.store.script, games: this.tests.map((one) => one.text), accepted: this.tests.map((one) => one.accepted) };
      const { games, coverage } = await this.engine.ask<Tested>("test", asked);
      this.found = games.map((game, index) => ({ ...game, ...(this.tests[index]?.error !== undefined && { error: this.tests[index].error }) }));
      this.missed = coverage.length;
      this.tell();
      this.paint(coverage);
    } catch (error) {
      this.found = [];
      put(this.verdict, failure(error));
    }
    this.show();
  }

  /** Shows the number of tests with each result. */
  private tell(): void {
    const states = this.tests.map((test, index) => state(test, this.found[index]));
    const count = (wanted: string) => states.filter((one) => one === wanted).length;
    const failed = count("failed") + count("changed");
    const missed = this.missed === 0 ? "The tests reach every line of the script." : `The tests do not reach ${this.missed} ${this.missed === 1 ? "place" : "places"} in the script, marked in the Script tab.`;
    put(this.verdict, `${count("passed")} passed, ${failed} failed, ${count("not accepted yet")} not accepted yet. ${missed}`);
  }

  private show(): void {
    put(this.list, ...this.tests.map((test, index) => this.row(test, index)));
  }

  private row(test: GameTest, index: number): HTMLElement {
    const found = this.found[index];
    const now = state(test, found);
    const button = (text: string, act: () => void) => el("button", { onclick: act }, text);
    const { store } = this;
    const accept = () =>
      void this.change(async () => {
        await store.accept(test, found?.transcript ?? "");
        if (found) found.diff = "";
        test.accepted = found?.transcript ?? "";
        this.tell();
      });
    const forget = () => {
      this.found.splice(index, 1);
      void this.change(() => store.remove?.(test) ?? Promise.resolve());
    };
    return el(
      "li",
      { className: now === "passed" ? "good" : found ? "bad" : "" },
      el("div", {}, el("strong", {}, test.name), ` ${now}`),
      found && now !== "passed" && el("pre", { className: "diff" }, ...diffLines(found.error ?? found.diff)),
      el(
        "div",
        { className: "row" },
        found?.transcript !== undefined && found.diff !== "" && button("Accept", accept),
        store.remove && button("Save as .game", () => save(`${test.name.replaceAll(/[^\w -]/g, "")}.game`, test.text, "text/plain")),
        store.remove && button("Remove", forget),
      ),
    );
  }

  private async playRandom(progress: Progress): Promise<Node[]> {
    await this.table.give(this.engine, this.store.script);
    const games = Math.max(1, Math.min(100000, Math.round(Number(this.games.value)) || 100));
    const asked = { ...this.table.named(), variant: this.store.script, games, progress: true };
    const found = await this.engine.ask<Examined>("random_games", asked, progress);
    const { failure, game } = found;
    const keep = (text: string) => void this.add(async () => ({ name: `Random game ${this.tests.length + 1}`, text, accepted: "" }));
    return [
      el("p", { className: failure ? "error" : "good" }, failure ? "A property does not hold:" : `${found.games} ${found.games === 1 ? "game" : "games"}: all properties hold${found.complete ? "." : ". The time limit ended the run early."}`),
      ...(failure ? [el("pre", {}, failure)] : []),
      ...(game ? [el("pre", {}, game), el("button", { onclick: () => keep(game) }, "Keep as a test")] : []),
      el("pre", {}, found.report),
    ];
  }
}

/** The state of a test. */
function state(test: GameTest, found: Tested["games"][number] | undefined): string {
  if (!found) return "not played";
  if (found.error !== undefined) return "failed";
  if (found.diff === "") return "passed";
  return test.accepted === "" ? "not accepted yet" : "changed";
}

/** The lines of a diff, each marked by its sign. */
function diffLines(text: string): Node[] {
  const kind = (line: string) => (line.startsWith("+") ? "added" : line.startsWith("-") ? "gone" : "");
  return text.split("\n").map((line) => el("span", { className: kind(line) }, `${line}\n`));
}
