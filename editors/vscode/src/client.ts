// The language client: finds `astragal`, starts `astragal lsp`, and restarts it when the setting changes.

import * as vscode from "vscode";
import {
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

export class Client {
  private client: LanguageClient | undefined;
  private readonly output = vscode.window.createOutputChannel("Astragal", { log: true });
  private readonly checked = new vscode.EventEmitter<vscode.Uri>();
  private readonly listener: vscode.Disposable;
  /** Starts and stops run one after another. */
  private work: Promise<void> = Promise.resolve();

  /** Fires when the server has checked a document. By then, it has loaded the script if that is possible. */
  readonly onDidCheck = this.checked.event;

  /** `own` has the commands of the extension. */
  constructor(private readonly own: { has(command: string): boolean }) {
    this.listener = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("astragal.path")) void this.restart();
    });
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

  /** The picture of a script's starting position; `undefined` if the script has not been loaded, or no server runs. */
  async board(uri: vscode.Uri): Promise<string | undefined> {
    if (this.client === undefined || !this.isRunning) return undefined;
    const params = { command: BOARD, arguments: [this.client.code2ProtocolConverter.asUri(uri)] };
    const answer = (await this.client.sendRequest(ExecuteCommandRequest.type, params)) as { svg?: unknown } | null;
    return typeof answer?.svg === "string" ? answer.svg : undefined;
  }

  /** Stops the server for good. */
  async close(): Promise<void> {
    this.listener.dispose();
    this.work = this.work.then(() => this.stop());
    await this.work;
    for (const part of [this.checked, this.output]) part.dispose();
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
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => {
          next(uri, diagnostics);
          this.checked.fire(uri);
        },
      },
    };
    const client = new LanguageClient("astragal", "Astragal", server, options);
    this.leaveOwnCommands(client);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      // The client has already shown the error.
      this.output.error(`${found.path} lsp: ${String(error)}`);
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
