// An engine in a worker: it takes requests and returns responses. Owns the worker, the assignment of responses to requests,
// and the compiled code that all engines share. It knows no method and no page.

import { words } from "./dom";

/** An error response of the service. */
export class Refusal extends Error {
  constructor(message: string, readonly code: number, readonly data: Record<string, unknown>) {
    super(message);
  }
}

/** A request that was abandoned because the engine was stopped. */
export class Stopped extends Error {}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  progress?: ((done: number, of: number) => void) | undefined;
}

/** What engines use from files: tables of solved positions, and trained players. */
export type Kind = "table" | "player";
export type EngineFile = Uint8Array<ArrayBuffer>;

/** An engine on its own thread. To stop a long request, the thread is ended, and the games that it has opened are lost. */
export class Engine {
  private worker: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  /** The files that each thread gets, by a name that later files replace. */
  private readonly files = new Map<string | EngineFile, { kind: Kind; file: EngineFile }>();

  /** The code, which the browser compiles once for all engines. */
  private static code: Promise<WebAssembly.Module> | undefined;

  private static compiled(): Promise<WebAssembly.Module> {
    const address = new URL("astragal_web_bg.wasm", document.baseURI);
    // Some servers give it no type, or the wrong one.
    const whole = async () => WebAssembly.compile(await (await fetch(address)).arrayBuffer());
    Engine.code ??= WebAssembly.compileStreaming(fetch(address)).catch(whole);
    Engine.code.catch(() => (Engine.code = undefined));
    return Engine.code;
  }

  private start(): Worker {
    const worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
    worker.onmessage = ({ data }) => this.hear(typeof data === "string" ? JSON.parse(data) : data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.end(new Error(`the engine has stopped: ${event.message || "it ran out of memory or stack space"}`));
    };
    this.worker = worker;
    for (const given of this.files.values()) worker.postMessage(given);
    const isCurrent = () => this.worker === worker;
    Engine.compiled().then(
      (code) => isCurrent() && worker.postMessage(code),
      (error) => isCurrent() && this.end(new Error(`The engine could not be loaded: ${words(error)}. Try again, or reload the page.`)),
    );
    return worker;
  }

  private hear(message: ReturnType<typeof JSON.parse>): void {
    if (message.method === "progress") {
      this.waiting.get(message.params.id)?.progress?.(message.params.done, message.params.of);
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.error) {
      const { message: text, code, data = {} } = message.error;
      // People do not know the names of parameters.
      waiting.reject(new Refusal(text.startsWith(`${data.field}: `) ? text.slice(data.field.length + 2) : text, code, data));
    } else {
      waiting.resolve(message.result);
    }
  }

  private end(error: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const waiting of all) waiting.reject(error);
  }

  /** Sends a request to the service; rejects with a `Refusal` if the service refuses it. */
  ask<T>(method: string, params: object, progress?: Waiting["progress"]): Promise<T> {
    return this.send<T>((id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }), progress);
  }

  /** Opens a file, or takes what this thread has solved or trained last. Later threads get it, too. Rejects if the file is damaged. */
  async open(kind: Kind, opened?: EngineFile, name?: string): Promise<EngineFile> {
    const file = await this.send<EngineFile>((id) => ({ id, kind, file: opened }));
    this.files.set(name ?? file, { kind, file });
    return file;
  }

  /** The same with a file that another engine has opened. */
  add(kind: Kind, file: EngineFile, name?: string): void {
    this.files.set(name ?? file, { kind, file });
    this.worker?.postMessage({ kind, file });
  }

  private send<T>(message: (id: number) => unknown, progress?: Waiting["progress"]): Promise<T> {
    const worker = this.worker ?? this.start();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, progress });
      worker.postMessage(message(id));
    });
  }

  /** Whether a response is pending. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  /** Abandons all pending requests. */
  stop(): void {
    if (this.busy) this.close();
  }

  /** Ends the thread until the next request. */
  close(): void {
    this.end(new Stopped("Stopped."));
  }
}
