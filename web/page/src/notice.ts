// Messages over every view: the latest error or event of the page, and warnings. All stay until they are closed or no longer
// true. Owns the element `messages`.

import { el, get, put, words } from "./dom";
import { Stopped } from "./engine";

/** Shows an error; a request that was stopped on purpose is not one. */
export function say(error: unknown): void {
  if (!(error instanceof Stopped)) tell("error", words(error));
}

/** An error to be shown where it belongs. */
export const failure = (error: unknown): HTMLElement => el("span", { className: error instanceof Stopped ? "note" : "error" }, words(error));

/** Shows a message with a button. */
export function offer(text: string, label: string, act: () => void): void {
  tell("", text, el("button", { onclick: act }, label));
}

function tell(className: string, text: string, ...buttons: HTMLElement[]): void {
  get("notice").className = className;
  put(get("notice"), el("span", {}, text), ...buttons, closer(clearNotice));
}

/** Clears the latest message. */
export function clearNotice(): void {
  put(get("notice"));
}

/** Shows a warning with this id, or removes it. */
export function warn(id: string, error: unknown): void {
  document.getElementById(id)?.remove();
  if (error === undefined) return;
  const shown = el("p", { id, className: "warning", role: "alert" }, el("span", {}, words(error)), closer(() => shown.remove()));
  get("messages").append(shown);
}

const closer = (close: () => void) => el("button", { "aria-label": "Close", onclick: close }, "✕");
