// The pieces that are no longer on the board, such as captured ones, as small pictures beside the players. The engine
// counts them: a promoted piece is not gone, and pieces in hand are shown at the board.

import { imageOf } from "./diagram";
import { el, put } from "./dom";
import type { Legend } from "./pieces";
import { SIDES } from "./protocol";
import type { Table } from "./table";

/** What the engine says: `White lost P P N`, or `White lost 3 pieces` if it is unknown which ones. */
const LOST = /^(.*) lost (.+)$/;

/** The lines beside the board that nothing else shows: dice, pieces in hand and lost pieces are drawn. */
export function others(beside: string[]): string[] {
  return beside.filter((line) => !/^Dice left: /.test(line) && !/^.* (holds|lost) /.test(line));
}

export class Gone {
  /** For each side, in turn order, the element with its pieces. */
  readonly rows = SIDES.map(() => el("div", { className: "gone" }));

  constructor(
    private readonly table: Table,
    private readonly legend: Legend,
  ) {}

  async show(): Promise<void> {
    const { table } = this;
    const { shown } = table;
    const hasLost = shown?.picture.beside.some((line) => LOST.test(line));
    // Letters name the kinds of pieces, which the characters do not.
    const beside = hasLost ? (await table.draw(true)).beside : [];
    if (shown !== table.shown) return;
    const lost = new Map(beside.map((line) => LOST.exec(line)).map((found) => [found?.[1] ?? "", found?.[2] ?? ""]));
    for (const [index, row] of this.rows.entries()) put(row, ...this.pieces(index, lost.get(table.sides[index] ?? "") ?? ""));
  }

  /** The lost pieces of a side: each kind once, with its number. */
  private pieces(side: number, text: string): (Node | string)[] {
    if (!text) return [];
    const counts = new Map<string, number>();
    for (const letter of text.split(" ")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const kinds = [...counts].map(([letter, count]) => ({ piece: this.legend.pieces.get(letter.replace(/'+$/, "").toUpperCase()), letter, count }));
    if (/^\d+ pieces?$/.test(text)) return [el("small", {}, `${text} off the board`)];
    const image = ({ piece, letter }: (typeof kinds)[number]) => (piece ? el("img", { src: imageOf(piece, SIDES[side]), alt: "" }) : letter);
    const words = kinds.map(({ piece, letter, count }) => `${piece?.name ?? letter}${count > 1 ? ` (${count})` : ""}`).join(", ");
    const shown = kinds.map((kind) => el("span", {}, image(kind), kind.count > 1 && el("small", {}, `×${kind.count}`)));
    return [el("span", { role: "img", "aria-label": `Off the board: ${words}`, title: `Off the board: ${words}` }, ...shown)];
  }
}
