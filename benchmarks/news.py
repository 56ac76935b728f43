"""Time from a confirmed result to its post, its picture and the feed, and what places for news cost the act itself.

    bin/bench news [--results 12] [--places 3] [--json] [--small]

Two clubs have the same season, and one of them has places for each result, at a receiver on this machine. Results are
entered by turns in both: the times of the act (of the processor on SQLite) with and without places are printed as a ratio. Then the first club's post
arrives, the picture of its link is drawn, and its feed has the result. The worker is that of the embedded server, with
the broker in files, on a fresh SQLite database in a temporary folder; DATABASE_URL chooses another one.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.small import parsed

MOST_SECONDS, MOST_RATIO = 10.0, 1.2
"""The aims: the slowest of all, and the act with places against the act without, which should not be slower."""
PATIENCE = 60.0


@contextmanager
def receiver() -> Iterator[tuple[str, list[bytes]]]:
    """A receiver: its host with port, and the bodies that came."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", bodies
    server.shutdown()
    server.server_close()


@contextmanager
def worker() -> Iterator[None]:
    """The worker of the embedded server."""
    from web.management.commands.serve import CELERY, WORKER

    running = subprocess.Popen(
        [sys.executable, "-m", *CELERY, *WORKER], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        running.terminate()
        running.wait(timeout=30)


def prepare(folder: str, host: str) -> None:
    """Django, on an empty database of its own unless one is named."""
    os.environ |= {"DATA_DIR": folder, "BENCH_RECEIVER": host, "DJANGO_SETTINGS_MODULE": "benchmarks.news_settings"}
    os.environ["PYTHONPATH"] = str(ROOT)
    os.environ.setdefault("DATABASE_URL", "")
    import django
    from django.core.management import call_command

    from benchmarks.lifted import lift_budgets

    django.setup()
    call_command("migrate", verbosity=0)
    lift_budgets()


def seconds_until(is_done: Callable[[], bool], started: float) -> float:
    """Seconds from the start until something is done."""
    while not is_done():
        if time.perf_counter() - started > PATIENCE:
            raise TimeoutError(is_done)
        time.sleep(0.02)
    return time.perf_counter() - started


def enter(pairing: Any, owner: Any) -> float:
    """Enter a result; milliseconds."""
    from benchmarks.clubs import timed
    from clubs.news_places import quiet_hours
    from tournaments.services.matches import results

    lines = [{"entry": place.entry_id, "score": 5000 - 100 * seat} for seat, place in enumerate(pairing.places.all())]
    with quiet_hours.pressed():
        return timed(lambda: results.decide(pairing.pk, lines, by=owner))


def open_pairings(season: Any) -> list[Any]:
    """The matches without a result."""
    from tournaments.models import Pairing

    rows = Pairing.objects.filter(round__stage__tournament__division__season=season)
    return list(rows.exclude(status=Pairing.Status.DONE).order_by("round__number", "number"))


def measure(count: int, places: int, host: str, bodies: list[bytes]) -> dict[str, float]:
    """Enter results in both clubs by turns, and wait for all that follows."""
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User
    from benchmarks.clubs import make_season
    from clubs.news_places import services
    from web.link_pictures import kinds

    owner = User.objects.create_user(username=f"bench-{time.time_ns()}", display_name="Bench")
    with_places, without = make_season(owner), make_season(owner)
    club, league = with_places.league.club, with_places.league
    for at in range(places):
        services.add(club.pk, owner, typed=f"http://{host}/{at}", kinds=["results", "standings"])
    client, feed = Client(SERVER_NAME="localhost"), reverse("clubs:league_feed", args=[club.slug, league.slug])

    def is_drawn(season: Any) -> bool:
        key = f"{season.league.club.slug}/{season.league.slug}/{season.slug}/1"
        return any(settings.PICTURES_DIR.glob(f"*.{kinds.find('season', key).version}.png"))

    times: dict[str, list[float]] = {"with": [], "without": [], "post": [], "picture": [], "feed": []}
    for pairing, other in list(zip(open_pairings(with_places), open_pairings(without), strict=True))[:count]:
        times["without"].append(enter(other, owner))
        # The worker does not work on one while the other is measured.
        seconds_until(partial(is_drawn, without), time.perf_counter())
        bodies.clear()
        before = client.get(feed).content
        times["with"].append(enter(pairing, owner))
        started = time.perf_counter()
        times["feed"].append(seconds_until(lambda before=before: client.get(feed).content != before, started))
        times["post"].append(seconds_until(lambda: len(bodies) >= places, started))
        times["picture"].append(seconds_until(partial(is_drawn, with_places), started))
    slowest = {name: max(times[name]) for name in ("post", "picture", "feed")}
    return {name: statistics.median(times[name]) for name in ("with", "without")} | slowest


def main() -> int:
    """Print the figures, or JSON; the exit status says whether they were kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, default=12, help="in each club, at most 20")
    parser.add_argument("--places", type=int, default=3, help="of the first club, at most 12")
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, results=1, places=1)
    with tempfile.TemporaryDirectory() as folder, receiver() as (host, bodies):
        prepare(folder, host)
        with worker():
            figures = measure(options.results, options.places, host, bodies)
    ratio = figures["with"] / figures["without"]
    slowest = max(figures[name] for name in ("post", "picture", "feed"))
    if options.json:
        print(json.dumps(figures))
    else:
        print(f"entering a result, median: {figures['without']:.0f} ms without places, {ratio:.2f} times with them")
        print(
            "seconds until, the slowest: "
            + ", ".join(f"{name} {figures[name]:.2f}" for name in ("post", "picture", "feed"))
        )
    good = slowest < MOST_SECONDS and ratio < MOST_RATIO
    if not options.json and not options.small:
        print("within the limits" if good else f"NOT within {MOST_SECONDS} s and {MOST_RATIO} times")
    return 0 if good or options.small else 1


if __name__ == "__main__":
    raise SystemExit(main())
