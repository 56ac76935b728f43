"""A site with something of everything, for tests that go through every door of it."""

import gc
import logging
from copy import deepcopy
from datetime import time, timedelta
from io import BytesIO
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from PIL import Image

from accounts import budget_limits, unsubscribe_links
from accounts.budgets import BUDGETS, KINDS
from accounts.models import Absence, Notice, NoticePlace
from accounts.services import tokens
from engine.play.options import Shape
from gameplay.conversation import services as conversation
from gameplay.models import ChatMessage, Deal, Happening, Invitation, Report, Seat, Table
from gameplay.score_sheets import photo_services
from gameplay.score_sheets import services as score_sheets
from gameplay.services import invitations, pauses, seating, tables
from tests.conftest import keys_by_name, table_driver
from tests.makers import make_person, make_table
from tests.security.clubs import ask, harbour, make_full_club
from tests.security.site_map import paths, stored
from tests.tournaments import driving
from tournaments.models import Adjustment, Hall, Member, Organiser, Pairing
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle, organisers
from tournaments.services.matches import point_adjustments, results


@pytest.fixture(autouse=True)
def _fresh_counts(_nothing_counted):
    """Rate limits are counted in the cache, which outlives a test; tests of every address meet no budget."""
    meet_no_budget()


def meet_no_budget():
    """Nothing is counted so far, and no budget has a limit, however long this takes."""
    cache.clear()
    budget_limits._read_at = float("inf")
    budget_limits._changed = {(budget.name, kind): None for budget in BUDGETS for kind in KINDS}


@pytest.fixture
def requests_are_let_go():
    """Log records are kept until a test is over, and with them every refused request, megabytes each."""

    logging.disable()
    yield
    logging.disable(logging.NOTSET)
    gc.collect()


@pytest.fixture(scope="session")
def _made_before():
    """Results of makers so far, and the rows that they added to each table."""
    return {}


@pytest.fixture
def made_once(db, _made_before):
    """`made_once(make, *arguments)` is what `make(*arguments)` gives, with its rows in the database.

    A site with something of everything takes two seconds to make. It is made when it is first asked for, and then its
    rows are copied back for each test, in a hundredth of that. One such thing to a test: ids of two would be the same.
    """

    def get(make, *arguments):
        key = (make, *arguments)
        if key not in _made_before:
            _made_before[key] = rows_of(make, arguments)
        result, added = _made_before[key]
        with connection.cursor() as cursor:
            for table, rows in added.items():
                marks = ", ".join(["%s"] * len(rows[0]))
                bound = [[_bound(value) for value in row] for row in rows]
                cursor.executemany(f"INSERT INTO {connection.ops.quote_name(table)} VALUES ({marks})", bound)
        return deepcopy(result)

    return get


def _bound(value):
    """A value that every database takes: SQLite reads times of day, and takes them as text."""
    return value.isoformat() if isinstance(value, time) else value


def rows_of(make, arguments):
    """The result of a maker, and its rows by table; none of them stays."""
    before = stored()
    with transaction.atomic():
        result = make_quietly(make, *arguments)
        added = {table: [row for row in rows if row not in before[table]] for table, rows in stored().items()}
        transaction.set_rollback(True)
    return result, {table: rows for table, rows in added.items() if rows}


def make_quietly(make, *arguments):
    """The result of a maker, with fixed keys for deals."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gameplay.services.match_play.new_key", keys_by_name(make.__name__))
        return make(*arguments)


@pytest.fixture
def site(made_once):
    """Makes a site with given names of people, tables and messages: a match under way, one gathering, one over.

    `site.users` go by name: Ann, Ben, Cem and Dee at the tables, and Eve next to them. `site.clients` are browsers
    of Ann, of the player to act, of Eve, and of nobody. Ann also runs an event and a club.
    """
    return lambda text="Quiet evening", acts=6: with_browsers(made_once(site_of, text, acts))


@pytest.fixture(name="harbour")
def harbour_fixture(made_once):
    """A club of Olive's with one of everything."""
    return made_once(harbour)


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker):
    """A site for all tests of a file, each of which undoes its changes; nothing of it stays in the database.

    `site.places` are the names and paths of every address, for each of the tables, and for a score sheet of Ann’s.
    """
    cache.clear()
    with django_db_blocker.unblock(), transaction.atomic():
        site = with_browsers(make_quietly(site_of, "Quiet evening", 6))
        site.places = places(site)
        yield site
        transaction.set_rollback(True)


def places(site):
    rules = site.playing.rules
    sheet = score_sheets.make(rules, Shape(4, 2), ["Ann", "Ben", "Cem", "Dee"], owner=site.users["Ann"])
    picture = BytesIO()
    Image.new("RGB", (90, 60), "white").save(picture, "PNG")
    picture.seek(0)
    photo = photo_services.add(sheet, picture, by=site.users["Ann"])
    names = {}
    for table in site.tables:
        for name, path in paths(site, table):
            if "sheet" in name:
                path = path.replace(f"/{table.slug}/", f"/{sheet.slug}/")
            names[path.replace("no-such-key", sheet.key).replace("no-such-photo", photo.slug)] = name
    return [(name, path) for path, name in names.items()]


def site_of(text, acts):
    """A site in which everything is called `text`, its match under way after some acts."""
    return make_site(make_person, table_driver(), text, acts)


def make_site(person, driver, text="Quiet evening", acts=6):
    """A site as the fixture `site` has it, but for the browsers."""
    four = [person(name) for name in ("Ann", "Ben", "Cem", "Dee")]
    playing, gathering, over = [make_table(four, begun=False, watching="anybody", joining="open") for _ in range(3)]
    printable = "".join(letter for letter in text if letter.isprintable())
    Deal.objects.update(phrases=[printable[:200]] * 4)
    for table in (playing, over):
        tables.start(table.pk, table.creator)
    seats = {str(seat.user): seat.user for seat in playing.seats.select_related("user")}
    users = {**seats, "Eve": person("Eve")}
    for user in users.values():
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    ann, eve = users["Ann"], users["Eve"]

    pauses.offer_abandon(over.pk, ann)
    for name in ("Ben", "Cem", "Dee"):
        pauses.agree_abandon(over.pk, users[name])
    for _ in range(acts):
        driver.act(playing)
    driver.until(playing, lambda table: table.seat_to_act != table.seats.get(user=ann).number)

    seating.leave(gathering.pk, users["Dee"])
    invitation = invitations.invite(gathering.pk, ann, "guest@example.org")
    invitations.invite_person(gathering.pk, ann, eve)
    for table in (playing, gathering, over):
        message = ChatMessage.objects.create(table=table, user=ann, seat=0, name=text[:60], text=text[:300])
        Report.objects.create(table=table, message=message, reporter=users["Ben"], reason=text[:500])
        Seat.objects.filter(table=table).update(note=text)
    Happening.objects.update(sentence=text[:300])
    Table.objects.update(name=text[:60])
    type(ann).objects.update(display_name=text[:50])
    for seat in Seat.objects.exclude(user=None):
        Seat.objects.filter(pk=seat.pk).update(name=text[:50])
    pauses.propose_pause(playing.pk, ann)
    conversation.say(playing.pk, ann, phrase="luck")
    api_token, bearer = tokens.create(ann, name=text[:60], scopes=["read", "play", "tables"], days=None)
    day = timezone.now() + timedelta(days=3)
    # Its address cannot be read, so nothing is sent there.
    channel = NoticePlace.objects.create(user=ann, channel="webhook", ending="hook", sealed="x", topics=["turns"])
    absence = Absence.objects.create(user=ann, starts_at=day, ends_at=day + timedelta(days=2))
    Notice.objects.create(user=ann, kind="turn", key="n", title=text[:200], body=text, url="/tables/", due_at=day)

    event = make_knockout(users, text)
    club = make_full_club(ann, eve, text=text)
    ask(club, eve)
    for table in (playing, gathering, over):
        table.refresh_from_db()
    to_act = playing.seats.get(number=playing.seat_to_act).user
    for user in users.values():
        user.refresh_from_db()
    return SimpleNamespace(
        users=users,
        looking=(ann, to_act, eve),
        tables=[playing, gathering, over],
        playing=playing,
        gathering=gathering,
        over=over,
        invitation=Invitation.objects.get(pk=invitation.pk),
        token=invitation.token,
        stop_token=unsubscribe_links.token(ann, "email"),
        absence=absence,
        channel=channel,
        api_token=api_token,
        bearer=bearer,
        text=text,
        event=event,
        club=club,
    )


def with_browsers(site):
    """The site with browsers of those who look at it, signed in where they have an account."""
    site.clients = {name: Client() for name, user in site.users.items() if user in site.looking} | {"": Client()}
    for name, client in site.clients.items():
        if name:
            client.force_login(site.users[name])
    return site


def make_knockout(users, text):
    """A knockout of Ann’s, called as told: one match decided and corrected, one open; returns the arguments of its
    addresses.
    """
    ann = users["Ann"]
    settings = {"about": text, "venue": text[:200], "entry_kind": "person", "side_size": 1, "setting": "face"}
    event = lifecycle.make_event(
        ann, name="Evening", starter="league_cup", settings=settings, plans=[standard("single_elimination")]
    )
    lifecycle.publish(event.pk, ann)
    for user in users.values():
        enrolment.enter_for(event.pk, ann, members=[user])
    organisers.add_organiser(event.pk, ann, person=users["Ben"])
    lifecycle.start(event.pk, ann, anyway=True)
    stage = event.stages.get()
    first = driving.open_pairings(event)[0]

    def by_place(names):
        return [100 * number for number, _ in enumerate(names)]

    act = results.decide(first.pk, driving.lines_of(first, by_place), by=ann)
    results.decide(first.pk, driving.lines_of(first, lambda names: [*reversed(by_place(names))]), by=ann, reason=text)
    point_adjustments.adjust(stage.pk, ann, entry_id=event.entries.first().pk, points=1, reason=text[:200])
    open_one = Pairing.objects.get(round__stage=stage, name="WB2.2")
    invited = Member.objects.filter(tournament=event).first()
    type(event).objects.filter(pk=event.pk).update(name=text[:80])
    event.entries.update(name=text[:80])
    Member.objects.filter(tournament=event).update(name=text[:60])
    event.acts.update(sentence=text[:300], name=text[:60])
    return {
        "event": event.slug,
        "board": 1,
        "stage": 1,
        "round": 2,
        "match": open_one.name,
        "entry": 1,
        "member": invited.pk,
        "invitation": invited.pk,
        "organiser": Organiser.objects.get(tournament=event, user=users["Ben"]).pk,
        "act": act.pk,
        "adjustment": Adjustment.objects.get().pk,
        "place": open_one.places.first().number,
        "card": open_one.token,
        "screen": Hall.objects.create(tournament=event, note=text[:120]).token,
        "asked": invited.token,
    }
