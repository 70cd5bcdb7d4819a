// Finds `astragal` on this machine, by the user's settings.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { type Program, type System, findProgram } from "./program";

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

function setting(): string {
  return vscode.workspace.getConfiguration("astragal").get<string>("path", "").trim() || "astragal";
}

/** The program that the setting names. */
export function program(): Program | undefined {
  return findProgram(setting(), vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, SYSTEM);
}

/** The message that the program is missing. */
export function missing(): string {
  return `The program '${setting()}' was not found. Install Astragal, or change the setting 'astragal.path'.`;
}

/** Reports that the program is missing, and offers the setting. VS Code shows equal messages only once. */
export async function reportMissing(): Promise<void> {
  const settings = "Open Settings";
  if ((await vscode.window.showErrorMessage(missing(), settings)) === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "astragal.path");
  }
}
