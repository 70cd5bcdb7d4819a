// Fields of the wizard: each has a label, and its mistake below it. Owns the link between mistakes and fields; it knows no
// game.

import { el, put } from "./dom";
import type { Problem } from "./wizard_game";

const id = (field: string): string => `wizard-${field}`;

/** The place below a field for its mistake. */
export function told(field: string): HTMLElement {
  return el("p", { className: "error wizard-error", id: `${id(field)}-error`, "data-error": field, hidden: true });
}

/** A field with its label. */
export function field(name: string, label: string, control: HTMLElement, note = ""): HTMLElement {
  control.id = id(name);
  return el("div", { className: "field wizard-field" }, el("label", { htmlFor: id(name) }, label), control, note ? el("small", {}, note) : null, told(name));
}

/** A group of fields. */
export function group(name: string, legend: string, ...children: (Node | string | null | false)[]): HTMLFieldSetElement {
  return el("fieldset", { id: id(name), className: "wizard-group" }, el("legend", {}, legend), ...children, told(name));
}

/** A line of text. */
export function textField(value: string, changed: (value: string) => void, more: Record<string, unknown> = {}): HTMLInputElement {
  const input = el("input", { type: "text", value, autocomplete: "off", oninput: () => changed(input.value), ...more });
  input.spellcheck = false;
  return input;
}

/** A number; NaN if the input is not a number. */
export function numberField(value: number, { least, most }: { least: number; most: number }, changed: (value: number) => void): HTMLInputElement {
  const oninput = () => changed(input.value === "" ? Number.NaN : Number(input.value));
  const input = el("input", { type: "number", value, min: least, max: most, step: 1, oninput });
  return input;
}

/** A choice from a list. */
export function selectField<T extends string>(value: T, choices: readonly (readonly [T, string])[], changed: (value: T) => void): HTMLSelectElement {
  const select = el("select", { value, onchange: () => changed(select.value as T) }, ...choices.map(([choice, label]) => el("option", { value: choice }, label)));
  return select;
}

/** A choice with all options visible. */
export function radios<T extends string>(name: string, legend: string, value: T, choices: readonly (readonly [T, string, string?])[], changed: (value: T) => void): HTMLFieldSetElement {
  const made = choices.map(([choice, label, note]) => {
    const input = el("input", { type: "radio", name: id(name), value: choice, checked: choice === value, onchange: () => changed(choice) });
    return el("label", { className: "wizard-choice" }, input, el("span", {}, label, note ? el("small", {}, note) : null));
  });
  return group(name, legend, ...made);
}

/** A checkbox. */
export function tick(label: string, checked: boolean, changed: (checked: boolean) => void, className = "wizard-chip", mark: Node | null = null): HTMLLabelElement {
  const input = el("input", { type: "checkbox", checked, onchange: () => changed(input.checked) });
  return el("label", { className }, input, mark, el("span", {}, label));
}

/** Shows mistakes at the fields below an element, and clears the others. */
export function tellAt(root: HTMLElement, problems: Problem[]): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-error]")) {
    const name = place.dataset["error"] ?? "";
    const texts = problems.filter((problem) => problem.field === name).map((problem) => problem.text);
    const control = document.getElementById(id(name));
    place.hidden = texts.length === 0;
    if (place.textContent !== texts.join(" ")) put(place, texts.join(" "));
    if (!control) continue;
    if (texts.length > 0) {
      if (control.matches("input, select")) control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", place.id);
    } else {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
    }
  }
}

/** Focuses a field. */
export function goTo(name: string): void {
  const found = document.getElementById(id(name));
  const control = found?.matches("input, select, button") ? found : found?.querySelector<HTMLElement>("input, select, button:not([tabindex='-1'])");
  (control ?? found)?.focus();
  found?.scrollIntoView({ block: "nearest" });
}
