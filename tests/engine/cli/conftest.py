import json
from typing import NamedTuple

import pytest

from engine.cli import main
from engine.play.record import Game, write_record
from engine.play.rules import Rules
from engine.play.state import OVER
from engine.play.view import view


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def lines(self):
        return self.out.splitlines()


@pytest.fixture
def run(capsys):
    """Run a command line; its exit status and its output."""

    def run_words(*words):
        capsys.readouterr()
        status = main([str(word) for word in words])
        return Ran(status, *capsys.readouterr())

    return run_words


@pytest.fixture
def complaint(run):
    """The one sentence with which a command line is refused."""

    def run_words(*words):
        ran = run(*words)
        assert ran.status == 2
        assert ran.err.endswith("\n")
        assert ran.err.count("\n") == 1
        assert ran.err.startswith("engine: ")
        assert "Traceback" not in ran.err
        return ran.err.removeprefix("engine: ").rstrip("\n")

    return run_words


@pytest.fixture
def write(tmp_path):
    """A file of that name with this text, these bytes, or this as JSON."""

    def write_file(name, content):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write_file


def fixed_choice(view):
    """A move by a policy that never changes: draw, meld the first thing, discard the first card that may go."""
    moves = view.legal_moves()
    order = ("draw", "meld", "discard", "end", "answer", "keep", "grab", "take")
    return min(moves, key=lambda move: order.index(move.kind) if move.kind in order else 99)


def play_match(rules="standard", *, deals=2, stop_after=None):
    """A match by that policy, with keys made of the deal's number; `stop_after` moves of the last deal."""
    game = Game.start(Rules.preset(rules), ("Ann", "Bob", "Cid", "Dee"), bytes([1]) * 32, phrases=("luck", "", "", ""))
    for deal in range(1, deals + 1):
        if deal > 1:
            game.next_deal(bytes([deal]) * 32)
        moves = 0
        while game.state.phase != OVER and not (deal == deals and moves == stop_after):
            game.play(fixed_choice(view(game.state, game.state.actor)), "2026-01-02T03:04:05+00:00")
            moves += 1
    return game


@pytest.fixture(scope="session")
def finished_game():
    return play_match()


@pytest.fixture
def record(finished_game):
    """A record of two deals of a match that are over; each test has its own."""
    return json.loads(json.dumps(write_record(finished_game)))


@pytest.fixture(scope="session")
def running_game():
    return play_match(deals=2, stop_after=20)


@pytest.fixture
def running_record(running_game):
    """A record of a deal that is over and one under way, whose key is left out."""
    return json.loads(json.dumps(write_record(running_game)))
