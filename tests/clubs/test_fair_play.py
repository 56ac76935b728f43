"""Findings on fair play at the tables of a club, for its organisers, and their notes."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.fair_play import club_patterns, services
from clubs.models import Act, Remark
from clubs.services import history
from gameplay.fair_play import services as page_views
from gameplay.models import Look, Table
from tests.makers import make_club, make_member
from tests.tournaments.online import _repeatable_boards, drawn, online  # noqa: F401  fixtures
from tests.tournaments.reading import pairings
from tournaments.models import RatedGame, Rating, RatingStep

pytestmark = pytest.mark.django_db


def at(club):
    return reverse("clubs:fair_play", args=[club.slug])


def share(table, users):
    for user in users:
        assert page_views.note(table.slug, user, "A" * 22)


@pytest.fixture
def shared(club, seated, four):
    """A rated table of the club at which Ann and Ben use one device."""
    table = seated(is_rated=True)
    Table.objects.filter(pk=table.pk).update(audience=club.circle)
    share(table, four[:2])
    return table


def settle(club, by, verdict="nothing", **more):
    (finding,) = club_patterns.of_club(club)
    return services.remark(club.pk, by, finding=finding.key, verdict=verdict, **more)


def test_it_is_about_the_tables_of_the_club_and_of_its_events(club, shared, online, seated, four):  # noqa: F811
    of_event = online(circle=club.circle)
    elsewhere = online()
    share(pairings(of_event)[0].table, [seat.user for seat in pairings(of_event)[0].table.seats.all()[:2]])
    share(pairings(elsewhere)[0].table, [seat.user for seat in pairings(elsewhere)[0].table.seats.all()[:2]])
    share(seated(is_rated=True), four[2:])
    findings = club_patterns.of_club(club)
    assert {table.url for finding in findings for table in finding.tables} == {
        shared.get_absolute_url(),
        pairings(of_event)[0].table.get_absolute_url(),
    }
    other = make_club("Hill")
    assert club_patterns.of_club(other) == []


def game(table, sides, number):
    return RatedGame.objects.create(
        kind="table",
        source=table.pk if table else 10_000 + number,
        pool="standard",
        ended_at=timezone.now() - timedelta(hours=number),
        sides=sides,
        side_size=2,
        ranks=[1, 2],
    )


def test_partners_at_its_own_tables_who_never_play_apart_are_told(club, seated, four):
    ann, ben, cem, dee = (user.pk for user in four)
    for number in range(8):
        table = seated(is_rated=True)
        Table.objects.filter(pk=table.pk).update(audience=club.circle)
        game(table, [[ann, cem], [ben, dee]], number)
    game(None, [[ann, ben], [cem, dee]], 9)
    (finding,) = club_patterns.of_club(club)
    assert (finding.kind, finding.cases, finding.out_of, len(finding.tables)) == ("partners", 8, 8, 8)
    assert finding.sentence.startswith("Ann and Cem were partners in 8 of the 8 matches")
    rating = Rating.objects.create(user=four[0], pool="standard", mu=90.0)
    for number, rated_game in enumerate(RatedGame.objects.all()):
        step = {"number": number, "mu": 90.0, "sigma": 1.0, "mu_before": 90.0, "sigma_before": 1.0}
        RatingStep.objects.create(rating=rating, game=rated_game, **step)
    assert club_patterns.of_club(club) == [], "so strong a player is expected to win"


def test_owners_and_organisers_see_it_and_nobody_else(club, shared, staff, browser_of, four, person):
    for role, user in staff.items():
        browser_of(user).get(at(club), 200 if role in ("owner", "organiser") else 403)
    for user in (four[0], person("Eve")):
        browser_of(user).get(at(club), 403)
    assert "on the same device" in browser_of(staff["organiser"]).get(at(club))
    assert browser_of().client.get(at(club)).status_code in (302, 403)


def test_the_settings_lead_there(club, staff, browser_of):
    assert at(club) in browser_of(staff["organiser"]).get(reverse("clubs:settings", args=[club.slug]))


def test_a_finding_is_looked_at_and_goes_below(club, shared, owner, browser_of):
    browser = browser_of(owner)
    (finding,) = club_patterns.of_club(club)
    browser.submit(at(club), f"keep-{finding.key}", verdict="watch", note="Sisters?")
    browser.submit(at(club), f"keep-{finding.key}", verdict="nothing")
    assert list(Remark.objects.values_list("verdict", "note", "by")) == [
        ("watch", "Sisters?", owner.pk),
        ("nothing", "", owner.pk),
    ]
    (settled,) = club_patterns.marked_findings(club, reader=owner.pk)
    assert settled.is_settled
    markup = browser.get(at(club))
    assert "Keep watching: <bdi>Sisters?</bdi>" in markup
    assert not [mark for mark in Look.objects.values_list("mark", flat=True) if mark in markup]


def test_the_history_tells_who_and_when_and_names_nobody(club, shared, owner, browser_of):
    settle(club, owner, note="Secret words")
    act = Act.objects.get(club=club, kind="fair_play")
    assert (act.by, act.sentence) == (owner, "Fair play: a finding was checked. There is no concern.")
    markup = browser_of(owner).get(reverse("clubs:history", args=[club.slug]))
    assert "Secret words" not in markup
    history.undo(act.pk, by=owner)
    assert not Remark.objects.exists()


@pytest.mark.parametrize("typed", [{"finding": "device-0-0"}, {"verdict": "guilty"}, {"note": "x" * 501}])
def test_what_is_no_remark_is_refused(club, shared, owner, browser_of, typed):
    (finding,) = club_patterns.of_club(club)
    answer = browser_of(owner).press(at(club), f"keep-{finding.key}", **{"verdict": "nothing", **typed})
    assert answer.status_code == 422
    assert 'id="refused"' in answer.content.decode()
    assert not Remark.objects.exists()


def test_nobody_judges_their_own_case(club, seated, in_club, four, browser_of, refuses, shared):

    make_member(club, four[0], "organiser")
    assert "No unusual patterns" in browser_of(four[0]).get(at(club))
    with refuses("no_such_finding"):
        settle(club, four[0])


def test_what_was_said_goes_with_the_account(club, shared, owner, four, gone):
    settle(club, owner, note="Ben lent it")
    gone(four[1])
    assert not Remark.objects.exists()
    assert club_patterns.of_club(club) == []


def test_a_note_forgets_the_name_of_a_member_who_left(club, shared, owner, in_club, gone):
    mia = in_club(club, "Mia")
    settle(club, owner, note="Mia knows them")
    gone(mia)
    assert Remark.objects.get().note == "former member knows them"


def test_the_questions_do_not_grow(club, shared, seated, four):
    def count_queries():
        with CaptureQueriesContext(connection) as queries:
            club_patterns.of_club(club)
        return len(queries)

    before = count_queries()
    for _ in range(2):
        table = seated(is_rated=True)
        Table.objects.filter(pk=table.pk).update(audience=club.circle)
        share(table, four)
    assert count_queries() == before
