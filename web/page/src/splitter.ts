// Splitters: separators that the pointer or the arrow keys move. Owns the sizes of the panes, which the browser remembers.

import { stored } from "./memory";

/** The smallest and largest share of a pane, and the step of an arrow key, in percent. */
const [LEAST, MOST, STEP] = [20, 80, 2];

/** Lets a separator set a CSS variable of its parent, `--NAME`, to the share of the space before it. */
export class Splitter {
  private share = 0;
  private name = "";

  constructor(private readonly bar: HTMLElement, private readonly axis: "x" | "y") {
    bar.ariaValueMin = String(LEAST);
    bar.ariaValueMax = String(MOST);
    bar.addEventListener("pointerdown", (down) => {
      bar.setPointerCapture(down.pointerId);
      down.preventDefault();
      bar.focus();
    });
    bar.addEventListener("pointermove", (event) => bar.hasPointerCapture(event.pointerId) && this.drag(event));
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.set(this.share + step);
    });
  }

  /** Uses the size with this name; `usual` is its share until the user changes it. */
  use(name: string, usual: number): void {
    this.name = name;
    this.set(Number(stored(() => localStorage.getItem(`astragal-${name}`))) || usual, false);
  }

  private drag(event: PointerEvent): void {
    const parent = this.bar.parentElement;
    if (!parent) return;
    const [room, style] = [parent.getBoundingClientRect(), getComputedStyle(parent)];
    const [left, top] = [parseFloat(style.paddingLeft), parseFloat(style.paddingTop)];
    const [at, of] = this.axis === "x" ? [event.clientX - room.left - left, room.width - 2 * left] : [event.clientY - room.top - top, room.height - 2 * top];
    this.set((100 * at) / of);
  }

  private set(share: number, keep = true): void {
    this.share = Math.round(10 * Math.min(MOST, Math.max(LEAST, share))) / 10;
    this.bar.parentElement?.style.setProperty(`--split-${this.axis}`, `${this.share}%`);
    this.bar.ariaValueNow = String(Math.round(this.share));
    if (keep) stored(() => localStorage.setItem(`astragal-${this.name}`, String(this.share)));
  }
}
