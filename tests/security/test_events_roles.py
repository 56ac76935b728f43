"""Rights in an event: pages and programs answer everyone as the table in `tests.security.events` says."""

import logging
import sys

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import resolve

from acts.kinds import Again, Itself, Kind
from tests.security.events import NO_ACTS, PEOPLE, REFUSED_TO_ALL, TABLE, UNDONE, Way, make_world, may
from tests.security.sent import forms_of
from tests.security.site_map import addresses, body_of
from tournaments.models import Act
from tournaments.services.history import history

PAGES, API = "tournaments", "events_api"


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """A world for all tests of this file, each of which undoes its changes."""
    logging.disable()
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)
    logging.disable(logging.NOTSET)


def addresses_of(namespace):
    """Addresses by name, without the namespace."""
    ours = [address for address in addresses() if address.name.startswith(f"{namespace}:")]
    return {address.name.rpartition(":")[2]: address for address in ours}


def is_refused(answer):
    """Whether the answer refuses; a redirect to sign in is the same."""
    is_led_away = answer.status_code == 302 and answer["Location"].startswith("/accounts/login/")
    return is_led_away or answer.status_code in (401, 403, 404)


def form_of(world, row, path):
    """The data of a page’s form, with the fields that it shows if the row says so."""
    sent = world.filled(row.page.sent)
    if "shown" not in sent:
        return sent
    where = path + sent.pop("shown")
    page = world.browsers["owner"].get(where).content.decode()
    match = next(form for form in forms_of(page, where) if form.action.partition("?")[0] == path)
    return match.data | {"do": ""} | sent


def try_act(world, row, person, namespace, by_name):
    """The answer to an action by page or API, and its new kinds in the history; all of it rolled back."""
    way = row.page if namespace == PAGES else row.door
    path = by_name[way.name].path(world.where(row, way))
    cache.clear()
    with transaction.atomic():
        last = Act.objects.order_by("-pk").values_list("pk", flat=True).first()
        if namespace == PAGES:
            answer = world.browsers[person].post(path, form_of(world, row, path))
        else:
            answer = world.bots[person].post(path, world.filled(way.sent), format="json")
        body_of(answer)
        kinds = set(Act.objects.filter(pk__gt=last).values_list("kind", flat=True))
        transaction.set_rollback(True)
    return answer, kinds


@pytest.mark.slow
@pytest.mark.parametrize("namespace", [PAGES, API])
def test_everybody_may_what_the_table_says_and_nothing_else(world, namespace):
    by_name, wrong = addresses_of(namespace), []
    for row in TABLE:
        way, done_by, answers = row.page if namespace == PAGES else row.door, [], {}
        if not isinstance(way, Way):
            continue
        for person in PEOPLE:
            answer, kinds = try_act(world, row, person, namespace, by_name)
            answers[person] = answer.status_code
            if is_refused(answer) == may(person, row.needs) or (kinds and is_refused(answer)):
                wrong.append((row.name, way.name, person, answer.status_code, kinds))
            if kinds & set(row.kinds) or (not row.kinds and answer.status_code == 200):
                done_by.append(person)
        if not done_by and row.name not in REFUSED_TO_ALL:
            wrong.append((row.name, way.name, "nobody could", answers))
    assert not wrong, "\n".join(map(str, wrong))


def test_every_kind_of_act_stands_in_the_table():
    kinds = {kind for row in TABLE for kind in row.kinds}
    assert kinds == set(history.kinds), "Say who may in tests/security/events.py"


def test_every_kind_is_undone_by_whom_the_table_says():
    by_right = {}
    for name, kind in history.kinds.items():
        fallback = "what it undoes" if isinstance(kind.undo, Again) else "never"
        by_right.setdefault(" or ".join(kind.undo_rights) or fallback, []).append(name)
    assert {needs: sorted(kinds) for needs, kinds in by_right.items()} == {
        needs: sorted(kinds) for needs, kinds in UNDONE.items()
    }


def test_every_act_has_a_page_and_a_door_or_says_why_not():
    for row in TABLE:
        for way in (row.page, row.door):
            assert isinstance(way, Way) or way.strip(), row.name


def test_every_address_that_takes_something_stands_in_the_table(world):
    in_table = [
        {way.name for way in ways if isinstance(way, Way)} for ways in zip(*(row[-2:] for row in TABLE), strict=True)
    ]
    looks = {name for name, address in addresses_of(API).items() if not hasattr(view_of(world, address).cls, "post")}
    with transaction.atomic():
        nobody = world.browsers["nobody"]
        pages = addresses_of(PAGES).items()
        read_only = {name for name, page in pages if nobody.post(path_of(world, page)).status_code == 405}
        transaction.set_rollback(True)
    taking = (set(addresses_of(PAGES)) - read_only, set(addresses_of(API)) - looks)
    assert [names - set(NO_ACTS) for names in taking] == in_table
    assert set(NO_ACTS) <= taking[0] | taking[1]


def view_of(world, address):
    return resolve(path_of(world, address)).func


def path_of(world, address):
    """The path of any address of events, filled with what may be there or not."""
    filled = {
        **dict.fromkeys(address.arguments, "none"),
        **dict.fromkeys(
            ("stage", "round", "entry", "board", "member", "organiser", "act", "adjustment", "place", "invitation"), 1
        ),
        **{"event": world.events["running"].slug, "match": world.rows["own"]},
    }
    return address.path(filled)


def test_few_acts_look_by_themselves_who_may():
    """Each has a test of its own in `tests.tournaments.test_rights`, with and without the invitation and the card."""
    modules = [module for name, module in sys.modules.items() if name.startswith("tournaments.")]
    kinds = {value for module in modules for value in vars(module).values() if isinstance(value, Kind)}
    assert {kind.name for kind in kinds} == set(history.kinds)
    assert sorted(kind.name for kind in kinds if isinstance(kind.needs, Itself)) == [
        "answer",
        "members",
        "report",
        "undo",
    ]
