// The pieces that are no longer on the board, such as captured ones, as small pictures beside the players. The engine
// counts them: a promoted piece is not gone, and pieces in hand are shown at the board.

import { imageOf } from "./diagram";
import { el, put } from "./dom";
import type { Legend } from "./pieces";
import { SIDES } from "./protocol";
import type { Picture } from "./protocol";
import type { Table } from "./table";

type Losses = NonNullable<Picture["lost"]>[number];

export class Gone {
  /** For each side, in turn order, the element with its pieces. */
  readonly rows = SIDES.map(() => el("div", { className: "gone" }));

  constructor(private readonly table: Table, private readonly legend: Legend) {}

  show(): void {
    const lost = this.table.shown?.picture.lost ?? [];
    for (const [index, row] of this.rows.entries()) {
      const own = lost.find(({ side }) => side === SIDES[index]);
      put(row, own ? this.pieces(own) : "");
    }
  }

  /** The lost pieces of a side: each kind once, with its number. */
  private pieces({ side, count, pieces }: Losses): Node {
    if (pieces.length === 0) return el("small", {}, `${count} ${count === 1 ? "piece" : "pieces"} off the board`);
    const words = `Off the board: ${pieces.map(({ kind, count }) => `${kind}${count > 1 ? ` (${count})` : ""}`).join(", ")}`;
    const image = ({ kind, letter }: Losses["pieces"][number]) => {
      const piece = [...this.legend.pieces.values()].find(({ name }) => name === kind);
      return piece ? el("img", { src: imageOf(piece, side), alt: "" }) : letter;
    };
    const shown = pieces.map((one) => el("span", {}, image(one), one.count > 1 && el("small", {}, `×${one.count}`)));
    return el("span", { role: "img", "aria-label": words, title: words }, ...shown);
  }
}
