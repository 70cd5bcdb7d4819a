// The game of the wizard as it is now, on a board that can be played against the computer. Owns that game and its engines. It
// knows no steps: the wizard passes in the script, or the reasons why there is none.

import { Board } from "./board";
import { Computer } from "./computer";
import { whichMove } from "./decisions";
import type { DrawnPiece } from "./diagram";
import { el, once, put, words } from "./dom";
import { Engine, Refusal, Stopped } from "./engine";
import { type Move, sortMoves } from "./moves";
import { byLetter } from "./pieces";
import type { GameEvent } from "./protocol";
import { awaited } from "./status";
import { OWN, Table } from "./table";

/** The pause after a change before the game starts again, in milliseconds. */
const PAUSE = 350;

export class LiveGame {
  readonly root = el("section", { className: "wizard-live", "aria-label": "Try the game" });
  private readonly engines = [new Engine(), new Engine()] as const;
  private readonly table = new Table(this.engines[0], () => this.show());
  private readonly computer = new Computer(this.engines[1], this.table, (_, error) => void (error && this.fail(error)));
  private readonly host = el("div", { className: "wizard-board" });
  private readonly said = el("p", { className: "wizard-awaited", role: "status" });
  private readonly last = el("p", { className: "note" });
  private readonly buttons = el("div", { className: "row" });
  private readonly board = new Board(this.host, {
    move: (moves) => void this.make(moves),
    choose: () => {},
    refused: () => {},
    look: () => {},
  });
  /** The pieces of the game, for promotions. */
  private pieces = byLetter([]);
  /** The script that is to be played; undefined if there is none. */
  private text: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private starting: Promise<void> = Promise.resolve();

  constructor(
    /** The picture that is shown instead while there is no game. */
    private readonly preview: HTMLElement,
    /** Whether pieces are drawn as letters. */
    private readonly letters: () => boolean,
  ) {
    // Escape puts the selected piece down, and then closes the wizard.
    this.host.addEventListener("keydown", (event) => event.key === "Escape" && this.host.querySelector("[aria-selected=true], .square[aria-pressed=true]") && event.preventDefault(), true);
    put(this.root, el("h4", {}, "Try the game"), this.said, this.host, preview, this.buttons, this.last);
  }

  /** Plays a script, unless it is the current one. Without a script, says why. */
  play(text: string | undefined, reasons: string[] = []): void {
    if (text === undefined) {
      this.clear();
      put(this.said, reasons[0]);
      return;
    }
    if (text === this.text) return;
    this.text = text;
    this.root.ariaBusy = "true";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), PAUSE);
  }

  /** Ends the game and its engines. */
  close(): void {
    this.clear();
    for (const engine of this.engines) engine.close();
  }

  private clear(): void {
    clearTimeout(this.timer);
    this.computer.cancel();
    this.text = undefined;
    this.draw(false);
  }

  private draw(isPlayed: boolean): void {
    this.root.ariaBusy = "false";
    this.preview.hidden = isPlayed;
    this.host.hidden = !isPlayed;
    put(this.last);
    if (isPlayed) return;
    put(this.host);
    put(this.buttons);
    put(this.said);
  }

  /** Starts the latest script, after an earlier one has started. */
  private begin(): void {
    const { text } = this;
    this.starting = this.starting.then(async () => {
      if (text === undefined || text !== this.text) return;
      this.computer.cancel();
      this.table.letters = this.letters();
      try {
        await this.table.play({ variant: OWN, text }, {}, { seats: ["human", 1] });
        const { pieces } = await this.table.engine.ask<{ pieces: DrawnPiece[] }>("pieces", this.table.named());
        this.pieces = byLetter(pieces);
      } catch (error) {
        if (text !== this.text) return;
        this.draw(false);
        this.fail(error, "This cannot be played yet: ");
      }
    });
  }

  /** Shows an error, without its place in a script that the user did not write. */
  private fail(error: unknown, before = ""): void {
    if (error instanceof Stopped) return;
    put(this.said, `${before}${error instanceof Refusal ? (error.data["reason"] ?? error.message) : words(error)}`);
  }

  private show(): void {
    const { table } = this;
    const shown = table.shown;
    if (!shown || this.text === undefined || table.script.text !== this.text) return;
    const pending = shown.status.pending;
    const hadFocus = this.buttons.contains(document.activeElement);
    this.draw(true);
    const isOurs = pending !== null && table.seat(pending.player) === "human";
    const { moves, others } = sortMoves(isOurs && pending.kind === "move" ? (pending.options ?? []) : [], pending?.player ?? "first");
    this.board.show(shown.picture, moves, [], shown.course);
    put(this.said, awaited(table).line);
    const turn = shown.course.turns.findLast((one) => one.text);
    put(this.last, turn && `${table.side(turn.side)}: ${turn.text}`);
    const button = (text: string, act: () => Promise<void>, className = "") => el("button", { className, onclick: once(() => act().catch((error) => this.fail(error))) }, text);
    put(
      this.buttons,
      isOurs && pending.kind === "roll" && button("Roll", () => table.roll(), "main"),
      ...others.map((text) => button(text, () => table.apply({ move: text }))),
      isOurs && pending.kind !== "roll" && pending.pass && button("Pass", () => table.apply({ move: "pass" })),
      shown.course.deciders.length > 0 && button("Restart", () => this.restart()),
    );
    if (hadFocus) (this.buttons.querySelector<HTMLElement>(".main") ?? this.host.querySelector<HTMLElement>("[tabindex='0']"))?.focus();
    void this.computer.go();
  }

  private async restart(): Promise<void> {
    this.computer.cancel();
    await this.table.begin();
  }

  private async apply(event: GameEvent): Promise<void> {
    await this.table.apply(event).catch((error) => this.fail(error));
  }

  private async make(moves: Move[]): Promise<void> {
    const move = await whichMove(this.board, moves, this.pieces);
    if (move !== undefined) await this.apply({ move });
  }
}
