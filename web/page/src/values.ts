// Exact values: solves the game from the position at the board, opens files of solved tables, and shows what they contain about
// the position and its squares. Owns the engine with the tables. It knows neither how values are computed nor how squares are drawn.

import { el, get, put, words } from "./dom";
import { type Engine, Refusal, Stopped } from "./engine";
import { Job, type Progress } from "./job";
import { failure, say } from "./notice";
import type { Bounds, KnownValue, Solved, SquareValue } from "./protocol";
import type { Table } from "./table";

/** Bounds that differ by less are one exact value, as far as it is shown, in points. */
const EXACT = 0.0005;

/** The error code of requests that take too long or need too much memory. */
const TOO_LARGE = -32007;

export class Values {
  readonly panel = el("div");
  private readonly line = el("div", { "aria-live": "polite" });
  private readonly bySquare = el("input", { type: "checkbox", id: "by-square" });
  private readonly switch = el("label", { hidden: true }, this.bySquare, " Values by square");
  private readonly about = el("p", { className: "note", "aria-live": "polite" });
  private readonly job: Job;
  private isSolving = false;
  /** Whether the engine has tables, and rules for which it has none. */
  private hasTables = false;
  private without = "";
  /** The rules at the board. */
  private rules = "";
  /** Whether a table has the position at the board. */
  private isKnown = false;
  /** The numbers of the latest requests; answers to earlier ones are ignored. */
  private asked = { position: 0, square: 0 };

  constructor(
    /** Not stopped, except while it solves: the tables that it has solved would be lost. */
    private readonly engine: Engine,
    private readonly table: Table,
    /** Shows values on squares of the board. */
    private readonly mark: (values: SquareValue[]) => void,
    /** Gives the file of a table to the other engines. */
    private readonly share: (file: Uint8Array) => void,
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

  /** The engine that has the position at the board in a table. It must not be stopped. */
  get exact(): Engine | undefined {
    return this.isKnown && !this.isSolving ? this.engine : undefined;
  }

  /** Follows the game, and removes what was said about other rules. */
  moved(): void {
    const { rules } = this.table;
    if (this.rules !== rules) this.job.clear();
    this.rules = rules;
    this.choose(this.bySquare.checked);
    void this.follow();
  }

  private async ask<T>(method: string, params: object, progress?: Progress): Promise<T> {
    await this.table.give(this.engine);
    const position = await this.table.position();
    return this.engine.ask<T>(method, { ...this.table.named(), position, ...params }, progress);
  }

  private async solve(progress: Progress): Promise<Node[]> {
    if (!this.table.shown?.status.pending) throw new Error("There is nothing to solve: the game is over, or cannot be played yet.");
    this.isSolving = true;
    try {
      const { states, reached, widest } = await this.ask<Solved>("solve", { progress: true }, progress);
      this.hasTables = true;
      const count = states.toLocaleString("en");
      const why = reached === "full" ? ", because there are too many positions" : "";
      const bounds = `The values of these ${count} positions are bounds that differ by up to ${widest.toFixed(3)} points${why}.`;
      return [el("p", { className: "note" }, reached === "solved" ? `${count} positions are solved.` : bounds)];
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== TOO_LARGE) throw error;
      throw new Error(`Not solved: ${error.message}. For larger games, use “astragal solve”, and open its table here.`);
    } finally {
      this.isSolving = false;
      this.without = "";
      void this.follow();
    }
  }

  private async open(file: File): Promise<void> {
    if (this.isSolving) throw new Error("Wait until the game is solved, or stop it. Then open the table.");
    const bytes = new Uint8Array(await file.arrayBuffer());
    try {
      await this.engine.openTable(bytes);
    } catch (error) {
      throw new Error(`${file.name} cannot be opened: ${words(error)}.`);
    }
    this.share(bytes);
    this.hasTables = true;
    this.without = "";
    if (!(await this.follow())) put(this.line, "This table is for another game. It is used when you open that game.");
  }

  /** Shows the value of the position at the board. Returns whether there is a table for its rules. */
  private async follow(): Promise<boolean> {
    const { table, asked, rules } = this;
    const request = ++asked.position;
    this.isKnown = false;
    const show = (has: boolean, ...line: (Node | string)[]) => {
      this.switch.hidden = !has;
      if (!has) this.choose(false);
      put(this.line, ...line);
      return has;
    };
    if (!this.hasTables || this.isSolving || this.without === rules || !table.shown?.status.pending) return show(false);
    try {
      const { tables, value } = await this.ask<KnownValue>("value", {});
      if (request !== asked.position) return true;
      if (tables === 0) this.without = rules;
      this.isKnown = value !== null;
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
    put(this.about, isOn && "Choose a piece on the board to see its values on other squares. Escape ends this.");
  }

  /** Shows the values with the piece of a square on other squares. */
  private async of(square: string): Promise<void> {
    const request = ++this.asked.square;
    try {
      const found = await this.ask<KnownValue>("value", { square });
      const squares = (found.squares ?? []).map((one) => ({ ...one, text: one.text.replace("-", "−"), isOwn: one.square === square }));
      if (request !== this.asked.square) return;
      this.mark(squares);
      const told = (one: SquareValue | undefined) => `${one?.square} (${one?.text})`;
      const sorted = [...squares].sort((a, b) => b.value - a.value);
      const all = `In hundredths of a point for the side whose turn it is, with the piece of ${square} on each square.`;
      const none = `No table has the piece of ${square} on other squares.`;
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
