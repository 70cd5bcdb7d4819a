// Scripts: how an engine loads them, what their rules declare, and their titles. It knows neither games nor the page.

import type { Engine } from "./engine";
import type { LoadedScript } from "./protocol";
import type { Script } from "./table_state";

/** Loads a script; throws if it cannot be played. */
export function load(engine: Engine, { variant, text }: Script, options: Record<string, string>): Promise<LoadedScript> {
  return engine.ask<LoadedScript>("load", { name: variant, text, options });
}

/** The title that a script declares. */
export function titleOf(text: string): string | undefined {
  return /\btitle\(\s*"([^"\n]{1,80})"/.exec(text)?.[1];
}

/** The key of the players that the user chooses for a game. */
export function playersKey({ variant, text }: Script): string {
  return text === undefined ? variant : `own: ${titleOf(text) ?? ""}`;
}
