// The legend: how each piece looks and moves, in words and on the game's own board, where the user can place enemies.

import { type DiagramBoard, type DrawnPiece, SIGNS, diagram, imageOf } from "./diagram";
import { el, put } from "./dom";
import { Engine } from "./engine";
import { failure } from "./notice";
import { SIDES } from "./protocol";
import type { Table } from "./table";

export class Legend {
  readonly panel = el("div");
  private readonly list = el("div");
  private made = 0;
  private asked = 0;
  /** The kinds, by letter. */
  pieces = new Map<string, DrawnPiece>();

  constructor(private readonly engine: Engine, private readonly table: Table) {
    put(this.panel, el("p", { className: "note" }, `${SIGNS} Select squares to put enemy pieces there.`), this.list);
  }

  /** Shows the pieces of the current game. */
  async show(): Promise<void> {
    const made = ++this.made;
    const board = this.table.shown?.picture;
    if (!board) return;
    try {
      await this.table.give(this.engine);
      const { pieces } = await this.engine.ask<{ pieces: DrawnPiece[] }>("pieces", { ...this.table.named(), letters: this.table.letters });
      if (made !== this.made) return;
      this.pieces = byLetter(pieces);
      put(this.list, ...pieces.map((piece) => this.entry(board, piece)));
    } catch (error) {
      if (made === this.made) put(this.list, failure(error));
    }
  }

  private entry(board: DiagramBoard, piece: DrawnPiece): HTMLElement {
    const images = piece.images.map((_, side) => imageOf(piece, SIDES[side]));
    const heading = el("h3", { className: "legend" }, ...images.map((src) => src && el("img", { src, alt: "", width: 28, height: 28 })), piece.name);
    const host = el("div", { className: "legend-board" });
    if (piece.from !== null) this.draw(host, board, piece, []);
    return el("section", {}, heading, el("p", {}, piece.about), host);
  }

  /** Draws the moves among enemies: those that were clicked, and one at the pointer. */
  private draw(host: HTMLElement, board: DiagramBoard, piece: DrawnPiece, enemies: string[], pointed?: string): void {
    const drawn = diagram(board, piece, imageOf(piece));
    for (const name of pointed ? [...enemies, pointed] : enemies) drawn.querySelector(`[data-square="${name}"]`)?.classList.add("diagram-enemy");
    const square = (event: Event) => {
      const name = (event.target as Element).closest("[data-square]")?.getAttribute("data-square");
      return name && name !== piece.from ? name : undefined;
    };
    const toggled = (name: string) => (enemies.includes(name) ? enemies.filter((one) => one !== name) : [...enemies, name]);
    drawn.onclick = (event) => {
      const name = square(event);
      if (name) void this.among(host, board, piece, toggled(name));
    };
    drawn.onpointerover = (event) => {
      const name = square(event);
      if (name !== pointed && event.pointerType === "mouse") void this.among(host, board, piece, enemies, name);
    };
    drawn.onpointerleave = () => {
      if (pointed) void this.among(host, board, piece, enemies);
    };
    put(host, drawn);
  }

  private async among(host: HTMLElement, board: DiagramBoard, piece: DrawnPiece, enemies: string[], pointed?: string): Promise<void> {
    const asked = ++this.asked;
    const all = pointed && !enemies.includes(pointed) ? [...enemies, pointed] : enemies;
    const where = all.length === 0 ? {} : { from: piece.from, enemies: all };
    const { pieces } = await this.engine.ask<{ pieces: DrawnPiece[] }>("pieces", { ...this.table.named(), letters: this.table.letters, name: piece.name, ...where });
    // The pointer may have moved on meanwhile.
    if (asked === this.asked && pieces[0]) this.draw(host, board, pieces[0], enemies, pointed);
  }
}

/** Pieces by their letters. */
export function byLetter(pieces: DrawnPiece[]): Map<string, DrawnPiece> {
  return new Map(pieces.map((piece) => [piece.letter.toUpperCase(), piece]));
}
