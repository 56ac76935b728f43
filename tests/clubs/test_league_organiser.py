"""Organisers' pages of leagues, without script: from nothing to a running league, and from its close to the next."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from clubs.house_rules import services as house_rules
from clubs.models import (
    Act,
    Blackout,
    Division,
    Honour,
    League,
    LeagueClub,
    Meeting,
    Membership,
    Proposal,
    RulesVersion,
    Season,
    SeasonEntry,
    Team,
)
from clubs.services.leagues import leagues
from clubs.services.seasons import season_plans, season_setup
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tests.makers import make_club
from tests.pages import squeezed
from tests.tournaments.organising import pressed, refusal
from tournaments import seating
from tournaments.models import Pairing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

BASE = "/clubs/harbour/leagues/"
LEAGUE = f"{BASE}monday-league/"
SEASON = f"{LEAGUE}autumn-2026/"
FOUR = "Ann Lee, Ben Ode\nThe Anchors: Cem Kaya, Dee Fox + Eve Hall\nFay / Gus\nHal; Ida"


@pytest.fixture
def desk(owner, browser_of):
    return browser_of(owner)


@pytest.fixture
def league(club, owner):
    return leagues.make(club.pk, owner, name="Monday League")


@pytest.fixture
def draft(club, owner):
    return makers.make_season(club, owner, (4, 3), name="Autumn 2026")


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        season = makers.make_season(harbour.club, harbour.owner, (4, 3), name="Autumn 2026")
        return makers.draw(season, harbour.owner)


def test_from_nothing_to_a_running_league_with_house_rules(club, owner, desk):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("bain"))
    path = desk.submit(f"{BASE}new/", "make", name="Monday League")
    assert path == f"{LEAGUE}teams/add/"
    assert add_teams(desk, FOUR) == path
    names = list(Team.objects.order_by("number").values_list("name", flat=True))
    assert names == ["Ann Lee / Ben Ode", "The Anchors", "Fay / Gus", "Hal / Ida"]
    version = RulesVersion.objects.get()
    typed = {
        "name": "Autumn 2026",
        "rules": f"version:{version.pk}",
        "starts_on": "2026-09-07",
        "plays_at": "19:30",
        "off_first_0": "2026-09-14",
        "off_reason_0": "Harvest",
    }
    path = desk.submit(f"{LEAGUE}new/?step=how", "save", **typed)
    assert path == f"{SEASON}places/"
    assert desk.submit(path, "save") == f"{SEASON}run/"
    assert "Matchday 2</b>: Mon 21 Sep" in squeezed(desk.client.get(f"{SEASON}draw/"))
    assert desk.submit(f"{SEASON}draw/", "draw") == f"{SEASON}run/"
    season = Season.objects.get()
    assert (season.status, season.rules_version) == ("running", version)
    assert Pairing.objects.filter(round__stage__tournament__division__season=season).count() == 6
    assert "Mon 7 Sep" in desk.get(f"{SEASON}run/")


# Teams


def add_teams(desk, lines, **answers):
    """Type teams, and add them as they are read; the address that follows."""
    path = f"{LEAGUE}teams/add/"
    looked = desk.press(path, "bring", lines=lines)
    assert looked.status_code == 200
    form = pressed(looked.content.decode(), "", "add")
    return desk.client.post(path, form["fields"] | answers)["Location"]


def test_new_names_are_looked_at_first(club, league, desk):
    makers.names(club, "Edith Clark", "Tom Averill")
    lines = "Edth Clark, Tom Averill\nCem Kaya, Dee Fox + Edith Clarke\nJohn Smith, J. Smith"
    looked = squeezed(desk.press(f"{LEAGUE}teams/add/", "bring", lines=lines).content.decode())
    assert "Who is<bdi>Edth Clark</bdi>?" in looked
    assert "Who is<bdi>J. Smith</bdi>?" in looked
    assert "Who is<bdi>Cem Kaya</bdi>?" not in looked
    assert not Team.objects.exists()
    assert Membership.objects.filter(club=club, user=None).count() == 2
    add_teams(desk, lines, **{"n-4": "new"})
    teams = [
        [str(member.membership) for member in team.roster.order_by("position")] for team in Team.objects.order_by("pk")
    ]
    assert teams == [
        ["Edith Clark", "Tom Averill"],
        ["Cem Kaya", "Dee Fox", "Edith Clarke"],
        ["John Smith", "J. Smith"],
    ]
    assert Team.objects.get(number=1).name == "Edith Clark / Tom Averill"


def test_a_surname_in_a_team_is_the_member_who_has_it(club, league, desk):
    makers.names(club, "Kim Lund", "Nao Arai", "Ann Jones", "Bob Jones")
    lines = "Lund / Arai\nJones, Cem Kaya"
    looked = squeezed(desk.press(f"{LEAGUE}teams/add/", "bring", lines=lines).content.decode())
    assert "Who is<bdi>Jones</bdi>?" in looked
    assert "Who is<bdi>Lund</bdi>?" not in looked
    add_teams(desk, lines, **{"n-1": "Bob Jones"})
    assert [team.name for team in Team.objects.order_by("pk")] == ["Kim Lund / Nao Arai", "Bob Jones / Cem Kaya"]


def test_a_surname_of_a_member_who_plays_elsewhere_is_asked(club, league, desk):
    makers.names(club, "Kim Lund")
    lines = "Lund, Ann Lee\nBo Fox, Kim Lund"
    looked = squeezed(desk.press(f"{LEAGUE}teams/add/", "bring", lines=lines).content.decode())
    assert "Who is<bdi>Lund</bdi>?" in looked


def test_a_look_can_be_left_and_loses_nothing(club, league, desk):
    makers.names(club, "Edith Clark")
    path = f"{LEAGUE}teams/add/"
    looked = desk.press(path, "bring", lines="Edth Clark, Cem")
    changed = desk.client.post(path, pressed(looked.content.decode(), "", "change")["fields"])
    assert "Edth Clark, Cem</textarea>" in changed.content.decode()
    fields = pressed(looked.content.decode(), "", "add")["fields"]
    Team.objects.all().delete()
    answer = desk.client.post(path, fields | {"lines": "Edth Clark, Edith Clark", "n-1": "Edith Clark"})
    assert "Choose each person only once" in refusal(answer)
    assert "Edth Clark, Edith Clark" in answer.content.decode()


def test_people_that_the_club_knows_are_not_added_again(club, league, owner, desk):
    both = makers.names(club, "Ann Lee", "Ben Ode")
    add_teams(desk, "ann lee, BEN ODE\nCem, Dee")
    roster = Team.objects.get(number=1).roster.all()
    assert {member.membership_id for member in roster} == {member.pk for member in both}
    assert Membership.objects.filter(club=club, user=None).count() == 4


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("", "Enter one team per line"),
        ("Ann, Ben\nCem", "Line 2: A pair is two people"),
        ("Ann, Ben\nBen, Cem", "Line 2: Ben already plays in Ann / Ben"),
        ("A: Ann, Ben\nA: Cem, Dee", "Line 2: Another team of Monday League is called A"),
        ("Ann, Ann", "Line 1: Choose each person only once"),
    ],
)
def test_a_line_that_is_wrong_is_named_and_nothing_is_imported(league, desk, lines, words):
    answer = desk.press(f"{LEAGUE}teams/add/", "bring", lines=lines)
    assert answer.status_code == 422
    assert words in refusal(answer)
    assert lines.strip() in answer.content.decode()
    assert not Team.objects.exists()
    assert not Membership.objects.filter(user=None).exists()


def test_lines_sent_twice_come_in_once(league, desk):
    looked = desk.press(f"{LEAGUE}teams/add/", "bring", lines=FOUR)
    form = pressed(looked.content.decode(), "", "add")
    form["page"] = f"{LEAGUE}teams/add/"
    for _ in range(2):
        assert desk.post(form).status_code == 302
    assert Team.objects.count() == 4


def test_one_team_of_people_who_are_chosen(club, league, desk):
    ann, ben = makers.names(club, "Ann", "Ben")
    desk.submit(f"{LEAGUE}teams/add/", "one", name="A and B", player_0=ann.pk, player_1=ben.pk, venue="Quay 1")
    team = Team.objects.get()
    assert (team.name, team.venue, team.roster.count()) == ("A and B", "Quay 1", 2)


def test_names_that_several_members_have_are_refused(club, league, desk):
    makers.names(club, "Ann", "Ann", "Ben")
    answer = desk.press(f"{LEAGUE}teams/add/", "bring", lines="Ann, Ben")
    assert "Several members are called Ann" in refusal(answer)


def test_a_roster_changes(club, season, owner, desk):
    path = f"{LEAGUE}teams/1/roster/"
    fay = makers.names(club, "Fay")[0]
    desk.submit(path, "add", membership=fay.pk, role="reserve")
    desk.submit(path, "edit", name="The Firsts", venue="Pier")
    markup = desk.get(f"{LEAGUE}teams/1/")
    assert "The Firsts" in markup
    assert "Fay" in markup
    ann = Team.objects.get(number=1).roster.get(membership__name="Ann 1")
    desk.submit(path, f"replace-{ann.pk}", membership=fay.pk)
    assert "Ann 1" not in desk.get(f"{LEAGUE}teams/1/")
    answer = desk.press(path, "leave")
    assert "Withdraw it there" in refusal(answer)


def test_a_team_notes_its_days_off(season, club, in_club, browser_of):
    ann = makers.sign_in(club, in_club, "Ann 1", "Ann")
    reader, path = browser_of(ann), f"{LEAGUE}teams/1/roster/"
    answer = reader.press(path, "off", first_day="2026-09-10", last_day="2026-09-09")
    assert "cannot be before the first" in refusal(answer)
    assert 'value="2026-09-10"' in answer.content.decode()
    reader.submit(path, "off", first_day="2026-09-10", last_day="2026-09-11", reason="Holiday")
    blackout = Blackout.objects.get()
    assert (blackout.team.number, blackout.reason) == (1, "Holiday")
    reader.submit(path, f"on-{blackout.pk}")
    assert not Blackout.objects.exists()


# Settings of a season


def test_the_form_shows_what_would_come_of_it_as_it_is_filled_in(club, league, desk):
    add_teams(desk, FOUR)
    form = desk.form(f"{LEAGUE}new/?step=how", "", "save")
    fields = form["fields"] | {"name": "Spring", "starts_on": "2026-10-05", "legs": "2", "often": "other"}
    answer = desk.client.post(f"{LEAGUE}new/preview/", fields)
    markup = squeezed(answer)
    assert "6 matchdays, 12 matches" in markup
    assert "Mon 5 Oct 2026" in markup
    assert not Season.objects.exists()
    refused = desk.client.post(f"{LEAGUE}new/preview/", fields | {"days": "0"})
    assert "Enter 1 to 92 days." in refused.content.decode()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"starts_on": ""}, "Enter the season’s start date."),
        ({"starts_on": "soon"}, "Enter the day as"),
        ({"often": "other", "days": "many"}, "Enter a whole number"),
        ({"div_size_0": "1"}, "A division has 2 to 60 teams."),
        ({"plays_at": "late"}, "Enter the time as"),
        ({"off_first_0": "2026-12-24", "off_last_0": "2026-12-01"}, "cannot be before the first"),
    ],
)
def test_a_refused_season_loses_nothing(league, desk, typed, words):
    usual = {"name": "Autumn 2026", "starts_on": "2026-09-07", "venue": ""}
    answer = desk.press(f"{LEAGUE}new/?step=how", "save", **(usual | typed))
    assert answer.status_code == 422
    assert refusal(answer)
    assert words in refusal(answer)
    markup = answer.content.decode()
    for value in (usual | typed).values():
        assert not value or f'value="{value}"' in markup
    assert not Season.objects.exists()
    assert not Blackout.objects.exists()


@pytest.mark.parametrize(("split", "sizes"), [("one", [5]), ("two", [2, 3]), ("other", [6])])
def test_divisions_have_a_place_for_each_team_that_is_ticked(league, desk, split, sizes):
    teams = [Team.objects.create(league=league, club=league.club, name=f"T{at}", number=at).pk for at in range(1, 7)]
    typed = {"name": "Autumn", "starts_on": "2026-09-07", "split": split, "team": [str(pk) for pk in teams[1:]]}
    assert desk.press(f"{LEAGUE}new/?step=how", "save", **typed).status_code == 302
    assert list(Division.objects.order_by("level").values_list("size", flat=True)) == sizes


@pytest.mark.parametrize(("count", "sizes"), [(4, [4]), (5, [5]), (6, [4, 2]), (9, [4, 5])])
def test_as_last_season_has_only_divisions_that_are_filled(league, owner, desk, count, sizes):
    fields = {"starts_on": makers.FIRST_DAY, "preset": "standard", "divisions": [("First", 4), ("Second", 4)]}
    last = season_setup.make(league.pk, owner, name="Spring", **fields)
    Season.objects.filter(pk=last.pk).update(status="closed")
    teams = [Team.objects.create(league=league, club=league.club, name=f"T{at}", number=at).pk for at in range(1, 10)]
    typed = {"name": "Autumn", "starts_on": "2026-09-07", "split": "last", "team": [str(pk) for pk in teams[:count]]}
    assert desk.press(f"{LEAGUE}new/?step=how", "save", **typed).status_code == 302
    divisions = Division.objects.filter(season__name="Autumn").order_by("level")
    assert list(divisions.values_list("size", flat=True)) == sizes
    assert [SeasonEntry.objects.filter(division=division).count() for division in divisions] == sizes


def test_a_form_kept_for_more_teams_can_be_started_again(league, desk):
    assert "start-again" not in desk.get(f"{LEAGUE}new/")
    desk.press(f"{LEAGUE}new/", "add_teams", name="Typed before")
    assert 'value="Typed before"' in desk.get(f"{LEAGUE}new/")
    desk.submit(f"{LEAGUE}new/", "start-again")
    assert 'value="Typed before"' not in desk.get(f"{LEAGUE}new/")


def test_leaving_for_more_teams_loses_nothing(league, desk):
    typed = {"name": "Typed before", "starts_on": "2026-09-14", "points": "3-1-0"}
    answer = desk.press(f"{LEAGUE}new/", "add_teams", **typed)
    assert answer.url == f"{LEAGUE}teams/add/"
    Team.objects.create(league=league, club=league.club, name="Late", number=1)
    markup = desk.client.get(f"{LEAGUE}new/").content.decode()
    assert 'value="Typed before"' in markup
    assert 'value="2026-09-14"' in markup
    assert markup.count("checked") >= 4
    assert desk.press(f"{LEAGUE}new/?step=how", "save").status_code == 302
    assert 'value="Typed before"' not in desk.client.get(f"{LEAGUE}new/").content.decode()


def test_points_of_a_match_at_one_press(league, desk):
    typed = {"name": "Autumn", "starts_on": "2026-09-07", "points": "3-1-0"}
    assert desk.press(f"{LEAGUE}new/?step=how", "save", **typed).status_code == 302
    assert season_plans.plan_of(Season.objects.get()).win == "3"


def test_rows_are_added_without_script(league, desk):
    typed = {"name": "Autumn", "starts_on": "2026-09-07", "div_name_1": "Second", "div_size_1": "6"}
    answer = desk.press(f"{LEAGUE}new/", "more_divisions", **typed)
    markup = answer.content.decode()
    assert answer.status_code == 200
    assert 'name="div_name_2"' in markup
    assert 'value="Second"' in markup


def test_a_draft_is_changed_whole(draft, desk):
    path = f"{SEASON}setup/"
    typed = {"div_name_0": "Premier", "legs": "2", "off_first_0": "2026-10-05", "off_reason_0": "Autumn break"}
    desk.submit(path, "save", **typed)
    season = Season.objects.get()
    assert [division.name for division in season.divisions.all()] == ["Premier", "Division 2"]
    assert season.plan_json["legs"] == 2
    blackout = Blackout.objects.get()
    assert str(blackout.first_day) == "2026-10-05"
    assert refusal(desk.press(path, "save")) == "Nothing was changed."
    desk.submit(path, "save", off_first_0="", off_last_0="", off_reason_0="")
    assert not Blackout.objects.exists()


def test_a_stale_form_of_a_draft_is_refused_politely(draft, owner, desk):
    form = desk.form(f"{SEASON}setup/", "", "save")
    form["page"] = f"{SEASON}setup/"
    leagues.change(draft.league_id, owner, name="Monday League", about="New words.")
    answer = desk.post(form, name="Winter")
    assert answer.status_code == 409
    assert "Something has changed since you opened this page" in refusal(answer)
    assert 'value="Winter"' in answer.content.decode()


def test_teams_are_put_into_divisions(draft, desk):
    first, second = Division.objects.order_by("level")
    teams = {team.name: team.pk for team in Team.objects.all()}
    moved = teams["Pair 1"]
    desk.submit(f"{SEASON}places/", "save", **{f"place_{moved}": second.pk, f"order_{moved}": "1"})
    assert second.entries.order_by("position").first().team.name == "Pair 1"
    assert first.entries.count() == 3
    desk.submit(f"{SEASON}places/", "save", **{f"place_{moved}": ""})
    assert second.entries.count() == 3


def test_what_cannot_be_drawn_is_said(club, owner, desk):
    makers.make_season(club, owner, (2,), name="Autumn 2026")
    team = Team.objects.get(name="Pair 2")
    desk.submit(f"{SEASON}places/", "save", **{f"place_{team.pk}": ""})
    markup = desk.get(f"{SEASON}draw/")
    assert "Before it can be drawn" in markup
    assert 'id="draw"' not in markup


def test_a_draw_is_undone_until_something_is_played(season, owner, desk):
    desk.submit(f"{SEASON}run/", "undo")
    assert Season.objects.get().status == "draft"
    desk.submit(f"{SEASON}draw/", "draw")
    fresh = Season.objects.get()
    makers.decide(makers.match(fresh, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    answer = desk.press(f"{SEASON}run/", "undo")
    assert "A match has been played" in refusal(answer)


# A running season


def test_the_desk_says_what_waits(season, owner, desk, browser_of):
    assert "<b>Nothing to do</b>" in desk.get(f"{SEASON}run/")
    with time_machine.travel(datetime(2026, 9, 20, tzinfo=UTC), tick=False):
        markup = browser_of(owner).get(f"{SEASON}run/")
    assert "Overdue" in markup
    assert "<b>Nothing to do</b>" not in markup


def test_a_matchday_is_moved(season, desk):
    desk.submit(f"{SEASON}run/", "move", number="2", first_day="2026-09-16")
    assert "from Wed 16 Sep" in desk.get(f"{SEASON}1/fixtures/")
    answer = desk.press(f"{SEASON}run/", "move", number="2", first_day="")
    assert refusal(answer) == "Enter the new date."


def test_an_organiser_sets_time_and_place(season, desk):
    match = makers.match(season, "Pair 1", "Pair 2")
    path = f"{LEAGUE}match/{match.pk}/"
    desk.submit(path, "set", starts_at="2026-09-09T19:30", venue="The Anchor")
    match.refresh_from_db()
    assert match.starts_at == datetime(2026, 9, 9, 17, 30, tzinfo=UTC)
    assert "The Anchor" in desk.get(path)
    answer = desk.press(path, "set", starts_at="tomorrow", venue="The Anchor")
    assert "Enter the day and the time" in refusal(answer)


def test_two_sides_agree_on_another_time(season, club, in_club, browser_of):
    ann, cara = makers.sign_in(club, in_club, "Ann 1", "Ann"), makers.sign_in(club, in_club, "Ann 2", "Cara")
    match = makers.match(season, "Pair 1", "Pair 2")
    path = f"{LEAGUE}match/{match.pk}/"
    home, away = browser_of(ann), browser_of(cara)
    answer = home.press(path, "propose", starts_at="2026-08-01T19:00", words="Earlier?")
    assert refusal(answer) == "That time is in the past."
    assert 'value="Earlier?"' in answer.content.decode()
    home.submit(path, "propose", starts_at="2026-09-10T19:00", words="I am away before.")
    assert "We told the other side" in home.get(path)
    assert "I am away before." in away.get(path)
    away.submit(path, "counter", starts_at="2026-09-11T20:00")
    assert Proposal.objects.count() == 2
    home.submit(path, "accept")
    match.refresh_from_db()
    assert match.starts_at == datetime(2026, 9, 11, 18, 0, tzinfo=UTC)


def test_a_proposal_is_declined_or_cancelled(season, club, in_club, browser_of):
    captain = browser_of(makers.sign_in(club, in_club, "Ann 1", "Ann"))
    other = browser_of(makers.sign_in(club, in_club, "Ann 2", "Cara"))
    path = f"{LEAGUE}match/{makers.match(season, 'Pair 1', 'Pair 2').pk}/"
    captain.submit(path, "propose", starts_at="2026-09-10T19:00")
    other.submit(path, "decline", answer="No, sorry.")
    assert "No, sorry." in captain.get(path)
    captain.submit(path, "propose", starts_at="2026-09-10T20:00")
    captain.submit(path, "withdraw")
    assert set(Proposal.objects.values_list("status", flat=True)) == {"declined", "withdrawn"}


def test_a_captain_lets_a_substitute_play(season, club, in_club, browser_of):
    ann = makers.sign_in(club, in_club, "Ann 1", "Ann")
    zed = makers.names(club, "Zed")[0]
    team, match = makers.team(season, "Pair 1"), makers.match(season, "Pair 1", "Pair 2")
    path = f"{LEAGUE}match/{match.pk}/"
    partner = team.roster.get(membership__name="Ben 1").membership_id
    reader = browser_of(ann)
    answer = reader.press(path, f"field-{team.pk}", members=[str(zed.pk)])
    assert answer.status_code == 422
    assert refusal(answer)
    reader.submit(path, f"field-{team.pk}", members=[str(partner), str(zed.pk)])
    place = next(place for place in seating.places_of(match) if place.entry.name == "Pair 1")
    assert {member.name for member in seating.fielded(place, 2)} == {"Ben 1", "Zed"}


def test_strangers_and_visitors_see_a_match_and_do_nothing_with_it(season, club, in_club, client):
    path = f"{LEAGUE}match/{makers.match(season, 'Pair 1', 'Pair 2').pk}/"
    for name in (None, "Stranger"):
        if name:
            client.force_login(in_club(club, name))
        markup = client.get(path).content.decode()
        assert 'id="propose"' not in markup
        assert 'id="set"' not in markup
        data = {"act": "set", "starts_at": "2026-09-10T19:00"}
        assert client.post(path, data).status_code == 403
    assert not Pairing.objects.exclude(starts_at=None).exists()


def test_a_player_sees_the_next_match(season, club, in_club, client):
    client.force_login(makers.sign_in(club, in_club, "Ann 1", "Ann"))
    markup = client.get(BASE).content.decode()
    assert "Your next match" in markup
    assert "Pair 1" in markup
    client.force_login(in_club(club, "Nobody"))
    assert "Your next match" not in client.get(BASE).content.decode()


def test_a_cup_and_a_play_off(season, owner, desk):
    desk.submit(f"{SEASON}cups/", "cup", name="Harbour Cup")
    assert "Harbour Cup" in desk.get(SEASON)
    answer = desk.press(f"{SEASON}cups/", "playoff", border="1")
    assert "is not over yet" in refusal(answer)
    event = season.events.get()
    desk.submit(f"{SEASON}cups/", f"undo-{event.pk}")
    assert not season.events.exists()


def seeds(season):
    """The numbers of the pairs of the last cup, in the order of their seeds."""
    event = season.events.latest("pk")
    return [entry.team.name.removeprefix("Pair ") for entry in event.entries.order_by("pk").select_related("team")]


def test_the_order_of_a_cup_is_shown_before_it_is_drawn(season, owner, desk):
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 0, "Pair 2": 5000})
    path = f"{SEASON}cups/"
    ids = re.findall(r'id="seed_(\d+)"', desk.get(path))
    names = {str(team.pk): team.name.removeprefix("Pair ") for team in Team.objects.all()}
    assert next(names[pk] for pk in ids) == "2"
    answer = desk.press(path, f"up-{makers.team(season, 'Pair 7').pk}", name="Harbour Cup")
    assert answer.status_code == 200
    assert not season.events.exists()
    markup = answer.content.decode()
    assert [names[pk] for pk in re.findall(r'id="seed_(\d+)"', markup)][5:] == ["7", "6"]
    assert 'value="Harbour Cup"' in markup
    assert 'value="hand" selected' in markup
    desk.submit(path, "cup", name="Harbour Cup")
    assert seeds(season)[0] == "2"
    assert Act.objects.latest("pk").sentence.endswith("started with 7 teams, seeded by the standings.")


def test_a_cup_is_seeded_by_the_numbers_that_were_typed(season, desk):
    numbers = {f"seed_{makers.team(season, f'Pair {number}').pk}": str(8 - number) for number in range(1, 8)}
    desk.submit(f"{SEASON}cups/", "cup", name="Harbour Cup", **numbers)
    assert seeds(season) == ["7", "6", "5", "4", "3", "2", "1"]
    assert Act.objects.latest("pk").sentence.endswith("seeded by hand.")


def test_lots_are_the_same_if_they_are_drawn_again(season, desk):
    path = f"{SEASON}cups/"
    first = desk.press(path, "order", seeding="lot").content.decode()
    order = re.findall(r'id="seed_(\d+)"', first)
    assert re.findall(r'id="seed_(\d+)"', desk.press(path, "order", seeding="lot").content.decode()) == order
    desk.submit(path, "cup", name="Harbour Cup", seeding="lot")
    assert [str(entry.team_id) for entry in season.events.get().entries.order_by("pk")] == order


def test_a_team_of_another_season_is_in_no_cup(season, club, owner, desk):
    other = makers.pair(leagues.make(club.pk, owner, name="Other"), owner, 99)
    teams = [str(team.pk) for team in (makers.team(season, "Pair 1"), other)]
    answer = desk.press(f"{SEASON}cups/", "cup", name="Cup", teams=teams)
    assert refusal(answer) == "Choose teams of the season, each once."
    assert not season.events.exists()


# Its end


def test_a_season_is_closed_opened_again_and_followed(season, owner, desk):
    assert "Waiting for" in desk.get(f"{SEASON}close/")
    makers.play_out(season, owner)
    assert "champion" in desk.get(f"{SEASON}close/")
    desk.submit(f"{SEASON}close/", "close")
    assert Honour.objects.filter(title="Champion of Division 1", team__name="Pair 1").exists()
    desk.submit(f"{SEASON}close/", "undo")
    assert Season.objects.get().status == "running"
    desk.submit(f"{SEASON}close/", "close")
    markup = desk.get(f"{SEASON}next/")
    assert "1st of Division 2: promoted" in markup
    answer = desk.press(f"{SEASON}next/", "make", name="Spring 2027", starts_on="")
    assert refusal(answer) == "Enter the season’s start date."
    assert 'value="Spring 2027"' in answer.content.decode()
    path = desk.submit(f"{SEASON}next/", "make", name="Spring 2027", starts_on="2027-01-11")
    assert path == f"{LEAGUE}spring-2027/run/"
    top = Division.objects.get(season__name="Spring 2027", level=1)
    assert "Pair 5" in {entry.team.name for entry in top.entries.all()}
    desk.submit(f"{SEASON}next/", "undo")
    assert Season.objects.count() == 1


def test_who_leaves_is_looked_at_before(season, owner, desk):
    makers.play_out(season, owner)
    desk.submit(f"{SEASON}close/", "close")
    team = Team.objects.get(name="Pair 2")
    answer = desk.press(f"{SEASON}next/", "look", leaving=[str(team.pk)])
    assert "Leaving" in answer.content.decode()
    assert Season.objects.count() == 1


def test_the_next_season_is_set_before_it_is_made(season, club, owner, desk):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("standard", {"out_bonus": 7}))
    version = RulesVersion.objects.get()
    makers.play_out(season, owner)
    desk.submit(f"{SEASON}close/", "close")
    path = f"{SEASON}next/"
    first, _second = Division.objects.filter(season=season).order_by("level")
    typed = {
        "name": "Spring 2027",
        "starts_on": "2027-01-11",
        "days": "14",
        "rules": f"version:{version.pk}",
        f"size_{first.pk}": "5",
        "undersized": "keep",
        f"level_{makers.team(season, 'Pair 5').pk}": "2",
    }
    answer = desk.press(path, "look", **typed)
    markup = squeezed(answer)
    assert answer.status_code == 200
    assert "1st of Division 2: stays by hand" in markup
    assert "Matchday 2</b>: Mon 25 Jan" in markup
    assert Season.objects.count() == 1
    desk.submit(path, "make", **typed)
    new = Season.objects.get(name="Spring 2027")
    assert (new.rules_version, new.rules.name, new.days) == (version, "standard", 14)
    assert [division.size for division in new.divisions.all()] == [5, 3]
    assert "Pair 5" in set(new.divisions.get(level=2).entries.values_list("team__name", flat=True))
    assert Act.objects.latest("pk").sentence.endswith("1 by hand.")
    desk.submit(path, "undo")
    assert Season.objects.get() == season


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"days": "0"}, "Enter 1 to 92 days"),
        ({"plays_at": "25:00"}, "Enter the time as"),
        ({"rules": "version:99999"}, "House rules not found in this club"),
        ({"name": "Autumn 2026"}, "already"),
    ],
)
def test_what_makes_no_next_season_is_said_and_kept(season, owner, desk, typed, words):
    makers.play_out(season, owner)
    desk.submit(f"{SEASON}close/", "close")
    fields = {"name": "Spring 2027", "starts_on": "2027-01-11"} | typed
    preview = desk.press(f"{SEASON}next/", "look", **fields).content.decode()
    assert words in preview
    answer = desk.press(f"{SEASON}next/", "make", **fields)
    assert answer.status_code == 422
    assert words in refusal(answer)
    assert 'value="2027-01-11"' in answer.content.decode()
    assert Season.objects.count() == 1


# The league


def test_a_league_is_renamed_archived_and_brought_back(league, desk):
    desk.submit(f"{LEAGUE}edit/", "edit", name="Tuesday League", about="Since 1990")
    assert "Tuesday League" in desk.get(LEAGUE)
    desk.submit(f"{LEAGUE}edit/", "rest")
    assert League.objects.get().is_archived
    desk.submit(f"{LEAGUE}edit/", "rest")
    assert not League.objects.get().is_archived


def test_another_club_is_asked(league, desk, in_club, browser_of):
    lake = make_club("Lake")
    lena = in_club(lake, "Lena", "owner")
    assert "Club not found" in refusal(desk.press(f"{LEAGUE}edit/", "ask", club="nowhere"))
    desk.submit(f"{LEAGUE}edit/", "ask", club="lake")
    league_club = LeagueClub.objects.get()
    assert league_club.agreed_at is None
    leagues.answer_club(league_club.pk, lena, agrees=True)
    other = browser_of(lena)
    add_teams(other, "Lou, Max")
    assert Team.objects.get().club == lake
    assert "Teams in leagues of other clubs" in other.get("/clubs/lake/leagues/")


def test_words_of_addresses_are_no_leagues_and_no_seasons(club, owner, desk):
    desk.submit(f"{BASE}new/", "make", name="New")
    assert League.objects.get().slug == "new-2"
    desk.submit(f"{BASE}new-2/new/?step=how", "save", name="Teams", starts_on="2026-09-07")
    assert Season.objects.get().slug == "teams-2"


@pytest.mark.parametrize("role", ["scorer", "member", "guest"])
def test_forms_of_organisers_open_for_nobody_else(season, staff, client, role):
    client.force_login(staff[role])
    paths = [f"{BASE}new/", f"{LEAGUE}edit/", f"{LEAGUE}new/", f"{LEAGUE}teams/add/", f"{LEAGUE}teams/1/roster/"]
    paths += [f"{SEASON}{name}/" for name in ("draw", "days-off", "cups", "close", "next")]
    for path in paths:
        assert client.get(path).status_code == 403, path
        assert client.post(path, {"act": "undo"}).status_code == 403, path
    assert client.get(f"{SEASON}run/").status_code == (200 if role == "scorer" else 403)


# The three steps


def press_in_step(desk, step, wish, **typed):
    """Press a button of a step of the form; the answer."""
    return desk.press(f"{LEAGUE}new/?step={step}", wish, **typed)


def test_a_step_leads_to_the_next_and_back_and_nothing_is_lost(league, desk):
    answer = press_in_step(desk, "who", "to_when", name="Autumn")
    assert 'name="step" value="when"' in answer.content.decode()
    assert 'value="Autumn"' in answer.content.decode()
    answer = press_in_step(desk, "when", "to_who", name="Autumn", starts_on="2026-10-05")
    markup = answer.content.decode()
    assert 'name="step" value="who"' in markup
    assert 'value="2026-10-05"' in markup
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("step", "wish", "typed", "words"),
    [
        ("who", "to_when", {"name": ""}, "Enter a name for the season."),
        ("who", "to_how", {"div_size_0": "few"}, "Enter a whole number of teams"),
        ("when", "to_how", {"starts_on": ""}, "Enter the season’s start date."),
    ],
)
def test_a_step_that_is_wrong_keeps_the_reader_and_says_why(league, desk, step, wish, typed, words):
    answer = press_in_step(desk, step, wish, **typed)
    assert answer.status_code == 422
    assert words in refusal(answer)
    assert f'name="step" value="{step}"' in answer.content.decode()


def test_a_refusal_at_the_end_opens_its_step(league, desk):
    answer = press_in_step(desk, "how", "save", starts_on="")
    assert 'name="step" value="when"' in answer.content.decode()


def test_back_is_never_refused(league, desk):
    assert press_in_step(desk, "when", "to_who", starts_on="").status_code == 200


def test_the_form_opens_with_what_most_leagues_want(club, league, desk):
    add_teams(desk, FOUR)
    path = desk.submit(f"{LEAGUE}new/?step=how", "save")
    season = Season.objects.get()
    assert path == f"{LEAGUE}{season.slug}/places/"
    today = timezone.localdate(timezone=club.zone)
    assert (season.name, season.starts_on, season.days) == ("Season 1", today + timedelta(days=7), 7)
    assert SeasonEntry.objects.count() == 4


def test_the_first_day_is_that_of_the_next_meeting(club, league, desk):
    at = (timezone.now() + timedelta(days=3)).replace(hour=18, minute=30)
    Meeting.objects.create(club=club, title="Club evening", starts_at=at)
    local = timezone.localtime(at, club.zone)
    fields = desk.form(f"{LEAGUE}new/?step=how", "", "save")["fields"]
    assert (fields["starts_on"], fields["plays_at"]) == ([f"{local:%Y-%m-%d}"], [f"{local:%H:%M}"])


def test_a_cleared_matchday_is_a_day_off(league, desk):
    add_teams(desk, FOUR)
    typed = {"starts_on": "2026-09-07", "evening_shown": ["2026-09-07", "2026-09-14"], "evening": ["2026-09-07"]}
    press_in_step(desk, "how", "save", **typed, evenings_of="2026-09-07 7")
    blackout = Blackout.objects.get()
    assert (str(blackout.first_day), str(blackout.last_day), blackout.team) == ("2026-09-14", "2026-09-14", None)


def test_a_matchday_cleared_before_the_first_day_changed_is_none(league, desk):
    add_teams(desk, FOUR)
    typed = {"starts_on": "2026-09-08", "evening_shown": ["2026-09-07", "2026-09-14"], "evening": ["2026-09-07"]}
    press_in_step(desk, "how", "save", **typed, evenings_of="2026-09-07 7")
    assert not Blackout.objects.exists()


def test_a_cleared_team_does_not_play(league, desk):
    add_teams(desk, FOUR)
    teams = list(Team.objects.order_by("number"))
    press_in_step(desk, "how", "save", team=[str(team.pk) for team in teams[1:]])
    assert set(SeasonEntry.objects.values_list("team", flat=True)) == {team.pk for team in teams[1:]}


def test_the_interval_is_the_chosen_one(league, desk):
    press_in_step(desk, "how", "save", name="Two", often="14")
    press_in_step(desk, "how", "save", name="Ten", often="other", days="10")
    assert dict(Season.objects.values_list("name", "days")) == {"Two": 14, "Ten": 10}
