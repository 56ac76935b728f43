"""Cups, play-offs, and the close of a season."""

import hashlib

import pytest

from clubs.imports.season import read_season
from clubs.league import finals, table
from clubs.models import Honour, Season, SeasonEvent
from clubs.services import history
from clubs.services.leagues import leagues
from clubs.services.seasons import cups, next_season, past_seasons, season_close, season_draw, season_setup
from clubs.services.seasons.past_seasons import Wishes
from tests.clubs import leagues as makers
from tests.clubs.seasons import PAIRS, round_robin, sheet
from tournaments.models import Organiser, Pairing, Rating, Tournament
from tournaments.services.entries import withdrawal
from tournaments.services.matches import point_adjustments, results
from web.errors import NotAllowed, Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]


@pytest.fixture(scope="module")
def drawn(harbour):
    """Two divisions of three, drawn."""
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (3, 3)), harbour.owner)


def play_event(event, by, better=None):
    """Play a cup or a play-off to its end."""
    while pairing := Pairing.objects.filter(round__stage__tournament=event.tournament, status="ready").first():
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        first = min(names, key=better or (lambda name: int(name.split()[-1])))
        makers.decide(pairing, by, {name: 3000 if name == first else 2000 for name in names})


def ranks(season):
    return {entry.team.name: entry.final_rank for entry in season.entries.select_related("team")}


def honours(season):
    return set(Honour.objects.filter(season=season).values_list("team__name", "title"))


# Closing


def test_a_season_waits_for_open_matches_and_names_them(season, owner):
    preview = season_close.preview(season)
    assert not preview.can_close
    assert preview.waits_for[0].startswith("Division 1: no result yet of Pair ")
    assert "(matchday 1)" in preview.waits_for[0]
    with pytest.raises(Refused, match="no result yet") as refused:
        season_close.close(season.pk, owner)
    assert len(refused.value.details["sentences"]) == 2
    assert Season.objects.get().status == "running"


def test_many_open_matches_are_counted(club, owner):
    season = makers.draw(makers.make_season(club, owner, (5,)), owner)
    [sentence] = season_close.preview(season).waits_for
    assert sentence.endswith(" and 5 more.")
    assert sentence.count(" – ") == season_close.NAMED


def test_a_close_keeps_final_places_and_honours(season, owner):
    makers.play_out(season, owner)
    assert season_close.preview(season).can_close
    season_close.close(season.pk, owner)
    season.refresh_from_db()
    assert (season.status, season.closed_at) == ("closed", makers.NOW)
    assert ranks(season) == {f"Pair {number}": (number - 1) % 3 + 1 for number in range(1, 7)}
    assert honours(season) == {
        ("Pair 1", "Champion of Division 1"),
        ("Pair 2", "Runner-up of Division 1"),
        ("Pair 3", "Relegated to Division 2"),
        ("Pair 4", "Champion of Division 2"),
        ("Pair 4", "Promoted to Division 1"),
        ("Pair 5", "Runner-up of Division 2"),
    }
    with pytest.raises(Refused, match="already closed"):
        season_close.close(season.pk, owner)


def test_a_closed_season_says_what_becomes_of_each(season, owner):
    makers.play_out(season, owner)
    rows = dict(season_close.preview(season).divisions)
    notes = [row.note for division in rows for row in rows[division]]
    assert notes == [
        "champion",
        "runner-up",
        "relegated to Division 2",
        "champion, promoted to Division 1",
        "runner-up",
        "",
    ]


def test_closing_is_undone_as_long_as_no_later_season_began(season, owner):
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    season_close.undo_close(season.pk, owner)
    season.refresh_from_db()
    assert (season.status, set(ranks(season).values()), Honour.objects.count()) == ("running", {None}, 0)
    season_close.close(season.pk, owner)
    draft = next_season.make(season.pk, owner, name="2027", starts_on=makers.FIRST_DAY)
    makers.draw(draft, owner)
    with pytest.raises(Refused, match="2027 has already started"):
        season_close.undo_close(season.pk, owner)


def test_a_draft_made_from_a_season_that_was_opened_again_is_not_drawn(season, owner):
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    draft = next_season.make(season.pk, owner, name="2027", starts_on=makers.FIRST_DAY)
    season_close.undo_close(season.pk, owner)
    with pytest.raises(Refused, match="has been reopened"):
        season_draw.draw(draft.pk, owner)


def test_only_who_runs_leagues_closes(season, staff):
    for role in ("scorer", "member"):
        with pytest.raises(NotAllowed):
            season_close.close(season.pk, staff[role])


def test_who_withdrew_is_last_and_goes_down(season, owner):
    withdrawal.withdraw(makers.entry(season, "Pair 1").pk, owner, at_once=True)
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    assert ranks(season)["Pair 1"] == 3
    assert ("Pair 1", "Relegated to Division 2") in honours(season)


def test_teams_that_are_level_at_the_line_are_not_parted_by_chance(club, owner):
    season = makers.draw(makers.make_season(club, owner, (3, 3), plan={"tiebreaks": ["spread"]}), owner)
    wins = {frozenset((1, 2)): 1, frozenset((2, 3)): 2, frozenset((1, 3)): 3}
    for pairing in Pairing.objects.filter(round__stage__tournament__division__level=2):
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        numbers = frozenset(int(name.split()[-1]) - 3 for name in names)
        makers.decide(
            pairing, owner, {name: 3000 if int(name.split()[-1]) - 3 == wins[numbers] else 2000 for name in names}
        )
    makers.play_out(season, owner)
    [sentence] = season_close.preview(season).waits_for
    assert sentence.startswith(
        "Division 2: Pair 4, Pair 5 and Pair 6 are tied on every tie-break for promotion or relegation"
    )
    with pytest.raises(Refused, match="tied on every tie-break"):
        season_close.close(season.pk, owner)
    stage = season.divisions.get(level=2).tournament.stages.get()
    entry = makers.entry(season, "Pair 5")
    point_adjustments.adjust(stage.pk, owner, entry_id=entry.pk, points=1, reason="Drew the longest straw.")
    season_close.close(season.pk, owner)
    assert [ranks(season)[f"Pair {number}"] for number in (4, 5, 6)] == [2, 1, 2]


# Cups


def test_a_cup_is_played_beside_the_divisions_and_has_its_winner(season, owner, staff):
    ids = [makers.team(season, f"Pair {number}").pk for number in (6, 1, 2, 5)]
    cup = cups.make_cup(season.pk, owner, name="Harbour Cup", team_ids=ids, third_place=True, request_key="k")
    assert cups.make_cup(season.pk, owner, name="Harbour Cup", team_ids=ids, third_place=True, request_key="k") == cup
    assert list(cup.entries.values_list("entry__name", flat=True)) == ["Pair 6", "Pair 1", "Pair 2", "Pair 5"]
    assert cup.tournament.name == "Monday League, Autumn 2026: Harbour Cup"
    assert Organiser.objects.filter(tournament=cup.tournament, user=staff["scorer"], role="scorer").exists()
    makers.play_out(season, owner)
    assert "Harbour Cup is not over." in season_close.preview(season).waits_for
    play_event(cup, owner)
    season_close.close(season.pk, owner)
    assert ("Pair 1", "Winner of Harbour Cup") in honours(season)
    assert set(ranks(season).values()) == {1, 2, 3}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"team_ids": []}, "teams"),
        ({"format": "swiss"}, "format"),
        ({"round_days": 0}, "round_days"),
    ],
)
def test_what_makes_no_cup_is_refused_beside_its_field(season, owner, fields, field):
    ids = [makers.team(season, f"Pair {number}").pk for number in (1, 2)]
    with pytest.raises(Refused) as refused:
        cups.make_cup(season.pk, owner, **{"name": "Cup", "team_ids": ids} | fields)
    assert refused.value.details["field"] == field
    assert not SeasonEvent.objects.exists()


def seeds(season, owner, way, numbers=(1, 2, 4, 5)):
    ids = [makers.team(season, f"Pair {number}").pk for number in numbers]
    cup = cups.make_cup(season.pk, owner, name=way, team_ids=ids, seeding=way)
    return [int(entry.team.name.split()[-1]) for entry in cup.entries.order_by("pk").select_related("team")]


def test_a_cup_is_seeded_by_the_tables_as_they_stand(season, owner):
    assert seeds(season, owner, "hand", (5, 1, 4, 2)) == [5, 1, 4, 2]
    makers.decide(makers.match(season, "Pair 4", "Pair 5"), owner, {"Pair 4": 0, "Pair 5": 5000})
    assert seeds(season, owner, "table", (4, 1, 5, 2)) == [1, 2, 5, 4]


def test_a_cup_is_seeded_by_the_season_before(season, owner):
    with pytest.raises(Refused, match="No season was closed before") as refused:
        seeds(season, owner, "last")
    assert refused.value.details["field"] == "seeding"
    makers.play_out(season, owner, better=lambda name: -int(name.split()[-1]))
    season_close.close(season.pk, owner)
    new = makers.pair(season.league, owner, 9)
    later = next_season.make(
        season.pk, owner, name="Spring", starts_on=makers.FIRST_DAY.replace(year=2027), joining=[new.pk]
    )
    later = makers.draw(later, owner)
    assert seeds(later, owner, "last", (9, 1, 4, 3, 6)) == [3, 1, 6, 4, 9]


def test_a_cup_is_seeded_by_rating(season, owner, club, in_club):
    strong = makers.sign_in(club, in_club, "Ann 5", "Ann")
    Rating.objects.create(pool="standard", user=strong, mu=40, sigma=1)
    assert seeds(season, owner, "rating") == [5, 1, 2, 4]


def test_lots_of_a_cup_can_be_drawn_again_and_not_chosen(season, owner):
    first = seeds(season, owner, "lot")
    cups.undo_event(season.events.get().pk, owner)
    assert seeds(season, owner, "lot") == first
    lots = season.divisions.get(level=1).tournament.lots
    assert (
        sorted((1, 2, 4, 5), key=lambda number: hashlib.sha256(f"{lots}:cup 1:{number}".encode()).hexdigest()) == first
    )


def test_another_way_to_seed_is_refused(season, owner):
    with pytest.raises(Refused, match="how the teams are seeded"):
        seeds(season, owner, "beauty")


def test_teams_of_other_leagues_are_in_no_cup(club, season, owner):
    other = makers.pair(leagues.make(club.pk, owner, name="Other"), owner, 99)
    with pytest.raises(Refused, match="teams of the season"):
        cups.make_cup(season.pk, owner, name="Cup", team_ids=[makers.team(season, "Pair 1").pk, other.pk])


def test_a_cup_is_undone_until_something_was_played(season, owner):
    ids = [makers.team(season, f"Pair {number}").pk for number in (1, 2, 3, 4)]
    cup = cups.make_cup(season.pk, owner, name="Cup", team_ids=ids)
    cups.undo_event(cup.pk, owner)
    assert not SeasonEvent.objects.exists()
    assert Tournament.objects.count() == 2
    cup = cups.make_cup(season.pk, owner, name="Cup", team_ids=ids)
    play_event(cup, owner)
    with pytest.raises(Refused, match="A match has been played"):
        cups.undo_event(cup.pk, owner)


# Play-offs


def test_a_play_off_waits_for_its_divisions(season, owner):
    with pytest.raises(Refused, match="Division 1 is not over yet"):
        cups.make_playoff(season.pk, owner, border=0)


def test_the_championship_is_played_off_and_its_places_count(season, owner):
    makers.play_out(season, owner)
    assert [candidate.team.name for candidate in cups.candidates(season, 0)] == ["Pair 1", "Pair 2"]
    event = cups.make_playoff(season.pk, owner, border=0)
    assert "Championship play-off is not over." in season_close.preview(season).waits_for
    play_event(event, owner, better=lambda name: -int(name.split()[-1]))
    season_close.close(season.pk, owner)
    assert [ranks(season)[f"Pair {number}"] for number in (1, 2, 3)] == [2, 1, 3]
    assert ("Pair 2", "Champion of Division 1") in honours(season)


@pytest.mark.parametrize("winner", ["Pair 3", "Pair 6"])
def test_who_wins_over_a_border_plays_above_it_and_the_other_below(club, owner, winner):
    season = makers.draw(makers.make_season(club, owner, (4, 4)), owner)
    makers.play_out(season, owner)
    assert [(pair.team.name, pair.place) for pair in cups.candidates(season, 1)] == [("Pair 3", 3), ("Pair 6", 2)]
    event = cups.make_playoff(season.pk, owner, border=1)
    assert (event.border, event.name) == (1, "Play-off for Division 1")
    play_event(event, owner, better=lambda name: name != winner)
    season_close.close(season.pk, owner)
    moved = {title for name, title in honours(season) if name == "Pair 6"} | {
        title for name, title in honours(season) if name == "Pair 3"
    }
    upper, lower = (
        {move.team.name for move in division.moves} for division in next_season.preview(Season.objects.get()).divisions
    )
    if winner == "Pair 3":
        assert moved == {"Runner-up of Division 2"}
        assert (upper, lower) == ({"Pair 1", "Pair 2", "Pair 3", "Pair 5"}, {"Pair 4", "Pair 6", "Pair 7", "Pair 8"})
    else:
        assert moved == {"Runner-up of Division 2", "Promoted to Division 1", "Relegated to Division 2"}
        assert (upper, lower) == ({"Pair 1", "Pair 2", "Pair 5", "Pair 6"}, {"Pair 3", "Pair 4", "Pair 7", "Pair 8"})


def test_who_moves_anyway_is_in_no_play_off_and_there_is_one_of_each(club, owner):
    season = makers.draw(makers.make_season(club, owner, (4, 4)), owner)
    makers.play_out(season, owner)
    ids = {number: makers.team(season, f"Pair {number}").pk for number in range(1, 9)}
    for wrong, words in (([4, 6], "Pair 4 is relegated anyway"), ([3, 5], "Pair 5 is promoted anyway")):
        with pytest.raises(Refused, match=words):
            cups.make_playoff(season.pk, owner, border=1, team_ids=[ids[number] for number in wrong])
    with pytest.raises(Refused, match="Only teams of Division 1"):
        cups.make_playoff(season.pk, owner, border=0, team_ids=[ids[1], ids[5]])
    cups.make_playoff(season.pk, owner, border=1)
    with pytest.raises(Refused, match="already"):
        cups.make_playoff(season.pk, owner, border=1, name="Another")
    with pytest.raises(Refused, match="two divisions that are next to each other"):
        cups.make_playoff(season.pk, owner, border=2)


# The arithmetic of play-offs


def playoff(*order):
    return finals.Playoff(SeasonEvent(), order)


def test_three_from_below_and_one_from_above_play_for_one_place():
    orders = [[1, 2, 3, 4], [5, 6, 7, 8, 9]]
    made_orders, up, down = finals.after_playoffs(orders, [1], [1], {1: playoff(7, 3, 6, 8)})
    assert (made_orders, up, down) == ([[1, 2, 3, 4], [5, 7, 6, 8, 9]], [2], [2])
    made_orders, up, down = finals.after_playoffs(orders, [1], [1], {1: playoff(3, 7, 6, 8)})
    assert (made_orders, up, down) == ([[1, 2, 3, 4], [5, 6, 7, 8, 9]], [1], [1])


def test_where_two_from_above_play_off_the_loser_goes_down_before_those_who_do_anyway():
    made_orders, up, down = finals.after_playoffs([[1, 2, 3, 4], [5, 6]], [0], [1], {1: playoff(3, 2)})
    assert (made_orders, up, down) == ([[1, 3, 2, 4], [5, 6]], [0], [2])


# The table beside it


def test_a_table_draws_its_lines_and_says_why(club, owner):
    season = makers.draw(makers.make_season(club, owner, (3, 3)), owner)
    before = table.tables(season)[0]
    assert [row.place for row in before.rows] == ["", "", ""]
    assert [row.can_finish for row in before.rows] == ["–", "–", "–"]
    makers.play_out(season, owner)
    stage = season.divisions.get(level=1).tournament.stages.get()
    point_adjustments.adjust(stage.pk, owner, entry_id=makers.entry(season, "Pair 1").pk, points="-2", reason="Late.")
    first, second = table.tables(season)
    assert [(row.place, row.team.name, row.points, row.can_finish) for row in first.rows] == [
        ("1", "Pair 1", "2", "1"),
        ("2", "Pair 2", "2", "2"),
        ("3", "Pair 3", "0", "3"),
    ]
    assert first.rows[0].note == "−2 points: Late."
    assert [row.letters for row in first.rows] == [("a",), ("a",), ()]
    assert first.ties[0].sentence == (
        "Pair 1 ahead of Pair 2 on direct encounter: 3,000 – 2,000 on matchday 2. Both have 2 points."
    )
    assert [[cut.words for cut in row.cuts] for row in first.rows] == [["Champion"], ["Relegated to Division 2"], []]
    assert [[(cut.words, cut.is_up) for cut in row.cuts] for row in second.rows] == [
        [("Promoted to Division 1", True)],
        [],
        [],
    ]
    assert (first.played, first.matches, first.is_over) == (3, 3, True)


def test_a_match_that_nobody_came_to_is_lost_by_both(club, owner):
    season = makers.draw(makers.make_season(club, owner, (2,)), owner)
    pairing = makers.match(season, "Pair 1", "Pair 2")
    results.walkover(pairing.pk, [place.entry_id for place in pairing.places.all()], by=owner)
    [standings] = table.tables(season)
    assert [(row.lost, row.points, row.scored) for row in standings.rows] == [(1, "0", 0)] * 2


def test_a_draft_that_was_discarded_leaves_the_last_season_free(season, owner):
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    draft = next_season.make(season.pk, owner, name="2027", starts_on=makers.FIRST_DAY)
    act = season_setup.delete_draft(draft.pk, owner)
    next_season.make(season.pk, owner, name="2027", starts_on=makers.FIRST_DAY)
    with pytest.raises(Refused):
        history.undo(act.pk, by=owner)


# Seasons that were brought in


@pytest.fixture
def imported_season(club, owner):
    """A season brought in as closed: two divisions of four."""
    lines = round_robin(PAIRS) + round_robin(["Ko / Li", "Mo / Ny", "Os / Pi", "Qu / Ro"], division="Second")
    wishes = Wishes(league_name="Monday League")
    past_seasons.import_seasons(club.pk, owner, sheet=read_season(sheet(lines)), wishes=wishes)
    return Season.objects.get()


def test_imported_seasons_are_shown_as_they_came_and_opened_and_closed_like_others(imported_season, owner):
    came = (ranks(imported_season), honours(imported_season))
    closed = season_close.read_closed(imported_season)
    assert [(row.entry.team.name, row.place) for _, rows in closed.divisions for row in rows] == list(
        imported_season.entries.order_by("division__level", "final_rank").values_list("team__name", "final_rank")
    )
    assert {(honour.team.name, honour.title) for honour in closed.honours} == came[1]
    opened = season_close.undo_close(imported_season.pk, owner)
    season = Season.objects.get()
    assert (season.status, honours(season), set(ranks(season).values())) == ("running", set(), {None})
    season_close.close(season.pk, owner)
    first = Season.objects.get().entries.get(division__level=2, final_rank=1).team.name
    assert ranks(season) == came[0]
    assert {title for name, title in honours(season) if name == first} == {"Champion of Second", "Promoted to Premier"}
    season_close.undo_close(season.pk, owner)
    history.undo(opened.pk, by=owner)
    assert (Season.objects.get().status, ranks(season), honours(season)) == ("closed", *came)


def test_imported_seasons_stay_closed_once_a_later_season_has_started(imported_season, owner):
    later = makers.draw(next_season.make(imported_season.pk, owner, name="2026", starts_on=makers.FIRST_DAY), owner)
    with pytest.raises(Refused, match=f"{later} has already started"):
        season_close.undo_close(imported_season.pk, owner)


def test_an_open_season_is_not_ranked_again(imported_season, owner):
    season_close.undo_close(imported_season.pk, owner)
    with pytest.raises(Refused, match="was reopened"):
        past_seasons.recalculate_places(imported_season.pk, owner)


def test_a_closed_season_shows_what_was_kept_not_what_would_come_of_it_now(season, owner):
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    match = makers.match(season, "Pair 1", "Pair 2")
    makers.decide(match, owner, {"Pair 1": 0, "Pair 2": 9000}, reason="Entered wrongly.")
    first = season_close.read_closed(Season.objects.get()).divisions[0][1]
    assert [(row.entry.team.name, row.place, row.note) for row in first] == [
        ("Pair 1", 1, "champion"),
        ("Pair 2", 2, "runner-up"),
        ("Pair 3", 3, "relegated to Division 2"),
    ]
