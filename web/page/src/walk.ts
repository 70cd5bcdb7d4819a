// A walk through the rules: their questions and answers in the current position, grouped by the functions that contain
// them.

import { el, put } from "./dom";
import type { Engine } from "./engine";
import { failure } from "./notice";
import type { Table } from "./table";

interface Step {
  file: string;
  line: number;
  column: number;
  code: string;
  question: string;
  function?: string;
  answer: string;
}

interface Run {
  rule: string;
  steps: Step[];
  waits?: Step;
}

/** The purposes of rules; all others are tests that filter moves. */
const RULES: Record<string, string> = {
  turn: "turn: the player's turn",
  outcome: "outcome: is the game over?",
  prepare: "prepare: before the first turn",
  capture: "capture: the result of a capture",
};

const title = (rule: string) => RULES[rule] ?? (rule === "a test" ? "which moves are allowed" : `${rule}: which moves are allowed`);

export class Walk {
  readonly panel = el("div");
  private readonly out = el("div", { "aria-live": "polite" });

  constructor(private readonly engine: Engine, private readonly table: Table, private readonly openLine: (line: number) => void) {
    put(this.panel, el("button", { onclick: () => void this.show() }, "Trace the rules of this turn"), this.out);
  }

  /** Clears the results after the game has changed. */
  moved(): void {
    put(this.out);
  }

  private async show(): Promise<void> {
    put(this.out, el("p", { className: "note" }, "Running…"));
    try {
      if (this.table.secrets) throw new Error("The steps of the rules would reveal secrets.");
      await this.table.give(this.engine);
      const position = await this.table.position();
      const { runs } = await this.engine.ask<{ runs: Run[] }>("walk", { ...this.table.named(), position });
      const own = this.table.script.variant.replace(/\.rhai$/, "");
      const told = once(runs);
      put(this.out, told.length === 0 && el("p", { className: "note" }, "The game is over, so no rule runs."), ...told.map((run) => this.run(run, own)));
    } catch (error) {
      put(this.out, failure(error));
    }
  }

  private run(run: Run & { times: number }, own: string): HTMLElement {
    let within = run.rule;
    const rows = [...run.steps, ...(run.waits ? [run.waits] : [])].flatMap((one) => {
      const heading = one.function !== undefined && one.function !== within && el("li", { className: "within" }, `in ${one.function}()`);
      within = one.function ?? within;
      return [heading, this.step(one, own, one === run.waits)];
    });
    const times = run.times > 1 ? `, ${run.times} times` : "";
    return el(
      "details",
      { open: run.rule === "turn" },
      el("summary", {}, `${title(run.rule)}${times}`),
      el("ol", { className: "walk" }, ...rows, !run.waits && el("li", { className: "note" }, "The rule has ended.")),
    );
  }

  private step(one: Step, own: string, waits: boolean): HTMLElement {
    const isOwn = one.file.replace(/\.rhai$/, "") === own;
    const place = isOwn ? `line ${one.line}` : `${one.file} ${one.line}`;
    const question = one.question.length > 90 ? `${one.question.slice(0, 90)} ..` : one.question;
    const answer = waits ? "comes next" : one.answer;
    const tone = answer === "yes" ? "good" : answer === "no" ? "error" : "";
    return el(
      "li",
      { title: one.code },
      el("code", {}, question),
      " ",
      el("span", { className: `answer ${tone}` }, answer),
      isOwn ? el("button", { className: "place", onclick: () => this.openLine(one.line) }, place) : el("span", { className: "place" }, place),
    );
  }
}

/** Merges equal runs and counts them. */
function once(runs: Run[]): (Run & { times: number })[] {
  const told = new Map<string, Run & { times: number }>();
  for (const run of runs) {
    const key = JSON.stringify(run);
    const known = told.get(key);
    if (known) known.times++;
    else told.set(key, { ...run, times: 1 });
  }
  return [...told.values()];
}
