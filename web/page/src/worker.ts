// The thread of an engine: each message is a line of JSON-RPC, and so is each response.

import init, { Engine } from "../../build/astragal_web.js";

const ready = init({ module_or_path: new URL("astragal_web_bg.wasm", self.location.href) }).then(() => new Engine());

self.onmessage = async ({ data }) => {
  const engine = await ready;
  engine.answer(String(data), (line: string) => self.postMessage(line));
};
