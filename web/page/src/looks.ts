// How the page looks and sounds, as the user has chosen: theme, board, pieces, sounds. Owns the form, what the browser
// remembers of it, and the attributes of the page that the stylesheet reads. It knows no game.

import { el, put } from "./dom";
import { stored } from "./memory";
import { recolor } from "./picture";

/** The choices, each with its values; the first one is the default. */
const CHOICES = {
  theme: { label: "Theme", values: { system: "Same as the system", light: "Light", dark: "Dark" } },
  board: { label: "Board", values: { wood: "Wood", slate: "Slate" } },
  pieces: { label: "Pieces", values: { figures: "Figures", letters: "Letters" } },
  sounds: { label: "Sounds", values: { off: "Off", on: "On" } },
} as const;

/** Where the browser remembers them. */
const KEY = "astragal looks";

export type Choice = keyof typeof CHOICES;
const ALL = Object.keys(CHOICES) as Choice[];

export class Looks {
  readonly panel = el("div");
  private readonly chosen = new Map<Choice, string>();

  constructor(
    /** The user has changed something. */
    private readonly changed: (choice: Choice) => void,
  ) {
    const known = new URLSearchParams(stored(() => localStorage.getItem(KEY)) ?? "");
    for (const choice of ALL) {
      const value = known.get(choice) ?? "";
      this.chosen.set(choice, value in CHOICES[choice].values ? value : Object.keys(CHOICES[choice].values)[0]!);
    }
    put(this.panel, el("h2", {}, "Looks and sounds"), ...ALL.map((choice) => this.field(choice)));
    this.apply();
    // Pictures hold the colors of the theme, and the system can change its theme.
    matchMedia("(prefers-color-scheme: dark)").onchange = () => recolor();
  }

  /** Whether this value is chosen. */
  is(choice: Choice, value: string): boolean {
    return this.chosen.get(choice) === value;
  }

  private field(choice: Choice): HTMLElement {
    const { label, values } = CHOICES[choice];
    const onchange = () => {
      this.chosen.set(choice, select.value);
      stored(() => localStorage.setItem(KEY, new URLSearchParams([...this.chosen]).toString()));
      this.apply();
      this.changed(choice);
    };
    const options = Object.entries(values).map(([value, text]) => el("option", { value }, text));
    const select = el("select", { id: `look-${choice}`, value: this.chosen.get(choice), onchange }, ...options);
    return el("div", { className: "field option" }, el("label", { htmlFor: select.id }, label), select);
  }

  private apply(): void {
    for (const choice of ["theme", "board"] as const) document.documentElement.dataset[choice] = this.chosen.get(choice)!;
    recolor();
  }
}
