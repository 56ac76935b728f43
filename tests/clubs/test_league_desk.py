"""Organisers' pages of leagues, without script: from nothing to a running league, and from its close to the next."""

import re
from datetime import UTC, datetime

import pytest
import time_machine

from clubs.house_rules import services as house_rules
from clubs.models import (
    Act,
    Blackout,
    Division,
    Honour,
    League,
    LeagueClub,
    Membership,
    Proposal,
    RulesVersion,
    Season,
    Team,
)
from clubs.services.leagues import leagues
from engine.play.rules import Rules
from tests.clubs import leagues as made
from tests.makers import make_club
from tests.tournaments.organising import said
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
    return made.make_season(club, owner, (4, 3), name="Autumn 2026")


@pytest.fixture(scope="module")
def drawn(harbour):
    with made.september():
        season = made.make_season(harbour.club, harbour.owner, (4, 3), name="Autumn 2026")
        return made.draw(season, harbour.owner)


def test_from_nothing_to_a_running_league_with_house_rules(club, owner, desk):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("bain"))
    path = desk.done(f"{BASE}new/", "make", name="Monday League")
    assert path == f"{LEAGUE}teams/add/"
    assert desk.done(path, "bring", lines=FOUR) == path
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
    path = desk.done(f"{LEAGUE}new/", "save", **typed)
    assert path == f"{SEASON}places/"
    assert desk.done(path, "save") == f"{SEASON}run/"
    assert "Matchday 2</b>: Mon 21 Sep" in desk.get(f"{SEASON}draw/")
    assert desk.done(f"{SEASON}draw/", "draw") == f"{SEASON}run/"
    season = Season.objects.get()
    assert (season.status, season.rules_version) == ("running", version)
    assert Pairing.objects.filter(round__stage__tournament__division__season=season).count() == 6
    assert "Mon 7 Sep" in desk.get(f"{SEASON}run/")


# Teams


def test_people_whom_the_club_knows_are_not_added_again(club, league, owner, desk):
    known = made.names(club, "Ann Lee", "Ben Ode")
    desk.done(f"{LEAGUE}teams/add/", "bring", lines="ann lee, BEN ODE\nCem, Dee")
    assert {one.membership_id for one in Team.objects.get(number=1).roster.all()} == {one.pk for one in known}
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
def test_a_line_that_is_wrong_is_named_and_nothing_is_brought_in(league, desk, lines, words):
    answer = desk.press(f"{LEAGUE}teams/add/", "bring", lines=lines)
    assert answer.status_code == 422
    assert words in said(answer)
    assert lines.strip() in answer.content.decode()
    assert not Team.objects.exists()
    assert not Membership.objects.filter(user=None).exists()


def test_lines_sent_twice_come_in_once(league, desk):
    form = desk.form(f"{LEAGUE}teams/add/", "", "bring")
    form["page"] = f"{LEAGUE}teams/add/"
    for _ in range(2):
        assert desk.post(form, lines=FOUR).status_code == 302
    assert Team.objects.count() == 4


def test_one_team_of_people_who_are_chosen(club, league, desk):
    ann, ben = made.names(club, "Ann", "Ben")
    desk.done(f"{LEAGUE}teams/add/", "one", name="A and B", player_0=ann.pk, player_1=ben.pk, venue="Quay 1")
    team = Team.objects.get()
    assert (team.name, team.venue, team.roster.count()) == ("A and B", "Quay 1", 2)


def test_names_that_several_members_have_are_refused(club, league, desk):
    made.names(club, "Ann", "Ann", "Ben")
    answer = desk.press(f"{LEAGUE}teams/add/", "bring", lines="Ann, Ben")
    assert "Several members are called Ann" in said(answer)


def test_a_roster_changes(club, season, owner, desk):
    path = f"{LEAGUE}teams/1/roster/"
    fay = made.names(club, "Fay")[0]
    desk.done(path, "add", membership=fay.pk, role="reserve")
    desk.done(path, "edit", name="The Firsts", venue="Pier")
    markup = desk.get(f"{LEAGUE}teams/1/")
    assert "The Firsts" in markup
    assert "Fay" in markup
    ann = Team.objects.get(number=1).roster.get(membership__name="Ann 1")
    desk.done(path, f"replace-{ann.pk}", membership=fay.pk)
    assert "Ann 1" not in desk.get(f"{LEAGUE}teams/1/")
    answer = desk.press(path, "leave")
    assert "Withdraw it there" in said(answer)


def test_a_team_notes_its_days_off(season, club, in_club, browser_of):
    ann = made.sign_in(club, in_club, "Ann 1", "Ann")
    reader, path = browser_of(ann), f"{LEAGUE}teams/1/roster/"
    answer = reader.press(path, "off", first_day="2026-09-10", last_day="2026-09-09")
    assert "cannot be before the first" in said(answer)
    assert 'value="2026-09-10"' in answer.content.decode()
    reader.done(path, "off", first_day="2026-09-10", last_day="2026-09-11", reason="Holiday")
    row = Blackout.objects.get()
    assert (row.team.number, row.reason) == (1, "Holiday")
    reader.done(path, f"on-{row.pk}")
    assert not Blackout.objects.exists()


# Settings of a season


def test_the_form_shows_what_would_come_of_it_as_it_is_filled_in(club, league, desk):
    desk.done(f"{LEAGUE}teams/add/", "bring", lines=FOUR)
    form = desk.form(f"{LEAGUE}new/", "", "save")
    fields = form["fields"] | {"name": "Spring", "starts_on": "2026-10-05", "legs": "2"}
    answer = desk.client.post(f"{LEAGUE}new/preview/", fields)
    markup = answer.content.decode()
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
        ({"days": "many"}, "Enter a whole number"),
        ({"div_size_0": "1"}, "A division has 2 to 60 teams."),
        ({"plays_at": "late"}, "Enter the time as"),
        ({"off_first_0": "2026-12-24", "off_last_0": "2026-12-01"}, "cannot be before the first"),
    ],
)
def test_a_refused_season_loses_nothing(league, desk, typed, words):
    usual = {"name": "Autumn 2026", "starts_on": "2026-09-07", "venue": ""}
    answer = desk.press(f"{LEAGUE}new/", "save", **(usual | typed))
    assert answer.status_code == 422
    assert said(answer)
    assert words in said(answer)
    markup = answer.content.decode()
    for value in (usual | typed).values():
        assert not value or f'value="{value}"' in markup
    assert not Season.objects.exists()
    assert not Blackout.objects.exists()


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
    desk.done(path, "save", **typed)
    season = Season.objects.get()
    assert [one.name for one in season.divisions.all()] == ["Premier", "Division 2"]
    assert season.plan_json["legs"] == 2
    row = Blackout.objects.get()
    assert str(row.first_day) == "2026-10-05"
    assert said(desk.press(path, "save")) == "Nothing was changed."
    desk.done(path, "save", off_first_0="", off_last_0="", off_reason_0="")
    assert not Blackout.objects.exists()


def test_a_stale_form_of_a_draft_is_refused_politely(draft, owner, desk):
    form = desk.form(f"{SEASON}setup/", "", "save")
    form["page"] = f"{SEASON}setup/"
    leagues.change(draft.league_id, owner, name="Monday League", about="New words.")
    answer = desk.post(form, name="Winter")
    assert answer.status_code == 409
    assert "Something has changed since you opened this page" in said(answer)
    assert 'value="Winter"' in answer.content.decode()


def test_teams_are_put_into_divisions(draft, desk):
    first, second = Division.objects.order_by("level")
    teams = {team.name: team.pk for team in Team.objects.all()}
    moved = teams["Pair 1"]
    desk.done(f"{SEASON}places/", "save", **{f"place_{moved}": second.pk, f"order_{moved}": "1"})
    assert second.entries.order_by("position").first().team.name == "Pair 1"
    assert first.entries.count() == 3
    desk.done(f"{SEASON}places/", "save", **{f"place_{moved}": ""})
    assert second.entries.count() == 3


def test_what_cannot_be_drawn_is_said(club, owner, desk):
    made.make_season(club, owner, (2,), name="Autumn 2026")
    team = Team.objects.get(name="Pair 2")
    desk.done(f"{SEASON}places/", "save", **{f"place_{team.pk}": ""})
    markup = desk.get(f"{SEASON}draw/")
    assert "Before it can be drawn" in markup
    assert 'id="draw"' not in markup


def test_a_draw_is_taken_back_until_something_is_played(season, owner, desk):
    desk.done(f"{SEASON}run/", "undo")
    assert Season.objects.get().status == "draft"
    desk.done(f"{SEASON}draw/", "draw")
    fresh = Season.objects.get()
    made.decide(made.match(fresh, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    answer = desk.press(f"{SEASON}run/", "undo")
    assert "A match has been played" in said(answer)


# A running season


def test_the_desk_says_what_waits(season, owner, desk, browser_of):
    assert "<b>Nothing to do</b>" in desk.get(f"{SEASON}run/")
    with time_machine.travel(datetime(2026, 9, 20, tzinfo=UTC), tick=False):
        markup = browser_of(owner).get(f"{SEASON}run/")
    assert "Overdue" in markup
    assert "<b>Nothing to do</b>" not in markup


def test_a_matchday_is_moved(season, desk):
    desk.done(f"{SEASON}run/", "move", number="2", first_day="2026-09-16")
    assert "from Wed 16 Sep" in desk.get(f"{SEASON}1/fixtures/")
    answer = desk.press(f"{SEASON}run/", "move", number="2", first_day="")
    assert said(answer) == "Enter the new date."


def test_an_organiser_sets_time_and_place(season, desk):
    match = made.match(season, "Pair 1", "Pair 2")
    path = f"{LEAGUE}match/{match.pk}/"
    desk.done(path, "set", starts_at="2026-09-09T19:30", venue="The Anchor")
    match.refresh_from_db()
    assert match.starts_at == datetime(2026, 9, 9, 17, 30, tzinfo=UTC)
    assert "The Anchor" in desk.get(path)
    answer = desk.press(path, "set", starts_at="tomorrow", venue="The Anchor")
    assert "Enter the day and the time" in said(answer)


def test_two_sides_agree_on_another_time(season, club, in_club, browser_of):
    ann, cara = made.sign_in(club, in_club, "Ann 1", "Ann"), made.sign_in(club, in_club, "Ann 2", "Cara")
    match = made.match(season, "Pair 1", "Pair 2")
    path = f"{LEAGUE}match/{match.pk}/"
    one, other = browser_of(ann), browser_of(cara)
    answer = one.press(path, "propose", starts_at="2026-08-01T19:00", words="Earlier?")
    assert said(answer) == "That time is in the past."
    assert 'value="Earlier?"' in answer.content.decode()
    one.done(path, "propose", starts_at="2026-09-10T19:00", words="I am away before.")
    assert "We told the other side" in one.get(path)
    assert "I am away before." in other.get(path)
    other.done(path, "counter", starts_at="2026-09-11T20:00")
    assert Proposal.objects.count() == 2
    one.done(path, "accept")
    match.refresh_from_db()
    assert match.starts_at == datetime(2026, 9, 11, 18, 0, tzinfo=UTC)


def test_what_was_proposed_is_declined_or_taken_back(season, club, in_club, browser_of):
    one = browser_of(made.sign_in(club, in_club, "Ann 1", "Ann"))
    other = browser_of(made.sign_in(club, in_club, "Ann 2", "Cara"))
    path = f"{LEAGUE}match/{made.match(season, 'Pair 1', 'Pair 2').pk}/"
    one.done(path, "propose", starts_at="2026-09-10T19:00")
    other.done(path, "decline", answer="No, sorry.")
    assert "No, sorry." in one.get(path)
    one.done(path, "propose", starts_at="2026-09-10T20:00")
    one.done(path, "withdraw")
    assert set(Proposal.objects.values_list("status", flat=True)) == {"declined", "withdrawn"}


def test_a_captain_lets_a_substitute_play(season, club, in_club, browser_of):
    ann = made.sign_in(club, in_club, "Ann 1", "Ann")
    zed = made.names(club, "Zed")[0]
    team, match = made.team(season, "Pair 1"), made.match(season, "Pair 1", "Pair 2")
    path = f"{LEAGUE}match/{match.pk}/"
    partner = team.roster.get(membership__name="Ben 1").membership_id
    reader = browser_of(ann)
    answer = reader.press(path, f"field-{team.pk}", members=[str(zed.pk)])
    assert answer.status_code == 422
    assert said(answer)
    reader.done(path, f"field-{team.pk}", members=[str(partner), str(zed.pk)])
    place = next(one for one in seating.places_of(match) if one.entry.name == "Pair 1")
    assert {one.name for one in seating.fielded(place, 2)} == {"Ben 1", "Zed"}


def test_strangers_and_visitors_see_a_match_and_do_nothing_with_it(season, club, in_club, client):
    path = f"{LEAGUE}match/{made.match(season, 'Pair 1', 'Pair 2').pk}/"
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
    client.force_login(made.sign_in(club, in_club, "Ann 1", "Ann"))
    markup = client.get(BASE).content.decode()
    assert "Your next match" in markup
    assert "Pair 1" in markup
    client.force_login(in_club(club, "Nobody"))
    assert "Your next match" not in client.get(BASE).content.decode()


def test_a_cup_and_a_play_off(season, owner, desk):
    desk.done(f"{SEASON}cups/", "cup", name="Harbour Cup")
    assert "Harbour Cup" in desk.get(SEASON)
    answer = desk.press(f"{SEASON}cups/", "playoff", border="1")
    assert "is not over yet" in said(answer)
    event = season.events.get()
    desk.done(f"{SEASON}cups/", f"undo-{event.pk}")
    assert not season.events.exists()


def seeded(season):
    """The numbers of the pairs of the last cup, in the order of their seeds."""
    event = season.events.latest("pk")
    return [one.team.name.removeprefix("Pair ") for one in event.entries.order_by("pk").select_related("team")]


def test_the_order_of_a_cup_is_shown_before_it_is_drawn(season, owner, desk):
    made.decide(made.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 0, "Pair 2": 5000})
    path = f"{SEASON}cups/"
    shown = re.findall(r'id="seed_(\d+)"', desk.get(path))
    names = {str(team.pk): team.name.removeprefix("Pair ") for team in Team.objects.all()}
    assert next(names[pk] for pk in shown) == "2"
    answer = desk.press(path, f"up-{made.team(season, 'Pair 7').pk}", name="Harbour Cup")
    assert answer.status_code == 200
    assert not season.events.exists()
    markup = answer.content.decode()
    assert [names[pk] for pk in re.findall(r'id="seed_(\d+)"', markup)][5:] == ["7", "6"]
    assert 'value="Harbour Cup"' in markup
    assert 'value="hand" selected' in markup
    desk.done(path, "cup", name="Harbour Cup")
    assert seeded(season)[0] == "2"
    assert Act.objects.latest("pk").sentence.endswith("started with 7 teams, seeded by the standings.")


def test_a_cup_is_seeded_by_the_numbers_that_were_typed(season, desk):
    numbers = {f"seed_{made.team(season, f'Pair {number}').pk}": str(8 - number) for number in range(1, 8)}
    desk.done(f"{SEASON}cups/", "cup", name="Harbour Cup", **numbers)
    assert seeded(season) == ["7", "6", "5", "4", "3", "2", "1"]
    assert Act.objects.latest("pk").sentence.endswith("seeded by hand.")


def test_lots_are_the_same_for_whoever_draws_them_again(season, desk):
    path = f"{SEASON}cups/"
    first = desk.press(path, "order", seeding="lot").content.decode()
    order = re.findall(r'id="seed_(\d+)"', first)
    assert re.findall(r'id="seed_(\d+)"', desk.press(path, "order", seeding="lot").content.decode()) == order
    desk.done(path, "cup", name="Harbour Cup", seeding="lot")
    assert [str(one.team_id) for one in season.events.get().entries.order_by("pk")] == order


def test_a_team_of_another_season_is_in_no_cup(season, club, owner, desk):
    other = made.pair(leagues.make(club.pk, owner, name="Other"), owner, 99)
    answer = desk.press(f"{SEASON}cups/", "cup", name="Cup", teams=[str(made.team(season, "Pair 1").pk), str(other.pk)])
    assert said(answer) == "Choose teams of the season, each once."
    assert not season.events.exists()


# Its end


def test_a_season_is_closed_opened_again_and_followed(season, owner, desk):
    assert "Waiting for" in desk.get(f"{SEASON}close/")
    made.play_out(season, owner)
    assert "champion" in desk.get(f"{SEASON}close/")
    desk.done(f"{SEASON}close/", "close")
    assert Honour.objects.filter(title="Champion of Division 1", team__name="Pair 1").exists()
    desk.done(f"{SEASON}close/", "undo")
    assert Season.objects.get().status == "running"
    desk.done(f"{SEASON}close/", "close")
    markup = desk.get(f"{SEASON}next/")
    assert "1st of Division 2: promoted" in markup
    answer = desk.press(f"{SEASON}next/", "make", name="Spring 2027", starts_on="")
    assert said(answer) == "Enter the season’s start date."
    assert 'value="Spring 2027"' in answer.content.decode()
    path = desk.done(f"{SEASON}next/", "make", name="Spring 2027", starts_on="2027-01-11")
    assert path == f"{LEAGUE}spring-2027/run/"
    top = Division.objects.get(season__name="Spring 2027", level=1)
    assert "Pair 5" in {one.team.name for one in top.entries.all()}
    desk.done(f"{SEASON}next/", "undo")
    assert Season.objects.count() == 1


def test_who_leaves_is_looked_at_before(season, owner, desk):
    made.play_out(season, owner)
    desk.done(f"{SEASON}close/", "close")
    team = Team.objects.get(name="Pair 2")
    answer = desk.press(f"{SEASON}next/", "look", leaving=[str(team.pk)])
    assert "Leaving" in answer.content.decode()
    assert Season.objects.count() == 1


def test_the_next_season_is_set_before_it_is_made(season, club, owner, desk):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("standard", {"out_bonus": 7}))
    version = RulesVersion.objects.get()
    made.play_out(season, owner)
    desk.done(f"{SEASON}close/", "close")
    path = f"{SEASON}next/"
    one, _two = Division.objects.filter(season=season).order_by("level")
    typed = {
        "name": "Spring 2027",
        "starts_on": "2027-01-11",
        "days": "14",
        "rules": f"version:{version.pk}",
        f"size_{one.pk}": "5",
        "undersized": "keep",
        f"level_{made.team(season, 'Pair 5').pk}": "2",
    }
    answer = desk.press(path, "look", **typed)
    markup = answer.content.decode()
    assert answer.status_code == 200
    assert "1st of Division 2: stays by hand" in markup
    assert "Matchday 2</b>: Mon 25 Jan" in markup
    assert Season.objects.count() == 1
    desk.done(path, "make", **typed)
    new = Season.objects.get(name="Spring 2027")
    assert (new.rules_version, new.rules.name, new.days) == (version, "standard", 14)
    assert [division.size for division in new.divisions.all()] == [5, 3]
    assert "Pair 5" in set(new.divisions.get(level=2).entries.values_list("team__name", flat=True))
    assert Act.objects.latest("pk").sentence.endswith("1 by hand.")
    desk.done(path, "undo")
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
    made.play_out(season, owner)
    desk.done(f"{SEASON}close/", "close")
    fields = {"name": "Spring 2027", "starts_on": "2027-01-11"} | typed
    looked = desk.press(f"{SEASON}next/", "look", **fields).content.decode()
    assert words in looked
    answer = desk.press(f"{SEASON}next/", "make", **fields)
    assert answer.status_code == 422
    assert words in said(answer)
    assert 'value="2027-01-11"' in answer.content.decode()
    assert Season.objects.count() == 1


# The league


def test_a_league_is_renamed_archived_and_brought_back(league, desk):
    desk.done(f"{LEAGUE}edit/", "edit", name="Tuesday League", about="Since 1990")
    assert "Tuesday League" in desk.get(LEAGUE)
    desk.done(f"{LEAGUE}edit/", "rest")
    assert League.objects.get().is_archived
    desk.done(f"{LEAGUE}edit/", "rest")
    assert not League.objects.get().is_archived


def test_another_club_is_asked(league, desk, in_club, browser_of):
    lake = make_club("Lake")
    lena = in_club(lake, "Lena", "owner")
    assert "Club not found" in said(desk.press(f"{LEAGUE}edit/", "ask", club="nowhere"))
    desk.done(f"{LEAGUE}edit/", "ask", club="lake")
    row = LeagueClub.objects.get()
    assert row.agreed_at is None
    leagues.answer_club(row.pk, lena, agrees=True)
    other = browser_of(lena)
    other.done(f"{LEAGUE}teams/add/", "bring", lines="Lou, Max")
    assert Team.objects.get().club == lake
    assert "Teams in leagues of other clubs" in other.get("/clubs/lake/leagues/")


def test_words_of_addresses_are_no_leagues_and_no_seasons(club, owner, desk):
    desk.done(f"{BASE}new/", "make", name="New")
    assert League.objects.get().slug == "new-2"
    desk.done(f"{BASE}new-2/new/", "save", name="Teams", starts_on="2026-09-07")
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
