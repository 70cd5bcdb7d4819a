// The line below the board that reports an error or an event of the page, and warnings that stay until they are closed. Owns
// the element `notice`.

import { el, get, put, words } from "./dom";
import { Stopped } from "./engine";

/** Shows an error; a request that was stopped on purpose is not one. */
export function say(error: unknown): void {
  if (error instanceof Stopped) return;
  get("notice").className = "error";
  put(get("notice"), words(error));
}

/** Shows a message with a button. */
export function offer(text: string, label: string, act: () => void): void {
  get("notice").className = "";
  put(get("notice"), `${text} `, el("button", { type: "button", onclick: act }, label), " ", el("button", { type: "button", "aria-label": "Close", onclick: clearNotice }, "✕"));
}

/** Clears the line. */
export function clearNotice(): void {
  put(get("notice"));
}

/** Shows a warning above the game until the user closes it. */
export function warn(error: unknown): void {
  const shown = el("p", { className: "warning", role: "alert" }, `${words(error)} `, el("button", { type: "button", onclick: () => shown.remove() }, "Close"));
  get("status").before(shown);
}
