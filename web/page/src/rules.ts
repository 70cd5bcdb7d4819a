// Texts about a game: its description, and the rulebook as a page, with the picture of the starting position.

import { el, put } from "./dom";

/** A section of a rulebook. The first one has the title of the game and its introduction. */
export interface Section {
  heading: string;
  lines: string[];
  /** Whether it describes the starting position. */
  position?: boolean;
}

/** A script's description of its game. After the title and the summary, everything is folded away, such as sources. */
export function aboutGame(text: string): (Node | false)[] {
  const [title = "", game = title, ...more] = text.split(/\n\s*\n/);
  return [el("p", {}, game), more.length > 0 && el("details", {}, el("summary", {}, "More about this game"), ...more.map((paragraph) => el("p", {}, paragraph)))];
}

/** Shows a rulebook. */
export function rulebook(into: HTMLElement, sections: Section[], picture: string): void {
  const made = sections.flatMap(({ heading, lines, position }, at) => [
    el(at === 0 ? "h2" : "h3", {}, heading),
    position && el("img", { className: "setup", src: picture, alt: "The board at the start of the game" }),
    ...(at === 0 ? lines.map((line) => el("p", {}, line)) : [el("ul", { className: "leaflet" }, ...lines.map((line) => el("li", {}, line)))]),
  ]);
  put(into, ...made);
}
