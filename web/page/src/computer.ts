// Sides that the computer plays. Owns its thinking, in an engine of its own so that the page goes on and it can be stopped.

import { Engine, Stopped } from "./engine";
import type { GameEvent } from "./protocol";
import type { Table } from "./table";

/** The levels that are offered. */
export const LEVELS = [1, 2, 3, 4, 5];

/** So long, in milliseconds, each move is seen at least where the computer plays all sides. */
const PACE = 700;

export class Computer {
  private thinking = false;
  /** Which thinking it is: what an earlier one comes to is passed over. */
  private run = 0;
  /** Why it does not play on: it was stopped, or it failed. */
  halted = false;

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
    private readonly told: (thinking: boolean, error?: unknown) => void,
  ) {}

  /** Plays on, if it is its turn. */
  async go(): Promise<void> {
    const { table } = this;
    const pending = table.shown?.status.pending;
    if (this.thinking || this.halted || !pending || pending.kind === "roll") return;
    const level = table.seat(pending.player);
    if (level === "human") return;
    const before = table.shown;
    const run = ++this.run;
    this.thinking = true;
    this.told(true);
    // Where nobody else plays, each move stays to be looked at.
    const pace = table.seats.every((seat) => seat !== "human") ? new Promise((go) => setTimeout(go, PACE)) : undefined;
    try {
      await table.give(this.engine);
      const position = await table.position();
      const { lines } = await this.engine.ask<{ lines: { events: GameEvent[] }[] }>("hint", { ...table.named(), position, level });
      await pace;
      // It was stopped meanwhile, and perhaps begun anew.
      if (run !== this.run) return;
      const event = lines[0]?.events[0];
      if (!event) throw new Error("the computer found no move");
      this.thinking = false;
      // Something else may have happened meanwhile, as a game that was begun anew.
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

  /** Stops it, until somebody lets it go on. */
  stop(): void {
    this.cancel();
    this.halted = true;
    this.told(false);
  }

  /** Gives up what it is thinking about: it begins anew when it is asked to. */
  cancel(): void {
    this.run++;
    this.halted = false;
    if (!this.thinking) return;
    this.thinking = false;
    this.engine.stop();
    this.told(false);
  }
}
