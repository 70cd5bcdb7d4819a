// The dice on the table: a button that rolls them, a field for real ones, and the rolled faces.

import { askText } from "./dialog";
import { shape } from "./diagram";
import { el, get, once, put } from "./dom";
import { paired } from "./lists";
import type { GameEvent, Pending, Side, TurnText } from "./protocol";
import { diceOf, diceWords, drawn, isLost, lostTurns } from "./status";
import type { Table } from "./table";

/** The pips of a die's faces: their places in a grid of nine, column by column. */
const PIPS = ["", "4", "08", "048", "0268", "02468", "012678"];

/** A die that shows a face, with the name of the face below it. */
function die(face: string, isNew: boolean, name: string | undefined, isUsed = false): HTMLElement {
  const shown = bare(face, isNew, name);
  if (isUsed) {
    shown.classList.add("used");
    shown.ariaLabel += ", used";
  }
  return name === undefined ? shown : el("span", { className: "named-die" }, shown, el("small", { "aria-hidden": "true" }, name));
}

function bare(face: string, isNew: boolean, name: string | undefined): HTMLElement {
  const made = el("span", { className: isNew ? "die new" : "die", role: "img", "aria-label": name === undefined ? face : `${face}, ${name}` });
  const pips = PIPS[Number(face)];
  if (!pips) {
    put(made, face);
    return made;
  }
  const svg = shape("svg", { viewBox: "0 0 36 36" });
  put(svg, ...[...pips].map((at) => shape("circle", { cx: 9 + 9 * Math.floor(+at / 3), cy: 9 + 9 * (+at % 3), r: 3.4 })));
  put(made, svg);
  return made;
}

/** A key that identifies a roll. */
const keyOf = (turn: TurnText) => `${turn.round} ${turn.side} ${turn.parts.findLastIndex((part) => typeof part === "object" && "roll" in part)}`;

export class Dice {
  /** The rolls that have already been shown. */
  private shown = new Set<string>();
  /** Whether the current game has shown dice yet: games without dice need no space for them. */
  private has = false;

  constructor(
    private readonly table: Table,
    private readonly happen: (event: GameEvent) => Promise<void>,
    private readonly failed: (error: unknown) => void,
    /** The user has chosen whether dice are rolled automatically. */
    private readonly seated: () => void,
  ) {}

  /** Resets the dice for another game. */
  begin(): void {
    this.has = false;
  }

  /** Shows the dice; `ours` is set if the page decides the next event. Unused controls keep their space. */
  show(ours: boolean): void {
    const { table } = this;
    const pending = table.shown?.status.pending;
    const last = table.shown?.course.turns.at(-1);
    const lost = lostTurns(table);
    // Dice rolled before a turn are visible before the turn has a line in the list.
    const early = last && pending && last.side !== pending.player && table.shown?.picture.dice.length ? [{ ...last, side: pending.player, text: "", parts: [] }] : [];
    const turns = lost.length > 0 ? [...lost, ...early] : early.length > 0 ? early : last ? [last] : [];
    const rolls = turns.map((turn) => this.roll(turn, pending?.player));
    this.shown = new Set(turns.map(keyOf));
    const waits = pending?.kind === "roll" && ours;
    this.has ||= waits || rolls.some(Boolean);
    get("dice").classList.toggle("named", table.faces.size > 0);
    get("dice").classList.toggle("auto", table.rollsAlone);
    put(get("dice"), this.has && el("div", { className: "rolls" }, ...rolls), this.has && this.controls(waits ? pending : undefined));
  }

  /** The last roll of a turn, with its side if another side is to decide. */
  private roll(turn: TurnText, player: Side | undefined): HTMLElement | null {
    const { table } = this;
    const left = turn.side === player ? (table.shown?.picture.dice ?? []) : [];
    const faces = diceOf(turn, left);
    if (!faces) return null;
    const isNew = !this.shown.has(keyOf(turn));
    const whose = (turn.side !== player || isLost(turn)) && el("small", {}, table.side(turn.side));
    if (faces.some((face) => !/^-?\d+$/.test(face))) return el("span", { className: "roll" }, whose, el("span", { className: "drawn-square" }, faces.join(" ")));
    // Faces that are not left have been used.
    const unused = left.length > 0 ? paired(faces, left.map(String)) : faces.map(() => true);
    return el("span", { className: isLost(turn) ? "roll lost" : "roll" }, whose, ...faces.map((face, i) => die(face, isNew, table.faces.get(Number(face)), !unused[i])));
  }

  /** The controls for rolling, automatically or by hand. Those by hand are inert and invisible if no roll is due. */
  private controls(pending: (Pending & { kind: "roll" }) | undefined): HTMLElement {
    const { table } = this;
    const squares = pending ? drawn(pending) : 0;
    const onchange = () => {
      void table.rollAlone(alone.checked).catch(this.failed);
      this.seated();
    };
    const alone = el("input", { type: "checkbox", checked: table.rollsAlone, onchange });
    const label = el("label", { className: "note" }, alone, squares ? " Draw automatically" : " Roll automatically");
    if (table.rollsAlone) return el("div", { className: "rolling" }, label);
    return el(
      "div",
      { className: pending ? "rolling" : "rolling off", inert: !pending },
      el("button", { className: "main", onclick: once(() => table.roll().catch(this.failed)) }, squares ? "Draw" : "Roll"),
      el("button", { onclick: () => void this.byHand() }, squares ? `Name the ${pending?.moves ? "move" : "square"}` : "Enter real dice"),
      label,
    );
  }

  /** Asks for dice that were rolled at a real table. */
  private async byHand(): Promise<void> {
    const pending = this.table.shown?.status.pending;
    if (pending?.kind !== "roll") return;
    const question = drawn(pending) ? `Which ${pending.moves ? "move" : "square"} was drawn?` : `Which faces were rolled with ${diceWords(pending, this.table.faces)}?`;
    const answer = await askText(question, "OK", { placeholder: drawn(pending) ? (pending.squares ?? pending.moves)?.[0] : "3 5" });
    const faces = answer?.split(/[\s,]+/).filter(Boolean);
    const number = (face: string) => [...this.table.faces].find(([, name]) => name.toLowerCase() === face.toLowerCase())?.[0] ?? face;
    if (faces?.length) await this.happen({ roll: faces.map((face) => (/^-?\d+$/.test(face) ? Number(face) : number(face))) });
  }
}
