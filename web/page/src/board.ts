// The clickable board: a picture with a grid of buttons over it, one per square. Owns the keyboard focus, the selection and
// its targets. It knows no rules: its owner passes in the legal moves.

import { el, put } from "./dom";
import { changed, glide } from "./glide";
import { type Move, heldName } from "./moves";
import { type Place, cut, pictureAddress } from "./picture";
import type { Course, Picture, Square, SquareValue } from "./protocol";
import { cover, draggable, rowsOf } from "./squares";

interface BoardEvents {
  /** The user makes a move; several moves if more information is needed. */
  move(moves: Move[]): void;
  /** The user answers with a square, if squares are offered. */
  choose(square: string): void;
  /** The user tried something illegal: `to` is missing if no piece there can move. */
  refused(from: string, to?: string): void;
  /** The user points at a move, by pointer or keyboard, or at none. */
  look(move: Move | undefined): void;
}

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The colors of values beyond this are so dark that white numbers are easier to read. */
const FAR = 0.82;

export class Board {
  private moves: Move[] = [];
  private choices = new Set<string>();
  private chosen: string | undefined;
  private buttons = new Map<string, HTMLButtonElement>();
  private at = new Map<string, Square>();
  private focused: string | undefined;
  private active = false;
  /** What was shown last, with the number of events until then. */
  private last: { picture: Picture; events: number } | undefined;
  /** Whether the user has dragged a piece to its target, where it is already seen. */
  private isDragged = false;
  /** The squares of the last turn's moves, and what identifies that turn. */
  private traces = new Set<string>();
  private traced = "";
  /** The values that are shown on squares. */
  private values = new Map<string, SquareValue>();

  constructor(private readonly root: HTMLElement, private readonly events: BoardEvents) {
    root.addEventListener("keydown", (event) => this.key(event));
  }

  /** Lets the user choose one of several answers next to a square; undefined if they choose none. */
  pick(square: string, question: string, answers: { text: string; label: string }[]): Promise<string | undefined> {
    const button = this.buttons.get(square);
    return new Promise((resolve) => {
      const menu = el("div", { role: "dialog", className: "pick", "aria-label": question });
      const done = (answer: string | undefined) => {
        menu.remove();
        window.removeEventListener("pointerdown", outside);
        button?.focus();
        resolve(answer);
      };
      const outside = (event: PointerEvent) => {
        if (!menu.contains(event.target as Node)) done(undefined);
      };
      put(
        menu,
        el("span", {}, question),
        ...answers.map(({ text, label }) => el("button", { "data-answer": text, onclick: () => done(text) }, label)),
      );
      menu.addEventListener("keydown", (event) => {
        if (event.key === "Escape") done(undefined);
        const step = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : event.key === "ArrowUp" || event.key === "ArrowLeft" ? -1 : 0;
        if (!step) return event.stopPropagation();
        event.preventDefault();
        event.stopPropagation();
        const all = [...menu.querySelectorAll("button")];
        all[(all.indexOf(document.activeElement as HTMLButtonElement) + step + all.length) % all.length]?.focus();
      });
      this.root.append(menu);
      const place = button ? [button.offsetLeft, button.offsetTop + button.offsetHeight] : [0, 0];
      menu.style.left = `${Math.max(0, Math.min(place[0] ?? 0, this.root.offsetWidth - menu.offsetWidth))}px`;
      menu.style.top = `${Math.max(0, Math.min(place[1] ?? 0, this.root.offsetHeight - menu.offsetHeight))}px`;
      menu.querySelector("button")?.focus();
      window.addEventListener("pointerdown", outside);
    });
  }

  /** Shows probabilities on squares and replaces earlier ones. */
  markChances(chances: Map<string, string>): void {
    for (const [name, button] of this.buttons) {
      const chance = chances.get(name);
      if (chance === undefined) delete button.dataset["chance"];
      else button.dataset["chance"] = chance;
    }
  }

  /** Shows values on squares as colored disks, instead of earlier ones. */
  markValues(values: SquareValue[]): void {
    this.values = new Map(values.map((one) => [one.square, one]));
    this.mark();
  }

  /** Shows a picture of a game; `moves` and `choices` are the current options, empty if it is not the page's turn to decide. */
  show(picture: Picture, moves: Move[], choices: string[], course: Course): void {
    const had = this.root.contains(document.activeElement);
    this.moves = moves;
    this.choices = new Set(choices);
    this.active = moves.length + choices.length > 0;
    this.chosen = undefined;
    this.buttons.clear();
    this.at.clear();
    for (const square of picture.squares) this.at.set(square.name, square);
    const rows = rowsOf(picture.squares, (square) => this.button(square.name, square.label, picture, square));
    const held = picture.held.map((one) => this.button(heldName(one.side, one.drop), one.label, picture, { ...one, height: one.width }, true));
    const image = el("img", { alt: "", src: pictureAddress(picture.svg) });
    const grid = el("div", { role: "grid", "aria-label": "Board", "aria-rowcount": rows.length }, ...rows);
    put(this.root, image, grid, held.length > 0 && el("div", { role: "group", "aria-label": "Held" }, ...held));
    this.root.classList.toggle("hex", picture.cells === "hex");
    this.root.style.aspectRatio = `${picture.width} / ${picture.height}`;
    // The panes beside the board use it as well.
    (this.root.closest("dialog") ?? document.body).style.setProperty("--ratio", String(picture.width / picture.height));
    this.trace(picture, course);
    if (!this.focused || !this.buttons.has(this.focused)) this.focused = picture.squares[0]?.name;
    this.mark();
    if (had) this.buttons.get(this.focused ?? "")?.focus();
  }

  /** Lets the pieces of the last move glide, and marks its squares, with those of earlier moves in the same turn. */
  private trace(picture: Picture, { deciders, turns }: Course): void {
    const events = deciders.length;
    const turn = `${turns.at(-1)?.round} ${turns.at(-1)?.side}`;
    const { last } = this;
    this.last = { picture, events };
    if (!last || events < last.events || events > last.events + 2) this.traces.clear();
    if (!last || events <= last.events || events > last.events + 2) return;
    const squares = changed(last.picture, picture);
    if (squares.length === 0) return;
    this.traces = new Set([...(turn === this.traced ? this.traces : []), ...squares.map((square) => square.name)]);
    this.traced = turn;
    if (!this.isDragged) glide(this.root, last.picture, picture, squares);
    this.isDragged = false;
  }

  /** Moves the keyboard focus to the square that had it last. */
  focus(): void {
    this.buttons.get(this.focused ?? "")?.focus();
  }

  private button(name: string, label: string, picture: Picture, place: Place, isHeld = false): HTMLButtonElement {
    const button = el("button", { className: "square", role: !isHeld && "gridcell", tabIndex: isHeld ? 0 : -1, "aria-label": label, "data-square": name });
    cover(button, place, picture);
    button.onclick = () => this.click(name);
    button.onfocus = () => this.lookAt(name);
    button.onpointerenter = () => this.lookAt(name, false);
    draggable(button, () => this.movable(name), () => this.lift(button, picture, place), (under) => this.dropped(name, under));
    this.buttons.set(name, button);
    return button;
  }

  /** The user has dragged the pieces of a square to something. */
  private dropped(name: string, under: Element | null): void {
    const target = under?.closest<HTMLElement>("[data-square]")?.dataset["square"];
    if (!target || target === name || !this.movable(name)) return;
    this.chosen = name;
    this.isDragged = this.targets().some((move) => move.to === target);
    this.click(target);
  }

  /** Lifts the pieces of a square out of the picture; their targets are marked meanwhile. */
  private lift(button: HTMLElement, picture: Picture, place: Place): HTMLElement {
    const ghost = el("img", { className: "ghost", alt: "", src: pictureAddress(cut(picture.svg, place) ?? "") });
    ghost.style.width = `${button.offsetWidth}px`;
    ghost.style.height = `${button.offsetHeight}px`;
    // A dialog covers the rest of the page.
    (this.root.closest("dialog") ?? document.body).append(ghost);
    this.chosen = button.dataset["square"];
    this.mark();
    return ghost;
  }

  private movable(name: string): boolean {
    return this.moves.some((move) => move.from === name);
  }

  private targets(): Move[] {
    const chosen = this.chosen;
    return chosen === undefined ? [] : this.moves.filter((move) => move.from === chosen);
  }

  private click(name: string): void {
    this.focused = name;
    const made = this.targets().filter((move) => move.to === name);
    if (made.length > 0) {
      this.chosen = undefined;
      this.mark();
      return this.events.move(made);
    }
    // If a piece can both move and be chosen, a click picks it up; the button with its square's name chooses it.
    if (this.choices.has(name) && !this.movable(name)) return this.events.choose(name);
    if (name === this.chosen) this.chosen = undefined;
    else if (this.movable(name)) this.chosen = name;
    else if (this.active) {
      this.events.refused(this.chosen ?? name, this.chosen && name);
      this.chosen = undefined;
    }
    this.mark();
  }

  private lookAt(name: string, focus = true): void {
    if (focus) this.focused = name;
    this.events.look(this.targets().find((move) => move.to === name));
    if (focus) this.tabStop();
  }

  private mark(): void {
    const targets = new Set(this.targets().map((move) => move.to));
    for (const [name, button] of this.buttons) {
      button.classList.toggle("chosen", name === this.chosen || this.choices.has(name));
      button.classList.toggle("target", targets.has(name));
      button.classList.toggle("movable", this.movable(name));
      button.classList.toggle("changed", this.traces.has(name));
      button.classList.toggle("taken", targets.has(name) && (this.at.get(name)?.pieces.length ?? 0) > 0);
      button.setAttribute(button.role ? "aria-selected" : "aria-pressed", String(name === this.chosen));
      const can = targets.has(name) ? "can go here" : this.movable(name) ? "can move" : this.choices.has(name) ? "can be chosen" : "";
      const value = this.values.get(name);
      button.setAttribute("aria-description", [can, value && `value ${value.text}`].filter(Boolean).join(", "));
      button.classList.toggle("far", Math.abs(value?.value ?? 0) > FAR);
      button.classList.toggle("own", value?.isOwn === true);
      if (value) button.dataset["value"] = value.text;
      else delete button.dataset["value"];
      button.style.setProperty("--value", value?.color ?? null);
    }
    this.tabStop();
  }

  private tabStop(): void {
    for (const [name, button] of this.buttons) {
      if (this.at.has(name)) button.tabIndex = name === this.focused ? 0 : -1;
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.chosen) {
      this.chosen = undefined;
      this.mark();
      return;
    }
    const step = STEPS[event.key];
    const here = this.at.get(this.focused ?? "");
    if (!step || !here || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = this.beside(here, step);
    if (next) this.buttons.get(next.name)?.focus();
  }

  /** The next square in a direction, skipping holes. */
  private beside(here: Square, [down, right]: [number, number]): Square | undefined {
    const ahead = [...this.at.values()].filter((square) =>
      down !== 0
        ? square.column === here.column && Math.sign(square.row - here.row) === down
        : square.row === here.row && Math.sign(square.column - here.column) === right,
    );
    const far = (square: Square) => Math.abs(square.row - here.row) + Math.abs(square.column - here.column);
    return ahead.sort((a, b) => far(a) - far(b))[0];
  }
}
