import atexit
import gc
import hashlib
import itertools
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest_plugins = ["tests.tries", "tests.chosen", "tests.databases", "tests.sites"]

# Tests call tasks themselves; nothing waits in a queue for a worker that is not there.
os.environ.setdefault("CELERY_BROKER_URL", "memory://")


def pytest_configure():
    """A site served from this checkout may have left collected static files, of another time; tests want today's."""
    if "config.settings" in sys.modules:
        from django.conf import settings as django_settings

        from accounts import budgets
        from tests.costs import watch_requests
        from web.shared_counts import CountsWithStandIn, FileCounts

        backend = "django.contrib.staticfiles.storage.StaticFilesStorage"
        django_settings.STORAGES["staticfiles"]["BACKEND"] = backend
        django_settings.STATIC_ROOT, django_settings.WHITENOISE_USE_FINDERS = None, True
        look_for_static_files_once()
        # Each process of the tests counts for itself.
        budgets._counts = CountsWithStandIn(FileCounts(":memory:"))
        watch_requests()
        # Pictures of links are files; each process of the tests has its own.
        django_settings.PICTURES_DIR = Path(tempfile.mkdtemp(prefix="pictures"))
        atexit.register(shutil.rmtree, django_settings.PICTURES_DIR, ignore_errors=True)
        # The docs may have been built here or not; their tests build some.
        django_settings.DOCS_DIR = django_settings.PICTURES_DIR / "no-docs"
        # A password costs a quarter of a second to hash, so that guessing is dear; tests have nothing to guess.
        django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def look_for_static_files_once():
    """Each test client creates its middleware again, and WhiteNoise’s goes through all the folders each time."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    find_files, by_folder = WhiteNoiseMiddleware.add_files_from_finders, {}

    def look_once(self):
        if not by_folder:
            find_files(self)
            by_folder.update(self.files)
        self.files.update(by_folder)

    WhiteNoiseMiddleware.add_files_from_finders = look_once


def pytest_collection_finish():
    """Objects loaded at the start stay; not collecting them again and again takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 10)


def pytest_terminal_summary(terminalreporter):
    """Say plainly which tests were left out because there is no browser."""
    from tests.journeys.chromium import HOW_TO_GET

    skipped = terminalreporter.stats.get("skipped", [])
    left_out = [report for report in skipped if HOW_TO_GET in str(report.longrepr)]
    if left_out:
        terminalreporter.write_line(f"Left out: {len(left_out)} journeys in a real browser. {HOW_TO_GET}", yellow=True)


@pytest.fixture(autouse=True)
def _nothing_counted():
    """Rate limits are counted in the cache, which outlives a test."""
    if "config.settings" in sys.modules:
        from django.core.cache import cache

        from accounts import attempts

        cache.clear()
        attempts.HERE.clear()
    if "accounts.budgets" in sys.modules:
        from accounts import budget_limits, budgets

        budgets._counts.clear()
        # Tests ask faster than people.
        quick = (budgets.REQUESTS, budgets.HEAVY)
        budget_limits._changed = {(budget.name, kind): None for budget in quick for kind in budgets.KINDS}
        budget_limits._read_at = float("inf")


@pytest.fixture
def limited():
    """Limits a budget for a kind or a subject: `limited(TABLES, person=2)`."""
    from accounts import budget_limits

    def limit(budget, **limits):
        budget_limits._changed |= {(budget.name, kind): most for kind, most in limits.items()}

    return limit


@pytest.fixture(autouse=True)
def repeatable_deals(request, monkeypatch):
    """The same test always sees the same cards; which cards, its name decides."""
    if "gameplay.services.match_play" in sys.modules:
        monkeypatch.setattr("gameplay.services.match_play.new_key", keys_by_name(request.node.nodeid))


def keys_by_name(name):
    """Makes keys of deals that a name decides."""
    counter = itertools.count()
    return lambda: hashlib.sha256(f"{name} {next(counter)}".encode()).digest()


# People and tables to test with; imported late, since Django is set up only after this file is read


@pytest.fixture
def person(db):
    """Makes people by name."""
    from tests.makers import make_person

    return make_person


@pytest.fixture
def olga(person):
    """An organiser."""
    return person("Olga")


@pytest.fixture
def local():
    """A receiver of requests on this machine."""
    from tests.receivers import receiver

    with receiver() as running:
        yield running


@pytest.fixture
def gone(django_capture_on_commit_callbacks):
    """Deletes an account, with all that follows."""
    from accounts import privacy

    def delete(user):
        with django_capture_on_commit_callbacks(execute=True):
            privacy.delete_account(user)

    return delete


@pytest.fixture
def refuses():
    """Whether an act is refused: `with refuses("seat_taken"):`, and by which code."""
    from contextlib import contextmanager

    from web.errors import Refused

    @contextmanager
    def check(code):
        with pytest.raises(Refused) as caught:
            yield caught
        assert caught.value.code == code, caught.value.sentence
        assert caught.value.sentence.endswith((".", "!", "?"))

    return check


@pytest.fixture
def no_mail_server(monkeypatch):
    """A time without a mail server: `with no_mail_server():` around what fails for want of one."""
    from contextlib import contextmanager

    from web.channels.interface import Failed

    def fail(*args, **kwargs):
        raise OSError("no mail server")

    @contextmanager
    def away():
        with monkeypatch.context() as patch:
            patch.setattr("django.core.mail.EmailMessage.send", fail)
            with pytest.raises(Failed):
                yield

    return away


@pytest.fixture
def four(person):
    """Ann, Ben, Cem and Dee; Ann and Cem are partners, Ben and Dee are."""
    return [person(name) for name in ("Ann", "Ben", "Cem", "Dee")]


@pytest.fixture
def seated(four):
    """Makes a table of these four, begun unless told otherwise."""
    from tests.makers import make_table

    return partial(make_table, four)


@pytest.fixture
def driver():
    """Plays a table for everyone, by the advice of a bot."""
    return table_driver()


def table_driver():
    from engine.bots import make_bot
    from gameplay.services import play
    from gameplay.snapshot import view_of

    def people_at(table):
        return {seat.number: seat.user for seat in table.seats.select_related("user")}

    def step(table, people):
        """Do one action at a freshly read table, and read it again."""
        seat = table.seat_to_act
        move = make_bot("club", seed=table.move_count).choose(view_of(table, seat))
        if move.kind == "grab":
            play.play_lift(table.pk, people[seat], 50, seen=table.move_count)
        else:
            play.play(table.pk, people[seat], [move], seen=table.move_count)
        table.refresh_from_db()
        return table

    def act(table):
        """Do one action for the player to act; returns the table after it."""
        table.refresh_from_db()
        return step(table, people_at(table))

    def until(table, is_done):
        """Act until `is_done(table)`; between deals everyone wants the next one."""
        table.refresh_from_db()
        people = people_at(table)
        while not is_done(table):
            if table.is_between_deals:
                for user in filter(None, people.values()):
                    play.ready_for_next_deal(table.pk, user, deal=table.deal_number)
                table.refresh_from_db()
            else:
                step(table, people)
        return table

    return SimpleNamespace(act=act, until=until)
