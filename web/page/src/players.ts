// Trained players: one for each game. Opens its file, trains it and keeps it in the browser, or fetches the one that comes with the
// page; gives it to the engines. It knows neither how players learn nor how they decide.

import { el, words } from "./dom";
import { type Engine, type EngineFile, Stopped } from "./engine";
import { save } from "./files";
import { Job, type Progress } from "./job";
import { playersKey } from "./load";
import { offer } from "./notice";
import type { Training } from "./protocol";
import type { Store } from "./store";
import type { Table } from "./table";

/** How long a player can be trained at once, in minutes. */
const MINUTES = [1, 5, 15, 60];

/** The service learns this long before it answers, in seconds. */
const ROUND = 3;

/** The strength is measured after this time in seconds, and whenever the time has doubled, in this number of games. */
const PROBE = { after: 12, games: 50 };

/** Whether there is a trained player for the game, and what resolves when the engines have it. */
export interface Trained {
  has(): boolean;
  ready(): Promise<void>;
}

export class Players {
  readonly panel = el("div");
  private readonly minutes = el("select", { id: "minutes" }, ...MINUTES.map((count) => el("option", { value: count }, count === 1 ? "1 minute" : `${count} minutes`)));
  private readonly buttons = el("div", { className: "row", hidden: true }, el("button", { onclick: () => this.play() }, "Play against it"), el("button", { onclick: () => this.save() }, "Save file"));
  private readonly job: Job;
  /** The rules at the board, the file for them, and the search for it. */
  private rules = "";
  private file: EngineFile | undefined;
  private search: Promise<unknown> = Promise.resolve();
  /** The one that comes with the page, while it is fetched: two seats can ask for it at once. */
  private coming: Promise<void> | undefined;

  constructor(
    /** Trains. */
    private readonly engine: Engine,
    private readonly table: Table,
    private readonly store: Store,
    /** Whether the page has a trained player for an included game. */
    private readonly comes: (name: string) => boolean,
    /** Gives the player of these rules to the other engines. */
    private readonly share: (file: EngineFile, rules: string) => void,
    /** There is a trained player for the game, or no longer. */
    private readonly changed: () => void,
    /** Lets it play against the user. */
    private readonly play: () => void,
  ) {
    this.job = new Job(engine, "Train", "seconds", (progress) => this.train(progress));
    this.panel.append(
      el("p", { className: "note" }, "The computer plays against itself and learns to evaluate positions of this game. If you train again, training continues where it left off."),
      el("div", { className: "row" }, this.job.button, el("label", { htmlFor: "minutes" }, "for"), this.minutes),
      this.job.panel,
      this.buttons,
    );
  }

  /** Whether a file contains a trained player: the length of its header, as eight bytes, and an object. */
  static async isFile(file: File): Promise<boolean> {
    const start = new Uint8Array(await file.slice(0, 9).arrayBuffer());
    return start[7] === 0 && start[8] === "{".charCodeAt(0);
  }

  /** Whether there is one for the game at the board. */
  get has(): boolean {
    return this.file !== undefined || this.isIncluded;
  }

  /** Whether the page has one for the rules at the board: its game with all defaults. */
  private get isIncluded(): boolean {
    const { script, options } = this.table;
    return script.text === undefined && Object.keys(options).length === 0 && this.comes(script.variant);
  }

  /** The key of what is kept for the rules at the board. */
  private get key(): string {
    return JSON.stringify([playersKey(this.table.script), this.table.options]);
  }

  /** Follows the rules at the board. */
  show(): void {
    const { rules } = this.table;
    if (this.rules === rules) return;
    this.rules = rules;
    this.job.clear();
    this.use(undefined);
    this.coming = undefined;
    // A script that has changed since then needs another player.
    this.search = this.store.get<EngineFile>("players", this.key).then((kept) => kept && this.take(kept)).catch(() => {});
  }

  /** Resolves when the engines have the player for the rules at the board; rejects if there is none. */
  async ready(): Promise<void> {
    await this.search;
    if (this.file) return;
    if (!this.isIncluded) throw new Error("There is no trained player for these rules. Open the file of a trained player, or train one in Study.");
    const coming = (this.coming ??= this.fetch());
    // After a failure, the next request tries again.
    await coming.finally(() => this.coming === coming && (this.coming = undefined));
  }

  private async fetch(): Promise<void> {
    const answer = await fetch(`players/${this.table.script.variant}.learned`);
    if (!answer.ok) throw new Error("The trained player of this game could not be loaded. Choose another player, or try again.");
    await this.take(new Uint8Array(await answer.arrayBuffer()));
  }

  /** Opens a file that the user has chosen, and keeps it. */
  async open(chosen: File): Promise<void> {
    if (!this.table.shown) throw new Error(`${chosen.name} is a trained player. Open its game first.`);
    // The game may have just begun.
    this.show();
    const { key } = this;
    try {
      const file = new Uint8Array(await chosen.arrayBuffer());
      await this.take(file);
      void this.store.update("players", key, () => file);
    } catch (error) {
      throw new Error(`${chosen.name} cannot be opened: ${words(error)}.`);
    }
    offer(`${chosen.name} is a trained player for this game.`, "Play against it", this.play);
  }

  /** Uses a file for the rules at the board; throws if it is damaged or for others. */
  private async take(file: EngineFile): Promise<void> {
    const { rules, table } = this;
    const named = table.named();
    await table.engine.open("player", file, rules);
    const { why } = await table.engine.ask<{ why: string | null }>("trained", named);
    if (why !== null) throw new Error(why);
    if (rules === this.rules) this.use(file);
  }

  private use(file: EngineFile | undefined): void {
    this.file = file;
    this.buttons.hidden = !file;
    if (file) {
      this.engine.add("player", file, this.rules);
      this.share(file, this.rules);
    }
    this.changed();
  }

  private save(): void {
    if (this.file) save(`${this.table.script.variant.replace(/\.rhai$/, "")}.learned`, this.file, "application/octet-stream");
  }

  private async train(progress: Progress): Promise<Node[]> {
    const { engine, table, rules, key } = this;
    if (!table.shown) throw new Error("There is no game to train for: the script cannot be played yet.");
    const named = table.named();
    const seconds = 60 * Number(this.minutes.value);
    await this.search;
    await table.give(engine);
    const begun = performance.now();
    const ask = (how: object) => engine.ask<Training>("train", { ...named, ...how });
    let file: EngineFile | undefined;
    let [learned, strength] = ["", ""];
    const line = () => el("p", {}, learned, strength);
    try {
      for (let spent = 0, probe = PROBE.after; spent < seconds; ) {
        const { games, error } = await ask({ seconds: Math.min(ROUND, seconds - spent) });
        file = await engine.open("player", undefined, rules);
        spent = Math.round((performance.now() - begun) / 1000);
        learned = `It has learned from ${games.toLocaleString("en")} games. From one estimate to the next, its winning chance changes by ${(100 * error).toFixed(1)}% on average.`;
        if (spent >= Math.min(probe, seconds)) {
          const { greedy } = await ask({ seconds: 0, probe: PROBE.games });
          if (greedy) strength = ` It won ${greedy.won} of ${greedy.games} games against “Captures if possible”.`;
          probe = 2 * spent;
        }
        progress(Math.min(spent, seconds), seconds);
        this.job.show(line());
      }
    } catch (error) {
      // What was learned before the user stopped the training is kept.
      if (!(error instanceof Stopped) || !file) throw error;
    }
    const made = file;
    void this.store.update("players", key, () => made);
    if (rules === this.rules) this.use(made);
    return [line()];
  }
}
