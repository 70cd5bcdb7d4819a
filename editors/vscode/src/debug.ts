// Debug sessions: completes launch configurations, and starts `astragal dap`.

import * as vscode from "vscode";
import { active, reporting } from "./actions";
import { SCRIPT } from "./documents";
import { missing, program, reportMissing } from "./installed";
import { LAUNCH } from "./launch";
import { saved } from "./terminal";

/** Debugs a script. Without arguments, debugs the one in the active editor. */
export function debug([target]: readonly unknown[]): Promise<void> {
  return reporting(async () => {
    const uri = target instanceof vscode.Uri ? target : activeScript();
    const [path] = (await saved("debug", [uri])) ?? [];
    if (path === undefined) return;
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path));
    await vscode.debug.startDebugging(folder, { ...LAUNCH, program: path });
  });
}

/** VS Code asks it before each session. It returns `undefined` to cancel, once a message has explained why. */
export const CONFIGURATIONS: vscode.DebugConfigurationProvider = {
  async resolveDebugConfiguration(_folder, given) {
    let resolved: vscode.DebugConfiguration | undefined;
    await reporting(async () => {
      // Without `launch.json`, VS Code passes a configuration without a name.
      const isEmpty = !given.request && !given.name;
      if (isEmpty && activeScript().scheme !== "file") throw new Error("Save the script first.");
      // VS Code waits for the configuration, but not for an answer to this message.
      if (program() === undefined) void reportMissing();
      else resolved = isEmpty ? { ...given, ...LAUNCH } : given;
    });
    return resolved;
  },
};

/** Starts the adapter in the folder of the session, where relative paths of scripts begin. */
export const ADAPTERS: vscode.DebugAdapterDescriptorFactory = {
  createDebugAdapterDescriptor({ workspaceFolder }) {
    const found = program();
    if (found === undefined) throw new Error(missing());
    const folder = workspaceFolder ?? vscode.workspace.workspaceFolders?.[0];
    const options = folder?.uri.scheme === "file" ? { cwd: folder.uri.fsPath } : {};
    return new vscode.DebugAdapterExecutable(found.path, ["dap"], options);
  },
};

function activeScript(): vscode.Uri {
  const uri = active(SCRIPT);
  if (uri === undefined) throw new Error("Open a script (.rhai) first.");
  return uri;
}
