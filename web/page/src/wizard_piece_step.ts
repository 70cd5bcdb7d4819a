// The step of the wizard in which pieces are chosen: the palette, and a card for each piece with its moves. Owns the
// movements that the engine cannot parse. It knows neither the other steps nor the script.

import { type DiagramBoard, SIGNS, diagram, imageOf } from "./diagram";
import { el, put } from "./dom";
import { capital } from "./lists";
import { field, goTo, group, textField, tick } from "./wizard_form";
import { type Problem, type WizardGame, type WizardPiece, PIECES, forget, isHex } from "./wizard_game";
import type { Look, Looks } from "./wizard_looks";
import { type KnownPiece, freeLetter, freeName, paletteFor } from "./wizard_pieces";
import type { Asking } from "./wizard_steps";

/** The pause in typing before a movement is checked, in milliseconds. */
const PAUSE = 200;

export class PieceStep {
  /** Movements that the engine cannot parse, by the piece's key. */
  private unread = new Map<number, string>();
  /** Parts of the palette that stay open when it is rebuilt. */
  private opened = new Set<string>();
  private readonly said = el("p", { className: "wizard-said", role: "status", "aria-live": "polite" });

  constructor(
    private readonly looks: Looks,
    /** Shows mistakes. */
    private readonly tell: () => void,
    /** Moves the focus to the start of the step. */
    private readonly focus: () => void,
  ) {}

  /** The movements that cannot be parsed. */
  problems(game: WizardGame): Problem[] {
    const unread = [...this.unread].filter(([key]) => game.pieces.some((piece) => piece.key === key && piece.betza.trim()));
    return unread.map(([key, text]) => ({ step: "pieces", field: `betza-${key}`, text }));
  }

  /** Forgets the pieces of another game. */
  clear(): void {
    this.unread.clear();
  }

  /** The fields of the step. */
  nodes(asking: Asking): Node[] {
    const { game, imageOf } = asking;
    const chosen = el("ul", { className: "wizard-men" }, ...game.pieces.map((piece) => this.card(asking, piece)));
    const isFull = game.pieces.length >= PIECES;
    const known = (piece: KnownPiece) =>
      el("button", { className: "wizard-known", "data-known": `${piece.label ?? piece.name}`, disabled: isFull, title: piece.betza, onclick: () => this.take(asking, piece) }, imageOf(piece, 0), el("span", {}, piece.label ?? piece.name));
    const own = el("button", { disabled: isFull, id: "wizard-own", onclick: () => this.take(asking, { name: "piece", letter: "X", betza: "" }) }, "Custom piece");
    return [
      group(
        "palette",
        isFull ? `A game can have at most ${PIECES} kinds of pieces` : "Add a piece",
        ...paletteFor(isHex(game)).map(({ title, pieces }) => el("details", { open: title === "Chess" || this.opened.has(title), ontoggle: (event: Event) => this.toggled(title, event) }, el("summary", {}, title), el("div", { className: "wizard-palette" }, ...pieces.map(known)))),
        own,
      ),
      this.said,
      movementInBrief(),
      el("p", { className: "note" }, game.pieces.length > 0 ? SIGNS : "Each piece you add appears here with its moves, which you can change."),
      chosen,
    ];
  }

  private toggled(title: string, event: Event): void {
    if ((event.target as HTMLDetailsElement).open) this.opened.add(title);
    else this.opened.delete(title);
  }

  /** Adds a piece of the palette to the game. */
  private take({ game, redealt, rebuilt }: Asking, known: KnownPiece): void {
    const { pieces } = game;
    const letter = freeLetter(known.letter, known.name, pieces.map((piece) => piece.letter));
    const name = freeName(known.name, pieces.map((piece) => piece.name));
    const { betza, glyphs } = known;
    const piece: WizardPiece = { key: 1 + Math.max(0, ...pieces.map((piece) => piece.key)), name, letter, betza, promotes: [], die: 6, ...(glyphs && { glyphs }) };
    pieces.push(piece);
    put(this.said, `Added the ${name}.`);
    redealt();
    const place = document.activeElement?.getAttribute("data-known");
    rebuilt();
    if (known.betza) document.querySelector<HTMLElement>(`#wizard [data-known="${place}"]`)?.focus();
    else goTo(`name-${piece.key}`);
  }

  /** A piece of the game: its name, movement and promotion. */
  private card(asking: Asking, piece: WizardPiece): HTMLElement {
    const { game, imageOf, changed } = asking;
    const { key } = piece;
    const board = el("div", { className: "wizard-diagram" });
    const about = el("p", { className: "note" });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const script = `${piece.betza} ${piece.letter}`;
      const [squares, found] = await Promise.all([this.looks.empty(game).catch(() => {}), piece.betza.trim() ? this.looks.of(game, piece) : undefined]);
      if (squares && script === `${piece.betza} ${piece.letter}`) this.looked(piece, found, squares, board, about);
    };
    const later = () => {
      changed();
      clearTimeout(timer);
      timer = setTimeout(() => void look(), PAUSE);
    };
    void look();
    const others = game.pieces.filter((other) => other !== piece);
    const becomes = tickPromotions(piece, others, (other) => imageOf(other, 0), changed);
    const remove = el("button", { onclick: () => this.remove(asking, piece), "aria-label": `Remove the ${piece.name}` }, "Remove");
    return el(
      "li",
      { className: "wizard-card" },
      board,
      el(
        "div",
        { className: "wizard-fields" },
        field(`name-${key}`, "Name", textField(piece.name, (name) => ((piece.name = name), changed()), { maxLength: 30 })),
        field(`letter-${key}`, "Letter", textField(piece.letter, (letter) => ((piece.letter = letter.trim().toUpperCase()), later()), { maxLength: 1, className: "wizard-short" })),
        field(`betza-${key}`, "Moves (Betza)", textField(piece.betza, (betza) => ((piece.betza = betza), later()), { maxLength: 60, className: "wizard-betza", autocapitalize: "off" })),
        about,
        becomes,
        remove,
      ),
    );
  }

  private looked(piece: WizardPiece, look: Look | undefined, squares: DiagramBoard, board: HTMLElement, about: HTMLElement): void {
    if (look?.error !== undefined) this.unread.set(piece.key, look.error);
    else this.unread.delete(piece.key);
    put(about, capital(look?.drawn?.movement ?? ""));
    const moves = look?.drawn ?? { from: null, quiet: [], captures: [], over: [] };
    const image = look?.drawn && imageOf(look.drawn);
    put(board, diagram(squares, { ...moves, name: piece.name, letter: piece.letter }, image));
    this.tell();
  }

  private remove({ game, redealt, rebuilt }: Asking, piece: WizardPiece): void {
    forget(game, piece.key);
    redealt();
    this.unread.delete(piece.key);
    rebuilt();
    this.focus();
  }
}

const BETZA: [string, string][] = [
  ["W  F  N", "one step orthogonally, one step diagonally, a knight's leap; K combines W and F, as a king moves"],
  ["D  A  C", "leaps: two squares orthogonally, two diagonally, a camel's leap"],
  ["R  B  Q", "any distance orthogonally, diagonally, or both; R3 goes up to three squares"],
  ["fW", "forward only; likewise b (backward), s (sideways), l (left) and r (right)"],
  ["mW  cF", "m only moves without capturing, c only captures: mfWcfF is a pawn"],
  ["pR  gQ", "p jumps over exactly one piece; g jumps over a piece and lands just behind it"],
  ["nN", "n cannot leap over pieces in between"],
  ["ifD", "i only moves from a starting square of the piece"],
];

/** A short guide to the notation of movement, sufficient for most pieces. */
function movementInBrief(): HTMLElement {
  const rows = BETZA.map(([signs, meaning]) => el("div", {}, el("dt", {}, signs), el("dd", {}, meaning)));
  return el("details", { className: "wizard-brief" }, el("summary", {}, "How to write movement (Betza notation)"), el("dl", {}, ...rows), el("p", { className: "note" }, "Write letters one after another to combine them: RF is a rook that also steps diagonally. On hexagons, W steps to one of the six neighbors, and F steps between two neighbors to the hexagon beyond. R and B continue in these directions. N leaps to the nearest other hexagons. f is straight ahead; fl and fr are ahead to the left and right."));
}

/** The promotions of a piece on the far rank: checkboxes for the other pieces. */
function tickPromotions(piece: WizardPiece, others: WizardPiece[], imageOf: (piece: WizardPiece) => HTMLElement, changed: () => void): HTMLElement | null {
  if (others.length === 0) return null;
  const ticked = (other: WizardPiece) => (checked: boolean) => {
    piece.promotes = piece.promotes.filter((key) => key !== other.key);
    if (checked) piece.promotes.push(other.key);
    changed();
  };
  const boxes = others.map((other) => tick(other.name, piece.promotes.includes(other.key), ticked(other), "wizard-chip", imageOf(other)));
  const folded = el("details", { open: piece.promotes.length > 0, className: "wizard-promotes" }, el("summary", {}, "Promotion on the far rank"), el("div", { className: "wizard-chips" }, ...boxes));
  folded.setAttribute("aria-label", `Promotion of the ${piece.name}`);
  return folded;
}
