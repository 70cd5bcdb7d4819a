// The thread of an engine: its first message is the compiled code. Each other message is a line of JSON-RPC, and so is each
// response.

import init, { Engine } from "../../build/astragal_web.js";

let started: (engine: Engine) => void;
const ready = new Promise<Engine>((done) => (started = done));

self.onmessage = async ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    await init({ module_or_path: data });
    return started(new Engine());
  }
  const engine = await ready;
  engine.answer(String(data), (line: string) => self.postMessage(line));
};
