// Questions in a dialog in front of the page.

import { el, get, put } from "./dom";

/** Lets the user choose one of several answers; undefined if they choose none. */
export function choose(question: string, answers: string[]): Promise<string | undefined> {
  return ask<string>(question, (done) => [
    el(
      "div",
      { className: "row" },
      ...answers.map((answer) => el("button", { onclick: () => done(answer) }, answer)),
      el("button", { onclick: () => done(undefined) }, "Cancel"),
    ),
  ]);
}

/** Asks a question; `made` creates the content and receives the function that closes the dialog. */
export function ask<T>(question: string, made: (done: (answer: T | undefined) => void) => Node[]): Promise<T | undefined> {
  const dialog = get<HTMLDialogElement>("ask");
  return new Promise((resolve) => {
    const done = (answer: T | undefined) => {
      dialog.onclose = null;
      dialog.close();
      resolve(answer);
    };
    put(dialog, el("p", {}, question), ...made(done));
    // The event of an earlier question may come when this one is already open.
    dialog.onclose = () => void (dialog.open || resolve(undefined));
    dialog.showModal();
  });
}

/** Asks for a text; `given` are properties of its field. Undefined if the user gives none. */
export function askText(question: string, action: string, given: Record<string, unknown>): Promise<string | undefined> {
  return ask<string>(question, (done) => {
    const field = el("input", { type: "text", "aria-label": question, autofocus: true, ...given });
    const onsubmit = (event: Event) => (event.preventDefault(), done(field.value.trim() || undefined));
    const cancel = el("button", { type: "button", onclick: () => done(undefined) }, "Cancel");
    queueMicrotask(() => field.select());
    return [el("form", { onsubmit }, field, el("div", { className: "row" }, el("button", { className: "main" }, action), cancel))];
  });
}
