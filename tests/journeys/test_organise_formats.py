"""Organisers' pages of events for teams, online, of a ladder and of an arena: at both widths, light and dark."""

import pytest

from engine.play.rules import Rules
from tests.journeys.test_pages import faults, look, people  # noqa: F401  fixtures
from tests.tournaments import driving
from tournaments.models import Pairing, Stage
from tournaments.services.stages import arenas


@pytest.fixture
def olga(people):  # noqa: F811  the fixture
    """The organiser."""
    return people.ann


def organised(event, open_round="1/rounds/1/"):
    """The addresses that an organiser of an event uses on the day."""
    at = f"{event.get_absolute_url()}organise/"
    names = ("", "rounds/", open_round, "entries/", "entries/1/", "check-in/", "settings/", "stages/1/", "people/")
    return [(name.replace("/", "-").strip("-") or "desk", f"{at}{name}") for name in names]


def looked(look, event, kind, by):  # noqa: F811  the fixtures
    pages = [(f"{kind}-{name}", path, by) for name, path in organised(event)]
    own = Pairing.objects.filter(round__stage__tournament=event, status="ready").first()
    open_one = f"{event.get_absolute_url()}organise/?open={own.pk}"
    look([*pages, (f"{kind}-open", open_one, by)])


def test_teams(look, event, olga):  # noqa: F811  the fixtures
    made = event("swiss", 6, started=True, kind="team", side_size=3, has_check_in=True)
    driving.decide(driving.open_pairings(made)[0], olga, driving.by_lot)
    looked(look, made, "teams", olga)


def test_online(look, event, olga):  # noqa: F811  the fixtures
    rules = Rules.make("standard").write()
    made = event("single_elimination", 6, started=True, kind="partnership", setting="online", rules_json=rules)
    looked(look, made, "online", olga)


def test_a_ladder(look, event, olga):  # noqa: F811  the fixtures
    made = event("ladder", 5, started=True)
    stage = Stage.objects.get(tournament=made)
    one, other = made.entries.get(number=3), made.entries.get(number=2)
    arenas.challenge(stage.pk, one.pk, other.pk, by=olga)
    looked(look, made, "ladder", olga)


def test_an_arena(look, event, olga):  # noqa: F811  the fixtures
    made = event("arena", 6, started=True)
    stage = Stage.objects.get(tournament=made)
    for one in made.entries.filter(number__lte=3):
        arenas.free(stage.pk, one.pk, by=olga)
    looked(look, made, "arena", olga)
