"""Tools that read: clubs, leagues, meetings, events and rules, with the rights of the person."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Meeting
from tests.clubs import leagues as makers
from tests.tournaments.programs import Program

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club, owner, in_september):
    """A season of four pairs, drawn."""
    return makers.draw(makers.make_season(club, owner, (4,), name="Autumn 2026"), owner)


HARBOUR = {"club": "harbour"}
LEAGUE = HARBOUR | {"league": "monday-league"}
AUTUMN = LEAGUE | {"season": "autumn-2026"}


def test_the_clubs_of_a_person_and_their_leagues_are_read(assistant, owner, season):
    ours = assistant(owner)
    assert [club["slug"] for club in ours.ask("list_clubs")["clubs"]] == ["harbour"]
    club = ours.ask("read_club", **HARBOUR)
    assert (club["your_role"], club["time_zone"]) == ("owner", "Europe/Amsterdam")
    assert [league["slug"] for league in club["leagues"]] == ["monday-league"]
    seasons = ours.ask("read_league", **LEAGUE)["seasons"]
    assert [each["slug"] for each in seasons] == ["autumn-2026"]


def test_public_clubs_are_searched(assistant, person, club):
    stranger = assistant(person("Eve"))
    assert stranger.ask("list_clubs")["clubs"] == []
    assert [club["slug"] for club in stranger.ask("list_clubs", mine=False, words="harb")["clubs"]] == ["harbour"]


def test_standings_fixtures_and_results_of_a_season_are_read(assistant, owner, season):
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2000})
    ours = assistant(owner)
    (table,) = ours.ask("read_season_standings", **AUTUMN)["tables"]
    assert (table["rows"][0]["name"], table["rows"][0]["won"], table["played"]) == ("Pair 1", 1, 1)
    every = ours.ask("list_fixtures", **AUTUMN, only_open=False)
    still_open = ours.ask("list_fixtures", **AUTUMN)
    assert len(every["matches"]) == len(still_open["matches"]) + 1
    first = ours.ask("list_fixtures", **AUTUMN, limit=1)
    assert (first["matches"], first["more"]) == (still_open["matches"][:1], True)
    assert ours.ask("list_fixtures", **AUTUMN, skip=1)["matches"] == still_open["matches"][1:]
    (result,) = ours.ask("list_results", **HARBOUR)["matches"]
    assert {result["home"]["score"], result["away"]["score"]} == {3000, 2000}


def test_meetings_are_read_by_everyone_and_answers_by_people_who_run_them(assistant, owner, person, in_club, club):
    starts_at = timezone.now() + timedelta(days=3)
    meeting = Meeting.objects.create(club=club, title="Monday evening", starts_at=starts_at)
    ours, member, stranger = assistant(owner), assistant(in_club(club, "Mia")), assistant(person("Eve"))
    assert [each["title"] for each in stranger.ask("list_meetings", **HARBOUR)["dates"]] == ["Monday evening"]
    assert stranger.ask("list_meetings", **HARBOUR)["coming"] == []
    Program(owner).post(f"clubs/harbour/dates/{meeting.pk}/ask/")
    (coming,) = member.ask("list_meetings", **HARBOUR)["coming"]
    assert (coming["meeting"], coming["yes"], coming["your_answer"]) == (meeting.pk, 0, "")
    question = coming["id"]
    answers = ours.ask("list_answers", **HARBOUR, question=question)
    assert "Mia" in {each["name"] for each in answers["silent"]}
    assert "link" not in str(answers)
    assert stranger.refusal("list_answers", **HARBOUR, question=question)


def test_events_standings_and_matches_are_read(assistant, olga, new_event):
    event = new_event("round_robin", entries=4, started=True)
    ours = assistant(olga)
    assert [each["slug"] for each in ours.ask("list_events")["events"]] == [event.slug]
    details = ours.ask("read_event", event=event.slug)
    assert (details["your_role"], [stage["format"] for stage in details["stages"]]) == ("owner", ["round_robin"])
    standings = ours.ask("read_event_standings", event=event.slug, limit=2)
    assert (len(standings["tables"][0]["lines"]), standings["more"]) == (2, True)
    matches = ours.ask("list_matches", event=event.slug, status="ready")["matches"]
    match = ours.ask("read_match", event=event.slug, stage=1, match=matches[0]["name"])
    assert (match["newest"], match["results"]) == (0, [])
    following = ours.ask("list_matches", event=event.slug, status="ready", after=matches[0]["id"])["matches"]
    assert following == matches[1:]


def test_a_player_has_open_matches(assistant, new_event, players):
    event = new_event("round_robin", entries=4, started=True)
    names = {match["event"] for match in assistant(players(1)[0]).ask("list_my_matches")["matches"]}
    assert names == {event.slug}


def test_rules_are_a_tool_and_resources(assistant, olga, new_event, club):
    event, ours = new_event("round_robin", entries=4), assistant(olga)
    text = ours.ask("read_event_rules", event=event.slug)["result"]
    assert text == ours.resource(f"foothold://events/{event.slug}/rules")
    assert text.startswith("# ")
    assert "- standard: " in ours.resource("foothold://rulesets")
    assert "discard" in ours.resource("foothold://rulesets/standard")
    assert ours.resource("foothold://clubs/harbour/rules") == ""


def test_house_rules_are_a_resource(assistant, owner, club):
    Program(owner).post("clubs/harbour/make-rules/", name="Long ones", ruleset="standard")
    ours = assistant(owner)
    assert ours.resource("foothold://clubs/harbour/rules") == "- long-ones: Long ones"
    assert ours.resource("foothold://clubs/harbour/rules/long-ones").startswith("# Long ones\n")
