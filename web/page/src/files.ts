// Saves files: the game, its position, its picture, its script. Receives files that the user opens or drops on the page. Owns the
// elements `open` and `file`.

import { MOST_TURNS, animation, still } from "./animation";
import { el, get } from "./dom";
import type { Picture } from "./protocol";
import type { Table } from "./table";

/** Lets the user save data as a file. */
export function save(name: string, data: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([data], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Lets the user open files with a button, or drop them on the page. */
export function receiveFiles(open: (file: File) => void): void {
  const chooser = get<HTMLInputElement>("file");
  get("open").onclick = () => chooser.click();
  chooser.onchange = () => {
    const chosen = chooser.files?.[0];
    if (chosen) open(chosen);
    chooser.value = "";
  };
  document.ondragover = (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
  document.ondrop = (event) => {
    const dropped = event.dataTransfer?.files[0];
    // The editor takes what is dropped on it.
    if (!dropped || event.defaultPrevented) return;
    event.preventDefault();
    open(dropped);
  };
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

/** A kind of file: its name for people, what it is for, and how it is saved. */
export interface FileKind {
  label: string;
  about: string;
  save(): void | Promise<void>;
}

/** The files that can be saved now. Files with all moves are left out if they would reveal secrets. */
export function fileKinds(table: Table, script: string): FileKind[] {
  const { shown, script: { variant } } = table;
  const name = variant.replace(/\.rhai$/, "");
  const rules: FileKind = { label: "Script", about: "The rules (.rhai)", save: () => save(`${name}.rhai`, script, "text/plain") };
  if (!shown) return [rules];
  const { status, course } = shown;
  const { record } = course;
  const picture = async () => still(table, await table.position(), table.viewer);
  const test = async () => save(`${name}.game`, await table.gameFile(table.title, variant), "text/plain");
  const whole: FileKind[] = record === undefined ? [] : [
    { label: "Game", about: "All turns (.pgn)", save: () => save(`${name}.pgn`, record, "application/x-chess-pgn") },
    { label: "Test", about: "All turns (.game)", save: test },
    { label: "Animation", about: `The last ${MOST_TURNS} turns (.svg)`, save: async () => save(`${name}-game.svg`, await animation(table), "image/svg+xml") },
  ];
  return [
    ...whole,
    { label: "Position", about: "One line (.fen)", save: () => save(`${name}.fen`, `${status.position}\n`, "text/plain") },
    { label: "Picture", about: "The board (.png)", save: async () => save(`${name}.png`, await points(await picture()), "image/png") },
    { label: "Drawing", about: "The board (.svg)", save: async () => save(`${name}.svg`, (await picture()).svg, "image/svg+xml") },
    rules,
  ];
}
