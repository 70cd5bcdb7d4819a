// Help while the user writes a script: completions, signatures, explanations and renaming. The engine knows what can be
// written; this module asks it and shows the answers in the editor.

import { type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, type Tooltip, ViewPlugin, type ViewUpdate, hoverTooltip, keymap, showTooltip } from "@codemirror/view";
import { askText } from "./dialog";
import { el } from "./dom";
import { Engine } from "./engine";
import { markdown } from "./markdown";

interface Span {
  start: number;
  end: number;
}

interface Item {
  label: string;
  kind: string;
  detail: string;
  about: string;
  replaces: Span;
  inserts: string;
}

interface Signatures {
  forms: { label: string; about: string; parameters: Span[] }[];
  active: number;
  argument: number;
  open: number;
}

/** The name of the script in requests. */
const NAME = "own.rhai";

/** At most this many forms of a function are shown at once. */
const MOST_FORMS = 4;

/** How long the cursor rests before the page asks for signatures, in milliseconds. */
const REST = 100;

const ENCODER = new TextEncoder();

/** Converts offsets in UTF-8 bytes, as in the service, to the UTF-16 units of the page. */
export function bytesToUnits(text: string): (byte: number) => number {
  return (byte) => {
    let [bytes, units] = [0, 0];
    for (const c of text) {
      if (bytes >= byte) break;
      bytes += ENCODER.encode(c).length;
      units += c.length;
    }
    return units;
  };
}

function unitsToBytes(text: string, unit: number): number {
  return ENCODER.encode(text.slice(0, unit)).length;
}

/** How the editor calls the kinds of completions, if it does not call them as the engine does. */
const KINDS: Record<string, string> = { key: "property", module: "namespace", piece: "class" };

/**
 * The changes that turn one text into the other, for texts that differ only in blanks. For other texts, one change
 * replaces everything. The cursor stays at its word when an editor applies them.
 */
function changesOfBlanks(before: string, after: string): { from: number; to: number; insert: string }[] {
  const blanks = /\s*/y;
  const blanksAt = (text: string, at: number) => {
    blanks.lastIndex = at;
    return blanks.exec(text)?.[0] ?? "";
  };
  const changes: { from: number; to: number; insert: string }[] = [];
  let [old, made] = [0, 0];
  while (old < before.length || made < after.length) {
    const [was, is] = [blanksAt(before, old), blanksAt(after, made)];
    if (was !== is) changes.push({ from: old, to: old + was.length, insert: is });
    old += was.length;
    made += is.length;
    if (before[old] !== after[made]) return [{ from: 0, to: before.length, insert: after }];
    old++;
    made++;
  }
  return changes;
}

const signatures = StateEffect.define<{ at: number; found: Signatures } | null>();

/** A signature, with the current argument in bold. */
function form(one: Signatures["forms"][number], argument: number): HTMLElement {
  const units = bytesToUnits(one.label);
  const span = one.parameters[argument];
  if (!span) return el("div", {}, one.label);
  const [from, to] = [units(span.start), units(span.end)];
  return el("div", {}, one.label.slice(0, from), el("b", {}, one.label.slice(from, to)), one.label.slice(to));
}

function tooltip(found: Signatures, at: number): Tooltip {
  // The form that fits best comes first.
  const forms = [...found.forms.slice(found.active), ...found.forms.slice(0, found.active)].slice(0, MOST_FORMS);
  const dom = () => el("div", { className: "cm-signature" }, ...forms.map((one, i) => form(one, i === 0 ? found.argument : -1)));
  return { pos: at, above: true, strictSide: false, create: () => ({ dom: dom() }) };
}

/** The signatures that are shown, and the bracket for which the user has hidden them. */
const shown = StateField.define<{ tooltip: Tooltip | null; hidden: number }>({
  create: () => ({ tooltip: null, hidden: -1 }),
  update(was, change) {
    for (const effect of change.effects) {
      if (!effect.is(signatures)) continue;
      const value = effect.value;
      if (!value) return { tooltip: null, hidden: was.tooltip ? was.tooltip.pos : -1 };
      if (value.found.forms.length === 0) return { tooltip: null, hidden: -1 };
      return value.at === was.hidden ? { tooltip: null, hidden: was.hidden } : { tooltip: tooltip(value.found, value.at), hidden: -1 };
    }
    if (!change.docChanged || !was.tooltip) return was;
    return { ...was, tooltip: { ...was.tooltip, pos: change.changes.mapPos(was.tooltip.pos) } };
  },
  provide: (own) => showTooltip.from(own, (value) => value.tooltip),
});

export class Assistant {
  private readonly engine = new Engine();

  /** Notes a version of the script that can be loaded: what it declares stays known while the text is incomplete. */
  loaded(text: string): void {
    this.ask("load", { name: NAME, text }).catch(() => {});
  }

  private ask<T>(method: string, params: object): Promise<T> {
    return this.engine.ask<T>(method, params);
  }

  private at(state: EditorState, unit: number): { text: string; variant: string; offset: number } {
    const text = state.doc.toString();
    return { text, variant: NAME, offset: unitsToBytes(text, unit) };
  }

  /** The completions at a place. */
  async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*|["'.:]/u);
    if (!before && !context.explicit) return null;
    const asked = this.at(context.state, context.pos);
    const { items } = await this.ask<{ items: Item[] }>("complete", asked).catch(() => ({ items: [] as Item[] }));
    // All completions of a place replace the same range.
    const first = items[0];
    if (context.aborted || !first) return null;
    const units = bytesToUnits(asked.text);
    const options = items.map(
      (one, i): Completion => ({
        label: one.label,
        type: KINDS[one.kind] ?? one.kind,
        detail: one.detail,
        // The engine has sorted them.
        boost: 99 - Math.min(198, i),
        apply: one.inserts,
        info: () => el("div", { className: "cm-about" }, ...markdown(one.about)),
      }),
    );
    return { from: units(first.replaces.start), to: units(first.replaces.end), options, validFor: /^[\p{L}\p{N}_ -]*$/u };
  }

  /** Explains the place under the pointer. */
  private async explain(view: EditorView, at: number): Promise<Tooltip | null> {
    const asked = this.at(view.state, at);
    const found = await this.ask<{ markdown: string | null; span: Span }>("hover", asked).catch(() => undefined);
    if (!found?.markdown) return null;
    const units = bytesToUnits(asked.text);
    const text = found.markdown;
    const dom = () => el("div", { className: "cm-about" }, ...markdown(text));
    return { pos: units(found.span.start), end: units(found.span.end), create: () => ({ dom: dom() }) };
  }

  private async sign(view: EditorView): Promise<void> {
    const { state } = view;
    const asked = this.at(state, state.selection.main.head);
    const found = await this.ask<Signatures>("signatures", asked).catch(() => undefined);
    // The answer is about another place if the user has gone on writing or has moved the cursor.
    if (!found || view.state.doc !== state.doc || !view.state.selection.eq(state.selection)) return;
    view.dispatch({ effects: signatures.of({ at: bytesToUnits(asked.text)(found.open), found }) });
  }

  /** Lets the user rename the name at the cursor wherever it is used. */
  private async rename(view: EditorView, say: (error: unknown) => void): Promise<void> {
    const { state } = view;
    const word = state.wordAt(state.selection.main.head);
    const name = await askText("Rename it wherever it is used:", "Rename", { value: word ? state.sliceDoc(word.from, word.to) : "" });
    view.focus();
    if (!name) return;
    const asked = this.at(state, state.selection.main.head);
    const units = bytesToUnits(asked.text);
    try {
      const { edits } = await this.ask<{ edits: { start: number; end: number; text: string }[] }>("rename", { ...asked, name });
      if (view.state.doc !== state.doc) return;
      const changes = edits.map((one) => ({ from: units(one.start), to: units(one.end), insert: one.text }));
      view.dispatch({ changes, userEvent: "input.rename" });
    } catch (error) {
      say(error);
    }
  }

  private async format(view: EditorView, say: (error: unknown) => void): Promise<void> {
    const { doc } = view.state;
    try {
      const { text } = await this.ask<{ text: string }>("format", { text: doc.toString() });
      if (view.state.doc !== doc || text === doc.toString()) return;
      view.dispatch({ changes: changesOfBlanks(doc.toString(), text), userEvent: "input.format" });
    } catch (error) {
      say(error);
    }
  }

  /** What the editor gets: signatures while the user writes, explanations under the pointer, F2 and Shift-Alt-F. */
  extension(say: (error: unknown) => void): Extension {
    const assistant = this;
    const asks = ViewPlugin.fromClass(
      class {
        private timer: ReturnType<typeof setTimeout> | undefined;

        update(update: ViewUpdate): void {
          const is = (event: string) => update.transactions.some((one) => one.isUserEvent(event));
          if (!is("input") && !is("delete") && !is("select")) return;
          clearTimeout(this.timer);
          this.timer = setTimeout(() => void assistant.sign(update.view), REST);
        }

        destroy(): void {
          clearTimeout(this.timer);
        }
      },
    );
    const keys = keymap.of([
      {
        key: "Escape",
        run: (view) => {
          if (!view.state.field(shown).tooltip) return false;
          view.dispatch({ effects: signatures.of(null) });
          return true;
        },
      },
      { key: "F2", run: (view) => started(this.rename(view, say)) },
      { key: "Shift-Alt-f", run: (view) => started(this.format(view, say)) },
    ]);
    return [shown, asks, hoverTooltip((view, at) => this.explain(view, at)), keys];
  }
}

/** A command that has begun has used its key. */
function started(work: Promise<void>): boolean {
  void work;
  return true;
}
