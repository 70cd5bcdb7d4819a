// Many random games in a separate engine, and their statistics.

import { el, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import type { Table } from "./table";

interface Report {
  games: number;
  results: Record<string, { count: number; share: number; low: number; high: number }>;
  length?: Record<string, unknown>;
}

/** The players of the games, with their labels. */
const PLAYERS = { random: "Random moves", greedy: "Captures if possible", "computer:1": "Computer (level 1)" };

export class Lab {
  readonly panel = el("div");
  private readonly bar = el("div");
  private readonly out = el("div", { "aria-live": "polite" });
  private readonly games = el("input", { type: "number", value: "1000", min: "1", max: "100000", id: "lab-games" });
  private readonly players = el(
    "select",
    { id: "lab-players" },
    ...Object.entries(PLAYERS).map(([value, label]) => el("option", { value }, label)),
  );
  private readonly run = el("button", { type: "button", className: "main" }, "Play");

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
  ) {
    this.run.onclick = () => (this.engine.busy ? this.engine.stop() : void this.play());
    put(
      this.panel,
      el("p", { className: "note" }, "The computer plays many games against itself, and reports how often each side wins."),
      el("div", { className: "field" }, el("label", { htmlFor: "lab-games" }, "Games"), this.games),
      el("div", { className: "field" }, el("label", { htmlFor: "lab-players" }, "Players"), this.players),
      this.run,
      el("div", { className: "bar", role: "progressbar", "aria-label": "Games played" }, this.bar),
      this.out,
    );
  }

  private async play(): Promise<void> {
    this.run.textContent = "Stop";
    this.bar.style.width = "0";
    put(this.out);
    const begun = performance.now();
    try {
      await this.table.give(this.engine);
      const games = Math.max(1, Math.min(100000, Math.round(Number(this.games.value)) || 1000));
      const asked = { ...this.table.named(), games, players: [this.players.value], progress: true };
      const { complete, report } = await this.engine.ask<{ complete: boolean; report: Report }>("simulate", asked, (done, of) => {
        this.bar.style.width = `${(100 * done) / of}%`;
      });
      this.bar.style.width = "100%";
      this.show(report, complete, (performance.now() - begun) / 1000);
    } catch (error) {
      if (!(error instanceof Stopped)) put(this.out, el("p", { className: "error" }, words(error)));
    }
    this.run.textContent = "Play";
  }

  private show(report: Report, complete: boolean, seconds: number): void {
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    const names: Record<string, string> = { draw: "Drawn", unfinished: "Unfinished" };
    const row = ([name, one]: [string, Report["results"][string]]) =>
      el(
        "tr",
        {},
        el("td", {}, names[name] ?? `${this.table.side(name as never)} wins`),
        el("td", { className: "number" }, percent(one.share)),
        el("td", { className: "number" }, `${percent(one.low)} to ${percent(one.high)}`),
      );
    put(
      this.out,
      el("p", {}, `${report.games === 1 ? "1 game" : `${report.games.toLocaleString("en")} games`} in ${seconds.toFixed(1)} s${complete ? "" : ", until the time limit"}.`),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...["Result", "Share", "95 % interval"].map((text) => el("th", { scope: "col" }, text)))),
        el("tbody", {}, ...Object.entries(report.results).map(row)),
      ),
      el("details", {}, el("summary", {}, "Full report"), el("pre", {}, JSON.stringify(report, null, 1))),
    );
  }
}
