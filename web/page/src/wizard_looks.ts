// How the pieces of the wizard look and move, according to the engine: each piece alone on a board of the game's size. Owns
// a cache of these results. If the engine cannot parse a piece, the error is stored with it, for the field of that piece.

import type { DrawnPiece } from "./diagram";
import { words } from "./dom";
import { type Engine, Refusal, Stopped } from "./engine";
import { capital } from "./lists";
import { pictureAddress } from "./picture";
import type { Picture } from "./protocol";
import type { KnownPiece } from "./wizard_pieces";
import { type WizardGame, sizeOf } from "./wizard_game";
import { writeBoard, writeOne } from "./wizard_script";

const NAME = "wizard-piece.rhai";
const BOARD = "wizard-start.rhai";

/** The engine's result for a piece: its drawing, or an error. */
export type Look = { drawn: DrawnPiece; error?: undefined } | { drawn?: undefined; error: string };

export class Looks {
  private known = new Map<string, Promise<Look>>();

  constructor(private readonly engine: Engine) {}

  /** How a piece looks and moves on the board of a game. */
  of(game: Pick<WizardGame, "files" | "ranks" | "cells">, piece: Pick<KnownPiece, "letter" | "betza" | "glyphs">): Promise<Look> {
    const script = writeOne(sizeOf(game), piece);
    const known = this.known.get(script);
    if (known) return known;
    const asked = this.ask(script);
    this.known.set(script, asked);
    return asked;
  }

  /** A picture of the starting position of a game. */
  async board(game: WizardGame): Promise<string | undefined> {
    const loaded = this.engine.ask("load", { name: BOARD, text: writeBoard(game) });
    const drawn = this.engine.ask<Picture>("draw", { variant: BOARD });
    const [, picture] = await Promise.allSettled([loaded, drawn]);
    return picture.status === "fulfilled" ? pictureAddress(picture.value.svg) : undefined;
  }

  private async ask(script: string): Promise<Look> {
    // The second request follows at once, so that no other request comes between them.
    const loaded = this.engine.ask("load", { name: NAME, text: script });
    const drawn = this.engine.ask<{ pieces: DrawnPiece[] }>("pieces", { variant: NAME });
    try {
      const [, { pieces }] = await Promise.all([loaded, drawn]);
      const [piece] = pieces;
      return piece ? { drawn: piece } : { error: "unknown movement" };
    } catch (error) {
      void drawn.catch(() => {});
      if (error instanceof Stopped || !(error instanceof Refusal)) this.known.delete(script);
      // The place and the advice are about a script that the user did not write.
      const reason = error instanceof Refusal ? String(error.data["reason"]) : words(error);
      return { error: `${capital(reason)}. For help, see the guide to Betza notation above the pieces.` };
    }
  }
}
