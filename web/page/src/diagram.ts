// A small board with the moves of one piece. Owns the signs for moves, captures and captures over another piece, and their
// text for screen readers. It knows no rules and no engine: its owner passes in the squares and the sets.

import { pictureAddress } from "./picture";
import { SIDES, type Side } from "./protocol";

/** Squares and their places. A picture from the engine is one. */
export interface DiagramBoard {
  width: number;
  height: number;
  cells: "square" | "hex";
  squares: { name: string; x: number; y: number; width: number; height: number }[];
}

/** The squares that a piece can reach. */
interface DiagramMoves {
  /** The origin; null if the piece never moves. */
  from: string | null;
  quiet: string[];
  captures: string[];
  /** Captures that need another piece on the way. */
  over: string[];
}

/** The look and the moves of a piece, as the method `pieces` returns them. */
export interface DrawnPiece extends DiagramMoves {
  name: string;
  letter: string;
  about: string;
  /** The same without the name and the letter. */
  movement: string;
  /** Its picture for each side, as SVG. */
  images: string[];
}

const SVG = "http://www.w3.org/2000/svg";

/** The picture of a piece for a side. */
export function imageOf(piece: Pick<DrawnPiece, "images">, side: Side = "first"): string | undefined {
  const svg = piece.images[SIDES.indexOf(side)] ?? piece.images[0];
  return svg && pictureAddress(svg);
}

/** The key to the signs, in words. */
export const SIGNS = "Dot: the piece can move there. Ring: it can capture there. Ring with a bar: it can capture there by jumping over another piece.";

/** An element of a picture. */
export function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

const isDark = (name: string): boolean => (name.charCodeAt(0) + Number(name.slice(1))) % 2 === 0;

function cell(board: DiagramBoard, square: DiagramBoard["squares"][number]): SVGElement {
  const { name, x, y, width, height } = square;
  const look = { class: `diagram-cell${isDark(name) ? " dark" : ""}`, "data-square": name };
  if (board.cells === "square") return shape("rect", { x, y, width, height, ...look });
  const points = [[0.25, 0], [0.75, 0], [1, 0.5], [0.75, 1], [0.25, 1], [0, 0.5]] as const;
  return shape("polygon", { points: points.map(([right, down]) => `${x + right * width},${y + down * height}`).join(" "), ...look });
}

/** The moves in words: a text version of the picture. */
function movesInWords(name: string, moves: DiagramMoves): string {
  if (moves.from === null) return `${name}: no moves`;
  const taken = new Set([...moves.captures, ...moves.over]);
  const both = moves.quiet.filter((square) => taken.has(square));
  const list = (what: string, squares: string[]) => (squares.length > 0 ? `${what} ${squares.join(", ")}` : "");
  const parts = [
    list("moves to or captures on", both),
    list("only moves to", moves.quiet.filter((square) => !taken.has(square))),
    list("only captures on", moves.captures.filter((square) => !moves.quiet.includes(square))),
    list("captures over another piece on", moves.over.filter((square) => !moves.captures.includes(square))),
  ].filter(Boolean);
  return `${name} on ${moves.from}: ${parts.join("; ") || "no moves"}`;
}

/** Draws the moves of a piece; without `image`, its picture, the letter is drawn. */
export function diagram(board: DiagramBoard, piece: DiagramMoves & { name: string; letter: string }, image?: string): SVGSVGElement {
  const svg = shape("svg", { viewBox: `0 0 ${board.width} ${board.height}`, class: "diagram", role: "img", "aria-label": movesInWords(piece.name, piece) }) as SVGSVGElement;
  svg.append(...board.squares.map((square) => cell(board, square)));
  const [quiet, captures, over] = [new Set(piece.quiet), new Set(piece.captures), new Set(piece.over)];
  for (const { name, x, y, width, height } of board.squares) {
    const [cx, cy, size] = [x + width / 2, y + height / 2, Math.min(width, height)];
    if (quiet.has(name)) svg.append(shape("circle", { cx, cy, r: size * 0.16, class: "diagram-quiet" }));
    if (captures.has(name) || over.has(name)) svg.append(shape("circle", { cx, cy, r: size * 0.36, class: "diagram-taken" }));
    if (over.has(name)) svg.append(shape("path", { d: `M${cx - size * 0.36} ${cy}h${size * 0.72}`, class: "diagram-taken" }));
    if (name !== piece.from) continue;
    svg.append(shape("rect", { x, y, width, height, class: "diagram-from" }));
    if (image) svg.append(shape("image", { x, y, width, height, href: image }));
    else {
      const letter = shape("text", { x: cx, y: cy + size * 0.22, "font-size": size * 0.62, class: "diagram-letter" });
      letter.textContent = piece.letter;
      svg.append(letter);
    }
  }
  return svg;
}
