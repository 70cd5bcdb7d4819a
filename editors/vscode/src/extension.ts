// The entry of the extension: registers the commands, and starts the language server.

import * as vscode from "vscode";
import { Boards } from "./board";
import { Client } from "./client";
import { run } from "./terminal";

let client: Client | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const commands = new Map<string, (...args: unknown[]) => unknown>();
  const server = new Client(commands);
  const boards = new Boards(server);
  client = server;

  // The code lenses of the server run the first four, with the document's URI and a detail.
  commands.set("astragal.play", (target, detail) => withScript(target, (uri) => run("play", uri, detail)));
  commands.set("astragal.odds", (target, detail) => withScript(target, (uri) => run("odds", uri, detail)));
  commands.set("astragal.test", (target, detail) =>
    run("test", uriOf(target) ?? active("rhai", "astragal-game"), detail),
  );
  commands.set("astragal.accept", (target, detail) =>
    run("accept", uriOf(target) ?? active("rhai", "astragal-game"), detail),
  );
  commands.set("astragal.showBoard", (target) => withScript(target, (uri) => boards.show(uri)));
  commands.set("astragal.restart", () => server.restart());

  for (const [name, action] of commands) context.subscriptions.push(vscode.commands.registerCommand(name, action));
  context.subscriptions.push(boards);
  // Commands do not wait for the server.
  void server.restart();
}

export async function deactivate(): Promise<void> {
  await client?.close();
}

/** Does something with the script that a command is about. */
function withScript(target: unknown, act: (uri: vscode.Uri) => unknown): unknown {
  const uri = uriOf(target) ?? active("rhai");
  return uri === undefined ? vscode.window.showErrorMessage("Open a script (.rhai) first.") : act(uri);
}

/** The document that a command is given: an address as text from a code lens, an address from a menu. */
function uriOf(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  return typeof target === "string" && target !== "" ? vscode.Uri.parse(target, true) : undefined;
}

/** The document in the active editor, if it is in one of these languages. */
function active(...languages: string[]): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && languages.includes(document.languageId) ? document.uri : undefined;
}
