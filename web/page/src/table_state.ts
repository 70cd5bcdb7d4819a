// The types of the game at the board: its script, its players, and what is kept to continue it. It contains no code.

import type { Course, LogKind, Picture, SessionStatus, Side, TurnText } from "./protocol";

/** The player of a side: a person at the screen, the computer at a level, or a trained player. */
export type Seat = "human" | number | "learned" | "learned:2";

/** The script: a bundled game, or a user's script. */
export interface Script {
  /** Its name in requests. */
  variant: string;
  /** The text of a user's script. */
  text?: string;
}

/** A game so far: what is needed to continue it later. */
export interface TableState {
  options: Record<string, string>;
  seats: Seat[];
  rollsAlone: boolean;
  /** The seed of dice that are not rolled yet. */
  seed: number;
  flipped: boolean;
  viewer: Side | undefined;
  /** The complete record, including the secrets of all sides. */
  record: string | undefined;
  ahead: Branch[];
  branches: Branch[];
  links?: ByLinks | undefined;
}

/** How a game begins: as new, from a position or a record, or as it was left. */
export type Beginning = Partial<Omit<TableState, "options">> & { position?: string | undefined };

/** A variation that the user can go back to. */
export interface Branch {
  /** Its record. */
  record: string;
  /** The number of its events. */
  events: number;
  /** The text of its last turn. */
  text: string;
  /** All its turns. */
  turns: TurnText[];
}

/** A message of the rules. */
export interface LogLine {
  kind: LogKind | undefined;
  text: string;
}

/** Everything that is visible of a game. */
export interface Shown {
  status: SessionStatus;
  picture: Picture;
  course: Course;
}

/** What a game by links allows at this screen. */
export interface ByLinks {
  id: string;
  /** The number of links so far. */
  count: number;
  /** The number of events in them, which cannot be taken back. */
  fixed: number;
  /** The side of this screen; undefined if it only watches. */
  side: Side | undefined;
  /** Whether this screen has the turn; otherwise, it waits for a link. */
  isOurs: boolean;
  /** Whether both secrets for a roll are known. */
  canRoll: boolean;
}
