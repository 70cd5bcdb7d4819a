// The palette of the wizard: pieces of many games, with their usual letter, movement and picture. It knows no game: users
// decide where pieces start and which dice move them.

/** A piece of the palette. */
export interface KnownPiece {
  name: string;
  /** Its name in the palette, if another piece has the same name. */
  label?: string;
  /** A capital letter; if the game already uses it, another one is chosen. */
  letter: string;
  betza: string;
  /** A picture for each side; without them, the letter is used. */
  glyphs?: [string, string];
  /** Whether it only exists on hexagonal boards. */
  hex?: boolean;
}

/** A group of pieces in the palette. */
interface PieceGroup {
  title: string;
  pieces: KnownPiece[];
}

const piece = (name: string, letter: string, betza: string, glyphs = "", label?: string): KnownPiece => {
  const [first, second] = [...glyphs];
  return { name, letter, betza, ...(first && second && { glyphs: [first, second] }), ...(label && { label }) };
};

export const PALETTE: PieceGroup[] = [
  {
    title: "Chess",
    pieces: [
      piece("pawn", "P", "mfWcefFimfnD", "♙♟"),
      piece("pawn", "P", "mfWcfF", "♙♟", "one-step pawn"),
      piece("knight", "N", "N", "♘♞"),
      piece("bishop", "B", "B", "♗♝"),
      piece("rook", "R", "R", "♖♜"),
      piece("queen", "Q", "Q", "♕♛"),
      piece("king", "K", "K", "♔♚"),
      { ...piece("pawn", "P", "mfWcflfrW", "♙♟", "hexagon pawn"), hex: true },
    ],
  },
  {
    title: "Fairy chess",
    pieces: [
      piece("ferz", "F", "F"),
      piece("wazir", "W", "W"),
      piece("alfil", "E", "A"),
      piece("dabbaba", "D", "D"),
      piece("camel", "C", "C"),
      piece("zebra", "Z", "Z"),
      piece("mann", "M", "K"),
      piece("berolina pawn", "P", "mfFcfW"),
      piece("princess", "A", "BN"),
      piece("empress", "C", "RN"),
      piece("amazon", "A", "QN"),
      piece("centaur", "H", "KN"),
      piece("champion", "C", "WAD"),
      piece("wizard", "W", "FC"),
      piece("nightrider", "N", "NN"),
      piece("grasshopper", "G", "gQ"),
      piece("griffon", "G", "FyafsF"),
      piece("manticore", "M", "WyafsW"),
      piece("rose", "O", "qN0"),
    ],
  },
  {
    title: "Xiangqi",
    pieces: [
      piece("general", "K", "W", "帥將"),
      piece("advisor", "A", "F", "仕士"),
      piece("elephant", "E", "nA", "相象"),
      piece("horse", "H", "nN", "傌馬"),
      piece("chariot", "R", "R", "俥車"),
      piece("cannon", "C", "mRcpR", "炮砲"),
      piece("soldier", "S", "fsW", "兵卒"),
    ],
  },
  {
    title: "Shogi and others",
    pieces: [
      piece("gold", "G", "WfF", "金金"),
      piece("silver", "S", "FfW", "銀銀"),
      piece("knight", "N", "ffN", "桂桂", "shogi knight"),
      piece("lance", "L", "fR", "香香"),
      piece("pawn", "P", "fW", "歩歩", "shogi pawn"),
      piece("dragon king", "D", "RF", "竜竜"),
      piece("dragon horse", "H", "BW", "馬馬"),
      piece("draughtsman", "M", "mfFfcafmF"),
      piece("lion", "L", "KNADcaKmpaK"),
    ],
  },
];

/** The palette for a board: on hexagons, only pieces that are defined there. */
export function paletteFor(isHex: boolean): PieceGroup[] {
  const fits = (one: KnownPiece) => (isHex ? /^[a-zWFDNAHGRBKQ\d]+$/.test(one.betza) && !/[zq]|^nA|^nN|imf/.test(one.betza) : !one.hex);
  const groups = PALETTE.map(({ title, pieces }) => ({ title, pieces: pieces.filter(fits) }));
  return groups.filter(({ pieces }) => pieces.length > 0);
}

/** An unused letter: the wanted one, one of the name, or any. */
export function freeLetter(wanted: string, name: string, taken: readonly string[]): string {
  const capitals = [wanted, ...name.toUpperCase(), ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return capitals.find((letter) => /^[A-Z]$/.test(letter) && !taken.includes(letter)) ?? "";
}

/** An unused name: the wanted one, or that with a number. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let n = 2; ; n++) if (!taken.includes(`${wanted} ${n}`)) return `${wanted} ${n}`;
}
