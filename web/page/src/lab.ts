// Many games of the computer against itself in a separate engine: results, lengths and luck, as charts.

import { el, put } from "./dom";
import { TRAINED } from "./computer";
import type { Engine } from "./engine";
import { Job, type Progress } from "./job";
import { bar, number, plot, table as grid } from "./plots";
import type { Lengths, SimulationReport } from "./protocol";
import type { Trained } from "./players";
import type { Table } from "./table";

/** The players of the games, with their labels. */
const PLAYERS = {
  random: "Random moves",
  greedy: "Captures if possible",
  "computer:1": "Computer (level 1)",
  "computer:2": "Computer (level 2, slow)",
  "computer:3": "Computer (level 3, very slow)",
};

/** The usual number of games: of fast players, and if a computer plays. */
const GAMES = { fast: 1000, slow: 100 };

/** Whether a player evaluates positions, which is slow. */
const evaluates = (player: string): boolean => player.startsWith("computer") || player in TRAINED;

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export class Lab {
  readonly panel = el("div");
  private readonly games = el("input", { type: "number", value: String(GAMES.fast), min: "1", max: "100000", id: "lab-games" });
  private readonly seats = el("div");
  private readonly job: Job;
  /** The rules whose results are shown, and the sides whose players are. */
  private shown = { rules: "", sides: "" };

  constructor(
    readonly engine: Engine,
    private readonly table: Table,
    private readonly trained: Trained,
  ) {
    this.job = new Job(engine, "Play", "games", (progress) => this.play(progress));
    this.panel.append(
      el("p", { className: "note" }, "The computer plays many games and reports how they ended and why, and how long they took."),
      el("div", { className: "fields" }, el("div", { className: "field" }, el("label", { htmlFor: "lab-games" }, "Games"), this.games), this.seats),
      this.job.button,
      this.job.panel,
    );
  }

  /** Shows the players of the current sides, and removes the results of other rules. */
  show(): void {
    const { sides, rules } = this.table;
    const players = this.trained.has() ? { ...PLAYERS, ...TRAINED } : PLAYERS;
    const [before, chosen, now] = [this.shown, this.players, { rules, sides: JSON.stringify([sides, players]) }];
    this.shown = now;
    if (now.rules !== before.rules) this.job.clear();
    if (now.sides === before.sides) return;
    const seat = (side: string, at: number) => {
      const id = `lab-player-${at}`;
      const value = chosen[at];
      const options = Object.entries(players).map(([value, label]) => el("option", { value }, label));
      const select = el("select", { id, value: value && value in players && value, onchange: () => this.adapt() }, ...options);
      return el("div", { className: "field" }, el("label", { htmlFor: id }, side), select);
    };
    put(this.seats, ...sides.map(seat));
  }

  private get players(): string[] {
    return [...this.seats.querySelectorAll("select")].map((select) => select.value);
  }

  /** Slow players play fewer games, unless the user has chosen a number. */
  private adapt(): void {
    if (!Object.values(GAMES).includes(Number(this.games.value))) return;
    this.games.value = String(this.players.some(evaluates) ? GAMES.slow : GAMES.fast);
  }

  private async play(progress: Progress): Promise<Node[]> {
    const begun = performance.now();
    await this.table.give(this.engine);
    const games = Math.max(1, Math.min(100000, Math.round(Number(this.games.value)) || GAMES.fast));
    const { players, table } = this;
    if (players.some((player) => player in TRAINED)) await this.trained.ready();
    // Luck is measured where positions are evaluated anyway.
    const hasLuck = !table.secrets && players.some(evaluates);
    const asked = { ...table.named(), games, players, luck: hasLuck, progress: true };
    const { complete, report } = await this.engine.ask<{ complete: boolean; report: SimulationReport }>("simulate", asked, progress);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const played = report.games === 1 ? "1 game" : `${report.games.toLocaleString("en")} games`;
    return [
      el("p", {}, `${played} in ${seconds} s${complete ? "" : ", stopped by the time limit"}.`),
      el("div", { className: "findings" }, this.results(report), ...lengths(report), ...reasons(report), turns(report), ...luck(report)),
      el("details", {}, el("summary", {}, "Full report"), el("pre", {}, JSON.stringify(report, null, 1))),
    ];
  }

  private results(report: SimulationReport): HTMLElement {
    const names: Record<string, string> = { draw: "Drawn", unfinished: "Unfinished" };
    const met = Object.entries(report.results).filter(([name, one]) => one.count > 0 || !(name in names));
    const row = ([name, one]: (typeof met)[number]) =>
      el(
        "tr",
        {},
        el("td", {}, names[name] ?? `${this.table.side(name as never)} wins`),
        bar(one.share, [0, 1], [one.low, one.high]),
        number(percent(one.share)),
        number(`${(100 * one.low).toFixed(1)} to ${percent(one.high)}`),
      );
    return grid(["Result", "", "Share", "95% confidence interval"], met.map(row));
  }
}

/** The lengths: a histogram, or the spans that contain most games. */
function lengths({ length, games }: SimulationReport): Node[] {
  const { turns, plies } = length;
  const most = Math.max(turns.max, plies.max);
  const row = (label: string, one: Lengths) =>
    el("tr", {}, el("td", {}, label), bar(one.median, [0, most], [one.p05, one.p95]), number(String(one.median)), number(`${one.p05} to ${one.p95}`), number(String(one.max)));
  const spans = grid(["Length", "", "Median", "5 to 95%", "Longest"], [row("Turns", turns), row("Moves", plies)]);
  const { width, ranges } = turns.histogram;
  if (ranges.length < 2) return [spans];
  const points = ranges.map(([from, count]) => {
    const to = from + width - 1;
    return { x: (from + to) / 2, y: count, text: `${from === to ? from : `${from} to ${to}`} turns: ${count} ${count === 1 ? "game" : "games"}, ${percent(count / games)}` };
  });
  const highest = Math.max(...points.map((column) => column.y));
  return [plot({ kind: "columns", title: "Games by number of turns", hint: "Point at a column to see its games.", points, range: [0, highest], format: String }).element, spans];
}

/** How the games ended. */
function reasons({ reasons, games }: SimulationReport): Node[] {
  const all = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  const row = ([reason, count]: [string, number]) => el("tr", {}, el("td", {}, capital(reason)), bar(count / games, [0, 1]), number(percent(count / games)));
  return all.length > 0 ? [grid(["Reason", "", "Share"], all.map(row))] : [];
}

/** What the turns are like. */
function turns({ turns, branching }: SimulationReport): HTMLElement {
  const labels: Record<string, string> = { decided: "Turns with a choice", forced: "Turns with only one move", lost: "Lost turns" };
  const rows = Object.entries(labels).flatMap(([name, label]) => {
    const one = turns.shares[name];
    return one ? [el("tr", {}, el("td", {}, label), bar(one.value, [0, 1], [one.low, one.high]), number(percent(one.value)))] : [];
  });
  const choices = branching && el("p", { className: "note" }, `Half of the decisions have at most ${branching.median} options; 95% have at most ${branching.p95}.`);
  return el("div", {}, grid(["Turns", "", "Share"], rows), choices);
}

/** How much of the results the dice decide, where it was measured. */
function luck({ luck }: SimulationReport): Node[] {
  const share = luck?.share;
  if (!share) return [];
  const row = el("tr", {}, el("td", {}, "Results that the dice explain"), bar(share.value, [0, 1], [share.low, share.high]), number(percent(share.value)));
  return [el("div", {}, grid(["Luck", "", "Share"], [row]), el("p", { className: "note" }, "Between these players, 100% means pure chance and 0% means pure skill."))];
}
