// The page: builds its parts and connects them.

import { Analysis } from "./analysis";
import { Computer } from "./computer";
import { CoursePanel } from "./course";
import { Decisions } from "./decisions";
import { el, get, put } from "./dom";
import { Engine } from "./engine";
import { receiveFiles } from "./files";
import { Folder, isLocal } from "./folder";
import { GameList } from "./game_list";
import { Gone } from "./gone";
import { Lab } from "./lab";
import { type Choice, Looks } from "./looks";
import { Mails } from "./mail";
import { MailPanel } from "./mail_panel";
import { MyGames } from "./my_games";
import { clearNotice, say, warn } from "./notice";
import { here, pass, stay } from "./place";
import { Odds } from "./odds";
import { Options } from "./options";
import { pictureAddress } from "./picture";
import { Legend } from "./pieces";
import { Players } from "./players";
import type { Picture } from "./protocol";
import { Reason } from "./reason";
import { type Section, aboutGame, rulebook } from "./rules";
import { ScriptEditor } from "./script";
import { Seats } from "./seats";
import { Session } from "./session";
import { shareDialog } from "./share_dialog";
import { Sounds } from "./sounds";
import { Splitter } from "./splitter";
import { Start, loadCards } from "./start";
import { awaited, happened } from "./status";
import { Store } from "./store";
import { OWN, Table } from "./table";
import { Tests } from "./tests";
import { Walk } from "./walk";
import { Wizard } from "./wizard";
import { readScript } from "./wizard_reader";
import { Values } from "./values";
import { type View, Workspaces, isView } from "./workspaces";

/** The shares of the panes in percent, until the user changes them: the left one, and the board above the tabs. */
const PANES: Partial<Record<View, { x: number; y: number }>> = { write: { x: 67, y: 60 }, study: { x: 38, y: 50 } };

const table = new Table(new Engine(), (moved) => show(moved));
// A board in another page keeps nothing.
const store = new Store((problem) => void (session.games.isOff || warn("unstored", problem)));
const spaces = new Workspaces((view) => void enter(view).catch(say), seen);
const splitters = { x: new Splitter(get("split-x"), "x"), y: new Splitter(get("split-y"), "y") };
const openLine = (line: number) => {
  spaces.open("Script");
  editor.goTo(line);
};
const editor = new ScriptEditor(
  new Engine(),
  async (text) => {
    await session.playText(text);
    spaces.open("Game");
  },
  (text) => void session.continueWith(text).catch(say),
  () => session.changed(),
);
const values = new Values(
  new Engine(),
  table,
  (squares) => decisions.board.markValues(squares),
  (file) => [computer, odds, analysis, lab].forEach(({ engine }) => engine.add("table", file)),
);
const odds = new Odds(new Engine(), new Engine(), table, (chances) => decisions.board.markChances(chances));
const reason = new Reason(new Engine(), table, openLine);
const walk = new Walk(new Engine(), table, openLine);
const legend = new Legend(table.engine, table);
const gone = new Gone(table, legend);
const sounds = new Sounds();
const looks = new Looks((choice) => void look(choice).catch(say));
const tests = new Tests(new Engine(), table, store, (lines) => editor.paint(lines));
const trained = { has: () => players.has, ready: () => players.ready() };
const lab = new Lab(new Engine(), table, trained);
const analysis = new Analysis(new Engine(), table, (events, line) => {
  computer.stop();
  void table.goToEvent(events, line).catch(say);
}, trained);
const course = new CoursePanel(
  table,
  (turn) => {
    computer.stop();
    void table.goToEvent(turn.events).catch(say);
  },
  say,
);
const seats = new Seats(table, gone.rows, () => players.has, seated);
const players = new Players(
  new Engine(),
  table,
  store,
  (name) => start.hasTrained(name),
  (file, rules) => [computer, analysis, lab].forEach(({ engine }) => engine.add("player", file, rules)),
  () => {
    seats.show();
    analysis.offerTrained();
    lab.show();
  },
  () => {
    seats.choose("learned");
    spaces.show("play");
  },
);
const options = new Options(table, (chosen) => void session.setOptions(chosen).catch(say));
const computer = new Computer(new Engine(), table, (thinking, error) => {
  get("stop").hidden = !thinking;
  if (error) say(error);
  // The next decision is then for the user, or for the computer when the user lets it continue.
  if (computer.halted) show(false);
}, () => players.ready());
const decisions = new Decisions(table, computer, legend, reason, odds, () => session.seated());
const mails = new Mails(new Engine(), store);
const session = new Session(
  table,
  editor,
  tests,
  store,
  mails,
  {
    leaves: () => {
      computer.cancel();
      clearNotice();
      reason.close();
      decisions.dice.begin();
    },
    begun,
    listed,
    edits: () => spaces.open("Script"),
    // It may be another player's turn to look.
    returned: () => decisions.cover(),
  },
  first,
);
const mailPanel = new MailPanel(table, mails, session);
const games = new GameList((name) => void session.choose(name, table.rollsAlone).catch(say));
const myGames = new MyGames(session);
const wizard = new Wizard(store, () => table.letters, {
  play: async (text) => {
    await session.play({ variant: OWN, text });
    spaces.open("Game");
  },
  edit: (text) => session.edit(text),
});
const begins = (text: string, act: () => void, className = "") => el("button", { className, onclick: act }, text);
const start = new Start(
  (name) => void playCard(name).catch(say),
  (id) => void continueGame(id).catch(say),
  [begins("Make a game", () => wizard.button.click(), "main"), begins("Open a script", () => get("open").click()), begins("My games", () => myGames.button.click())],
);
const beside = el("pre", { className: "drawn" });
const rules = el("div");
const about = el("div");

/** Other players have been chosen. */
function seated(): void {
  computer.cancel();
  session.seated();
  void table.seated().catch(say);
}

/** Opens a script, a game or a trained player. */
async function openFile(file: File): Promise<void> {
  if (await Players.isFile(file)) await players.open(file);
  else await session.openFile(file);
}

/** Shows the current state of the game. */
function show(moved: boolean): void {
  const shown = table.shown;
  const { line, secret } = awaited(table);
  put(get("status"), el("strong", {}, line), el("small", {}, [happened(table), secret].filter(Boolean).join(" ")));
  put(get("hint"), mailPanel.advice);
  decisions.show();
  mailPanel.show(get("choices"));
  announce();
  course.show();
  put(beside, shown?.picture.beside.join("\n"));
  gone.show();
  sounds.follow(shown);
  analysis.show();
  get<HTMLButtonElement>("undo").disabled = !table.canUndo;
  get<HTMLButtonElement>("redo").disabled = !table.canRedo;
  get("flip").setAttribute("aria-pressed", String(table.flipped));
  if (moved) {
    reason.close();
    odds.moved();
    values.moved();
    walk.moved();
  }
  session.changed();
  void computer.go();
}

/** Announces the last turn to screen reader users. */
function announce(): void {
  const last = table.shown?.course.turns.findLast((turn) => turn.text);
  const text = last ? `${table.side(last.side)}: ${last.text}` : "";
  if (get("said").textContent !== text) put(get("said"), text);
}

/** Shows the texts of another script at the board. */
async function begun(): Promise<void> {
  listed();
  seats.show();
  analysis.offerTrained();
  lab.show();
  players.show();
  put(about, ...aboutGame(table.about));
  document.body.dataset["title"] = table.title;
  document.title = [table.title, "Astragal Studio"].filter(Boolean).join(" - ");
  options.show();
  if (spaces.view === "start") spaces.show("play");
  put(rules);
  if (!table.shown) return;
  const [{ sections }, start] = await Promise.all([table.engine.ask<{ sections: Section[] }>("rules", table.named()), table.engine.ask<Picture>("draw", { ...table.named(), letters: table.letters })]);
  rulebook(rules, sections, pictureAddress(start.svg));
  await legend.show();
  gone.show();
}

/** Shows or plays what the user has chosen; pictures have their colors already. */
async function look(changed?: Choice): Promise<void> {
  sounds.isOn = looks.is("sounds", "on");
  if (changed === "sounds" && sounds.isOn) sounds.play("move");
  table.letters = looks.is("pieces", "letters");
  if (changed !== "pieces" || !table.shown) return;
  await table.again();
  await begun();
}

/** Updates the list of games. */
function listed(): void {
  games.show(session.folder?.scripts.map((script) => script.name) ?? [], session.current);
}

/** Gives the panes of a view their sizes, and remembers it in the history of the tab. */
function seen(view: View): void {
  const panes = PANES[view];
  if (panes) {
    splitters.x.use(`${view}-x`, panes.x);
    splitters.y.use(`${view}-y`, panes.y);
  }
  const before = here().view;
  if (before === view) return;
  // Back leads from the start page to the game before, and from a game to the start page.
  if (before === "start" || (before !== undefined && view === "start")) pass({ view });
  else stay({ view });
}

/** Goes to a view. A workspace without a game continues the last one. */
async function enter(view: View): Promise<void> {
  spaces.show(view);
  if (view === "start") await showKept();
  else if (table.shown) session.games.mark();
  else if (!session.isBusy) await arrive(null);
}

/** Goes to what the current entry of the tab's history shows. */
async function traverse(): Promise<void> {
  const { view } = here();
  spaces.show(isView(view) ? view : spaces.last);
  if (view !== "start") await session.traverse();
  await enter(spaces.view);
}

/** Opens what the tab or its address asks for, or the last game. */
async function arrive(named: string | null): Promise<void> {
  try {
    await session.arrive(named);
  } catch (error) {
    await session.play({ variant: await first() });
    say(error);
  }
}

/** Shows the games to continue on the start page. */
async function showKept(): Promise<void> {
  await session.games.slot.recover();
  start.showKept(await session.games.list());
}

/** Continues a game of the start page. */
async function continueGame(id: string): Promise<void> {
  spaces.show(spaces.last);
  if (id !== session.games.slot.id || !table.shown) await session.open(id);
  else session.games.mark();
}

/** Plays a game of the start page. */
async function playCard(name: string): Promise<void> {
  spaces.show("play");
  await session.choose(name, true);
}

/** Fills the workspaces. */
function fillWorkspaces(): void {
  const panel = (...children: (Node | string)[]) => el("div", {}, ...children);
  course.panel.className = "course";
  spaces.add("Game", panel(seats.panel, el("h2", {}, "Turns"), course.panel, beside, about), ["play"]);
  spaces.add("Options", options.panel, ["play"]);
  spaces.add("Script", editor.panel, [], "write");
  spaces.add("Tests", tests.panel, ["write"]);
  spaces.add("Rules", panel(rules), ["play", "write"]);
  spaces.add("Pieces", panel(el("h2", {}, "Pieces"), legend.panel), ["play", "write"]);
  spaces.add("Looks", looks.panel, ["play"]);
  spaces.add("Analysis", panel(el("h2", {}, "Analysis"), analysis.panel), [], "study");
  spaces.add("Odds", panel(el("h2", {}, "Odds"), odds.panel), [], "study");
  spaces.add("Values", panel(el("h2", {}, "Exact values"), values.panel), [], "study");
  spaces.add("Training", panel(el("h2", {}, "Trained player"), players.panel), [], "study");
  spaces.add("Trace", panel(el("h2", {}, "Rule trace"), walk.panel), [], "study");
  spaces.add("Lab", panel(el("h2", {}, "Lab"), lab.panel), [], "study");
}

/** Connects the buttons of the page. */
function connect(): void {
  const button = (id: string, act: () => void | Promise<void>) => {
    get(id).onclick = () => void (async () => act())().catch(say);
  };
  get("new").after(wizard.button, myGames.button);
  get("actions").onclick = () => get("menu").setAttribute("aria-expanded", "false");
  get("menu").onclick = () => get("menu").setAttribute("aria-expanded", String(get("menu").getAttribute("aria-expanded") !== "true"));
  button("new", () => session.anew());
  button("undo", () => {
    computer.stop();
    return table.undo();
  });
  button("redo", () => table.redo());
  button("stop", () => computer.stop());
  button("flip", () => {
    table.flipped = !table.flipped;
    session.changed();
    return table.again();
  });
  button("share", () => shareDialog(table, editor.text, () => mailPanel.start(), (hash) => session.openLink(hash, false)));
  receiveFiles((file) => void openFile(file).catch(say));
  // A link that the user follows has no state yet; both events may come.
  window.onhashchange = () => void (history.state === null && session.openLink().catch(say));
  window.onpopstate = () => void (history.state !== null && traverse().catch(say));
  window.onbeforeunload = (event) => {
    if (!store.isComplete) event.preventDefault();
  };
}

/** Shows the games that the page comes with. Without their list, everything else works, and the engine has their names. */
async function showCards(): Promise<void> {
  try {
    const { games: cards, pictures } = await loadCards();
    start.show(cards, pictures);
    games.include(cards);
  } catch (error) {
    warn("no-list", error);
    void table.variants().then((all) => (games.include(all), listed()), say);
  }
}

/** The game that is played if nothing else is asked for. */
async function first(): Promise<string> {
  return start.first || ((await table.variants())[0]?.name ?? "");
}

async function begin(): Promise<void> {
  fillWorkspaces();
  connect();
  await look();
  editor.offers("Change in the wizard", (text) => readScript(text) !== undefined, (text) => void wizard.take(text).catch(say));
  const named = new URLSearchParams(location.search).get("script");
  const { view } = here();
  const isCalled = isView(view) ? view !== "start" : location.hash.length > 1 || named !== null;
  spaces.show(isView(view) ? view : named !== null ? "write" : isCalled ? "play" : "start");
  const [folder] = await Promise.all([Folder.find(), showCards()]);
  session.folder = folder;
  start.showFolder(folder?.scripts.map((script) => script.name) ?? []);
  if (isCalled) await arrive(named);
  else await showKept();
  listed();
  // The engine is compiled while the user looks at the cards.
  if (!isCalled) void first().then((name) => table.engine.ask("load", { name })).catch(() => {});
  if (folder) {
    editor.saves((text) => session.saveFile(text));
    folder.watch((name) => void session.reload(name).catch(say));
  }
}

// The local program is available without a network anyway.
if ("serviceWorker" in navigator && !isLocal()) {
  void navigator.serviceWorker.register("offline.js").catch(() => {});
}
void begin().catch(say);
