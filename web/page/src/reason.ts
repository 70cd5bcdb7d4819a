// Why a move is illegal, or why a piece cannot move: a note beside the board that the user can close. Owns the element
// `reason`.

import { el, get, put, words } from "./dom";
import type { Engine } from "./engine";
import { capital } from "./lists";
import type { Table } from "./table";

interface Answer {
  hidden?: boolean;
  why: string[];
  place?: string;
  line?: string;
}

export class Reason {
  private asked = 0;

  constructor(private readonly engine: Engine, private readonly table: Table, private readonly openLine: (line: number) => void) {
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /** Explains a move. */
  ofMove(move: string): void {
    void this.explain(`${move} is not legal:`, { move });
  }

  /** Explains a piece that cannot move. */
  ofPiece(square: string, label: string): void {
    void this.explain(`${label}:`, { square });
  }

  /** Closes the note. */
  close(): void {
    this.asked++;
    put(get("reason"));
  }

  private async explain(title: string, about: object): Promise<void> {
    const asked = ++this.asked;
    const show = (...made: (Node | string)[]) => {
      if (asked !== this.asked) return;
      put(get("reason"), el("p", {}, el("strong", {}, title), " ", ...made), el("button", { "aria-label": "Close", onclick: () => this.close() }, "✕"));
    };
    show("Computing…");
    try {
      show(...(await this.answer(about)));
    } catch (error) {
      show(words(error));
    }
  }

  private async answer(about: object): Promise<(Node | string)[]> {
    const { engine, table } = this;
    engine.stop();
    await table.give(engine);
    const view = table.secrets && table.viewer ? { view: table.viewer } : {};
    const answer = await engine.ask<Answer>("why", { ...table.named(), position: await table.position(), ...about, ...view });
    if (answer.hidden) return ["Only the other side knows what can move now."];
    const line = Number(/:(\d+)/.exec(answer.place ?? "")?.[1]);
    const open = line > 0 ? [el("button", { title: answer.line, onclick: () => this.openLine(line) }, "Show in the script")] : [];
    return [answer.why.map((text) => `${capital(text)}. `).join(""), ...open];
  }
}
