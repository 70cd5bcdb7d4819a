// The entry of the extension: registers the commands and the debugger, and starts the language server.

import * as vscode from "vscode";
import { active, perform } from "./actions";
import { Boards } from "./board";
import { Client } from "./client";
import { ACTIONS } from "./command_line";
import { ADAPTERS, CONFIGURATIONS, debug } from "./debug";
import { SCRIPT } from "./documents";
import { TYPE } from "./launch";

let client: Client | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const commands = new Map<string, (...args: unknown[]) => unknown>();
  const server = new Client(commands);
  const boards = new Boards(server);
  client = server;

  for (const action of ACTIONS) commands.set(`astragal.${action}`, (...args) => perform(action, args));
  commands.set("astragal.debug", (...args) => debug(args));
  commands.set("astragal.showBoard", (target) => {
    const uri = target instanceof vscode.Uri ? target : active(SCRIPT);
    return uri === undefined ? vscode.window.showErrorMessage("Open a script (.rhai) first.") : boards.show(uri);
  });
  commands.set("astragal.restart", () => server.restart());

  for (const [name, action] of commands) context.subscriptions.push(vscode.commands.registerCommand(name, action));
  context.subscriptions.push(
    boards,
    vscode.debug.registerDebugConfigurationProvider(TYPE, CONFIGURATIONS),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, ADAPTERS),
  );
  // Commands do not wait for the server.
  void server.restart();
}

export async function deactivate(): Promise<void> {
  await client?.close();
}
