"""Whether the time of an answer tells anything about hidden cards: two worlds that differ in nothing else, compared.

    bin/bench timing [--requests 500] [--acts 12] [--seed 1] [--small]

One seat asks for the same page of the same table again and again; before each request the cards that this seat may not
see are set to those of one world or the other, in random order, outside the time that is measured. A two-sided
Mann-Whitney U test then says how likely a difference as large as the one found is where there is none. A small p-value
once is chance, in one run of a hundred below 0.01; the same sign and a small p-value with several seeds is a leak.
Runs within one process on a fresh SQLite database in a temporary folder; nothing of an installation is touched.
"""

import argparse
import logging
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.lifted import lift_budgets
from benchmarks.small import parsed


def mann_whitney(first: list[float], second: list[float]) -> tuple[float, float]:
    """U of the first sample, and the two-sided p-value by the normal approximation with correction for ties."""
    both = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    ranks, ties, start = [0.0, 0.0], 0, 0
    while start < len(both):
        end = start
        while end < len(both) and both[end][0] == both[start][0]:
            end += 1
        for _, which in both[start:end]:
            ranks[which] += (start + 1 + end) / 2
        ties += (end - start) ** 3 - (end - start)
        start = end
    n, m = len(first), len(second)
    u = ranks[0] - n * (n + 1) / 2
    spread = math.sqrt(n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1))))
    distance = max(0.0, abs(u - n * m / 2) - 0.5)
    return u, math.erfc(distance / spread / math.sqrt(2)) if spread else 1.0


def prepare(folder: str) -> None:
    """Django on an empty database of its own."""
    os.environ |= {"DATA_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": "memory://"}
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django
    from django.core.management import call_command

    django.setup()
    logging.disable(logging.WARNING)  # of each refused move
    call_command("migrate", verbosity=0)
    lift_budgets()


def make_table(acts: int) -> Any:
    """A table of four people that has been played on for some acts."""
    from accounts.models import User
    from engine.bots import make_bot
    from engine.play.rules import Rules
    from gameplay.models import Table
    from gameplay.services import play, seating, tables
    from gameplay.snapshot import view_of

    users = [User.objects.create_user(username=f"p{n}", display_name=f"Player {n}") for n in range(4)]
    table = tables.make_table(users[0], Rules.preset("standard"), name="Timing", seat_count=4, team_size=2, terms={})
    for user in users[1:]:
        seating.join(table.pk, user)
    tables.start(table.pk, users[0])
    for _ in range(acts):
        table = Table.objects.get(pk=table.pk)
        seat = table.seats.get(number=table.seat_to_act)
        move = make_bot("club", seed=table.move_count).choose(view_of(table, seat.number))
        play.play(table.pk, seat.user, [move], seen=table.move_count)
    return Table.objects.get(pk=table.pk)


def other_world(table: Any, reader: int, seed: int) -> Any:
    """The snapshot with the cards that the reader may not see dealt again."""
    from engine.play.position import write_position
    from gameplay.snapshot import state_of
    from tests.gameplay.test_hidden_cards import disguise

    return write_position(disguise(state_of(table), reader, random.Random(seed)))


def measure(ask: Callable[[], object], worlds: list[Any], table: Any, requests: int, seed: int) -> list[list[float]]:
    """Milliseconds of each answer, by world."""
    from gameplay.models import Table

    order = [0, 1] * requests
    random.Random(seed).shuffle(order)
    times: list[list[float]] = [[], []]
    for index, world in enumerate([0, 1] * 20 + order):
        Table.objects.filter(pk=table.pk).update(snapshot=worlds[world])
        start = time.perf_counter()
        ask()
        if index >= 40:  # the first ones fill caches
            times[world].append((time.perf_counter() - start) * 1000)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=500, help="answers timed in each world")
    parser.add_argument("--acts", type=int, default=12, help="acts played before")
    parser.add_argument("--seed", type=int, default=1, help="of the order and of the other world's cards")
    options = parsed(parser, requests=3, acts=4)
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        run(options)


def run(options: argparse.Namespace) -> None:
    """Measure each door and print a line for it."""
    from django.test import Client

    table = make_table(options.acts)
    reader = (table.seat_to_act + 1) % 4
    client = Client(SERVER_NAME="localhost")
    client.force_login(table.seats.get(number=reader).user)
    worlds = [table.snapshot, other_world(table, reader, options.seed)]
    page, htmx = table.get_absolute_url(), {"HX-Request": "true"}
    wrong = {"moves": "discard Kc", "seen": table.move_count}
    asks: dict[str, Callable[[], object]] = {
        "page": lambda: client.get(page),
        "parts": lambda: client.get(f"{page}parts/?seen=0"),
        "refused move": lambda: client.post(f"{page}move/", wrong, headers=htmx),
        "view of the API": lambda: client.get(f"/api/v1/tables/{table.slug}/view/"),
    }
    print(f"{'door':18}{'median ms':>12}{'other world':>13}{'U':>12}{'p':>8}")
    for name, ask in asks.items():
        here, there = measure(ask, worlds, table, options.requests, options.seed)
        u, p = mann_whitney(here, there)
        print(f"{name:18}{statistics.median(here):12.3f}{statistics.median(there):13.3f}{u:12.0f}{p:8.3f}", flush=True)


if __name__ == "__main__":
    main()
