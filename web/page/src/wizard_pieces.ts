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
}

/** A group of pieces in the palette. */
interface PieceGroup {
  title: string;
  pieces: KnownPiece[];
}

/** The pieces, by group: name, letter, movement, and where it matters pictures for both sides and the label in the palette. */
const TABLE: Record<string, string> = {
  Chess: `
    pawn, P, mfWcefFimfnD, ♙♟; pawn, P, mfWcfF, ♙♟, one-step pawn; knight, N, N, ♘♞; bishop, B, B, ♗♝; rook, R, R, ♖♜;
    queen, Q, Q, ♕♛; king, K, K, ♔♚; pawn, P, mfWcflfrW, ♙♟, hexagon pawn`,
  "Fairy chess": `
    ferz, F, F; wazir, W, W; alfil, E, A; dabbaba, D, D; camel, C, C; zebra, Z, Z; mann, M, K; berolina pawn, P, mfFcfW;
    princess, A, BN; empress, C, RN; amazon, A, QN; centaur, H, KN; champion, C, WAD; wizard, W, FC; nightrider, N, NN;
    grasshopper, G, gQ; griffon, G, FyafsF; manticore, M, WyafsW; rose, O, qN0`,
  Xiangqi: `
    general, K, W, 帥將; advisor, A, F, 仕士; elephant, E, nA, 相象; horse, H, nN, 傌馬; chariot, R, R, 俥車; cannon, C, mRcpR, 炮砲;
    soldier, S, fsW, 兵卒`,
  "Shogi and others": `
    gold, G, WfF, 金金; silver, S, FfW, 銀銀; knight, N, ffN, 桂桂, shogi knight; lance, L, fR, 香香; pawn, P, fW, 歩歩, shogi pawn;
    dragon king, D, RF, 竜竜; dragon horse, H, BW, 馬馬; draughtsman, M, mfFfcafmF; lion, L, KNADcaKmpaK`,
};

function piece(row: string): KnownPiece {
  const [name = "", letter = "", betza = "", glyphs = "", label] = row.trim().split(", ");
  const [first, second] = glyphs;
  return { name, letter, betza, ...(first && second && { glyphs: [first, second] }), ...(label && { label }) };
}

export const PALETTE: PieceGroup[] = Object.entries(TABLE).map(([title, rows]) => ({ title, pieces: rows.split(";").map(piece) }));

/** The palette for a board: on hexagons, only pieces that are defined there, and on squares none with directions of hexagons. */
export function paletteFor(isHex: boolean): PieceGroup[] {
  const fits = (one: KnownPiece) => (isHex ? /^[a-zWFDNAHGRBKQ\d]+$/.test(one.betza) && !/[zq]|^nA|^nN|imf/.test(one.betza) : !/f[lr]/.test(one.betza));
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
