// The thread of an engine. One message contains the compiled code; all others are answered once the code has started. The
// answer to a line of JSON-RPC is lines. The answer to a file of a table or a trained player, or to a request for the last
// one, is that file.

import init, { Engine } from "../../build/astragal_web.js";

let started: (engine: Engine) => void;
const ready = new Promise<Engine>((done) => (started = done));

self.onmessage = async ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    try {
      await init({ module_or_path: data });
      return started(new Engine());
    } catch (error) {
      // Errors of promises do not reach the page.
      setTimeout(() => {
        throw error;
      });
      return;
    }
  }
  const engine = await ready;
  if (typeof data === "string") return engine.answer(data, (line: string) => self.postMessage(line));
  const { id, kind, file } = data;
  try {
    if (file) kind === "table" ? engine.add_table(file) : engine.add_player(file);
    if (id) self.postMessage({ id, result: kind === "table" ? engine.last_table() : engine.last_player() });
  } catch (error) {
    self.postMessage({ id, error: { message: String(error) } });
  }
};
