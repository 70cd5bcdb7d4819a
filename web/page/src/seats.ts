// The players of the sides.

import { LEVELS, TRAINED } from "./computer";
import { el, put } from "./dom";
import { SIDES } from "./protocol";
import type { Seat, Table } from "./table";

export class Seats {
  readonly panel = el("div");

  constructor(
    private readonly table: Table,
    /** For each side, the element with its pieces that are off the board. */
    private readonly gone: HTMLElement[],
    /** Whether there is a trained player for the game. */
    private readonly hasTrained: () => boolean,
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

  /** Lets a player play the sides of the computer; if there are none, the last side. */
  choose(player: Seat): void {
    const { seats } = this.table;
    const isAlone = seats.every((seat) => seat === "human");
    seats.forEach((seat, index) => {
      if (isAlone ? index === seats.length - 1 : seat !== "human") seats[index] = player;
    });
    this.show();
    this.seated();
  }

  private seat(index: number): HTMLElement {
    const { links, seats } = this.table;
    if (links) return el("output", { id: `seat-${index}` }, SIDES[index] === links.side ? "You" : "Your friend");
    const onchange = () => {
      seats[index] = (Number(made.value) || made.value) as Seat;
      this.seated();
    };
    const computers = LEVELS.map((level) => el("option", { value: level }, `Computer (level ${level})`));
    const trained = Object.entries(TRAINED).filter(([value]) => this.hasTrained() || seats[index] === value).map(([value, label]) => el("option", { value }, label));
    const made = el("select", { id: `seat-${index}`, value: seats[index], onchange }, el("option", { value: "human" }, "You"), ...computers, ...trained);
    return made;
  }
}
