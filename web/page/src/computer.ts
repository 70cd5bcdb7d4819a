// The sides that the computer plays. Owns its search, in a separate engine, so that the page stays responsive and the
// search can be stopped.

import { Engine, Stopped } from "./engine";
import { pause } from "./motion";
import type { GameEvent } from "./protocol";
import type { Seat, Table } from "./table";

/** The available levels. */
export const LEVELS = [1, 2, 3, 4, 5];

/** Players that have learned from games, as the service names them, with their labels. */
export const TRAINED: Partial<Record<Seat, string>> = { learned: "Trained player", "learned:2": "Trained player, two turns ahead" };

export const isSeat = (seat: unknown): seat is Seat => seat === "human" || LEVELS.includes(seat as number) || Object.keys(TRAINED).includes(seat as string);

/** How long each move stays visible at least if the computer plays all sides, in milliseconds. */
const PACE = 700;

/** How long its roll stays visible at least before it moves, if people play too. */
const AFTER_ROLL = 700;

export class Computer {
  private thinking = false;
  /** The number of the current search; results of earlier ones are ignored. */
  private run = 0;
  /** Whether it has paused: it was stopped, or it failed. */
  halted = false;

  constructor(
    readonly engine: Engine,
    private readonly table: Table,
    private readonly told: (thinking: boolean, error?: unknown) => void,
    /** Resolves when the engine has the trained player of the game; rejects if there is none. */
    private readonly trained: () => Promise<void> = async () => {},
  ) {}

  /** Continues, if it is the computer's turn. */
  async go(): Promise<void> {
    const { engine, table } = this;
    const pending = table.shown?.status.pending;
    if (this.thinking || this.halted || !pending || pending.kind === "roll") return;
    const seat = table.seat(pending.player);
    if (seat === "human") return;
    const before = table.shown;
    const run = ++this.run;
    this.thinking = true;
    this.told(true);
    const pace = table.seats.every((seat) => seat !== "human") ? new Promise((go) => setTimeout(go, PACE)) : pause(AFTER_ROLL);
    try {
      await table.give(engine);
      if (typeof seat === "string") await this.trained();
      const position = await table.position();
      const { lines } = await engine.ask<{ lines: { events: GameEvent[] }[] }>("hint", { ...table.named(), position, [typeof seat === "string" ? "player" : "level"]: seat });
      await pace;
      // It was stopped meanwhile, and perhaps restarted.
      if (run !== this.run) return;
      const event = lines[0]?.events[0];
      if (!event) throw new Error("the computer found no move");
      this.thinking = false;
      // The position may have changed meanwhile, for example by a new game.
      if (table.shown === before) await table.apply(event);
      else void this.go();
      if (!this.thinking) this.told(false);
    } catch (error) {
      if (run !== this.run) return;
      this.thinking = false;
      this.halted = true;
      this.told(false, error instanceof Stopped ? undefined : error);
    }
  }

  /** Stops it until the user lets it continue. */
  stop(): void {
    this.cancel();
    this.halted = true;
    this.told(false);
  }

  /** Cancels its search; the next call of `go` starts a new one. */
  cancel(): void {
    this.run++;
    this.halted = false;
    if (!this.thinking) return;
    this.thinking = false;
    this.engine.stop();
    this.told(false);
  }
}
