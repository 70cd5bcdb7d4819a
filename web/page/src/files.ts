// Saves files: the game, its position, its picture, its script.

import { choose } from "./dialog";
import { el } from "./dom";
import type { Picture } from "./protocol";
import type { Table } from "./table";

/** Lets the user save data as a file. */
export function save(name: string, data: string | Blob, type: string): void {
  const address = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Pixels per unit of a picture. */
const SCALE = 2;

/** A picture as a bitmap. */
async function points(picture: Picture): Promise<Blob> {
  const image = el("img", { src: `data:image/svg+xml,${encodeURIComponent(picture.svg)}` });
  await image.decode();
  const canvas = el("canvas", { width: SCALE * picture.width, height: SCALE * picture.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((made, failed) => {
    canvas.toBlob((blob) => (blob ? made(blob) : failed(new Error("this browser cannot make a PNG of the picture"))), "image/png");
  });
}

/** Asks what to save, and saves it. */
export async function saveAs(table: Table, script: string): Promise<void> {
  const shown = table.shown;
  if (!shown) return;
  const name = table.script.variant.replace(/\.rhai$/, "");
  const kinds: Record<string, () => void | Promise<void>> = {
    "The game (PGN)": () => {
      if (shown.course.record === undefined) throw new Error("The record of this game would reveal secrets. Save it when the game is over.");
      save(`${name}.pgn`, shown.course.record, "application/x-chess-pgn");
    },
    "The position (FEN)": () => save(`${name}.fen`, `${shown.status.position}\n`, "text/plain"),
    "The picture (SVG)": () => save(`${name}.svg`, shown.picture.svg, "image/svg+xml"),
    "The picture (PNG)": async () => save(`${name}.png`, await points(shown.picture), "image/png"),
    "The script": () => save(`${name}.rhai`, script, "text/plain"),
  };
  const answer = await choose("What do you want to save?", Object.keys(kinds));
  if (answer) await kinds[answer]?.();
}
