// The types of the service's responses, as described in docs/serve.md: only the parts that the page uses.

/** A side, by its place in turn order. */
export const SIDES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"] as const;
export type Side = (typeof SIDES)[number];

export interface OptionDef {
  name: string;
  values: string[];
  default: string;
  label: string;
  group: string;
  why: string;
}

export interface ListedVariant {
  name: string;
  title: string;
  about?: string;
  options: OptionDef[];
  error?: string;
}

export type Pending =
  | { kind: "roll"; player: Side; dice: string; draws_from?: number; faces?: number[][]; squares?: string[]; moves?: string[]; hidden?: boolean }
  | { kind: "move"; player: Side; question?: string; options?: string[]; choices?: string[]; names?: boolean; pass?: boolean; squares?: string[]; hidden?: boolean }
  | { kind: "choice"; player: Side; question?: string; options?: string[]; pass?: boolean; squares?: string[]; hidden?: boolean };

interface Played {
  position: string;
  state: { over: boolean; winner: Side | null; reason: string | null; result?: string };
  pending: Pending | null;
  resume?: string;
  log?: string[];
  log_kinds?: LogKind[];
}

/** What a line of the log is about. */
export type LogKind = "label" | "failed" | "made" | "lost" | "ended" | "rerolled" | "secret";

export interface SessionStatus extends Played {
  session: number;
  rolled?: (number[] | null)[];
}

export interface Square {
  name: string;
  label: string;
  /** The letters of its pieces, the topmost first. */
  pieces: string[];
  row: number;
  column: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Held {
  side: Side;
  drop: string;
  label: string;
  x: number;
  y: number;
  width: number;
}

export interface Picture {
  svg: string;
  width: number;
  height: number;
  cells: "square" | "hex";
  squares: Square[];
  held: Held[];
  /** The unused dice. */
  dice: number[];
  status: string;
  /** The pieces that each side has lost; no kinds if it is unknown which of them were promoted. */
  lost?: { side: Side; count: number; pieces: { kind: string; letter: string; count: number }[] }[];
  /** What only the viewer knows: the values of counters and traits. */
  secrets?: { name: string; values: { square?: string; value: number; text?: string }[] }[];
  beside: string[];
}

/** An event of a turn: faces, a move, a choice; or what the viewer does not see. */
export type TurnPart = { roll: string[] } | { move: string } | { choice: string } | "hidden" | "pass" | "lost";

/** The events of a side in a turn. */
export interface TurnText {
  round: number;
  side: Side;
  text: string;
  parts: TurnPart[];
  /** The number of events of the game up to its end. */
  events: number;
}

export interface Course {
  turns: TurnText[];
  deciders: (Side | null)[];
  record?: string;
}

/** A range of a text, in bytes, and its replacement. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

export interface Diagnostic {
  severity: "error" | "warning" | "note";
  code: string | null;
  message: string;
  help: string | null;
  line: number;
  column: number;
  span: { start: number; end: number } | null;
  fix: Change | null;
  /** A likely correction. */
  suggestion?: Change | null;
}

export interface LoadedScript {
  title: string;
  about: string;
  sides: string[];
  secrets: boolean;
  /** Whether players have secrets, choose in secret or roll in secret. */
  hides: boolean;
  options: OptionDef[];
  faces: { face: number; name: string }[];
}

export interface Outcome {
  probability: string;
  effect: string;
  position: string;
  /** Its value for the side that decides or rolls next, if a table has it. */
  value?: Bounds;
}

/** The lower and the upper bound of a value, in points. */
export type Bounds = [number, number];

/** The result of solving a game or an ending: all of it, too much of it, with bounds that do not meet, or not yet. */
export interface Solved {
  states: number;
  reached: "solved" | "full" | "still" | "stopped";
  widest: number | null;
}

/** The progress of training: what the player has learned from, its error, and its strength if that was measured. */
export interface Training {
  games: number;
  error: number;
  greedy: { won: number; games: number; low: number; high: number } | null;
}

/** What tables contain about a position: its value, and those with a piece on other squares. */
export interface KnownValue {
  /** The number of tables for its rules. */
  tables: number;
  value: { side: Side; bounds: Bounds } | null;
  squares?: SquareValue[];
}

/** The value with a piece on a square, its text in hundredths of a point, and its color. */
export interface SquareValue {
  square: string;
  value: number;
  text: string;
  color: string;
  /** Whether the piece is on this square. */
  isOwn?: boolean;
}

/** An event of a game. */
export type GameEvent = { roll: (number | string)[] } | { move: string; die?: number | number[] } | { choice: string };

/** A possible outcome of a move or a roll. */
export interface Chance {
  /** A fraction. */
  probability: string;
  text: string;
}

export interface Prospects {
  roll?: { dice: string; chances: Chance[] };
  decisions: { text: string; outcomes: Chance[]; danger: { probability: string } | null; lost: { probability: string } | null }[];
  left: number;
  goal: string;
}

export interface Captures {
  side: Side;
  squares: { square: string; probability: string }[];
  unknown: string[];
}

export interface Tested {
  games: { transcript?: string; error?: string; diff: string }[];
  coverage: { first: number; last: number; what: string }[];
}

export interface Examined {
  games: number;
  complete: boolean;
  report: string;
  failure?: string;
  game?: string;
}

/** An event of an analyzed game: a roll with its luck, or a decision with its error. */
export interface JudgedEvent {
  /** Its number, from 1. */
  event: number;
  round: number;
  side: string;
  text: string;
  before: number;
  after: number;
  luck?: number;
  error?: number;
  better?: string | null;
}

export interface GameAnalysis {
  /** Chances from 0 to 1, or half points if the rules award points. */
  unit: "winning chance" | "half points";
  totals: { side: string; rolls: number; luck: number; decisions: number; error: number }[];
  not_evaluated: number;
  curve: number[];
  events: JudgedEvent[];
}

/** A share with its 95% interval. */
export interface Share {
  count: number;
  share: number;
  low: number;
  high: number;
}

/** The numbers of turns or moves of many games. */
export interface Lengths {
  mean: number;
  median: number;
  p05: number;
  p95: number;
  max: number;
  /** Ranges of lengths, each with its least length and its number of games. */
  histogram: { width: number; ranges: [number, number][] };
}

export interface SimulationReport {
  games: number;
  results: Record<string, Share>;
  reasons: Record<string, number>;
  length: { plies: Lengths; turns: Lengths };
  turns: { shares: Record<string, { value: number; low: number; high: number }> };
  branching: { median: number; p95: number } | null;
  luck: { share: { value: number; low: number; high: number } | null } | null;
}

/** A game as a test. */
export interface GameTest {
  name: string;
  /** The text of the `.game` file. */
  text: string;
  /** The accepted result; empty if none has been accepted. */
  accepted: string;
  /** Why its file cannot be read. */
  error?: string;
}
