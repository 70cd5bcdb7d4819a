// The analysis of the game at the board: the curve of the chances, the luck of each side, and the worst decisions, each of
// which leads to its position. Owns which line of the game was analyzed. `plots.ts` draws.

import { el } from "./dom";
import type { Engine } from "./engine";
import { Job, type Progress } from "./job";
import { type Drawn, type Point, bar, number, plot, table as grid } from "./plots";
import type { GameAnalysis, JudgedEvent, TurnText } from "./protocol";
import type { Trained } from "./players";
import type { Branch, Table } from "./table";

/** How many decisions and rolls are listed. */
const MOST = 5;

/** Smaller differences are no mistakes, as a share of the whole range. */
const SMALL = 0.02;

const DEPTHS = { 1: "Quick: this turn", 2: "Normal: this turn and the reply", 3: "Deep: this turn, the reply and the next turn (slow)" };

export class Analysis {
  readonly panel = el("div");
  private readonly depth = el("select", { id: "depth" }, ...Object.entries(DEPTHS).map(([value, label]) => el("option", { value }, label)));
  private readonly isTrained = el("input", { type: "checkbox", id: "trained" });
  private readonly ofTrained = el("span", { hidden: true }, this.isTrained, " ", el("label", { htmlFor: "trained" }, "Use the trained player"));
  private readonly job: Job;
  /** The turns that were analyzed, under which rules, and their curve. */
  private turns: TurnText[] = [];
  private rules = "";
  private curve: Drawn | undefined;

  constructor(
    readonly engine: Engine,
    private readonly table: Table,
    /** Goes to the position after this number of events of a line. */
    private readonly go: (events: number, line: Branch) => void,
    private readonly trained: Trained,
  ) {
    this.depth.value = "2";
    this.job = new Job(engine, "Analyze this game", "events", (progress) => this.analyze(progress));
    this.panel.append(
      el("p", { className: "note" }, "The computer evaluates every position of the game, the luck of each roll, and the cost of each decision."),
      el("div", { className: "row" }, this.job.button, el("label", { htmlFor: "depth" }, "Depth"), this.depth, this.ofTrained),
      this.job.panel,
    );
  }

  /** Offers the trained player if there is one for the game. */
  offerTrained(): void {
    this.ofTrained.hidden = !this.trained.has();
  }

  /** Marks the current position in the curve. An analysis of another game, or of other rules, is removed. */
  show(): void {
    if (this.turns.length === 0) return;
    const events = this.table.shown?.course.deciders.length ?? 0;
    const after = this.turns.filter((turn) => turn.events <= events).length;
    // The position at the board may be one of another line.
    if (this.line()) this.curve?.mark(this.holds(this.table.whole) ? after : undefined);
    else {
      this.turns = [];
      this.job.clear();
    }
  }

  private holds(branch: Branch | undefined): branch is Branch {
    return branch !== undefined && this.rules === this.table.rules && this.turns.every((turn, at) => branch.turns[at]?.text.startsWith(turn.text));
  }

  /** The line that was analyzed: the current one, or one that was left. */
  private line(): Branch | undefined {
    return [this.table.whole, ...this.table.branches].find((branch) => this.holds(branch));
  }

  private goTo(events: number): void {
    const line = this.line();
    if (line) this.go(events, line);
  }

  private async analyze(progress: Progress): Promise<Node[]> {
    const { table, engine } = this;
    const { whole } = table;
    this.curve = undefined;
    if (!table.shown) throw new Error("There is no game to analyze: the script cannot be played yet.");
    if (!whole) throw new Error("A game with secrets cannot be analyzed, because the analysis would reveal them.");
    if (whole.events === 0) throw new Error("There is nothing to analyze yet: play some turns first.");
    this.turns = whole.turns;
    this.rules = table.rules;
    await table.give(engine);
    // A record names a user's script without its ending.
    const record = whole.record.replace(/^\[Variant "[^"]*"\]/m, `[Variant "${table.script.variant}"]`);
    const learned = this.trained.has() && this.isTrained.checked;
    if (learned) await this.trained.ready();
    const asked = { record, turns: Number(this.depth.value), learned, progress: true };
    const { analysis } = await engine.ask<{ analysis: GameAnalysis }>("analyse", asked, progress);
    // Positions whose rolls have too many outcomes are not evaluated.
    if (analysis.events.length === 0) throw new Error("No position of this game could be evaluated: its rolls have too many outcomes.");
    const shown = new Shown(analysis, this.turns, (events) => this.goTo(events));
    this.curve = shown.curve;
    this.show();
    return shown.parts();
  }
}

/** What is shown of an analysis. */
class Shown {
  readonly curve: Drawn;
  private readonly inPoints: boolean;

  constructor(
    private readonly analysis: GameAnalysis,
    turns: TurnText[],
    private readonly go: (events: number) => void,
  ) {
    this.inPoints = analysis.unit !== "winning chance";
    const first = analysis.totals[0]?.side ?? "";
    const points = this.points(turns, first);
    const most = Math.max(0.1, ...points.map((point) => Math.abs(point.y)));
    this.curve = plot({
      kind: "curve",
      title: this.inPoints ? `${first}'s expected points, by turn` : `${first}'s winning chance, by turn`,
      hint: "Point at the curve to see a turn; click to go to it. Dots mark costly decisions.",
      points,
      range: this.inPoints ? [-most, most] : [0, 100],
      format: this.inPoints ? (y) => String(y) : (y) => `${y}%`,
      choose: (at) => this.go(turns[at - 1]?.events ?? 0),
    });
  }

  /** A value in the units of the page: percentage points, or points. */
  private value(value: number): number {
    return this.inPoints ? value / 2 : 100 * value;
  }

  private signed(value: number): string {
    const text = Math.abs(this.value(value)).toFixed(this.inPoints ? 2 : 1);
    return `${Number(text) === 0 ? "±" : value < 0 ? "−" : "+"}${text}`;
  }

  /** The value at the start, and after each turn. */
  private points(turns: TurnText[], first: string): Point[] {
    const { events, curve } = this.analysis;
    const worst = new Set(this.worst());
    const [what, unit] = this.inPoints ? ["expected points", ""] : ["winning chance", "%"];
    const said = (y: number) => `${first}'s ${what} ${y.toFixed(this.inPoints ? 2 : 0)}${unit}`;
    const start = this.value(curve[0] ?? 0);
    const points: Point[] = [{ x: 0, y: start, text: `The start: ${said(start)}` }];
    turns.forEach((turn, at) => {
      const own = events.filter((one) => one.event > (turns[at - 1]?.events ?? 0) && one.event <= turn.events);
      const last = own.at(-1);
      const y = at === turns.length - 1 ? this.value(curve.at(-1) ?? 0) : last ? this.value(last.after) : (points.at(-1)?.y ?? start);
      const luck = own.filter((one) => one.luck !== undefined).reduce((sum, one) => sum + (one.luck ?? 0), 0);
      const dice = own.some((one) => one.luck !== undefined) ? `, luck ${this.signed(luck)}` : "";
      const wrong = own.filter((one) => worst.has(one));
      const cost = wrong.map((one) => `, ${one.text} cost ${this.signed(one.error ?? 0).slice(1)}`).join("");
      points.push({ x: at + 1, y, text: `${turn.round}. ${last?.side ?? ""} ${turn.text}: ${said(y)}${dice}${cost}`, isMarked: wrong.length > 0 });
    });
    return points;
  }

  private worst(): JudgedEvent[] {
    const found = this.analysis.events.filter((one) => (one.error ?? 0) > SMALL);
    return found.sort((a, b) => (b.error ?? 0) - (a.error ?? 0)).slice(0, MOST);
  }

  private luckiest(): JudgedEvent[] {
    const found = this.analysis.events.filter((one) => Math.abs(one.luck ?? 0) > SMALL);
    return found.sort((a, b) => Math.abs(b.luck ?? 0) - Math.abs(a.luck ?? 0)).slice(0, MOST);
  }

  /** A list of events; each leads to a position. */
  private list(title: string, none: string, events: JudgedEvent[], told: (one: JudgedEvent) => string, after: number): HTMLElement {
    const entry = (one: JudgedEvent) =>
      el("li", {}, el("button", { type: "button", onclick: () => this.go(one.event - 1 + after) }, el("span", { className: "who" }, `${one.round}. ${one.side}`), ` ${told(one)}`));
    return el("section", {}, el("h3", {}, title), events.length > 0 ? el("ol", { className: "turns" }, ...events.map(entry)) : el("p", { className: "note" }, none));
  }

  parts(): Node[] {
    const { totals, not_evaluated: missing } = this.analysis;
    const most = Math.max(SMALL, ...totals.map((total) => Math.abs(total.luck)));
    const row = (total: GameAnalysis["totals"][number]) =>
      el(
        "tr",
        {},
        el("td", {}, total.side),
        bar(total.luck, [-most, most]),
        number(this.signed(total.luck)),
        number(this.signed(total.error).slice(1)),
      );
    const unit = this.inPoints ? "points" : "percentage points of winning chance";
    const luck = el(
      "section",
      {},
      el("h3", {}, "Luck and errors"),
      grid(["Side", "", "Luck", "Errors"], totals.map(row)),
      el("p", { className: "note" }, `In ${unit}. Luck is what the dice gave; errors are what decisions lost.${totals.length > 2 ? ` All values compare ${totals[0]?.side} with the other sides together.` : ""}`),
      missing > 0 ? el("p", { className: "note" }, `${missing === 1 ? "1 roll is" : `${missing} rolls are`} left out, because the number of possible outcomes is too large.`) : "",
    );
    const better = (one: JudgedEvent) => `${one.text} cost ${this.signed(one.error ?? 0).slice(1)}${one.better ? `; better: ${one.better}` : ""}`;
    return [
      this.curve.element,
      el(
        "div",
        { className: "findings" },
        luck,
        this.list("Worst decisions", "No decision cost much.", this.worst(), better, 0),
        this.list("Rolls with the largest effect", "No roll changed the chances much.", this.luckiest(), (one) => `${one.text} ${this.signed(one.luck ?? 0)}`, 1),
      ),
    ];
  }
}
