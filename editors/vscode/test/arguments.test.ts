import assert from "node:assert/strict";
import { test } from "node:test";
import { targetsOf } from "../src/arguments";
import { ACTIONS } from "../src/command_line";

const SCRIPT = "file:///my%20games/race.rhai";

test("each action takes what the server passes", () => {
  assert.deepEqual(targetsOf("play", [SCRIPT]), [{ uri: SCRIPT }]);
  assert.deepEqual(targetsOf("test", ["untitled:Untitled-1"]), [{ uri: "untitled:Untitled-1" }]);
  assert.deepEqual(targetsOf("accept", ["file:///1.game"]), [{ uri: "file:///1.game" }]);
  assert.deepEqual(targetsOf("accept", ["/my games/1.game", "/my games/2.game"]), [
    { path: "/my games/1.game" },
    { path: "/my games/2.game" },
  ]);
  assert.deepEqual(targetsOf("odds", [SCRIPT, "44", "2d6"]), [{ uri: SCRIPT }]);
  assert.deepEqual(targetsOf("odds", [SCRIPT, "44"]), [{ uri: SCRIPT }]);
  assert.deepEqual(targetsOf("odds", [SCRIPT]), [{ uri: SCRIPT }]);
});

test("paths of Windows are not taken for URIs", () => {
  for (const path of ["c:\\my games\\1.game", "C:/my games\\1.game", "\\\\server\\games\\1.game"])
    assert.deepEqual(targetsOf("accept", [path]), [{ path }]);
  const uri = "file:///c%3A/my%20games/1.game";
  assert.deepEqual(targetsOf("accept", [uri]), [{ uri }]);
});

test("other arguments are refused", () => {
  const wrong = [[], [""], [7], [null], ["race.rhai"], [{}]];
  const all = ACTIONS.flatMap((action) => wrong.map((args) => ({ action, args })));
  const some = [
    { action: "play" as const, args: [SCRIPT, SCRIPT] },
    { action: "test" as const, args: [SCRIPT, "44"] },
    { action: "accept" as const, args: ["/1.game", 2] },
    { action: "odds" as const, args: [SCRIPT, "0"] },
    { action: "odds" as const, args: [SCRIPT, "2d6"] },
    { action: "odds" as const, args: [SCRIPT, 44, "2d6"] },
    { action: "odds" as const, args: [SCRIPT, "44", "2d6", "1d6"] },
  ];
  for (const { action, args } of [...all, ...some])
    assert.throws(() => targetsOf(action, args), /got unexpected arguments/, `${action} ${JSON.stringify(args)}`);
});
