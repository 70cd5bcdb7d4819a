// What a player of a game by links sees below the board: the link to send, and a field for the link that comes back. It knows
// neither the dice nor how links are checked.

import { ask } from "./dialog";
import { el, put } from "./dom";
import { isLocal } from "./folder";
import { linkField, openField } from "./link_field";
import { type Mails, whyNotByLinks } from "./mail";
import { say } from "./notice";
import type { Session } from "./session";
import { advice } from "./status";
import type { Table } from "./table";

export class MailPanel {
  private readonly panel = el("div", { className: "mail", role: "group", "aria-label": "Game by links" });
  /** The game and the link that the panel shows. */
  private shown = "";

  constructor(
    private readonly table: Table,
    private readonly mails: Mails,
    private readonly session: Session,
  ) {}

  /** What to do now. */
  get advice(): string {
    const { table } = this;
    const { links, isToSend, isAway } = table;
    if (!links) return advice(table);
    if (!links.side) return "You are watching this game.";
    if (isToSend) return table.hasNew ? "Your turn ends here. You can still undo." : "";
    if (isAway) return links.isOurs || table.shown?.status.pending === null ? "" : "Waiting for your friend's link.";
    return advice(table) || "Your turn.";
  }

  /** Shows what is to be sent, at the end of an element. */
  show(into: Element): void {
    const { table } = this;
    const { links } = table;
    if (!links) return;
    const state = `${links.id} ${links.count} ${table.isToSend} ${table.hasNew} ${links.isOurs}`;
    into.append(this.panel);
    if (state === this.shown) return;
    this.shown = state;
    put(this.panel);
    if (!table.isToSend && links.isOurs) return;
    const send = () => {
      end.disabled = true;
      const sent = this.mails.send(table).catch((error: unknown) => {
        put(this.panel, end);
        say(error);
      });
      void sent.finally(() => (end.disabled = false));
    };
    const end = el("button", { type: "button", className: "main", onclick: send }, "End my turn and make the link");
    if (!table.isToSend) void this.showLink(links.id, state).catch((error: unknown) => ((this.shown = ""), say(error)));
    else if (table.hasNew) put(this.panel, end);
    // There was nothing to decide, so there is nothing to take back.
    else send();
  }

  private async showLink(id: string, state: string): Promise<void> {
    const packed = await this.mails.link(id);
    const over = this.table.shown?.status.pending === null;
    if (state !== this.shown || packed === undefined) return;
    // The address of a studio on this machine contains its token, and is of no use to others.
    const link = `${isLocal() ? "" : location.href.split("#")[0]}#${packed}`;
    const how = isLocal() ? "Send this text to your friend. To open it, they paste it into the Share dialog of their studio." : "Send this link to your friend to continue.";
    put(
      this.panel,
      el("p", {}, over ? "The game is over. Send this link to show your friend the end." : how),
      linkField("Link for your friend", link, `${this.table.title}: your turn`),
      !over && openField((hash) => void this.session.openLink(hash, false).catch(say)),
    );
  }

  /** Asks which side to play, and starts the game. */
  async start(): Promise<void> {
    const { table } = this;
    const text = `A new game of ${table.title} starts. You and your friend take turns, and each turn is a link. Which side do you play?`;
    const side = await ask<number>(text, (done) => [
      el(
        "div",
        { className: "row" },
        ...table.sides.map((name, index) => el("button", { type: "button", onclick: () => done(index) }, name)),
        el("button", { type: "button", onclick: () => done(Math.floor(2 * Math.random())) }, "Either side"),
        el("button", { type: "button", onclick: () => done(undefined) }, "Cancel"),
      ),
    ]);
    if (side !== undefined) await this.session.playByLinks(await this.mails.begin(table.script, table.options, side));
  }
}

/** Why the game at the board cannot be played by links; undefined if it can. */
export function whyNoMail(table: Table): string | undefined {
  if (!table.shown) return "This script cannot be played yet.";
  return whyNotByLinks(table) ?? (globalThis.crypto.subtle ? undefined : "Fair dice need a page that is served over HTTPS.");
}
