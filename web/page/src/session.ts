// What is played and edited: the script at the board, its file, and the text in the editor that is not saved yet. Opens
// games, files and links, continues a game with a changed script, and asks before something is lost.

import { ask, choose } from "./dialog";
import { el } from "./dom";
import type { Folder } from "./folder";
import { say } from "./notice";
import type { ScriptEditor } from "./script";
import { unpack } from "./share";
import { OWN, type Script, type Table } from "./table";
import { FolderTests } from "./test_store";
import type { Tests } from "./tests";

const UNSAVED = "You have unsaved changes to the script.";

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
}

export class Session {
  folder: Folder | undefined;
  /** The script at the board, if it is a file of the folder. */
  private file: string | undefined;
  /** The text of the script that is saved outside the editor. */
  private saved = "";

  constructor(
    private readonly table: Table,
    private readonly editor: ScriptEditor,
    private readonly tests: Tests,
    private readonly events: SessionEvents,
  ) {}

  /** The name of the script at the board in the list of games. */
  get current(): string {
    const { script } = this.table;
    return script.text === undefined ? script.variant : (this.file ?? OWN);
  }

  /** Plays a script that is not a file. */
  async play(script: Script, options: Record<string, string> = {}, from: { position?: string; record?: string } = {}): Promise<void> {
    this.file = undefined;
    await this.start(script, options, from);
  }

  /** Plays the text of the editor. */
  async playText(text: string): Promise<void> {
    await this.start({ variant: OWN, text });
  }

  /** Starts a game; `changed` if its script is a new text of the current one. */
  private async start(script: Script, options: Record<string, string> = {}, from: { position?: string; record?: string } = {}, changed = false): Promise<void> {
    const { table, editor } = this;
    this.events.leaves();
    await table.play(script, options, from);
    if (script.text === undefined) this.file = undefined;
    const { text } = await table.engine.ask<{ text: string }>("source", { variant: script.variant });
    editor.text = text;
    if (!changed) this.saved = text;
    await this.events.begun();
    void this.tests.opened(changed, this.folder && this.file ? new FolderTests(this.folder, this.file) : undefined);
  }

  /** Continues with another text of the script: the game keeps its moves if they fit. */
  async continueWith(text: string): Promise<void> {
    const { table } = this;
    if (text === table.script.text) return;
    const record = table.shown?.course.record;
    const script = { variant: OWN, text };
    try {
      await this.start(script, table.options, record === undefined ? {} : { record }, true);
    } catch {
      await this.start(script, {}, {}, true);
      say(new Error("The game does not fit the changed script, so a new game has started."));
    }
  }

  /** Plays the script with other options, if the game may end. */
  async setOptions(options: Record<string, string>): Promise<void> {
    if (await this.mayEnd()) await this.start(this.table.script, options);
    else await this.events.begun();
  }

  /** Starts the game anew, if it may end. */
  async anew(): Promise<void> {
    if (!(await this.mayEnd())) return;
    this.events.leaves();
    await this.table.begin();
  }

  /** Puts another script into the editor. */
  edit(text: string): void {
    this.file = undefined;
    this.editor.text = text;
    this.events.edits();
  }

  /** Opens a game from the list. */
  async choose(name: string): Promise<void> {
    if (!(await this.mayLeave(UNSAVED, "Discard changes")) || !(await this.mayEnd())) return this.events.listed();
    await (this.folder?.scripts.some((script) => script.name === name) ? this.playFile(name) : this.play({ variant: name }));
  }

  /** Opens a script or a game that the user has chosen as a file. */
  async openFile(given: File): Promise<void> {
    if (!(await this.mayLeave(UNSAVED, "Discard changes"))) return;
    const text = await given.text();
    if (given.name.endsWith(".rhai")) {
      this.edit(text);
      return this.play({ variant: OWN, text });
    }
    const variant = /\[Variant "([^"]*)"\]/.exec(text)?.[1];
    const known = variant !== undefined && (await this.table.variants()).some((one) => one.name === variant);
    await this.start(known ? { variant } : this.table.script, {}, { record: text });
  }

  /** Opens the game that the URL asks for. */
  async openLink(): Promise<void> {
    const shared = await unpack(location.hash);
    document.body.classList.toggle("diagram-page", shared?.diagram === true);
    if (!shared) return this.play({ variant: "dice-chess" });
    const from = { ...(shared.record !== undefined && { record: shared.record }), ...(shared.position !== undefined && { position: shared.position }) };
    const script = shared.text === undefined ? { variant: shared.variant ?? "dice-chess" } : { variant: OWN, text: shared.text };
    await this.play(script, shared.options ?? {}, from);
  }

  /** Plays a script of the folder. */
  async playFile(name: string): Promise<void> {
    if (!this.folder) return;
    const text = await this.folder.read(name);
    this.file = name;
    this.editor.text = text;
    await this.start({ variant: OWN, text });
  }

  /** Handles a changed file: the game continues with the new rules if they allow its events. */
  async reload(name: string): Promise<void> {
    this.events.listed();
    if (!this.folder || name !== this.file) return;
    const text = await this.folder.read(name);
    if (text !== this.editor.text) {
      if (!(await this.mayLeave(`${name} has changed on disk, but you have unsaved changes here.`, "Discard changes"))) return;
      this.editor.text = text;
      this.saved = text;
      await this.continueWith(text);
    }
    this.saved = text;
  }

  /** Saves a script in the folder, under a name that the user enters. */
  async saveFile(text: string): Promise<void> {
    if (!this.folder) return;
    const field = el("input", { type: "text", value: this.file ?? "my-game.rhai", "aria-label": "File name" });
    const name = await ask<string>(`Save in ${this.folder.path} as (a name that ends in .rhai):`, (done) => [
      field,
      el(
        "div",
        { className: "row" },
        el("button", { type: "button", className: "main", onclick: () => done(field.value.trim()) }, "Save"),
        el("button", { type: "button", onclick: () => done(undefined) }, "Cancel"),
      ),
    ]);
    if (!name) return;
    await this.folder.write(name, text);
    this.saved = text;
    const files = new FolderTests(this.folder, name);
    if (this.file === undefined && this.table.script.text === text) await this.tests.saved(files);
    else if (name !== this.file) await this.tests.opened(false, files);
    this.file = name;
    this.events.listed();
  }

  /** Whether the script in the editor may be discarded: it is unchanged, or the user agrees. */
  private async mayLeave(question: string, leave: string): Promise<boolean> {
    return this.editor.text === this.saved || (await choose(question, [leave])) === leave;
  }

  /** Whether the current game may end: it has no moves by the user, it is over, or the user agrees. */
  private async mayEnd(): Promise<boolean> {
    return !this.table.isUnderWay || (await choose("The current game will end without being saved.", ["End the game"])) === "End the game";
  }
}
