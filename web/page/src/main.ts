// The page: builds its parts and connects them.

import { Computer } from "./computer";
import { CoursePanel } from "./course";
import { Decisions } from "./decisions";
import { pictureAddress } from "./diagram";
import { el, get, put } from "./dom";
import { Engine } from "./engine";
import { saveAs } from "./files";
import { Folder, isLocal } from "./folder";
import { GameList } from "./game_list";
import { Lab } from "./lab";
import { MyGames } from "./my_games";
import { clearNotice, say, warn } from "./notice";
import { Odds } from "./odds";
import { Legend } from "./pieces";
import type { Picture } from "./protocol";
import { aboutGame, rulebook } from "./rules";
import { ScriptEditor } from "./script";
import { Seats } from "./seats";
import { Session } from "./session";
import { shareGame } from "./share";
import { awaited, happened } from "./status";
import { Store } from "./store";
import { OWN, Table } from "./table";
import { Tabs } from "./tabs";
import { Tests } from "./tests";
import { Walk } from "./walk";
import { Wizard } from "./wizard";

const table = new Table(new Engine(), (moved) => show(moved));
// A board in another page keeps nothing.
const store = new Store((problem) => void (session.games.isOff || warn(problem)));
const tabs = new Tabs();
const openLine = (line: number) => {
  tabs.open("Script");
  editor.goTo(line);
};
const editor = new ScriptEditor(
  new Engine(),
  async (text) => {
    await session.playText(text);
    tabs.open("Game");
  },
  (text) => void session.continueWith(text).catch(say),
  () => session.changed(),
);
const odds = new Odds(new Engine(), new Engine(), table, openLine, (chances) => decisions.board.markChances(chances));
const walk = new Walk(new Engine(), table, openLine);
const legend = new Legend(table.engine, table);
const tests = new Tests(new Engine(), table, store, (lines) => editor.paint(lines));
const lab = new Lab(new Engine(), table);
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
    session.seated();
    void table.seated().catch(say);
  },
  (options) => void session.setOptions(options).catch(say),
);
const computer = new Computer(new Engine(), table, (thinking, error) => {
  get("stop").hidden = !thinking;
  if (error) say(error);
  // The next decision is then for the user, or for the computer when the user lets it continue.
  if (computer.halted) show(false);
});
const answer = () => {
  tabs.open("Odds");
  // On a narrow screen, the answer is below the board.
  if (get("side").offsetTop > get("table").offsetTop) get("side").scrollIntoView({ block: "nearest" });
};
const decisions = new Decisions(table, computer, legend, odds, answer, () => session.seated());
const session = new Session(table, editor, tests, store, {
  leaves: () => {
    computer.cancel();
    clearNotice();
    decisions.dice.begin();
  },
  begun,
  listed,
  edits: () => tabs.open("Script"),
  // It may be another player's turn to look.
  returned: () => decisions.cover(),
});
const games = new GameList((name) => void session.choose(name).catch(say));
const myGames = new MyGames(session);
const wizard = new Wizard(store, {
  play: async (text) => {
    await session.play({ variant: OWN, text });
    tabs.open("Game");
  },
  edit: (text) => session.edit(text),
});
const beside = el("pre", { className: "drawn" });
const rules = el("div");
const about = el("div");

/** Shows the current state of the game. */
function show(moved: boolean): void {
  const shown = table.shown;
  const { line, secret } = awaited(table);
  put(get("status"), el("strong", {}, line), el("small", {}, [happened(table), secret].filter(Boolean).join(" ")));
  decisions.show();
  announce();
  course.show();
  // Dice are shown above the board.
  put(beside, shown?.picture.beside.filter((line) => !line.startsWith("Dice left: ")).join("\n"));
  get<HTMLButtonElement>("undo").disabled = !table.canUndo;
  get<HTMLButtonElement>("redo").disabled = !table.canRedo;
  get("flip").setAttribute("aria-pressed", String(table.flipped));
  if (moved) {
    odds.moved();
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
  put(about, ...aboutGame(table.about));
  document.body.dataset["title"] = table.title;
  document.title = [table.title, "Astragal Studio"].filter(Boolean).join(" - ");
  put(rules);
  if (!table.shown) return;
  const [{ text }, start] = await Promise.all([table.engine.ask<{ text: string }>("rules", table.named()), table.engine.ask<Picture>("draw", table.named())]);
  rulebook(rules, text, pictureAddress(start.svg));
  void legend.show();
}

/** Updates the list of games. */
function listed(): void {
  games.show(session.folder?.scripts.map((script) => script.name) ?? [], session.current);
}

/** Fills the tabs. */
function fillTabs(): void {
  const panel = (...children: Node[]) => el("div", {}, ...children);
  tabs.add("Game", panel(about, course.panel, beside, seats.panel));
  tabs.add("Rules", panel(rules));
  tabs.add("Pieces", legend.panel);
  tabs.add("Odds", panel(odds.panel, el("h2", {}, "Rule trace"), walk.panel));
  tabs.add("Script", editor.panel);
  tabs.add("Tests", tests.panel);
  tabs.add("Lab", lab.panel);
}

/** Connects the buttons of the page. */
function connect(): void {
  const button = (id: string, act: () => void | Promise<void>) => {
    get(id).onclick = () => void (async () => act())().catch(say);
  };
  get("new").after(wizard.button, myGames.button);
  button("new", () => session.anew());
  button("undo", () => {
    computer.stop();
    return table.undo();
  });
  button("redo", () => table.redo());
  button("stop", () => computer.stop());
  button("flip", () => {
    table.flipped = !table.flipped;
    return table.again();
  });
  button("share", () => shareGame(table));
  button("save", () => saveAs(table, editor.text));
  const chooser = get<HTMLInputElement>("file");
  button("open", () => chooser.click());
  chooser.onchange = () => {
    const chosen = chooser.files?.[0];
    if (chosen) void session.openFile(chosen).catch(say);
    chooser.value = "";
  };
  // A link that the user follows has no state yet; both events may come.
  window.onhashchange = () => void (history.state === null && session.openLink().catch(say));
  window.onpopstate = () => void (history.state !== null && session.traverse().catch(say));
  window.onbeforeunload = (event) => {
    if (!store.isComplete) event.preventDefault();
  };
}

async function begin(): Promise<void> {
  fillTabs();
  connect();
  const folder = await Folder.find();
  session.folder = folder;
  const named = new URLSearchParams(location.search).get("script");
  try {
    await session.arrive(named);
  } catch (error) {
    await session.play({ variant: "dice-chess" });
    say(error);
  }
  games.include((await table.variants()).filter((one) => !one.error));
  listed();
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
