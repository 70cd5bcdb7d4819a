// Squares over a picture: elements at its places, in the rows of a grid, and dragging from them. Owns the ghost that follows the
// pointer. It knows neither games nor pieces.

import { el } from "./dom";
import type { Place } from "./picture";
import type { Picture, Square } from "./protocol";

/** How many pixels the pointer moves before a drag begins. */
const DRAGS = 6;

/** Puts an element over a place of a picture. */
export function cover(element: HTMLElement, place: Place, { width, height }: Pick<Picture, "width" | "height">): void {
  const share = (part: number, of: number) => `${(100 * part) / of}%`;
  Object.assign(element.style, { left: share(place.x, width), top: share(place.y, height), width: share(place.width, width), height: share(place.height, height) });
}

/** The rows of a grid, with a cell for each square. */
export function rowsOf(squares: Square[], cell: (square: Square) => HTMLElement): HTMLElement[] {
  const rows = new Map(squares.map(({ row }) => [row, el("div", { role: "row" })]));
  for (const square of squares) rows.get(square.row)?.append(cell(square));
  return [...rows.values()];
}

/** Lets the user drag from an element. `lift` creates the ghost; `drop` gets what lies under it in the end. */
export function draggable(from: HTMLElement, canLift: () => boolean, lift: () => HTMLElement, drop: (under: Element | null) => void): void {
  from.addEventListener("pointerdown", (down) => {
    if (down.button !== 0 || !canLift()) return;
    from.releasePointerCapture?.(down.pointerId);
    const ended = new AbortController();
    let ghost: HTMLElement | undefined;
    const move = (event: PointerEvent) => {
      if (!ghost && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < DRAGS) return;
      ghost ??= lift();
      // A finger must not hide the piece.
      ghost.classList.toggle("touched", event.pointerType === "touch");
      Object.assign(ghost.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
    };
    const end = (event: PointerEvent) => {
      ended.abort();
      ghost?.remove();
      if (ghost && event.type === "pointerup") drop(document.elementFromPoint(event.clientX, event.clientY));
    };
    window.addEventListener("pointermove", move, { signal: ended.signal });
    for (const name of ["pointerup", "pointercancel"] as const) window.addEventListener(name, end, { signal: ended.signal });
  });
  from.addEventListener("dragstart", (event) => event.preventDefault());
}
