import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Shell, argumentsFor, commandLine, placeOf, shellOf } from "../src/command_line";

test("each action has its command", () => {
  assert.deepEqual(argumentsFor("play", ["my-game.rhai"]), ["play", "my-game.rhai"]);
  assert.deepEqual(argumentsFor("test", ["my-game.rhai"]), ["test", "my-game.rhai"]);
  assert.deepEqual(argumentsFor("test", []), ["test"]);
  assert.deepEqual(argumentsFor("accept", ["1.game", "2.game"]), ["test", "1.game", "2.game", "--accept"]);
  assert.deepEqual(argumentsFor("odds", ["my-game.rhai"]), ["odds", "my-game.rhai"]);
});

test("a file is no option, whatever its name is", () => {
  assert.deepEqual(argumentsFor("test", ["--accept"]), ["test", "./--accept"]);
});

test("shells are recognized by their names", () => {
  const shells: [string, string, Shell][] = [
    ["/bin/bash", "linux", "posix"],
    ["/usr/bin/fish", "linux", "fish"],
    ["/opt/homebrew/bin/nu", "darwin", "nu"],
    ["/usr/bin/pwsh", "linux", "powershell"],
    ["C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe", "win32", "powershell"],
    ["C:\\Windows\\System32\\cmd.exe", "win32", "cmd"],
    ["C:\\Program Files\\Git\\bin\\bash.exe", "win32", "posix"],
    ["", "win32", "powershell"],
    ["", "linux", "posix"],
  ];
  for (const [path, platform, shell] of shells) assert.equal(shellOf(path, platform), shell, path);
});

test("plain words stay as they are", () => {
  for (const shell of ["posix", "fish", "nu", "powershell", "cmd"] as const) {
    assert.equal(
      commandLine(["astragal", "test", "games/my-game.rhai", "--accept"], shell),
      "astragal test games/my-game.rhai --accept",
    );
  }
});

test("each shell has its quotes", () => {
  const line = (shell: Shell, ...words: string[]) => commandLine(words, shell);
  assert.equal(
    line("posix", "/my programs/astragal", "play", "it's.rhai"),
    "'/my programs/astragal' play 'it'\\''s.rhai'",
  );
  assert.equal(line("fish", "astragal", "it's\\.rhai"), "astragal 'it\\'s\\\\.rhai'");
  assert.equal(line("nu", "/my programs/astragal", 'a"b'), '^"/my programs/astragal" "a\\"b"');
  assert.equal(
    line("powershell", "C:\\my programs\\astragal.exe", "it's.rhai"),
    "& 'C:\\my programs\\astragal.exe' 'it''s.rhai'",
  );
  assert.equal(line("powershell", "astragal", "a\u2019b", "$x", "2,3"), "astragal 'a\u2019\u2019b' '$x' '2,3'");
  assert.equal(
    line("cmd", "C:\\my programs\\astragal.exe", "a & b.rhai"),
    '"C:\\my programs\\astragal.exe" "a & b.rhai"',
  );
});

test("names that a shell cannot express are refused", () => {
  for (const shell of ["posix", "fish", "nu", "powershell", "cmd"] as const) {
    assert.throws(() => commandLine(["astragal", "play", "a\nreboot"], shell), /control character/);
  }
  assert.throws(() => commandLine(["astragal", "%PATH%.rhai"], "cmd"), /cmd\.exe/);
  assert.throws(() => commandLine(["astragal", 'a"b.rhai'], "cmd"), /cmd\.exe/);
});

/** Names with all that a shell may take for its own. */
const NAMES = [
  "plain.rhai",
  "two words.rhai",
  "it's.rhai",
  'a "b".rhai',
  "$HOME.rhai",
  "`id`.rhai",
  "$(id).rhai",
  "a;b.rhai",
  "a&b|c>d<e.rhai",
  "*.rhai",
  "?[a].rhai",
  "{a,b}.rhai",
  "~",
  "~root",
  "a\\b.rhai",
  "a\\",
  "\\'",
  "!x",
  "#x",
  "=x",
  "a=b",
  "2,3",
  "-x",
  "%x%",
  "größe ♞.rhai",
  "",
  " ",
  "@x",
  "^x",
  "(a)",
];

const SHELLS: [string, Shell][] = [
  ["sh", "posix"],
  ["bash", "posix"],
  ["zsh", "posix"],
  ["fish", "fish"],
  ["nu", "nu"],
  ["pwsh", "powershell"],
];
const isInstalled = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).error === undefined;

for (const [shell, kind] of SHELLS) {
  // Those that every machine with a shell has must be there.
  const skip = shell !== "sh" && !isInstalled(shell) ? "not installed" : false;
  test(`${shell} passes on every name as it is`, { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), "it's a folder "));
    try {
      const script = join(folder, "print.mjs");
      writeFileSync(script, "console.log(JSON.stringify(process.argv.slice(2)));");
      const line = commandLine([process.execPath, script, ...NAMES], kind);
      assert.deepEqual(JSON.parse(execFileSync(shell, ["-c", line], { encoding: "utf8" })), NAMES);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("commands run in the innermost workspace folder, or next to the file", () => {
  const place = (file: string, workspace: string[], platform: string) => {
    const { folder, files } = placeOf([file], workspace, platform);
    return [folder, ...files];
  };
  assert.deepEqual(place("/games/chess/a.rhai", ["/games", "/games/chess", "/other"], "linux"), [
    "/games/chess",
    "a.rhai",
  ]);
  assert.deepEqual(place("/games/x/a.rhai", ["/games"], "linux"), ["/games", "x/a.rhai"]);
  assert.deepEqual(place("/games-2/a.rhai", ["/games"], "linux"), ["/games-2", "a.rhai"]);
  assert.deepEqual(place("/games/..a.rhai", ["/games"], "linux"), ["/games", "..a.rhai"]);
  assert.deepEqual(place("d:\\x\\a.rhai", ["c:\\games"], "win32"), ["d:\\x", "a.rhai"]);
  assert.deepEqual(place("c:\\games\\x\\a.rhai", ["c:\\games"], "win32"), ["c:\\games", "x\\a.rhai"]);
});

test("several files are seen from one folder", () => {
  assert.deepEqual(placeOf(["/a b/x/1.game", "/a b/2.game"], ["/a b/x", "/a b"], "linux"), {
    folder: "/a b",
    files: ["x/1.game", "2.game"],
  });
  assert.deepEqual(placeOf(["/a/x/1.game", "/a/2.game"], [], "linux"), {
    folder: "/a/x",
    files: ["1.game", "../2.game"],
  });
  assert.deepEqual(placeOf(["c:\\my games\\1.game", "d:\\2.game"], ["c:\\my games"], "win32"), {
    folder: "c:\\my games",
    files: ["1.game", "d:\\2.game"],
  });
  // The server joins paths on Windows with both signs.
  assert.deepEqual(placeOf(["c:/my games\\1.game"], ["C:\\my games"], "win32"), {
    folder: "C:\\my games",
    files: ["1.game"],
  });
});
