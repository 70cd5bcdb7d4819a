// Exact values: solves the game from the position at the board, opens and saves files of solved tables, and shows what they contain
// about the position and its squares. It knows neither how values are computed nor how squares are drawn.

import { el, get, put, words } from "./dom";
import { type Engine, type EngineFile, Stopped } from "./engine";
import { save } from "./files";
import { Job, type Progress } from "./job";
import { failure, say } from "./notice";
import type { Bounds, KnownValue, Solved, SquareValue } from "./protocol";
import type { Table } from "./table";

/** Bounds that differ by less are one exact value, as far as it is shown, in points. */
const EXACT = 0.0005;

export class Values {
  readonly panel = el("div");
  private readonly line = el("div", { "aria-live": "polite" });
  private readonly bySquare = el("input", { type: "checkbox", id: "by-square" });
  private readonly switch = el("label", { hidden: true }, this.bySquare, " Values by square");
  private readonly about = el("p", { className: "note", "aria-live": "polite" });
  private readonly job: Job;
  private isSolving = false;
  /** Whether there are tables, of any game. */
  private hasTables = false;
  /** The rules at the board. */
  private rules = "";
  /** The numbers of the latest requests; answers to earlier ones are ignored. */
  private asked = { position: 0, square: 0 };

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
    /** Shows values on squares of the board. */
    private readonly mark: (values: SquareValue[]) => void,
    /** Gives the file of a table to the other engines. */
    private readonly share: (file: EngineFile) => void,
  ) {
    this.job = new Job(engine, "Solve from here", "positions", (progress) => this.solve(progress));
    const chooser = el("input", { type: "file", id: "table-file", hidden: true });
    chooser.onchange = () => {
      const chosen = chooser.files?.[0];
      if (chosen) void this.open(chosen).catch(say);
      chooser.value = "";
    };
    this.bySquare.onchange = () => this.choose(this.bySquare.checked);
    const board = get("board");
    // While the switch is on, a click asks about a piece and moves nothing.
    const click = (event: Event) => {
      const square = (event.target as Element).closest<HTMLElement>("[data-square]")?.dataset["square"];
      if (!this.bySquare.checked || square === undefined) return;
      event.stopPropagation();
      void this.of(square);
    };
    board.addEventListener("click", click, { capture: true });
    for (const part of [board, this.panel]) part.addEventListener("keydown", (event) => event.key === "Escape" && this.bySquare.checked && this.choose(false));
    put(
      this.panel,
      el("p", { className: "note" }, "What each side can expect if both play perfectly, for small games and endings: a win is 1 point, a loss −1."),
      el("div", { className: "row" }, this.job.button, el("button", { onclick: () => chooser.click() }, "Open a table…"), chooser, this.switch),
      this.job.panel,
      this.line,
      this.about,
    );
  }

  /** Follows the game, and removes results for other rules. */
  moved(): void {
    const { rules } = this.table;
    if (this.rules !== rules) this.job.clear();
    this.rules = rules;
    this.choose(this.bySquare.checked);
    void this.follow();
  }

  /** The rules, which the engine then has, and the position at the board. */
  private async here(): Promise<object> {
    await this.table.give(this.engine);
    const position = await this.table.position();
    return { ...this.table.named(), position };
  }

  private async solve(progress: Progress): Promise<Node[]> {
    const { engine, table } = this;
    if (!table.shown?.status.pending) throw new Error("There is nothing to solve: the game is over, or cannot be played yet.");
    this.isSolving = true;
    try {
      const name = `${table.script.variant.replace(/\.rhai$/, "")}.table`;
      const asked = { ...(await this.here()), progress: true };
      let solved: Solved;
      // The service stops at its time limit, and continues at the next request.
      do solved = await engine.ask<Solved>("solve", asked, progress);
      while (solved.reached === "stopped");
      const file = await this.take();
      const { states, reached, widest } = solved;
      const count = states.toLocaleString("en");
      const bounds = `The values of ${count} positions are not exact: their lower and upper bounds differ by at most ${widest?.toFixed(3)} points.`;
      const full = `There are too many positions to solve here. ${bounds} To solve them all, run “astragal solve”, and open its table here.`;
      const result = reached === "solved" ? `${count} positions are solved.` : reached === "full" ? full : bounds;
      const keep = el("button", { onclick: () => save(name, file, "application/octet-stream") }, "Save table");
      return [el("div", { className: "row" }, el("span", { className: "note" }, result), keep)];
    } finally {
      this.isSolving = false;
      void this.follow();
    }
  }

  private async open(chosen: File): Promise<void> {
    if (this.isSolving) throw new Error("Wait until the game is solved, or stop it. Then open the table.");
    try {
      await this.take(new Uint8Array(await chosen.arrayBuffer()));
    } catch (error) {
      throw new Error(`${chosen.name} cannot be opened: ${words(error)}.`);
    }
    if (!(await this.follow())) put(this.line, "This table is for another game. It is used when you open that game.");
  }

  /** Gives a table to all engines that use it: this file, or what was solved last. */
  private async take(opened?: EngineFile): Promise<EngineFile> {
    const file = await this.engine.open("table", opened);
    this.share(file);
    this.hasTables = true;
    return file;
  }

  /** Shows the value of the position at the board. Returns whether there is a table for its rules. */
  private async follow(): Promise<boolean> {
    const { table, asked } = this;
    const request = ++asked.position;
    const show = (has: boolean, ...line: (Node | string)[]) => {
      this.switch.hidden = !has;
      if (!has) this.choose(false);
      put(this.line, ...line);
      return has;
    };
    if (!this.hasTables || this.isSolving || !table.shown?.status.pending) return show(false);
    try {
      const { tables, value } = await this.engine.ask<KnownValue>("value", await this.here());
      if (request !== asked.position) return true;
      if (!value) return show(tables > 0, tables > 0 ? "No table has this position." : "");
      return show(true, `${table.side(value.side)} can expect ${points(value.bounds)} points${isExact(value.bounds) ? " (exact)" : ""}.`);
    } catch (error) {
      return request === asked.position && !(error instanceof Stopped) ? show(false, failure(error)) : true;
    }
  }

  /** Turns the choice of a piece on or off. The board has no values until a piece is chosen. */
  private choose(isOn: boolean): void {
    this.asked.square++;
    this.bySquare.checked = isOn;
    this.mark([]);
    put(this.about, isOn && "Choose a piece on the board to see its values on other squares. Press Escape to stop.");
  }

  /** Shows the values with the piece from a square on other squares. */
  private async of(square: string): Promise<void> {
    const request = ++this.asked.square;
    try {
      const found = await this.engine.ask<KnownValue>("value", { ...(await this.here()), square });
      const squares = (found.squares ?? []).map((one) => ({ ...one, text: one.text.replace("-", "−"), isOwn: one.square === square }));
      if (request !== this.asked.square) return;
      this.mark(squares);
      const told = (one: SquareValue | undefined) => `${one?.square} (${one?.text})`;
      const sorted = [...squares].sort((a, b) => b.value - a.value);
      const all = `In hundredths of a point for the side whose turn it is, with the piece from ${square} on each square.`;
      const none = `No table has the piece from ${square} on other squares.`;
      put(this.about, squares.length > 0 ? `${all} Highest: ${told(sorted[0])}. Lowest: ${told(sorted.at(-1))}.` : none);
    } catch (error) {
      if (request === this.asked.square) put(this.about, failure(error));
    }
  }
}

/** Whether bounds are so close that they are shown as one value. */
export const isExact = ([low, high]: Bounds): boolean => high - low < EXACT;

/** Points with a sign: the exact value, or its bounds. */
export function points(bounds: Bounds): string {
  const [low, high] = bounds;
  if (!isExact(bounds)) return `${points([low, low])} to ${points([high, high])}`;
  const text = Math.abs((low + high) / 2).toFixed(3);
  return `${Number(text) === 0 ? "" : low < 0 ? "−" : "+"}${text}`;
}
