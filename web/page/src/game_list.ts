// The list of games in the header: the included ones, and the scripts of the folder. Owns the element `variant`.

import { el, get, put } from "./dom";
import { OWN } from "./table";

export class GameList {
  private readonly list = get<HTMLSelectElement>("variant");
  private included: HTMLOptionElement[] = [];

  constructor(chosen: (name: string) => void) {
    this.list.onchange = () => chosen(this.list.value);
  }

  /** Sets the included games. */
  include(games: { name: string; title: string }[]): void {
    this.included = games.map((one) => el("option", { value: one.name }, one.title));
  }

  /** Shows the list with the scripts of the folder; `current` is selected. */
  show(scripts: string[], current: string): void {
    put(
      this.list,
      scripts.length > 0 && el("optgroup", { label: "In the folder" }, ...scripts.map((name) => el("option", { value: name }, name))),
      el("optgroup", { label: "Included games" }, ...this.included),
      el("option", { value: OWN, disabled: true }, "Your script"),
    );
    this.list.value = current;
  }
}
