// A long computation that the user starts and can stop: its button, its progress and its result. Owns the engine's busy time.
// It knows neither the computation nor how its result is shown.

import { el, put } from "./dom";
import type { Engine } from "./engine";
import { failure } from "./notice";

/** Reports how much is done. */
export type Progress = (done: number, of: number) => void;

/** How long a computation runs before its end is estimated, in milliseconds. */
const BEFORE_ESTIMATE = 1500;

export class Job {
  readonly button = el("button", { className: "main" });
  /** The progress and the result. */
  readonly panel = el("div");
  private readonly bar = el("progress", { max: 1, value: 0 });
  private readonly left = el("small", { className: "note" });
  private readonly out = el("div", { "aria-live": "polite" });
  private run = 0;
  private isRunning = false;

  constructor(
    private readonly engine: Engine,
    private readonly label: string,
    /** What is counted, such as games. */
    private readonly unit: string,
    /** Computes, and returns what to show. */
    private readonly work: (progress: Progress) => Promise<Node[]>,
  ) {
    this.button.textContent = label;
    this.bar.ariaLabel = `Progress in ${unit}`;
    put(this.panel, el("div", { className: "row progress", hidden: true }, this.bar, this.left), this.out);
    this.button.onclick = () => (this.isRunning ? this.engine.stop() : void this.start());
  }

  private async start(): Promise<void> {
    const run = ++this.run;
    const begun = performance.now();
    let total = 0;
    this.show();
    this.busy(true);
    const progress: Progress = (done, of) => {
      const [used, count] = [performance.now() - begun, (n: number) => n.toLocaleString("en")];
      const seconds = Math.ceil(((used / done) * (of - done)) / 1000);
      this.bar.value = done / of;
      // A number that still grows says nothing about the end.
      put(this.left, `${count(done)} of ${count(of)} ${this.unit}`, done > 0 && done < of && of === total && used > BEFORE_ESTIMATE && `, about ${count(seconds)} s left`);
      total = of;
    };
    try {
      const made = await this.work(progress);
      if (run === this.run) this.show(...made);
    } catch (error) {
      if (run === this.run) this.show(failure(error));
    }
    if (run === this.run) this.busy(false);
  }

  /** Shows other results, or none. */
  show(...made: (Node | string)[]): void {
    put(this.out, ...made);
  }

  /** Abandons the computation and its result. */
  clear(): void {
    this.run++;
    if (this.isRunning) this.engine.stop();
    this.show();
    this.busy(false);
  }

  private busy(is: boolean): void {
    this.isRunning = is;
    this.button.textContent = is ? "Stop" : this.label;
    this.bar.value = 0;
    put(this.left);
    this.panel.firstElementChild?.toggleAttribute("hidden", !is);
  }
}
