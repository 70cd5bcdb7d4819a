// What is played and edited: the script at the board, its file, and the text in the editor that is not saved yet. Opens
// games, files and links, continues a game with a changed script, and keeps everything as it changes.

import { askText, choose } from "./dialog";
import { words } from "./dom";
import type { Folder } from "./folder";
import { type KeptGame, KeptGames } from "./kept_games";
import { playersKey, titleOf } from "./load";
import { offer, say } from "./notice";
import type { ScriptEditor } from "./script";
import type { MailGame, Mails } from "./mail";
import { here } from "./place";
import { startOf, unpack } from "./share";
import type { Kept } from "./slot";
import type { Store } from "./store";
import { type Beginning, OWN, type Script, type Table } from "./table";
import { FolderTests } from "./test_store";
import type { Tests } from "./tests";

/** A game or its scripts have changed. */
export interface SessionEvents {
  /** The game at the board is about to end. */
  leaves(): void;
  /** Another script is at the board. */
  begun(): Promise<void>;
  /** The list of scripts has changed. */
  listed(): void;
  /** The script is to be edited. */
  edits(): void;
  /** A game is continued that was left earlier. */
  returned(): void;
}

/** How a game starts. */
interface Start {
  script: Script;
  options?: Record<string, string>;
  from?: Beginning | undefined;
  /** The players, if the user has not chosen any for this game before. */
  usual?: Beginning | undefined;
  /** The script's file, if it is in the folder. */
  file?: string | undefined;
  /** The kept game that is continued: the current one, or another one. */
  continues?: "current" | KeptGame | undefined;
  /** Whether the game belongs to the current entry in the history of the tab, for example because of its link. */
  isHere?: boolean | undefined;
  /** Whether the editor contains the script, or a newer text of it. */
  isEdited?: boolean | undefined;
}

export class Session {
  folder: Folder | undefined;
  readonly games: KeptGames;
  /** The script at the board, if it is a file of the folder. */
  private file: string | undefined;
  /** The text of the script that is saved outside the editor. */
  private saved = "";
  /** Whether the script in the editor cannot be played, and no game is at the board. */
  private isBroken = false;
  /** Games that are about to start, one after the other. */
  private starting: Promise<void> = Promise.resolve();
  /** Whether the game at the board is replaced: it, the editor and the document do not belong together. */
  private isStarting = false;
  /** How many games are about to start. */
  private expected = 0;

  constructor(
    private readonly table: Table,
    private readonly editor: ScriptEditor,
    private readonly tests: Tests,
    private readonly store: Store,
    private readonly mails: Mails,
    private readonly events: SessionEvents,
    /** The name of the game that is played if nothing else is asked for. */
    private readonly first: () => Promise<string>,
  ) {
    this.games = new KeptGames(store, () => this.state());
  }

  /** The name of the script at the board in the list of games. */
  get current(): string {
    const { script } = this.table;
    return script.text === undefined ? script.variant : (this.file ?? OWN);
  }

  /** The game, its script or its players have changed. */
  changed(): void {
    if (this.isBroken && !this.isStarting) this.table.script = { variant: OWN, text: this.editor.text };
    this.games.slot.changed();
  }

  /** The user has chosen who plays. */
  seated(): void {
    const { seats, rollsAlone, script } = this.table;
    const chosen: Beginning = { seats: [...seats], rollsAlone };
    // A board in another page keeps nothing.
    if (!this.games.isOff) void this.store.update("seats", playersKey(script), () => chosen);
    this.changed();
  }

  /** The current game as it is kept. */
  private state(): Omit<KeptGame, keyof Kept> | undefined {
    const { table, file } = this;
    const text = this.editor.text;
    if (this.isStarting) return this.left(text);
    const { script, state, shown } = table;
    const played = this.isBroken ? text : (script.text ?? this.saved);
    const saved = this.saved === played ? undefined : this.saved;
    if (this.isBroken) return { title: titleOf(text) ?? "Your script", script: { variant: OWN, text }, file, saved, turns: 0, finished: false, hasDecisions: false, picture: "" };
    if (!state || !shown) return undefined;
    return {
      title: table.title,
      script,
      file,
      saved,
      draft: text === played ? undefined : text,
      state,
      turns: shown.course.turns.length,
      finished: shown.status.pending === null,
      hasDecisions: table.hasDecisions,
      // The list of games is for all players.
      picture: table.secrets && shown.status.pending ? "" : shown.picture.svg,
    };
  }

  /** The game that is about to end, as it was stored last, and what was typed since. */
  private left(text: string): Omit<KeptGame, keyof Kept> | undefined {
    const { last } = this.games.slot;
    if (!last?.state) return last && { ...last, title: titleOf(text) ?? last.title, script: { variant: OWN, text }, saved: this.saved === text ? undefined : this.saved };
    return { ...last, draft: text === (last.script.text ?? this.saved) ? undefined : text };
  }

  /** Whether a game is about to start. */
  get isBusy(): boolean {
    return this.expected > 0;
  }

  /** Does something that replaces the game at the board, after the game is stored and after earlier replacements. */
  private replace(act: () => Promise<void>): Promise<void> {
    this.expected++;
    const done = this.starting.then(async () => {
      await this.games.slot.flush();
      this.isStarting = true;
      await act().finally(() => this.settled());
    });
    this.starting = done.catch(() => {}).then(() => void this.expected--);
    return done;
  }

  /** The board, the editor and the document belong together: everything is kept from now on. */
  private settled(): void {
    this.isStarting = false;
    this.changed();
  }

  /** Starts a game; throws if its script or its moves are wrong. */
  private start(start: Start): Promise<void> {
    return this.replace(() => this.begin(start));
  }

  private async begin({ script, options = {}, from = {}, usual = {}, file, continues, isHere = false, isEdited = false }: Start): Promise<void> {
    const { table, editor } = this;
    this.events.leaves();
    await table.play(script, options, { ...usual, ...(await this.store.get<Beginning>("seats", playersKey(script))), ...from });
    const text = script.text ?? (isEdited ? "" : (await table.engine.ask<{ text: string }>("source", { variant: script.variant })).text);
    const kept = typeof continues === "object" ? continues : undefined;
    this.enter(continues, script.text, isHere);
    this.isBroken = false;
    this.file = script.text === undefined ? undefined : file;
    if (!isEdited) {
      this.saved = kept?.saved ?? text;
      editor.open(kept?.draft ?? text, kept?.draft !== undefined);
    }
    this.settled();
    await this.events.begun();
    void this.tests.opened(continues === "current", this.folder && this.file ? new FolderTests(this.folder, this.file) : undefined);
    if (kept) this.events.returned();
  }

  /** Makes a kept game or a new one the current one, and offers the way back to the one before. */
  private enter(continues: Start["continues"], text: string | undefined, isHere: boolean): void {
    if (continues === "current") return;
    // What was typed while the game was loading belongs to the one that is left.
    void this.games.slot.flush();
    if (continues) return this.games.take(continues, isHere);
    const left = this.games.next(text, isHere);
    if (left !== undefined) offer("The game you left is in My games.", "Go back to it", () => void this.open(left).catch(say));
  }

  /** Starts a game. If its moves do not fit its rules, starts it anew; if a script of the user cannot be played, opens it in
   * the editor. */
  private startOrMend(start: Start): Promise<void> {
    return this.replace(() => this.beginOrMend(start, "The moves of this game are not legal under its rules, so a new game has started."));
  }

  private async beginOrMend(start: Start, misfit: string): Promise<void> {
    const { script, from = {}, file, continues, isHere, isEdited } = start;
    try {
      await this.begin(start);
    } catch (error) {
      try {
        // A kept game that does not fit stays as it is.
        const seats = from.seats && { seats: from.seats, rollsAlone: from.rollsAlone ?? false };
        await this.begin({ script, file, isHere, isEdited, ...(seats && { from: seats }) });
        say(new Error(`${misfit} ${words(error)}`));
      } catch (wrong) {
        if (script.text === undefined) throw wrong;
        await this.openBroken(script.text, continues === "current" ? { ...start, continues: undefined } : start, wrong);
      }
    }
  }

  /** Opens a script that cannot be played: it is edited, and the board is empty until it can. */
  private async openBroken(text: string, { continues, isHere = false, isEdited, file }: Start, error?: unknown): Promise<void> {
    this.events.leaves();
    await this.table.close({ variant: OWN, text });
    this.enter(continues, text, isHere);
    this.isBroken = true;
    this.file = file;
    if (!isEdited) {
      this.saved = (typeof continues === "object" ? continues.saved : undefined) ?? text;
      this.editor.open(text);
    }
    this.settled();
    await this.events.begun();
    this.events.edits();
    if (error !== undefined) say(new Error(`This script cannot be played yet. ${words(error)}`));
  }

  /** Plays an included game, or a new script. */
  async play(script: Script, from: Beginning = {}): Promise<void> {
    await this.start({ script, from });
  }

  /** Plays the text of the editor. */
  async playText(text: string): Promise<void> {
    await this.start({ script: { variant: OWN, text }, file: this.file, isEdited: true });
  }

  /** Continues with another text of the script: the game keeps its moves if they fit. */
  continueWith(text: string): Promise<void> {
    return this.replace(async () => {
      const { state, script, hasDecisions } = this.table;
      // Another script may have been opened meanwhile.
      if (text !== this.editor.text || (text === script.text && !this.isBroken)) return;
      const start: Start = { script: { variant: OWN, text }, file: this.file, continues: state?.links ? undefined : "current", isEdited: true };
      const misfit = "The game does not fit the changed script, so a new game has started. The earlier game is in My games.";
      // The other player of a game by links has the script as it was.
      const from = state && (hasDecisions ? { ...state, links: undefined } : { seats: state.seats, rollsAlone: state.rollsAlone, flipped: state.flipped });
      await this.beginOrMend({ ...start, ...(state && { options: state.options, from }) }, misfit);
    });
  }

  /** Plays the script with other options. */
  async setOptions(options: Record<string, string>): Promise<void> {
    const { script, seats, rollsAlone } = this.table;
    await this.start({ script, options, file: this.file, isEdited: true, from: { seats, rollsAlone } });
  }

  /** Starts the game anew. */
  async anew(): Promise<void> {
    if (this.isBroken) return;
    await this.replace(async () => {
      this.events.leaves();
      this.enter(undefined, this.table.script.text, false);
      await this.table.begin();
    });
  }

  /** Edits a script, and plays it if that is possible. */
  async edit(text: string): Promise<void> {
    await this.startOrMend({ script: { variant: OWN, text } });
    this.events.edits();
  }

  /** Opens a game from a list; `rollsAlone` says whether dice are rolled automatically unless the user has chosen that. */
  async choose(name: string, rollsAlone: boolean): Promise<void> {
    if (this.folder?.scripts.some((script) => script.name === name)) await this.playFile(name);
    else await this.start({ script: { variant: name }, usual: { rollsAlone } });
  }

  /** Opens a script or a game that the user has chosen as a file. */
  async openFile(given: File): Promise<void> {
    const text = await given.text();
    if (given.name.endsWith(".rhai")) return this.edit(text);
    const variant = /\[Variant "([^"]*)"\]/.exec(text)?.[1];
    const known = variant !== undefined && (await this.table.variants()).some((one) => one.name === variant);
    await this.startOrMend({ ...(known ? { script: { variant } } : { script: this.table.script, file: this.file }), from: { record: text } });
  }

  /** Opens what the page is opened for: the game that this tab has left, a script of the folder, or a link. */
  async arrive(named: string | null): Promise<void> {
    const isNamed = named !== null && this.folder !== undefined;
    const kept = await this.games.found(!isNamed && location.hash.length < 2);
    if (kept) await this.resume(kept, true);
    else if (isNamed) await this.playFile(named, true);
    else await this.openLink();
    void this.games.prune();
  }

  /** Opens the game that the URL asks for, or a link that was pasted. */
  async openLink(hash = location.hash, isHere = true): Promise<void> {
    // A game that is about to start would clear what is said of the link.
    await this.starting;
    const isAlone = this.games.isOff;
    try {
      const shared = await unpack(hash);
      await this.games.slot.flush();
      this.showAlone(shared?.diagram === true);
      if (!shared) return await this.start({ script: { variant: await this.first() }, isHere });
      if (!shared.mail) return await this.startOrMend({ ...startOf(shared), isHere });
      const { game, remark } = await this.mails.receive({ ...shared, mail: shared.mail });
      await this.playByLinks(game, isHere);
      if (remark) say(remark);
    } catch (error) {
      // The game at the board stays, and belongs to this entry of the history.
      if (this.table.shown) {
        this.showAlone(isAlone);
        this.games.mark();
      }
      throw error;
    }
  }

  /** Continues a game by links, with what was decided here since its last link. */
  async playByLinks({ id, script, options }: MailGame, isHere = false): Promise<void> {
    await this.games.slot.flush();
    const kept = (await this.games.slot.all()).find((game) => game.state?.links?.id === id);
    await this.start({ script, options, from: await this.mails.beginning(id, kept?.state), continues: kept, isHere });
  }

  /** Opens what belongs to the entry of the tab's history that the user has gone to. */
  async traverse(): Promise<void> {
    const { game: id } = here();
    if (id !== undefined && this.games.slot.follow(id) !== this.games.slot.id) await this.open(id, true);
    else if (id === undefined && location.hash.length > 1) await this.openLink();
  }

  /** Opens a kept game. */
  async open(id: string, isHere = false): Promise<void> {
    await this.games.slot.flush();
    const game = await this.games.get(id);
    if (!game) throw new Error("This game is no longer in My games.");
    await this.resume(game, isHere);
  }

  /** Shows only the board, as in another page, where nothing is kept; or all. */
  private showAlone(isAlone: boolean): void {
    document.body.classList.toggle("diagram-page", isAlone);
    this.games.isOff = isAlone;
  }

  private async resume(game: KeptGame, isHere: boolean): Promise<void> {
    this.showAlone(false);
    const { script, state, saved } = game;
    const file = this.folder?.scripts.some((one) => one.name === game.file) ? game.file : undefined;
    const start: Start = { script, file, continues: game, isHere };
    if (state) await this.startOrMend({ ...start, options: state.options, from: state.links ? await this.mails.beginning(state.links.id, state) : state });
    else await this.replace(() => this.openBroken(script.text ?? "", start));
    if (file !== undefined && (await this.folder?.read(file)) !== (saved ?? script.text)) await this.reload(file);
  }

  /** Plays a script of the folder. */
  async playFile(name: string, isHere = false): Promise<void> {
    if (!this.folder) return;
    const text = await this.folder.read(name);
    await this.startOrMend({ script: { variant: OWN, text }, file: name, isHere });
  }

  /** Handles a changed file: the game continues with the new rules if they allow its events. */
  async reload(name: string): Promise<void> {
    this.events.listed();
    if (!this.folder || name !== this.file) return;
    const text = await this.folder.read(name);
    if (text !== this.editor.text) {
      const isUnsaved = this.editor.text !== this.saved;
      if (isUnsaved && (await choose(`${name} has changed on disk, but you have unsaved changes here.`, ["Discard changes"])) !== "Discard changes") return;
      this.editor.replace(text);
      this.saved = text;
      await this.continueWith(text);
    }
    this.saved = text;
  }

  /** Saves a script in the folder, under a name that the user enters. */
  async saveFile(text: string): Promise<void> {
    if (!this.folder) return;
    const name = await askText(`Save in ${this.folder.path} as (a name that ends in .rhai):`, "Save", { value: this.file ?? "my-game.rhai" });
    if (!name) return;
    await this.folder.write(name, text);
    this.saved = text;
    const files = new FolderTests(this.folder, name);
    if (this.file === undefined && this.table.script.text === text) await this.tests.saved(files);
    else if (name !== this.file) await this.tests.opened(false, files);
    this.file = name;
    this.events.listed();
    this.changed();
  }
}
