"""Many rows stored at once: as one by one, with ids that nobody else gets."""

from datetime import UTC, datetime
from fractions import Fraction

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model

from clubs.models import Club, League, Membership, Season
from tests.makers import make_club
from tournaments.models import Entry, Stage, StageEntry, Tournament
from web.database import bulk_insert

pytestmark = pytest.mark.django_db
THEN = datetime(2020, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


@pytest.fixture
def club():
    return make_club("Harbour")


def fields(row: Model) -> dict[str, object]:
    """The values of a row in the database, without the id."""
    values = type(row)._default_manager.filter(pk=row.pk).values().get()
    return {name: value for name, value in values.items() if name != "id"}


def test_rows_are_as_if_they_had_been_saved_one_by_one(club):
    league = League.objects.create(club=club, name="League", slug="league")
    values = {
        "league": league,
        "name": "Première — “one”\t\\N",
        "plan_json": {"a": [1, "ü\n"], "b": None},
        "rules_json": {},
        "settings": {},
        "starts_on": THEN.date(),
        "started_at": THEN,
        "created_at": THEN,
        "up": [1, 2],
    }
    season = Season.objects.create(number=1, slug="one", **values)
    Season.objects.filter(pk=season.pk).update(created_at=THEN)
    other = Season(number=1, slug="one", **values)
    Season.objects.filter(pk=season.pk).update(number=9, slug="nine")
    bulk_insert.insert([other], keeps_times=True)
    assert fields(other) == fields(season) | {"number": 1, "slug": "one"}
    assert not other._state.adding


def test_every_row_has_what_it_had(club):
    """Values that are equal and of other kinds are not taken for each other, however many there are."""
    tournament = Tournament.objects.create(slug="cup", name="Cup", rules_json={})
    stage = Stage.objects.create(tournament=tournament, number=1, name="One", plan_json={})
    count = bulk_insert._KEPT + 10
    entries = [Entry(tournament=tournament, number=at, name=f"Entry {at}") for at in range(1, count)]
    bulk_insert.number(entries)
    rows = [
        StageEntry(
            stage=stage, entry=entry, position=entry.number, start_points=Fraction(entry.number, 3), byes={"1": "bye"}
        )
        for entry in entries
    ]
    bulk_insert.insert(rows)
    bulk_insert.insert(entries)
    stage_entries = StageEntry.objects.select_related("entry").order_by("position")
    assert [(stage_entry.entry.name, stage_entry.start_points) for stage_entry in stage_entries] == [
        (f"Entry {at}", Fraction(at, 3)) for at in range(1, count)
    ]
    assert all(stage_entry.byes == {"1": "bye"} and stage_entry.last_round is None for stage_entry in stage_entries)


def test_times_of_making_are_now_unless_they_are_kept(club):
    for keeps, is_kept in ((True, True), (False, False)):
        member = Membership(club=club, name="Ann", joined_at=THEN)
        bulk_insert.insert([member], keeps_times=keeps)
        member.refresh_from_db()
        assert (member.joined_at == THEN) is is_kept
    unknown = Membership(club=club, name="Bo")
    bulk_insert.insert([unknown], keeps_times=True)
    unknown.refresh_from_db()
    assert unknown.joined_at > THEN


def test_ids_are_never_given_again(club):
    rows = [Membership(club=club, name=f"Name {at}") for at in range(3)]
    bulk_insert.number(rows)
    later = Membership.objects.create(club=club, name="Later")
    bulk_insert.insert(rows)
    ids = [row.pk for row in rows]
    assert ids == sorted(ids)
    assert later.pk > max(ids)
    assert Membership.objects.create(club=club, name="Last").pk > later.pk
    assert bulk_insert.fresh_ids(Membership, 0) == []


def test_what_may_not_be_is_refused_whole():
    before = Club.objects.count()
    with pytest.raises(IntegrityError), transaction.atomic():
        bulk_insert.insert([Club(name="One", slug="same"), Club(name="Two", slug="same")])
    assert Club.objects.count() == before


def test_nothing_takes_no_statement(django_assert_num_queries):
    with django_assert_num_queries(0):
        bulk_insert.insert([])
        bulk_insert.number([])
