// The page: its parts, and the connections between them.

import { Board, isEmpty } from "./board";
import { Computer } from "./computer";
import { CoursePanel } from "./course";
import { ask, choose } from "./dialog";
import { pictureAddress } from "./diagram";
import { Dice } from "./dice";
import { el, get, put, words } from "./dom";
import { Engine, Stopped } from "./engine";
import { saveAs } from "./files";
import { Folder, isLocal } from "./folder";
import { Lab } from "./lab";
import { type Move, sortMoves } from "./moves";
import { Odds } from "./odds";
import { Legend } from "./pieces";
import type { GameEvent, Pending, Picture } from "./protocol";
import { rulebook } from "./rules";
import { ScriptEditor } from "./script";
import { Seats } from "./seats";
import { awaited, happened } from "./status";
import { pack, unpack, type Shared } from "./share";
import { OWN, Table, type Script } from "./table";
import { Tabs } from "./tabs";
import { FolderTests } from "./test_store";
import { Tests } from "./tests";
import { Walk } from "./walk";
import { Wizard } from "./wizard";

const table = new Table(new Engine(), () => show());
const thinker = new Engine();
const counter = new Engine();
const checker = new Engine();
const simulator = new Engine();
const tester = new Engine();

const tabs = new Tabs();
const editor = new ScriptEditor(
  checker,
  async (text) => {
    await play({ variant: OWN, text });
    tabs.open("Game");
  },
  (text) => void goOnWith(text).catch(say),
);
const odds = new Odds(
  counter,
  new Engine(),
  table,
  (line) => {
    tabs.open("Script");
    editor.goTo(line);
  },
  (chances) => board.markChances(chances),
);
const walk = new Walk(new Engine(), table, (line) => {
  tabs.open("Script");
  editor.goTo(line);
});
const legend = new Legend(table.engine, table);
const tests = new Tests(tester, table, (lines) => editor.paint(lines));
const lab = new Lab(simulator, table);
const dice = new Dice(table, (event) => happen(event), say);
const course = new CoursePanel(
  table,
  (turn) => {
    computer.stop();
    void table.goToTurn(turn).catch(say);
  },
  say,
);
const seats = new Seats(
  table,
  () => {
    computer.cancel();
    void table.seated().catch(say);
  },
  (options) => void mayEnd().then((may) => (may ? play(table.script, options).catch(say) : seats.show())),
);
const computer = new Computer(thinker, table, (thinking, error) => {
  get("stop").hidden = !thinking;
  if (error) say(error);
  // The next decision is then for the user, or for the computer when the user lets it continue.
  if (computer.halted) show();
});
const wizard = new Wizard({
  play: async (text) => {
    file = undefined;
    await play({ variant: OWN, text });
    tabs.open("Game");
  },
  edit: (text) => {
    file = undefined;
    editor.text = text;
    tabs.open("Script");
  },
});
let folder: Folder | undefined;
/** The current script, if it is a file of the folder. */
let file: string | undefined;
let looked: ReturnType<typeof setTimeout> | undefined;
let lookedAt = false;
const board = new Board(get("board"), {
  move: (moves) => void make(moves),
  choose: (square) => void happen({ choice: square }),
  refused: (from, to) => refused(from, to),
  look: (move) => {
    clearTimeout(looked);
    if (move) looked = setTimeout(() => void odds.ofMove(move.text), 250);
    else if (lookedAt) void odds.danger();
    lookedAt = move !== undefined;
  },
});

/** Shows an error. */
function say(error: unknown): void {
  if (error instanceof Stopped) return;
  put(get("notice"), words(error));
}

/** Whether the page decides the next event. */
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
    say(error);
  }
}

/** Makes a move. If several lead to the same square, asks which one, for example for a promotion. */
async function make(moves: Move[]): Promise<void> {
  const [first] = moves;
  if (!first) return;
  if (moves.length === 1) return happen({ move: first.text });
  const rest = (move: Move) => move.rest.replace(/^=/, "");
  const became = (move: Move) => (rest(move) && (legend.names.get(rest(move).toUpperCase()) ?? rest(move))) || "no promotion";
  const alike = moves.every((move) => move.rest === first.rest);
  const label = (move: Move) => (alike ? (move.dice ?? became(move)) : became(move) + (move.dice === undefined ? "" : `, paid by ${move.dice}`));
  // The strongest piece first: the one with the most moves.
  const strength = (move: Move) => legend.strengths.get(rest(move).toUpperCase()) ?? -1;
  const all = [...moves].sort((a, b) => strength(b) - strength(a));
  const only = await board.pick(first.to, alike && first.dice !== undefined ? "Which die pays?" : "Which?", all.map((move) => ({ text: move.text, label: label(move) })));
  if (only) await happen({ move: only });
}

/** Opens a tab for an answer, and scrolls it into view on a narrow screen. */
function answerIn(tab: string): void {
  tabs.open(tab);
  if (get("side").offsetTop > get("table").offsetTop) get("side").scrollIntoView({ block: "nearest" });
}

function refused(from: string, to?: string): void {
  if (!to) {
    const square = table.shown?.picture.squares.find((square) => square.name === from);
    if (!square || isEmpty(square.label)) return;
    answerIn("Odds");
    void odds.whyPiece(from, square.label);
    return;
  }
  answerIn("Odds");
  // Held pieces are named with their side.
  void odds.why(`${from.split(" ").at(-1)}${to}`);
}

/** The choices: alone, or instead of a move. */
function choicesOf(pending: Pending): string[] {
  if (pending.kind === "roll") return [];
  return (pending.kind === "choice" ? pending.options : pending.choices) ?? [];
}

/** The most numbers that are shown as buttons. */
const MANY = 12;

/** A field for one of many numbers. Typed text stays when the same question is drawn again. */
function numberField(numbers: string[], player: string): HTMLElement {
  const all = numbers.map(Number);
  const min = String(Math.min(...all));
  const max = String(Math.max(...all));
  const before = get("choices").querySelector("input");
  const same = before?.dataset["player"] === player && before.min === min && before.max === max;
  const field = el("input", { type: "number", min, max, value: same ? before.value : numbers[0], "aria-label": "Your number" });
  field.dataset["player"] = player;
  const choose = () => {
    if (numbers.includes(field.value)) {
      // The next question may look the same.
      delete field.dataset["player"];
      void happen({ choice: field.value });
    } else say(new Error(`Enter a number from ${field.min} to ${field.max}.`));
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") choose();
  });
  return el("span", { className: "row" }, field, el("button", { type: "button", onclick: choose }, "Choose"));
}

/** Lets the computer continue after it was stopped. */
function goOn(): void {
  computer.cancel();
  if (table.shown?.status.pending?.kind === "roll") void table.roll().catch(say);
  else show();
}

function showChoices(others: string[]): void {
  const pending = table.shown?.status.pending;
  const made: Node[] = [];
  if (pending && isOurs()) {
    const choices = choicesOf(pending);
    const numbers = choices.filter((text) => /^-?\d+$/.test(text));
    // Many numbers get a field instead of buttons.
    const typed = numbers.length > MANY ? numbers : [];
    if (typed.length > 0) made.push(numberField(typed, pending.player));
    const buttons = choices.filter((text) => !typed.includes(text));
    made.push(...buttons.map((text) => el("button", { type: "button", onclick: () => void happen({ choice: text }) }, text)));
    made.push(...others.map((text) => el("button", { type: "button", onclick: () => void happen({ move: text }) }, text)));
    if (pending.kind !== "roll" && pending.pass) {
      made.push(el("button", { type: "button", onclick: () => void happen({ move: "pass" }) }, "Pass"));
    }
    if (computer.halted && table.seat(pending.player) !== "human") made.push(el("button", { type: "button", onclick: goOn }, "Let the computer continue"));
  }
  put(get("choices"), ...made);
}

/** Whether the screen is covered before another player takes it. */
let covered = false;

/** Asks to hand the screen over. The screen is covered first; the next player then uncovers their view. */
function handOver(): void {
  const next = table.handsOver();
  covered = covered && next !== undefined;
  document.body.classList.toggle("covered", covered);
  if (!next) return;
  const [label, then] = covered
    ? [`I am ${table.side(next)}: show the board`, () => void table.look(next).catch(say)]
    : [`Hand over to ${table.side(next)}`, cover];
  put(get("choices"), covered && el("p", {}, `The board is hidden until ${table.side(next)} is ready.`), el("button", { type: "button", className: "main", onclick: then }, label));
}

function cover(): void {
  covered = true;
  handOver();
  get("choices").querySelector("button")?.focus();
}

/** Announces the last turn to screen reader users. */
function announce(): void {
  const last = table.shown?.course.turns.findLast((turn) => turn.text);
  const text = last ? `${table.side(last.side)}: ${last.text}` : "";
  if (get("said").textContent !== text) put(get("said"), text);
}

const beside = el("pre", { className: "drawn" });
const rules = el("div");
const about = el("div");

/** A script's description of its game: sources and readings are folded away, and notes for authors of scripts are left
 * out. */
function aboutGame(text: string): (Node | false)[] {
  const [game = "", sources = ""] = text.replace(/[^.]*\bimport it\b[^.]*\./g, "").split(/\b(?=Sources?: |Readings?: )(.*)/s);
  return [el("p", {}, game.trim()), sources !== "" && el("details", {}, el("summary", {}, "Sources and readings"), el("p", {}, sources.trim()))];
}

function show(): void {
  const shown = table.shown;
  if (!shown) return;
  const pending = shown.status.pending;
  const hadFocus = get("dice").contains(document.activeElement) || get("choices").contains(document.activeElement);
  const ours = isOurs();
  const texts = ours && pending?.kind === "move" ? (pending.options ?? []) : [];
  const { moves, others } = sortMoves(texts, pending?.player ?? "first");
  const squares = new Set(shown.picture.squares.map((square) => square.name));
  const choices = ours && pending ? choicesOf(pending).filter((text) => squares.has(text)) : [];
  board.show(shown.picture, moves, choices);
  const { line, secret } = awaited(table);
  put(get("status"), el("strong", {}, line), el("small", {}, [happened(table), secret].filter(Boolean).join(" ")));
  dice.show(ours);
  showChoices(others);
  handOver();
  announce();
  // The element with the focus has gone: focus the next control.
  if (hadFocus && document.activeElement === document.body) {
    const next = [...get("dice").querySelectorAll<HTMLElement>(".rolling:not([inert]) button"), ...get("choices").querySelectorAll<HTMLElement>("input, button")][0];
    if (next) next.focus();
    else board.focus();
  }
  course.show();
  // Dice are shown above the board.
  put(beside, shown.picture.beside.filter((line) => !line.startsWith("Dice left: ")).join("\n"));
  get<HTMLButtonElement>("undo").disabled = !table.canUndo;
  get<HTMLButtonElement>("redo").disabled = !table.canRedo;
  if (shown !== told) {
    odds.moved();
    walk.moved();
  }
  told = shown;
  void computer.go();
}

let told: typeof table.shown;

/** Plays a script. */
async function play(script: Script, chosen: Record<string, string> = {}, from: { position?: string; record?: string } = {}, changed = false): Promise<void> {
  computer.cancel();
  put(get("notice"));
  dice.begin();
  await table.play(script, chosen, from);
  if (script.text === undefined) file = undefined;
  get<HTMLSelectElement>("variant").value = script.text === undefined ? script.variant : (file ?? OWN);
  put(about, ...aboutGame(table.about));
  document.body.dataset["title"] = table.title;
  document.title = `${table.title} - Astragal Studio`;
  seats.show();
  const [{ text }, source, start] = await Promise.all([
    table.engine.ask<{ text: string }>("rules", table.named()),
    table.engine.ask<{ text: string }>("source", { variant: script.variant }),
    table.engine.ask<Picture>("draw", table.named()),
  ]);
  rulebook(rules, text, pictureAddress(start.svg));
  editor.text = source.text;
  if (!changed) kept = source.text;
  void tests.opened(changed, folder && file ? new FolderTests(folder, file) : undefined);
  void legend.show();
}

/** Continues with another text of the script: the game keeps its moves while they fit. */
async function goOnWith(text: string): Promise<void> {
  if (text === table.script.text) return;
  const record = table.shown?.course.record;
  const script = { variant: OWN, text };
  try {
    await play(script, table.options, record === undefined ? {} : { record }, true);
  } catch {
    await play(script, {}, {}, true);
    say(new Error("The game does not fit the changed script, so a new game has started."));
  }
}

async function shareLink(): Promise<void> {
  const shown = table.shown;
  if (!shown) return;
  const own = table.script.text === undefined ? { variant: table.script.variant } : { text: table.script.text };
  const shared: Shared = { version: 1, ...own, options: table.options };
  const record = shown.course.record;
  if (record !== undefined) shared.record = record;
  const page = location.href.split("#")[0];
  const address = `${page}#${await pack(shared)}`;
  const diagram = `${page}#${await pack({ ...shared, diagram: true })}`;
  const what = record === undefined ? "starts a new game, because the moves of this game would reveal secrets" : "continues this game";
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

/** The text of the script that is saved outside the editor. */
let kept = "";

/** Whether the script in the editor may be discarded: it is unchanged, or the user agrees. */
async function mayLeave(question: string, leave: string): Promise<boolean> {
  return editor.text === kept || (await choose(question, [leave])) === leave;
}

/** Whether the current game may end: it has no moves by the user, it is over, or the user agrees. */
async function mayEnd(): Promise<boolean> {
  return !table.isUnderWay || (await choose("The current game will end without being saved.", ["End the game"])) === "End the game";
}

const UNSAVED = "You have unsaved changes to the script.";

async function openFile(given: File): Promise<void> {
  if (!(await mayLeave(UNSAVED, "Discard changes"))) return;
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

/** Handles a changed file: the game continues with the new rules if they allow its events. */
async function reload(name: string): Promise<void> {
  listGames();
  if (!folder || name !== file) return;
  const text = await folder.read(name);
  if (text === editor.text) {
    kept = text;
    return;
  }
  if (!(await mayLeave(`${name} has changed on disk, but you have unsaved changes here.`, "Discard changes"))) return;
  editor.text = text;
  kept = text;
  await goOnWith(text);
}

async function saveFile(text: string): Promise<void> {
  if (!folder) return;
  const field = el("input", { type: "text", value: file ?? "my-game.rhai", "aria-label": "File name" });
  const name = await ask<string>(`Save in ${folder.path} as (a name that ends in .rhai):`, (done) => [
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
  kept = text;
  const files = new FolderTests(folder, name);
  if (file === undefined && table.script.text === text) await tests.saved(files);
  else if (name !== file) await tests.opened(false, files);
  file = name;
  listGames();
}

let shipped: HTMLOptionElement[] = [];

/** Fills the list of games, including those of the folder. */
function listGames(): void {
  const list = get<HTMLSelectElement>("variant");
  const own = folder?.scripts.map((script) => el("option", { value: script.name }, script.name)) ?? [];
  put(
    list,
    own.length > 0 && el("optgroup", { label: "In the folder" }, ...own),
    el("optgroup", { label: "Included games" }, ...shipped),
    el("option", { value: OWN, disabled: true }, "Your script"),
  );
  list.value = table.script.text === undefined ? table.script.variant : (file ?? OWN);
}

/** Handles the choice of another game from the list. */
async function chosen(name: string): Promise<void> {
  if (!(await mayLeave(UNSAVED, "Discard changes")) || !(await mayEnd())) return listGames();
  await (folder?.scripts.some((script) => script.name === name) ? playFile(name) : play({ variant: name }));
}

async function begin(): Promise<void> {
  const panel = (...children: Node[]) => el("div", {}, ...children);
  tabs.add("Game", panel(about, course.panel, beside, seats.panel));
  tabs.add("Rules", panel(rules));
  tabs.add("Pieces", legend.panel);
  tabs.add("Odds", panel(odds.panel, el("h2", {}, "Rule trace"), walk.panel));
  tabs.add("Script", editor.panel);
  tabs.add("Tests", tests.panel);
  tabs.add("Lab", lab.panel);
  const list = get<HTMLSelectElement>("variant");
  list.onchange = () => {
    void chosen(list.value).catch(say);
  };
  get("new").after(wizard.button);
  get("new").onclick = async () => {
    if (!(await mayEnd())) return;
    computer.cancel();
    dice.begin();
    void table.begin().catch(say);
  };
  window.onbeforeunload = (event) => {
    if (table.isUnderWay) event.preventDefault();
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
  get("save").onclick = () => void saveAs(table, editor.text).catch(say);
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
}

/** Opens the game that the URL asks for. */
async function opened(): Promise<void> {
  const shared = await unpack(location.hash);
  document.body.classList.toggle("diagram-page", shared?.diagram === true);
  if (!shared) return play({ variant: "dice-chess" });
  const from = { ...(shared.record !== undefined && { record: shared.record }), ...(shared.position !== undefined && { position: shared.position }) };
  const script = shared.text === undefined ? { variant: shared.variant ?? "dice-chess" } : { variant: OWN, text: shared.text };
  await play(script, shared.options ?? {}, from);
}

// The local program is available without a network anyway.
if ("serviceWorker" in navigator && !isLocal()) {
  void navigator.serviceWorker.register("offline.js").catch(() => {});
}
void begin().catch(say);
