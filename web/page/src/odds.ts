// Odds: of a move, of all moves, of the next roll, and the pieces in danger. Requests go to an engine that can be stopped.

import { el, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import { failure } from "./notice";
import { bar, number, table } from "./plots";
import type { Captures, Chance, Outcome, Prospects } from "./protocol";
import type { Table } from "./table";
import { isExact, points } from "./values";

/** How long the pointer rests on a move before its odds are computed, in milliseconds. */
const REST = 250;

export class Odds {
  readonly panel = el("div");
  private readonly about = el("div", { "aria-live": "polite" });
  private readonly marks = el("input", { type: "checkbox", id: "danger" });
  private readonly key = el("small", { className: "note" });
  private asked = 0;
  private marked = 0;
  /** The move under the pointer, and the timer that asks for its odds. */
  private pointed: { move: string | undefined; timer?: ReturnType<typeof setTimeout> } = { move: undefined };

  constructor(
    readonly engine: Engine,
    /** A separate engine for the marks on the board: both may work at the same time. */
    private readonly marker: Engine,
    private readonly table: Table,
    /** Shows probabilities on squares of the board. */
    private readonly mark: (chances: Map<string, string>) => void,
  ) {
    this.marks.onchange = () => void this.danger();
    put(
      this.panel,
      el("p", { className: "note" }, "Select a piece, then point at one of its moves to see the possible results."),
      el(
        "div",
        { className: "row" },
        el("button", { onclick: () => void this.ofAll() }, "All possible next events"),
        el("label", {}, this.marks, " Mark pieces that can be captured"),
      ),
      this.key,
      this.about,
    );
  }

  private async ask<T>(engine: Engine, method: string, params: object): Promise<T> {
    if (this.table.secrets) throw new Error("Odds are not available in a game with secrets, because they would reveal them.");
    engine.stop();
    await this.table.give(engine);
    const position = await this.table.position();
    return engine.ask<T>(method, { ...this.table.named(), position, ...params });
  }

  /** Shows the odds of a move while the pointer rests on it. */
  pointAt(move: string | undefined): void {
    clearTimeout(this.pointed.timer);
    if (move !== undefined) this.pointed = { move, timer: setTimeout(() => void this.ofMove(move), REST) };
    else if (this.pointed.move !== undefined) void this.danger();
    this.pointed.move = move;
  }

  /** Shows the odds of a move. */
  private async ofMove(move: string): Promise<void> {
    void this.danger(move);
    await this.shown(`Odds of ${move}`, async () => {
      const { outcomes } = await this.ask<{ outcomes: Outcome[] }>(this.engine, "odds", { move });
      const values = outcomes.flatMap(({ value }) => (value ? [value] : []));
      const isValued = values.length > 0;
      const rows = outcomes.map(({ probability, effect, value }) => {
        return { probability, text: effect || "the game continues", ...(isValued && { points: value ? points(value) : "-" }) };
      });
      const about = `Points: the ${values.every(isExact) ? "exact value" : "bounds of the value"} for the side that decides or rolls next.`;
      return [chances(rows), isValued ? el("p", { className: "note" }, about) : ""];
    });
  }

  /** Shows the odds of each decision, or of the next roll. */
  private async ofAll(): Promise<void> {
    await this.shown("All possible next events", async () => {
      const found = await this.ask<Prospects>(this.engine, "prospects", {});
      if (found.roll) return [el("p", {}, `The next roll, ${found.roll.dice}:`), chances(found.roll.chances)];
      const cell = (chance: { probability: string } | null) =>
        el("td", { className: "number", title: chance?.probability ?? "the turn may continue" }, chance ? percent(chance.probability) : "-");
      const told = (one: Chance) => (one.text === "moved" && one.probability === "1" ? "" : `${one.text} ${percent(one.probability)}`);
      const rows = found.decisions.map((one) =>
        el("tr", {}, el("td", {}, one.text), cell(one.danger), cell(one.lost), el("td", {}, one.outcomes.map(told).filter(Boolean).join(", "))),
      );
      return [
        table(["Move", "Danger", "Next turn lost", "Results"], rows),
        el("p", { className: "note" }, `Danger: the chance that the next player ${found.goal} if that is their only aim. Next turn lost: the chance that the next player loses the turn.`),
        found.left > 0 ? el("p", { className: "note" }, `${found.left} more were not computed in time.`) : "",
      ];
    });
  }

  /** Marks the pieces that can be captured in the current turn; with a move, in the turn after it. */
  async danger(move?: string): Promise<void> {
    const marked = ++this.marked;
    const pending = this.table.shown?.status.pending;
    if (!this.marks.checked || !pending) {
      put(this.key);
      return this.mark(new Map());
    }
    try {
      const found = await this.ask<Captures>(this.marker, "captures", move === undefined ? {} : { move });
      if (marked !== this.marked) return;
      const unknown = found.unknown.length > 0 ? ` Not computed: ${found.unknown.join(", ")}.` : "";
      put(this.key, `The chance that ${this.table.side(found.side)} captures each piece${move ? ` after ${move}` : ""} if that side aims only for that piece.${unknown}`);
      this.mark(new Map(found.squares.map((one) => [one.square, percent(one.probability, 0)])));
    } catch (error) {
      if (marked === this.marked && !(error instanceof Stopped)) put(this.key, words(error));
    }
  }

  /** Clears the results after the game has changed. */
  moved(): void {
    this.asked++;
    this.engine.stop();
    put(this.about);
    void this.danger();
  }

  private async shown(title: string, make: () => Promise<(Node | string)[]>): Promise<void> {
    const asked = ++this.asked;
    const heading = el("h2", {}, title);
    const stop = el("button", { onclick: () => this.engine.stop() }, "Stop");
    put(this.about, heading, el("p", { className: "note" }, "Computing… ", stop));
    try {
      const made = await make();
      if (asked === this.asked) put(this.about, heading, ...made);
    } catch (error) {
      if (asked === this.asked) put(this.about, heading, failure(error));
    }
  }
}

/** A table of outcomes, with their points if those are known. */
function chances(all: (Chance & { points?: string })[]): HTMLElement {
  const row = ({ text, probability: chance, points }: (typeof all)[number]) =>
    el("tr", {}, el("td", {}, text), bar(share(chance), [0, 1]), number(percent(chance)), number(chance), points !== undefined && number(points));
  return table(["Result", "", "Chance", "Exact", ...(all[0]?.points === undefined ? [] : ["Points"])], all.map(row));
}

/** The value of a fraction. */
function share(fraction: string): number {
  const [above = "0", below = "1"] = fraction.split("/");
  return Number(above) / Number(below);
}

/** A fraction as a percentage, for display. */
export function percent(fraction: string, digits = 1): string {
  return `${(100 * share(fraction)).toFixed(digits)}%`;
}
