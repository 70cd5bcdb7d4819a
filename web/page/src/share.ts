// A game in a link: script, options and record, packed into the fragment of the URL, which browsers never send; and the
// dialog that shows the link.

import { LEVELS } from "./computer";
import { ask } from "./dialog";
import { el } from "./dom";
import { isLocal } from "./folder";
import type { Seat, Table } from "./table";

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
  /** Who plays: people, or the computer at a level. */
  seats?: Seat[];
  /** Whether only the board is shown, as when embedded in another page. */
  diagram?: boolean;
}

/** The largest unpacked content, in bytes. */
const MOST = 1 << 20;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > MOST) {
      await reader.cancel();
      throw new Error("the link contains too much");
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Packs a game into the fragment of a link. */
export async function pack(shared: Shared): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
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
    throw new Error("this link is damaged: it contains no readable game", { cause: error });
  }
  return checked(shared);
}

/** Validates data from a stranger before it is used. */
function checked(shared: unknown): Shared {
  const wrong = () => new Error("this link does not contain a game");
  if (typeof shared !== "object" || shared === null) throw wrong();
  const given = shared as Record<string, unknown>;
  if (given["version"] !== 1) throw new Error("this link was made by a newer studio");
  for (const name of ["variant", "text", "record", "position"]) {
    if (given[name] !== undefined && typeof given[name] !== "string") throw wrong();
  }
  if (given["diagram"] !== undefined && typeof given["diagram"] !== "boolean") throw wrong();
  const options = given["options"];
  if (options !== undefined) {
    if (typeof options !== "object" || options === null) throw wrong();
    if (!Object.values(options).every((value) => typeof value === "string")) throw wrong();
  }
  const { seats } = given;
  if (seats !== undefined && !(Array.isArray(seats) && seats.every((seat) => seat === "human" || LEVELS.includes(seat as number)))) throw wrong();
  if ((given["variant"] === undefined) === (given["text"] === undefined)) throw wrong();
  return given as unknown as Shared;
}

/** The content of a link to the current game. */
function sharedGame(table: Table): Shared {
  const { script, options, shown, seats } = table;
  const record = shown?.course.record;
  return { version: 1, ...(script.text === undefined ? { variant: script.variant } : { text: script.text }), options, seats, ...(record !== undefined && { record }) };
}

/** Shows the link to the current game. */
export async function shareGame(table: Table): Promise<void> {
  const shared = sharedGame(table);
  const page = location.href.split("#")[0];
  const address = `${page}#${await pack(shared)}`;
  const diagram = `${page}#${await pack({ ...shared, diagram: true })}`;
  const what = !table.shown ? "opens this script" : shared.record === undefined ? "starts a new game, because the moves of this game would reveal secrets" : "continues this game";
  const area = (label: string, text: string) => {
    const element = el("textarea", { readOnly: true, value: text, "aria-label": label, onfocus: () => element.select() });
    return element;
  };
  const field = (label: string, text: string) => [el("p", {}, label), area(label, text)];
  const link = area("Link", address);
  // Browsers offer the clipboard only to pages over HTTPS or from this machine. Elsewhere, the link is selected, to be copied by keyboard.
  const copy = async (done: (value: void) => void) => {
    try {
      await navigator.clipboard.writeText(address);
      done(undefined);
    } catch {
      link.focus();
      link.select();
    }
  };
  const here = "This studio runs on your machine, so the link only works here, and only while the program runs. ";
  await ask<void>(`${isLocal() ? here : ""}The link ${what}. Nothing is sent to a server: the link itself contains the game.`, (done) => [
    el("p", {}, "Link"),
    link,
    ...(isLocal()
      ? field("For others: add this to the URL of a studio on the web", `#${address.split("#")[1]}`)
      : field("HTML that embeds the board in another page", `<iframe src="${diagram}" width="480" height="640" title="${table.title.replaceAll(/["<>&]/g, "")}"></iframe>`)),
    el(
      "div",
      { className: "row" },
      el("button", { type: "button", className: "main", onclick: () => void copy(done) }, "Copy the link"),
      el("button", { type: "button", onclick: () => done(undefined) }, "Close"),
    ),
  ]);
}
