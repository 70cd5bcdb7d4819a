// Panels that show the starting position of a script, and follow the script while it changes.

import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import * as vscode from "vscode";
import { type BoardPage, boardHtml } from "./board_page";
import type { Client } from "./client";

const NO_SERVER = "The language server is not running.";
const UNCHECKED = "The board appears when the script has been checked.";
const FAULTY = "The script has problems, so its board cannot be drawn. The Problems view lists them.";

/** At most one panel per script. */
export class Boards implements vscode.Disposable {
  private readonly panels = new Map<string, BoardPanel>();
  /** The open documents that the server has checked. */
  private readonly checked = new Set<string>();
  private readonly listeners: vscode.Disposable[];

  constructor(private readonly client: Client) {
    this.listeners = [
      client.onDidCheck((uri) => this.follow(uri.toString())),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.checked.delete(uri.toString())),
    ];
  }

  /** Draws the board of a document that has just been checked. */
  private follow(key: string): void {
    // For a document that has been closed, the server publishes that it has no problems.
    if (!vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === key)) return;
    this.checked.add(key);
    void this.panels.get(key)?.refresh(true);
  }

  /** Opens the panel of a script, or brings it to the front. */
  async show(uri: vscode.Uri): Promise<void> {
    // The server draws only documents that are open.
    await vscode.workspace.openTextDocument(uri);
    const key = uri.toString();
    let panel = this.panels.get(key);
    if (panel === undefined) {
      panel = new BoardPanel(uri, this.client, () => this.panels.delete(key));
      this.panels.set(key, panel);
    }
    panel.reveal();
    await panel.refresh(this.checked.has(key));
  }

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
    for (const listener of this.listeners) listener.dispose();
  }
}

class BoardPanel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly page: BoardPage;
  private shown = "";
  /** The number of the last request: an answer to an earlier one is out of date. */
  private asked = 0;
  private isClosed = false;

  constructor(
    private readonly uri: vscode.Uri,
    private readonly client: Client,
    closed: () => void,
  ) {
    this.page = { name: posix.basename(uri.path), svg: undefined, notice: undefined };
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const locked = { enableScripts: false, enableForms: false, localResourceRoots: [] };
    this.panel = vscode.window.createWebviewPanel("astragal.board", `Board: ${this.page.name}`, column, locked);
    this.panel.onDidDispose(() => {
      this.isClosed = true;
      closed();
    });
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** Draws the board of the last version that the server has loaded. If that fails, the last picture stays. */
  async refresh(isChecked: boolean): Promise<void> {
    const number = ++this.asked;
    let svg: string | undefined;
    let notice: string | undefined;
    try {
      svg = await this.client.board(this.uri);
      if (svg === undefined) notice = !this.client.isRunning ? NO_SERVER : isChecked ? FAULTY : UNCHECKED;
    } catch (error) {
      notice = error instanceof Error ? error.message : String(error);
    }
    if (number !== this.asked || this.isClosed) return;
    this.page.svg = svg ?? this.page.svg;
    this.page.notice = notice;
    // A page that is set again flickers.
    const content = JSON.stringify(this.page);
    if (content === this.shown) return;
    this.shown = content;
    this.panel.webview.html = boardHtml(this.page, randomBytes(16).toString("base64"));
  }

  dispose(): void {
    this.panel.dispose();
  }
}
