// The rulebook as a page to read: the leaflet that the engine writes as text, with headings and the picture of the set-up.

import { el, put } from "./dom";

/** A rulebook's text as headings and paragraphs; lines of the drawing are left to the picture. */
export function rulebook(into: HTMLElement, text: string, picture: string | undefined): void {
  const lines = text.split("\n");
  const made: Node[] = [];
  let paragraph: string[] = [];
  let list: HTMLElement | undefined;
  const end = () => {
    if (paragraph.length > 0) made.push(el("p", {}, paragraph.join(" ")));
    paragraph = [];
    list = undefined;
  };
  for (let at = 0; at < lines.length; at++) {
    const [line = "", under = ""] = [lines[at], lines[at + 1]];
    if (line && /^(=+|-+)$/.test(under)) {
      end();
      made.push(el(under.startsWith("=") ? "h2" : "h3", {}, line));
      at++;
      if (line !== "Set-up" || !picture) continue;
      made.push(el("img", { className: "setup", src: picture, alt: "The board as a game begins" }));
      while (lines[at + 1]?.startsWith("  ")) at++;
    } else if (line.trim() === "") {
      end();
    } else if (/^ {2}\S/.test(line) && list && !/[.:]$/.test(lines[at - 1] ?? "")) {
      // A line that goes on; behind the end of a sentence an entry of its own begins.
      list.lastElementChild?.append(` ${line.trim()}`);
    } else if (made.at(-1)?.nodeName === "H3" || list || (made.at(-1) as Element | undefined)?.className === "setup") {
      if (!list) made.push((list = el("ul", { className: "leaflet" })));
      list.append(el("li", {}, line.trim()));
    } else {
      paragraph.push(line.trim());
    }
  }
  end();
  put(into, ...made);
}
