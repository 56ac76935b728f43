"""Seasons: prepared, previewed, drawn in one act, and undone."""

from datetime import date, time, timedelta

import pytest
import time_machine
from django.db import transaction

from accounts.models import Notice
from clubs.league import table
from clubs.models import Act, Club, Division, HouseRules, Membership, RulesVersion, Season, SeasonEntry
from clubs.services import history
from clubs.services.leagues import event_roles as running
from clubs.services.leagues import leagues, teams
from clubs.services.members import membership
from clubs.services.seasons import season_draw, season_setup
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tournaments.models import Organiser, Pairing, Result, Round, Tournament
from tournaments.services.matches import deadlines, results
from web.errors import NotAllowed, Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]


@pytest.fixture
def league(club, owner):
    return leagues.make(club.pk, owner, name="Monday League")


def rounds(division):
    return list(Round.objects.filter(stage__tournament=division.tournament).order_by("number"))


# Making


def test_a_draft_has_its_divisions_and_pins_its_rules(league, owner):
    season = season_setup.make(
        league.pk,
        owner,
        name="Autumn 2026",
        starts_on=makers.FIRST_DAY,
        preset="bain",
        plan={"legs": 2, "win": "3", "tiebreaks": ["wins", "spread"]},
        settings={"setting": "mixed", "no_show": "walkover"},
        divisions=[("Premier", 8), ("First", 8), ("Second", 6)],
        up=[2],
    )
    assert (season.number, season.slug, season.status) == (1, "autumn-2026", "draft")
    assert season.rules.name == "bain"
    assert [(division.level, division.name, division.size) for division in season.divisions.all()] == [
        (1, "Premier", 8),
        (2, "First", 8),
        (3, "Second", 6),
    ]
    assert (season.up, season.down) == ([2, 1], [1, 1])


def test_a_season_pins_a_version_of_house_rules(club, league, owner):
    rules = HouseRules.objects.create(club=club, name="Harbour rules", slug="harbour-rules")
    version = RulesVersion.objects.create(
        house_rules=rules, number=1, preset="family", rules_json=Rules.make("family").write()
    )
    season = season_setup.make(league.pk, owner, name="2026", starts_on=makers.FIRST_DAY, rules_version_id=version.pk)
    assert season.rules_version == version
    assert season.rules == Rules.make("family")
    division = season.divisions.get()
    season_setup.place(season.pk, owner, divisions={division.pk: [makers.pair(league, owner, at).pk for at in (1, 2)]})
    makers.draw(season, owner)
    assert Tournament.objects.get().rules == Rules.make("family")
    assert Tournament.objects.get().terms == {"rules_ref": f"rules:{version.pk}"}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": " "}, "name"),
        ({"preset": "chess"}, "rules"),
        ({"rules_version_id": 99}, "rules"),
        ({"plan": {"format": "swiss"}}, "plan"),
        ({"plan": {"legs": 3}}, "plan"),
        ({"plan": {"tiebreaks": ["luck"]}}, "plan"),
        ({"settings": {"circle": "club:9"}}, "settings"),
        ({"settings": {"setting": "by post"}}, "settings"),
        ({"settings": {"terms": {"clock": "sand"}}}, "settings"),
        ({"days": 0}, "days"),
        ({"play_days": 93}, "play_days"),
        ({"divisions": []}, "divisions"),
        ({"divisions": [("One", 1)]}, "divisions"),
        ({"divisions": [("One", 4), ("one", 4)]}, "divisions"),
        ({"up": [-1], "divisions": [("One", 4), ("Two", 4)]}, "up"),
    ],
)
def test_what_makes_no_season_is_refused_beside_its_field(league, owner, fields, field):
    choices = {"name": "2026", "starts_on": makers.FIRST_DAY} | fields
    with pytest.raises(Refused) as refused:
        season_setup.make(league.pk, owner, **choices)
    assert refused.value.details["field"] == field
    assert not Season.objects.exists()


def test_a_draft_is_changed_and_that_is_undone(league, owner):
    season = season_setup.make(league.pk, owner, name="2026", starts_on=makers.FIRST_DAY)
    act = season_setup.change(
        season.pk,
        owner,
        changes={
            "name": "2026/27",
            "days": 14,
            "plays_at": time(20),
            "preset": "bain",
            "settings": {"is_rated": False},
        },
    )
    season.refresh_from_db()
    assert (season.name, season.days, season.plays_at, season.rules.name) == ("2026/27", 14, time(20), "bain")
    history.undo(act.pk, by=owner)
    season.refresh_from_db()
    assert (season.name, season.days, season.plays_at, season.rules.name) == ("2026", 7, None, "standard")


def test_divisions_are_added_renamed_put_in_another_order_and_taken_away(club, owner):
    season = makers.make_season(club, owner, (2, 2))
    first, second = season.divisions.all()
    act = season_setup.set_divisions(
        season.pk, owner, divisions=[(second.pk, "Premier", 4), (None, "Third", 6), (first.pk, "Last", 2)]
    )
    assert [(d.level, d.name, d.size) for d in season.divisions.all()] == [
        (1, "Premier", 4),
        (2, "Third", 6),
        (3, "Last", 2),
    ]
    season.refresh_from_db()
    assert season.up == [1, 1]
    season_setup.set_divisions(season.pk, owner, divisions=[(second.pk, "Premier", 4)])
    assert {entry.team.name for entry in SeasonEntry.objects.filter(season=season)} == {"Pair 3", "Pair 4"}
    history.undo(Act.objects.latest("pk").pk, by=owner)
    history.undo(act.pk, by=owner)
    assert [(d.level, d.name) for d in season.divisions.all()] == [(1, "Division 1"), (2, "Division 2")]
    assert SeasonEntry.objects.filter(season=season).count() == 4


def test_teams_are_placed_moved_and_taken_out(club, owner):
    season = makers.make_season(club, owner, (2, 2))
    first, second = season.divisions.all()
    a, b, c, _ = (makers.team(season, f"Pair {number}").pk for number in range(1, 5))
    season_setup.place(season.pk, owner, divisions={first.pk: [c, a], second.pk: [b]})
    assert list(first.entries.values_list("team__name", flat=True)) == ["Pair 3", "Pair 1"]
    assert list(second.entries.values_list("team__name", flat=True)) == ["Pair 2"]
    season_setup.place(season.pk, owner, divisions={second.pk: [b, a]})
    assert list(first.entries.values_list("team__name", flat=True)) == ["Pair 3"]
    assert list(second.entries.values_list("team__name", "position")) == [("Pair 2", 1), ("Pair 1", 2)]
    season_setup.place(season.pk, owner, divisions={second.pk: [b]})
    assert not SeasonEntry.objects.filter(team=a).exists()
    with pytest.raises(Refused, match="in one division"):
        season_setup.place(season.pk, owner, divisions={first.pk: [b], second.pk: [b]})


def test_what_was_prepared_is_not_undone_under_a_drawn_season(club, owner):
    season = makers.make_season(club, owner, (3,))
    [division] = season.divisions.all()
    first, second, third = (makers.team(season, f"Pair {number}").pk for number in (1, 2, 3))
    changed = season_setup.change(season.pk, owner, changes={"days": 14})
    placed = season_setup.place(season.pk, owner, divisions={division.pk: [first, third]})
    departure = teams.leave(second, owner)
    makers.draw(season, owner)
    for act in (changed, placed):
        with pytest.raises(Refused, match="Undo the draw first"):
            history.undo(act.pk, by=owner)
    history.undo(departure.pk, by=owner)
    renamed = season_setup.change(season.pk, owner, changes={"name": "2026", "up": []})
    history.undo(renamed.pk, by=owner)
    titled = season_setup.set_divisions(season.pk, owner, divisions=[(division.pk, "Premier", 3)])
    history.undo(titled.pk, by=owner)
    season_draw.undo_draw(season.pk, owner)
    history.undo(placed.pk, by=owner)
    assert division.entries.count() == 3


def test_a_division_is_not_undone_with_the_teams_in_it(club, league, owner):
    season = season_setup.make(league.pk, owner, name="2026", starts_on=makers.FIRST_DAY)
    act = Act.objects.latest("pk")
    team = makers.pair(league, owner, 1)
    [division] = season.divisions.all()
    season_setup.place(season.pk, owner, divisions={division.pk: [team.pk]})
    with pytest.raises(Refused, match="Teams have been placed since"):
        history.undo(act.pk, by=owner)
    season_setup.place(season.pk, owner, divisions={division.pk: []})
    history.undo(act.pk, by=owner)
    assert not Season.objects.exists()


def test_a_draft_is_thrown_away_and_comes_back(club, owner):
    season = makers.make_season(club, owner, (2,))
    season_setup.add_blackout(season.pk, owner, first_day=makers.FIRST_DAY, last_day=makers.FIRST_DAY)
    act = season_setup.delete_draft(season.pk, owner)
    assert not Season.objects.exists()
    history.undo(act.pk, by=owner)
    assert Season.objects.get().entries.count() == 2
    assert Season.objects.get().blackouts.count() == 1


@pytest.mark.parametrize("role", ["scorer", "member", "guest"])
def test_only_who_runs_leagues_prepares_and_draws_seasons(club, staff, owner, role):
    season = makers.make_season(club, owner, (2,))
    acts = [
        lambda: season_setup.change(season.pk, staff[role], changes={"name": "Mine"}),
        lambda: season_setup.delete_draft(season.pk, staff[role]),
        lambda: season_setup.add_blackout(
            season.pk, staff[role], first_day=makers.FIRST_DAY, last_day=makers.FIRST_DAY
        ),
        lambda: season_draw.draw(season.pk, staff[role]),
    ]
    for act in acts:
        with pytest.raises(NotAllowed):
            act()


# Looking at the draw


def test_a_preview_shows_every_matchday_and_writes_nothing(club, owner):
    season = makers.make_season(club, owner, (4, 3), plays_at=time(19, 30))
    preview = season_draw.preview(season, makers.NOW)
    assert preview.can_draw
    first, second = preview.divisions
    assert [day.first_day for day in first.days] == [date(2026, 9, 7), date(2026, 9, 14), date(2026, 9, 21)]
    assert first.days[0].starts_at.isoformat() == "2026-09-07T19:30:00+02:00"
    assert [f"{m.home} – {m.away}" for m in first.days[0].matches] == ["Pair 1 – Pair 4", "Pair 2 – Pair 3"]
    assert sorted(team.name for day in second.days for team in day.byes) == ["Pair 5", "Pair 6", "Pair 7"]
    assert any("odd number" in note for note in preview.notes)
    assert not Tournament.objects.exists()
    assert Season.objects.get().status == "draft"


def test_a_preview_says_in_sentences_what_cannot_work(club, owner):
    season = makers.make_season(club, owner, (2, 2), settings={"setting": "online"}, starts_on=date(2026, 8, 3))
    teams_of = [makers.team(season, f"Pair {number}") for number in range(1, 5)]
    teams_of[1].left_at = makers.NOW
    teams_of[1].save()
    SeasonEntry.objects.filter(team=teams_of[3]).delete()
    wrong = " ".join(season_draw.preview(season, makers.NOW).wrong)
    assert "Pair 2 has left the league" in wrong
    assert "Division 2 has 1 team" in wrong
    assert "Pair 1: everyone needs an account to play online. Without an account: Ann 1, Ben 1." in wrong
    assert "already over" in wrong
    with pytest.raises(Refused, match="Pair 2 has left") as refused:
        season_draw.draw(season.pk, owner)
    assert len(refused.value.details["sentences"]) == len(season_draw.preview(season, makers.NOW).wrong)
    assert not Tournament.objects.exists()


def test_a_season_under_way_is_drawn_with_its_past_matchdays(club, owner):
    """Past days stay what they were; their matches wait for their results, and nobody loses them by the clock."""
    season = makers.make_season(club, owner, (4,), starts_on=date(2026, 8, 3))
    notes = season_draw.preview(season, makers.NOW).notes
    assert "matchdays are already over. Enter their results after the draw." in " ".join(notes)
    season_draw.draw(season.pk, owner)
    first = Round.objects.filter(stage__tournament__division__season=season).order_by("number")[0]
    assert first.starts_at.astimezone(club.zone).date() == date(2026, 8, 3)
    assert first.deadline_at < makers.NOW
    deadlines.sweep(makers.NOW)
    assert not Result.objects.exists()
    match = Pairing.objects.filter(round=first).first()
    lines = [
        {"entry": place.entry_id, "score": score} for place, score in zip(match.places.all(), (4000, 3000), strict=True)
    ]
    results.decide(match.pk, lines, by=owner)
    standings = table.table(season.divisions.get())
    assert (standings.played, standings.rows[0].won) == (1, 1)


def test_a_past_first_day_is_refused_where_the_clock_decides(club, owner):
    settings = {"no_show": "walkover"}
    season = makers.make_season(club, owner, (4,), settings=settings, starts_on=date(2026, 8, 3))
    assert "both sides lose matches" in " ".join(season_draw.preview(season, makers.NOW).wrong)


def test_who_left_the_club_is_taken_out_of_teams_before_the_draw(club, owner):
    season = makers.make_season(club, owner, (2,))
    membership.remove(Membership.objects.get(name="Ben 2").pk, owner)
    assert season_draw.preview(season, makers.NOW).wrong == (f"Ben 2 has left {club}. Remove them from Pair 2.",)
    [rex] = makers.names(club, "Rex")
    gone = makers.team(season, "Pair 2").roster.get(membership__name="Ben 2")
    teams.replace_member(gone.pk, owner, membership_id=rex.pk)
    assert season_draw.preview(season, makers.NOW).can_draw


def test_nobody_is_in_two_teams_of_one_division(club, owner):
    season = makers.make_season(club, owner, (2, 2))
    ann = Membership.objects.get(name="Ann 1")
    teams.add_member(makers.team(season, "Pair 3").pk, owner, membership_id=ann.pk, role="reserve")
    assert season_draw.preview(season, makers.NOW).can_draw
    teams.add_member(makers.team(season, "Pair 2").pk, owner, membership_id=ann.pk, role="reserve")
    assert season_draw.preview(season, makers.NOW).wrong == (
        "Ann 1 is in 2 teams of Division 1, as a player or a reserve. Only one is allowed.",
    )


def test_days_off_for_everyone_move_matchdays(club, owner):
    season = makers.make_season(club, owner, (4,))
    season_setup.add_blackout(
        season.pk, owner, first_day=date(2026, 9, 14), last_day=date(2026, 9, 14), reason="Harvest festival"
    )
    preview = season_draw.preview(season, makers.NOW)
    assert [day.first_day.day for day in preview.divisions[0].days] == [7, 21, 28]
    assert preview.notes == ("Matchday 2 starts on 21 Sep 2026 because its usual day is off (Harvest festival).",)


def test_a_teams_days_off_are_respected_by_the_order_of_the_draw_or_reported(club, owner):
    season = makers.make_season(club, owner, (3,))
    away = makers.team(season, "Pair 1")
    season_setup.add_blackout(season.pk, owner, team_id=away.pk, first_day=date(2026, 9, 7), last_day=date(2026, 9, 13))
    preview = season_draw.preview(season, makers.NOW)
    assert preview.divisions[0].days[0].byes == (away,)
    assert not any(match.clashes for day in preview.divisions[0].days for match in day.matches)
    season_setup.add_blackout(
        season.pk, owner, team_id=away.pk, first_day=date(2026, 9, 14), last_day=date(2026, 9, 20)
    )
    preview = season_draw.preview(season, makers.NOW)
    clashes = [sentence for day in preview.divisions[0].days for match in day.matches for sentence in match.clashes]
    assert len(clashes) == 1
    assert clashes[0].startswith("Pair 1 cannot play on matchday ")
    assert any(clashes[0] in note for note in preview.notes)
    makers.draw(season, owner)
    assert [entry.position for entry in SeasonEntry.objects.order_by("entry__number")] == [1, 2, 3]


def test_a_team_says_itself_when_it_is_away(club, owner, in_club):
    season = makers.make_season(club, owner, (2,))
    ann = makers.sign_in(club, in_club, "Ann 1", "Zoe")
    day, team = date(2026, 9, 7), makers.team(season, "Pair 1")
    blackout = season_setup.add_blackout(season.pk, ann, team_id=team.pk, first_day=day, last_day=day)
    with pytest.raises(NotAllowed):
        season_setup.add_blackout(season.pk, ann, team_id=makers.team(season, "Pair 2").pk, first_day=day, last_day=day)
    with pytest.raises(NotAllowed):
        season_setup.add_blackout(season.pk, ann, first_day=day, last_day=day)
    season_setup.remove_blackout(blackout.pk, ann)
    assert not season.blackouts.exists()


@pytest.mark.parametrize(
    ("first", "last", "field"),
    [(date(2026, 9, 8), date(2026, 9, 7), "last_day"), (date(2026, 9, 8), date(2027, 12, 7), "last_day")],
)
def test_days_off_in_the_wrong_order_or_without_end_are_refused(club, owner, first, last, field):
    season = makers.make_season(club, owner, (2,))
    with pytest.raises(Refused) as refused:
        season_setup.add_blackout(season.pk, owner, first_day=first, last_day=last)
    assert refused.value.details["field"] == field


# Drawing


def test_a_draw_makes_a_tournament_of_each_division_with_all_days(club, owner):
    season = makers.draw(makers.make_season(club, owner, (4, 3), plays_at=time(20)), owner)
    assert season.status == "running"
    first, second = season.divisions.all()
    assert first.tournament.name == "Monday League, Autumn 2026: Division 1"
    assert (first.tournament.circle, first.tournament.status, first.tournament.entry_kind) == (
        club.circle,
        "running",
        "partnership",
    )
    assert [(day.status, day.starts_at.isoformat(), day.deadline_at.isoformat()) for day in rounds(first)] == [
        ("drawn", "2026-09-07T18:00:00+00:00", "2026-09-13T21:59:00+00:00"),
        ("drawn", "2026-09-14T18:00:00+00:00", "2026-09-20T21:59:00+00:00"),
        ("drawn", "2026-09-21T18:00:00+00:00", "2026-09-27T21:59:00+00:00"),
    ]
    assert Pairing.objects.filter(round__stage__tournament=first.tournament).count() == 6
    assert Pairing.objects.filter(round__stage__tournament=second.tournament).count() == 3
    assert [place.entry.name for place in first.entries.all()] == ["Pair 1", "Pair 2", "Pair 3", "Pair 4"]


def test_a_draw_sent_twice_is_one(club, owner):
    season = makers.make_season(club, owner, (2,))
    act = season_draw.draw(season.pk, owner, request_key="k", now=makers.NOW)
    assert season_draw.draw(season.pk, owner, request_key="k", now=makers.NOW) == act
    with pytest.raises(Refused, match="already been drawn"):
        season_draw.draw(season.pk, owner, now=makers.NOW)
    assert Tournament.objects.count() == 1


def test_home_sides_are_balanced_over_a_season(club, owner):
    season = makers.draw(makers.make_season(club, owner, (6,)), owner)
    homes = [pairing.places.get(number=0).entry.name for pairing in Pairing.objects.all()]
    assert all(2 <= homes.count(f"Pair {number}") <= 3 for number in range(1, 7))
    assert season.swaps_sides


def test_matchdays_open_on_their_days_whatever_is_still_open(club, owner):
    season = makers.draw(makers.make_season(club, owner, (4,)), owner)
    [division] = season.divisions.all()
    for days, opened in ((0, 0), (5, 0), (6, 1), (13, 2), (20, 3)):
        with time_machine.travel(makers.NOW + timedelta(days=days), tick=False):
            deadlines.sweep()
        assert sum(round_.status == "open" for round_ in rounds(division)) == opened


def test_a_result_may_come_before_the_matchday_and_closes_it(club, owner):
    season = makers.draw(makers.make_season(club, owner, (2,)), owner)
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 100})
    assert Tournament.objects.get().status == "over"


def test_the_people_of_the_teams_are_told_once(club, owner, in_club):
    season = makers.make_season(club, owner, (2, 2))
    ann = makers.sign_in(club, in_club, "Ann 1", "Zoe")
    makers.draw(season, owner)
    assert [notice.title for notice in Notice.objects.filter(user=ann, kind="club_news")] == [
        f"{club}: the fixtures of Monday League, Autumn 2026 are published"
    ]


def test_a_draw_is_undone_as_if_it_had_not_been(club, owner):
    season = makers.draw(makers.make_season(club, owner, (4,)), owner)
    season_draw.undo_draw(season.pk, owner)
    season.refresh_from_db()
    assert (season.status, season.started_at) == ("draft", None)
    assert not Tournament.objects.exists()
    assert Division.objects.get().tournament is None
    assert not SeasonEntry.objects.exclude(entry=None).exists()
    with pytest.raises(Refused, match="already been undone"):
        season_draw.undo_draw(season.pk, owner)
    assert makers.draw(season, owner).status == "running"


def test_a_draw_is_not_undone_once_something_was_played(club, owner):
    season = makers.draw(makers.make_season(club, owner, (4,)), owner)
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 100})
    with pytest.raises(Refused, match="A match has been played"):
        season_draw.undo_draw(season.pk, owner)
    assert Tournament.objects.count() == 1


def test_an_online_season_is_played_by_accounts_at_tables_of_its_matchdays(club, owner, in_club):
    league = leagues.make(club.pk, owner, name="Online League", kind="person")
    people = [Membership.objects.get(user=in_club(club, name)) for name in ("Ada", "Bob", "Cat", "Dan")]
    entered = [teams.add(league.pk, owner, members=[member.pk]) for member in people]
    season = season_setup.make(
        league.pk,
        owner,
        name="2026",
        starts_on=makers.FIRST_DAY,
        preset="solo",
        settings={"setting": "online", "terms": {"clock": "move", "clock_hours": 48}},
    )
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [team.pk for team in entered]})
    makers.draw(season, owner)
    assert Tournament.objects.get().setting == "online"
    assert not Pairing.objects.exclude(table=None).exists()
    with time_machine.travel(makers.NOW + timedelta(days=6), tick=False):
        deadlines.sweep()
    assert set(Pairing.objects.exclude(table=None).values_list("round__number", flat=True)) == {1}
    assert Pairing.objects.filter(is_online=True).count() == 6


def test_once_drawn_only_names_and_borders_change(club, owner):
    season = makers.draw(makers.make_season(club, owner, (2, 2)), owner)
    with pytest.raises(Refused, match="no longer be changed"):
        season_setup.change(season.pk, owner, changes={"days": 14})
    with pytest.raises(Refused, match="no longer be changed"):
        season_setup.place(season.pk, owner, divisions={})
    season_setup.change(season.pk, owner, changes={"name": "2026", "up": [2]})
    first, second = season.divisions.all()
    season_setup.set_divisions(season.pk, owner, divisions=[(first.pk, "Premier", 2), (second.pk, "First", 2)])
    with pytest.raises(Refused, match="Only the names"):
        season_setup.set_divisions(season.pk, owner, divisions=[(second.pk, "Premier", 2), (first.pk, "First", 2)])


# Organisers of the tournaments


def organisers(tournament):
    return {(organiser.user.username, organiser.role) for organiser in Organiser.objects.filter(tournament=tournament)}


def test_the_clubs_staff_runs_the_tournaments_of_its_leagues(club, staff, owner):
    season = makers.draw(makers.make_season(club, owner, (2,)), staff["organiser"])
    tournament = season.divisions.get().tournament
    assert organisers(tournament) == {("owner", "owner"), ("organiser", "director"), ("scorer", "scorer")}


def test_roles_that_change_in_the_club_change_in_the_tournaments_too(club, staff, owner):
    makers.draw(makers.make_season(club, owner, (2,)), owner)
    tournament = Tournament.objects.get()
    member, scorer = (Membership.objects.get(user=staff[role]) for role in ("member", "scorer"))
    act = membership.give_role(member.pk, owner, role="organiser")
    membership.remove(scorer.pk, owner)
    assert organisers(tournament) == {("owner", "owner"), ("organiser", "director"), ("member", "director")}
    history.undo(act.pk, by=owner)
    assert organisers(tournament) == {("owner", "owner"), ("organiser", "director")}


def test_a_second_look_at_who_runs_what_changes_nothing(club, owner):
    makers.draw(makers.make_season(club, owner, (2,)), owner)
    with transaction.atomic():
        assert running.sync(Club.objects.locked(club.pk)) == 0
