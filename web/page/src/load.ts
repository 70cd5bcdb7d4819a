// Scripts: how an engine loads them, what their rules declare, and their titles. It knows neither games nor the page.

import type { Engine } from "./engine";
import type { LoadedScript } from "./protocol";
import type { Script } from "./table_state";

/** Loads a script; throws if it cannot be played. */
export async function load(engine: Engine, { variant, text }: Script, options: Record<string, string>): Promise<LoadedScript & { hides: boolean }> {
  const known = await engine.ask<LoadedScript>("load", { name: variant, text, options });
  return { ...known, hides: known.hides ?? (known.secrets || (await hides(engine, variant))) };
}

/** Whether the code of a script, or of one that it imports, makes choices or rolls secret. */
async function hides(engine: Engine, variant: string): Promise<boolean> {
  const code = (await engine.ask<{ text: string }>("source", { variant })).text.replace(/\/\/.*|\/\*[^]*?\*\//g, "");
  if (/\bsecret:(?! *false\b)/.test(code)) return true;
  for (const [, name = ""] of code.matchAll(/\bimport\s+"([^"]+)"/g)) if (await hides(engine, name)) return true;
  return false;
}

/** The title that a script declares. */
export function titleOf(text: string): string | undefined {
  return /\btitle\(\s*"([^"\n]{1,80})"/.exec(text)?.[1];
}

/** The key of the players that the user chooses for a game. */
export function playersKey({ variant, text }: Script): string {
  return text === undefined ? variant : `own: ${titleOf(text) ?? ""}`;
}
