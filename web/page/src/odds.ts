// What a move may lead to, and why a move may not be made: asked of an engine that may be stopped.

import { el, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import type { Outcome } from "./protocol";
import type { Table } from "./table";

interface Reason {
  permitted: boolean;
  why: string[];
  place?: string;
  line?: string;
}

export class Odds {
  readonly panel = el("div");
  private readonly about = el("div", { "aria-live": "polite" });
  private asked = 0;

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
    private readonly openLine: (line: number) => void,
  ) {
    put(
      this.panel,
      el("p", { className: "note" }, "Choose a piece and look at one of its moves to see what it may lead to. A move that may not be made is explained."),
      this.about,
    );
  }

  private async ask<T>(method: string, params: object): Promise<T> {
    this.engine.stop();
    await this.table.give(this.engine);
    const position = await this.table.position();
    return this.engine.ask<T>(method, { ...this.table.named(), position, ...params });
  }

  /** Shows the chances of a move. */
  async ofMove(move: string): Promise<void> {
    await this.shown(`Odds of ${move}`, async () => {
      const { outcomes } = await this.ask<{ outcomes: Outcome[] }>("odds", { move });
      const row = (one: Outcome) =>
        el("tr", {}, el("td", { className: "number" }, percent(one.probability)), el("td", { className: "number" }, one.probability), el("td", {}, one.effect || "the game goes on"));
      const head = el("tr", {}, ...["Chance", "exactly", "what happens"].map((text) => el("th", { scope: "col" }, text)));
      return [el("table", {}, el("thead", {}, head), el("tbody", {}, ...outcomes.map(row)))];
    });
  }

  /** Says why a move may not be made. */
  async why(move: string): Promise<void> {
    await this.shown(`Why not ${move}?`, async () => {
      const reason = await this.ask<Reason>("why", { move });
      const line = Number(/:(\d+)/.exec(reason.place ?? "")?.[1]);
      const place = reason.line && el("pre", {}, `${reason.place}: ${reason.line}`);
      const open = line > 0 && el("button", { type: "button", onclick: () => this.openLine(line) }, "Show it in the script");
      return [...reason.why.map((text) => el("p", {}, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)), place || "", open || ""];
    });
  }

  private async shown(title: string, make: () => Promise<(Node | string)[]>): Promise<void> {
    const asked = ++this.asked;
    const heading = el("h2", {}, title);
    put(this.about, heading, el("p", { className: "note" }, "counting .."));
    try {
      const made = await make();
      if (asked === this.asked) put(this.about, heading, ...made);
    } catch (error) {
      if (asked === this.asked && !(error instanceof Stopped)) put(this.about, heading, el("p", { className: "error" }, words(error)));
    }
  }
}

/** A fraction as a percentage, for people. */
export function percent(fraction: string): string {
  const [above = "0", below = "1"] = fraction.split("/");
  return `${((100 * Number(above)) / Number(below)).toFixed(1)} %`;
}
