// The starting position in the wizard: a board on which users place pieces by mouse, touch and keyboard; the other side
// follows if it mirrors. Owns the picture, the squares over it and the selected piece. The game decides which pieces are
// allowed where; the engine draws them.

import { el, put } from "./dom";
import { Stopped } from "./engine";
import { pictureAddress } from "./picture";
import type { Picture, Square } from "./protocol";
import { cover, draggable, rowsOf } from "./squares";
import { type Mirror, type Standing, type WizardGame, type WizardPiece, follow, isHex, isSquare, mirrorOf, placeOf, squareName, stand, standing } from "./wizard_game";
import type { Looks } from "./wizard_looks";

const STEPS: Record<string, [number, number]> = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const MIRRORS: [Mirror, string][] = [
  ["mirrored", "mirrored: the same files"],
  ["turned", "rotated by 180 degrees"],
  ["apart", "independent: place each side yourself"],
];

export class ArrayEditor {
  readonly root = el("div", { className: "wizard-array" });
  /** The board without clickable squares. */
  readonly preview = el("img", { className: "wizard-preview", alt: "" });

  private readonly host = el("div", { className: "wizard-board", id: "wizard-array" });
  private readonly picture = el("img", { alt: "" });
  private readonly squares = el("div", { role: "grid", "aria-label": "Starting position" });
  private readonly bar = el("div", { className: "wizard-brushes", role: "group", "aria-label": "Piece to place" });
  private readonly said = el("p", { className: "wizard-said", role: "status", "aria-live": "polite" });
  private readonly fill = el("div", { className: "row" });
  private readonly mirror = el("select", { id: "wizard-mirror" }, ...MIRRORS.map(([value, label]) => el("option", { value }, label)));
  private side: 0 | 1 = 0;
  /** The selected piece; without one, a click removes pieces. */
  private brush: number | undefined;
  private focused = "a1";
  private buttons = new Map<string, HTMLButtonElement>();
  private drawing = 0;
  private geometry = "";

  constructor(
    private readonly looks: Looks,
    private readonly game: () => WizardGame,
    /** The picture of a piece for a side. */
    private readonly imageOf: (piece: WizardPiece, side: 0 | 1) => HTMLElement,
    private readonly changed: () => void,
  ) {
    this.squares.addEventListener("keydown", (event) => this.key(event));
    this.mirror.onchange = () => {
      this.game().mirror = this.mirror.value as Mirror;
      follow(this.game());
      this.changed();
    };
    put(this.host, this.picture, this.squares);
    put(
      this.root,
      this.bar,
      this.host,
      el(
        "div",
        { className: "wizard-tools" },
        this.said,
        el("div", { className: "wizard-field" }, el("label", { htmlFor: "wizard-mirror" }, "Position of the other side"), this.mirror),
        this.fill,
        el("p", { className: "note" }, "Select a piece and then squares, or drag pieces onto the board, across it, or off it."),
        el("p", { className: "note" }, "Keyboard: arrow keys select a square, a piece's letter places it (Shift places it for the other side), and Delete removes it."),
      ),
    );
  }

  /** Shows the current starting position. */
  show(): void {
    const game = this.game();
    this.mirror.value = mirrorOf(game);
    for (const option of this.mirror.options) option.disabled = option.value === "mirrored" && game.cells === "hex";
    this.host.classList.toggle("hex", isHex(game));
    if (this.brush !== undefined && !game.pieces.some((piece) => piece.key === this.brush)) this.brush = undefined;
    this.brush ??= game.pieces[0]?.key;
    this.showBar();
    this.showFill();
    this.label();
    void this.draw();
  }

  private async draw(): Promise<void> {
    const drawing = ++this.drawing;
    try {
      const picture = await this.looks.board(this.game());
      if (drawing === this.drawing) this.place(picture);
    } catch (error) {
      // The fields report a board without a valid size; the last picture stays.
      if (error instanceof Stopped) this.geometry = "";
    }
  }

  private place(picture: Picture): void {
    this.picture.src = this.preview.src = pictureAddress(picture.svg);
    const count = (side: 0 | 1) => `${standing(this.game(), side).length} pieces of ${this.game().sides[side]}`;
    this.preview.alt = `The board, ${this.game().files} by ${this.game().ranks}, with ${count(0)} and ${count(1)}`;
    const geometry = `${picture.cells} ${picture.squares.length} ${picture.width} ${picture.height}`;
    if (geometry !== this.geometry) {
      this.geometry = geometry;
      this.lay(picture);
    }
    this.label();
  }

  /** Places a button over every square of the picture. */
  private lay(picture: Picture): void {
    this.host.style.aspectRatio = `${picture.width} / ${picture.height}`;
    this.host.style.setProperty("--ratio", String(picture.width / picture.height));
    this.buttons.clear();
    const cell = (square: Square) => {
      const { name } = square;
      const button = el("button", { className: "square", role: "gridcell", "data-array": name, tabIndex: -1, onclick: () => this.click(name), onfocus: () => this.focus(name) });
      cover(button, square, picture);
      this.draggable(button, () => this.game().array[name], name);
      this.buttons.set(name, button);
      return button;
    };
    put(this.squares, ...rowsOf(picture.squares, cell));
    if (!this.buttons.has(this.focused)) this.focused = "a1";
  }

  private label(): void {
    const game = this.game();
    for (const [name, button] of this.buttons) {
      const one = game.array[name];
      const piece = one && game.pieces.find((other) => other.key === one.key);
      button.setAttribute("aria-label", piece && one ? `${name}, ${game.sides[one.side].toLowerCase()} ${piece.name}` : `${name}, empty`);
      button.classList.toggle("held", piece !== undefined);
      button.tabIndex = name === this.focused ? 0 : -1;
    }
  }

  private focus(name: string): void {
    this.focused = name;
    for (const [other, button] of this.buttons) button.tabIndex = other === name ? 0 : -1;
  }

  private showBar(): void {
    const game = this.game();
    const side = (index: 0 | 1) => {
      const button = el("button", { "aria-pressed": String(this.side === index) }, game.sides[index]);
      button.onclick = () => {
        this.side = index;
        this.showBar();
        this.bar.querySelectorAll<HTMLButtonElement>(".wizard-sides button")[index]?.focus();
      };
      return button;
    };
    const brush = (key: number | undefined, label: string, ...children: Node[]) => {
      const button = el("button", { className: "wizard-brush", "aria-pressed": String(this.brush === key), title: label }, ...children);
      button.onclick = () => {
        this.brush = key;
        for (const other of this.bar.querySelectorAll(".wizard-brush")) other.setAttribute("aria-pressed", String(other === button));
      };
      if (key !== undefined) this.draggable(button, () => ({ side: this.side, key }));
      return button;
    };
    put(
      this.bar,
      el("div", { className: "wizard-sides", role: "group", "aria-label": "Side" }, side(0), side(1)),
      ...game.pieces.map((piece) => brush(piece.key, `${game.sides[this.side]} ${piece.name}`, this.imageOf(piece, this.side), el("span", {}, piece.name))),
      brush(undefined, "Remove", el("span", {}, "Remove")),
    );
  }

  private showFill(): void {
    const game = this.game();
    const had = this.fill.querySelectorAll("select")[1]?.value ?? "2";
    const kinds = el("select", { "aria-label": "Piece for a whole rank" }, ...game.pieces.map((piece) => el("option", { value: String(piece.key) }, piece.name)));
    const ranks = el("select", { "aria-label": "Rank" }, ...Array.from({ length: Math.max(0, game.ranks) }, (_, rank) => el("option", { value: String(rank + 1) }, `rank ${rank + 1}`)));
    if (Number(had) <= game.ranks) ranks.value = had;
    const filled = () => {
      const key = Number(kinds.value);
      const rank = Number(ranks.value) - 1;
      for (let file = 0; file < game.files; file++) if (isSquare(game, file, rank)) stand(game, squareName(file, rank), { side: this.side, key });
      this.tell(`Filled rank ${ranks.value}.`);
    };
    const cleared = () => {
      game.array = {};
      this.tell("Cleared the board.");
    };
    put(
      this.fill,
      kinds,
      el("span", {}, "on all of"),
      ranks,
      el("button", { disabled: game.pieces.length === 0, onclick: filled }, "Fill the rank"),
      el("button", { onclick: cleared }, "Clear the board"),
    );
  }

  private put(square: string, what: Standing | undefined): void {
    stand(this.game(), square, what);
    const other = this.game().array[square];
    const name = this.game().pieces.find((piece) => piece.key === other?.key)?.name;
    const middle = what !== undefined && other === undefined;
    this.tell(middle ? `${square} is in the middle, so the other side has no matching square.` : `${square}: ${other ? `${this.game().sides[other.side]} ${name}` : "empty"}.`);
  }

  private tell(words: string): void {
    put(this.said, words);
    this.changed();
  }

  private click(square: string): void {
    const there = this.game().array[square];
    const same = there?.key === this.brush && there?.side === this.side;
    this.put(square, this.brush === undefined || same ? undefined : { side: this.side, key: this.brush });
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      const { file, rank } = placeOf(this.focused);
      const to = (up: number) => this.buttons.get(squareName(file + step[0], rank + step[1] + up));
      // Two hexagons are adjacent on each side: take the lower one, or the upper one at the edge.
      const beside = isHex(this.game()) ? step[0] : 0;
      (beside < 0 ? (to(-1) ?? to(0)) : (to(0) ?? to(beside)))?.focus();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.put(this.focused, undefined);
    } else {
      const piece = this.game().pieces.find((one) => one.letter === event.key.toUpperCase());
      if (!piece) return;
      const side = event.shiftKey ? (1 - this.side) as 0 | 1 : this.side;
      this.put(this.focused, { side, key: piece.key });
    }
  }

  /** Makes a piece draggable: from a square, or from the bar if there is none. */
  private draggable(button: HTMLElement, held: () => Standing | undefined, from?: string): void {
    let what: Standing | undefined;
    draggable(button, () => (what = held()) !== undefined, () => this.lift(what!), (under) => this.drop(what!, from, under));
  }

  private lift(what: Standing): HTMLElement {
    const piece = this.game().pieces.find((one) => one.key === what.key);
    const ghost = el("div", { className: "ghost wizard-ghost", "aria-hidden": "true" }, piece ? this.imageOf(piece, what.side) : null);
    this.root.append(ghost);
    return ghost;
  }

  private drop(what: Standing, from: string | undefined, under: Element | null): void {
    const target = under?.closest<HTMLElement>("[data-array]")?.dataset["array"];
    if (target === from) return;
    if (from !== undefined) stand(this.game(), from, undefined);
    if (target !== undefined) this.put(target, what);
    else this.tell(`${from} is empty.`);
  }
}
