"""Pages of statistics: their content for everyone, their cache, and the file for spreadsheets."""

import csv
import io
import itertools

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Membership, Team
from clubs.services.members import membership
from clubs.statistics import line_plot
from tests.clubs import leagues as makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

CLUB = "/clubs/harbour/statistics/"
LEAGUE = f"{CLUB}monday-league/"
SEASON = f"{LEAGUE}autumn-2026/"


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4, 2)), harbour.owner)


def text(client, path, status=200):
    answer = client.get(path)
    assert answer.status_code == status, (path, answer.status_code)
    return answer.content.decode()


def test_before_the_first_result_every_page_says_so(client, season):
    for path in (CLUB, LEAGUE, SEASON):
        assert "No result yet" in text(client, path)
    assert "Choose" in text(client, f"{LEAGUE}teams/")


def test_everyone_reads_records_teams_people_and_the_course(client, season, owner):
    makers.play_out(season, owner)
    for path in (CLUB, LEAGUE, SEASON):
        page = text(client, path)
        for words in ("Records", "Biggest win", "by 1,000", "Ann 1", "Pair 4", "7 matches finished"):
            assert words in page, (path, words)
    page = text(client, SEASON)
    assert page.count('<svg class="course"') == 2
    # Four teams drawn, each with a letter that stands in the table too.
    for letter in "ABCD":
        assert page.count(f">{letter}</text>") == page.count(f">{letter}</b>") == 2
    assert "After 3 matchdays: Pair 1 1st, Pair 2 2nd, Pair 3 3rd, Pair 4 4th." in page
    second = text(client, f"{SEASON}?division=2")
    assert "After 1 matchday: Pair 5 1st, Pair 6 2nd." in second
    assert 'aria-current="page">Statistics</a>' in page


def test_addresses_that_are_none(client, season):
    for path in (
        f"{CLUB}nobody/",
        f"{LEAGUE}nobody/",
        f"{SEASON}?division=9",
        f"{SEASON}?division=x",
        f"{SEASON}?division=%C2%B2",
        f"{LEAGUE}teams/?one=99",
        f"{LEAGUE}teams/?one=x",
        f"{CLUB}nobody/statistics.csv",
    ):
        text(client, path, 404)


def test_a_draft_is_not_shown(client, club, owner):
    makers.make_season(club, owner, (4,))
    text(client, SEASON, 404)
    text(client, f"{SEASON}statistics.csv", 404)


def test_two_teams_are_compared(client, season, owner):
    makers.play_out(season, owner)
    page = text(client, f"{LEAGUE}teams/?one=1&other=2")
    assert "Pair 1 won 1 of 1 match against Pair 2 and lost 0." in page
    assert "3,000 – 2,000" in page
    assert "have not met yet" in text(client, f"{LEAGUE}teams/?one=1&other=5")
    assert "Choose two different teams." in text(client, f"{LEAGUE}teams/?one=1&other=1")


def test_names_are_escaped(client, club, season, owner):
    team = makers.team(season, "Pair 1")
    Team.objects.filter(pk=team.pk).update(name="<b>Pair</b> & Co")
    Membership.objects.filter(name="Ann 1").update(name="<i>Ann</i>")
    makers.play_out(season, owner, better=str)
    for path in (CLUB, LEAGUE, SEASON, f"{LEAGUE}teams/?one=1&other=2"):
        page = text(client, path)
        assert "<b>Pair</b>" not in page
        assert "<i>Ann</i>" not in page
        assert "&lt;b&gt;Pair&lt;/b&gt; &amp; Co" in page


def test_a_result_shows_at_once_and_what_is_kept_costs_little(client, season, owner):
    first = makers.match(season, "Pair 1", "Pair 2")
    makers.decide(first, owner, {"Pair 1": 3000, "Pair 2": 2000})
    assert "by 1,000" in text(client, SEASON)
    with CaptureQueriesContext(connection) as cached:
        text(client, SEASON)
    makers.decide(first, owner, {"Pair 1": 3000, "Pair 2": 1500}, reason="Misread")
    for path in (CLUB, LEAGUE, SEASON):
        assert "by 1,500" in text(client, path)
    assert len(cached) <= 8


def test_the_number_of_queries_does_not_grow(client, club, season, owner):
    def queries(path):
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            text(client, path)
        return len(captured)

    paths = (CLUB, LEAGUE, SEASON, f"{LEAGUE}teams/?one=1&other=2")
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 1, "Pair 2": 0})
    few = [queries(path) for path in paths]
    makers.play_out(season, owner)
    assert [queries(path) for path in paths] == few


def test_who_has_left_is_a_former_member(client, season, owner):
    makers.play_out(season, owner)
    assert "Ann 1" in text(client, SEASON)
    membership.remove(Membership.objects.get(name="Ann 1").pk, owner)
    page = text(client, SEASON)
    assert "Ann 1" not in page
    assert "former member" in page
    assert "Ann 1" not in text(client, f"{SEASON}statistics.csv")


# For spreadsheets


def lines(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert answer["Content-Disposition"].startswith('attachment; filename="harbour-')
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


def test_the_file_has_a_line_for_each_team_and_each_person(client, season, owner):
    makers.play_out(season, owner)
    for path in (CLUB, LEAGUE, SEASON):
        rows = lines(client, f"{path}statistics.csv")
        assert [row["kind"] for row in rows].count("team") == 6
        assert [row["kind"] for row in rows].count("person") == 12
        pair = next(row for row in rows if row["name"] == "Pair 1")
        assert (pair["played"], pair["won"], pair["average_score"], pair["longest_wins"]) == ("3", "3", "3000", "3")
        ann = next(row for row in rows if row["name"] == "Ann 1")
        assert (ann["teams"], ann["won"]) == ("Pair 1", "3")


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(client, season, owner, sign):
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2000})
    Team.objects.filter(pk=makers.team(season, "Pair 1").pk).update(name=f"{sign}1+1")
    Membership.objects.filter(name="Ann 1").update(name=f"{sign}2+2")
    names = {row["name"] for row in lines(client, f"{SEASON}statistics.csv")}
    assert {f"'{sign}1+1", f"'{sign}2+2"} <= names


# Plots


def test_letters_at_the_end_of_lines_leave_room_for_each_other():
    plot = line_plot.points([1, 2], [[1, 4], [1, 4], [0, 4], [0, 0]])
    ends = sorted(line.end for line in plot.lines)
    assert all(after - before >= line_plot.APART for before, after in itertools.pairwise(ends))
    assert line_plot.letter(0) + line_plot.letter(25) + line_plot.letter(26) == "AZAA"


@pytest.mark.parametrize("teams_count", [1, 2, 8, 30])
@pytest.mark.parametrize("days", [1, 2, 14, 38])
def test_everything_is_drawn_within_the_picture(teams_count, days):
    values = [[(team + day) % teams_count + 1 for day in range(days)] for team in range(teams_count)]
    for plot in (
        line_plot.places(range(1, days + 1), values),
        line_plot.points(range(1, days + 1), [[-3 * value for value in line] for line in values]),
    ):
        for line in plot.lines:
            for x, y in line.dots:
                assert line_plot.LEFT <= x <= line_plot.RIGHT
                assert line_plot.TOP <= y <= line_plot.BOTTOM
            assert 0 <= line.end <= line_plot.HEIGHT
        assert len(plot.along) <= line_plot.MOST_NUMBERS
