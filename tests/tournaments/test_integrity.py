"""Brackets are compared with their results and ratings with their games, without a change; what does not fit is found."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments import driving
from tournaments import integrity
from tournaments.models import Place, Rating, Tournament
from tournaments.ratings import services as ratings
from tournaments.services.stages import progress


@pytest.fixture
def cup(new_event, olga):
    """A knockout of eight, rated, of which the first round is played."""
    event = new_event("single_elimination", entries=8, started=True, is_rated=True)
    for pairing in driving.open_pairings(event):
        driving.decide(pairing, olga)
    progress.advance(event.pk)
    ratings.rate_tournament(event.pk)
    assert Rating.objects.exists()
    return event


def wrong():
    return [problem for check in (integrity.events, integrity.pools) for _, problems in check() for problem in problems]


def test_looking_changes_nothing_where_all_is_well(cup):
    before = Tournament.objects.values().get(), list(Rating.objects.values())
    assert wrong() == []
    assert (Tournament.objects.values().get(), list(Rating.objects.values())) == before


@pytest.mark.parametrize(("format", "entries", "choices"), driving.FORMATS)
def test_an_event_of_any_format_is_sound_half_way(new_event, olga, format, entries, choices):
    event = new_event(format, entries=entries, started=True, **choices)
    for pairing in driving.open_pairings(event)[:2]:
        driving.decide(pairing, olga)
    progress.advance(event.pk)
    assert wrong() == []


def test_an_entry_in_a_match_that_it_did_not_reach_is_found(cup, entry):
    second = Place.objects.filter(pairing__name="WB2.1").order_by("number").first()
    Place.objects.filter(pk=second.pk).update(entry=entry(cup, 8))
    assert "match WB2.1 is not between those that its results lead to" in wrong()


def test_another_rating_is_found(cup):
    Rating.objects.filter(pk=Rating.objects.first().pk).update(mu=99)
    assert wrong() == [f"1 of {Rating.objects.count()} ratings are not what their games come to"]
    assert Rating.objects.filter(mu=99).count() == 1, "Looking mends nothing."


def test_the_doctor_says_what_does_not_fit_and_fails(cup):
    out, err = StringIO(), StringIO()
    call_command("doctor", stdout=out)
    assert out.getvalue().splitlines()[-1] == "Everything fits."
    Rating.objects.update(sigma=1)
    with pytest.raises(CommandError, match=r"^Does not fit: 1 thing\.$"):
        call_command("doctor", stdout=out, stderr=err)
    assert "ratings are not what their games come to" in err.getvalue()
