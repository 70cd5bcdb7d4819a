// The editor of scripts: text, colors, completion, and the problems that `check` finds while the user types.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { type Action, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { Assistant, bytesToUnits } from "./assistant";
import { el, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import { failure } from "./notice";
import type { Change, Diagnostic } from "./protocol";

/** The pause in typing before a check, in milliseconds. */
const PAUSE = 400;

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: [tags.string, tags.character], class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.variableName)], class: "tok-name" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "rgb(128 128 128 / 10%)" },
  ".cm-unreached": { backgroundColor: "rgb(200 120 0 / 18%)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "32rem" },
  ".cm-signature": { padding: "0.2rem 0.5rem", fontFamily: "ui-monospace, monospace", whiteSpace: "pre-wrap" },
  ".cm-signature b": { color: "var(--accent)", textDecoration: "underline" },
  ".cm-about": { padding: "0.1rem 0.5rem", maxHeight: "24rem", overflow: "auto" },
  ".cm-about p, .cm-about ul": { margin: "0.3rem 0" },
  ".cm-about pre": { margin: "0.3rem 0", whiteSpace: "pre", overflow: "auto" },
  ".cm-about td": { padding: "0 0.4rem 0 0", verticalAlign: "top" },
  ".tok-keyword": { color: "var(--accent)", fontWeight: "600" },
  ".tok-string": { color: "var(--good)" },
  ".tok-number": { color: "var(--mark)" },
  ".tok-comment": { color: "var(--faint)", fontStyle: "italic" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "rgb(31 111 178 / 30%) !important" },
});

/** Lines that tests have not reached, each with a message; marked until the text changes. */
const unreached = StateEffect.define<{ first: number; last: number; what: string }[]>();

const painted = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, change) {
    let next = change.docChanged ? Decoration.none : marks;
    for (const effect of change.effects) {
      if (!effect.is(unreached)) continue;
      const whats = new Map<number, string[]>();
      for (const { first, last, what } of effect.value) {
        for (let line = Math.max(1, first); line <= Math.min(last, change.state.doc.lines); line++) whats.set(line, [...(whats.get(line) ?? []), what]);
      }
      const lines = [...whats].sort(([a], [b]) => a - b);
      next = Decoration.set(
        lines.map(([line, what]) => Decoration.line({ class: "cm-unreached", attributes: { title: `Tests: ${what.join("; ")}` } }).range(change.state.doc.line(line).from)),
      );
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class ScriptEditor {
  readonly panel = el("div");
  private readonly view: EditorView;
  private readonly extensions: Extension[];
  private readonly problems = el("ul", { className: "problems" });
  private readonly verdict = el("p", { role: "status", "aria-live": "polite", className: "note" });
  private readonly play = el("button", { className: "main" }, "Play this script");
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly assistant = new Assistant();
  /** Whether the user has typed since the text was set from outside. */
  private typed = false;
  private readonly failed = (error: unknown): void => put(this.verdict, failure(error));
  /** Shows what is offered for the current text. */
  private fits = (): void => {};

  constructor(
    private readonly engine: Engine,
    /** Plays a script; throws its problems. */
    private readonly begin: (text: string) => Promise<void>,
    /** The user has typed, and the text has no problems. */
    private readonly mended: (text: string) => void,
    /** The text has changed. */
    private readonly changed: () => void,
  ) {
    const host = el("div", { id: "editor" });
    // In a shadow root, the editor adds its styles in a way that the page's content security policy allows.
    const root = host.attachShadow({ mode: "open" });
    this.extensions = [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      indentUnit.of("    "),
      bracketMatching(),
      closeBrackets(),
      StreamLanguage.define(rust),
      syntaxHighlighting(COLOURS),
      autocompletion({ override: [(context) => this.assistant.complete(context)] }),
      this.assistant.extension(this.failed),
      lintGutter(),
      painted,
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Script", tabindex: "0" }),
      EditorView.lineWrapping,
      EditorView.updateListener.of((update) => {
        if (update.transactions.some((one) => ["input", "delete", "undo", "redo"].some((kind) => one.isUserEvent(kind)))) this.typed = true;
        if (update.docChanged) this.edited();
      }),
      LOOK,
    ];
    this.view = new EditorView({ parent: root as unknown as Element, root, state: EditorState.create({ extensions: this.extensions }) });
    this.play.onclick = () => void this.begin(this.text).catch(this.failed);
    put(
      this.panel,
      el("p", { className: "note" }, "Tab indents; Escape, then Tab, leaves the editor. F2 renames; Shift+Alt+F formats."),
      host,
      el("div", { className: "script-foot" }, this.play, this.verdict),
      this.problems,
    );
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Opens another script; `typed` if the user has written it here before. Undo does not bring back the former one. */
  open(text: string, typed = false): void {
    if (text === this.text) return;
    this.typed = typed;
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
    this.edited();
  }

  /** Replaces the text by a newer one of the same script. */
  replace(text: string): void {
    if (text === this.text) return;
    this.typed = false;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Offers to save the script. */
  saves(save: (text: string) => Promise<void>): void {
    const done = () => put(this.verdict, "Saved.");
    this.play.after(el("button", { onclick: () => void save(this.text).then(done, this.failed) }, "Save in the folder"));
  }

  /** Offers something else to do with the texts that it fits. */
  offers(label: string, fits: (text: string) => boolean, act: (text: string) => void): void {
    const button = el("button", { hidden: true, onclick: () => act(this.text) }, label);
    this.play.after(button);
    this.fits = () => void (button.hidden = !fits(this.text));
  }

  /** Marks lines that tests have not reached. */
  paint(lines: { first: number; last: number; what: string }[]): void {
    this.view.dispatch({ effects: unreached.of(lines) });
  }

  /** Moves the cursor to a line, counted from 1. */
  goTo(line: number): void {
    const doc = this.view.state.doc;
    const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch({ selection: { anchor: at.from, head: at.to }, scrollIntoView: true });
    this.view.focus();
  }

  private edited(): void {
    this.changed();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), PAUSE);
  }

  private async check(): Promise<void> {
    const text = this.text;
    this.fits();
    this.engine.stop();
    try {
      const { diagnostics } = await this.engine.ask<{ diagnostics: Diagnostic[] }>("check", { text, variant: "own.rhai" });
      if (text === this.text) this.show(diagnostics);
    } catch (error) {
      if (!(error instanceof Stopped)) put(this.verdict, words(error));
    }
  }

  private show(diagnostics: Diagnostic[]): void {
    const doc = this.view.state.doc;
    const offsets = bytesToUnits(this.text);
    const place = (one: Diagnostic) => {
      if (one.span) return { from: offsets(one.span.start), to: offsets(one.span.end) };
      const line = doc.line(Math.max(1, Math.min(one.line || 1, doc.lines)));
      return { from: line.from, to: line.to };
    };
    const actions = (one: Diagnostic): Action[] => {
      return fixes(one).map(({ name, change }) => ({ name, apply: () => this.mend(change) }));
    };
    const severity = (one: Diagnostic): "error" | "warning" | "info" => (one.severity === "note" ? "info" : one.severity);
    const all = diagnostics.map((one) => ({
      ...place(one),
      severity: severity(one),
      message: [one.message, one.help && `help: ${one.help}`].filter(Boolean).join("\n"),
      actions: actions(one),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, all));
    const errors = diagnostics.filter((one) => one.severity === "error").length;
    const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
    put(this.verdict, diagnostics.length === 0 ? "No problems found." : `${count(errors, "error")}, ${count(diagnostics.length - errors, "warning")}.`);
    this.play.disabled = errors > 0;
    if (errors === 0) this.assistant.loaded(this.text);
    if (errors === 0 && this.typed) this.mended(this.text);
    put(
      this.problems,
      ...diagnostics.slice(0, 20).map((one) => {
        const mend = fixes(one).map(({ name, change }) => el("button", { onclick: () => this.mend(change) }, name));
        const show = one.line > 0 && el("button", { onclick: () => this.goTo(one.line) }, `Line ${one.line}`);
        return el("li", { className: one.severity }, el("div", {}, one.message), one.help && el("div", { className: "note" }, one.help), show || "", ...mend);
      }),
    );
  }

  private mend(fix: Change): void {
    const offsets = bytesToUnits(this.text);
    this.view.dispatch({ changes: { from: offsets(fix.start), to: offsets(fix.end), insert: fix.text }, userEvent: "input.mend" });
  }
}

/** The fixes for a problem that one click can apply: certain ones, and suggestions. */
function fixes(one: Diagnostic): { name: string; change: Change }[] {
  if (one.fix) return [{ name: "Fix it", change: one.fix }];
  const { suggestion } = one;
  return suggestion ? [{ name: `Maybe: write ${suggestion.text}`, change: suggestion }] : [];
}
