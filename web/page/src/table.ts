// The game that is being played: opened in the engine, gone on with, taken back, and opened anew when the engine is. Owns the
// session, its record and who sits where. It knows no element of the page.

import { Engine, Refusal } from "./engine";
import { SIDES } from "./protocol";
import type { Course, GameEvent, ListedVariant, LoadedScript, OptionDef, Picture, SessionStatus, Side, TurnText } from "./protocol";

/** Who decides for a side: somebody at the screen, or the computer at a level. */
export type Seat = "human" | number;

/** What is played: a game that comes with the program, or a script of one's own. */
export interface Script {
  /** What requests name it. */
  variant: string;
  /** The text, if it is one's own. */
  text?: string;
}

/** The name under which a script of one's own is given to the engines. */
export const OWN = "own.rhai";

/** A line of play that can be gone back to. */
export interface Branch {
  /** Its record. */
  record: string;
  /** How many events it has. */
  events: number;
  /** Its last turn, for people. */
  text: string;
  /** All of them. */
  turns: TurnText[];
}

/** So much of what the rules have said is kept. */
const LOG = 3;

/** So many lines are kept. */
const BRANCHES = 30;

/** All that can be seen of a game. */
export interface Shown {
  status: SessionStatus;
  picture: Picture;
  course: Course;
}

export class Table {
  script: Script = { variant: "dice-chess" };
  options: Record<string, string> = {};
  defs: OptionDef[] = [];
  title = "";
  about = "";
  sides: string[] = [];
  seats: Seat[] = [];
  /** Whether dice of people at the screen fall by themselves, or when they press a button. */
  rollsAlone = false;
  /** What faces of the dice are called, where they have names. */
  faces = new Map<number, string>();
  /** Whether some of it is for one side alone. */
  secrets = false;
  /** Who looks: what that side may not know is not asked for. */
  viewer: Side | undefined;
  flipped = false;
  letters = false;
  shown: Shown | undefined;
  /** What the rules have said since somebody here decided something. */
  log: string[] = [];

  private session: number | undefined;
  private seed = 1;
  /** Records that were taken back from, with how many events each had. */
  private ahead: Branch[] = [];
  private generation = 0;
  /** Lines of play that were left: taken back, and then gone on with otherwise. */
  branches: Branch[] = [];

  constructor(
    readonly engine: Engine,
    private readonly changed: () => void,
  ) {}

  /** The games that come with the program. */
  async variants(): Promise<ListedVariant[]> {
    return (await this.engine.ask<{ variants: ListedVariant[] }>("variants", {})).variants;
  }

  /** Parameters that name what is played. */
  named(): { variant: string; options: Record<string, string> } {
    return { variant: this.script.variant, options: this.options };
  }

  /** Gives an engine a script of one's own, which has this name there. */
  async give(engine: Engine, name = OWN): Promise<void> {
    if (this.script.text !== undefined) await engine.ask("load", { name, text: this.script.text });
  }

  /** Takes a script and begins a game of it: from a position or record, if there is one. */
  async play(script: Script, options: Record<string, string>, from: { position?: string; record?: string }): Promise<void> {
    const known =
      script.text === undefined
        ? await this.engine.ask<LoadedScript>("load", { name: script.variant, options })
        : await this.engine.ask<LoadedScript>("load", { name: OWN, text: script.text, options });
    this.script = script;
    this.options = options;
    this.title = known.title;
    this.about = known.about;
    this.defs = known.options;
    this.sides = known.sides;
    this.secrets = known.secrets;
    this.faces = new Map(known.faces.map(({ face, name }) => [face, name]));
    // Who sits where stays so from game to game.
    if (this.seats.length !== known.sides.length) {
      this.seats = known.sides.map((_, index) => (index === 0 ? "human" : 2));
    }
    await this.begin(from);
  }

  /** Begins a game: from a position or record, if there is one. */
  async begin(from: { position?: string; record?: string } = {}): Promise<void> {
    this.seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
    this.ahead = [];
    this.branches = [];
    await this.opened(from);
  }

  /** Opens a game anew; `shown` is false where another position of it is shown at once. */
  private async opened(from: { position?: string; record?: string }, shown = true): Promise<void> {
    this.generation++;
    this.log = [];
    if (this.session !== undefined) await this.engine.ask("close", { session: this.session }).catch(() => {});
    this.session = undefined;
    this.viewer = this.firstViewer();
    const asked = { ...this.named(), seed: this.seed, wait: true, ...from, ...this.seen() };
    const status = await this.engine.ask<SessionStatus>("open", asked);
    this.session = status.session;
    if (shown) await this.show(status);
  }

  /** Makes something happen; what is refused is thrown, and nothing has happened then. */
  async apply(event: GameEvent): Promise<void> {
    if (this.session === undefined) return;
    const status = await this.engine.ask<SessionStatus>("apply", { session: this.session, events: [event], ...this.seen() });
    // What was taken back and is now gone on with otherwise stays a line of its own.
    const left = this.ahead[0];
    if (left) this.keep(left);
    this.ahead = [];
    const before = this.shown?.status.pending;
    if (before && before.kind !== "roll" && this.seat(before.player) === "human") this.log = [];
    await this.show(status);
  }

  /** Keeps a line of play, the newest first. */
  private keep(branch: Branch): void {
    this.branches = [branch, ...this.branches.filter((one) => one.record !== branch.record)].slice(0, BRANCHES);
  }

  /** The line that is being played, as one that can be gone back to. */
  private line(): Branch | undefined {
    const course = this.shown?.course;
    if (course?.record === undefined) return undefined;
    const last = course.turns.at(-1);
    return { record: course.record, events: course.deciders.length, text: last ? `${last.round}. ${this.side(last.side)} ${last.text}` : "", turns: course.turns };
  }

  /** Goes on with another line of play; this one is kept. */
  async goTo(branch: Branch): Promise<void> {
    const here = this.ahead[0] ?? this.line();
    await this.opened({ record: branch.record });
    this.branches = this.branches.filter((one) => one !== branch);
    if (here) this.keep(here);
    this.ahead = [];
    this.changed();
  }

  /** Lets the dice fall that are waited for. */
  async roll(): Promise<void> {
    await this.apply({ roll: [] });
  }

  /** Whether dice are waited for that fall by themselves: not where one looks back at a game. */
  private rollsNow(): boolean {
    const pending = this.shown?.status.pending;
    return this.ahead.length === 0 && pending?.kind === "roll" && (this.rollsAlone || this.seat(pending.player) !== "human");
  }

  /** Somebody else sits somewhere now. */
  async seated(): Promise<void> {
    this.changed();
    if (this.rollsNow()) await this.roll();
  }

  /** Lets dice fall by themselves, or no more. */
  async rollAlone(alone: boolean): Promise<void> {
    this.rollsAlone = alone;
    if (this.rollsNow()) await this.roll();
  }

  private async show(status: SessionStatus): Promise<void> {
    const generation = ++this.generation;
    this.log = [...this.log, ...(status.log ?? [])].slice(-LOG);
    const session = { session: status.session, ...this.seen() };
    const [picture, course] = await Promise.all([
      this.engine.ask<Picture>("draw", { ...session, flipped: this.flipped, letters: this.letters, steady: true }),
      // What was secret is none any more when the game is over.
      this.engine.ask<Course>("history", status.pending ? session : { session: status.session }),
    ]);
    if (generation !== this.generation) return;
    this.shown = { status, picture, course };
    this.changed();
    if (this.rollsNow()) await this.roll();
  }

  /** Shows the same anew, as after the board was turned. */
  async again(): Promise<void> {
    if (this.session === undefined) return;
    await this.show(await this.engine.ask<SessionStatus>("apply", { session: this.session, ...this.seen() }));
  }

  /** For whom answers are. */
  private seen(): { view?: Side } {
    return this.viewer === undefined ? {} : { view: this.viewer };
  }

  /** The first side that somebody at the screen plays. */
  private firstViewer(): Side {
    return SIDES[Math.max(0, this.seats.indexOf("human"))] ?? "first";
  }

  /** Whether the screen shows what belongs to somebody else than whoever at it is to decide. */
  handsOver(): Side | undefined {
    const pending = this.shown?.status.pending;
    if (!pending || pending.player === this.viewer || this.seat(pending.player) !== "human") return undefined;
    return this.secrets || pending.hidden ? pending.player : undefined;
  }

  /** Lets another side look. */
  async look(viewer: Side): Promise<void> {
    this.viewer = viewer;
    await this.again();
  }

  /** Whether something can be taken back, or made again. */
  get canUndo(): boolean {
    return this.lastDecision() !== undefined;
  }

  get canRedo(): boolean {
    return this.ahead.length > 0;
  }

  /** The number of the last event that somebody at the screen decided, or of the last decision if nobody sits there. */
  private lastDecision(): number | undefined {
    const deciders = this.shown?.course.deciders ?? [];
    const humans = this.seats.some((seat) => seat === "human");
    for (let event = deciders.length - 1; event >= 0; event--) {
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

  /** Takes back all events from this number on; `ahead` is what can be made again then. */
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

  /** All turns of the line of play at hand: those so far, and those that were taken back and can be made again. */
  get turns(): TurnText[] {
    return (this.ahead[0] ?? this.shown?.course)?.turns ?? [];
  }

  /** Whether turns can be gone to: where there are secrets, only what is taken back step by step. */
  get canGo(): boolean {
    return this.shown?.course.record !== undefined;
  }

  /** Goes to the position at the end of a turn. */
  async goToTurn(turn: TurnText): Promise<void> {
    const end = this.ahead[0] ?? this.line();
    if (!end) return;
    const isLast = turn === end.turns.at(-1);
    this.ahead = isLast ? [] : [end];
    if (isLast || turn.events > (this.shown?.course.deciders.length ?? 0)) await this.opened({ record: end.record }, isLast);
    if (!isLast) await this.backTo(turn.events, [end]);
  }

  /** Whether a game would be lost that somebody here has played in. */
  get isUnderWay(): boolean {
    const { status, course } = this.shown ?? {};
    return status?.pending != null && (course?.deciders.some((side) => side && this.seat(side) === "human") ?? false);
  }

  /** Who sits where a side sits. */
  seat(side: Side): Seat {
    return this.seats[SIDES.indexOf(side)] ?? "human";
  }

  /** The name of a side. */
  side(side: Side): string {
    return this.sides[SIDES.indexOf(side)] ?? side;
  }

  /** The game as the text of a test of its script, which has this name there. */
  async gameFile(title: string, script: string): Promise<string> {
    if (this.session === undefined) throw new Error("no game is open");
    return (await this.engine.ask<{ text: string }>("game_file", { session: this.session, title, script })).text;
  }

  /** The position to ask another engine about: in the middle of a turn with all that belongs to it. */
  async position(): Promise<string> {
    if (this.session === undefined) throw new Error("no game is open");
    const status = await this.engine.ask<SessionStatus>("apply", { session: this.session });
    return status.resume ?? status.position;
  }
}

/** Whether an error is the service's refusal. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}
