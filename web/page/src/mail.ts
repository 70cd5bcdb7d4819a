// Games by links: two people at two machines send each other the whole game after each turn. Owns the secrets for the dice, in
// the store, and checks what comes in. Link n commits its sender to a secret, and reveals the one of link n - 2. The player
// who opens link n rolls with that secret and with their own from link n - 1, so neither player can choose or foresee a
// roll. It knows no elements.

import { words } from "./dom";
import type { Engine } from "./engine";
import { commitment, newPart, seedOf } from "./fair_dice";
import { load } from "./load";
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

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A record as the engine writes it, with another seed. */
function seeded(record: string, seed: number): string {
  const tag = /^\[Seed "\d+"\]$/gm;
  if (record.match(tag)?.length !== 1) throw new Error("its record has no seed.");
  return record.replace(tag, `[Seed "${seed}"]`);
}

/** What a record says about the beginning of its game: the options, and a position that is not the usual one. */
const start = (record: string) => record.match(/^\[(Options|FEN) .*/gm);

/** Two lists of the same links. A link leaves out what its receiver knows. */
const agree = (given: string[], known: string[], count: number) => given.slice(0, count).every((one, link) => !one || !known[link] || one === known[link]);
const filled = (given: string[], known: string[] = []) => given.map((one, link) => one || known[link] || "");
const shortened = (all: string[], count: number) => all.map((one, link) => (link < count - 2 ? "" : one));

/** Why a game cannot be played by links; undefined if it can. */
export function whyNotByLinks({ sides, hides }: { sides: string[]; hides: boolean }): string | undefined {
  if (sides.length !== 2) return "Only games for two players can be played by links.";
  return hides ? "This game hides information from the players, and a link would reveal it." : undefined;
}

/** The side that sends a link: the host sends the first one and every second one after it. */
const sender = ({ side }: Mail, link: number) => (link % 2 === 0 ? side : 1 - side);

export class Mails {
  /** Links are checked one after the other: the engine has one script of a user at a time. */
  private receiving: Promise<unknown> = Promise.resolve();

  constructor(
    /** An engine for checks, which can take long. */
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
    // Meanwhile, the user may have taken something back.
    if (table.links !== links || table.shown?.course.record !== record) return;
    const next = { ...game, events, commitments, parts, record: seeded(record, 0), secrets: { ...game.secrets, [count]: secret } };
    const kept = await this.put(next, count);
    if (kept.commitments[count] !== commitments[count]) throw elsewhere;
    if (table.links === links) table.sent(allows(kept));
  }

  /** The last link of a game, after the address of the page; undefined if this browser does not play it. */
  async link(id: string): Promise<string | undefined> {
    const game = await this.get(id);
    if (!game || game.isHost === undefined || game.events.length === 0) return undefined;
    const { record, side, events, parts, commitments } = game;
    const mail = { id, side, events, parts: shortened(parts, parts.length), commitments: shortened(commitments, events.length) };
    return pack({ ...sharedScript(game), record, mail });
  }

  /** How a game continues at the table: with the decisions that are in no link yet, if they follow on its last link. */
  async beginning(id: string, kept?: TableState): Promise<Beginning> {
    const game = await this.get(id);
    if (!game) return { ...kept, links: kept?.links && { ...kept.links, side: undefined, isOurs: false } };
    const links = allows(game);
    if (kept?.links?.count === links.count) return { ...kept, links };
    const parts = [game.parts.at(-1) ?? "", game.secrets[links.count - 2] ?? ""];
    const record = links.isOurs && links.canRoll ? seeded(game.record, await seedOf(...inOrder(game, links.count, parts))) : game.record;
    return { ...(record && { record }), seats: ["human", "human"], rollsAlone: true, flipped: links.side === "second", links };
  }

  /** Takes a link that was opened. Returns the game as it is known then, and what is wrong with the link. */
  receive(shared: Shared & { mail: Mail }): Promise<{ game: MailGame; remark?: Error | undefined }> {
    const received = this.receiving.then(() => this.take(shared));
    this.receiving = received.catch(() => {});
    return received;
  }

  private async take(shared: Shared & { mail: Mail }): Promise<{ game: MailGame; remark?: Error | undefined }> {
    const { mail, record = "" } = shared;
    const { script, options } = startOf(shared);
    const known = await this.get(mail.id);
    const isNew = mail.events.length === 1;
    const given: MailGame = {
      ...mail,
      // Parts that the link no longer contains are known from earlier links.
      parts: filled(mail.parts, known?.parts),
      script,
      options,
      record,
      isHost: known ? known.isHost : isNew ? false : undefined,
      secrets: known?.secrets ?? (isNew ? { [-1]: newPart() } : {}),
    };
    try {
      const why = whyNotByLinks(await load(this.engine, script, options));
      if (why) throw new Error(why);
      // A stranger's text can have a seed, or none, that only the engine sees.
      given.record = (await this.replay(given, Number.MAX_SAFE_INTEGER)).record;
      const remark = await this.compare(given, known);
      if (known && remark !== undefined) return { game: known, remark: remark ? new Error(remark) : undefined };
    } catch (error) {
      const refused = new Error(`This link cannot be used: ${words(error)}`, { cause: error });
      if (!known) throw refused;
      return { game: known, remark: refused };
    }
    const game = await this.put({ ...given, commitments: filled(mail.commitments, known?.commitments) }, known?.events.length ?? 0);
    if (given.isHost !== undefined) return { game };
    return { game, remark: new Error("You are watching. If you are one of the players, open the link in the browser where you took your last turn.") };
  }

  /** Compares a link with the game that is known. Returns a remark if it brings nothing new, and throws if it is wrong. */
  private async compare(given: MailGame, known: MailGame | undefined): Promise<string | undefined> {
    const had = known?.events.length ?? 0;
    const count = given.events.length;
    const common = Math.min(had, count);
    if (known && common > 0) {
      const past = (game: MailGame) => [game.script, game.options, game.side, game.events.slice(0, common)];
      const isKept = agree(given.parts, known.parts, common - 1) && agree(given.commitments, known.commitments, common);
      const end = given.events[common - 1] ?? 0;
      const isSame = same(past(given), past(known)) && isKept && same(await this.replay(given, end), await this.replay(known, end));
      if (!isSame) throw new Error("it changes a part of the game that you have already seen.");
    }
    if (known && count < had) return "This link is from an earlier turn. You see the latest position.";
    if (known && count === had) return isOurs(known) || known.isHost === undefined ? "" : "This is your own link. Send it to your friend.";
    if (known?.isHost !== undefined && (count > had + 1 || isOurs(known))) throw new Error("it contains a turn of yours that this browser does not know.");
    if (!same(start(given.record), start((await this.replay({ ...given, record: "" }, 0)).record)))
      throw new Error("its starting position or its options are not those of a new game.");
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
      if (bound && part && (await commitment(part)) !== bound) throw new Error("its secret for the dice does not match the commitment in an earlier link.");
      const decided = whole.deciders.slice(start, end);
      const first = decided.findIndex((side) => side !== null);
      const rolls = first < 0 ? decided.length : first;
      const isOwn = decided.slice(rolls).every((side) => side === SIDES[sender(given, link)]);
      if (!isOwn) throw new Error(`it contains a move or a roll in round ${round} that its sender could not make.`);
      // A player who has seen a roll must not leave it out, nor the decision that follows it.
      const isLacking = link > 1 && first < 0;
      const awaitsRoll = isLacking && (await this.replay(given, end)).awaitsRoll;
      if (awaitsRoll || (isLacking && end === start)) throw new Error(`a ${awaitsRoll ? "roll" : "decision"} that was due in round ${round} is missing.`);
      if (rolls === 0) continue;
      const unfair = new Error(`the dice in round ${round} do not come from the secrets of both players. The roll was not fair.`);
      const before = parts[link - 2];
      // Earlier secrets are missing for people who only watch.
      if (given.isHost === undefined && !(before && part)) continue;
      if (!before || !part) throw unfair;
      const fair = { ...given, record: seeded(record, await seedOf(...inOrder(given, link, [before, part]))) };
      const rolled = await this.replay(fair, start, rolls).catch(() => undefined);
      if (!same(rolled, await this.replay(given, start + rolls))) throw unfair;
    }
  }

  /** The game after a number of events, and after as many rolls. */
  private async replay({ script, options, record }: MailGame, events: number, rolls = 0): Promise<Course & { record: string; awaitsRoll: boolean }> {
    const asked = { variant: script.variant, options, seed: 0, wait: true, ...(record && { record }) };
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
