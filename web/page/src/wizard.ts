// The wizard: users make a game by answering questions, without programming. Owns its steps, the answers so far and the
// display of mistakes. Its result is a script, which it checks before passing it on; from there, the user continues in the
// editor.

import { imageOf } from "./diagram";
import { ask, choose } from "./dialog";
import { el, put } from "./dom";
import { Engine, Stopped } from "./engine";
import { failure } from "./notice";
import { pictureAddress } from "./picture";
import type { Diagnostic } from "./protocol";
import { type Kept, Slot } from "./slot";
import type { Store } from "./store";
import { ArrayEditor } from "./wizard_board";
import { goTo, group, tellAt, told } from "./wizard_form";
import { type Problem, type Step, type WizardGame, type WizardPiece, emptyGame, problems } from "./wizard_game";
import { LiveGame } from "./wizard_live";
import { Looks } from "./wizard_looks";
import { PieceStep } from "./wizard_piece_step";
import type { KnownPiece } from "./wizard_pieces";
import { readScript } from "./wizard_reader";
import { summary, writeScript } from "./wizard_script";
import { type StartingPoint, STARTS } from "./wizard_starts";
import { type Asking, boardStep, captureStep, deal, diceStep, endStep } from "./wizard_steps";

/** What happens with a finished script. */
interface WizardEvents {
  play(text: string): Promise<void>;
  edit(text: string): Promise<void>;
}

/** The answers as they are kept. */
interface KeptAnswers extends Kept {
  game: WizardGame;
  step: number;
  told: (Step | "script")[];
  hasDealt: boolean;
}

const STEPS: [Step | "script", string, string][] = [
  ["board", "Board", "Choose the board"],
  ["pieces", "Pieces", "Choose the pieces"],
  ["array", "Starting position", "Place the pieces"],
  ["dice", "Dice", "Choose which moves the dice permit"],
  ["captures", "Captures", "Choose how pieces are captured"],
  ["end", "End", "Choose how the game ends"],
  ["script", "Script", "The finished game"],
];

/** Problems that trial games can reveal: the field to change, and the message. */
const BROKEN: Record<string, Omit<Problem, "text"> & { says: string }> = {
  "over-at-once": { step: "array", field: "array", says: "The game is over before the first move." },
  "nobody-moves": { step: "array", field: "array", says: "In the trial games, one side could never move." },
  "never-plays": { step: "dice", field: "face-0", says: "In the trial games, no roll allowed a move." },
  "no-end": { step: "end", field: "limit", says: "The trial games did not end." },
};

/** Whether the answers are those of a starting point. */
const isStart = (game: WizardGame): boolean => STARTS.some((one) => JSON.stringify(one.game()) === JSON.stringify(game));

export class Wizard {
  /** Opens the wizard. */
  readonly button = el("button", { id: "wizard-open" }, "Make a game");
  private readonly dialog = el("dialog", { id: "wizard", "aria-labelledby": "wizard-heading" });
  private readonly nav = el("ol", { className: "wizard-nav" });
  private readonly body = el("div", { className: "wizard-body" });
  private readonly aside = el("aside", { className: "wizard-aside", "aria-label": "The game so far" });
  private readonly about = el("p", { className: "note" });
  private readonly back = el("button", {}, "Back");
  private readonly next = el("button", { className: "main" }, "Next");
  private readonly heading = el("h3", { tabIndex: -1, className: "wizard-question" });
  private readonly panel = el("div", { className: "wizard-panel" });

  private game: WizardGame = emptyGame();
  private step = 0;
  /** Steps that show mistakes: those that were answered or left. */
  private told = new Set<Step | "script">();
  /** The problems that trial games of the current answers have revealed. */
  private broken: Problem[] = [];
  /** Whether the user has filled in the table of the dice. */
  private hasDealt = false;
  /** The script that was last played or edited: it is in My games. */
  private given = "";
  private checked = 0;

  private readonly engine = new Engine();
  private readonly looks: Looks;
  private readonly array: ArrayEditor;
  private readonly pieces: PieceStep;
  private readonly live: LiveGame;
  private readonly slot: Slot<KeptAnswers>;

  constructor(store: Store, letters: () => boolean, private readonly events: WizardEvents) {
    this.looks = new Looks(this.engine, letters);
    this.slot = new Slot(store, "wizard", () => ({ game: structuredClone(this.game), step: this.step, told: [...this.told], hasDealt: this.hasDealt }), () => {});
    this.array = new ArrayEditor(this.looks, () => this.game, (piece, side) => this.man(piece, side), () => this.changed("array"));
    this.live = new LiveGame(this.array.preview, letters);
    this.pieces = new PieceStep(this.looks, () => this.tell(), () => this.heading.focus());
    this.dialog.onclose = () => {
      this.live.close();
      this.engine.close();
    };
    this.button.onclick = () => void this.open();
    this.back.onclick = () => this.goStep(this.step - 1);
    this.next.onclick = () => this.goStep(this.step + 1);
    const close = el("button", { onclick: () => this.dialog.close() }, "Close");
    const anew = el("button", { onclick: () => void this.anew() }, "Start again");
    put(this.aside, this.live.root, this.about);
    put(this.body, el("div", { className: "wizard-main" }, this.heading, this.panel), this.aside);
    put(
      this.dialog,
      el("div", { className: "wizard-head" }, el("h2", { id: "wizard-heading" }, "Make a game"), anew, close),
      el("nav", { "aria-label": "Steps" }, this.nav),
      this.body,
      el("div", { className: "wizard-foot" }, this.back, this.next),
    );
    document.body.append(this.dialog);
  }

  /** Opens the wizard, with the answers of this tab, or the last ones. */
  async open(): Promise<void> {
    await this.load();
    this.dialog.showModal();
    this.goStep(this.step, false);
    this.array.show();
  }

  private async load(): Promise<void> {
    if (this.slot.last) return;
    const kept = await this.slot.found();
    if (kept) this.resume(kept);
    else this.slot.next();
  }

  /** Opens the wizard with the answers in a script. What it would change in the script is named before. */
  async take(text: string): Promise<void> {
    const taken = readScript(text);
    if (!taken) throw new Error("The wizard cannot read this script.");
    const { game, changes } = taken;
    await this.load();
    const isOther = this.game.pieces.length > 0 && !isStart(this.game) && this.given !== writeScript(this.game);
    if ((changes.length > 0 || isOther) && !(await this.agree(changes, isOther))) return;
    this.begin(game);
    await this.open();
  }

  /** Lets the user agree to what is lost. */
  private async agree(changes: string[], isOther: boolean): Promise<boolean> {
    const question = changes.length > 0 ? "The wizard does not understand all of this script. If you continue, the wizard:" : "The wizard already has answers for a different game.";
    const isAgreed = await ask<boolean>(question, (done) => {
      const made = [
        el("ul", {}, ...changes.map((change) => el("li", {}, change))),
        changes.length > 0 && el("p", { className: "note" }, "Other parts that you added stay as they are. The current script stays in My games."),
        isOther && el("p", {}, "Your answers in the wizard will be replaced."),
        el("div", { className: "row" }, el("button", { className: "main", onclick: () => done(true) }, "Continue in the wizard"), el("button", { onclick: () => done(false) }, "Cancel")),
      ];
      return made.filter((node) => node !== false);
    });
    return isAgreed === true;
  }

  private resume(kept: KeptAnswers): void {
    this.slot.take(kept);
    this.game = { ...emptyGame(), ...kept.game };
    this.step = kept.step;
    this.told = new Set(kept.told);
    this.hasDealt = kept.hasDealt;
  }

  private async anew(): Promise<void> {
    const yes = "Start again";
    if (this.game.pieces.length > 0 && (await choose("Your answers will be lost.", [yes])) !== yes) return;
    this.begin(emptyGame());
  }

  /** Begins with other answers. */
  private begin(game: WizardGame): void {
    this.game = game;
    this.told.clear();
    this.pieces.clear();
    this.broken = [];
    this.hasDealt = game.pieces.length > 0;
    this.step = 0;
    this.goStep(0, false);
    this.array.show();
  }

  /** The cards of the starting points. */
  private starts(): HTMLElement {
    const card = (start: StartingPoint) => {
      const picture = el("img", { alt: "" });
      void this.looks.board(start.game()).then(({ svg }) => (picture.src = pictureAddress(svg)), () => {});
      return el("button", { className: "card", "data-start": start.name, onclick: () => void this.startFrom(start) }, picture, el("strong", {}, start.name), el("span", {}, start.about));
    };
    return group("start", "Start from", el("div", { className: "wizard-starts" }, ...STARTS.map(card)));
  }

  private async startFrom(start: StartingPoint): Promise<void> {
    const isOwn = this.game.pieces.length > 0 && !isStart(this.game);
    if (isOwn && (await choose("Your answers will be replaced.", [start.name])) !== start.name) return;
    this.begin(start.game());
    this.panel.querySelector<HTMLElement>(`[data-start="${start.name}"]`)?.focus();
  }

  /** All problems. */
  private problems(): Problem[] {
    return [...problems(this.game), ...this.pieces.problems(this.game), ...this.broken];
  }

  /** Goes to a step; the step that is left shows its mistakes. */
  private goStep(step: number, moves = true): void {
    const left = STEPS[this.step]?.[0];
    if (moves && left) this.told.add(left);
    this.step = Math.max(0, Math.min(STEPS.length - 1, step));
    const [name, title, question] = STEPS[this.step] ?? STEPS[0]!;
    put(this.heading, question);
    this.dialog.dataset["step"] = name;
    this.back.disabled = this.step === 0;
    this.next.hidden = this.step === STEPS.length - 1;
    put(this.next, `Next: ${STEPS[this.step + 1]?.[1] ?? title}`);
    this.build();
    this.body.scrollTop = 0;
    if (moves) this.heading.focus();
  }

  /** Creates the fields of the current step. */
  private build(): void {
    const name = STEPS[this.step]?.[0];
    const asking = this.asking(name ?? "board");
    if (name === "board") put(this.panel, this.starts(), ...boardStep(asking));
    if (name === "pieces") put(this.panel, ...this.pieces.nodes(asking));
    if (name === "array") {
      put(this.panel, told("array"), this.array.root);
      this.array.show();
    }
    if (name === "dice") put(this.panel, ...diceStep(asking));
    if (name === "captures") put(this.panel, ...captureStep(asking));
    if (name === "end") put(this.panel, ...endStep(asking));
    if (name === "script") put(this.panel, ...this.scriptStep());
    this.tell();
  }

  private asking(step: Step | "script"): Asking {
    return {
      game: this.game,
      changed: () => this.changed(step),
      rebuilt: () => this.rebuilt(step),
      imageOf: (piece, side) => this.man(piece, side),
      dealt: () => void (this.hasDealt = true),
      redealt: () => void (this.hasDealt || deal(this.game)),
    };
  }

  /** Updates the wizard after an answer. */
  private changed(step: Step | "script"): void {
    this.told.add(step);
    this.broken = [];
    if (step === "board" || step === "pieces" || step === "array") this.array.show();
    this.tell();
  }

  /** The same, and creates the fields of the step again; the focus stays on its field. */
  private rebuilt(step: Step | "script"): void {
    const active = document.activeElement;
    const [id, chosen] = [active?.id, active instanceof HTMLInputElement && active.type === "radio" ? `input[name="${active.name}"]:checked` : undefined];
    this.changed(step);
    this.build();
    const again = chosen ? this.panel.querySelector<HTMLElement>(chosen) : id ? document.getElementById(id) : null;
    again?.focus();
  }

  /** Shows mistakes, and marks the steps that have some. */
  private tell(): void {
    this.slot.changed();
    const found = this.problems();
    tellAt(this.panel, found.filter((problem) => this.told.has(problem.step)));
    put(
      this.nav,
      ...STEPS.map(([name, title], index) => {
        const wrong = name !== "script" && this.told.has(name) && found.some((problem) => problem.step === name);
        const done = name !== "script" && this.told.has(name) && !wrong;
        const state = wrong ? "needs an answer" : done ? "answered" : "";
        const button = el("button", { className: wrong ? "wrong" : done ? "done" : "", "aria-current": index === this.step ? "step" : undefined }, title);
        if (state) button.append(el("span", { className: "unseen" }, `, ${state}`));
        button.onclick = () => this.goStep(index);
        return el("li", {}, button);
      }),
    );
    put(this.about, found.length === 0 ? summary(this.game) : "");
    if (this.dialog.open) this.live.play(found.length === 0 ? writeScript(this.game) : undefined, found.map((problem) => problem.text));
  }

  /** A picture of a piece; its letter until the picture is known. */
  private man(piece: WizardPiece | KnownPiece, side: 0 | 1): HTMLElement {
    const made = el("span", { className: `wizard-man side-${side}`, "aria-hidden": "true" }, side === 0 ? piece.letter : piece.letter.toLowerCase());
    void this.looks.of(this.game, piece).then((look) => {
      const src = look.drawn && imageOf(look.drawn, side === 0 ? "first" : "second");
      if (src) put(made, el("img", { alt: "", src, draggable: "false" }));
    });
    return made;
  }

  /** The script, or the problems if there are any. */
  private scriptStep(): Node[] {
    for (const [name] of STEPS) this.told.add(name);
    const found = this.problems();
    if (found.length > 0) {
      const places = found.map((problem) => {
        const step = STEPS.findIndex(([name]) => name === problem.step);
        const go = () => {
          this.goStep(step);
          goTo(problem.field);
        };
        return el("li", {}, el("div", {}, problem.text), el("button", { onclick: go }, `Go to ${STEPS[step]?.[1]}`));
      });
      return [el("p", {}, "To finish the game:"), el("ul", { className: "problems" }, ...places)];
    }
    const text = writeScript(this.game);
    const verdict = el("p", { role: "status", "aria-live": "polite", className: "note" }, "Testing the script…");
    const play = el("button", { className: "main", id: "wizard-play", disabled: true }, "Play");
    play.onclick = () => void this.give(this.events.play, text, verdict);
    const edit = el("button", { id: "wizard-edit" }, "Edit the script");
    edit.onclick = () => void this.give(this.events.edit, text, verdict);
    const remarks = el("ul", { className: "problems" });
    void this.check(text, verdict, remarks, play);
    return [
      el("div", { className: "row" }, play, edit),
      verdict,
      remarks,
      el("p", { className: "note" }, "This script is the finished game. For anything the wizard does not offer, edit the script. To come back, click “Change in the wizard” below the editor."),
      el("pre", { className: "wizard-script", tabIndex: 0, "aria-label": "The script" }, text),
    ];
  }

  private async give(act: (text: string) => Promise<void>, text: string, verdict: HTMLElement): Promise<void> {
    try {
      await act(text);
      this.given = text;
      this.dialog.close();
    } catch (error) {
      put(verdict, failure(error));
    }
  }

  /** Lets the engine try the script: rules can be valid one by one and still not form a playable game. */
  private async check(text: string, verdict: HTMLElement, remarks: HTMLElement, play: HTMLButtonElement): Promise<void> {
    const checked = ++this.checked;
    try {
      const { diagnostics } = await this.engine.ask<{ diagnostics: Diagnostic[] }>("check", { text, variant: "wizard.rhai" });
      if (checked !== this.checked || !play.isConnected) return;
      this.broken = diagnostics.flatMap((one) => {
        const field = BROKEN[one.code ?? ""];
        return field && one.severity !== "note" ? [{ step: field.step, field: field.field, text: field.says }] : [];
      });
      if (this.broken.length > 0) return this.build();
      // A rare rule that never applied in a few games is of no interest to a user who did not write it.
      const remarked = diagnostics.filter((one) => one.code !== "not-played");
      const isWrong = remarked.some((one) => one.severity === "error");
      play.disabled = isWrong;
      put(verdict, isWrong ? failure("The game cannot be played yet. Problems:") : remarked.length > 0 ? "The game can be played, but the trial games found problems:" : el("span", { className: "good" }, "The trial games found no problems."));
      put(remarks, ...remarked.map((one) => el("li", { className: one.severity }, el("div", {}, one.message), one.help && el("div", { className: "note" }, one.help))));
    } catch (error) {
      if (!(error instanceof Stopped)) put(verdict, failure(error));
    }
  }
}
