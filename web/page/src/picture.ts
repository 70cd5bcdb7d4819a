// Pictures from the engine as images: the whole board, and parts cut out of it. Owns how they follow the theme and the board
// colors of the page, which are variables of the stylesheet. It knows no game and no settings.

import type { Square } from "./protocol";

/** The engine's colors of boards, and the variables of the stylesheet that replace them. */
const COLORS: Record<string, string> = {
  "#f0d9b5": "square",
  "#b58863": "square-dark",
  "#dcbb8f": "square-second",
  "#c39a6b": "square-third",
  "#ecd3a4": "panel",
  "#7a4f2b": "table",
  "#e9dcc3": "felt",
  "#cbb48c": "tray",
  "#5a3e1b": "board-line",
};

/** The style of pictures. A picture is a document of its own, so it gets the values of the variables. */
function style(): string {
  const page = getComputedStyle(document.documentElement);
  const value = (name: string) => page.getPropertyValue(`--${name}`).trim();
  const rules = Object.entries(COLORS).map(([color, name]) => `[fill="${color}"] { fill: ${value(name)} } [stroke="${color}"] { stroke: ${value(name)} }`);
  // Lines that no panel lies under are drawn on the background, as light as the texts there.
  const bare = `svg > path[stroke="#5a3e1b"]:not(rect[rx] ~ path)`;
  return `<style>svg { color-scheme: ${page.colorScheme} } ${rules.join(" ")} .ground { fill: ${value("around")} } .rim { fill: ${value("rim")} } ${bare} { stroke: ${value("rim")} }</style>`;
}

const PREFIX = "data:image/svg+xml,";

/** A picture as a URL for an `img`: pictures run no scripts. */
export function pictureAddress(svg: string): string {
  return `${PREFIX}${encodeURIComponent(svg.replace("</svg>", `${style()}</svg>`))}`;
}

/** Gives the pictures that the page shows already the current colors. */
export function recolor(): void {
  for (const image of document.images) {
    if (image.src.startsWith(PREFIX)) image.src = pictureAddress(decodeURIComponent(image.src.slice(PREFIX.length)).replace(/<style>svg \{.*?<\/style>/s, ""));
  }
}

export type Place = Pick<Square, "x" | "y" | "width" | "height">;

/** What belongs to a square and not to its pieces: names, signs, stations, and marks of moves. */
const GROUND = ".rim, text:not([font-weight]), circle:not([stroke]), circle[stroke-width='2'], [fill='#5a3e1b']";

/** The pieces that are drawn on a square, or only the topmost one, as a picture of their own; undefined if there are none. */
export function cut(svg: string, at: Place, isTop = false): string | undefined {
  const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const isIn = (x: number, y: number) => x >= at.x && x < at.x + at.width && y >= at.y && y < at.y + at.height;
  const place = (element: Element): [number, number] => {
    const moved = /^translate\(([-\d.]+)[ ,]+([-\d.]+)\)(?: scale\(([\d.]+)\))?/.exec(element.getAttribute("transform") ?? "");
    // Figures are drawn in a square of 100 by 100.
    const half = 50 * Number(moved?.[3] ?? 0);
    const number = (...names: string[]) => Number(names.map((name) => element.getAttribute(name)).find((value) => value !== null) ?? NaN);
    return moved ? [Number(moved[1]) + half, Number(moved[2]) + half] : [number("cx", "x"), number("cy", "y")];
  };
  // Lines of the board have no place of their own, unlike signs on pieces.
  const isPiece = (element: Element) => /^(g|circle|text|image|use|path)$/.test(element.tagName) && !element.matches(GROUND) && isIn(...place(element));
  const kept = [...drawing.children].filter(isPiece);
  if (kept.length === 0) return undefined;
  // A piece is a group, or a disk with a sign after it.
  drawing.replaceChildren(...kept.slice(isTop ? kept.findLastIndex((element) => /^(g|circle)$/.test(element.tagName)) : 0));
  drawing.setAttribute("viewBox", `${at.x} ${at.y} ${at.width} ${at.height}`);
  return new XMLSerializer().serializeToString(drawing);
}
