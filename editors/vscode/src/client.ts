// The language client: finds `astragal`, starts `astragal lsp`, and restarts it when the setting changes.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
} from "vscode-languageclient/node";
import { type Program, type System, findProgram } from "./program";

/** The command of the server that draws a board. */
const BOARD = "astragal.board";

const SYSTEM: System = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  isProgram(path) {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  },
};

/** The program by the user's settings. */
export function program(): Program | undefined {
  const setting = vscode.workspace.getConfiguration("astragal").get<string>("path", "");
  return findProgram(setting, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, SYSTEM);
}

/** Reports that the program is missing, and offers the setting. */
export async function reportMissing(): Promise<void> {
  const settings = "Open Settings";
  const message = "Astragal was not found. Install it with 'cargo install --path astragal', or set its path.";
  if ((await vscode.window.showErrorMessage(message, settings)) === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "astragal.path");
  }
}

export class Client {
  private client: LanguageClient | undefined;
  private readonly output = vscode.window.createOutputChannel("Astragal", { log: true });
  private readonly started = new vscode.EventEmitter<void>();
  private readonly files = vscode.workspace.createFileSystemWatcher("**/*.{rhai,game}");
  private readonly listener: vscode.Disposable;
  /** Starts and stops run one after another. */
  private work: Promise<void> = Promise.resolve();

  /** Fires whenever the server is ready. */
  readonly onDidStart = this.started.event;

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

  /** The picture of a script's starting position; `undefined` if the script has none, or no server runs. */
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
      documentSelector: [
        { language: "rhai", scheme: "file" },
        { language: "rhai", scheme: "untitled" },
      ],
      synchronize: { fileEvents: this.files },
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
