"""Pieces told in Betza notation against Fairy-Stockfish, which reads the same words."""

from __future__ import annotations

import random

import astragal
import pyffish
from fairy_stockfish import FairyStockfish, described
from placements import compare_games
from report import Comparison

# Armies of seven pieces beside a king and pawns without a double step.
ARMIES = {
    "compounds": ["BN", "RN", "QN", "WD", "FA", "BW", "RF"],
    "leapers": ["C", "Z", "N", "D", "A", "H", "G"],
    "lame leapers and limited riders": ["nN", "nA", "nD", "R4", "B2", "W3", "F2"],
    "hoppers": ["mRcpR", "mBcpB", "pR", "gQ", "gR", "gB", "pB"],
    "nightriders": ["NN", "NNW", "NNF", "BNN", "RNN", "mNNcW", "fNNbsW"],
    "divergent and one-sided pieces": ["mNcB", "mBcR", "fRbWbF", "fNbW", "mRcN", "fBbsW", "cQmK"],
}

LETTERS = "ABCDEFG"


def script(name: str, army: list[str]) -> str:
    """The script of an army."""
    pieces = [f'piece("{letter.lower()}", "{letter}", "{betza}");' for letter, betza in zip(LETTERS, army)]
    return "\n".join([
        f'title("{name}"); board(8, 8); sides(["White", "Black"]);',
        'piece("king", "K", "K", #{ royal: true }); piece("pawn", "P", "fmWfcF");',
        *pieces,
        'setup("abcdkefg/pppppppp/8/8/8/8/PPPPPPPP/ABCDKEFG w");',
        "fn turn() { play(any()) }",
        'fn outcome() { if between_turns() && !can_move(to_move()) { draw("no move"); } }',
    ])


def variant(name: str, army: list[str]) -> str:
    """The same for Fairy-Stockfish."""
    pieces = [f"customPiece{number} = {letter.lower()}:{betza}" for number, (letter, betza) in enumerate(zip(LETTERS, army), 1)]
    return "\n".join([
        f"[{name}]",
        "king = k",
        "customPiece8 = p:fmWfcF",
        *pieces,
        "startFen = abcdkefg/pppppppp/8/8/8/8/PPPPPPPP/ABCDKEFG w - - 0 1",
        "castling = false",
        "doubleStep = false",
        "nMoveRule = 0",
        "nFoldRule = 0",
        "",
    ])


def compare(positions: int, seed: int, progress) -> Comparison:
    """Compares so many positions, as many with each army."""
    result = described(
        "Betza pieces",
        "fairy_betza.py",
        "the placements that the legal moves lead to, taking check into account, and whether legal moves exist",
        "The pieces are " + "; ".join(f"{name} ({', '.join(army)})" for name, army in ARMIES.items())
        + ". Riders with longer steps (DD, CC) are left out, because pyffish makes only their first step. The piece bK is left out "
        "too: in Fairy-Stockfish it means bWbF, but in XBetza and in Astragal it is a single step straight back.",
    )
    chance = random.Random(seed)
    for number, (name, army) in enumerate(ARMIES.items(), 1):
        short = f"betza-{number}"
        pyffish.load_variant_config(variant(short, army))
        game = astragal.load(text=script(name, army))
        compare_games(result, game, FairyStockfish(short), positions * number // len(ARMIES), chance, progress)
    return result
