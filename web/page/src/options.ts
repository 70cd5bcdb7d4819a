// The options of the rules, in words and under their headings. Those that differ from their defaults are marked.

import { el, put } from "./dom";
import { capital } from "./lists";
import type { OptionDef } from "./protocol";
import type { Table } from "./table";

/** A value of an option in words: `as_rolled` is `As rolled`. */
const inWords = (value: string) => capital(value.replaceAll("_", " "));

export class Options {
  readonly panel = el("div");

  constructor(
    private readonly table: Table,
    /** The user has chosen other options. */
    private readonly chosen: (options: Record<string, string>) => void,
  ) {}

  show(): void {
    const { defs, options } = this.table;
    const changed = defs.filter((def) => this.isChanged(def)).length;
    const reset = el("button", { onclick: () => this.chosen({}) }, "Use the defaults");
    const heading = defs.length === 0 ? "This game has no options" : changed === 0 ? "Options of the rules" : `Options of the rules (${changed} changed)`;
    put(this.panel, el("h2", {}, heading), Object.keys(options).length > 0 && reset, ...this.groups());
  }

  /** The options under the headings of their groups; those without a group come first. */
  private groups(): HTMLElement[] {
    const { defs } = this.table;
    const groups = [...new Set(["", ...defs.map((def) => def.group)])];
    return groups.flatMap((group) => {
      const own = defs.filter((def) => def.group === group).map((def) => this.option(def));
      return group === "" || own.length === 0 ? own : [el("h3", {}, group), ...own];
    });
  }

  private isChanged(def: OptionDef): boolean {
    return (this.table.options[def.name] ?? def.default) !== def.default;
  }

  private option(def: OptionDef): HTMLElement {
    const { table } = this;
    const text = (value: string) => (value === def.default ? `${inWords(value)} (default)` : inWords(value));
    const onchange = () => {
      const next = { ...table.options, [def.name]: select.value };
      if (select.value === def.default) delete next[def.name];
      this.chosen(next);
    };
    const value = table.options[def.name] ?? def.default;
    const select = el("select", { id: `option-${def.name}`, value, onchange }, ...def.values.map((value) => el("option", { value }, text(value))));
    const isChanged = this.isChanged(def);
    return el(
      "div",
      { className: isChanged ? "field option changed" : "field option" },
      el("label", { htmlFor: select.id, title: def.name }, def.label, isChanged && el("em", {}, " changed")),
      select,
      el("small", {}, def.why),
    );
  }
}
