// The players of the sides.

import { LEVELS } from "./computer";
import { el, put } from "./dom";
import { SIDES } from "./protocol";
import type { Table } from "./table";

export class Seats {
  readonly panel = el("div");

  constructor(
    private readonly table: Table,
    /** For each side, the element with its pieces that are off the board. */
    private readonly gone: HTMLElement[],
    /** The players of the sides have changed. */
    private readonly seated: () => void,
  ) {}

  show(): void {
    const { table } = this;
    put(
      this.panel,
      el("h2", {}, "Players"),
      ...table.sides.map((side, index) => el("div", { className: "field" }, el("label", { htmlFor: `seat-${index}` }, side), this.seat(index), this.gone[index])),
    );
  }

  private seat(index: number): HTMLElement {
    const { links } = this.table;
    if (links) return el("output", { id: `seat-${index}` }, SIDES[index] === links.side ? "You" : "Your friend");
    const made = el(
      "select",
      { id: `seat-${index}` },
      el("option", { value: "human" }, "You"),
      ...LEVELS.map((level) => el("option", { value: String(level) }, `Computer (level ${level})`)),
    );
    made.value = String(this.table.seats[index]);
    made.onchange = () => {
      this.table.seats[index] = made.value === "human" ? "human" : Number(made.value);
      this.seated();
    };
    return made;
  }
}
