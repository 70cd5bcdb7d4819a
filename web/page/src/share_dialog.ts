// The dialog that shares what is at the board: a link to the game, the position, the script or a board to embed, and files. It
// does not know how a link is packed.

import { ask } from "./dialog";
import { el, put, words } from "./dom";
import { type FileKind, fileKinds } from "./files";
import { isLocal } from "./folder";
import { linkField, openField } from "./link_field";
import { whyNoMail } from "./mail_panel";
import { pack, type Shared, sharedScript } from "./share";
import type { Table } from "./table";

/** Something to share, and what its link does. */
interface Subject {
  label: string;
  about: string;
  content: Shared;
}

/** What can be shared now. Nothing of it reveals a secret. */
async function subjects(table: Table): Promise<Subject[]> {
  const script = sharedScript(table);
  const rules: Subject = { label: "The rules only", about: "The link starts a new game with this script and its options.", content: script };
  if (!table.shown) return [{ ...rules, label: "The script", about: "The link opens this script." }];
  const { course } = table.shown;
  const { record } = course;
  const game: Shared = { ...script, seats: table.seats, ...(record !== undefined && { record }) };
  const embedded = "This line of HTML shows the board on another page, where the game can continue.";
  const board: Subject = { label: "A board for a web page", about: embedded, content: { ...game, diagram: true } };
  const secret = "The link starts a new game, because the moves of this game would reveal secrets.";
  if (record === undefined) return [{ ...rules, content: game, about: secret }, board];
  const position: Shared = { ...script, seats: table.seats, position: await table.position() };
  return [
    { label: "The game", about: "The link continues this game, with all its turns.", content: game },
    { label: "The position", about: "The link continues from this position, without the turns before it.", content: position },
    rules,
    board,
  ];
}

/** Shows the dialog; `script` is the text of the editor. `play` starts a game by links, and `open` opens a link. */
export async function shareDialog(table: Table, script: string, play: () => Promise<void>, open: (hash: string) => Promise<void>): Promise<void> {
  const page = location.href.split("#")[0];
  await table.opening;
  const all = await subjects(table);
  const link = el("div");
  const about = el("p", { className: "note" });
  const pickLink = async ({ about: text, content }: Subject) => {
    put(link);
    const hash = `#${await pack(content)}`;
    const html = `<iframe src="${page}${hash}" width="480" height="640" title="${table.title.replaceAll(/["<>&]/g, "")}"></iframe>`;
    // The address of a studio on this machine is of no use to others.
    const here = "This studio runs only on your machine, so this link has no web address. To open it in another studio, paste it into the Share dialog there.";
    put(about, isLocal() ? `${text} ${here}` : text);
    put(link, linkField(content.diagram ? "HTML" : "Link", isLocal() ? hash : content.diagram ? html : `${page}${hash}`, table.title));
  };
  const show = (subject: Subject) => pickLink(subject).catch((error: unknown) => put(about, words(error)));
  const choice = (subject: Subject, index: number) =>
    el("label", {}, el("input", { type: "radio", name: "subject", checked: index === 0, onchange: () => void show(subject) }), ` ${subject.label}`);
  const file = (kind: FileKind, onclick: () => void) => el("button", { type: "button", onclick }, el("strong", {}, kind.label), el("small", {}, kind.about));
  if (all[0]) await show(all[0]);
  const why = whyNoMail(table);
  const answer = await ask<() => Promise<void>>(`Share ${table.title || "this script"}`, (done) => [
    el("fieldset", { className: "subjects" }, el("legend", { className: "unseen" }, "What to share"), ...all.map(choice)),
    link,
    about,
    el("h3", {}, "Play with a friend"),
    el("p", { className: "note" }, why ?? "Each turn is a link that you send with any messenger. Neither player can choose or foresee the dice."),
    el("div", { className: "row" }, why === undefined && el("button", { type: "button", onclick: () => done(play) }, "Play by links"), openField((hash) => done(() => open(hash)))),
    el("h3", {}, "Save a file"),
    el("div", { className: "files" }, ...fileKinds(table, script).map((kind) => file(kind, () => done(async () => kind.save())))),
    el("div", { className: "row" }, el("button", { type: "button", onclick: () => done(undefined) }, "Close")),
  ]);
  await answer?.();
}
