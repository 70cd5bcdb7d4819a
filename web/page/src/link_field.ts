// Links in fields: one to send, with buttons that copy it and hand it to other programs, and one that has come. Knows no games.

import { el, put } from "./dom";
import { say } from "./notice";

/** The field and its buttons; `title` names what is handed over. */
export function linkField(label: string, link: string, title: string): HTMLElement {
  const field = el("input", { type: "text", readOnly: true, value: link, "aria-label": label, onfocus: () => field.select() });
  // Browsers offer the clipboard only to pages over HTTPS or from this machine. Elsewhere, the link is selected, to be copied by keyboard.
  const copied = async () => {
    try {
      await navigator.clipboard.writeText(link);
      put(copy, "Copied");
    } catch {
      field.focus();
      field.select();
    }
  };
  const copy = el("button", { type: "button", className: "main", "aria-live": "polite", onclick: () => void copied() }, "Copy");
  const send = () => void navigator.share({ title, url: link }).catch((error: unknown) => void ((error as Error).name === "AbortError" || say(error)));
  const canSend = "share" in navigator && /^https?:/.test(link);
  return el("div", { className: "link-field" }, field, copy, canSend && el("button", { type: "button", onclick: send }, "Send…"));
}

/** A field for a link from a friend, and a button that opens it. */
export function openField(open: (hash: string) => void): HTMLElement {
  const [label, placeholder, title] = ["Your friend's link", "Paste your friend's link", "A link to a game contains #g="];
  const field = el("input", { type: "text", required: true, pattern: "(.*#)?g=[\\-\\w]+\\s*", title, "aria-label": label, placeholder });
  const onsubmit = (event: Event) => {
    event.preventDefault();
    open(field.value.split("#").at(-1)?.trim() ?? "");
  };
  return el("form", { className: "link-field", onsubmit }, field, el("button", {}, "Open"));
}
