// The line below the board that reports an error or an event of the page. Owns the element `notice`.

import { get, put, words } from "./dom";
import { Stopped } from "./engine";

/** Shows an error; a request that was stopped on purpose is not one. */
export function say(error: unknown): void {
  if (!(error instanceof Stopped)) put(get("notice"), words(error));
}

/** Clears the line. */
export function clearNotice(): void {
  put(get("notice"));
}
