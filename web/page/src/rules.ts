// Texts about a game: its description, and the rulebook as a page: the engine's leaflet text with headings, and the picture
// of the starting position.

import { el, put } from "./dom";

/** A script's description of its game: sources and readings are folded away, and notes for authors of scripts are left
 * out. */
export function aboutGame(text: string): (Node | false)[] {
  const [game = "", sources = ""] = text.replace(/[^.]*\bimport it\b[^.]*\./g, "").split(/\b(?=Sources?: |Readings?: )(.*)/s);
  return [el("p", {}, game.trim()), sources !== "" && el("details", {}, el("summary", {}, "Sources and readings"), el("p", {}, sources.trim()))];
}

/** A rulebook's text as headings and paragraphs; the lines of the text drawing are replaced by the picture. */
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
      if (line !== "Starting position" || !picture) continue;
      made.push(el("img", { className: "setup", src: picture, alt: "The board at the start of the game" }));
      while (lines[at + 1]?.startsWith("  ")) at++;
    } else if (line.trim() === "") {
      end();
    } else if (/^ {2}\S/.test(line) && list && !/[.:]$/.test(lines[at - 1] ?? "")) {
      // A continued line; after the end of a sentence, a new entry begins.
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
