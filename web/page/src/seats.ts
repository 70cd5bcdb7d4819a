// The players of the sides, and the options of the rules.

import { LEVELS } from "./computer";
import { el, put } from "./dom";
import type { Table } from "./table";

export class Seats {
  readonly panel = el("div");

  constructor(
    private readonly table: Table,
    /** The players of the sides have changed. */
    private readonly seated: () => void,
    /** The user has chosen other options. */
    private readonly chosen: (options: Record<string, string>) => void,
  ) {}

  show(): void {
    const { table } = this;
    put(
      this.panel,
      el("h2", {}, "Who plays"),
      ...table.sides.map((side, index) => el("div", { className: "field" }, el("label", { htmlFor: `seat-${index}` }, side), this.seat(index))),
      table.defs.length > 0 && el("h2", {}, "Options"),
      ...table.defs.map((def) => this.option(def)),
    );
  }

  private seat(index: number): HTMLSelectElement {
    const made = el(
      "select",
      { id: `seat-${index}` },
      el("option", { value: "human" }, "You"),
      ...LEVELS.map((level) => el("option", { value: String(level) }, `Computer (level ${level})`)),
    );
    made.value = String(this.table.seats[index]);
    made.onchange = () => {
      this.table.seats[index] = made.value === "human" ? "human" : Number(made.value);
      this.seated();
    };
    return made;
  }

  private option(def: Table["defs"][number]): HTMLElement {
    const { table } = this;
    const select = el("select", { id: `option-${def.name}` }, ...def.values.map((value) => el("option", { value }, value)));
    select.value = table.options[def.name] ?? def.default;
    select.onchange = () => {
      const next = { ...table.options, [def.name]: select.value };
      if (select.value === def.default) delete next[def.name];
      this.chosen(next);
    };
    return el("div", { className: "field" }, el("label", { htmlFor: select.id }, def.name), select, el("small", {}, def.why));
  }
}
