// What the player may do now: moves on the board, dice, choices, and handing the screen over to another player. Owns the
// board and the dice, and whether the screen is covered.

import { Board } from "./board";
import type { Computer } from "./computer";
import type { DrawnPiece } from "./diagram";
import { Dice } from "./dice";
import { el, get, once, put } from "./dom";
import { type Move, sortMoves } from "./moves";
import { clearNotice, say } from "./notice";
import type { Odds } from "./odds";
import type { Legend } from "./pieces";
import type { Reason } from "./reason";
import type { GameEvent, Pending } from "./protocol";
import type { Table } from "./table";

/** The most numbers that are shown as buttons. */
const MANY = 12;

export class Decisions {
  readonly dice: Dice;
  readonly board: Board;
  /** Whether the screen is covered before another player takes it. */
  private covered = false;

  constructor(
    private readonly table: Table,
    private readonly computer: Computer,
    private readonly legend: Legend,
    private readonly reason: Reason,
    odds: Odds,
    /** The user has chosen whether dice are rolled automatically. */
    seated: () => void,
  ) {
    this.dice = new Dice(table, (event) => this.apply(event), say, seated);
    this.board = new Board(get("board"), {
      move: (moves) => void this.make(moves),
      choose: (square) => void this.apply({ choice: square }),
      refused: (from, to) => this.refused(from, to),
      look: (move) => odds.pointAt(move?.text),
    });
  }

  /** Shows the current position and what can be done in it. */
  show(): void {
    const shown = this.table.shown;
    for (const id of ["board", "dice", "choices", "controls"]) get(id).hidden = !shown;
    if (!shown) return;
    const pending = shown.status.pending;
    const hadFocus = get("dice").contains(document.activeElement) || get("choices").contains(document.activeElement);
    const ours = this.isOurs();
    const texts = ours && pending?.kind === "move" ? (pending.options ?? []) : [];
    const { moves, others } = sortMoves(texts, pending?.player ?? "first");
    const squares = new Set(shown.picture.squares.map((square) => square.name));
    const choices = ours && pending ? choicesOf(pending).filter((text) => squares.has(text)) : [];
    this.board.show(shown.picture, moves, choices, shown.course);
    this.dice.show(ours);
    this.showChoices(others);
    this.handOver();
    if (hadFocus && document.activeElement === document.body) this.focusNext();
  }

  /** Focuses the next control, after the element with the focus has gone. */
  private focusNext(): void {
    const next = [...get("dice").querySelectorAll<HTMLElement>(".rolling:not([inert]) button"), ...get("choices").querySelectorAll<HTMLElement>("input, button")][0];
    if (next) next.focus();
    else this.board.focus();
  }

  /** Whether the page decides the next event. */
  private isOurs(): boolean {
    const { table } = this;
    const pending = table.shown?.status.pending;
    if (!pending || table.handsOver() || table.isAway) return false;
    return pending.kind === "roll" || table.seat(pending.player) === "human" || this.computer.halted;
  }

  private async apply(event: GameEvent): Promise<void> {
    try {
      this.computer.halted = false;
      clearNotice();
      this.reason.close();
      await this.table.apply(event);
    } catch (error) {
      say(error);
    }
  }

  private async make(moves: Move[]): Promise<void> {
    const move = await whichMove(this.board, moves, this.legend.pieces);
    if (move !== undefined) await this.apply({ move });
  }

  private refused(from: string, to?: string): void {
    // Held pieces are named with their side.
    if (to) return this.reason.ofMove(`${from.split(" ").at(-1)}${to}`);
    const square = this.table.shown?.picture.squares.find((square) => square.name === from);
    if (square && square.pieces.length > 0) this.reason.ofPiece(from, square.label);
  }

  /** A field for one of many numbers. Typed text stays when the same question is drawn again. */
  private numberField(numbers: string[], player: string): HTMLElement {
    const all = numbers.map(Number);
    const min = String(Math.min(...all));
    const max = String(Math.max(...all));
    const before = get("choices").querySelector("input");
    const same = before?.dataset["player"] === player && before.min === min && before.max === max;
    const field = el("input", { type: "number", min, max, value: same ? before.value : numbers[0], "aria-label": "Your number" });
    field.dataset["player"] = player;
    const choose = () => {
      if (numbers.includes(field.value)) {
        // The next question may look the same.
        delete field.dataset["player"];
        void this.apply({ choice: field.value });
      } else say(new Error(`Enter a number from ${field.min} to ${field.max}.`));
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") choose();
    });
    return el("span", { className: "row" }, field, el("button", { onclick: choose }, "Choose"));
  }

  /** Lets the computer continue after it was stopped. */
  private goOn(): Promise<void> {
    const { table } = this;
    this.computer.cancel();
    return (table.shown?.status.pending?.kind === "roll" ? table.roll() : table.seated()).catch(say);
  }

  private showChoices(others: string[]): void {
    const { table, computer } = this;
    const pending = table.shown?.status.pending;
    const made: Node[] = [];
    const button = (text: string, act: () => Promise<void>) => el("button", { onclick: once(act) }, text);
    if (pending && this.isOurs()) {
      const choices = choicesOf(pending);
      const numbers = choices.filter((text) => /^-?\d+$/.test(text));
      // Many numbers get a field instead of buttons.
      const typed = numbers.length > MANY ? numbers : [];
      if (typed.length > 0) made.push(this.numberField(typed, pending.player));
      // Squares are chosen on the board. A piece that can also move is picked up there, so that its square needs a button.
      const onBoard = new Set(pending.kind === "choice" ? table.shown?.picture.squares.map((square) => square.name) : []);
      made.push(...choices.filter((text) => !typed.includes(text) && !onBoard.has(text)).map((text) => button(text, () => this.apply({ choice: text }))));
      made.push(...others.map((text) => button(text, () => this.apply({ move: text }))));
      if (pending.kind !== "roll" && pending.pass) made.push(button("Pass", () => this.apply({ move: "pass" })));
      if (computer.halted && table.seat(pending.player) !== "human") made.push(button("Let the computer continue", () => this.goOn()));
    }
    put(get("choices"), ...made);
  }

  /** Asks to hand the screen over. The screen is covered first; the next player then uncovers their view. */
  private handOver(): void {
    const { table } = this;
    const next = table.handsOver();
    this.covered = this.covered && next !== undefined;
    document.body.classList.toggle("covered", this.covered);
    if (!next) return;
    const [label, then] = this.covered
      ? [`I am ${table.side(next)}: show the board`, () => void table.look(next).catch(say)]
      : [`Hand over to ${table.side(next)}`, () => this.cover()];
    put(get("choices"), this.covered && el("p", {}, `The board is hidden until ${table.side(next)} is ready.`), el("button", { className: "main", onclick: then }, label));
  }

  /** Covers the screen if it is to be handed over. */
  cover(): void {
    this.covered = true;
    this.handOver();
    get("choices").querySelector("button")?.focus();
  }
}

/** The choices: alone, or instead of a move. */
function choicesOf(pending: Pending): string[] {
  if (pending.kind === "roll") return [];
  return (pending.kind === "choice" ? pending.options : pending.choices) ?? [];
}

/** The move that the user makes. If several lead to the same square, asks which one, for example for a promotion. */
export async function whichMove(board: Board, moves: Move[], pieces: Map<string, DrawnPiece>): Promise<string | undefined> {
  const [first] = moves;
  if (!first || moves.length === 1) return first?.text;
  const rest = (move: Move) => move.rest.replace(/^=/, "");
  const kind = (move: Move) => pieces.get(rest(move).toUpperCase());
  const became = (move: Move) => (rest(move) && (kind(move)?.name ?? rest(move))) || "no promotion";
  const alike = moves.every((move) => move.rest === first.rest);
  const label = (move: Move) => (alike ? (move.dice ?? became(move)) : became(move) + (move.dice === undefined ? "" : `, paid by ${move.dice}`));
  // The strongest piece first: the one with the most moves.
  const strength = (move: Move) => kind(move)?.quiet.length ?? -1;
  const all = [...moves].sort((a, b) => strength(b) - strength(a));
  return board.pick(first.to, alike && first.dice !== undefined ? "Which die pays?" : "Which?", all.map((move) => ({ text: move.text, label: label(move) })));
}
