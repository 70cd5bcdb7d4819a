// The page's text about a game, in the words of players: the side to move, the next event, and why a turn was lost.

import { capital, listed, paired } from "./lists";
import { SIDES } from "./protocol";
import type { Course, Pending, Picture, Side, TurnPart, TurnText } from "./protocol";
import type { LogLine, Table } from "./table";

const NUMBERS = ["no", "a", "two", "three", "four", "five", "six", "seven", "eight"];
/** How many short texts are listed. */
const FEW = 4;

/** A side as the subject of a sentence: a side named only by its ordinal gets the word `player`. */
function who(table: Table, side: Side): string {
  const name = table.side(side);
  return SIDES.some((side) => side === name.toLowerCase()) ? `${name} player` : name;
}

/** Dice in everyday words: `two dice`, `a four-sided die`, `four dice (plain or marked)`. */
export function diceWords(pending: Pending & { kind: "roll" }, names: Map<number, string>): string {
  const faces = pending.faces ?? [];
  const kinds = new Map<string, number>();
  for (const die of faces) kinds.set(die.join(), (kinds.get(die.join()) ?? 0) + 1);
  const kind = ([key, count]: [string, number]) => {
    const all = [...new Set(key.split(",").map(Number))];
    const counted = all.length === key.split(",").length && all.every((face, i) => face === i + 1);
    const sort = counted && all.length !== 6 ? `${NUMBERS[all.length] ?? all.length}-sided ` : "";
    const words = all.map((face) => names.get(face));
    const marks = words.every(Boolean) && !counted ? ` (${listed(words as string[], "or")})` : counted ? "" : ` with ${listed(all, "or")}`;
    const number = count === 1 && /^(8|11|18|eight)/.test(sort) ? "an" : (NUMBERS[count] ?? count);
    return `${number} ${sort}${count === 1 ? "die" : "dice"}${marks}`;
  };
  return kinds.size > 0 ? listed([...kinds].map(kind)) : "the dice";
}

/** Rolled faces by their names: `king twice`, `3 and 5`. */
function facesWords(faces: string[], names: Map<number, string>): string {
  const words = faces.map((face) => names.get(Number(face)) ?? face);
  const [first] = words;
  return words.length === 2 && first === words[1] ? `${first} twice` : listed(words);
}

/** The rolls of a turn that may be seen. */
export const rollsOf = (turn: TurnText): string[][] => turn.parts.flatMap((part) => (typeof part === "object" && "roll" in part ? [part.roll] : []));

/**
 * The dice of a turn, used or not; `left` are the unused ones. Usually these are the dice of its last roll. Several rolls
 * can be played together, such as the first two in backgammon: in `[6] [3] 24/18`, 3 is left. Dice rolled before the turn
 * are not among its events, and a die may count more than once: then only the unused ones are known.
 */
export function diceOf(turn: TurnText, left: number[]): string[] | undefined {
  const rolls = rollsOf(turn);
  const last = rolls.at(-1);
  if (left.length === 0) return last;
  const { parts } = turn;
  // If a move or a choice follows a roll, one of its dice has been used.
  const most = parts.some((part, at) => at > 0 && !isRoll(part) && part !== "hidden" && isRoll(parts[at - 1])) ? 1 : 0;
  return [last ?? [], rolls.flat()].find((faces) => faces.length >= left.length + most && paired(left.map(String), faces).every(Boolean)) ?? left.map(String);
}

const isRoll = (part: TurnPart | undefined): boolean => typeof part === "object" && "roll" in part;

export const isLost = (turn: TurnText): boolean => turn.parts.at(-1) === "lost";

/** The turns lost at the end of the game so far, at most three. */
export function lostTurns(table: Table): TurnText[] {
  const turns = table.shown?.course.turns ?? [];
  const kept = turns.findLastIndex((turn) => !isLost(turn));
  return turns.slice(Math.max(kept + 1, turns.length - 3));
}

/** The last move, if it was followed by rolls alone: a contest. */
function contested(turn: TurnText | undefined): string | undefined {
  const at = turn?.parts.findLastIndex((part) => !isRoll(part)) ?? -1;
  const part = turn?.parts[at];
  return typeof part === "object" && "move" in part && at < (turn?.parts.length ?? 0) - 1 ? part.move : undefined;
}

/** The longest text that counts as a name of a contest's result, in characters. */
const SHORT = 24;

const sentence = (text: string): string => `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}`;

/** The automatic events: lost turns with their reasons, and messages of the rules. */
export function happened(table: Table): string {
  const lost = lostTurns(table).map((turn) => {
    const roll = rollsOf(turn).at(-1);
    return `${who(table, turn.side)} ${roll ? `rolled ${facesWords(roll, table.faces)} and ` : ""}has no move: the turn is lost.`;
  });
  const log = table.log.filter(({ kind }) => kind !== "lost");
  // If the rules describe the failed capture in their own words, the standard message is left out.
  const own = log.filter(({ kind }) => log.length === 1 || kind !== "failed");
  // A message about a move with a contest roll is joined with that roll.
  const move = contested(table.shown?.course.turns.at(-1));
  const joined = ({ kind, text }: LogLine) => (move && kind === "label" && text.length <= SHORT && !/[.!?]/.test(text) ? `${move}: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text);
  return [...new Set([...lost, ...own.map(joined).map(sentence)])].join(" ");
}

/** What only the viewer knows, in words: `nature on b1, c1; dice 0, 1`. */
function secrets(all: NonNullable<Picture["secrets"]>): string {
  const one = ({ name, values }: (typeof all)[number]) => {
    if (values.every(({ square }) => square === undefined)) return [`${name} ${values.map(({ value }) => value).join(", ")}`];
    const squares = new Map<string, string[]>();
    for (const { square, value, text } of values) {
      const named = text === undefined ? `${name}${value === 1 ? "" : ` ${value}`}` : `${name} ${text}`;
      if (square !== undefined && (value !== 0 || text !== undefined)) squares.set(named, [...(squares.get(named) ?? []), square]);
    }
    return [...squares].map(([named, on]) => `${named} on ${listed(on)}`);
  };
  return all.flatMap(one).join("; ");
}

function choice(options: string[], squares: Set<string>): string {
  if (options.length > 0 && options.every((option) => squares.has(option))) return "a square";
  if (options.length > FEW && options.every((option) => /^-?\d+$/.test(option))) {
    const all = options.map(Number);
    return `a number from ${Math.min(...all)} to ${Math.max(...all)}`;
  }
  return options.length > FEW ? "" : listed(options, "or");
}

/** The side to move and the next event, or how the game ended. */
export function awaited(table: Table): { line: string; secret: string } {
  const shown = table.shown;
  if (!shown) return { line: "This script cannot be played yet", secret: "" };
  const { pending, state } = shown.status;
  const own = secrets(shown.picture.secrets ?? []);
  const secret = own && table.viewer ? `Only ${table.side(table.viewer)} knows: ${own}.` : "";
  if (!pending) return { line: state.result ?? "", secret };
  const side = who(table, pending.player);
  const computer = table.seat(pending.player) === "human" ? "" : " (the computer)";
  const squares = new Set(shown.picture.squares.map((square) => square.name));
  if (pending.kind === "roll") {
    const what = drawn(pending) ? `draw a ${pending.moves ? "move" : "square"}, one of ${drawn(pending)}` : `roll ${diceWords(pending, table.faces)}`;
    return { line: `${side} to ${what}${computer}`, secret };
  }
  const pass = pending.pass ? ", or pass" : "";
  const question = pending.question ? `${pending.question} ` : "";
  if (pending.kind === "choice") return { line: `${question}${side} to choose ${choice(pending.options ?? [], squares)}`.trim() + pass + computer, secret };
  const left = shown.picture.dice;
  const isPart = left.length > 0 && left.length < (lastDice(shown.course, left)?.length ?? 0);
  const dice = left.length === 0 ? "" : ` with ${facesWords(left.map(String), table.faces)}${isPart ? " left" : ""}`;
  const drops = pending.options?.length && pending.options.every((move) => move.includes("@"));
  const instead = pending.choices?.length ? `, or choose ${choice(pending.choices, squares)}`.trimEnd() : "";
  const what = pending.names ? `to name a move${dice}` : drops ? `to put down a piece${dice}` : `to move${dice}`;
  return { line: `${question}${side} ${what}${instead}${pass}${computer}`, secret };
}

/** The dice of the last turn. */
function lastDice({ turns }: Course, left: number[]): string[] | undefined {
  const last = turns.at(-1);
  return last && diceOf(last, left);
}

/** The number of squares or moves from which a roll draws one; 0 if dice are rolled. */
export const drawn = (pending: Pending): number => (pending.kind === "roll" ? (pending.draws_from ?? 0) : 0);

/** How many decisions of people come with advice. */
const ADVISED = 3;

/** What a user of this device does to a button. */
const press = () => (matchMedia("(pointer: coarse)").matches ? "tap" : "click");

/** What to do now, for people who have made few decisions in this game. */
export function advice(table: Table): string {
  const { status, course, picture } = table.shown ?? {};
  const pending = status?.pending;
  const decided = course?.deciders.filter((side) => side && table.seat(side) === "human").length ?? 0;
  if (!pending || decided >= ADVISED || table.handsOver()) return "";
  if (pending.kind === "roll") return table.rollsAlone || table.seat(pending.player) !== "human" ? "" : `Your turn: ${press()} ${drawn(pending) ? "Draw" : "Roll"}.`;
  if (table.seat(pending.player) !== "human") return "";
  const squares = new Set(picture?.squares.map((square) => square.name));
  const choices = (pending.kind === "move" ? pending.choices : pending.options) ?? [];
  if (pending.kind === "move" && pending.options?.length) return `Your turn: ${press()} a highlighted piece, then a marked square.`;
  return choices.some((text) => squares.has(text)) ? `Your turn: ${press()} a marked square.` : "Your turn: choose an answer below.";
}
