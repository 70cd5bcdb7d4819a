// The current game: opened in the engine, continued, taken back, and opened again after a restart of the engine. Owns the
// session, its record and the seats. It knows no elements of the page.

import type { Engine } from "./engine";
import { load } from "./load";
import { pause } from "./motion";
import { SIDES } from "./protocol";
import type { Course, GameEvent, ListedVariant, OptionDef, Pending, Picture, SessionStatus, Side, TurnText } from "./protocol";
import type { Beginning, Branch, ByLinks, LogLine, Script, Seat, Shown, TableState } from "./table_state";

export type * from "./table_state";

/** The name under which the engines get a user's script. */
export const OWN = "own.rhai";

/** How many messages of the rules are kept. */
const LOG = 3;

/** How long a position is visible before the dice are rolled automatically, in milliseconds. */
const BEFORE_ROLL = 450;

/** How many variations are kept. */
const BRANCHES = 30;

export class Table {
  script: Script = { variant: "" };
  options: Record<string, string> = {};
  defs: OptionDef[] = [];
  title = "";
  about = "";
  sides: string[] = [];
  seats: Seat[] = [];
  /** Whether the dice of people at the screen are rolled automatically, or by a button. */
  rollsAlone = false;
  /** The names of dice faces, if they have names. */
  faces = new Map<number, string>();
  /** Whether the game has secrets of single sides; and whether a player can know what another does not, also by secret choices. */
  secrets = false;
  hides = false;
  /** The viewing side: nothing that it may not know is shown. */
  viewer: Side | undefined;
  flipped = false;
  /** Whether pieces are drawn as letters. */
  letters = false;
  shown: Shown | undefined;
  /** Resolves when the game that is being opened is on the board, or was refused. */
  opening: Promise<unknown> = Promise.resolve();
  /** What the links allow, if the game is played by links. */
  links: ByLinks | undefined;
  /** The messages of the rules since the last decision by a person. */
  log: LogLine[] = [];

  private session: number | undefined;
  private seed = 1;
  private record: string | undefined;
  /** Records for redo, each with its number of events. */
  private ahead: Branch[] = [];
  private generation = 0;
  /** Abandoned variations: taken back, and then continued differently. */
  branches: Branch[] = [];

  constructor(
    readonly engine: Engine,
    /** The game has changed; `moved` is true if another position is shown. */
    private readonly changed: (moved: boolean) => void,
  ) {}

  /** The bundled games. */
  async variants(): Promise<ListedVariant[]> {
    return (await this.engine.ask<{ variants: ListedVariant[] }>("variants", {})).variants;
  }

  /** The rules, as a text that differs from that of other rules. */
  get rules(): string {
    return JSON.stringify([this.script, this.options]);
  }

  /** The request parameters that name the script and its options. */
  named(): { variant: string; options: Record<string, string> } {
    return { variant: this.script.variant, options: this.options };
  }

  /** Sends a user's script to an engine under this name. */
  async give(engine: Engine, name = OWN): Promise<void> {
    if (this.script.text !== undefined) await engine.ask("load", { name, text: this.script.text });
  }

  /** Loads a script and begins a game. */
  async play(script: Script, options: Record<string, string>, from: Beginning): Promise<void> {
    const { title, about, options: defs, sides, secrets, hides, faces } = await load(this.engine, script, options);
    const named = new Map(faces.map(({ face, name }) => [face, name]));
    const rules = { script, options, title, about, defs, sides, secrets, hides, faces: named };
    await this.begin(from, { ...rules, seats: seatsFor(sides.length, from.seats), rollsAlone: from.rollsAlone ?? false });
  }

  /** Begins a game with the current script and seats, or with others. */
  async begin(from: Beginning = {}, rules: Partial<Table> = {}): Promise<void> {
    const { position, record, viewer, links, ahead = [], branches = [], flipped = this.flipped } = from;
    const seed = from.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
    await this.opened({ position, record, seed }, true, viewer, { ...rules, ahead, branches, flipped, links });
  }

  /** Closes the game: the script is edited, and no game is at the board. */
  async close(script: Script): Promise<void> {
    this.generation++;
    if (this.session !== undefined) await this.engine.ask("close", { session: this.session }).catch(() => {});
    this.session = undefined;
    this.script = script;
    this.options = {};
    this.defs = [];
    this.sides = [];
    this.title = "";
    this.about = "";
    this.ahead = [];
    this.branches = [];
    this.links = undefined;
    this.log = [];
    this.shown = undefined;
    this.changed(true);
  }

  /** Whether the game before is still shown. */
  private get isOld(): boolean {
    return this.shown?.status.session !== this.session;
  }

  /** The game so far. Undefined if no game is open, or its current position is not known yet. */
  get state(): TableState | undefined {
    if (this.session === undefined || this.isOld) return undefined;
    const { options, seats, rollsAlone, seed, flipped, viewer, record, ahead, branches, links } = this;
    return { options, seats: [...seats], rollsAlone, seed, flipped, viewer, record, ahead, branches, links };
  }

  /** Whether the game contains decisions: in the current line, or in one that was left. A friend may wait for a game by links. */
  get hasDecisions(): boolean {
    return this.links !== undefined || this.ahead.length > 0 || this.branches.length > 0 || (this.shown?.course.deciders.some((side) => side !== null) ?? false);
  }

  /** Opens a game, with this change of the table. The one before stays if that fails, and nothing is decided meanwhile. `isShown` is
   * false if another position will be shown at once. */
  private async opened(...given: Parameters<Table["replace"]>): Promise<void> {
    const opening = this.replace(...given);
    this.opening = opening.catch(() => {});
    if (await opening) await this.rollIfDue();
  }

  /** The same, but no dice are rolled yet. Returns whether the new game is shown. */
  private async replace(from: { position?: string | undefined; record?: string | undefined; seed?: number }, isShown = true, viewer?: Side, next: Partial<Table> & Partial<Pick<TableState, "ahead">> = {}): Promise<boolean> {
    const { session: before, seed } = this;
    const { script, options, seats } = { ...this, ...next };
    const view = viewer ?? SIDES[Math.max(0, seats.indexOf("human"))] ?? "first";
    this.generation++;
    this.session = undefined;
    try {
      const status = await this.engine.ask<SessionStatus>("open", { variant: script.variant, options, seed, wait: true, ...from, view });
      if (before !== undefined) void this.engine.ask("close", { session: before }).catch(() => {});
      Object.assign(this, next, { session: status.session, seed: from.seed ?? seed, viewer: view, log: [] });
      return isShown && (await this.put(status));
    } catch (error) {
      this.session ??= before;
      throw error;
    }
  }

  /** Applies an event. Throws if it is refused; the game is then unchanged. */
  async apply(event: GameEvent): Promise<void> {
    if (this.session === undefined) return;
    const status = await this.engine.ask<SessionStatus>("apply", { session: this.session, events: [event], ...this.seen() });
    // Events that were taken back and are now continued differently become a variation.
    const left = this.ahead[0];
    if (left) this.keep(left);
    this.ahead = [];
    const before = this.shown?.status.pending;
    if (before && before.kind !== "roll" && this.seat(before.player) === "human") this.log = [];
    await this.show(status);
  }

  /** Keeps a variation, the newest first. */
  private keep(branch: Branch): void {
    this.branches = [branch, ...this.branches.filter((one) => one.record !== branch.record)].slice(0, BRANCHES);
  }

  /** The current line as a variation to go back to. */
  private line(): Branch | undefined {
    const course = this.shown?.course;
    if (course?.record === undefined) return undefined;
    const last = course.turns.at(-1);
    return { record: course.record, events: course.deciders.length, text: last ? `${last.round}. ${this.side(last.side)} ${last.text}` : "", turns: course.turns };
  }

  /** Rolls the dice that are due. */
  async roll(): Promise<void> {
    await this.apply({ roll: [] });
  }

  /** Whether the dice that are due are rolled automatically: not while the user looks at an earlier position. */
  private rollsNow(): boolean {
    const pending = this.shown?.status.pending;
    if (this.ahead.length > 0 || pending?.kind !== "roll") return false;
    // By links, a roll after a decision needs new secrets, so that no one can decide for the sake of the next roll.
    if (this.links) return this.links.isOurs && this.links.canRoll && !this.hasNew;
    return this.rollsAlone || this.seat(pending.player) !== "human";
  }

  /** Whether there are decisions that are in no link yet. */
  get hasNew(): boolean {
    return this.shown?.course.deciders.slice(this.links?.fixed).some((side) => side !== null) ?? false;
  }

  /** Whether this screen has nothing to decide in a game by links: it waits for a link, only watches, or shows an earlier position. */
  get isAway(): boolean {
    const { links, shown } = this;
    const pending = shown?.status.pending;
    if (!links) return false;
    const isNow = (shown?.course.deciders.length ?? 0) >= links.fixed;
    return !links.isOurs || !isNow || pending?.kind === "roll" || pending?.player !== links.side;
  }

  /** Whether a game by links is to be sent: the next event is not for this screen. */
  get isToSend(): boolean {
    const { links, shown } = this;
    if (!links?.isOurs || !shown || this.isOld || this.ahead.length > 0 || !this.isAway || this.rollsNow()) return false;
    return shown.status.pending !== null || shown.course.deciders.length > links.fixed;
  }

  /** A link was made of the game as it is. */
  sent(links: ByLinks): void {
    this.links = links;
    this.branches = [];
    this.changed(false);
  }

  /** Updates the game after a change of seats. */
  async seated(): Promise<void> {
    this.changed(false);
    if (this.rollsNow()) await this.roll();
  }

  /** Turns automatic rolling on or off. */
  async rollAlone(alone: boolean): Promise<void> {
    this.rollsAlone = alone;
    this.changed(false);
    if (this.rollsNow()) await this.roll();
  }

  private async show(status: SessionStatus): Promise<void> {
    if (await this.put(status)) await this.rollIfDue();
  }

  /** Puts a game on the board. False if another one has been opened meanwhile. */
  private async put(status: SessionStatus): Promise<boolean> {
    if (status.session !== this.session) return false;
    const generation = ++this.generation;
    const { log_kinds } = status;
    const log = (status.log ?? []).map((text, at) => ({ kind: log_kinds?.[at], text }));
    this.log = [...this.log, ...log].slice(-LOG);
    const history = (seen: { view?: Side }) => this.engine.ask<Course>("history", { session: status.session, ...seen });
    // When the game is over, nothing is secret any more.
    const [picture, course] = await Promise.all([this.draw(status.pending), history(status.pending ? this.seen() : {})]);
    // With secrets, the complete record is kept, but not shown.
    const record = course.record ?? (await history({})).record;
    if (generation !== this.generation) return false;
    this.record = record;
    this.shown = { status, picture, course };
    this.changed(true);
    return true;
  }

  /** Rolls if the dice are rolled automatically. */
  private async rollIfDue(): Promise<void> {
    if (!this.rollsNow()) return;
    const { generation } = this;
    if ((this.shown?.course.deciders.length ?? 0) > 0) await pause(BEFORE_ROLL);
    // Meanwhile, the user may have undone the move or opened another game.
    if (generation === this.generation && this.rollsNow()) await this.roll();
  }

  /** The picture of the current position, without marks on the pieces of a friend who plays by links. */
  private draw(pending: Pending | null): Promise<Picture> {
    const { session, flipped, letters, links } = this;
    return this.engine.ask<Picture>("draw", { session, ...this.seen(), flipped, letters, steady: true, still: links !== undefined && pending?.player !== links.side });
  }

  /** Redraws the current position, for example after the board was turned. */
  async again(): Promise<void> {
    if (this.session === undefined) return;
    await this.show(await this.engine.ask<SessionStatus>("apply", { session: this.session, ...this.seen() }));
  }

  /** The viewer for requests. */
  private seen(): { view?: Side } {
    return this.viewer === undefined ? {} : { view: this.viewer };
  }

  /** The side to hand the screen to, if it shows the view of another side. */
  handsOver(): Side | undefined {
    const pending = this.shown?.status.pending;
    if (!pending || pending.player === this.viewer || this.seat(pending.player) !== "human") return undefined;
    return this.secrets || pending.hidden ? pending.player : undefined;
  }

  /** Shows the view of another side. */
  async look(viewer: Side): Promise<void> {
    this.viewer = viewer;
    await this.again();
  }

  /** Whether events can be taken back, or made again. */
  get canUndo(): boolean {
    return this.lastDecision() !== undefined;
  }

  get canRedo(): boolean {
    return this.ahead.length > 0;
  }

  /** The number of the last event that a person decided, or of the last decision if no person plays. */
  private lastDecision(): number | undefined {
    const deciders = this.shown?.course.deciders ?? [];
    const humans = this.seats.some((seat) => seat === "human");
    if (this.links && !this.links.isOurs) return undefined;
    for (let event = deciders.length - 1; event >= (this.links?.fixed ?? 0); event--) {
      const side = deciders[event];
      if (side && (!humans || this.seat(side) === "human")) return event;
    }
    return undefined;
  }

  async undo(): Promise<void> {
    const event = this.lastDecision();
    if (event === undefined) return;
    const line = this.line();
    await this.backTo(event, line === undefined ? [] : [...this.ahead, line]);
  }

  /** Takes back all events from this number on; `ahead` is what redo can make again. */
  private async backTo(events: number, ahead: Branch[]): Promise<void> {
    if (this.session === undefined) return;
    this.log = [];
    const status = await this.engine.ask<SessionStatus>("undo", { session: this.session, events, ...this.seen() });
    this.ahead = ahead;
    await this.show(status);
  }

  async redo(): Promise<void> {
    const next = this.ahead.at(-1);
    if (!next) return;
    this.ahead = this.ahead.slice(0, -1);
    await this.opened({ record: next.record });
  }

  /** All turns of the current line: those so far, and those that redo can make again. */
  get turns(): TurnText[] {
    return (this.ahead[0] ?? this.shown?.course)?.turns ?? [];
  }

  /** Whether the user can jump to turns: in games with secrets, they can only undo step by step. */
  get canGo(): boolean {
    return this.shown?.course.record !== undefined;
  }

  /** The whole current line, with what redo can make again. */
  get whole(): Branch | undefined {
    return this.ahead[0] ?? this.line();
  }

  /** Goes to the position after this number of events: of the current line, or of another one; the current one is kept. */
  async goToEvent(events: number, line = this.whole): Promise<void> {
    const here = this.whole;
    if (!line) return;
    const isOther = line.record !== here?.record;
    if (isOther) this.branches = this.branches.filter((one) => one.record !== line.record);
    if (isOther && here) this.keep(here);
    const isLast = events >= line.events;
    this.ahead = isLast ? [] : [line];
    if (isOther || isLast || events > (this.shown?.course.deciders.length ?? 0)) await this.opened({ record: line.record }, isLast);
    if (!isLast) await this.backTo(events, [line]);
  }

  /** The player of a side. */
  seat(side: Side): Seat {
    return this.seats[SIDES.indexOf(side)] ?? "human";
  }

  /** The name of a side. */
  side(side: Side): string {
    return this.sides[SIDES.indexOf(side)] ?? side;
  }

  /** The game as the text of a test of its script, with this script name. */
  async gameFile(title: string, script: string): Promise<string> {
    if (this.session === undefined) throw new Error("no game is open");
    return (await this.engine.ask<{ text: string }>("game_file", { session: this.session, title, script })).text;
  }

  /** The position for requests to another engine, with the whole turn so far. */
  async position(): Promise<string> {
    if (this.session === undefined) throw new Error("no game is open");
    const status = await this.engine.ask<SessionStatus>("apply", { session: this.session });
    return status.resume ?? status.position;
  }
}

/** Seats for a number of sides: the given ones if they fit, or a person against the computer. */
function seatsFor(sides: number, given: Seat[] | undefined): Seat[] {
  if (given?.length === sides) return [...given];
  return Array.from({ length: sides }, (_, index) => (index === 0 ? "human" : 2));
}
