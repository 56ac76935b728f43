"""Bots against each other over many deals, with the same cards from both sides on request.

Every deal is the first of a match. Keys and the bots' own chances follow from the seed by HMAC-SHA-256, so a match
with a seed repeats itself with any number of processes; without a seed they come from the operating system.
"""

from __future__ import annotations

import hmac
import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import starmap
from multiprocessing import get_context
from time import perf_counter
from typing import NamedTuple

from engine.bots.bot import Bot
from engine.bots.registry import make_bot
from engine.bots.result import DealResult, Result, summarise
from engine.errors import BadInput, EngineError
from engine.play.deal import new_key
from engine.play.events import PublicLog
from engine.play.game import apply, new_game
from engine.play.options import Shape
from engine.play.rules import Rules
from engine.play.scoring import outcome
from engine.play.state import DRAWING, OVER
from engine.play.view import view

MOST_MOVES = 50_000
"""A deal that has not ended by then never will: some house rules allow drawing and discarding for ever."""


class Endless(EngineError):
    """A deal in which nobody ever goes out and the stock never runs out."""

    code = "endless"


def play_deal(rules: Rules, shape: Shape, key: bytes, bots_by_team: Sequence[Sequence[Bot]]) -> DealResult:
    """Play the first deal of a match to its end; `bots_by_team[team]` are that team's bots, by seat.

    A move that the rules refuse is raised as `IllegalMove`: it is a fault of the bot or of the rules.
    """
    state = new_game(rules, key, seats=shape.seats, team_size=shape.team_size)
    bots = [bots_by_team[seat % shape.teams][seat // shape.teams] for seat in range(shape.seats)]
    seconds, turns, moves, log = [0.0] * shape.teams, [0] * shape.teams, 0, PublicLog()
    while state.phase != OVER:
        seat, phase = state.actor, state.phase
        seat_view = view(state, seat, log=log)
        started = perf_counter()
        move = bots[seat].choose(seat_view)
        seconds[seat % shape.teams] += perf_counter() - started
        turns[seat % shape.teams] += phase == DRAWING and move.kind in ("draw", "take", "end")
        state, events = apply(state, move)
        log = log.after(events)
        moves += 1
        if moves > MOST_MOVES:
            raise Endless(f"After {MOST_MOVES} moves the deal is still not over.")
    result = outcome(state)
    if result is None:
        raise Endless("The deal ended without a score.")
    return DealResult(result.deal_score, state.went_out, moves, tuple(turns), tuple(seconds))


class Task(NamedTuple):
    """A key to play, once or from both sides; everything a process of its own needs to know."""

    rules: Rules
    shape: Shape
    bots: tuple[str, ...]
    number: int
    seed: bytes
    duplicate: bool
    seconds: float | None
    samples: int | None


def play_task(task: Task) -> list[DealResult]:
    """The deal or the two deals of a task. In the second the bots have moved on by one team."""
    key = _secret(task, "key")
    return [_play_once(task, key, shift) for shift in range(1 + task.duplicate)]


def _play_once(task: Task, key: bytes, shift: int) -> DealResult:
    teams = []
    for team in range(task.shape.teams):
        name = task.bots[(team + shift) % len(task.bots)]
        secrets = [_secret(task, f"bot {shift} {team} {place}") for place in range(task.shape.team_size)]
        teams.append(
            [
                make_bot(name, seed=int.from_bytes(secret[:8], "big"), seconds=task.seconds, samples=task.samples)
                for secret in secrets
            ]
        )
    return play_deal(task.rules, task.shape, key, teams)


def _secret(task: Task, purpose: str) -> bytes:
    return hmac.digest(task.seed, f"{task.number} {purpose}".encode(), "sha256")


def simulate(
    rules: Rules,
    *,
    seats: int | None = None,
    team_size: int | None = None,
    games: int,
    bots: Sequence[str],
    duplicate: bool = False,
    seed: int | None = None,
    jobs: int = 1,
    seconds: float | None = None,
    samples: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Play `games` deals between the bots named, and say how often the first of them won.

    `bots` go to the teams in turn: with two names and three teams the first plays two of them. With `duplicate` a game
    is a pair: the same cards are played twice, and the second time each team is played by the bot named after its
    own. A deal is won by the highest score; equal scores share it. `jobs` is the number of processes; `seconds` and
    `samples` go to `make_bot`; `progress(done, games)` is called as games end. Raises `BadInput` for what cannot be.
    """
    if games < 1 or jobs < 1:
        raise BadInput("The numbers of games and of jobs are 1 or more.")
    shape = rules.shape(seats, team_size)
    if not 2 <= len(bots) <= shape.teams:
        raise BadInput(f"Name from 2 to {shape.teams} bots, one for each team or to be dealt out in turn.")
    for name in bots:
        make_bot(name, seconds=seconds, samples=samples)
    root = new_key() if seed is None else hmac.digest(b"foothold simulate", str(seed).encode(), "sha256")
    tasks = [Task(rules, shape, tuple(bots), n, root, duplicate, seconds, samples) for n in range(games)]
    started = perf_counter()
    played: list[list[DealResult]] = []
    for results in _run(tasks, min(jobs, games)):
        played.append(results)
        if progress:
            progress(len(played), games)
    elapsed = perf_counter() - started
    return summarise(rules, shape, tuple(bots), played, duplicate=duplicate, seed=seed, elapsed=elapsed)


def _run(tasks: list[Task], jobs: int) -> Iterator[list[DealResult]]:
    """The results in the order of the tasks."""
    if jobs == 1:
        yield from starmap(play_task, [(task,) for task in tasks])
        return
    # Ctrl-C is for the first process, which then ends the others.
    with get_context("spawn").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(play_task, tasks)
