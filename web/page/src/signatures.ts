// Help while the user writes a call: the signatures of the function around the cursor, with the current argument.

import { Annotation, type EditorState, type Extension, StateField } from "@codemirror/state";
import { type Tooltip, keymap, showTooltip } from "@codemirror/view";
import { el } from "./dom";
import type { Entry } from "./script";

const HIDDEN = Annotation.define<boolean>();

/** How far back brackets are searched, in characters. */
const FAR = 2000;

/** The call around a place: the function name, the place of its opening bracket, and the number of the argument. */
export function callAround(text: string): { name: string; open: number; argument: number } | undefined {
  // Brackets in strings and comments do not count.
  const bare = text.replace(/"(?:\\.|[^"\\\n])*"?|\/\/[^\n]*/g, (hidden) => "_".repeat(hidden.length));
  let [depth, argument] = [0, 0];
  for (let at = bare.length - 1; at >= 0; at--) {
    const sign = bare[at] ?? "";
    if (")]}".includes(sign)) depth++;
    else if (sign === "," && depth === 0) argument++;
    else if ("([{".includes(sign) && depth-- === 0) {
      const name = sign === "(" ? /([A-Za-z_]\w*)\s*$/.exec(bare.slice(0, at))?.[1] : undefined;
      // In a list or a map, the surrounding call continues.
      if (name) return { name, open: at, argument };
      if (sign === "{" && bare[at - 1] !== "#") return undefined;
      [depth, argument] = [0, 0];
    }
  }
  return undefined;
}

/** A signature with one of its arguments in bold. */
function shown(signature: string, argument: number): HTMLElement {
  const open = signature.indexOf("(");
  const close = signature.lastIndexOf(")");
  if (open < 0 || close < open) return el("div", {}, signature);
  const inner = signature.slice(open + 1, close);
  const parts = inner === "" ? [] : inner.split(/,(?![^(\[{]*[)\]}])/);
  const at = Math.min(argument, parts.length - 1);
  const all = parts.flatMap((part, i) => [i > 0 ? "," : "", i === at ? el("b", {}, part) : part]);
  return el("div", {}, signature.slice(0, open + 1), ...all, signature.slice(close));
}

function tooltip(state: EditorState, entries: Entry[]): Tooltip | null {
  const { head, empty } = state.selection.main;
  if (!empty) return null;
  const from = Math.max(0, head - FAR);
  const call = callAround(state.doc.sliceString(from, head));
  const known = call ? entries.filter((entry) => entry.name === call.name) : [];
  if (!call || known.length === 0) return null;
  // For a method, the part before the dot is the first argument.
  const isMethod = /\.\s*\w+\s*$/.test(state.doc.sliceString(from, from + call.open));
  const argument = call.argument + (isMethod ? 1 : 0);
  const takes = (entry: Entry) => entry.signature.split(",").length > argument;
  const forms = known.some(takes) ? known.filter(takes) : known;
  const dom = () => el("div", { className: "cm-signature" }, ...forms.slice(0, 4).map((entry) => shown(entry.signature, argument)));
  return { pos: from + call.open, above: true, strictSide: false, create: () => ({ dom: dom() }) };
}

/** Shows signatures; Escape hides them until the cursor is in other brackets. */
export function signatureHelp(entries: () => Entry[]): Extension {
  const field = StateField.define<{ tooltip: Tooltip | null; hidden: number }>({
    create: () => ({ tooltip: null, hidden: -1 }),
    update(was, change) {
      if (change.annotation(HIDDEN)) return { tooltip: null, hidden: was.tooltip?.pos ?? -1 };
      if (!change.docChanged && !change.selection) return was;
      const typed = change.isUserEvent("input") || change.isUserEvent("delete") || change.isUserEvent("select");
      const found = typed ? tooltip(change.state, entries()) : null;
      if (!found) return { tooltip: null, hidden: -1 };
      return found.pos === was.hidden ? { tooltip: null, hidden: was.hidden } : { tooltip: found, hidden: -1 };
    },
    provide: (own) => showTooltip.from(own, (value) => value.tooltip),
  });
  const hide = keymap.of([
    {
      key: "Escape",
      run: (view) => {
        if (!view.state.field(field).tooltip) return false;
        view.dispatch({ annotations: HIDDEN.of(true) });
        return true;
      },
    },
  ]);
  return [field, hide];
}
