// The events of the game, turn by turn, and the abandoned variations.

import { el, put } from "./dom";
import type { TurnText } from "./protocol";
import type { Table } from "./table";

export class CoursePanel {
  readonly panel = el("div");
  private readonly turns = el("ol", { className: "turns", "aria-label": "Turns" });
  private readonly branches = el("div");

  constructor(
    private readonly table: Table,
    /** Goes to the end of a turn. */
    private readonly go: (turn: TurnText) => void,
    private readonly failed: (error: unknown) => void,
  ) {
    put(this.panel, this.turns, this.branches);
  }

  show(): void {
    const { table } = this;
    const here = (table.shown?.course.turns.length ?? 0) - 1;
    const line = (turn: TurnText, at: number) => {
      const texts = [el("span", { className: "who" }, `${turn.round}. ${table.side(turn.side)}`), ` ${turn.text}`];
      const go = () => this.go(turn);
      return el(
        "li",
        { className: at > here ? "ahead" : "" },
        ...(table.canGo ? [el("button", { onclick: go, "aria-current": at === here && "true" }, ...texts)] : texts),
      );
    };
    put(this.turns, ...table.turns.map(line));
    const now = this.turns.children[here] as HTMLElement | undefined;
    this.turns.scrollTop = now ? now.offsetTop - this.turns.offsetTop + now.offsetHeight - this.turns.clientHeight : 0;
    const goTo = (branch: (typeof table.branches)[number]) =>
      el("button", { onclick: () => void table.goToEvent(branch.events, branch).catch(this.failed) }, `to ${branch.text || "the beginning"}`);
    put(this.branches, table.branches.length > 0 && el("details", {}, el("summary", {}, `Other lines (${table.branches.length})`), el("div", { className: "row" }, ...table.branches.map(goTo))));
  }
}
