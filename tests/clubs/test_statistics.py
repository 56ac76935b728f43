"""Statistics of leagues: records, runs, averages, books, head to head, and the course of a season."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Division, League, Membership
from clubs.services.leagues import leagues
from clubs.services.members import membership
from clubs.statistics import queries, season_progress, totals
from clubs.statistics.records import records
from gameplay.models import Deal, Table
from tests.clubs import leagues as makers
from tournaments.models import Pairing, Result
from tournaments.score_sheets import services as score_sheets
from tournaments.services.matches import results

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

SCORES = {
    ("Pair 1", "Pair 2"): (3100, 2900),
    ("Pair 1", "Pair 3"): (5200, 1200),
    ("Pair 1", "Pair 4"): (2500, 2500),
    ("Pair 2", "Pair 3"): (4000, 1000),
    ("Pair 2", "Pair 4"): (1000, 5200),
}
"""Of all matches but one, which is won without play."""


@pytest.fixture
def played(season, owner):
    """The season with every match over; Pair 4 did not come to its match against Pair 3."""
    for (home, away), (first, second) in SCORES.items():
        makers.decide(makers.match(season, home, away), owner, {home: first, away: second})
    absent = makers.entry(season, "Pair 4").pk
    results.walkover(makers.match(season, "Pair 3", "Pair 4").pk, [absent], by=owner)
    return season


def line(season, name):
    return next(line for line in totals.teams(queries.of_season(season)) if line.team.name == name)


def test_nothing_is_known_before_the_first_result(season):
    matches = queries.of_season(season)
    assert (matches, records(matches), totals.teams(matches), totals.people(matches)) == ([], [], [], [])
    assert totals.averages(matches) == []
    assert season_progress.course(Division.objects.select_related("tournament").get()) is None


def test_a_draft_tells_nothing(club, owner):
    season = makers.make_season(club, owner, (4,))
    assert season_progress.course(season.divisions.get()) is None
    assert queries.of_club(club) == []


def test_records_name_all_who_hold_them(played):
    by_title = {record.title: record for record in records(queries.of_season(played))}
    highest = by_title["Highest score of a match"]
    assert highest.value == "5,200"
    assert {holder.names for holder in highest.holders} == {"Pair 1 against Pair 3", "Pair 4 against Pair 2"}
    assert by_title["Biggest win"].value == "by 4,200"
    assert [holder.names for holder in by_title["Biggest win"].holders] == ["Pair 4 – Pair 2 5,200 – 1,000"]
    assert by_title["Closest match"].value == "drawn"
    assert "2,500 – 2,500" in by_title["Closest match"].holders[0].names
    assert "Highest score of a deal" not in by_title
    unbeaten = by_title["Longest run without a defeat"]
    assert (unbeaten.value, unbeaten.holders[0].names) == ("3 matches", "Pair 1")


def test_no_more_than_three_who_share_a_record_are_named(season, owner):
    makers.play_out(season, owner)
    highest = next(
        record for record in records(queries.of_season(season)) if record.title == "Highest score of a match"
    )
    assert (len(highest.holders), highest.others) == (3, 3)


def test_teams_are_counted_as_a_tally_by_hand_has_it(played):
    first, third, fourth = (line(played, name).tally for name in ("Pair 1", "Pair 3", "Pair 4"))
    assert (first.played, first.won, first.drawn, first.lost) == (3, 2, 1, 0)
    assert (first.average, first.average_against, first.highest) == (3600, 2200, 5200)
    # A walkover is won, and brings no scores.
    assert (third.played, third.won, third.lost) == (3, 1, 2)
    assert (third.scored_matches, third.average) == (2, 1100)
    assert (fourth.won, fourth.drawn, fourth.lost) == (1, 1, 1)
    assert (first.books_a_deal, first.outs_share, first.wins_share) == ("", "", "67%")
    assert (line(played, "Pair 1").unbeaten, line(played, "Pair 3").wins) == (3, 1)


def test_a_correction_changes_everything_that_follows(played, owner):
    makers.decide(makers.match(played, "Pair 1", "Pair 3"), owner, {"Pair 1": 1000, "Pair 3": 1200}, reason="Misread")
    assert line(played, "Pair 1").tally.highest == 3100
    assert line(played, "Pair 3").tally.won == 2
    by_title = {record.title: record for record in records(queries.of_season(played))}
    assert len(by_title["Highest score of a match"].holders) == 1


def test_two_teams_against_each_other(played):
    matches = queries.of_league(played.league)
    met = totals.head_to_head(matches, makers.team(played, "Pair 2"), makers.team(played, "Pair 1"))
    assert (met.won, met.drawn, met.lost, met.scored, met.conceded) == (0, 0, 1, 2900, 3100)
    assert [score for _, score in met.matches] == ["2,900 – 3,100"]
    assert met.words == "Pair 2 won 0 of 1 match against Pair 1 and lost 1."
    walked = totals.head_to_head(matches, makers.team(played, "Pair 3"), makers.team(played, "Pair 4"))
    assert [score for _, score in walked.matches] == ["won by walkover"]


def test_matchdays_on_average(played):
    averages = totals.averages(queries.of_season(played))
    assert sum(day.matches for day in averages) == 5
    by_day = {}
    for home, away in SCORES:
        number = makers.match(played, home, away).round.number
        by_day.setdefault(number, []).append(SCORES[home, away])
    for day in averages:
        scores = by_day[day.number]
        assert day.score == round(sum(map(sum, scores)) / (2 * len(scores)))
        assert day.gap == round(sum(abs(first - second) for first, second in scores) / len(scores))


def test_the_course_of_a_season_is_its_table_after_each_matchday(played):
    course = season_progress.course(Division.objects.select_related("tournament").get())
    assert course.days == (1, 2, 3)
    by_name = {line.team.name: line for line in course.lines}
    # Points by hand: two for a win, one for a draw, matchday by matchday.
    points = dict.fromkeys(by_name, 0)
    for day in course.days:
        for pairing in Pairing.objects.filter(round__number=day):
            places = list(pairing.places.select_related("entry"))
            first = [place for place in places if place.rank == 1]
            for place in first:
                points[place.entry.name] += 2 if len(first) == 1 else 1
        assert {name: line.points[day - 1] for name, line in by_name.items()} == points
    assert by_name["Pair 1"].places[-1] == 1
    assert next(line.team.name for line in course.lines) == "Pair 1"


# People


def test_people_have_what_their_sides_did_but_no_walkovers(played):
    people = {line.person.name: line for line in totals.people(queries.of_season(played))}
    assert len(people) == 8
    assert (people["Ann 1"].tally.played, people["Ann 1"].tally.won, people["Ann 1"].teams) == (3, 2, "Pair 1")
    assert (people["Ben 3"].tally.played, people["Ben 3"].tally.won) == (2, 0)


def test_who_has_left_is_not_named(club, played, owner):
    membership.remove(Membership.objects.get(name="Ann 1").pk, owner)
    people = totals.people(queries.of_season(played))
    assert "Ann 1" not in {line.person.name for line in people}
    last = people[-1]
    assert (last.person.name, last.teams, last.tally.played) == ("former member", "", 3)


# Deals


def side(**fields):
    return {"books": {"clean": 1, "dirty": 1}, "melded": 500, "left": 0, "out": False, **fields}


def test_books_and_going_out_are_those_of_the_score_sheet(season, owner):
    pairing = makers.match(season, "Pair 1", "Pair 4")
    keeper = makers.entry(season, "Pair 4").pk
    deals = [
        {"teams": [side(out=True), side(books={"clean": 3})]},
        {"teams": [side(books={}), side(out=True, books={"dirty": 2})]},
        {"points": [400, 300]},
    ]
    for number, deal in enumerate(deals, 1):
        score_sheets.save(pairing.pk, keeper, number, deal)
    score_sheets.send(pairing.pk, keeper, by=owner, origin=Result.Origin.CARD, is_early=True)
    if Pairing.objects.get(pk=pairing.pk).result_id is None:
        results.confirm(Result.objects.latest("pk").pk, by=owner)
    [match] = queries.of_season(season)
    names = [side.team.name for side in match.sides]
    first_team = next(place.entry.name for place in pairing.places.select_related("entry").order_by("side"))
    at = names.index(first_team)
    assert [deal.books and (deal.books[at], deal.books[1 - at]) for deal in match.deals] == [(2, 3), (0, 2), None]
    assert [deal.out for deal in match.deals] == [at, 1 - at, None]
    tally = line(season, first_team).tally
    assert (tally.dealt, tally.books, tally.outs, tally.books_a_deal, tally.outs_share) == (2, 2, 1, "1.0", "50%")
    assert match.deals[2].points[at] == 400
    titles = {record.title: record.value for record in records([match])}
    assert titles["Most books in a deal"] == "3 books"


def test_deals_of_an_online_table_count_by_its_sides(season, owner):
    pairing = makers.match(season, "Pair 1", "Pair 4")
    makers.decide(pairing, owner, {"Pair 1": 900, "Pair 4": 400})
    table = Table.objects.create(name="Online", creator=owner, rules_json={}, seat_count=4, team_size=2)
    sheets = [[{"what": "clean", "number": 2}, {"what": "out", "number": 1}], [{"what": "dirty", "number": 1}]]
    outcome = {"sheets": sheets, "deal_score": [900, 400], "totals": [900, 400], "winners": [0]}
    Deal.objects.create(table=table, number=1, key="00", commitment="00", result=outcome)
    Pairing.objects.filter(pk=pairing.pk).update(table=table)
    # A decision of an organiser that replaced the table’s own result has no deals.
    assert queries.of_season(season)[0].deals == ()
    Result.objects.update(origin=Result.Origin.TABLE)
    [match] = queries.of_season(season)
    [deal] = match.deals
    assert (deal.points, deal.books, deal.out) == ((900, 400), (2, 1), 0)


@pytest.mark.parametrize(
    "sheet",
    [
        {"sides": 1, "deals": [1]},
        {"sides": [[1], [2]], "deals": 5},
        {"sides": "own", "deals": [{"points": [1]}]},
        {"sides": "own", "deals": [{"points": ["x", 1]}]},
        {"sides": "own", "deals": [{"points": [1, 2], "teams": [{"books": [1]}, 2]}]},
        ["deals"],
    ],
)
def test_a_sheet_of_another_shape_is_passed_over(season, owner, sheet):
    pairing = makers.match(season, "Pair 1", "Pair 4")
    makers.decide(pairing, owner, {"Pair 1": 900, "Pair 4": 400})
    if isinstance(sheet, dict) and sheet["sides"] == "own":
        sheet = {**sheet, "sides": [[place.entry_id] for place in pairing.places.order_by("number")]}
    Result.objects.update(sheet=sheet)
    [match] = queries.of_season(season)
    assert (match.deals, match.scores is not None) == ((), True)


# Number of queries


def test_the_number_of_queries_does_not_grow(club, owner, season):
    def count(read):
        with CaptureQueriesContext(connection) as captured:
            read()
        return len(captured)

    first = makers.match(season, "Pair 1", "Pair 2")
    makers.decide(first, owner, {"Pair 1": 1, "Pair 2": 0})
    division = Division.objects.select_related("tournament", "season__league").get()
    before = count(lambda: queries.of_club(club)), count(lambda: season_progress.course(division))
    makers.play_out(season, owner)
    second = makers.make_season(club, owner, (2, 2), name="Spring 2027", league=_other(club, owner))
    makers.play_out(makers.draw(second, owner), owner)
    assert len(queries.of_club(club)) == 8
    assert (count(lambda: queries.of_club(club)), count(lambda: season_progress.course(division))) == before


def _other(club, owner):
    leagues.make(club.pk, owner, name="Friday League")
    return League.objects.get(name="Friday League")
