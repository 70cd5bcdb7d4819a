// The launch configuration of a script that has none. No VS Code here.

/** The type of debug sessions. */
export const TYPE = "astragal";

/** Starts `astragal dap` for a script. VS Code replaces `${file}` by the path of the active editor. */
export const LAUNCH = {
  type: TYPE,
  request: "launch",
  name: "Debug this game",
  program: "${file}",
  stopOnEntry: true,
};
