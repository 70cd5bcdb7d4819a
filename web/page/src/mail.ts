// Games by links: two people at two machines send each other the whole game after each turn. Owns the secrets for the dice, in
// the store, and checks what comes in. Link n commits its sender to a secret, and reveals the one of link n - 2. Who opens link n
// rolls with that one and with their own of link n - 1, so neither player can choose or foresee a roll. It knows no elements.

import { words } from "./dom";
import type { Engine } from "./engine";
import { commitment, newPart, seedOf } from "./fair_dice";
import { type Course, type SessionStatus, SIDES } from "./protocol";
import { type Mail, pack, type Shared, sharedScript, startOf } from "./share";
import type { Store } from "./store";
import type { Beginning, ByLinks, Script, Table, TableState } from "./table";

/** A game by links as this browser keeps it. */
export interface MailGame extends Mail {
  script: Script;
  options: Record<string, string>;
  /** The record up to the last link. */
  record: string;
  /** Whether this browser started the game; undefined if it only watches. */
  isHost: boolean | undefined;
  /** The secrets of this browser, by the number of their link. The guest's first one is never committed to: it has the number -1. */
  secrets: Record<number, string>;
}

/** The name of a user's script while a link is checked. */
const CHECKED = "link.rhai";

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A record as the engine writes it, with another seed. */
function seeded(record: string, seed: number): string {
  const tag = /^\[Seed "\d+"\]$/gm;
  if (record.match(tag)?.length !== 1) throw new Error("its record has no seed.");
  return record.replace(tag, `[Seed "${seed}"]`);
}

/** The side that sends a link: the host sends the first one and every second one after it. */
const sender = ({ side }: Mail, link: number) => (link % 2 === 0 ? side : 1 - side);

export class Mails {
  constructor(
    private readonly engine: Engine,
    private readonly store: Store,
  ) {}

  private get(id: string): Promise<MailGame | undefined> {
    return this.store.get<MailGame>("mail", id);
  }

  /** Changes a game unless another tab has changed it meanwhile, and returns it as it then is. */
  private async put(game: MailGame, count: number): Promise<MailGame> {
    await this.store.update<MailGame>("mail", game.id, (before) => (before && before.events.length !== count ? before : game));
    return (await this.get(game.id)) ?? game;
  }

  /** Begins a game of which this browser plays a side, 0 or 1. */
  async begin(script: Script, options: Record<string, string>, side: number): Promise<MailGame> {
    const id = newPart().slice(0, 32);
    return this.put({ id, side, events: [], parts: [], commitments: [], script, options, record: "", isHost: true, secrets: {} }, 0);
  }

  /** Makes the next link of the game at the table. */
  async send(table: Table): Promise<void> {
    const { links, shown } = table;
    if (!links || !shown || !table.isToSend) return;
    const { record } = shown.course;
    if (record === undefined) throw new Error("This turn is secret, and a link would reveal it. The game cannot continue by links.");
    const game = await this.get(links.id);
    const { count } = links;
    const elsewhere = new Error("This game continues in another tab, or it was removed from this browser.");
    if (game?.events.length !== count) throw elsewhere;
    const secret = newPart();
    const events = [...game.events, shown.course.deciders.length];
    const commitments = [...game.commitments, await commitment(secret)];
    const parts = count === 0 ? [] : [...game.parts, game.secrets[count - 2] ?? ""];
    const next = { ...game, events, commitments, parts, record: seeded(record, 0), secrets: { ...game.secrets, [count]: secret } };
    const kept = await this.put(next, count);
    if (kept.commitments[count] !== commitments[count]) throw elsewhere;
    if (table.links === links) table.sent(allows(kept));
  }

  /** The last link of a game, after the address of the page; undefined if this browser does not play it. */
  async link(id: string): Promise<string | undefined> {
    const game = await this.get(id);
    if (!game || game.isHost === undefined || game.events.length === 0) return undefined;
    const { record, side, events, parts } = game;
    const commitments = game.commitments.map((made, link) => (link < events.length - 2 ? "" : made));
    return pack({ ...sharedScript(game), record, mail: { id, side, events, parts, commitments } });
  }

  /** How a game continues at the table: with the decisions that are in no link yet, if they follow on its last link. */
  async beginning(id: string, kept?: TableState): Promise<Beginning> {
    const game = await this.get(id);
    if (!game) return { seats: ["human", "human"], links: kept?.links && { ...kept.links, isOurs: false } };
    const links = allows(game);
    if (kept?.links?.count === links.count) return { ...kept, links };
    const parts = [game.parts.at(-1) ?? "", game.secrets[links.count - 2] ?? ""];
    const record = links.isOurs && links.canRoll ? seeded(game.record, await seedOf(...inOrder(game, links.count, parts))) : game.record;
    return { ...(record && { record }), seats: ["human", "human"], rollsAlone: true, flipped: links.side === "second", links };
  }

  /** Takes a link that was opened. Returns the game as it is known then, and what is wrong with the link. */
  async receive(shared: Shared & { mail: Mail }): Promise<{ game: MailGame; remark?: Error | undefined }> {
    const { mail, record = "" } = shared;
    const { script, options } = startOf(shared);
    const known = await this.get(mail.id);
    const isNew = mail.events.length === 1;
    const given: MailGame = {
      ...mail,
      script,
      options,
      record,
      isHost: known ? known.isHost : isNew ? false : undefined,
      secrets: known?.secrets ?? (isNew ? { [-1]: newPart() } : {}),
    };
    try {
      if (given.script.text !== undefined) await this.engine.ask("load", { name: CHECKED, text: given.script.text, options: given.options });
      // A stranger's text can have a seed, or none, that only the engine sees.
      given.record = (await this.replay(given, Number.MAX_SAFE_INTEGER)).record;
      const remark = await this.compare(given, known);
      if (known && remark !== undefined) return { game: known, remark: remark ? new Error(remark) : undefined };
    } catch (error) {
      const refused = new Error(`This link is refused: ${words(error)}`, { cause: error });
      if (!known) throw refused;
      return { game: known, remark: refused };
    }
    // Commitments that are no longer in the link are known from earlier ones.
    const commitments = mail.commitments.map((made, link) => known?.commitments[link] ?? made);
    const game = await this.put({ ...given, commitments }, known?.events.length ?? 0);
    if (given.isHost !== undefined) return { game };
    return { game, remark: new Error("You are watching. To play, open the link in the browser where you took your last turn.") };
  }

  /** Compares a link with the game that is known. Returns a remark if it brings nothing new, and throws if it is wrong. */
  private async compare(given: MailGame, known: MailGame | undefined): Promise<string | undefined> {
    const had = known?.events.length ?? 0;
    const count = given.events.length;
    const common = Math.min(had, count);
    if (known && common > 0) {
      const past = (game: MailGame) => [game.script, game.options, game.side, game.events.slice(0, common), game.parts.slice(0, common - 1)];
      const isKept = given.commitments.slice(0, common).every((made, link) => made === "" || made === known.commitments[link]);
      const end = given.events[common - 1] ?? 0;
      const isSame = same(past(given), past(known)) && isKept && same(await this.replay(given, end), await this.replay(known, end));
      if (!isSame) throw new Error("it changes a part of the game that you have already seen.");
    }
    if (known && count < had) return "This link is older than the game that you know. The game is shown as it is now.";
    if (known && count === had) return isOurs(known) || known.isHost === undefined ? "" : "This is your own link. Send it to your friend.";
    if (known?.isHost !== undefined && (count > had + 1 || isOurs(known))) throw new Error("it contains a turn of yours that this browser does not know.");
    await this.check(given, had, known?.commitments ?? []);
    return undefined;
  }

  /** Checks the links from a number on: their secrets, who decided, and the dice. */
  private async check(given: MailGame, from: number, known: string[]): Promise<void> {
    const { events, parts, record, commitments } = given;
    const whole = await this.replay(given, Number.MAX_SAFE_INTEGER);
    if (events.at(-1) !== whole.deciders.length || parts.length !== Math.max(0, events.length - 1)) throw new Error("it is not complete.");
    for (let link = from; link < events.length; link++) {
      const [start, end] = [events[link - 1] ?? 0, events[link] ?? 0];
      const round = whole.turns.find((turn) => turn.events > start)?.round ?? 1;
      const bound = known[link - 2] || commitments[link - 2];
      const part = parts[link - 1];
      if (bound && part && (await commitment(part)) !== bound) throw new Error("its secret for the dice is not the one that was promised.");
      const decided = whole.deciders.slice(start, end);
      const first = decided.findIndex((side) => side !== null);
      const rolls = first < 0 ? decided.length : first;
      const isOwn = decided.slice(rolls).every((side) => side === SIDES[sender(given, link)]);
      if (!isOwn) throw new Error(`it contains a move or a roll in round ${round} that its sender could not make.`);
      // Who has seen a roll must not leave it out.
      const isDue = link > 1 && first < 0 && (await this.replay(given, end)).awaitsRoll;
      if (isDue) throw new Error(`a roll that was due in round ${round} is missing.`);
      if (rolls === 0) continue;
      const unfair = new Error(`the dice in round ${round} do not come from the secrets of both players. The roll was not fair.`);
      const before = parts[link - 2];
      if (before === undefined || part === undefined) throw unfair;
      const fair = { ...given, record: seeded(record, await seedOf(...inOrder(given, link, [before, part]))) };
      const rolled = await this.replay(fair, start, rolls).catch(() => undefined);
      if (!same(rolled, await this.replay(given, start + rolls))) throw unfair;
    }
  }

  /** The game after a number of events, and after as many rolls. */
  private async replay({ script, options, record }: MailGame, events: number, rolls = 0): Promise<Course & { record: string; awaitsRoll: boolean }> {
    const variant = script.text === undefined ? script.variant : CHECKED;
    const asked = { variant, options, seed: 0, wait: true, ...(record && { record }) };
    const { session } = await this.engine.ask<SessionStatus>("open", asked).catch((error: unknown) => {
      throw new Error(`its turns do not follow the rules. ${words(error)}`, { cause: error });
    });
    try {
      const whole = await this.engine.ask<Course>("history", { session });
      if (events < whole.deciders.length) await this.engine.ask("undo", { session, events });
      for (let roll = 0; roll < rolls; roll++) await this.engine.ask("apply", { session, events: [{ roll: [] }] });
      const course = await this.engine.ask<Course>("history", { session });
      const { pending } = await this.engine.ask<SessionStatus>("apply", { session });
      return { ...course, record: seeded(course.record ?? "", 0), awaitsRoll: pending?.kind === "roll" };
    } finally {
      await this.engine.ask("close", { session });
    }
  }
}

/** Two parts in the order of their sides. The second is of the sender of this link, the first of the other player. */
function inOrder(game: Mail, link: number, parts: string[]): string[] {
  return sender(game, link) === 0 ? [...parts].reverse() : parts;
}

/** Whether this browser is to take the next turn. */
function isOurs({ events, isHost }: MailGame): boolean {
  return isHost !== undefined && (events.length % 2 === 0) === isHost;
}

/** What a game allows at this screen. */
function allows(game: MailGame): ByLinks {
  const { id, events, side, isHost } = game;
  const own = isHost === undefined ? undefined : SIDES[isHost ? side : 1 - side];
  return { id, count: events.length, fixed: events.at(-1) ?? 0, side: own, isOurs: isOurs(game), canRoll: events.length > 1 };
}
