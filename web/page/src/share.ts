// A game in a link: script, options and record, packed into the fragment of the URL, which browsers never send. Checks what a
// link contains. It knows no elements.

import { isSeat } from "./computer";
import { isPart } from "./fair_dice";
import { type Beginning, OWN, type Script, type Seat } from "./table";

/** What the links of a game by links contain besides the game. The sender of each one alternates. */
export interface Mail {
  id: string;
  /** The side of the player who started the game, 0 or 1. */
  side: number;
  /** For each link, the number of events of the game up to it. */
  events: number[];
  /** The secrets that were revealed, in the second link and each one after it; all but the last two can be empty. */
  parts: string[];
  /** The commitment of each link to a secret; all but the last two can be empty. */
  commitments: string[];
}

/** The content of a link. */
export interface Shared {
  /** The version of the format. */
  version: 1;
  /** A bundled game. */
  variant?: string;
  /** Or a user's script. */
  text?: string;
  options?: Record<string, string>;
  record?: string;
  position?: string;
  /** Who plays. */
  seats?: Seat[];
  /** Whether only the board is shown, as when embedded in another page. */
  diagram?: boolean;
  mail?: Mail;
}

/** The largest content, in bytes. */
const MOST = 1 << 20;

/** Something is larger than that. */
class TooLarge extends Error {}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    length += value.length;
    if (length > MOST) {
      await reader.cancel();
      throw new TooLarge("This link is too large: a link can contain at most one megabyte.");
    }
  }
}

/** Packs a game into the fragment of a link. */
export async function pack(shared: Shared): Promise<string> {
  const whole = new TextEncoder().encode(JSON.stringify(shared));
  if (whole.length > MOST) throw new TooLarge("This game is too large for a link. Save it as a file.");
  const bytes = await through(whole, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `g=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Unpacks a link; undefined if it contains no game. Throws if it is damaged. */
export async function unpack(hash: string): Promise<Shared | undefined> {
  const packed = new URLSearchParams(hash.replace(/^#/, "")).get("g");
  if (!packed) return undefined;
  let shared: unknown;
  try {
    const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    shared = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  } catch (error) {
    throw error instanceof TooLarge ? error : new Error("This link is damaged: it contains no readable game.", { cause: error });
  }
  return checked(shared);
}

/** Validates data from a stranger before it is used. */
function checked(shared: unknown): Shared {
  const wrong = () => new Error("This link does not contain a game.");
  if (typeof shared !== "object" || shared === null) throw wrong();
  const given = shared as Record<string, unknown>;
  if (typeof given["version"] !== "number") throw wrong();
  if (given["version"] !== 1) throw new Error("This link was made by a newer version of the studio.");
  for (const name of ["variant", "text", "record", "position"]) {
    if (given[name] !== undefined && typeof given[name] !== "string") throw wrong();
  }
  if (given["diagram"] !== undefined && typeof given["diagram"] !== "boolean") throw wrong();
  // A board in another page stores nothing.
  if (given["diagram"] && given["mail"] !== undefined) throw wrong();
  const options = given["options"];
  if (options !== undefined) {
    if (typeof options !== "object" || options === null) throw wrong();
    if (!Object.values(options).every((value) => typeof value === "string")) throw wrong();
  }
  const { seats } = given;
  if (seats !== undefined && !(Array.isArray(seats) && seats.every(isSeat))) throw wrong();
  if (given["mail"] !== undefined && !(isMail(given["mail"]) && typeof given["record"] === "string")) throw wrong();
  if ((given["variant"] === undefined) === (given["text"] === undefined)) throw wrong();
  return given as unknown as Shared;
}

function isMail(mail: unknown): mail is Mail {
  const { id, side, events, parts, commitments } = (mail ?? {}) as Record<string, unknown>;
  if (!Array.isArray(events) || !Array.isArray(parts) || !Array.isArray(commitments)) return false;
  const isCount = (count: unknown, link: number) => Number.isSafeInteger(count) && Number(count) >= Number(events[link - 1] ?? 0);
  const isShort = events.length > 0 && commitments.length === events.length && parts.length === events.length - 1;
  const areParts = (all: unknown[]) => all.every((one, at) => isPart(one) || (one === "" && at < all.length - 2));
  const isNamed = typeof id === "string" && /^[0-9a-f]{32}$/.test(id) && (side === 0 || side === 1);
  return isNamed && isShort && events.every(isCount) && areParts(parts) && areParts(commitments);
}

/** A script with its options as a link names it. */
export function sharedScript({ script, options }: { script: Script; options: Record<string, string> }): Shared {
  return { version: 1, ...(script.text === undefined ? { variant: script.variant } : { text: script.text }), options };
}

/** The script, the options and the beginning of the game that a link asks for. */
export function startOf(shared: Shared): { script: Script; options: Record<string, string>; from: Beginning } {
  const { text, variant = "", options = {}, record, position, seats } = shared;
  const script = text === undefined ? { variant } : { variant: OWN, text };
  return { script, options, from: { ...(record !== undefined && { record }), ...(position !== undefined && { position }), ...(seats && { seats }) } };
}
