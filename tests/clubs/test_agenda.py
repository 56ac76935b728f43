"""The matchday goes by date; matches of other days have a list of their own on page, desk, letter and print."""

from datetime import UTC, datetime

import pytest
import time_machine

from clubs.exports import league_pdf
from clubs.league import fixtures
from clubs.league.agenda import agenda
from clubs.models import Division
from clubs.organiser import season as desk
from clubs.services.leagues import matchday_edits
from clubs.statistics import matchday_words
from tests.clubs import leagues as makers
from web.paper import Paper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

SEASON = "/clubs/harbour/leagues/monday-league/autumn-2026/"
SECOND_WEEK = datetime(2026, 9, 15, 12, tzinfo=UTC)
OCTOBER = datetime(2026, 10, 20, 18, tzinfo=UTC)


@pytest.fixture(scope="module")
def drawn(harbour):
    """Four pairs meet once: matchdays in the weeks from 7, 14 and 21 September."""
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4,), plays_at=None), harbour.owner)


@pytest.fixture
def first(season):
    """The first match of the first matchday."""
    return days_of(season)[0].matches[0].pairing


def days_of(season):
    return fixtures.matchdays(Division.objects.get(season=season))


def numbers(season, now=makers.NOW):
    """The current matchday, the matchdays of the matches apart, and how many matchdays are complete."""
    plan = agenda(days_of(season), now)
    return plan.current and plan.current.number, [match.matchday for match in plan.apart], plan.complete


def play(season, owner, *matchdays, but=None):
    for day in days_of(season):
        for match in day.matches:
            if day.number in matchdays and match.pairing != but:
                makers.decide(match.pairing, owner, {match.home.name: 3000, match.away.name: 100})


def test_the_first_matchday_is_next_before_it_starts(season):
    assert numbers(season) == (1, [], 0)


def test_a_matchday_with_all_its_results_gives_way_to_the_next(season, owner):
    play(season, owner, 1)
    assert numbers(season) == (2, [], 1)


def test_a_match_that_was_put_off_holds_nobody(season, owner, first):
    play(season, owner, 1, but=first)
    matchday_edits.set_match(first.pk, owner, starts_at=None, deadline_at=OCTOBER)
    assert numbers(season) == (2, [1], 1)


def test_nor_does_one_with_a_later_time_of_its_own(season, owner, first):
    play(season, owner, 1, but=first)
    matchday_edits.set_match(first.pk, owner, starts_at=OCTOBER)
    assert numbers(season) == (2, [1], 1)


def test_a_match_with_another_time_in_its_week_belongs_to_its_matchday(season, owner, first):
    matchday_edits.set_match(first.pk, owner, starts_at=datetime(2026, 9, 12, 18, tzinfo=UTC))
    assert numbers(season) == (1, [], 0)


def test_a_missing_result_holds_nobody_once_the_matchday_has_ended(season, owner, first):
    play(season, owner, 1, but=first)
    assert numbers(season) == (1, [], 0)
    assert numbers(season, SECOND_WEEK) == (2, [1], 1)


def test_a_matchday_without_any_result_does_not_count_as_played(season):
    assert numbers(season, SECOND_WEEK) == (2, [1, 1], 0)


def test_after_the_last_matchday_only_what_is_missing_is_left(season, owner, first):
    play(season, owner, 1, 2, 3, but=first)
    assert numbers(season, OCTOBER) == (None, [1], 3)


def test_without_days_a_matchday_ends_with_the_first_result_of_the_next(season, owner, first):
    first.round.stage.rounds.update(starts_at=None, deadline_at=None)
    play(season, owner, 1, but=first)
    assert numbers(season) == (1, [], 0)
    play(season, owner, 2)
    assert numbers(season) == (3, [1], 2)


def test_the_page_goes_on_and_lists_what_was_put_off(season, owner, first, client):
    play(season, owner, 1, but=first)
    matchday_edits.set_match(first.pk, owner, starts_at=OCTOBER)
    page = client.get(SEASON).content.decode()
    assert "Standings after matchday 1 of 3, one match still to be played" in page
    assert "Next: matchday 2" in page
    apart = page[page.index('id="apart-h"') :]
    assert "matchday 1" in apart
    assert "20 Oct" in apart


def test_a_kept_page_goes_on_with_the_day(season, owner, first, client):
    play(season, owner, 1, but=first)
    assert "Next: matchday 1" in client.get(SEASON).content.decode()
    with time_machine.travel(SECOND_WEEK, tick=False):
        page = client.get(SEASON).content.decode()
    assert "Next: matchday 2" in page
    assert 'id="apart-h"' in page


def test_the_desk_shows_the_matchday_of_today_and_what_is_played_later(season, owner, first):
    play(season, owner, 1, but=first)
    matchday_edits.set_match(first.pk, owner, starts_at=None, deadline_at=OCTOBER)
    content = desk.running(season, list(season.divisions.select_related("tournament")), SECOND_WEEK)
    assert content.divisions[0].current.number == 2
    assert [row.match.pairing for row in content.later] == [first]
    assert content.overdue == ()


def test_what_is_missing_is_overdue_on_the_desk(season, owner, first):
    play(season, owner, 1, but=first)
    content = desk.running(season, list(season.divisions.select_related("tournament")), SECOND_WEEK)
    assert [row.match.pairing for row in content.overdue] == [first]
    assert content.later == ()


def test_the_letter_lists_them_and_names_the_next_matchday_by_date(season, owner, first):
    play(season, owner, 1, 2, but=first)
    matchday_edits.set_match(first.pk, owner, starts_at=OCTOBER)
    body = matchday_words.describe_matchday(season, 2, site="", now=SECOND_WEEK).body
    assert "(matchday 1): Tue 20 Oct" in body
    assert "Next, matchday 3:" in body


def test_the_printed_table_lists_them(season, owner, first, monkeypatch):
    play(season, owner, 1, but=first)
    matchday_edits.set_match(first.pk, owner, starts_at=OCTOBER)
    written, put = [], Paper.put
    monkeypatch.setattr(Paper, "put", lambda *args, **how: (written.append(args[4]), put(*args, **how)))
    league_pdf.table(Division.objects.select_related("season__league__club", "tournament").get(season=season))
    later = written[written.index("Still to be played") :]
    assert any(text.startswith("matchday 1; ") and "20 Oct" in text for text in later)
