// The wizard: users make a game by answering questions, without programming. Owns its steps, the answers so far and the
// display of mistakes. Its result is a script, which it checks before passing it on; from there, the user continues in the
// editor.

import { type DiagramBoard, SIGNS, diagram, grid, hexagons, imageOf } from "./diagram";
import { choose } from "./dialog";
import { el, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import type { Diagnostic } from "./protocol";
import { type Kept, Slot } from "./slot";
import type { Store } from "./store";
import { ArrayEditor } from "./wizard_board";
import { field, goTo, group, tellAt, textField, tick, told } from "./wizard_form";
import { type Problem, type Step, type WizardGame, type WizardPiece, PIECES, emptyGame, forget, isHex, isSquare, problems, sizeOf, squareName } from "./wizard_game";
import { type Look, Looks } from "./wizard_looks";
import { type KnownPiece, freeLetter, freeName, paletteFor } from "./wizard_pieces";
import { summary, writeScript } from "./wizard_script";
import { type Asking, boardStep, captureStep, deal, diceStep, endStep } from "./wizard_steps";

/** What happens with a finished script. */
export interface WizardEvents {
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

/** The pause in typing before a movement is checked, in milliseconds. */
const PAUSE = 200;

export class Wizard {
  /** Opens the wizard. */
  readonly button = el("button", { type: "button", id: "wizard-open" }, "Make a game");
  private readonly dialog = el("dialog", { id: "wizard", "aria-labelledby": "wizard-heading" });
  private readonly nav = el("ol", { className: "wizard-nav" });
  private readonly body = el("div", { className: "wizard-body" });
  private readonly aside = el("aside", { className: "wizard-aside", "aria-label": "The game so far" });
  private readonly about = el("p", { className: "note" });
  private readonly back = el("button", { type: "button" }, "Back");
  private readonly next = el("button", { type: "button", className: "main" }, "Next");
  private readonly heading = el("h3", { tabIndex: -1, className: "wizard-question" });
  private readonly panel = el("div", { className: "wizard-panel" });

  private game: WizardGame = emptyGame();
  private step = 0;
  /** Steps that show mistakes: those that were answered or left. */
  private told = new Set<Step | "script">();
  /** Movements that the engine cannot parse, by the piece's key. */
  private unread = new Map<number, string>();
  /** The problems that trial games of the current answers have revealed. */
  private broken: Problem[] = [];
  /** Whether the user has filled in the table of the dice. */
  private hasDealt = false;
  private readonly said = el("p", { className: "wizard-said", role: "status", "aria-live": "polite" });
  private nextKey = 1;
  private checked = 0;

  private readonly engine = new Engine();
  private readonly looks = new Looks(this.engine);
  private readonly array: ArrayEditor;
  private readonly slot: Slot<KeptAnswers>;

  constructor(
    store: Store,
    private readonly events: WizardEvents,
  ) {
    this.slot = new Slot(store, "wizard", () => ({ game: structuredClone(this.game), step: this.step, told: [...this.told], hasDealt: this.hasDealt }), () => {});
    this.array = new ArrayEditor(this.engine, () => this.game, (piece, side) => this.man(piece, side), () => this.changed("array"));
    this.button.onclick = () => void this.open();
    this.back.onclick = () => this.goStep(this.step - 1);
    this.next.onclick = () => this.goStep(this.step + 1);
    const close = el("button", { type: "button", onclick: () => this.dialog.close() }, "Close");
    const anew = el("button", { type: "button", onclick: () => void this.anew() }, "Start again");
    put(this.aside, this.array.preview, this.about);
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
    if (!this.slot.last) {
      const kept = await this.slot.found();
      if (kept) this.resume(kept);
      else this.slot.next();
    }
    this.dialog.showModal();
    this.goStep(this.step, false);
    this.array.show();
  }

  private resume(kept: KeptAnswers): void {
    this.slot.take(kept);
    this.game = { ...emptyGame(), ...kept.game };
    this.step = kept.step;
    this.told = new Set(kept.told);
    this.hasDealt = kept.hasDealt;
    this.nextKey = 1 + Math.max(0, ...this.game.pieces.map((piece) => piece.key));
  }

  private async anew(): Promise<void> {
    const yes = "Start again";
    if (this.game.pieces.length > 0 && (await choose("Your answers will be lost.", [yes])) !== yes) return;
    this.game = emptyGame();
    this.told.clear();
    this.unread.clear();
    this.broken = [];
    this.hasDealt = false;
    this.goStep(0);
    this.array.show();
  }

  /** All problems. */
  private problems(): Problem[] {
    const unread = [...this.unread].filter(([key]) => this.game.pieces.some((piece) => piece.key === key && piece.betza.trim()));
    return [...problems(this.game), ...unread.map(([key, text]): Problem => ({ step: "pieces", field: `betza-${key}`, text })), ...this.broken];
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
    if (name === "board") put(this.panel, ...boardStep(asking));
    if (name === "pieces") put(this.panel, ...this.pieceStep());
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
        const button = el("button", { type: "button", className: wrong ? "wrong" : done ? "done" : "", "aria-current": index === this.step ? "step" : undefined }, title);
        if (state) button.append(el("span", { className: "wizard-state" }, `, ${state}`));
        button.onclick = () => this.goStep(index);
        return el("li", {}, button);
      }),
    );
    put(this.about, found.length === 0 ? summary(this.game) : "");
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

  private pieceStep(): Node[] {
    const chosen = el("ul", { className: "wizard-men" }, ...this.game.pieces.map((piece) => this.card(piece)));
    const isFull = this.game.pieces.length >= PIECES;
    const known = (piece: KnownPiece) =>
      el("button", { type: "button", className: "wizard-known", "data-known": `${piece.label ?? piece.name}`, disabled: isFull, title: piece.betza, onclick: () => this.take(piece) }, this.man(piece, 0), el("span", {}, piece.label ?? piece.name));
    const own = el("button", { type: "button", disabled: isFull, id: "wizard-own", onclick: () => this.take({ name: "piece", letter: "X", betza: "" }) }, "Custom piece");
    return [
      group(
        "palette",
        isFull ? `A game can have at most ${PIECES} kinds of pieces` : "Add a piece",
        ...paletteFor(isHex(this.game)).map(({ title, pieces }) => el("details", { open: title === "Chess" || this.opened.has(title), ontoggle: (event: Event) => this.toggled(title, event) }, el("summary", {}, title), el("div", { className: "wizard-palette" }, ...pieces.map(known)))),
        own,
      ),
      this.said,
      movementInBrief(),
      el("p", { className: "note" }, this.game.pieces.length > 0 ? SIGNS : "Each piece you add appears here with its moves, which you can change."),
      chosen,
    ];
  }

  /** Parts of the palette that stay open when it is rebuilt. */
  private opened = new Set<string>();

  private toggled(title: string, event: Event): void {
    if ((event.target as HTMLDetailsElement).open) this.opened.add(title);
    else this.opened.delete(title);
  }

  /** Adds a piece of the palette to the game. */
  private take(known: KnownPiece): void {
    const { pieces } = this.game;
    const letter = freeLetter(known.letter, known.name, pieces.map((piece) => piece.letter));
    const name = freeName(known.name, pieces.map((piece) => piece.name));
    const { betza, glyphs } = known;
    const piece: WizardPiece = { key: this.nextKey++, name, letter, betza, promotes: [], die: 6, ...(glyphs && { glyphs }) };
    pieces.push(piece);
    put(this.said, `Added the ${name}.`);
    if (!this.hasDealt) deal(this.game);
    const place = document.activeElement?.getAttribute("data-known");
    this.changed("pieces");
    this.build();
    if (known.betza) this.panel.querySelector<HTMLElement>(`[data-known="${place}"]`)?.focus();
    else goTo(`name-${piece.key}`);
  }

  /** A piece of the game: its name, movement and promotion. */
  private card(piece: WizardPiece): HTMLElement {
    const { key } = piece;
    const board = el("div", { className: "wizard-diagram" });
    const about = el("p", { className: "note" });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const script = `${piece.betza} ${piece.letter}`;
      const found = piece.betza.trim() ? await this.looks.of(this.game, piece) : undefined;
      if (script === `${piece.betza} ${piece.letter}`) this.looked(piece, found, board, about);
    };
    const later = () => {
      this.changed("pieces");
      clearTimeout(timer);
      timer = setTimeout(() => void look(), PAUSE);
    };
    void look();
    const others = this.game.pieces.filter((other) => other !== piece);
    const becomes = tickPromotions(piece, others, (other) => this.man(other, 0), () => this.changed("pieces"));
    const remove = el("button", { type: "button", onclick: () => this.remove(piece), "aria-label": `Remove the ${piece.name}` }, "Remove");
    return el(
      "li",
      { className: "wizard-card" },
      board,
      el(
        "div",
        { className: "wizard-fields" },
        field(`name-${key}`, "Name", textField(piece.name, (name) => ((piece.name = name), this.changed("pieces")), { maxLength: 30 })),
        field(`letter-${key}`, "Letter", textField(piece.letter, (letter) => ((piece.letter = letter.trim().toUpperCase()), later()), { maxLength: 1, className: "wizard-short" })),
        field(`betza-${key}`, "Moves (Betza)", textField(piece.betza, (betza) => ((piece.betza = betza), later()), { maxLength: 60, className: "wizard-betza", autocapitalize: "off" })),
        about,
        becomes,
        remove,
      ),
    );
  }

  private looked(piece: WizardPiece, look: Look | undefined, board: HTMLElement, about: HTMLElement): void {
    const squares = this.board();
    if (look?.error !== undefined) this.unread.set(piece.key, look.error);
    else this.unread.delete(piece.key);
    // The engine's description starts with `piece (X): `; here it is next to the name and needs no prefix.
    const said = look?.drawn?.about.replace(/^piece \(.\): /, "") ?? "";
    put(about, said.charAt(0).toUpperCase() + said.slice(1));
    const moves = look?.drawn ?? { from: null, quiet: [], captures: [], over: [] };
    const image = look?.drawn && imageOf(look.drawn);
    put(board, diagram(squares, { ...moves, name: piece.name, letter: piece.letter }, image));
    this.tell();
  }

  /** The empty board, also while the user types its size. */
  private board(): DiagramBoard {
    const size = sizeOf(this.game);
    if (!isHex(size)) return grid(size.files, size.ranks);
    const all = Array.from({ length: size.files * size.ranks }, (_, n) => ({ file: n % size.files, rank: Math.floor(n / size.files) }));
    const there = all.filter(({ file, rank }) => isSquare(size, file, rank));
    return hexagons(there.map((place) => ({ ...place, name: squareName(place.file, place.rank) })));
  }

  private remove(piece: WizardPiece): void {
    forget(this.game, piece.key);
    if (!this.hasDealt) deal(this.game);
    this.unread.delete(piece.key);
    this.changed("pieces");
    this.build();
    this.heading.focus();
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
        return el("li", {}, el("div", {}, problem.text), el("button", { type: "button", onclick: go }, `Go to ${STEPS[step]?.[1]}`));
      });
      return [el("p", {}, "To finish the game:"), el("ul", { className: "problems" }, ...places)];
    }
    const text = writeScript(this.game);
    const verdict = el("p", { role: "status", "aria-live": "polite", className: "note" }, "Testing the script…");
    const play = el("button", { type: "button", className: "main", id: "wizard-play", disabled: true }, "Play");
    play.onclick = () => void this.give(this.events.play(text), verdict);
    const edit = el("button", { type: "button", id: "wizard-edit" }, "Edit the script");
    edit.onclick = () => void this.give(this.events.edit(text), verdict);
    const remarks = el("ul", { className: "problems" });
    void this.check(text, verdict, remarks, play);
    return [
      el("div", { className: "row" }, play, edit),
      verdict,
      remarks,
      el("p", { className: "note" }, "This script is the finished game. For anything the wizard does not offer, edit the script. The wizard cannot load an edited script."),
      el("pre", { className: "wizard-script", tabIndex: 0, "aria-label": "The script" }, text),
    ];
  }

  private async give(given: Promise<void>, verdict: HTMLElement): Promise<void> {
    try {
      await given;
      this.dialog.close();
    } catch (error) {
      put(verdict, el("span", { className: "error" }, words(error)));
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
      put(verdict, isWrong ? el("span", { className: "error" }, "The game cannot be played yet. Problems:") : remarked.length > 0 ? "The game can be played, but the trial games found problems:" : el("span", { className: "good" }, "The trial games found no problems."));
      put(remarks, ...remarked.map((one) => el("li", { className: one.severity }, el("div", {}, one.message), one.help && el("div", { className: "note" }, one.help))));
    } catch (error) {
      if (!(error instanceof Stopped)) put(verdict, el("span", { className: "error" }, words(error)));
    }
  }
}

const BETZA: [string, string][] = [
  ["W  F  N", "one step orthogonally, one step diagonally, a knight's leap; K combines W and F, as a king moves"],
  ["D  A  C", "leaps: two squares orthogonally, two diagonally, a camel's leap"],
  ["R  B  Q", "any distance orthogonally, diagonally, or both; R3 goes up to three squares"],
  ["fW", "forward only; likewise b (backward), s (sideways), l (left) and r (right)"],
  ["mW  cF", "m only moves without capturing, c only captures: mfWcfF is a pawn"],
  ["pR  gQ", "p jumps over exactly one piece; g jumps over a piece and lands just behind it"],
  ["nN", "n cannot leap over pieces in between"],
  ["ifD", "i only moves from a starting square of the piece"],
];

/** A short guide to the notation of movement, sufficient for most pieces. */
function movementInBrief(): HTMLElement {
  const rows = BETZA.map(([signs, meaning]) => el("div", {}, el("dt", {}, signs), el("dd", {}, meaning)));
  return el("details", { className: "wizard-brief" }, el("summary", {}, "How to write movement (Betza notation)"), el("dl", {}, ...rows), el("p", { className: "note" }, "Write letters one after another to combine them: RF is a rook that also steps diagonally. On hexagons, W steps to one of the six neighbors, and F goes between two of them. R and B continue in these directions. N leaps to the nearest other hexagons. f is straight ahead; fl and fr are ahead to the left and right."));
}

/** The promotions of a piece on the far rank: checkboxes for the other pieces. */
function tickPromotions(piece: WizardPiece, others: WizardPiece[], imageOf: (piece: WizardPiece) => HTMLElement, changed: () => void): HTMLElement | null {
  if (others.length === 0) return null;
  const ticked = (other: WizardPiece) => (checked: boolean) => {
    piece.promotes = piece.promotes.filter((key) => key !== other.key);
    if (checked) piece.promotes.push(other.key);
    changed();
  };
  const boxes = others.map((other) => tick(other.name, piece.promotes.includes(other.key), ticked(other), "wizard-chip", imageOf(other)));
  const folded = el("details", { open: piece.promotes.length > 0, className: "wizard-promotes" }, el("summary", {}, "Promotion on the far rank"), el("div", { className: "wizard-chips" }, ...boxes));
  folded.setAttribute("aria-label", `Promotion of the ${piece.name}`);
  return folded;
}
