import assert from "node:assert/strict";
import { test } from "node:test";
import { type System, findProgram } from "../src/program";

/** A machine with these programs. */
function machine(programs: string[], env: Record<string, string> = {}, platform = "linux"): System {
  const home = platform === "win32" ? "C:\\Users\\ada" : "/home/ada";
  return { platform, env, home, isProgram: (path) => programs.includes(path) };
}

test("a name is searched in PATH, in order", () => {
  const system = machine(["/usr/bin/astragal", "/opt/bin/astragal"], { PATH: "/bin:/opt/bin:/usr/bin" });
  assert.deepEqual(findProgram("astragal", undefined, system), { path: "/opt/bin/astragal", word: "astragal" });
  assert.deepEqual(findProgram("  ", undefined, system), { path: "/opt/bin/astragal", word: "astragal" });
  assert.equal(findProgram("astragal-2", undefined, system), undefined);
});

test("the opened folder is not searched", () => {
  const system = machine(["/games/astragal", "astragal", "bin/astragal"], { PATH: ":.:bin" });
  assert.equal(findProgram("astragal", "/games", system), undefined);
});

test("the folder of cargo comes last, and terminals need the whole path", () => {
  const path = "/home/ada/.cargo/bin/astragal";
  assert.deepEqual(findProgram("astragal", undefined, machine([path], { PATH: "/bin" })), { path, word: path });
  const moved = machine(["/data/cargo/bin/astragal"], { CARGO_HOME: "/data/cargo" });
  assert.equal(findProgram("astragal", undefined, moved)?.path, "/data/cargo/bin/astragal");
});

test("a path is taken as it is, from the folder if it is relative", () => {
  const system = machine(["/games/target/astragal", "/home/ada/x/astragal"], {
    PATH: "/games/target",
    ROOT: "/home/ada",
  });
  assert.equal(findProgram("/games/target/astragal", undefined, system)?.word, "/games/target/astragal");
  assert.equal(findProgram("./target/astragal", "/games", system)?.path, "/games/target/astragal");
  assert.equal(findProgram("./target/astragal", undefined, system), undefined);
  assert.equal(findProgram("${workspaceFolder}/target/astragal", "/games", system)?.path, "/games/target/astragal");
  assert.equal(findProgram("~/x/astragal", undefined, system)?.path, "/home/ada/x/astragal");
  assert.equal(findProgram("${userHome}/x/astragal", undefined, system)?.path, "/home/ada/x/astragal");
  assert.equal(findProgram("${env:ROOT}/x/astragal", undefined, system)?.path, "/home/ada/x/astragal");
  assert.equal(findProgram("/nowhere/astragal", undefined, system), undefined);
});

test("on Windows, programs end in .exe, and names of variables have no case", () => {
  const path = "C:\\Tools\\astragal.exe";
  const system = machine([path, "C:\\Users\\ada\\.cargo\\bin\\other.exe"], { Path: "C:\\Windows;C:\\Tools" }, "win32");
  assert.deepEqual(findProgram("astragal", undefined, system), { path, word: "astragal" });
  assert.equal(
    findProgram("c:\\tools\\astragal", undefined, machine(["c:\\tools\\astragal.exe"], {}, "win32"))?.path,
    "c:\\tools\\astragal.exe",
  );
  assert.equal(findProgram("astragal.exe", undefined, system)?.path, path);
  assert.equal(findProgram("other", undefined, system)?.path, "C:\\Users\\ada\\.cargo\\bin\\other.exe");
});
