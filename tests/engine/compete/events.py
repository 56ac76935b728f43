"""Rounds with random results, and the same draw in other processes, used by tests of pairings."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from engine.compete.records import Drawn, Kind, Played, Round, Unplayed

ROOT = Path(__file__).resolve().parents[3]
POINTS_FOR_A_BYE = Fraction(2)


def round_of(*tables, points=None, unplayed=()):
    """A round with these tables; points by place in the list of entries, unless they are given table by table."""
    points = points or [range(len(entries) - 1, -1, -1) for entries in tables]
    played = [Played(tuple(entries), tuple(map(Fraction, won))) for entries, won in zip(tables, points, strict=True)]
    return Round(tuple(played), tuple(unplayed))


def played(drawn: Drawn, rng: random.Random) -> Round:
    """Random results: a win is worth two at tables of two, a place one more than the next at larger ones."""
    points = []
    for entries in drawn.tables:
        won = [0, 2] if len(entries) == 2 else list(range(len(entries)))
        rng.shuffle(won)
        points.append([1, 1] if len(entries) == 2 and rng.random() < 0.25 else won)
    byes = [Unplayed(entry, POINTS_FOR_A_BYE, Kind.BYE) for entry in drawn.byes]
    return round_of(*drawn.tables, points=points, unplayed=byes)


def printed_by_others(code: str) -> set[str]:
    """Output of a program in processes that order their sets of text each in its own way."""
    return {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
