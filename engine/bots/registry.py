"""The levels by name."""

from __future__ import annotations

from typing import Protocol

from engine.bots.bot import Bot
from engine.bots.club import Club
from engine.bots.expert import Expert, many_candidates
from engine.bots.novice import Novice
from engine.bots.random_bot import RandomBot
from engine.errors import BadInput

MASTER_SECONDS = 1.0
"""Time of a `master` for a turn, unless another is given."""


class Factory(Protocol):
    """Makes a bot. `seed` repeats its own chances; `seconds` a turn and `samples` mean something to `expert` and `master` only."""

    def __call__(self, *, seed: int | None, seconds: float | None, samples: int | None) -> Bot: ...


def _random(*, seed: int | None, seconds: float | None, samples: int | None) -> Bot:
    return RandomBot(seed)


def _novice(*, seed: int | None, seconds: float | None, samples: int | None) -> Bot:
    return Novice(seed)


def _club(*, seed: int | None, seconds: float | None, samples: int | None) -> Bot:
    return Club(seed)


def _expert(*, seed: int | None, seconds: float | None, samples: int | None) -> Bot:
    return Expert(seed, seconds=seconds, samples=samples)


def _master(*, seed: int | None, seconds: float | None, samples: int | None) -> Bot:
    time = MASTER_SECONDS if seconds is None else seconds
    return Expert(seed, seconds=time, samples=samples, choices=many_candidates)


BOTS: dict[str, Factory] = {"random": _random, "novice": _novice, "club": _club, "expert": _expert, "master": _master}
"""Every level, weakest first."""


def make_bot(name: str, *, seed: int | None = None, seconds: float | None = None, samples: int | None = None) -> Bot:
    """A bot of that level. Raises `BadInput` for an unknown name.

    `seed` makes its own chances repeatable. `seconds` is the time on the clock for a turn of an `expert` or `master`; with
    `samples` instead it looks at that many imagined deals a decision, in any time, and is repeatable.
    """
    if name not in BOTS:
        raise BadInput(f"There is no bot {name!r:.40}; there are {', '.join(BOTS)}.")
    return BOTS[name](seed=seed, seconds=seconds, samples=samples)
