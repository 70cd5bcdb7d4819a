// A link in a field, with buttons that copy it and hand it to other programs of the device.

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
