// A game as answered in the wizard: plain data, and checks for choices that would break the game. It knows neither the form
// nor the generated script. Pieces have their own keys, so that they can be renamed.

/** The cells of the board: squares, points where lines cross, hexagons, or hexagons that form a regular hexagon. */
export type Cells = "square" | "points" | "hex" | "hexagon";

/** How the second side's starting position follows from the first's: mirrored rank by rank, rotated by half a turn, or
 * independent. */
export type Mirror = "mirrored" | "turned" | "apart";

export interface WizardPiece {
  /** The key that the rest of the game uses; never shown. */
  key: number;
  name: string;
  letter: string;
  betza: string;
  glyphs?: [string, string];
  /** Keys of the pieces that it can promote to on the far rank; empty if it does not promote. */
  promotes: number[];
  /** The faces of its die, if each kind has its own. */
  die: number;
}

/** What a face permits to move: these pieces, any piece, or nothing. */
export type Face = { lets: "any" } | { lets: "nothing" } | { lets: "pieces"; keys: number[] };

export type Aim = "royal" | "checkmate" | "far rank" | "race" | "all";

export interface Standing {
  /** 0 is the first side. */
  side: 0 | 1;
  key: number;
}

export interface WizardGame {
  title: string;
  cells: Cells;
  files: number;
  ranks: number;
  sides: [string, string];
  pieces: WizardPiece[];
  /** The pieces of the starting position, by square name. */
  array: Record<string, Standing>;
  mirror: Mirror;
  dice: {
    /** The number of dice; 0 for a game without dice. */
    count: number;
    /** What each face permits to move, from face 1 on. */
    faces: Face[];
    /** Whether a roll gives one move of a piece shown, or each die one move. */
    moves: "one" | "each";
    /** Whether any piece may move if all dice are equal. */
    alike: boolean;
    /** What happens if no shown piece can move. */
    stuck: "lost" | "any" | "again";
  };
  contest: {
    kind: "none" | "same" | "own";
    /** The faces of the die that both sides roll. */
    die: number;
    tie: "attacker" | "defender" | "nothing";
    /** What happens to an attacker that rolls lower. */
    beaten: "captured" | "stays";
  };
  aim: {
    kind: Aim;
    /** The piece that must be captured or mated, or that races. */
    key: number | undefined;
    /** How many pieces must arrive in a race. */
    count: number;
    /** The game is drawn after this many plies without a capture. */
    limit: number;
  };
  /** Parts that the author has added to the script by hand: they are kept as they are. */
  extra?: string;
}

/** The steps of the wizard. */
export type Step = "board" | "pieces" | "array" | "dice" | "captures" | "end";

/** An invalid choice, reported at its field. */
export interface Problem {
  step: Step;
  field: string;
  text: string;
}

export const DICE_FACES = { least: 2, most: 20 };
/** A regular hexagon has an odd number of hexagons from corner to corner. */
export const ACROSS = { least: 5, most: 15 };
export const FILES = { least: 1, most: 16 };
export const RANKS = { least: 2, most: 16 };
export const DICE = { least: 0, most: 5 };
export const LIMIT = { least: 10, most: 1000 };
export const PIECES = 20;

/** The most outcomes of a roll, and of a roll that can be repeated. */
const OUTCOMES = { once: 1_000_000, again: 10_000 };

/** A game without any answers. */
export function emptyGame(): WizardGame {
  return {
    title: "My game",
    cells: "square",
    files: 8,
    ranks: 8,
    sides: ["White", "Black"],
    pieces: [],
    array: {},
    mirror: "mirrored",
    dice: { count: 1, faces: Array.from({ length: 6 }, () => ({ lets: "any" })), moves: "one", alike: false, stuck: "lost" },
    contest: { kind: "none", die: 6, tie: "defender", beaten: "captured" },
    aim: { kind: "all", key: undefined, count: 2, limit: 100 },
  };
}

/** Who wins a tie: if a beaten attacker stays where it was, a win of the defender changes nothing. */
export function tieOf({ tie, beaten }: WizardGame["contest"]): WizardGame["contest"]["tie"] {
  return tie === "defender" && beaten === "stays" ? "nothing" : tie;
}

/** The name of a square: file and rank from 0. */
export function squareName(file: number, rank: number): string {
  return `${String.fromCharCode(97 + file)}${rank + 1}`;
}

/** File and rank of a square, from 0. */
export function placeOf(square: string): { file: number; rank: number } {
  return { file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 };
}

type Shape = Pick<WizardGame, "files" | "ranks" | "cells">;

/** Whether its cells are hexagons. */
export function isHex({ cells }: Pick<WizardGame, "cells">): boolean {
  return cells === "hex" || cells === "hexagon";
}

/** Whether a square exists: a regular hexagon leaves two corners of its bounding parallelogram empty. */
export function isSquare({ files, ranks, cells }: Shape, file: number, rank: number): boolean {
  if (file < 0 || rank < 0 || file >= files || rank >= ranks) return false;
  const middle = (files - 1) / 2;
  return cells !== "hexagon" || Math.abs(file - rank) <= middle;
}

/** Whether no square is ahead: a side's way ends there. */
function isFar(shape: Shape, square: string, side: 0 | 1): boolean {
  const { file, rank } = placeOf(square);
  return !isSquare(shape, file, side === 0 ? rank + 1 : rank - 1);
}

/** The nearest valid size of a board while the user types its size. */
export function sizeOf({ files, ranks, cells }: Shape): { files: number; ranks: number; cells: Cells } {
  if (cells !== "hexagon") return { files: nearest(files, FILES), ranks: nearest(ranks, RANKS), cells };
  const across = nearest(files, ACROSS);
  const odd = across % 2 === 0 ? across - 1 : across;
  return { files: odd, ranks: odd, cells };
}

/** How the second side follows: in a slanted parallelogram, hexagons have no mirror image across the middle. */
export function mirrorOf(game: Pick<WizardGame, "cells" | "mirror">): Mirror {
  return game.cells === "hex" && game.mirror === "mirrored" ? "turned" : game.mirror;
}

/** The other side's square that corresponds to a square. */
export function image(game: WizardGame, square: string): string {
  const { file, rank } = placeOf(square);
  if (mirrorOf(game) === "turned") return squareName(game.files - 1 - file, game.ranks - 1 - rank);
  // Files of a hexagon begin higher, the farther they are from the first.
  return squareName(file, (game.cells === "hexagon" ? file + (game.files - 1) / 2 : game.ranks - 1) - rank);
}

/** Copies the first side's pieces to the second side, if it follows the first. */
export function follow(game: WizardGame): void {
  trim(game);
  if (game.mirror === "apart") return;
  const first = standing(game, 0).map((square) => [square, game.array[square]] as const);
  game.array = {};
  for (const [square, one] of first) stand(game, square, one);
}

/** Puts a piece on a square, or removes the one there; the other side's follows. */
export function stand(game: WizardGame, square: string, standing: Standing | undefined): void {
  const put = (at: string, what: Standing | undefined) => {
    if (what) game.array[at] = what;
    else delete game.array[at];
  };
  const other = image(game, square);
  if (game.mirror !== "apart" && other !== square) put(other, standing && { side: standing.side === 0 ? 1 : 0, key: standing.key });
  // A square in the middle is its own image, so neither side could have it alone.
  if (game.mirror === "apart" || other !== square) put(square, standing);
}

/** Removes pieces that are no longer on the board. */
export function trim(game: WizardGame): void {
  for (const square of Object.keys(game.array)) {
    const { file, rank } = placeOf(square);
    const known = game.pieces.some((piece) => piece.key === game.array[square]?.key);
    if (!isSquare(game, file, rank) || !known) delete game.array[square];
  }
}

/** Removes a piece from all parts of the game. */
export function forget(game: WizardGame, key: number): void {
  game.pieces = game.pieces.filter((piece) => piece.key !== key);
  for (const piece of game.pieces) piece.promotes = piece.promotes.filter((other) => other !== key);
  for (const face of game.dice.faces) if (face.lets === "pieces") face.keys = face.keys.filter((other) => other !== key);
  if (game.aim.key === key) game.aim.key = undefined;
  trim(game);
}

/** The squares of pieces of a kind in the starting position. */
export function standing(game: WizardGame, side: 0 | 1, key?: number): string[] {
  const all = Object.entries(game.array);
  return all.filter(([, one]) => one.side === side && (key === undefined || one.key === key)).map(([square]) => square);
}

/** The piece that the end of the game depends on. */
export function aimedAt(game: WizardGame): WizardPiece | undefined {
  return game.pieces.find((piece) => piece.key === game.aim.key);
}

/** The pieces that a face permits to move. */
function shownBy(game: WizardGame, face: Face): WizardPiece[] {
  if (face.lets === "nothing") return [];
  return face.lets === "any" ? game.pieces : game.pieces.filter((piece) => face.keys.includes(piece.key));
}

/** Whether every part of a movement goes forward, so that a piece cannot move forever. On hexagons, two letters select a
 * direction (`fl`). */
export function onlyForward(game: Pick<WizardGame, "cells">, betza: string): boolean {
  return (isHex(game) ? /^([mceni]*(f[lrf]?)+[mceni]*[WFDANHG])+$/ : /^([mceni]*f+[mceni]*[WFDANCZH])+$/).test(betza);
}

/** Notes a problem. */
type Tell = (field: string, text: string) => void;

/** The problems that would break the game, in the order of the questions. */
export function problems(game: WizardGame): Problem[] {
  const found: Problem[] = [];
  const at = (step: Step): Tell => (field, text) => found.push({ step, field, text });
  ofBoard(game, at("board"));
  ofPieces(game, at("pieces"));
  ofArray(game, at("array"));
  ofDice(game, at("dice"));
  ofContest(game, at("captures"));
  ofEnd(game, at("end"));
  return found;
}

/** The nearest valid number while the user types one. */
export function nearest(n: number, { least, most }: { least: number; most: number }): number {
  return Math.max(least, Math.min(most, Math.trunc(n) || most));
}

const within = (n: number, { least, most }: { least: number; most: number }) => Number.isInteger(n) && n >= least && n <= most;

function ofBoard(game: WizardGame, tell: Tell): void {
  if (!game.title.trim()) tell("title", "A game needs a name.");
  else if (game.title.includes("${")) tell("title", "A name cannot contain ${, which has a special meaning in scripts.");
  if (game.cells === "hexagon") {
    const fits = within(game.files, ACROSS) && game.files % 2 === 1 && game.ranks === game.files;
    if (!fits) tell("files", "A hexagonal board is 5, 7, 9, 11, 13 or 15 hexagons wide.");
  } else if (!within(game.files, FILES)) tell("files", `A board has ${FILES.least} to ${FILES.most} files.`);
  if (game.cells !== "hexagon" && !within(game.ranks, RANKS)) tell("ranks", `A board has ${RANKS.least} to ${RANKS.most} ranks.`);
  game.sides.forEach((name, side) => {
    if (!/^\p{L}[\p{L}\p{N} '-]*$/u.test(name.trim())) tell(`side-${side}`, "A side's name starts with a letter, and contains only letters, digits, spaces, hyphens and apostrophes.");
  });
  if (game.sides[0].trim() === game.sides[1].trim()) tell("side-1", "The two sides need different names.");
}

function ofPieces(game: WizardGame, tell: Tell): void {
  if (game.pieces.length === 0) tell("palette", "A game needs pieces: add some from the palette, or a custom piece.");
  game.pieces.forEach((piece, index) => {
    const before = game.pieces.slice(0, index);
    const name = piece.name.trim();
    if (!name) tell(`name-${piece.key}`, "A piece needs a name.");
    else if (!/^\p{L}[\p{L}\p{N} '-]*$/u.test(name)) tell(`name-${piece.key}`, "A name starts with a letter, and contains only letters, digits, spaces, hyphens and apostrophes.");
    if (before.some((other) => other.name.trim() === name)) tell(`name-${piece.key}`, `Another piece has the name ${name}.`);
    if (!/^[A-Z]$/.test(piece.letter)) tell(`letter-${piece.key}`, "A piece needs a letter, A to Z.");
    const same = before.find((other) => other.letter === piece.letter);
    if (same) tell(`letter-${piece.key}`, `The ${same.name} already has this letter.`);
    if (!piece.betza.trim()) tell(`betza-${piece.key}`, "Write the movement in Betza notation, such as N or mfWcfF.");
  });
}

/** Whether a piece is in the starting position, or another one there can become it. */
function isMet(game: WizardGame, piece: WizardPiece): boolean {
  const met = new Set(Object.values(game.array).map((one) => one.key));
  for (let size = -1; size !== met.size; ) {
    size = met.size;
    for (const one of game.pieces) if (met.has(one.key)) one.promotes.forEach((key) => met.add(key));
  }
  return met.has(piece.key);
}

function ofArray(game: WizardGame, tell: Tell): void {
  const empty = ([0, 1] as const).filter((side) => standing(game, side).length === 0);
  if (empty.length === 0) {
    const unmet = game.pieces.filter((piece) => !isMet(game, piece));
    for (const { name } of unmet) tell("array", `The ${name} never appears on the board: place it, let another piece promote to it, or remove it.`);
  } else {
    tell("array", `${empty.length === 2 ? "No side has" : `${game.sides[empty[0] ?? 0]} does not have`} a piece on the board.`);
  }
}

function ofDice(game: WizardGame, tell: Tell): void {
  const { dice } = game;
  if (!within(dice.count, DICE)) tell("dice", `A game has ${DICE.least} to ${DICE.most} dice.`);
  if (dice.count === 0) return;
  if (!within(dice.faces.length, DICE_FACES)) tell("faces", `A die has ${DICE_FACES.least} to ${DICE_FACES.most} faces.`);
  const outcomes = dice.faces.length ** dice.count;
  if (outcomes > OUTCOMES.once) {
    tell("dice", `${dice.count} dice of ${dice.faces.length} faces have ${outcomes.toLocaleString("en")} outcomes, but at most 1,000,000 are possible. Choose fewer dice or faces.`);
  } else if (dice.moves === "one" && dice.stuck === "again" && outcomes > OUTCOMES.again) {
    tell("stuck", `Rerolls work with at most 10,000 outcomes, but these dice have ${outcomes.toLocaleString("en")}.`);
  }
  dice.faces.forEach((face, index) => {
    if (face.lets === "pieces" && face.keys.length === 0) tell(`face-${index}`, `Choose the pieces that move on a roll of ${index + 1}.`);
  });
  if (dice.faces.every((face) => face.lets === "nothing")) tell("face-0", "Every face loses the turn, so no player can ever move.");
  ofImmovable(game, tell);
}

/** A side that no face permits to move would never play. */
function ofImmovable(game: WizardGame, tell: Tell): void {
  const moved = new Set(game.dice.faces.flatMap((face) => shownBy(game, face)).map((piece) => piece.key));
  const free = game.dice.moves === "one" && (game.dice.stuck === "any" || (game.dice.count > 1 && game.dice.alike));
  const told = game.dice.faces.some((face) => face.lets === "pieces" && face.keys.length === 0);
  if (free || told || moved.size === 0) return;
  const side = ([0, 1] as const).find((side) => {
    const own = Object.values(game.array).filter((one) => one.side === side);
    return own.length > 0 && !own.some((one) => moved.has(one.key));
  });
  if (side !== undefined) tell("face-0", `No face lets ${game.sides[side]} move a piece.`);
}

function ofContest(game: WizardGame, tell: Tell): void {
  const { contest, aim } = game;
  if (contest.kind === "none") return;
  const wrong = (faces: number) => !within(faces, { least: 2, most: 100 });
  if (contest.kind === "same" && wrong(contest.die)) tell("contest-die", "A die has 2 to 100 faces.");
  if (contest.kind === "own") {
    for (const piece of game.pieces) if (wrong(piece.die)) tell(`contest-die-${piece.key}`, "A die has 2 to 100 faces.");
  }
  if (aim.kind === "checkmate") {
    tell("contest", "A capture that can fail does not answer check, so checkmate would mean nothing. Let every capture succeed, or let the game end with the capture of the royal piece.");
  }
}

function ofEnd(game: WizardGame, tell: Tell): void {
  const { aim } = game;
  if (!within(aim.limit, LIMIT)) tell("limit", `Choose a number from ${LIMIT.least} to ${LIMIT.most}; otherwise a game might never end.`);
  if (aim.kind === "all" || game.pieces.length === 0) return;
  const piece = aimedAt(game);
  if (!piece) return tell("aim-piece", aim.kind === "royal" || aim.kind === "checkmate" ? "Choose the royal piece." : "Choose the piece that must reach the far rank.");
  const counts = ([0, 1] as const).map((side) => standing(game, side, piece.key).length);
  const without = counts.findIndex((count) => count === 0);
  if (without >= 0) tell("aim-piece", `${game.sides[without]} has no ${piece.name} in the starting position.`);
  if (aim.kind === "checkmate" && counts.some((count) => count > 1)) {
    tell("aim-piece", `Checkmate needs exactly one ${piece.name} on each side. With several, let the game end when the last one is captured.`);
  }
  if (aim.kind === "far rank" || aim.kind === "race") ofRunners(game, piece, counts, tell);
  if (aim.kind === "royal" || aim.kind === "checkmate") {
    if (piece.promotes.length > 0) tell("aim-piece", `The ${piece.name} would become another piece on the far rank: remove its promotion.`);
    const maker = game.pieces.find((other) => other.promotes.includes(piece.key));
    if (maker && aim.kind === "checkmate") tell("aim-piece", `Promotion of the ${maker.name} can add another ${piece.name}, but checkmate needs exactly one on each side.`);
  }
}

function ofRunners(game: WizardGame, piece: WizardPiece, counts: number[], tell: Tell): void {
  if (piece.promotes.length > 0) tell("aim-piece", `The ${piece.name} becomes another piece on the far rank, so it can never arrive there: remove its promotion, or choose another piece.`);
  const least = Math.min(...counts);
  if (game.aim.kind === "race" && least > 0 && !within(game.aim.count, { least: 1, most: least })) {
    tell("aim-count", least === 1 ? `Each side has one ${piece.name}, so only one can arrive.` : `One side has only ${least} pieces named ${piece.name}: choose a number from 1 to ${least}.`);
  }
  const arrived = Object.entries(game.array).filter(([square, one]) => one.key === piece.key && isFar(game, square, one.side));
  if (arrived.length > 0) tell("aim-piece", `A ${piece.name} starts on its far rank (${arrived.map(([square]) => square).join(", ")}): move it.`);
  const moved = game.dice.count === 0 || game.dice.faces.some((face) => shownBy(game, face).includes(piece));
  const free = game.dice.moves === "one" && (game.dice.stuck === "any" || (game.dice.count > 1 && game.dice.alike));
  if (!moved && !free) tell("aim-piece", `No face lets the ${piece.name} move, so it can never arrive.`);
}
