// The thread of an engine: one message is the compiled code. Each other message is a line of JSON-RPC or the file of a table,
// answered once the code has started. Each response is a line.

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
  const { id, table } = data;
  try {
    engine.add_table(table);
    self.postMessage(JSON.stringify({ id, result: null }));
  } catch (error) {
    self.postMessage(JSON.stringify({ id, error: { message: String(error) } }));
  }
};
