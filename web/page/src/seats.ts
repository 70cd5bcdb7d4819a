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
    const onchange = () => {
      this.table.seats[index] = made.value === "human" ? "human" : Number(made.value);
      this.seated();
    };
    const computers = LEVELS.map((level) => el("option", { value: level }, `Computer (level ${level})`));
    const made = el("select", { id: `seat-${index}`, value: this.table.seats[index], onchange }, el("option", { value: "human" }, "You"), ...computers);
    return made;
  }
}
