// What has happened in the game, turn by turn, and the lines of play that were left.

import { el, put } from "./dom";
import type { Table } from "./table";

export class CoursePanel {
  readonly panel = el("div");
  private readonly turns = el("ol", { className: "turns", "aria-label": "Turns" });
  private readonly branches = el("div");

  constructor(
    private readonly table: Table,
    private readonly failed: (error: unknown) => void,
  ) {
    put(this.panel, this.turns, this.branches);
  }

  show(): void {
    const { table } = this;
    const turns = table.shown?.course.turns ?? [];
    put(this.turns, ...turns.map((turn) => el("li", {}, el("span", { className: "who" }, `${turn.round}. ${table.side(turn.side)}`), ` ${turn.text}`)));
    this.turns.scrollTop = this.turns.scrollHeight;
    const goTo = (branch: (typeof table.branches)[number]) =>
      el("button", { type: "button", onclick: () => void table.goTo(branch).catch(this.failed) }, `to ${branch.text || "the beginning"}`);
    put(this.branches, table.branches.length > 0 && el("details", {}, el("summary", {}, `Other lines (${table.branches.length})`), el("div", { className: "row" }, ...table.branches.map(goTo))));
  }
}
