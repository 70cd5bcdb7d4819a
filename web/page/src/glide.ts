// Pieces that glide to their squares, the squares that an event has changed, and whether it has captured: all are found by
// comparing two pictures of the board, without any rules.

import { el } from "./dom";
import { paired } from "./lists";
import { isCalm } from "./motion";
import { type Place, cut, pictureAddress } from "./picture";
import type { Picture, Square } from "./protocol";
import { cover } from "./squares";

const TIME = 240;
/** At most this many squares change in a move that is worth following: more are another position. */
const MANY = 8;

/** The squares that differ between two pictures; none if too many do. */
export function changed(before: Picture, after: Picture): Square[] {
  const was = new Map(before.squares.map((square) => [square.name, square]));
  const all = after.squares.filter((square) => was.get(square.name)?.label !== square.label);
  return all.length > MANY ? [] : all;
}

/** The pieces of a square that another one does not have. */
function beyond(square: Square | undefined, other: Square | undefined): string[] {
  const pieces = square?.pieces ?? [];
  const there = paired(pieces, other?.pieces ?? []);
  return pieces.filter((_, at) => !there[at]);
}

/** Whether a move has captured: fewer pieces are on the board. */
export function isCapture(before: Picture, after: Picture): boolean {
  const names = new Set(changed(before, after).map((square) => square.name));
  const count = ({ squares }: Picture) => squares.flatMap(({ name, pieces }) => (names.has(name) ? pieces : [])).length;
  return count(before) > count(after);
}

interface Path {
  from: Place;
  to: Square;
  /** Whether the pieces have come upon others that stay below them. */
  isTop: boolean;
}

/** Where the pieces of the changed squares come from: other squares, or a hand. */
function paths(before: Picture, after: Picture, squares: Square[]): Path[] {
  const was = new Map(before.squares.map((square) => [square.name, square]));
  const left = squares.flatMap((square) => beyond(was.get(square.name), square).map((piece) => ({ square, piece })));
  const found: Path[] = [];
  const arrived = squares.map((to) => ({ to, pieces: beyond(to, was.get(to.name)) })).filter(({ pieces }) => pieces.length > 0);
  for (const { to, pieces } of arrived) {
    const alike = left.findIndex(({ square, piece }) => square !== to && piece === pieces[0]);
    // A piece that has changed on its way, such as a promoted pawn.
    const only = alike < 0 && arrived.length === 1 ? left.findIndex(({ square }) => square !== to && square.pieces.length === 0) : alike;
    const [origin] = only < 0 ? [] : left.splice(only, 1);
    const hand = before.held.find((held) => !after.held.some(({ side, label }) => side === held.side && label === held.label));
    const from = origin?.square ?? (hand && { ...hand, height: hand.width });
    if (from) found.push({ from, to, isTop: pieces.length < to.pieces.length });
  }
  return found;
}

/** Lets the pieces that have moved glide to their squares. Until they arrive, the old content of the squares is shown. */
export function glide(root: HTMLElement, before: Picture, after: Picture, squares: Square[]): void {
  if (isCalm() || !root.animate || before.width !== after.width) return;
  const old = pictureAddress(before.svg);
  for (const { from, to, isTop } of paths(before, after, squares)) {
    const piece = cut(after.svg, to, isTop);
    if (!piece) continue;
    const scale = root.offsetWidth / after.width;
    const hiding = el("div", { className: "glide-cover", "aria-hidden": "true" });
    Object.assign(hiding.style, {
      backgroundImage: `url("${old}")`,
      backgroundSize: `${root.offsetWidth}px`,
      backgroundPosition: `-${to.x * scale}px -${to.y * scale}px`,
    });
    const moving = el("img", { className: "glide", alt: "", src: pictureAddress(piece) });
    for (const element of [hiding, moving]) cover(element, to, after);
    root.append(hiding, moving);
    const path = moving.animate([{ transform: `translate(${(from.x - to.x) * scale}px, ${(from.y - to.y) * scale}px)` }, { transform: "none" }], { duration: TIME, easing: "ease-in-out" });
    path.onfinish = path.oncancel = () => {
      hiding.remove();
      moving.remove();
    };
  }
}
