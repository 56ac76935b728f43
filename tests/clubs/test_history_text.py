"""The history of a club: every act with before and after in words, and nothing of deleted accounts."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from accounts import privacy
from clubs.house_rules import services as house_rules
from clubs.models import Act, HouseRules, Meeting, Membership, News, RulesVersion, Season
from clubs.organiser.action_diff import ADDED, FIELDS, MOST, describe, names_of
from clubs.services import settings
from clubs.services.leagues import leagues, matchday_edits, proposals, teams
from clubs.services.members import membership
from clubs.services.publications import meetings, news
from clubs.services.seasons import next_season, season_close, season_setup
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tests.pages import squeezed
from tournaments.organiser.action_diff import Change

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

SILENT = {
    *("act", "copy", "invitation", "remark", "newsaddress", "newschange", "newsdelivery"),
    *(
        "question",
        "reply",
        "replyletter",
        "repeatingmeeting",
        "meetingguest",
        "meetingreserve",
        "keptaside",
        "personalmessage",
    ),
}
"""Models missing from the history on purpose: the history itself, emails to addresses, secret addresses and what went
there, notes on fair play; who comes, guests without an account and rows set aside, of which the sentence of the act says everything."""


def diff(act=None):
    """Changes of the last act, or of this one."""
    act = act if isinstance(act, Act) else Act.objects.latest("pk")
    return list(describe(act, names_of([act])).lines)


def test_every_model_is_told_of_or_silent_on_purpose():
    every = {model._meta.model_name for model in apps.get_app_config("clubs").get_models()}
    assert (set(FIELDS) | set(ADDED) | {"blackout"}) == every - SILENT


@pytest.mark.parametrize("model", FIELDS)
def test_what_is_told_are_fields(model):
    fields = {field.attname for field in apps.get_model("clubs", model)._meta.concrete_fields}
    assert set(FIELDS[model]) <= fields


def test_settings_roles_names_and_private_fields(club, staff, owner):
    settings.change(club.pk, owner, fields={"colour": "red", "about": "Since 1983", "venue": "The quay"})
    assert diff() == [
        Change("description", "nothing", "changed"),
        Change("venue", "nothing", "The quay"),
        Change("colour", "Blue", "Red"),
    ]
    [ann] = makers.names(club, "Ben")
    mia = Membership.objects.get(user=staff["member"])
    membership.give_role(mia.pk, owner, role="scorer")
    assert diff() == [Change("Member: role", "Member", "Scorer")]
    membership.edit(ann.pk, owner, name="Ben Ode", email="ben@example.org")
    assert diff() == [Change("Ben Ode: name", "as before", "changed"), Change("Ben Ode: email address", "none", "one")]
    membership.remove(ann.pk, owner)
    assert diff() == [Change("Ben Ode: left", "no", "Tue 1 Sep 12:00")]


def test_news_and_dates(club, owner):
    news.write(club.pk, owner, title="New hall", body="At the quay.")
    item = News.objects.get()
    assert diff() == [Change("New hall", "", "written")]
    news.edit(item.pk, owner, title="A new hall", body="At the old quay.")
    assert diff() == [
        Change("A new hall: title", "New hall", "A new hall"),
        Change("A new hall: text", "as before", "changed"),
    ]
    at = datetime(2026, 9, 14, 18, 0, tzinfo=UTC)
    meetings.add(club.pk, owner, title="Night", starts_at=at)
    assert diff() == [Change("Night", "", "set for Mon 14 Sep 18:00")]
    meetings.cancel(Meeting.objects.get().pk, owner, is_off=True)
    assert diff() == [Change("Night: cancelled", "no", "yes")]


def test_house_rules_leagues_and_teams(club, owner):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("standard", {"out_bonus": 7}))
    rules = HouseRules.objects.get()
    assert diff() == [Change("Harbour rules", "", "created"), Change("Harbour rules, version 1", "", "saved")]
    house_rules.rename(rules.pk, owner, name="Quay rules", about="")
    assert diff() == [Change("Quay rules: name", "Harbour rules", "Quay rules")]
    league = leagues.make(club.pk, owner, name="Monday League")
    assert diff() == [Change("Monday League", "", "created")]
    leagues.archive(league.pk, owner)
    assert diff() == [Change("Monday League: archived", "no", "yes")]
    leagues.restore(league.pk, owner)
    team = makers.pair(league, owner, 1)
    assert diff() == [
        Change("Pair 1", "", "joined"),
        Change("Ann 1, Pair 1", "", "Captain"),
        Change("Ben 1, Pair 1", "", "Player"),
    ]
    teams.change(team.pk, owner, name="The Anchors", venue="Quay 1")
    assert diff() == [
        Change("The Anchors: name", "Pair 1", "The Anchors"),
        Change("The Anchors: plays at home at", "nothing", "Quay 1"),
    ]
    [rex] = makers.names(club, "Rex")
    ben = team.roster.get(membership__name="Ben 1")
    teams.replace_member(ben.pk, owner, membership_id=rex.pk)
    assert diff() == [
        Change("Ben 1, The Anchors: left", "no", "Tue 1 Sep 12:00"),
        Change("Rex, The Anchors", "", "Player"),
    ]


def test_a_season_field_by_field(club, owner):
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("standard", {"out_bonus": 7}))
    season = makers.make_season(club, owner, (2, 2))
    version = RulesVersion.objects.get()
    changes = {
        "name": "Autumn",
        "starts_on": date(2026, 9, 14),
        "plays_at": None,
        "days": 14,
        "rules_version_id": version.pk,
        "plan": {"legs": 2},
        "up": [2],
    }
    season_setup.change(season.pk, owner, changes=changes)
    assert set(diff()) == {
        Change("Autumn: name", "Autumn 2026", "Autumn"),
        Change("Autumn: first day", "Mon 7 Sep 2026", "Mon 14 Sep 2026"),
        Change("Autumn: days between matchdays", "7", "14"),
        Change("Autumn: rules", "Standard", "Harbour rules, version 1"),
        Change("Autumn: scoring and tie-breaks", "legs as usual", "legs 2"),
        Change("Autumn: promoted from each division", "1", "2"),
    }
    _first, second = season.divisions.all()
    pairs = [makers.team(season, f"Pair {number}").pk for number in (3, 4, 2)]
    season_setup.place(season.pk, owner, divisions={second.pk: pairs})
    assert diff() == [
        Change("Pair 2: division", "Division 1", "Division 2"),
        Change("Pair 2: number in the draw", "2", "3"),
    ]
    season_setup.add_blackout(
        season.pk, owner, first_day=date(2026, 10, 5), last_day=date(2026, 10, 6), reason="Harvest"
    )
    assert diff() == [Change("Everyone", "", "does not play from Mon 5 Oct 2026 to Tue 6 Oct 2026: Harvest")]
    season_setup.delete_draft(season.pk, owner)
    assert Change("Autumn", "prepared", "removed") in diff() or describe(Act.objects.latest("pk"), {}).more


def test_a_draw_a_rearranged_match_a_close_and_the_next_season(club, owner):
    season = makers.draw(makers.make_season(club, owner, (4, 2)), owner)
    assert Change("Autumn 2026: season", "Being prepared", "Under way") in diff()
    match = makers.match(season, "Pair 1", "Pair 2")
    proposals.propose(
        match.pk,
        owner,
        team_id=makers.team(season, "Pair 1").pk,
        starts_at=timezone.now() + timedelta(days=9),
        venue="The pier",
        is_online=None,
        words="",
    )
    assert diff() == [Change("Pair 1", "", "proposed for Thu 10 Sep 12:00")]
    matchday_edits.set_match(match.pk, owner, starts_at=timezone.now() + timedelta(days=8), venue="The quay")
    lines = diff()
    assert Change(f"{match.name}: venue", "nothing", "The quay") in lines or Change(match.name, "", "arranged") in lines
    assert Change("Pair 1: proposal", "Waiting for an answer", "Superseded") in lines
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    act = Act.objects.latest("pk")
    summary = describe(act, names_of([act]))
    assert Change("Pair 1: final place", "nothing", "1") in summary.lines
    assert (len(summary.lines), summary.more > 0) == (MOST, True)
    next_season.make(season.pk, owner, name="Spring", starts_on=date(2027, 2, 1))
    assert Change("Spring", "", "prepared") in diff()
    assert Season.objects.count() == 2


def test_what_is_undone_is_told_backwards(club, owner):
    from clubs.services import history

    act = settings.change(club.pk, owner, fields={"line": "By the quay"})
    history.undo(act.pk, by=owner)
    assert diff() == [Change("line below the name", "By the quay", "nothing")]


def test_the_page_tells_before_and_after_in_a_fixed_number_of_queries(
    club, owner, browser_of, django_assert_max_num_queries
):
    settings.change(club.pk, owner, fields={"colour": "red"})
    league = leagues.make(club.pk, owner, name="Monday League")
    for number in range(1, 8):
        makers.pair(league, owner, number)
    page = browser_of(owner)
    with django_assert_max_num_queries(12):
        markup = squeezed(page.client.get("/clubs/harbour/history/"))
    assert "<s><bdi>Blue</bdi></s>→<b><bdi>Red</bdi></b>" in markup
    assert "Ann 7, Pair 7" in markup


def test_addresses_and_tokens_are_never_told(club, staff, owner, browser_of):
    [ann] = makers.names(club, "Ann")
    membership.edit(ann.pk, owner, name="Ann", email="ann@example.org")
    membership.edit_own(
        club.pk, staff["member"], name="Member", contact="+31 20 555 0101", is_listed=True, wants_letters=True
    )
    markup = browser_of(owner).get("/clubs/harbour/history/")
    assert "email address" in markup
    for hidden in ("ann@example.org", "555 0101", ann.claim_token):
        assert hidden not in markup


def test_nothing_is_left_of_a_deleted_account(club, in_club, owner, browser_of, django_capture_on_commit_callbacks):
    zora = in_club(club, "Zora Finch", "organiser")
    member = Membership.objects.get(user=zora)
    league = leagues.make(club.pk, owner, name="Monday League")
    [ben] = makers.names(club, "Ben")
    team = teams.add(league.pk, zora, members=[member.pk, ben.pk])
    teams.change(team.pk, zora, name="Zora Finch and Ben", venue="Zora Finch’s kitchen")
    settings.change(club.pk, zora, fields={"line": "Ask Zora Finch"})
    settings.change(club.pk, zora, fields={"line": "By the quay", "venue": "The quay"})
    news.write(club.pk, zora, title="Zora Finch won", body="x")
    page = browser_of(owner)
    assert "Zora Finch" in page.get("/clubs/harbour/history/")
    with django_capture_on_commit_callbacks(execute=True):
        privacy.delete_account(zora)
    markup = page.get("/clubs/harbour/history/")
    assert "Zora" not in markup
    assert "former member" in markup
    assert "The quay" in markup
    assert News.objects.count() == 1
