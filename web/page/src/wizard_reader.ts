// Reads the wizard's answers back from a script, even if it was changed by hand. What the wizard would write from these
// answers is compared with the script: parts of its own that differ are named, and parts that it does not know are kept. It
// uses no engine, and it does not run anything: it only compares texts.

import { type Face, type Mirror, type WizardGame, type WizardPiece, DICE_FACES, FILES, PIECES, RANKS, emptyGame, follow, nearest, squareName } from "./wizard_game";
import { fen, writeScript } from "./wizard_script";

/** The answers in a script. */
interface Taken {
  game: WizardGame;
  /** What the wizard would change: each with its lines. */
  changes: string[];
}

/** A part of a script: a statement, a function, or a comment. */
interface Part {
  text: string;
  /** The text without blanks outside of strings, and without comments. */
  code: string;
  first: number;
  last: number;
  /** The name that it declares or calls. */
  name: string;
}

/** The maximum length of a script that is read, in characters: more than the wizard ever writes. */
const MOST = 50_000;

/** The names of the parts that the wizard writes. */
const OWN = new Set(["title", "symmetric", "board", "sides", "piece", "setup", "royals", "die_faces", "PIECE", "DIE", "turn", "permit", "shown_by", "capture", "outcome"]);

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|\s+|[\s\S]/g;

/** The statements, functions and comments of a script, in order. */
function partsOf(script: string): Part[] {
  const parts: Part[] = [];
  let [text, code, depth, line, first] = ["", "", 0, 1, 1];
  const end = () => {
    const [, declared, called] = /^(?:(?:fn|const|let)\s+(\w+)|(\w+))/.exec(text) ?? [];
    if (code) parts.push({ text, code, first, last: line, name: declared ?? called ?? "" });
    [text, code] = ["", ""];
  };
  for (const [token] of script.matchAll(TOKEN)) {
    const isComment = /^\/[/*]/.test(token);
    if (!text && !token.trim()) {
      line += token.split("\n").length - 1;
      continue;
    }
    if (!text) first = line;
    if (isComment && !code) {
      const before = parts.at(-1);
      // Lines of a comment belong together.
      if (before && !before.code && before.last === line - 1) Object.assign(before, { text: `${before.text}\n${token}`, last: line });
      else parts.push({ text: token, code: "", first: line, last: line, name: "" });
      line += token.split("\n").length - 1;
      continue;
    }
    text += token;
    line += token.split("\n").length - 1;
    if (!isComment && token.trim()) code += token;
    if (/^[{([]$/.test(token)) depth++;
    if (/^[})\]]$/.test(token)) depth--;
    if (depth === 0 && (token === ";" || (token === "}" && /^fn/.test(code)))) end();
  }
  end();
  return parts;
}

/** The value of a literal: strings, numbers, booleans, lists and maps; undefined if it is something else. */
function literal(code: string): unknown {
  // The same in JSON: maps have no sign before them, and their keys have quotes.
  const json = code.replace(/"(?:\\.|[^"\\])*"|#\{|([A-Za-z_]\w*):|,(?=[\]}])/g, (found, key) => (found === "#{" ? "{" : found === "," ? "" : key ? `"${key}":` : found));
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The arguments of a call, if they are literals. */
const argumentsOf = (part: Part | undefined): unknown[] => (literal(`[${/^\w+\((.*)\);?$/s.exec(part?.code ?? "")?.[1] ?? ""}]`) as unknown[] | undefined) ?? [];

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** The answers in a script; undefined if it is no script of the wizard's kind. */
export function readScript(script: string): Taken | undefined {
  if (script.length > MOST) return undefined;
  const parts = partsOf(script);
  const named = (name: string) => parts.find((part) => part.name === name);
  const game = emptyGame();
  const hasBoard = readBoard(game, argumentsOf(named("board")));
  const pieces = parts.filter((part) => part.name === "piece").map((part, index) => ({ part, piece: readPiece(argumentsOf(part), index + 1) }));
  if (!hasBoard || pieces.length === 0 || pieces.length > PIECES || pieces.some(({ piece }) => !piece)) return undefined;
  game.pieces = pieces.flatMap(({ piece }) => piece ?? []);
  for (const { part, piece } of pieces) if (piece) piece.promotes = promotions(game, argumentsOf(part)[3]);
  const [title] = argumentsOf(named("title"));
  if (isText(title)) game.title = title;
  const [sides] = argumentsOf(named("sides"));
  if (isTexts(sides) && sides.length === 2) game.sides = [sides[0] ?? "", sides[1] ?? ""];
  const [setup] = argumentsOf(named("setup"));
  if (isText(setup)) readSetup(game, setup);
  const code = (name: string) => named(name)?.code ?? "";
  readDice(game, code("turn"), code("permit"), code("shown_by"), code("PIECE"));
  readContest(game, code("capture"), code("DIE"));
  readOutcome(game, code("outcome"), pieces.findIndex(({ part }) => /royal:true/.test(part.code)));
  return compared(game, parts);
}

/** Compares a script with what the wizard would write, and adds the parts that the wizard keeps. */
function compared(game: WizardGame, parts: Part[]): Taken | undefined {
  const written = partsOf(writeScript(game));
  const codes = (all: Part[]) => new Set(all.map((part) => part.code).filter(Boolean));
  const [before, after] = [codes(parts), codes(written)];
  const known = (part: Part) => after.has(part.code);
  // A script whose turn and end are both unlike anything that the wizard writes is of another kind.
  if (!parts.some((part) => (part.name === "turn" || part.name === "outcome") && known(part))) return undefined;
  const kept = new Set<Part>();
  parts.forEach((part, at) => {
    if (!part.code || OWN.has(part.name)) return;
    kept.add(part);
    const above = parts[at - 1];
    if (above && !above.code && above.last === part.first - 1) kept.add(above);
    const beside = parts[at + 1];
    if (beside && !beside.code && beside.first === part.last) kept.add(beside);
  });
  const extra = parts.filter((part) => kept.has(part));
  const gap = ({ first }: Part, before: Part | undefined) => (!before ? "" : first === before.last ? " " : first === before.last + 1 ? "\n" : "\n\n");
  if (extra.length > 0) game.extra = extra.map((part, at) => gap(part, extra[at - 1]) + part.text).join("");
  const lines = ({ first, last }: Part) => (first === last ? `line ${first}` : `lines ${first} to ${last}`);
  const lost = parts.filter((part) => part.code && OWN.has(part.name) && !known(part));
  const gone = new Set(lost.map((part) => part.name));
  const added = written.filter((part) => part.code && !before.has(part.code) && !gone.has(part.name));
  const said = (all: Part[]) => new Set(all.flatMap((part) => comments(part)));
  const [old, next] = [said(parts.filter((part) => !kept.has(part))), said(written)];
  const rewritten = parts.filter((part) => !kept.has(part) && !lost.includes(part) && comments(part).some((text) => old.has(text) && !next.has(text)));
  return {
    game,
    changes: [
      ...lost.map((part) => `replaces ${lines(part)}: ${part.name}`),
      ...added.map((part) => `adds ${part.name}`),
      ...(rewritten.length > 0 ? [`writes new comments: ${rewritten.map(lines).join(", ")}`] : []),
    ],
  };
}

/** The comments of a part, without their line breaks. */
function comments(part: Part): string[] {
  const found = part.code ? [...part.text.matchAll(TOKEN)].map(([token]) => token).filter((token) => /^\/[/*]/.test(token)) : [part.text];
  return found.map((text) => text.replace(/^\s*\/\/ ?/gm, "").replace(/\s+/g, " ").trim());
}

function readBoard(game: WizardGame, [files, ranks, look]: unknown[]): boolean {
  const { cells, points, hexagon } = (look ?? {}) as Record<string, unknown>;
  if (typeof files !== "number" || typeof ranks !== "number" || nearest(files, FILES) !== files || nearest(ranks, RANKS) !== ranks) return false;
  Object.assign(game, { files, ranks, cells: hexagon ? "hexagon" : cells === "hex" ? "hex" : points ? "points" : "square" });
  return true;
}

function readPiece([name, letter, betza, options]: unknown[], key: number): WizardPiece | undefined {
  if (!isText(name) || !isText(letter) || !isText(betza)) return undefined;
  const { glyphs } = (options ?? {}) as Record<string, unknown>;
  const [first, second] = isTexts(glyphs) ? glyphs : [];
  return { key, name, letter, betza, promotes: [], die: 6, ...(first && second && { glyphs: [first, second] }) };
}

/** The keys of pieces by their names. */
const keysOf = (game: WizardGame, names: unknown): number[] => {
  const all = isText(names) ? [names] : isTexts(names) ? names : [];
  return game.pieces.filter((piece) => all.includes(piece.name)).map((piece) => piece.key);
};

const promotions = (game: WizardGame, options: unknown): number[] => keysOf(game, ((options ?? {}) as Record<string, unknown>)["promotes"]);

/** The starting position, and how the second side follows from the first. */
function readSetup(game: WizardGame, position: string): void {
  const rows = position.split(" ")[0]?.split("/") ?? [];
  rows.forEach((row, at) => {
    let file = 0;
    for (const [sign] of row.matchAll(/\d+|[\s\S]/g)) {
      const piece = game.pieces.find((one) => one.letter === sign.toUpperCase());
      if (piece) game.array[squareName(file, rows.length - 1 - at)] = { side: sign === piece.letter ? 0 : 1, key: piece.key };
      file += /\d/.test(sign) ? Number(sign) : 1;
    }
  });
  const follows = (mirror: Mirror) => {
    const copy = { ...structuredClone(game), mirror };
    follow(copy);
    return fen(copy) === fen(game);
  };
  game.mirror = (["mirrored", "turned"] as const).find(follows) ?? "apart";
}

function readDice(game: WizardGame, turn: string, permit: string, shown: string, names: string): void {
  const { dice } = game;
  const [, count, faces] = /"(\d)d(\d+)"/.exec(turn) ?? [];
  dice.count = Number(count ?? 0);
  if (!faces || nearest(Number(faces), DICE_FACES) !== Number(faces)) return;
  dice.moves = turn.includes("play_each(") ? "each" : "one";
  dice.stuck = turn.includes("roll_playable(") ? "again" : turn.includes(".or_else(any())") ? "any" : "lost";
  dice.alike = permit.includes("returnany()");
  const table = shown || permit;
  const kinds = literal(/=(.*);$/.exec(names)?.[1] ?? "");
  const face = (what: string): Face => {
    if (what === "any()") return { lets: "any" };
    if (what === "nothing()") return { lets: "nothing" };
    return { lets: "pieces", keys: keysOf(game, literal(/^pieces\((.*)\)$/.exec(what)?.[1] ?? "")) };
  };
  const cases = [...table.matchAll(/([\d|]+|_)=>(any\(\)|nothing\(\)|pieces\([^)]*\))/g)];
  const only = /\{(any\(\)|nothing\(\)|pieces\([^)]*\))\}$/.exec(table)?.[1];
  const what = (number: number) => cases.find(([, numbers = ""]) => numbers === "_" || numbers.split("|").includes(String(number)))?.[2] ?? only ?? "any()";
  dice.faces = Array.from({ length: Number(faces) }, (_, at) => (isTexts(kinds) && table.includes("PIECE[") ? { lets: "pieces", keys: keysOf(game, kinds[at]) } : face(what(at + 1))));
}

function readContest(game: WizardGame, capture: string, dice: string): void {
  const { contest } = game;
  if (!capture) return;
  const die = /cast\("2d(\d+)"\)/.exec(capture)?.[1];
  contest.kind = die ? "same" : "own";
  contest.die = Number(die ?? contest.die);
  contest.beaten = capture.includes("repel(") ? "captured" : "stays";
  contest.tie = capture.includes(">=") ? "attacker" : capture.includes("elseif") || contest.beaten === "stays" ? "nothing" : "defender";
  const own = (literal(/=(.*);$/.exec(dice)?.[1] ?? "") ?? {}) as Record<string, unknown>;
  for (const piece of game.pieces) piece.die = Number(/^1d(\d+)$/.exec(String(own[piece.name]))?.[1] ?? piece.die);
}

function readOutcome(game: WizardGame, outcome: string, royal: number): void {
  const { aim } = game;
  const [, limit] = /clock_reached\((\d+)\)/.exec(outcome) ?? [];
  if (limit) aim.limit = Number(limit);
  const [, runner] = /squares_of\(mover\(\),("[^"]*")\)&region\("far rank"\)/.exec(outcome) ?? [];
  const [, count] = />=(\d+)\{returnwin/.exec(outcome) ?? [];
  if (runner) {
    Object.assign(aim, { kind: count ? "race" : "far rank", key: keysOf(game, literal(runner))[0] });
    if (count) aim.count = Number(count);
  } else if (royal >= 0) {
    Object.assign(aim, { kind: outcome.includes("mated(") ? "checkmate" : "royal", key: game.pieces[royal]?.key });
  }
}
