// How the pieces of the wizard look and move, according to the engine: each piece alone on a board of the game's size. Owns
// a cache of these results. If the engine cannot parse a piece, the error is stored with it, for the field of that piece.

import type { DrawnPiece } from "./diagram";
import { words } from "./dom";
import { type Engine, Refusal } from "./engine";
import { capital } from "./lists";
import type { Picture } from "./protocol";
import type { KnownPiece } from "./wizard_pieces";
import { type WizardGame, sizeOf } from "./wizard_game";
import { writeBoard, writeOne } from "./wizard_script";

const NAME = "wizard-look.rhai";

/** The engine's result for a piece: its drawing, or an error. */
export type Look = { drawn: DrawnPiece; error?: undefined } | { drawn?: undefined; error: string };

export class Looks {
  private known = new Map<string, Promise<Look>>();

  constructor(
    private readonly engine: Engine,
    /** Whether pieces are drawn as letters. */
    private readonly letters: () => boolean,
  ) {}

  /** How a piece looks and moves on the board of a game. */
  of(game: Pick<WizardGame, "files" | "ranks" | "cells">, piece: Pick<KnownPiece, "letter" | "betza" | "glyphs">): Promise<Look> {
    const script = writeOne(sizeOf(game), piece);
    const key = `${this.letters()} ${script}`;
    const asked = this.known.get(key) ?? this.look(script, key);
    this.known.set(key, asked);
    return asked;
  }

  /** The board of a game, also while the user types its size. */
  empty(game: WizardGame): Promise<Picture> {
    return this.ask<Picture>("draw", writeOne(sizeOf(game), { letter: "X", betza: "" }));
  }

  /** The starting position of a game. */
  board(game: WizardGame): Promise<Picture> {
    return this.ask<Picture>("draw", writeBoard(game));
  }

  /** The engine's answer about a script. Both requests go out at once, so that no other one comes between them. */
  private async ask<T>(method: string, text: string): Promise<T> {
    const loaded = this.engine.ask("load", { name: NAME, text });
    const answer = this.engine.ask<T>(method, { variant: NAME, letters: this.letters() });
    answer.catch(() => {});
    await loaded;
    return answer;
  }

  private async look(script: string, key: string): Promise<Look> {
    try {
      const [piece] = (await this.ask<{ pieces: DrawnPiece[] }>("pieces", script)).pieces;
      return piece ? { drawn: piece } : { error: "unknown movement" };
    } catch (error) {
      if (!(error instanceof Refusal)) this.known.delete(key);
      // The place and the advice are about a script that the user did not write.
      const reason = error instanceof Refusal ? String(error.data["reason"]) : words(error);
      return { error: `${capital(reason)}. For help, see the guide to Betza notation above the pieces.` };
    }
  }
}
