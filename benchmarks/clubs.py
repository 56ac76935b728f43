"""Costs of public pages of a club against a bare view, and of importing a season against storing the same rows barely.

    bin/bench clubs [--requests 60] [--repeats 5] [--matches 2000] [--json] [--small]

Pages: median times of a visitor's requests within one process, of pages not asked for before (cold), asked for
before (warm), and already in the visitor's browser (304); each by turns with a view that reads the row of the club
and answers "ok", through the same middleware, and printed as a ratio to that. Files: a season sheet and the archive of a club,
each imported and rolled back by turns with one `bulk_create` a model of the very rows that result from the sheet.

Runs on a fresh SQLite database in a temporary folder; DATABASE_URL chooses another one, to which two clubs are added.
"""

import argparse
import io
import json
import logging
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.lifted import lift_budgets
from benchmarks.small import parsed

TEAMS, DIVISIONS = 10, 4
MOST_WARM, MOST_IMPORT = 10.0, 3.0
"""Ratios that are kept."""
HEAD = "season;division;matchday;date;home;away;home score;away score;venue;walkover;note"


class Page(NamedTuple):
    """Median milliseconds of a page, and of the bare view next to it."""

    name: str
    cold: float
    warm: float
    same: float
    bare: float


class Files(NamedTuple):
    """Median milliseconds of bringing matches in, as a sheet and as an archive, and of storing their rows barely."""

    matches: int
    rows: int
    sheet: float
    archive: float
    bare: float


def prepare(folder: str) -> None:
    """Django, on an empty database of its own unless one is named."""
    os.environ |= {"DATA_DIR": folder, "CELERY_BROKER_URL": "memory://", "CACHE_URL": "locmemcache://"}
    os.environ.setdefault("DATABASE_URL", "")
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django
    from django.core.management import call_command

    django.setup()
    logging.disable(logging.WARNING)
    call_command("migrate", verbosity=0)
    lift_budgets()


def sheet(matches: int) -> str:
    """A season sheet of so many matches: pairs in divisions, everyone twice against everyone, year after year."""
    dice, lines = random.Random(1), [HEAD]
    for year in range(2000, 2020):
        for level in range(1, DIVISIONS + 1):
            ring = [f"Ann {level}.{at} / Ben {level}.{at}" for at in range(TEAMS)]
            for day in range(1, 2 * TEAMS - 1):
                for at in range(TEAMS // 2):
                    if len(lines) > matches:
                        return "\n".join(lines)
                    pair = (ring[at], ring[-1 - at]) if day < TEAMS else (ring[-1 - at], ring[at])
                    scores = (str(dice.randrange(0, 9000, 5)), str(dice.randrange(0, 9000, 5)))
                    date = f"{year}-{1 + day // 3:02}-{1 + day % 3 * 7:02}"
                    lines.append(";".join((str(year), f"Division {level}", str(day), date, *pair, *scores, "Hall;;")))
                ring.insert(1, ring.pop())
    return "\n".join(lines)


def timed(act: Callable[[], object]) -> float:
    """Milliseconds: of the processor on SQLite, which runs within the process; else of the clock."""
    from django.db import connection

    clock = time.process_time if connection.vendor == "sqlite" else time.perf_counter
    start = clock()
    act()
    return (clock() - start) * 1000


@contextmanager
def rolled_back() -> Iterator[None]:
    """A transaction that leaves nothing."""
    from django.db import transaction

    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# Pages


def make_season(owner: Any) -> Any:
    """A club with a season under way, half played."""
    from datetime import date

    from clubs.models import Season
    from clubs.services import club_lifecycle
    from clubs.services.leagues import leagues, teams
    from clubs.services.members import membership
    from clubs.services.publications import news
    from clubs.services.seasons import season_draw, season_setup
    from tournaments.models import Pairing
    from tournaments.services.matches import results

    club = club_lifecycle.make_club(owner, name=f"Bench {time.time_ns()}")
    league = leagues.make(club.pk, owner, name="League")
    membership.add_names(club.pk, owner, lines=[f"Name {at}" for at in range(2 * TEAMS)])
    people = list(club.memberships.filter(user=None).order_by("pk"))
    new_teams = [teams.add(league.pk, owner, members=[people[2 * at].pk, people[2 * at + 1].pk]) for at in range(TEAMS)]
    season = season_setup.make(league.pk, owner, name="Season", starts_on=date(2030, 1, 7), divisions=[("One", TEAMS)])
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [team.pk for team in new_teams]})
    season_draw.draw(season.pk, owner)
    pairings = Pairing.objects.filter(round__stage__tournament__division__season=season).order_by(
        "round__number", "number"
    )
    for at, pairing in enumerate(list(pairings)[: TEAMS * (TEAMS - 1) // 4]):
        lines = [
            {"entry": place.entry_id, "score": 100 * (at + seat)} for seat, place in enumerate(pairing.places.all())
        ]
        results.decide(pairing.pk, lines, by=owner)
    for at in range(5):
        news.write(club.pk, owner, title=f"News {at}", body="Hello.")
    return Season.objects.select_related("league__club").get(pk=season.pk)


def add_bare_view() -> None:
    """Add the address of a bare view: the least that any page of a club does."""
    from django.http import HttpRequest, HttpResponse
    from django.urls import path

    from clubs.models import Club
    from config import urls

    def bare(request: HttpRequest, club: str) -> HttpResponse:
        Club.objects.get(slug=club)
        return HttpResponse("ok")

    urls.urlpatterns.append(path("bare/<slug:club>/", bare))


def measure_pages(owner: Any, requests: int) -> list[Page]:
    """The pages that are looked at most, each by turns with the bare view."""
    from django.core.cache import cache
    from django.test import Client

    add_bare_view()
    season = make_season(owner)
    visitor, club = Client(SERVER_NAME="localhost"), season.league.club
    bare, season_url = f"/bare/{club.slug}/", season.get_absolute_url()
    paths = {"league table": season_url, "fixtures": f"{season_url}1/fixtures/", "club": f"/clubs/{club.slug}/"}
    pages = []
    for name, path in paths.items():
        tag = visitor.get(path).headers["ETag"]
        assert visitor.get(path, headers={"if-none-match": tag}).status_code == 304  # noqa: S101  what is measured
        times: dict[str, list[float]] = {"cold": [], "warm": [], "same": [], "bare": []}
        for _ in range(requests):
            cache.clear()
            times["cold"].append(timed(partial(visitor.get, path)))
            times["warm"].append(timed(partial(visitor.get, path)))
            times["same"].append(timed(partial(visitor.get, path, headers={"if-none-match": tag})))
            times["bare"].append(timed(partial(visitor.get, bare)))
        pages.append(Page(name, *(statistics.median(times[kind]) for kind in times)))
    return pages


# Files


def measure_files(owner: Any, matches: int, repeats: int) -> Files:
    """Bringing matches in, by turns with storing their rows."""
    from clubs.imports.season import read_season
    from clubs.services import club_archive, club_lifecycle
    from clubs.services.seasons import past_seasons
    from clubs.services.seasons.past_seasons import Wishes

    text, wishes = sheet(matches), Wishes(league_name="League")
    club = club_lifecycle.make_club(owner, name=f"Bench {time.time_ns()}")

    def bring() -> None:
        past_seasons.import_seasons(club.pk, owner, sheet=read_season(text), wishes=wishes)

    file = io.BytesIO()
    with rolled_back():
        rows = rows_of(bring)
        club_archive.export_club(club.pk, owner, file)

    def bring_archive() -> None:
        club_archive.import_club(owner, file, slug=f"bench-{time.time_ns()}")

    def store() -> None:
        for model, objects in rows:
            model._default_manager.bulk_create(objects)

    times: dict[str, list[float]] = {"sheet": [], "archive": [], "bare": []}
    for _ in range(repeats):
        for kind, act in (("sheet", bring), ("archive", bring_archive), ("bare", store)):
            with rolled_back():
                times[kind].append(timed(act))
    count = sum(len(objects) for _, objects in rows)
    return Files(matches, count, *(statistics.median(times[kind]) for kind in times))


def rows_of(act: Callable[[], None]) -> list[tuple[Any, list[Any]]]:
    """The rows that an act adds, by model."""
    from django.apps import apps

    models = [model for app in ("clubs", "tournaments") for model in apps.get_app_config(app).get_models()]
    before = {model: set(model._default_manager.values_list("pk", flat=True)) for model in models}
    act()
    added = [(model, list(model._default_manager.exclude(pk__in=before[model]).order_by("pk"))) for model in models]
    return [(model, objects) for model, objects in added if objects]


def main() -> int:
    """Print the tables, or JSON; the exit status says whether the ratios were kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=60, help="of each kind and page")
    parser.add_argument("--repeats", type=int, default=5, help="times that the files are brought in")
    parser.add_argument("--matches", type=int, default=2000, help="of the sheet")
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, requests=2, repeats=1, matches=40)
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        return run(options)


def run(options: argparse.Namespace) -> int:
    from django.db import connection

    from accounts.models import User

    owner = User.objects.create_user(username=f"bench-{time.time_ns()}", display_name="Bench")
    pages = measure_pages(owner, options.requests)
    files = measure_files(owner, options.matches, options.repeats)
    if options.json:
        print(json.dumps({"pages": [page._asdict() for page in pages], "files": files._asdict()}))
    else:
        print(f"{connection.vendor}; times as multiples of the bare view's, of which the median is in ms")
        print(f"{'page':16}{'cold':>8}{'warm':>8}{'304':>8}{'bare ms':>10}")
        for page in pages:
            ratios = "".join(f"{value / page.bare:8.1f}" for value in (page.cold, page.warm, page.same))
            print(f"{page.name:16}{ratios}{page.bare:10.2f}")
        print(f"\n{files.matches} matches, {files.rows} rows; times as multiples of bulk_create of the same rows")
        print(f"{'sheet':>8}{'archive':>10}{'bulk_create ms':>18}")
        print(f"{files.sheet / files.bare:8.2f}{files.archive / files.bare:10.2f}{files.bare:18.0f}")
    good = all(page.warm / page.bare < MOST_WARM for page in pages) and files.sheet / files.bare < MOST_IMPORT
    if not options.json and not options.small:
        print("within the limits" if good else f"NOT within {MOST_WARM} (warm pages) and {MOST_IMPORT} (the sheet)")
    return 0 if good or options.small else 1


if __name__ == "__main__":
    raise SystemExit(main())
