// The language client: finds `astragal`, starts `astragal lsp`, and restarts it when the setting changes.

import * as vscode from "vscode";
import {
  DidChangeTextDocumentNotification,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
} from "vscode-languageclient/node";
import { SELECTOR } from "./documents";
import { program, reportMissing } from "./installed";

/** The command of the server that draws a board. */
const BOARD = "astragal.board";

/** How long files must be unchanged before documents are checked again, in milliseconds. */
const PAUSE = 300;

export class Client {
  private client: LanguageClient | undefined;
  private readonly output = vscode.window.createOutputChannel("Astragal", { log: true });
  private readonly started = new vscode.EventEmitter<void>();
  /** What the results of tests depend on. */
  private readonly files = vscode.workspace.createFileSystemWatcher("**/*.{rhai,game,snap}");
  private readonly listeners: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  /** Starts and stops run one after another. */
  private work: Promise<void> = Promise.resolve();

  /** Fires whenever the server is ready. */
  readonly onDidStart = this.started.event;

  /** `own` has the commands of the extension. */
  constructor(private readonly own: { has(command: string): boolean }) {
    this.listeners = [
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("astragal.path")) void this.restart();
      }),
      ...[this.files.onDidChange, this.files.onDidCreate, this.files.onDidDelete].map((event) =>
        event((uri) => this.recheckLater(uri)),
      ),
    ];
  }

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  /** Starts the server, or stops it and starts it again. */
  restart(): Promise<void> {
    this.work = this.work.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.work;
  }

  /** The picture of a script's starting position; `undefined` if the script has none, or no server runs. */
  async board(uri: vscode.Uri): Promise<string | undefined> {
    if (this.client === undefined || !this.isRunning) return undefined;
    const params = { command: BOARD, arguments: [this.client.code2ProtocolConverter.asUri(uri)] };
    const answer = (await this.client.sendRequest(ExecuteCommandRequest.type, params)) as { svg?: unknown } | null;
    return typeof answer?.svg === "string" ? answer.svg : undefined;
  }

  /** Stops the server for good. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    for (const listener of this.listeners) listener.dispose();
    this.work = this.work.then(() => this.stop());
    await this.work;
    for (const part of [this.started, this.files, this.output]) part.dispose();
  }

  private async start(): Promise<void> {
    const found = program();
    if (found === undefined) {
      void reportMissing();
      return;
    }
    const server: ServerOptions = { command: found.path, args: ["lsp"] };
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: this.output,
    };
    const client = new LanguageClient("astragal", "Astragal", server, options);
    this.leaveOwnCommands(client);
    this.client = client;
    try {
      await client.start();
      this.started.fire();
    } catch (error) {
      // The client has already shown the error.
      this.output.error(`${found.path} lsp: ${String(error)}`);
    }
  }

  /** Checks open documents again when a file has changed on disk, for example because results were accepted. */
  private recheckLater(changed: vscode.Uri): void {
    // The server reads open scripts from the editor, not from disk.
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === changed.toString());
    if (isOpen && changed.path.endsWith(".rhai")) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.recheck(), PAUSE);
  }

  /** The server checks a document after each change, and one without an edit is enough. */
  private async recheck(): Promise<void> {
    const client = this.client;
    if (client === undefined || !this.isRunning) return;
    for (const document of vscode.workspace.textDocuments) {
      if (vscode.languages.match(SELECTOR, document) === 0) continue;
      const textDocument = client.code2ProtocolConverter.asVersionedTextDocumentIdentifier(document);
      await client.sendNotification(DidChangeTextDocumentNotification.type, { textDocument, contentChanges: [] });
    }
  }

  /** The client registers the commands of the server, and fails if a command exists. Those of the extension do. */
  private leaveOwnCommands(client: LanguageClient): void {
    const feature = client.getFeature(ExecuteCommandRequest.method);
    const register = feature.register.bind(feature);
    feature.register = (data) => {
      const commands = data.registerOptions.commands.filter((command) => !this.own.has(command));
      register({ ...data, registerOptions: { ...data.registerOptions, commands } });
    };
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // A server that did not start or that crashed cannot be asked to stop.
      this.output.warn(String(error));
    }
  }
}
