// Tests of the script: games that were played or opened, what they come to, what has changed, what of the script they have not
// reached; and random games that look whether everything holds. Tests are kept by the browser for each script, and saved as
// files for whoever wants them elsewhere.

import { ask } from "./dialog";
import { el, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import { save } from "./files";
import type { Examined, Tested } from "./protocol";
import type { Table } from "./table";

/** A game as a test. */
interface GameTest {
  name: string;
  /** The `.game` file. */
  text: string;
  /** What it came to when somebody said that this is right; empty if nobody has. */
  accepted: string;
}

export class Tests {
  readonly panel = el("div");
  private tests: GameTest[] = [];
  private found: Tested["games"] = [];
  /** So many places of the script no test has reached. */
  private missed = 0;
  private readonly list = el("ul", { className: "tests" });
  private readonly verdict = el("p", { role: "status", "aria-live": "polite" });
  private readonly games = el("input", { type: "number", value: "100", min: "1", max: "100000", id: "random-games" });
  private readonly random = el("button", { type: "button" }, "Play random games");
  private readonly bar = el("div");
  private readonly out = el("div", { "aria-live": "polite" });

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
    /** Paints lines of the script that nothing has reached. */
    private readonly paint: (lines: { first: number; last: number; what: string }[]) => void,
  ) {
    const chooser = el("input", { type: "file", accept: ".game", multiple: true, hidden: true });
    chooser.onchange = () => void this.open([...(chooser.files ?? [])]);
    this.random.onclick = () => (this.engine.busy ? this.engine.stop() : void this.playRandom());
    const button = (text: string, act: () => void, className = "") => el("button", { type: "button", className, onclick: act }, text);
    put(
      this.panel,
      el("p", { className: "note" }, "A game that was played is a test: what it comes to is compared with what was accepted, whenever the script changes."),
      el(
        "div",
        { className: "row" },
        button("Make a test of this game", () => void this.make()),
        button("Open .game files", () => chooser.click()),
        button("Run all", () => void this.run(), "main"),
        chooser,
      ),
      this.verdict,
      this.list,
      el("h2", {}, "Random games"),
      el("p", { className: "note" }, "They look whether no rule fails, chances add up to one, records and undo lead back, and whatever else holds for every game."),
      el("div", { className: "field" }, el("label", { htmlFor: "random-games" }, "Games"), this.games),
      this.random,
      el("div", { className: "bar", role: "progressbar", "aria-label": "Random games played" }, this.bar),
      this.out,
    );
  }

  /** Where the browser keeps the tests of the script at hand. */
  private get place(): string {
    return `tests of ${this.table.title}`;
  }

  /** Another script is played: its tests are taken up. Where it is the same script `changed`, those at hand stay. */
  opened(changed: boolean): void {
    this.found = [];
    if (changed && this.tests.length > 0) return this.keep();
    this.tests = [];
    put(this.out);
    put(this.verdict);
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.place) ?? "[]");
      const isTest = (one: unknown): one is GameTest =>
        typeof one === "object" && one !== null && ["name", "text", "accepted"].every((key) => typeof (one as Record<string, unknown>)[key] === "string");
      this.tests = Array.isArray(kept) ? kept.filter(isTest) : [];
    } catch {
      // Nothing is kept here, or something that is none of ours.
    }
    this.show();
  }

  private keep(): void {
    try {
      localStorage.setItem(this.place, JSON.stringify(this.tests));
    } catch {
      put(this.verdict, "The browser keeps nothing here: save the tests as files.");
    }
    this.show();
  }

  private async make(): Promise<void> {
    const field = el("input", { type: "text", value: `Game ${this.tests.length + 1}`, "aria-label": "What the test is about" });
    const title = await ask<string>("What is this game to show?", (done) => [
      field,
      el("div", { className: "row" }, el("button", { type: "button", className: "main", onclick: () => done(field.value.trim()) }, "Make the test"), el("button", { type: "button", onclick: () => done(undefined) }, "Cancel")),
    ]);
    if (!title) return;
    try {
      const text = await this.table.gameFile(title);
      this.tests = [...this.tests.filter((one) => one.name !== title), { name: title, text, accepted: "" }];
      this.keep();
      await this.run();
    } catch (error) {
      put(this.verdict, words(error));
    }
  }

  private async open(files: File[]): Promise<void> {
    for (const file of files) {
      const name = file.name.replace(/\.game$/, "");
      this.tests = [...this.tests.filter((one) => one.name !== name), { name, text: await file.text(), accepted: "" }];
    }
    this.keep();
    await this.run();
  }

  /** Plays all tests. */
  private async run(): Promise<void> {
    if (this.tests.length === 0) {
      put(this.verdict, "There are no tests yet: play a game, and make one of it.");
      return;
    }
    put(this.verdict, "playing ..");
    try {
      await this.table.give(this.engine);
      const asked = { variant: this.table.named().variant, games: this.tests.map((one) => one.text), accepted: this.tests.map((one) => one.accepted) };
      const { games, coverage } = await this.engine.ask<Tested>("test", asked);
      this.found = games;
      this.missed = coverage.length;
      this.tell();
      this.paint(coverage);
    } catch (error) {
      this.found = [];
      put(this.verdict, el("span", { className: "error" }, error instanceof Stopped ? "Stopped." : words(error)));
    }
    this.show();
  }

  /** Counts what the tests came to. */
  private tell(): void {
    const states = this.tests.map((test, index) => state(test, this.found[index]));
    const count = (wanted: string) => states.filter((one) => one === wanted).length;
    const failed = count("failed") + count("has changed");
    const missed = this.missed === 0 ? "The tests reach the whole script." : `${this.missed} ${this.missed === 1 ? "place" : "places"} of the script they do not reach, painted in the tab Script.`;
    put(this.verdict, `${count("passed")} passed, ${failed} failed, ${count("not accepted yet")} not accepted yet. ${missed}`);
  }

  private show(): void {
    put(this.list, ...this.tests.map((test, index) => this.row(test, index)));
  }

  private row(test: GameTest, index: number): HTMLElement {
    const found = this.found[index];
    const now = state(test, found);
    const button = (text: string, act: () => void) => el("button", { type: "button", onclick: act }, text);
    const accept = () => {
      test.accepted = found?.transcript ?? "";
      if (found) found.diff = "";
      this.keep();
      this.tell();
    };
    const forget = () => {
      this.tests.splice(index, 1);
      this.found.splice(index, 1);
      this.keep();
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
        button("Save as .game", () => save(`${test.name.replaceAll(/[^\w -]/g, "")}.game`, test.text, "text/plain")),
        button("Remove", forget),
      ),
    );
  }

  private async playRandom(): Promise<void> {
    this.random.textContent = "Stop";
    this.bar.style.width = "0";
    put(this.out);
    try {
      await this.table.give(this.engine);
      const games = Math.max(1, Math.min(100000, Math.round(Number(this.games.value)) || 100));
      const asked = { ...this.table.named(), games, progress: true };
      const found = await this.engine.ask<Examined>("random_games", asked, (done, of) => {
        this.bar.style.width = `${(100 * done) / of}%`;
      });
      this.bar.style.width = "100%";
      this.examined(found);
    } catch (error) {
      put(this.out, el("p", { className: "error" }, error instanceof Stopped ? "Stopped." : words(error)));
    }
    this.random.textContent = "Play random games";
  }

  private examined(found: Examined): void {
    const { failure, game } = found;
    const keep = () => {
      if (!game) return;
      this.tests.push({ name: `Random game ${this.tests.length + 1}`, text: game, accepted: "" });
      this.keep();
      void this.run();
    };
    put(
      this.out,
      el("p", { className: failure ? "error" : "good" }, failure ? "Something does not hold:" : `${found.games} games: everything holds${found.complete ? "." : "; then the time was over."}`),
      failure && el("pre", {}, failure),
      game && el("pre", {}, game),
      game && el("button", { type: "button", onclick: keep }, "Keep it as a test"),
      el("pre", {}, found.report),
    );
  }
}

/** How a test stands. */
function state(test: GameTest, found: Tested["games"][number] | undefined): string {
  if (!found) return "not played";
  if (found.error !== undefined) return "failed";
  if (found.diff === "") return "passed";
  return test.accepted === "" ? "not accepted yet" : "has changed";
}

/** Lines of a difference, each marked by its sign. */
function diffLines(text: string): Node[] {
  const kind = (line: string) => (line.startsWith("+") ? "added" : line.startsWith("-") ? "gone" : "");
  return text.split("\n").map((line) => el("span", { className: kind(line) }, `${line}\n`));
}
