// Pieces that glide from square to square, and the squares that an event has changed: both are found by comparing two
// pictures of the board, without any rules.

import { el } from "./dom";
import { isCalm } from "./motion";
import { cut, pictureAddress } from "./picture";
import type { Picture, Square } from "./protocol";

const TIME = 240;
/** At most this many squares change in a move that is worth following: more are another position. */
const MANY = 8;

/** What a label says about a square: `e4, white pawn`. */
const content = (square: Square) => square.label.slice(square.name.length + 2);
const isEmpty = (text: string) => /^empty(,|$)/.test(text);

/** The squares that differ between two pictures; none if too many do. */
export function changed(before: Picture, after: Picture): Square[] {
  const was = new Map(before.squares.map((square) => [square.name, square]));
  const all = after.squares.filter((square) => was.get(square.name)?.label !== square.label);
  return all.length > MANY ? [] : all;
}

/** Where the pieces of the changed squares come from. */
function paths(before: Picture, squares: Square[]): { from: Square; to: Square }[] {
  const was = new Map(before.squares.map((square) => [square.name, square]));
  const old = (square: Square) => content(was.get(square.name) ?? square);
  const left = squares.filter((square) => !isEmpty(old(square)));
  const found: { from: Square; to: Square }[] = [];
  const arrived = squares.filter((square) => !isEmpty(content(square)));
  for (const to of arrived) {
    const alike = left.findIndex((from) => from !== to && old(from) === content(to));
    // A piece that has changed on its way, such as a promoted pawn.
    const only = alike < 0 && arrived.length === 1 ? left.findIndex((from) => from !== to && isEmpty(content(from))) : alike;
    const [from] = only < 0 ? [] : left.splice(only, 1);
    if (from) found.push({ from, to });
  }
  return found;
}

/** Whether a move has captured: a piece has arrived where an enemy was, or one has gone from a square without a heap. */
export function isCapture(before: Picture, after: Picture): boolean {
  const was = new Map(before.squares.map((square) => [square.name, content(square)]));
  const all = changed(before, after).map((square) => ({ old: was.get(square.name) ?? "empty", now: content(square) }));
  const left = all.filter(({ now }) => isEmpty(now));
  const isHit = ({ old, now }: (typeof all)[number]) => !isEmpty(old) && !isEmpty(now) && old.split(",")[0] !== now.split(",")[0];
  const arrived = all.filter(({ old }) => isEmpty(old)).length;
  return left.length > 0 && (all.some(isHit) || (left.length > arrived && all.every(({ now, old }) => !/, on /.test(now + old))));
}

/** Lets the pieces that have moved glide to their squares. Until they arrive, the old content of the squares is shown. */
export function glide(root: HTMLElement, before: Picture, after: Picture, squares: Square[]): void {
  if (isCalm() || !root.animate || before.width !== after.width) return;
  const share = (square: Square): Partial<CSSStyleDeclaration> => ({
    left: `${(100 * square.x) / after.width}%`,
    top: `${(100 * square.y) / after.height}%`,
    width: `${(100 * square.width) / after.width}%`,
    height: `${(100 * square.height) / after.height}%`,
  });
  const old = pictureAddress(before.svg);
  for (const { from, to } of paths(before, squares)) {
    const piece = cut(after.svg, to);
    if (!piece) continue;
    const scale = root.offsetWidth / after.width;
    const cover = el("div", { className: "glide-cover", "aria-hidden": "true" });
    Object.assign(cover.style, share(to), {
      backgroundImage: `url("${old}")`,
      backgroundSize: `${root.offsetWidth}px`,
      backgroundPosition: `-${to.x * scale}px -${to.y * scale}px`,
    });
    const moving = el("img", { className: "glide", alt: "", src: pictureAddress(piece) });
    Object.assign(moving.style, share(to));
    root.append(cover, moving);
    const path = moving.animate([{ transform: `translate(${(from.x - to.x) * scale}px, ${(from.y - to.y) * scale}px)` }, { transform: "none" }], { duration: TIME, easing: "ease-in-out" });
    path.onfinish = path.oncancel = () => {
      cover.remove();
      moving.remove();
    };
  }
}
