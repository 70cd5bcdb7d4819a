// A bot: plays games of Astragal against itself, with random moves, and prints their results.
//
//     node bot.mjs [VARIANT] [GAMES] [PROGRAM]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Sends requests to `astragal serve`, one per line. Responses arrive in the order of the requests. */
class Server {
  constructor(program) {
    this.process = spawn(program, ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async ask(method, params) {
    this.process.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) + "\n");
    const { result, error } = JSON.parse((await this.lines.next()).value);
    if (error) throw new Error(error.message);
    return result;
  }
}

const [variant = "dice-chess", games = "1", program = "astragal"] = process.argv.slice(2);
const server = new Server(program);
for (let seed = 0; seed < Number(games); seed++) {
  let game = await server.ask("open", { variant, seed }); // the server rolls the dice
  let events = 0;
  for (; game.pending; events++) {
    const { kind, options } = game.pending;
    const choice = options[Math.floor(Math.random() * options.length)] ?? "pass"; // a better bot would search here
    game = await server.ask("apply", { session: game.session, events: [{ [kind]: choice }] });
  }
  const { record } = await server.ask("close", { session: game.session });
  console.log(seed, game.state.winner ?? "draw", game.state.reason, events, record.length > 0);
}
server.process.stdin.end();
