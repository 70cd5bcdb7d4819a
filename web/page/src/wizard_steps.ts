// The fields of the wizard's steps, except for the starting position: they are made from the game and write into it. They
// know neither the other steps nor the script.

import { el } from "./dom";
import { field, group, numberField, radios, selectField, textField, tick } from "./wizard_form";
import { type Aim, type Face, type WizardGame, type Cells, type WizardPiece, ACROSS, DICE, DICE_FACES, FILES, LIMIT, RANKS, follow, sizeOf, tieOf } from "./wizard_game";
import type { KnownPiece } from "./wizard_pieces";

/** What a step needs from the wizard around it. */
export interface Asking {
  game: WizardGame;
  /** An answer was changed that only affects the script. */
  changed(): void;
  /** An answer was changed that other fields of the step depend on. */
  rebuilt(): void;
  /** A small picture of a piece. */
  imageOf(piece: WizardPiece | KnownPiece, side: 0 | 1): HTMLElement;
  /** The user has changed the table of the dice. */
  dealt(): void;
  /** The pieces have changed: the table of the dice follows, unless the user has changed it. */
  redealt(): void;
}

const CELLS: [Cells, string, string?][] = [
  ["square", "Squares"],
  ["points", "Points where lines cross"],
  ["hex", "Hexagons", "in a parallelogram with vertical files"],
  ["hexagon", "Hexagons in a hexagonal board"],
];

export function boardStep({ game, changed, rebuilt }: Asking): Node[] {
  const isRegular = game.cells === "hexagon";
  const size = (set: (n: number) => void) => (n: number) => {
    set(n);
    // A regular hexagon is as high as it is wide.
    if (isRegular) game.ranks = game.files;
    follow(game);
    changed();
  };
  const cells = (next: Cells) => {
    game.cells = next;
    if (next === "hexagon") Object.assign(game, sizeOf(game));
    follow(game);
    rebuilt();
  };
  return [
    field("title", "Name of the game", textField(game.title, (title) => ((game.title = title), changed()), { maxLength: 60 })),
    radios("cells", "Shape of the board", game.cells, CELLS, cells),
    isRegular
      ? field("files", "Width in hexagons", numberField(game.files, ACROSS, size((n) => (game.files = n))), "5, 7, 9, 11, 13 or 15")
      : field("files", "Files (columns)", numberField(game.files, FILES, size((n) => (game.files = n)))),
    !isRegular && field("ranks", "Ranks (rows)", numberField(game.ranks, RANKS, size((n) => (game.ranks = n)))),
    field("side-0", "First player", textField(game.sides[0], (name) => ((game.sides[0] = name), changed()), { maxLength: 20 })),
    field("side-1", "Second player", textField(game.sides[1], (name) => ((game.sides[1] = name), changed()), { maxLength: 20 })),
  ].filter((node) => node !== false);
}

const STUCK: [WizardGame["dice"]["stuck"], string][] = [
  ["lost", "the turn is lost"],
  ["any", "any piece can move"],
  ["again", "the dice are rolled again"],
];

export function diceStep(asking: Asking): Node[] {
  const { game, changed, rebuilt } = asking;
  const { dice } = game;
  const counts = Array.from({ length: DICE.most + 1 }, (_, n) => [String(n), n === 0 ? "no dice: one move per turn" : n === 1 ? "one die" : `${n} dice`] as const);
  const first = field("dice", "Dice per turn", selectField(String(dice.count), counts, (count) => ((dice.count = Number(count)), rebuilt())));
  if (dice.count === 0) return [first];
  const faces = numberField(dice.faces.length, DICE_FACES, (count) => {
    if (!Number.isInteger(count) || count < DICE_FACES.least || count > DICE_FACES.most) return;
    dice.faces = Array.from({ length: count }, (_, index) => dice.faces[index] ?? { lets: "any" });
    rebuilt();
  });
  const several = dice.count > 1;
  return [
    first,
    field("faces", "Faces of a die", faces),
    several && radios("moves", "A roll gives", dice.moves, [["one", "one move", "of a piece that one of the dice shows"], ["each", "one move for each die", "of a piece that the die shows; a die that cannot be used is lost"]], (moves) => ((dice.moves = moves), rebuilt())),
    several && dice.moves === "one" && tick(`If ${dice.count === 2 ? "both dice show the same face" : "all dice show the same face"}, any piece can move`, dice.alike, (alike) => ((dice.alike = alike), changed()), "wizard-choice"),
    (!several || dice.moves === "one") && field("stuck", "If no piece shown can move", selectField(dice.stuck, STUCK, (stuck) => ((dice.stuck = stuck), changed()))),
    el("h3", {}, "Faces and their pieces"),
    game.pieces.length > 1 && el("button", { id: "wizard-deal", onclick: () => (deal(game), asking.dealt(), rebuilt()) }, "Assign the pieces to the faces"),
    ...dice.faces.map((face, index) => faceRow(asking, face, index)),
  ].filter((node) => node !== false);
}

/** Assigns each face to one piece, in the order of the pieces. */
export function deal(game: WizardGame): void {
  const { pieces } = game;
  game.dice.faces = game.dice.faces.map((_, index) => {
    const piece = pieces[index % pieces.length];
    return piece ? { lets: "pieces", keys: [piece.key] } : { lets: "any" };
  });
}

/** One face: any piece, nothing, or some pieces. */
function faceRow(asking: Asking, face: Face, index: number): HTMLElement {
  const { game } = asking;
  const put = (next: Face) => {
    game.dice.faces[index] = next;
    asking.dealt();
    for (const [at, box] of boxes.entries()) box.checked = isTicked(next, at);
    asking.changed();
  };
  const isTicked = (of: Face, at: number) => {
    if (at < 2) return of.lets === (at === 0 ? "any" : "nothing");
    return of.lets === "pieces" && of.keys.includes(game.pieces[at - 2]?.key ?? -1);
  };
  const ticked = (piece: WizardPiece) => (checked: boolean) => {
    const now = game.dice.faces[index];
    const keys = now?.lets === "pieces" ? now.keys.filter((key) => key !== piece.key) : [];
    put({ lets: "pieces", keys: checked ? [...keys, piece.key] : keys });
  };
  const chips = [
    tick("any piece", false, (checked) => put(checked ? { lets: "any" } : { lets: "pieces", keys: [] })),
    tick("roll lost", false, (checked) => put(checked ? { lets: "nothing" } : { lets: "pieces", keys: [] })),
    ...game.pieces.map((piece) => tick(piece.name, false, ticked(piece), "wizard-chip", asking.imageOf(piece, 0))),
  ];
  const boxes = chips.map((chip) => chip.querySelector("input")).filter((box) => box !== null);
  for (const [at, box] of boxes.entries()) box.checked = isTicked(face, at);
  const made = group(`face-${index}`, `${index + 1}`, el("div", { className: "wizard-chips" }, ...chips));
  made.classList.add("wizard-face");
  made.setAttribute("aria-label", `Pieces that move on a roll of ${index + 1}`);
  return made;
}

const DIE_SIZES = { least: 2, most: 100 };

const TIES: [WizardGame["contest"]["tie"], string, string?][] = [
  ["attacker", "the attacker wins"],
  ["defender", "the defender wins"],
  ["nothing", "nothing happens", "the attacker stays where it was"],
];

export function captureStep({ game, changed, rebuilt, imageOf }: Asking): Node[] {
  const { contest } = game;
  const kind = radios(
    "contest",
    "When a piece captures another",
    contest.kind,
    [
      ["none", "the capture succeeds", "as in chess"],
      ["same", "both roll a die", "the same die for all pieces; the higher roll wins"],
      ["own", "both roll, and each kind of piece has its own die", "stronger pieces roll larger dice"],
    ],
    (next) => ((contest.kind = next), rebuilt()),
  );
  if (contest.kind === "none") return [kind];
  const die = field("contest-die", "Faces of the die", numberField(contest.die, DIE_SIZES, (faces) => ((contest.die = faces), changed())));
  const own = game.pieces.map((piece) => {
    const made = field(`contest-die-${piece.key}`, piece.name, numberField(piece.die, DIE_SIZES, (faces) => ((piece.die = faces), changed())));
    made.querySelector("label")?.prepend(imageOf(piece, 0));
    made.querySelector("label")?.append(el("span", { className: "note" }, " rolls 1 to"));
    return made;
  });
  return [
    kind,
    ...(contest.kind === "same" ? [die] : [el("h3", {}, "The dice of the pieces"), ...own]),
    radios("beaten", "If the attacker loses", contest.beaten, [["captured", "it is captured"], ["stays", "it stays where it was"]], (beaten) => ((contest.beaten = beaten), rebuilt())),
    radios("tie", "If both roll the same", tieOf(contest), TIES.filter(([tie]) => tie === tieOf({ ...contest, tie })), (tie) => ((contest.tie = tie), changed())),
  ];
}

const AIMS: [Aim, string, string][] = [
  ["royal", "capturing the royal piece", "there is no check: players must protect it themselves"],
  ["checkmate", "checkmate", "the royal piece must be protected, as in chess"],
  ["far rank", "bringing a piece to the far rank", "the first arrival wins"],
  ["race", "bringing several pieces to the far rank", "a race"],
  ["all", "capturing all pieces of the other side", ""],
];

export function endStep({ game, changed, rebuilt }: Asking): Node[] {
  const { aim } = game;
  const kinds = [["", "choose a piece"] as const, ...game.pieces.map((piece) => [String(piece.key), piece.name] as const)];
  const which = aim.kind === "royal" || aim.kind === "checkmate" ? "Royal piece" : "Piece that must reach the far rank";
  return [
    radios("aim", "A player wins by", aim.kind, AIMS, (kind) => ((aim.kind = kind), rebuilt())),
    aim.kind !== "all" && field("aim-piece", which, selectField(String(aim.key ?? ""), kinds, (key) => ((aim.key = key === "" ? undefined : Number(key)), changed()))),
    aim.kind === "race" && field("aim-count", "Number of pieces that must reach the far rank", numberField(aim.count, { least: 1, most: 16 }, (count) => ((aim.count = count), changed()))),
    field("limit", "A draw after", numberField(aim.limit, LIMIT, (limit) => ((aim.limit = limit), changed())), "moves (counting both sides) without a capture or pawn move, so that every game ends"),
  ].filter((node) => node !== false);
}
