"""The next season, drawn from the last one."""

from datetime import date, time

import pytest

from clubs.house_rules import services as house_rules
from clubs.models import RulesVersion, Season, Team
from clubs.services.leagues import teams
from clubs.services.seasons import next_season, season_close, season_draw, season_setup
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tournaments.models import Pairing
from web.errors import NotAllowed, Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

SPRING = {"name": "Spring 2027", "starts_on": date(2027, 2, 1)}


@pytest.fixture(scope="module")
def drawn(harbour):
    """Closed: Pairs 1 to 4 above, 5 to 8 below, each in this order."""
    with makers.september():
        season = makers.make_season(harbour.club, harbour.owner, (4, 4), plays_at=None, days=14)
        makers.play_out(makers.draw(season, harbour.owner), harbour.owner)
        season_close.close(season.pk, harbour.owner)
        return season


def names(preview):
    return [[move.team.name.removeprefix("Pair ") for move in division.moves] for division in preview.divisions]


def whys(preview):
    every = [*(move for division in preview.divisions for move in division.moves), *preview.leaving]
    return {move.team.name.removeprefix("Pair "): (move.step, move.why) for move in every}


def ids(season, *numbers):
    return [makers.team(season, f"Pair {number}").pk for number in numbers]


def test_the_best_below_and_the_last_above_change_places(season):
    preview = next_season.preview(season)
    assert preview.can_make
    assert names(preview) == [["1", "2", "3", "5"], ["4", "6", "7", "8"]]
    assert whys(preview)["5"] == ("up", "1st of Division 2: promoted")
    assert whys(preview)["4"] == ("down", "4th of Division 1: relegated")
    assert whys(preview)["2"] == ("stays", "2nd of Division 1: stays")
    assert [(division.name, division.size) for division in preview.divisions] == [("Division 1", 4), ("Division 2", 4)]


def test_who_leaves_is_passed_over_and_who_joins_begins_at_the_bottom(season, owner):
    new = makers.pair(season.league, owner, 9)
    preview = next_season.preview(season, leaving=ids(season, 2, 5), joining=[new.pk])
    assert names(preview) == [["1", "3", "4", "6"], ["7", "8", "9"]]
    reasons = whys(preview)
    assert reasons["4"] == ("stays", "4th of Division 1: stays because a place is free")
    assert reasons["6"] == ("up", "2nd of Division 2: promoted")
    assert reasons["9"] == ("joins", "new in the season")
    assert reasons["5"] == ("leaves", "1st of Division 2: leaves")


def test_other_numbers_and_sizes_than_last_time(season):
    assert names(next_season.preview(season, up=[2], down=[2])) == [["1", "2", "5", "6"], ["3", "4", "7", "8"]]
    preview = next_season.preview(season, sizes=[6], up=[0], down=[0], least=2)
    assert names(preview) == [["1", "2", "3", "4", "5", "6"], ["7", "8"]]
    assert whys(preview)["5"] == ("up", "1st of Division 2: promoted because a place is free")
    preview = next_season.preview(season, sizes=[2], up=[0], down=[0])
    assert names(preview) == [["1", "2"], ["3", "4", "5", "6", "7", "8"]]
    assert whys(preview)["3"] == ("down", "3rd of Division 1: relegated because there is no room")


def test_a_bottom_division_that_is_too_small_is_merged_or_filled(season):
    gone = ids(season, 6, 7, 8)
    merged = next_season.preview(season, leaving=gone)
    assert names(merged) == [["1", "2", "3", "5", "4"]]
    assert whys(merged)["4"][0] == "stays"
    filled = next_season.preview(season, leaving=gone, undersized="fill", least=2)
    assert names(filled) == [["1", "2", "5"], ["3", "4"]]


def test_teams_are_put_elsewhere_by_hand(season, owner):
    new = makers.pair(season.league, owner, 9)
    five, four, nine = (*ids(season, 5, 4), new.pk)
    preview = next_season.preview(season, joining=[nine], moves={five: 2, four: 1, nine: 1})
    assert names(preview) == [["1", "2", "3", "4", "9"], ["5", "6", "7", "8"]]
    reasons = whys(preview)
    assert reasons["5"] == ("stays", "1st of Division 2: stays by hand")
    assert reasons["4"] == ("stays", "4th of Division 1: stays by hand")
    assert reasons["9"] == ("joins", "new in the season, put here by hand")
    assert (reasons["1"], preview.by_hand) == (("stays", "1st of Division 1: stays"), 3)
    preview = next_season.preview(season, moves={ids(season, 7)[0]: 1})
    assert names(preview) == [["1", "2", "3", "5", "7"], ["4", "6", "8"]]
    assert whys(preview)["7"] == ("up", "3rd of Division 2: promoted by hand")


def test_where_they_play_anyway_is_nothing_by_hand_and_who_leaves_leaves(season):
    first, second = ids(season, 1, 2)
    preview = next_season.preview(season, leaving=[second], moves={first: 1, second: 2})
    assert (preview.by_hand, whys(preview)["2"][0]) == (0, "leaves")


@pytest.mark.parametrize("level", [0, 3])
def test_there_is_no_other_division_to_be_put_in(season, owner, level):
    with pytest.raises(Refused, match="has no division"):
        next_season.make(season.pk, owner, **SPRING, moves={ids(season, 1)[0]: level})
    assert Season.objects.count() == 1


def test_a_small_bottom_division_may_be_kept(season):
    preview = next_season.preview(season, leaving=ids(season, 6, 7, 8), undersized="keep")
    assert names(preview) == [["1", "2", "3", "5"], ["4"]]


def test_rules_and_days_may_be_others_than_last_time(season, owner, club):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("standard", {"out_bonus": 7}))
    version = RulesVersion.objects.get()
    changes = {"rules_version_id": version.pk, "days": 7, "plays_at": time(19, 30)}
    new = next_season.make(season.pk, owner, **SPRING, sizes=[5, 3], changes=changes)
    assert (new.rules_version, new.rules_json, new.days) == (version, version.rules_json, 7)
    assert new.plays_at == time(19, 30)
    assert [division.size for division in new.divisions.all()] == [5, 3]
    next_season.undo_next(season.pk, owner)
    repeat = next_season.make(season.pk, owner, **SPRING)
    assert (repeat.rules_version, repeat.days) == (None, 14)


@pytest.mark.parametrize("changes", [{"preset": "chess"}, {"days": 0}, {"status": "running"}])
def test_what_cannot_be_otherwise_is_refused(season, owner, changes):
    with pytest.raises(Refused):
        next_season.make(season.pk, owner, **SPRING, changes=changes)
    assert Season.objects.count() == 1


def test_teams_that_left_the_league_are_among_those_leaving(season, owner):
    teams.leave(ids(season, 8)[0], owner)
    preview = next_season.preview(season, least=2)
    assert whys(preview)["8"][0] == "leaves"
    assert names(preview) == [["1", "2", "3", "5"], ["4", "6", "7"]]


def test_a_draft_is_made_in_one_act_with_all_that_the_last_season_had(season, owner):
    new = next_season.make(season.pk, owner, **SPRING)
    assert (new.drawn_from, new.number, new.slug, new.status, new.days) == (season, 2, "spring-2027", "draft", 14)
    assert (new.rules_json, new.plan_json, new.settings) == (season.rules_json, season.plan_json, season.settings)
    assert [list(division.entries.values_list("team__name", flat=True)) for division in new.divisions.all()] == [
        ["Pair 1", "Pair 2", "Pair 3", "Pair 5"],
        ["Pair 4", "Pair 6", "Pair 7", "Pair 8"],
    ]
    assert season_draw.preview(new, makers.NOW).can_draw


def test_asked_for_twice_there_is_one_next_season(season, owner):
    new = next_season.make(season.pk, owner, **SPRING, request_key="k")
    assert next_season.make(season.pk, owner, **SPRING, request_key="k") == new
    with pytest.raises(Refused, match="Spring 2027 has already been created from Autumn 2026"):
        next_season.make(season.pk, owner, name="Other", starts_on=SPRING["starts_on"])
    assert Season.objects.count() == 2


def test_it_is_undone_and_can_be_made_again_the_same(season, owner):
    first = next_season.make(season.pk, owner, **SPRING)
    before = list(first.entries.values_list("team__name", "division__level", "position"))
    next_season.undo_next(season.pk, owner)
    assert Season.objects.get() == season
    assert Team.objects.count() == 8
    remade = next_season.make(season.pk, owner, **SPRING)
    assert list(remade.entries.values_list("team__name", "division__level", "position")) == before
    makers.draw(remade, owner)
    with pytest.raises(Refused):
        next_season.undo_next(season.pk, owner)
    assert Season.objects.get(pk=remade.pk).status == "running"


def test_it_waits_for_the_close(club, owner):
    season = makers.draw(makers.make_season(club, owner, (2,)), owner)
    assert "is not closed" in next_season.preview(season).wrong[0]
    with pytest.raises(Refused, match="is not closed"):
        next_season.make(season.pk, owner, **SPRING)


def test_a_result_that_was_corrected_after_the_close_is_not_passed_over(season, owner):
    pairing = makers.match(season, "Pair 1", "Pair 2")
    makers.decide(pairing, owner, {"Pair 1": 0, "Pair 2": 5000}, reason="Entered wrongly.")
    preview = next_season.preview(season)
    assert "corrected after it was closed" in preview.wrong[0]
    season_close.undo_close(season.pk, owner)
    season_close.close(season.pk, owner)
    assert next_season.preview(Season.objects.get(pk=season.pk)).can_make


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"leaving": [99]}, "Only teams of the season"),
        ({"joining": [99]}, "Only teams that are in the league"),
        ({"sizes": [4, 2, 3]}, "wanted size"),
        ({"sizes": [1]}, "2 to 60 teams"),
        ({"moves": {0: 1}}, "Only teams of the next season"),
        ({"name": "autumn 2026"}, "already"),
    ],
)
def test_what_makes_no_next_season_is_refused(season, owner, fields, words):
    with pytest.raises(Refused, match=words):
        next_season.make(season.pk, owner, **SPRING | fields)
    assert Season.objects.count() == 1


def test_who_plays_already_does_not_join(season, owner):
    with pytest.raises(Refused, match="already in the season"):
        next_season.make(season.pk, owner, **SPRING, joining=ids(season, 1))


def test_only_who_runs_leagues_makes_it(season, staff):
    with pytest.raises(NotAllowed):
        next_season.make(season.pk, staff["scorer"], **SPRING)


def test_a_draft_can_be_changed_by_hand_before_it_is_drawn(season, owner):
    new = next_season.make(season.pk, owner, **SPRING)
    first, second = new.divisions.all()
    season_setup.place(new.pk, owner, divisions={first.pk: ids(season, 1, 2, 3, 4), second.pk: ids(season, 5, 6, 7, 8)})
    drawn = makers.draw(new, owner)
    assert Pairing.objects.filter(round__stage__tournament__division__season=drawn).count() == 12


# By program


def test_a_program_sets_it_in_advance_as_the_page_does(season, owner, club, program):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("standard", {"out_bonus": 7}))
    version = RulesVersion.objects.get()
    number = {name: makers.team(season, name).number for name in ("Pair 2", "Pair 5")}
    api = program(owner)
    path = f"clubs/harbour/leagues/{season.league.slug}/seasons/{season.slug}/"
    places = {"leaving": [number["Pair 2"]], "moves": [{"team": number["Pair 5"], "level": 2}], "sizes": [3, 4]}
    preview = api.post(f"{path}next-outlook/", **places)
    assert [[team["name"] for team in division["teams"]] for division in preview["divisions"]] == [
        ["Pair 1", "Pair 3"],
        ["Pair 4", "Pair 5", "Pair 6", "Pair 7", "Pair 8"],
    ]
    fields = {"name": "Spring 2027", "starts_on": "2027-02-01", "house_rules": version.pk, "days": 7, **places}
    api.post(f"{path}make-next/", **fields)
    new = Season.objects.get(name="Spring 2027")
    assert (new.rules_version, new.days, [division.size for division in new.divisions.all()]) == (version, 7, [3, 4])
    assert names(next_season.preview(season)) == []
    api.post(f"{path}undo-next/")
    refused = api.post(f"{path}make-next/", 422, **fields | {"moves": [{"team": 999, "level": 1}]})
    assert "Team 999 is not in this league" in refused["sentence"]
    assert Season.objects.get() == season
