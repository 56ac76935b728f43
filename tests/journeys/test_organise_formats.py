"""Organisers' pages of events for teams, online, of a ladder and of an arena: at both widths, light and dark."""

import pytest

from engine.play.rules import Rules
from tests.journeys.test_pages import check_pages, faults, people  # noqa: F401  fixtures
from tests.tournaments import driving
from tournaments.models import Pairing, Stage
from tournaments.services.stages import arenas


@pytest.fixture
def olga(people):  # noqa: F811  the fixture
    return people.ann


def organiser_paths(event, open_round="1/rounds/1/"):
    """The addresses that an organiser of an event uses on the day."""
    at = f"{event.get_absolute_url()}organise/"
    names = ("", "rounds/", open_round, "entries/", "entries/1/", "check-in/", "settings/", "stages/1/", "people/")
    return [(name.replace("/", "-").strip("-") or "desk", f"{at}{name}") for name in names]


def check_event(check_pages, event, kind, by):  # noqa: F811  the fixtures
    pages = [(f"{kind}-{name}", path, by) for name, path in organiser_paths(event)]
    pairing = Pairing.objects.filter(round__stage__tournament=event, status="ready").first()
    open_one = f"{event.get_absolute_url()}organise/?open={pairing.pk}"
    check_pages([*pages, (f"{kind}-open", open_one, by)])


def test_teams(check_pages, new_event, olga):  # noqa: F811  the fixtures
    cup = new_event("swiss", 6, started=True, kind="team", side_size=3, has_check_in=True)
    driving.decide(driving.open_pairings(cup)[0], olga, driving.by_lot)
    check_event(check_pages, cup, "teams", olga)


def test_online(check_pages, new_event, olga):  # noqa: F811  the fixtures
    rules = Rules.make("standard").write()
    cup = new_event("single_elimination", 6, started=True, kind="partnership", setting="online", rules_json=rules)
    check_event(check_pages, cup, "online", olga)


def test_a_ladder(check_pages, new_event, olga):  # noqa: F811  the fixtures
    cup = new_event("ladder", 5, started=True)
    stage = Stage.objects.get(tournament=cup)
    challenger, opponent = cup.entries.get(number=3), cup.entries.get(number=2)
    arenas.challenge(stage.pk, challenger.pk, opponent.pk, by=olga)
    check_event(check_pages, cup, "ladder", olga)


def test_an_arena(check_pages, new_event, olga):  # noqa: F811  the fixtures
    cup = new_event("arena", 6, started=True)
    stage = Stage.objects.get(tournament=cup)
    for entry in cup.entries.filter(number__lte=3):
        arenas.set_free(stage.pk, entry.pk, by=olga)
    check_event(check_pages, cup, "arena", olga)
