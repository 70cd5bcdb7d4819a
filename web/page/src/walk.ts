// A rule as it is walked: its questions and what came of each, in the present position, with the way to its line.

import { el, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import type { Table } from "./table";

interface Step {
  file: string;
  line: number;
  column: number;
  code: string;
  answer: string;
}

export class Walk {
  readonly panel = el("div");
  private readonly out = el("div", { "aria-live": "polite" });

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
    private readonly openLine: (line: number) => void,
  ) {
    put(this.panel, el("button", { type: "button", onclick: () => void this.show() }, "Walk through the rules of this turn"), this.out);
  }

  /** The game has gone on. */
  moved(): void {
    put(this.out);
  }

  private async show(): Promise<void> {
    put(this.out, el("p", { className: "note" }, "walking .."));
    try {
      if (this.table.secrets) throw new Error("In this game each side has secrets: the walk would tell them.");
      await this.table.give(this.engine);
      const position = await this.table.position();
      const { runs } = await this.engine.ask<{ runs: { rule: string; steps: Step[] }[] }>("walk", { ...this.table.named(), position });
      const own = this.table.script.variant.replace(/\.rhai$/, "");
      put(this.out, runs.length === 0 && el("p", { className: "note" }, "Nothing has been asked yet in this turn."), ...runs.map((run) => this.run(run, own)));
    } catch (error) {
      put(this.out, el("p", { className: "error" }, error instanceof Stopped ? "Stopped." : words(error)));
    }
  }

  private run(run: { rule: string; steps: Step[] }, own: string): HTMLElement {
    const step = (one: Step) => {
      const isOwn = one.file.replace(/\.rhai$/, "") === own;
      const place = `${isOwn ? "line" : one.file} ${one.line}`;
      return el(
        "li",
        {},
        isOwn ? el("button", { type: "button", className: "place", onclick: () => this.openLine(one.line) }, place) : el("span", { className: "place" }, place),
        el("code", {}, one.code.length > 90 ? `${one.code.slice(0, 90)} ..` : one.code),
        el("span", { className: `answer ${one.answer === "yes" ? "good" : one.answer === "no" ? "error" : ""}` }, one.answer),
      );
    };
    return el("details", { open: run.rule === "turn" }, el("summary", {}, `${run.rule} (${run.steps.length} steps)`), el("ol", { className: "walk" }, ...run.steps.map(step)));
  }
}
