// The page: what is on it, and what each of its parts tells the others.

import { Board } from "./board";
import { Computer, LEVELS } from "./computer";
import { ask, choose } from "./dialog";
import { el, get, put, words } from "./dom";
import { Engine, Refusal, Stopped } from "./engine";
import { Folder, isLocal } from "./folder";
import { Lab } from "./lab";
import { type Move, sortMoves } from "./moves";
import { Odds } from "./odds";
import type { GameEvent } from "./protocol";
import { type Entry, ScriptEditor } from "./script";
import { pack, unpack, type Shared } from "./share";
import { OWN, Table, type Script } from "./table";
import { Tabs } from "./tabs";

const table = new Table(new Engine(), () => show());
const thinker = new Engine();
const counter = new Engine();
const checker = new Engine();
const simulator = new Engine();

const tabs = new Tabs();
const editor = new ScriptEditor(checker, async (text) => {
  await play({ variant: OWN, text });
  tabs.open("Game");
});
const odds = new Odds(counter, table, (line) => {
  tabs.open("Script");
  editor.goTo(line);
});
const lab = new Lab(simulator, table);
const computer = new Computer(thinker, table, (thinking, error) => {
  get("stop").hidden = !thinking;
  if (error) say(error);
  if (!thinking) void computer.go();
});
let folder: Folder | undefined;
/** The script of the folder that is played. */
let file: string | undefined;
let looked: ReturnType<typeof setTimeout> | undefined;
const board = new Board(get("board"), {
  move: (moves) => void make(moves),
  choose: (square) => void happen({ choice: square }),
  refused: (from, to) => refused(from, to),
  look: (move) => {
    clearTimeout(looked);
    if (move) looked = setTimeout(() => void odds.ofMove(move.text), 250);
  },
});

/** Tells what went wrong. */
function say(error: unknown): void {
  if (error instanceof Stopped) return;
  put(get("notice"), words(error));
}

/** Whether the page decides what is waited for. */
function isOurs(): boolean {
  if (table.handsOver()) return false;
  const pending = table.shown?.status.pending;
  return pending !== undefined && pending !== null && (pending.kind === "roll" || table.seat(pending.player) === "human" || computer.halted);
}

async function happen(event: GameEvent): Promise<void> {
  try {
    computer.halted = false;
    put(get("notice"));
    await table.apply(event);
  } catch (error) {
    const dice = error instanceof Refusal && error.data["dice"];
    if ("move" in event && Array.isArray(dice)) return payWith(event.move, dice as (number | number[])[]);
    say(error);
  }
}

/** A move that several dice may pay for. */
async function payWith(move: string, dice: (number | number[])[]): Promise<void> {
  const texts = dice.map((die) => String(die));
  const answer = await choose(`Which die pays for ${move}?`, texts);
  const die = dice[texts.indexOf(answer ?? "")];
  if (die !== undefined) await happen({ move, die });
}

async function make(moves: Move[]): Promise<void> {
  const only = moves.length === 1 ? moves[0]?.text : await choose("Which move?", moves.map((move) => move.text));
  if (only) await happen({ move: only });
}

function refused(from: string, to?: string): void {
  if (!to) {
    const label = table.shown?.picture.squares.find((square) => square.name === from)?.label ?? from;
    put(get("notice"), `${label}: it cannot move now. Choose it and a target in the tab Odds to read why.`);
    return;
  }
  tabs.open("Odds");
  // What is held is named with its side.
  void odds.why(`${from.split(" ").at(-1)}${to}`);
}

function die(text: string, isNew: boolean): HTMLElement {
  return el("span", { className: isNew ? "die new" : "die" }, text);
}

let diceShown = "";

function showDice(): void {
  const { status } = table.shown ?? {};
  const faces = table.rolled.flat().map(String);
  const key = `${faces.join()} ${table.shown?.course.deciders.length}`;
  const pending = status?.pending;
  const children: Node[] = [];
  if (pending?.kind === "roll") {
    children.push(el("button", { type: "button", className: "main", onclick: () => void table.roll().catch(say) }, `Roll ${pending.dice}`));
    children.push(el("button", { type: "button", onclick: () => void byHand() }, "Enter real dice"));
  } else if (faces.length > 0) {
    children.push(...faces.map((face) => die(face, key !== diceShown)));
    diceShown = key;
  }
  put(get("dice"), ...children);
}

/** Dice that somebody has rolled at the table. */
async function byHand(): Promise<void> {
  const pending = table.shown?.status.pending;
  if (pending?.kind !== "roll") return;
  const field = el("input", { type: "text", "aria-label": `What ${pending.dice} shows`, placeholder: "3 5" });
  const answer = await ask<string>(`What does ${pending.dice} show?`, (done) => [
    field,
    el("div", { className: "row" }, el("button", { type: "button", className: "main", onclick: () => done(field.value) }, "Take it"), el("button", { type: "button", onclick: () => done(undefined) }, "Cancel")),
  ]);
  const faces = answer?.split(/[\s,]+/).filter(Boolean);
  if (faces?.length) await happen({ roll: faces.map((face) => (/^-?\d+$/.test(face) ? Number(face) : face)) });
}

function showChoices(others: string[]): void {
  const pending = table.shown?.status.pending;
  const made: Node[] = [];
  if (pending && isOurs()) {
    if (pending.kind === "choice") {
      made.push(...(pending.options ?? []).map((text) => el("button", { type: "button", onclick: () => void happen({ choice: text }) }, text)));
    }
    made.push(...others.map((text) => el("button", { type: "button", onclick: () => void happen({ move: text }) }, text)));
    if (pending.kind === "move" && pending.pass) {
      made.push(el("button", { type: "button", onclick: () => void happen({ move: "pass" }) }, "Pass"));
    }
  }
  put(get("choices"), ...made);
}

const turns = el("ol", { className: "turns", "aria-label": "Turns" });
const beside = el("pre", { className: "drawn" });
const seats = el("div");
const options = el("div");
const rules = el("pre");
const about = el("p");

function show(): void {
  const shown = table.shown;
  if (!shown) return;
  const pending = shown.status.pending;
  const ours = isOurs();
  const texts = ours && pending?.kind === "move" ? (pending.options ?? []) : [];
  const { moves, others } = sortMoves(texts, pending?.player ?? "first");
  const squares = new Set(shown.picture.squares.map((square) => square.name));
  const choices = ours && pending?.kind === "choice" ? (pending.options ?? []).filter((text) => squares.has(text)) : [];
  board.show(shown.picture, moves, choices);
  const log = (shown.status.log ?? []).map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`).join(" ");
  put(get("status"), [log, shown.picture.status.trim()].filter(Boolean).join("\n"));
  showDice();
  showChoices(others);
  const next = table.handsOver();
  if (next) {
    const look = () => void table.look(next).catch(say);
    put(get("choices"), el("button", { type: "button", className: "main", onclick: look }, `Hand the screen to ${table.side(next)}, who looks now`));
  }
  put(turns, ...shown.course.turns.map((turn) => el("li", {}, el("span", { className: "who" }, `${turn.round}. ${table.side(turn.side)}`), ` ${turn.text}`)));
  turns.scrollTop = turns.scrollHeight;
  put(beside, shown.picture.beside.join("\n"));
  get<HTMLButtonElement>("undo").disabled = !table.canUndo;
  get<HTMLButtonElement>("redo").disabled = !table.canRedo;
  void computer.go();
}

function showSeats(): void {
  const select = (index: number) => {
    const made = el(
      "select",
      { id: `seat-${index}` },
      el("option", { value: "human" }, "somebody here"),
      ...LEVELS.map((level) => el("option", { value: String(level) }, `the computer, level ${level}`)),
    );
    made.value = String(table.seats[index]);
    made.onchange = () => {
      table.seats[index] = made.value === "human" ? "human" : Number(made.value);
      computer.stop();
      computer.halted = false;
      show();
    };
    return made;
  };
  put(
    seats,
    el("h2", {}, "Who plays"),
    ...table.sides.map((side, index) => el("div", { className: "field" }, el("label", { htmlFor: `seat-${index}` }, side), select(index))),
    el(
      "div",
      { className: "field" },
      el("label", { htmlFor: "real" }, "Dice"),
      el(
        "select",
        {
          id: "real",
          onchange: (event: Event) => {
            table.rolls = (event.target as HTMLSelectElement).value === "own";
            void table.begin().catch(say);
          },
        },
        el("option", { value: "own", selected: table.rolls }, "roll by themselves"),
        el("option", { value: "real", selected: !table.rolls }, "are rolled with a button, or real ones entered"),
      ),
    ),
  );
}

function showOptions(): void {
  const field = (def: (typeof table.defs)[number]) => {
    const select = el("select", { id: `option-${def.name}` }, ...def.values.map((value) => el("option", { value }, value)));
    select.value = table.options[def.name] ?? def.default;
    select.onchange = () => {
      const next = { ...table.options, [def.name]: select.value };
      if (select.value === def.default) delete next[def.name];
      void play(table.script, next);
    };
    return el("div", { className: "field" }, el("label", { htmlFor: select.id }, def.name), select, el("small", {}, def.why));
  };
  put(options, table.defs.length > 0 && el("h2", {}, "Options"), ...table.defs.map(field));
}

/** Plays a script. */
async function play(script: Script, chosen: Record<string, string> = {}, from: { position?: string; record?: string } = {}): Promise<void> {
  computer.stop();
  computer.halted = false;
  put(get("notice"));
  await table.play(script, chosen, from);
  if (script.text === undefined) file = undefined;
  get<HTMLSelectElement>("variant").value = script.text === undefined ? script.variant : (file ?? OWN);
  put(about, table.about);
  document.title = `${table.title} - Astragal Studio`;
  showSeats();
  showOptions();
  const [{ text }, source] = await Promise.all([
    table.engine.ask<{ text: string }>("rules", table.named()),
    table.engine.ask<{ text: string }>("source", { variant: script.variant }),
  ]);
  put(rules, text);
  editor.text = source.text;
}

async function shareLink(): Promise<void> {
  const shown = table.shown;
  if (!shown) return;
  const own = table.script.text === undefined ? { variant: table.script.variant } : { text: table.script.text };
  const shared: Shared = { version: 1, ...own, options: table.options };
  if (shown.course.record !== undefined) shared.record = shown.course.record;
  const address = `${location.href.split("#")[0]}#${await pack(shared)}`;
  const field = (label: string, text: string) => {
    const area = el("textarea", { readOnly: true, value: text, "aria-label": label, onfocus: () => area.select() });
    return [el("p", {}, label), area];
  };
  await ask<void>("Whoever opens this link goes on with this game. Nothing is sent anywhere: the game is in the link.", (done) => [
    ...field("The link", address),
    ...field("For another page", `<iframe src="${address}" width="900" height="700" title="${table.title.replaceAll(/["<>&]/g, "")}"></iframe>`),
    el(
      "div",
      { className: "row" },
      el("button", { type: "button", className: "main", onclick: () => void navigator.clipboard.writeText(address).then(() => done(undefined)) }, "Copy the link"),
      el("button", { type: "button", onclick: () => done(undefined) }, "Close"),
    ),
  ]);
}

/** Lets a text be saved as a file. */
function save(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function saveAs(): Promise<void> {
  const shown = table.shown;
  if (!shown) return;
  const name = table.script.variant.replace(/\.rhai$/, "");
  const answer = await choose("What is to be saved?", ["The game (PGN)", "The position (FEN)", "The picture (SVG)", "The script"]);
  if (answer === "The game (PGN)") save(`${name}.pgn`, shown.course.record ?? "", "application/x-chess-pgn");
  if (answer === "The position (FEN)") save(`${name}.fen`, `${shown.status.position}\n`, "text/plain");
  if (answer === "The picture (SVG)") save(`${name}.svg`, shown.picture.svg, "image/svg+xml");
  if (answer === "The script") save(`${name}.rhai`, editor.text, "text/plain");
}

async function openFile(given: File): Promise<void> {
  const text = await given.text();
  if (given.name.endsWith(".rhai")) {
    file = undefined;
    editor.text = text;
    tabs.open("Script");
    return play({ variant: OWN, text });
  }
  const variant = /\[Variant "([^"]*)"\]/.exec(text)?.[1];
  const known = [...get<HTMLSelectElement>("variant").options].some((option) => option.value === variant);
  await play(variant && known ? { variant } : table.script, {}, { record: text });
}

/** Plays a script of the folder. */
async function playFile(name: string): Promise<void> {
  if (!folder) return;
  const text = await folder.read(name);
  file = name;
  editor.text = text;
  await play({ variant: OWN, text });
}

/** A file has changed: the game goes on with the new rules where they allow what has happened. */
async function reload(name: string): Promise<void> {
  listGames();
  if (!folder || name !== file) return;
  const text = await folder.read(name);
  if (text === editor.text) return;
  const record = table.shown?.course.record;
  editor.text = text;
  try {
    await play({ variant: OWN, text }, table.options, record === undefined ? {} : { record });
  } catch {
    await play({ variant: OWN, text });
    say(new Error("The script has changed so that the game cannot go on: a new one has begun."));
  }
}

async function saveFile(text: string): Promise<void> {
  if (!folder) return;
  const field = el("input", { type: "text", value: file ?? "my-game.rhai", "aria-label": "Name of the file" });
  const name = await ask<string>(`The file's name in ${folder.path}; it ends in .rhai.`, (done) => [
    field,
    el(
      "div",
      { className: "row" },
      el("button", { type: "button", className: "main", onclick: () => done(field.value.trim()) }, "Save"),
      el("button", { type: "button", onclick: () => done(undefined) }, "Cancel"),
    ),
  ]);
  if (!name) return;
  await folder.write(name, text);
  file = name;
  listGames();
}

let shipped: HTMLOptionElement[] = [];

/** The list of games, with those of the folder. */
function listGames(): void {
  const list = get<HTMLSelectElement>("variant");
  const own = folder?.scripts.map((script) => el("option", { value: script.name }, script.name)) ?? [];
  put(
    list,
    own.length > 0 && el("optgroup", { label: "In the folder" }, ...own),
    el("optgroup", { label: "Come with the program" }, ...shipped),
    el("option", { value: OWN, disabled: true }, "A script of your own"),
  );
  list.value = table.script.text === undefined ? table.script.variant : (file ?? OWN);
}

async function begin(): Promise<void> {
  const panel = (...children: Node[]) => el("div", {}, ...children);
  tabs.add("Game", panel(about, turns, beside, seats, options));
  tabs.add("Rules", panel(rules));
  tabs.add("Odds", odds.panel);
  tabs.add("Script", editor.panel);
  tabs.add("Lab", lab.panel);
  const list = get<HTMLSelectElement>("variant");
  list.onchange = () => {
    const inFolder = folder?.scripts.some((script) => script.name === list.value);
    void (inFolder ? playFile(list.value) : play({ variant: list.value })).catch(say);
  };
  get("new").onclick = () => {
    computer.stop();
    computer.halted = false;
    void table.begin().catch(say);
  };
  get("undo").onclick = () => {
    computer.stop();
    void table.undo().catch(say);
  };
  get("redo").onclick = () => void table.redo().catch(say);
  get("stop").onclick = () => computer.stop();
  get("flip").onclick = () => {
    table.flipped = !table.flipped;
    get("flip").setAttribute("aria-pressed", String(table.flipped));
    void table.again().catch(say);
  };
  get("share").onclick = () => void shareLink().catch(say);
  get("save").onclick = () => void saveAs();
  const chooser = get<HTMLInputElement>("file");
  get("open").onclick = () => chooser.click();
  chooser.onchange = () => {
    const chosen = chooser.files?.[0];
    if (chosen) void openFile(chosen).catch(say);
    chooser.value = "";
  };
  window.onhashchange = () => void opened().catch(say);
  folder = await Folder.find();
  const named = new URLSearchParams(location.search).get("script");
  try {
    await (named && folder ? playFile(named) : opened());
  } catch (error) {
    await play({ variant: "dice-chess" });
    say(error);
  }
  shipped = (await table.variants()).filter((one) => !one.error).map((one) => el("option", { value: one.name }, one.title));
  listGames();
  if (folder) {
    editor.saves((text) => saveFile(text));
    folder.watch((name) => void reload(name).catch(say));
  }
  editor.known((await table.engine.ask<{ functions: Entry[] }>("reference", {})).functions);
}

/** What the address asks for. */
async function opened(): Promise<void> {
  const shared = await unpack(location.hash);
  if (!shared) return play({ variant: "dice-chess" });
  const from = { ...(shared.record !== undefined && { record: shared.record }), ...(shared.position !== undefined && { position: shared.position }) };
  const script = shared.text === undefined ? { variant: shared.variant ?? "dice-chess" } : { variant: OWN, text: shared.text };
  await play(script, shared.options ?? {}, from);
}

// The program is there without a network anyhow.
if ("serviceWorker" in navigator && !isLocal()) {
  void navigator.serviceWorker.register("offline.js").catch(() => {});
}
void begin().catch(say);
