// The dice on the table: a button that rolls them, a field for real ones, and what they show.

import { ask } from "./dialog";
import { el, get, put } from "./dom";
import type { GameEvent } from "./protocol";
import type { Table } from "./table";

/** Where the pips of a die's faces are, in thirds of it. */
const PIPS: Record<string, [number, number][]> = {
  "1": [[1, 1]],
  "2": [[0, 0], [2, 2]],
  "3": [[0, 0], [1, 1], [2, 2]],
  "4": [[0, 0], [0, 2], [2, 0], [2, 2]],
  "5": [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  "6": [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
};

const SVG = "http://www.w3.org/2000/svg";

/** A die that shows a face, and what that is called below it. */
function die(face: string, isNew: boolean, name: string | undefined): HTMLElement {
  const shown = bare(face, isNew, name);
  return name === undefined ? shown : el("span", { className: "named-die" }, shown, el("small", { "aria-hidden": "true" }, name));
}

function bare(face: string, isNew: boolean, name: string | undefined): HTMLElement {
  const made = el("span", { className: isNew ? "die new" : "die", role: "img", "aria-label": name === undefined ? face : `${face}, ${name}` });
  const pips = PIPS[face];
  if (!pips) {
    put(made, face);
    return made;
  }
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 36 36");
  for (const [column, row] of pips) {
    const pip = document.createElementNS(SVG, "circle");
    pip.setAttribute("cx", String(9 + 9 * column));
    pip.setAttribute("cy", String(9 + 9 * row));
    pip.setAttribute("r", "3.4");
    svg.append(pip);
  }
  put(made, svg);
  return made;
}

export class Dice {
  private shown = "";

  constructor(
    private readonly table: Table,
    private readonly happen: (event: GameEvent) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Shows the dice; `ours` says whether the page decides what is waited for. */
  show(ours: boolean): void {
    const { status, course } = this.table.shown ?? {};
    const pending = status?.pending;
    if (pending?.kind === "roll" && ours) {
      const alone = el("input", { type: "checkbox", checked: this.table.rollsAlone, onchange: () => void this.table.rollAlone(alone.checked).catch(this.failed) });
      const roll = el("button", { type: "button", className: "main", onclick: () => void this.table.roll().catch(this.failed) }, "Roll");
      put(
        get("dice"),
        roll,
        el("span", {}, pending.dice),
        el("button", { type: "button", onclick: () => void this.byHand() }, "Enter real dice"),
        el("label", { className: "note" }, alone, " roll by themselves"),
      );
      return;
    }
    const faces = this.table.rolled.flat().map(String);
    const key = `${faces.join()} ${course?.deciders.length}`;
    put(get("dice"), ...faces.map((face) => die(face, key !== this.shown, this.table.faces.get(Number(face)))));
    if (faces.length > 0) this.shown = key;
  }

  /** Dice that somebody has rolled at the table. */
  private async byHand(): Promise<void> {
    const pending = this.table.shown?.status.pending;
    if (pending?.kind !== "roll") return;
    const field = el("input", { type: "text", "aria-label": `What ${pending.dice} shows`, placeholder: "3 5" });
    const answer = await ask<string>(`What does ${pending.dice} show?`, (done) => [
      field,
      el(
        "div",
        { className: "row" },
        el("button", { type: "button", className: "main", onclick: () => done(field.value) }, "Take it"),
        el("button", { type: "button", onclick: () => done(undefined) }, "Cancel"),
      ),
    ]);
    const faces = answer?.split(/[\s,]+/).filter(Boolean);
    const number = (face: string) => [...this.table.faces].find(([, name]) => name.toLowerCase() === face.toLowerCase())?.[0] ?? face;
    if (faces?.length) await this.happen({ roll: faces.map((face) => (/^-?\d+$/.test(face) ? Number(face) : number(face))) });
  }
}
