// Writes a script from the wizard's answers, in the order and the words of a rulebook: the board, the pieces, what a roll
// permits, how captures are decided, who wins. It only turns data into text and uses no engine.

import { capital, listed } from "./lists";
import { type Face, type WizardGame, type WizardPiece, aimedAt, isHex, isSquare, onlyForward, squareName, standing, tieOf } from "./wizard_game";

/** The width of comments and lists. */
const WIDTH = 100;

/** A string literal of the script. */
const text = (words: string): string => `"${words.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** A name, or several as an array. */
const names = (pieces: WizardPiece[]): string => {
  const all = pieces.map((piece) => text(piece.name.trim()));
  return all.length === 1 ? String(all[0]) : `[${all.join(", ")}]`;
};

const a = (word: string): string => `${/^[aeiou]/i.test(word) ? "an" : "a"} ${word}`;

/** Lines of a comment. */
function comment(words: string): string {
  const lines: string[] = [];
  let line = "//";
  for (const word of words.split(/\s+/).filter(Boolean)) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "//";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}

const COUNTS = ["no", "one", "two", "three", "four", "five"];
const count = (n: number): string => COUNTS[n] ?? String(n);

/** The script of a game without problems. */
export function writeScript(game: WizardGame): string {
  const parts = [
    `${comment(`${game.title.trim().replace(/\.$/, "")}.`)}\n//\n${comment(summary(game))}`,
    [`title(${text(game.title.trim())});`, claim(game)].filter(Boolean).join("\n"),
    `// The board and its pieces.\n${boardAndMen(game)}`,
    table(game),
    turn(game),
    contest(game),
    outcome(game),
    game.extra,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** A script with only the board and its pieces, to be drawn. The pieces do not move, so that nothing is marked. */
export function writeBoard(game: WizardGame): string {
  const taken = new Set<string>();
  const pieces = game.pieces.filter((piece) => /^[A-Z]$/.test(piece.letter) && !taken.has(piece.letter) && taken.add(piece.letter));
  // A script needs at least one piece, even if the board is empty.
  const men = pieces.length === 0 ? ['piece("none", "X");'] : pieces.map((piece) => `piece("${piece.key}", ${text(piece.letter)}${piece.glyphs ? `, "", ${glyphs(piece)}` : ""});`);
  return [board(game), 'sides(["first", "second"]);', ...men, `setup(${text(fen({ ...game, pieces }))});`, "fn turn() { play(any()) }"].join("\n");
}

/** A script with one piece, to find out how it moves on a board of this size. */
export function writeOne(game: Pick<WizardGame, "files" | "ranks" | "cells">, piece: Pick<WizardPiece, "letter" | "betza" | "glyphs">): string {
  const letter = /^[A-Z]$/.test(piece.letter) ? piece.letter : "X";
  const options = glyphs(piece);
  // Moves that a piece only has at home are those of the second rank.
  const placement = rows(game, (_, rank) => (rank === 1 ? letter : undefined));
  return [
    board(game),
    `piece("piece", ${text(letter)}, ${text(piece.betza.trim())}${options ? `, ${options}` : ""});`,
    `setup("${placement} w");`,
    "fn turn() { play(any()) }",
  ].join("\n");
}

function board(game: Pick<WizardGame, "files" | "ranks" | "cells">): string {
  const how = { square: "", points: ", #{ points: true }", hex: ', #{ cells: "hex" }', hexagon: ', #{ cells: "hex", hexagon: true }' };
  return `board(${game.files}, ${game.ranks}${how[game.cells]});`;
}

/** A short summary of the game. */
export function summary(game: WizardGame): string {
  const { dice } = game;
  const said: string[] = [];
  if (dice.count === 0) said.push("The sides take turns, one move each.");
  else if (dice.moves === "one") said.push(`${dice.count === 1 ? "A die selects" : `${capital(count(dice.count))} dice select`} the pieces that can move.`);
  else said.push(dice.count === 1 ? "A die selects the piece that moves." : `${capital(count(dice.count))} dice are rolled, and each moves a piece that it shows.`);
  if (game.contest.kind !== "none") said.push("Captures are contests: attacker and defender roll for them.");
  said.push(`${capital(goal(game))}.`);
  return said.join(" ");
}

/** The winning condition. */
function goal(game: WizardGame): string {
  const piece = aimedAt(game);
  const name = piece?.name.trim() ?? "";
  switch (game.aim.kind) {
    case "royal":
      return `capturing the other side's ${hasSeveral(game) ? `last ${name}` : name} wins`;
    case "checkmate":
      return "checkmate wins";
    case "far rank":
      return `bringing ${a(name)} to the far rank wins`;
    case "race":
      return game.aim.count === 1 ? `the first side to bring ${a(name)} to the far rank wins` : `the first side with ${game.aim.count} pieces named ${name} on the far rank wins`;
    case "all":
      return "capturing all pieces of the other side wins";
  }
}

/** Whether there can be several of the piece that the end depends on. */
function hasSeveral(game: WizardGame): boolean {
  const key = game.aim.key;
  if (key === undefined) return false;
  return standing(game, 0, key).length > 1 || standing(game, 1, key).length > 1 || game.pieces.some((piece) => piece.promotes.includes(key));
}

/** The claim of symmetry, if the two sides mirror each other, which can be tested. */
function claim(game: WizardGame): string | undefined {
  if (game.pieces.some((piece) => /[lr]/.test(piece.betza))) return undefined;
  const entries = Object.entries(game.array);
  const follows = (turned: boolean) =>
    entries.every(([square, one]) => {
      const file = square.charCodeAt(0) - 97;
      const other = game.array[squareName(turned ? game.files - 1 - file : file, game.ranks - Number(square.slice(1)))];
      return other?.key === one.key && other.side !== one.side;
    });
  // The claim mirrors squares rank by rank, so it does not fit hexagons.
  if (!isHex(game) && follows(false)) return "symmetric();";
  return follows(true) ? 'symmetric("turned");' : undefined;
}

function glyphs(piece: Pick<WizardPiece, "glyphs">): string | undefined {
  return piece.glyphs && `#{ glyphs: [${piece.glyphs.map(text).join(", ")}] }`;
}

function boardAndMen(game: WizardGame): string {
  const wide = (of: (piece: WizardPiece) => string) => Math.max(...game.pieces.map((piece) => of(piece).length));
  const name = (piece: WizardPiece) => `${text(piece.name.trim())},`;
  const forward = game.pieces.filter((piece) => onlyForward(game, piece.betza.trim()));
  const lines = game.pieces.map((piece) => {
    const options = optionsOf(game, piece, forward);
    const given = [text(piece.letter), text(piece.betza.trim()), ...(options ? [options] : [])].join(", ");
    return `piece(${name(piece).padEnd(wide(name))} ${given});`;
  });
  const policy = game.aim.kind === "royal" ? [`${'royals("capturable");'.padEnd(40)} // no check: the ${aimedAt(game)?.name.trim()} is captured like other pieces`] : [];
  return [board(game), `sides([${game.sides.map((side) => text(side.trim())).join(", ")}]);`, ...lines, `setup(${text(fen(game))});`, ...policy].join("\n");
}

function optionsOf(game: WizardGame, piece: WizardPiece, forward: WizardPiece[]): string | undefined {
  const options: string[] = [];
  const isRoyal = (game.aim.kind === "royal" || game.aim.kind === "checkmate") && piece.key === game.aim.key;
  if (isRoyal) options.push("royal: true");
  const becomes = game.pieces.filter((other) => piece.promotes.includes(other.key));
  if (becomes.length > 0) options.push(`promotes: ${names(becomes)}`);
  // Its moves are irreversible, so they reset the counter for a draw.
  if (forward.includes(piece)) options.push(forward.indexOf(piece) === 0 ? "clock: true" : "clock: true, unlettered: false");
  if (piece.glyphs) options.push(`glyphs: [${piece.glyphs.map(text).join(", ")}]`);
  return options.length > 0 ? `#{ ${options.join(", ")} }` : undefined;
}

/** The squares as positions write them, with the letter of each piece. */
function rows(game: Pick<WizardGame, "files" | "ranks" | "cells">, letterOn: (file: number, rank: number) => string | undefined): string {
  const all: string[] = [];
  for (let rank = game.ranks - 1; rank >= 0; rank--) {
    let [row, empty] = ["", 0];
    for (let file = 0; file < game.files; file++) {
      const sign = isSquare(game, file, rank) ? letterOn(file, rank) : "*";
      if (sign === undefined) {
        empty++;
        continue;
      }
      row += `${empty || ""}${sign}`;
      empty = 0;
    }
    all.push(`${row}${empty || ""}`);
  }
  return all.join("/");
}

/** The starting position with the first side to move. */
export function fen(game: WizardGame): string {
  const letterOn = (file: number, rank: number) => {
    const one = game.array[squareName(file, rank)];
    const letter = one && game.pieces.find((piece) => piece.key === one.key)?.letter;
    return one?.side === 0 ? letter : letter?.toLowerCase();
  };
  return `${rows(game, letterOn)} w - - 0 1`;
}

/** The pieces of the faces, if each face stands for one piece: a list then describes them completely. */
function facesAreKinds(game: WizardGame): WizardPiece[] | undefined {
  const kinds = game.dice.faces.map((face) => (face.lets === "pieces" && face.keys.length === 1 ? game.pieces.find((piece) => piece.key === face.keys[0]) : undefined));
  return kinds.every((kind) => kind !== undefined) ? kinds : undefined;
}

/** The meaning of the faces, if a list describes it. */
function table(game: WizardGame): string | undefined {
  if (game.dice.count === 0) return undefined;
  const kinds = facesAreKinds(game);
  if (!kinds) return undefined;
  return `// The pieces that the faces of ${game.dice.count === 1 ? "the die" : "the dice"} stand for, from 1.\nconst PIECE = [${kinds.map((kind) => text(kind.name.trim())).join(", ")}];\ndie_faces(PIECE);`;
}

function turn(game: WizardGame): string {
  const { dice } = game;
  if (dice.count === 0) return "// A turn is one move of any piece.\nfn turn() { play(any()) }";
  const rolled = `${dice.count}d${dice.faces.length}`;
  if (dice.moves === "each" && dice.count > 1) {
    return `// Each die pays for one move, in any order; a die that cannot be used is lost.\nfn turn() { play_each(roll("${rolled}"), |die| permit(die)) }\n\n${faces(game, "permit")}`;
  }
  const what = dice.count === 1 ? "die" : "dice";
  const shown = dice.count === 1 ? "A roll, then one move that it permits" : "A roll, then one move that any of the dice permits";
  const body = {
    lost: [`let ${what} = roll("${rolled}");`, `play(permit(${what}))`],
    any: [`let ${what} = roll("${rolled}");`, `play(permit(${what}).or_else(any()))`],
    again: [`let ${what} = roll_playable("${rolled}", |${what}| permit(${what}));`, `if ${what} != () { play(permit(${what})); }`],
  }[dice.stuck];
  const ends = { lost: "without a move the turn is lost", any: "without a move any piece can move", again: "a roll without a move is rerolled" }[dice.stuck];
  return [`// ${shown}; ${ends}.\nfn turn() {\n${body.map((line) => `    ${line}`).join("\n")}\n}`, ...permits(game)].join("\n\n");
}

/** The functions that define what a roll permits. */
function permits(game: WizardGame): string[] {
  const { dice } = game;
  if (dice.count === 1) return [faces(game, "permit")];
  const alike = dice.alike ? [dice.count === 2 ? "    if dice[0] == dice[1] { return any(); }" : `    if dice.alike == ${dice.count} { return any(); }`] : [];
  const how = dice.alike ? `A piece that one of the dice shows can move; if ${dice.count === 2 ? "both" : "all"} are alike, any piece.` : "A piece that one of the dice shows can move.";
  return [
    [`// ${how}`, "fn permit(dice) {", ...alike, "    let allowed = nothing();", "    for die in dice { allowed |= shown_by(die); }", "    allowed", "}"].join("\n"),
    faces(game, "shown_by"),
  ];
}

/** What a face permits. */
function faces(game: WizardGame, name: string): string {
  if (facesAreKinds(game)) return `// A die permits moves of the piece that it shows.\nfn ${name}(die) { pieces(PIECE[die - 1]) }`;
  const permit = (face: Face): string => {
    if (face.lets === "any") return "any()";
    if (face.lets === "nothing") return "nothing()";
    const shown = game.pieces.filter((piece) => face.keys.includes(piece.key));
    return shown.length === game.pieces.length ? "any()" : `pieces(${names(shown)})`;
  };
  // Group faces that permit the same; the last group becomes the default case.
  const groups = new Map<string, number[]>();
  game.dice.faces.forEach((face, index) => groups.set(permit(face), [...(groups.get(permit(face)) ?? []), index + 1]));
  const all = [...groups];
  if (all.length === 1) return `// Every face permits the same moves.\nfn ${name}(_die) { ${all[0]?.[0]} }`;
  const last = all.at(-1);
  const cases = all.slice(0, -1).map(([what, numbers]) => [numbers.join(" | "), what] as const);
  const wide = Math.max(1, ...cases.map(([numbers]) => numbers.length));
  const lines = [...cases, ["_", last?.[0] ?? ""] as const].map(([numbers, what]) => `        ${numbers.padEnd(wide)} => ${what}`);
  return `${comment(tableInWords(game, all))}\nfn ${name}(die) {\n    switch die {\n${lines.join(",\n")}\n    }\n}`;
}

function tableInWords(game: WizardGame, groups: [string, number[]][]): string {
  const says = groups.map(([what, numbers]) => {
    const face = game.dice.faces[(numbers[0] ?? 1) - 1];
    const shown = face?.lets === "pieces" ? listed(game.pieces.filter((piece) => face.keys.includes(piece.key)).map((piece) => a(piece.name.trim())), "or") : "";
    const moves = what === "any()" ? "any piece" : what === "nothing()" ? "no piece" : shown;
    return `${listed(numbers, "or")} ${moves}`;
  });
  return `Pieces that can move: with ${says.join("; with ")}.`;
}

function contest(game: WizardGame): string | undefined {
  const { contest } = game;
  if (contest.kind === "none") return undefined;
  const own = contest.kind === "own";
  const lost = contest.beaten === "captured" ? "repel(attacker)" : "stand_off()";
  const tie = {
    attacker: "the attacker wins ties",
    defender: "the defender wins ties",
    nothing: "a tie changes nothing",
  }[tieOf(contest)];
  const beaten = contest.beaten === "captured" ? "an attacker that rolls lower is lost" : "an attacker that rolls lower stays where it was";
  const rolled = own ? 'DIE[attacker.kind] + "+" + DIE[defender.kind]' : `"2d${contest.die}"`;
  const lines = [
    comment(`A capture is a contest: attacker and defender roll ${own ? "their pieces' dice" : `a d${contest.die} each`}, and the higher wins; ${tie}, and ${beaten}.`),
    "fn capture(attacker, defender) {",
    `    let dice = cast(${rolled});`,
  ];
  if (contest.tie === "nothing" && contest.beaten === "captured") {
    lines.push("    if dice[0] > dice[1] { take(); }", `    else if dice[0] < dice[1] { ${lost}; }`, "    else { stand_off(); }");
  } else {
    lines.push(`    if dice[0] ${contest.tie === "attacker" ? ">=" : ">"} dice[1] { take(); } else { ${lost}; }`);
  }
  const dice = own ? [`// The dice of the pieces.\nconst DIE = #{ ${game.pieces.map((piece) => `${text(piece.name.trim())}: "1d${piece.die}"`).join(", ")} };`] : [];
  return [...dice, `${lines.join("\n")}\n}`].join("\n\n");
}

function outcome(game: WizardGame): string {
  const { aim } = game;
  const piece = aimedAt(game);
  const name = text(piece?.name.trim() ?? "");
  // The attacker may be lost as well, and with it the game.
  const mayLose = game.contest.kind !== "none" && game.contest.beaten === "captured";
  const lines: string[] = [];
  const won = (test: string, reason: string) => lines.push(`if ${test} { return win(mover(), ${text(reason)}); }`);
  const lost = (test: string, reason: string) => mayLose && lines.push(`if ${test} { return win(opponent(), ${text(reason)}); }`);
  const plain = piece?.name.trim() ?? "";
  switch (aim.kind) {
    case "royal":
      won(`!has(opponent(), ${name})`, `${hasSeveral(game) ? `last ${plain}` : plain} captured`);
      lost(`!has(mover(), ${name})`, `${hasSeveral(game) ? `last ${plain}` : plain} lost`);
      break;
    case "checkmate":
      if (game.dice.count > 0) won(`!has(opponent(), ${name})`, `${plain} captured`);
      lines.push("if !between_turns() { return; }");
      lines.push('if mated(to_move()) { return win(mover(), "checkmate"); }');
      lines.push('if stalemated(to_move()) { return draw("stalemate"); }');
      break;
    case "far rank":
      won(`!(squares_of(mover(), ${name}) & region("far rank")).is_empty`, `${a(plain)} has arrived`);
      won(`!has(opponent(), ${name})`, `no ${plain} is left`);
      lost(`!has(mover(), ${name})`, `no ${plain} is left`);
      break;
    case "race":
      won(`number(squares_of(mover(), ${name}) & region("far rank")) >= ${aim.count}`, "the race is won");
      won(`!has(opponent(), ${name}, ${aim.count})`, "too few are left to win the race");
      lost(`!has(mover(), ${name}, ${aim.count})`, "too few are left to win the race");
      break;
    case "all":
      won("!has(opponent(), 1)", "no piece is left");
      lost("!has(mover(), 1)", "no piece is left");
      break;
  }
  lines.push(`if clock_reached(${aim.limit}) { draw("${aim.limit} moves without progress"); }`);
  return [comment(endInWords(game, mayLose)), "fn outcome() {", ...lines.map((line) => `    ${line}`), "}"].join("\n");
}

function endInWords(game: WizardGame, mayLose: boolean): string {
  const piece = aimedAt(game)?.name.trim() ?? "";
  const forward = game.pieces.filter((one) => onlyForward(game, one.betza.trim())).map((one) => `moving ${a(one.name.trim())}`);
  const more = {
    royal: mayLose ? ` A side that loses ${hasSeveral(game) ? `the last ${piece}` : `the ${piece}`} in its own attack loses the game.` : "",
    checkmate: game.dice.count > 0 ? ` A roll can leave no answer to check; then the ${piece} can be captured, which also wins. Stalemate is a draw.` : " Stalemate is a draw.",
    "far rank": ` So does capturing every ${piece} of the other side.`,
    race: ` So does leaving the other side too few pieces for it.`,
    all: "",
  }[game.aim.kind];
  return `${capital(goal(game))}.${more} The game is drawn after ${game.aim.limit} moves without ${listed(["capturing", ...forward], "or")}.`;
}
