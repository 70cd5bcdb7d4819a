// Sides that the computer plays. Owns its thinking, in an engine of its own so that the page goes on and it can be stopped.

import { Engine, Stopped } from "./engine";
import type { GameEvent } from "./protocol";
import type { Table } from "./table";

/** The levels that are offered. */
export const LEVELS = [1, 2, 3, 4, 5];

export class Computer {
  private thinking = false;
  /** Why it does not play on: it was stopped, or it failed. */
  halted = false;

  constructor(
    private readonly engine: Engine,
    private readonly table: Table,
    private readonly told: (thinking: boolean, error?: unknown) => void,
  ) {}

  /** Plays on, if it is its turn. */
  async go(): Promise<void> {
    const pending = this.table.shown?.status.pending;
    if (this.thinking || this.halted || !pending || pending.kind === "roll") return;
    const level = this.table.seat(pending.player);
    if (level === "human") return;
    const before = this.table.shown;
    this.thinking = true;
    this.told(true);
    try {
      await this.table.give(this.engine);
      const position = await this.table.position();
      const { lines } = await this.engine.ask<{ lines: { events: GameEvent[] }[] }>("hint", {
        ...this.table.named(),
        position,
        level,
      });
      const event = lines[0]?.events[0];
      this.thinking = false;
      if (!event) throw new Error("the computer knows nothing to do");
      // Something else may have happened meanwhile, as a game that was begun anew.
      if (this.table.shown === before) await this.table.apply(event);
      this.told(false);
    } catch (error) {
      this.thinking = false;
      this.halted = true;
      this.told(false, error instanceof Stopped ? undefined : error);
    }
  }

  /** Stops its thinking, until somebody lets it go on. */
  stop(): void {
    if (this.thinking) {
      this.halted = true;
      this.engine.stop();
    }
  }
}
