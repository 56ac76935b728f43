"""Teams, their rosters, and the entries that follow them during a season."""

import pytest

from clubs.models import Act, Appearance, Membership, SeasonEntry, Team, TeamMember
from clubs.roles import RANKS, ROLES
from clubs.services import history
from clubs.services.leagues import leagues, matchday_edits, team_entries, teams
from clubs.services.seasons import season_setup
from tests.clubs import leagues as makers
from tests.makers import make_club
from tournaments.models import Member, Pairing
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(club, staff):
    return leagues.make(club.pk, staff["organiser"], name="Monday League")


@pytest.fixture
def squads(club, staff, in_club):
    """The people by name of the team `Red`, whose captain is Cap, and the team itself; it plays a running season."""
    owner = staff["owner"]
    league = leagues.make(club.pk, owner, name="Team League", kind="team")
    people = [in_club(club, name) for name in ("Cap", "Pat", "Vic")]
    red_members = [Membership.objects.get(user=user) for user in people]
    blue_members = makers.names(club, "Xe", "Yu", "Zoe")
    red = teams.add(league.pk, owner, members=[member.pk for member in red_members], name="Red")
    blue = teams.add(league.pk, owner, members=[member.pk for member in blue_members], name="Blue")
    season = season_setup.make(league.pk, owner, name="2026", starts_on=makers.FIRST_DAY, divisions=[("First", 2)])
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [red.pk, blue.pk]})
    makers.draw(season, owner)
    return dict(zip(("Cap", "Pat", "Vic"), people, strict=True)), red


def roster(team):
    return [(player.membership.name, player.role) for player in team_entries.roster(team)]


def entered_players(team):
    """The people of the team's entry in the running season, as its tournament has them."""
    rows = Member.objects.filter(entry__season_entry__team=team, left_at=None, answer="accepted")
    return {(player.name, player.role, player.is_captain) for player in rows}


# Making


def test_a_pair_is_called_by_its_people_unless_it_has_a_name(league, club, staff):
    ann, ben, cem, dee = makers.names(club, "Ann", "Ben", "Cem", "Dee")
    team = teams.add(league.pk, staff["owner"], members=[ann.pk, ben.pk])
    other = teams.add(league.pk, staff["owner"], members=[cem.pk, dee.pk], name="The Aces", venue="The Anchor")
    assert (team.name, team.number) == ("Ann / Ben", 1)
    assert (other.name, other.number, other.venue) == ("The Aces", 2, "The Anchor")
    assert roster(team) == [("Ann", "captain"), ("Ben", "player")]


def test_two_teams_are_not_called_the_same(league, club, staff):
    makers.pair(league, staff["owner"], 1)
    people = makers.names(club, "Cem", "Dee")
    with pytest.raises(Refused, match="called") as refused:
        teams.add(league.pk, staff["owner"], members=[member.pk for member in people], name="pair 1")
    assert refused.value.details["field"] == "name"


@pytest.mark.parametrize(
    ("kind", "count", "words"),
    [("person", 2, "plays alone"), ("pair", 1, "two people"), ("pair", 3, "two people"), ("team", 1, "2 to 12")],
)
def test_a_team_has_as_many_as_its_league_is_of(club, staff, kind, count, words):
    league = leagues.make(club.pk, staff["owner"], name="League", kind=kind)
    people = makers.names(club, *"ABC"[:count])
    with pytest.raises(Refused, match=words) as refused:
        teams.add(league.pk, staff["owner"], members=[member.pk for member in people])
    assert refused.value.details["field"] == "members"


def test_nobody_plays_in_two_pairs_and_nobody_comes_from_another_club(league, club, staff, in_club):
    other = make_club("Quay")
    ann, ben, cem = makers.names(club, "Ann", "Ben", "Cem")
    stranger = Membership.objects.create(club=other, name="Uma")
    teams.add(league.pk, staff["owner"], members=[ann.pk, ben.pk])
    for member, words in ((ann, "Ann already plays in Ann / Ben"), (stranger, "Choose people of"), (cem, "once")):
        with pytest.raises(Refused, match=words):
            teams.add(league.pk, staff["owner"], members=[cem.pk, member.pk])


def test_adding_a_team_is_undone_until_it_is_in_a_season(league, staff):
    owner = staff["owner"]
    team = makers.pair(league, owner, 1)
    act = Act.objects.filter(kind="team").latest("pk")
    history.undo(act.pk, by=owner)
    assert not Team.objects.exists()
    team = makers.pair(league, owner, 2)
    act = Act.objects.filter(kind="team").latest("pk")
    season = season_setup.make(league.pk, owner, name="2026", starts_on=makers.FIRST_DAY)
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [team.pk]})
    with pytest.raises(Refused, match="It can leave the league instead"):
        history.undo(act.pk, by=owner)


def test_a_team_leaves_with_its_drafts_and_comes_back(club, staff):
    owner = staff["owner"]
    season = makers.make_season(club, owner, (3,))
    team = makers.team(season, "Pair 2")
    teams.leave(team.pk, owner)
    assert not SeasonEntry.objects.filter(team=team).exists()
    with pytest.raises(Refused, match="already"):
        teams.leave(team.pk, owner)
    teams.rejoin(team.pk, owner)
    assert Team.objects.get(pk=team.pk).left_at is None


def test_a_team_does_not_leave_during_a_season(club, staff):
    season = makers.draw(makers.make_season(club, staff["owner"], (2,)), staff["owner"])
    with pytest.raises(Refused, match="Withdraw it there"):
        teams.leave(makers.team(season, "Pair 1").pk, staff["owner"])


# Rights


def test_a_pair_acts_for_itself_and_members_for_nobody_else(league, club, staff, in_club):
    ann = in_club(club, "Ann")
    members = [Membership.objects.get(user=ann), *makers.names(club, "Ben")]
    team = teams.add(league.pk, staff["owner"], members=[member.pk for member in reversed(members)])
    teams.change(team.pk, ann, name="The Aces", venue="Ann's kitchen")
    team.refresh_from_db()
    assert (team.name, team.venue) == ("The Aces", "Ann's kitchen")
    for somebody in (staff["member"], staff["scorer"]):
        with pytest.raises(NotAllowed, match="Only a player of The Aces"):
            teams.change(team.pk, somebody, name="Ours", venue="")


def test_of_a_team_only_the_captain_acts(squads):
    people, red = squads
    with pytest.raises(NotAllowed, match="Only the captain of Red"):
        teams.change(red.pk, people["Pat"], name="Reds", venue="")
    teams.change(red.pk, people["Cap"], name="Reds", venue="")
    assert SeasonEntry.objects.get(team=red).entry.name == "Reds"


# During a season


def test_the_draw_enters_rosters_with_reserves_and_knows_who_of_the_club_they_are(club, staff):
    owner = staff["owner"]
    season = makers.make_season(club, owner, (2,))
    team = makers.team(season, "Pair 1")
    [rex] = makers.names(club, "Rex")
    teams.add_member(team.pk, owner, membership_id=rex.pk, role="reserve")
    makers.draw(season, owner)
    assert entered_players(team) == {("Ann 1", "player", True), ("Ben 1", "player", False), ("Rex", "reserve", False)}
    assert {
        appearance.membership.name: appearance.member.name
        for appearance in Appearance.objects.filter(member__entry__name="Pair 1")
    } == {name: name for name in ("Ann 1", "Ben 1", "Rex")}


def test_who_comes_and_goes_during_a_season_does_so_in_the_entry(club, squads, staff):
    people, red = squads
    mia = Membership.objects.get(user=staff["member"])
    teams.add_member(red.pk, people["Cap"], membership_id=mia.pk)
    assert ("Member", "player", False) in entered_players(red)
    vic = TeamMember.objects.get(team=red, membership__user=people["Vic"])
    teams.remove_member(vic.pk, people["Cap"])
    assert {name for name, _, _ in entered_players(red)} == {"Cap", "Pat", "Member"}
    assert [name for name, _ in roster(red)] == ["Cap", "Pat", "Member"]
    teams.set_role(TeamMember.objects.get(team=red, membership=mia).pk, people["Cap"], role="reserve")
    assert ("Member", "reserve", False) in entered_players(red)


def test_a_team_keeps_enough_players(squads):
    people, red = squads
    _, second, third = team_entries.roster(red)
    teams.remove_member(third.pk, people["Cap"])
    with pytest.raises(Refused, match="cannot play without Pat"):
        teams.remove_member(second.pk, people["Cap"])


def test_a_new_captain_acts_from_now_on_here_and_there(squads):
    people, red = squads
    pat = TeamMember.objects.get(team=red, membership__user=people["Pat"])
    teams.set_role(pat.pk, people["Cap"], role="captain")
    assert roster(red)[0] == ("Pat", "captain")
    assert {name for name, _, is_captain in entered_players(red) if is_captain} == {"Pat"}
    with pytest.raises(NotAllowed):
        teams.change(red.pk, people["Cap"], name="Mine", venue="")


def test_when_the_captain_goes_the_next_player_is_captain(squads, staff):
    people, red = squads
    cap = TeamMember.objects.get(team=red, membership__user=people["Cap"])
    teams.remove_member(cap.pk, staff["owner"])
    assert roster(red) == [("Pat", "captain"), ("Vic", "player")]
    assert {name for name, _, is_captain in entered_players(red) if is_captain} == {"Pat"}


def test_a_member_takes_over_in_a_pair_for_good(club, staff):
    owner = staff["owner"]
    season = makers.draw(makers.make_season(club, owner, (2,)), owner)
    team = makers.team(season, "Pair 1")
    ben = TeamMember.objects.get(team=team, membership__name="Ben 1")
    [rex] = makers.names(club, "Rex")
    new = teams.replace_member(ben.pk, owner, membership_id=rex.pk, request_key="k")
    assert teams.replace_member(ben.pk, owner, membership_id=rex.pk, request_key="k") == new
    assert roster(team) == [("Ann 1", "captain"), ("Rex", "player")]
    assert entered_players(team) == {("Ann 1", "player", True), ("Rex", "player", False)}
    assert Appearance.objects.get(membership=rex).member.entry == makers.entry(season, "Pair 1")


def test_a_reserve_takes_over_from_the_bench(club, staff):
    owner = staff["owner"]
    season = makers.make_season(club, owner, (2,))
    team = makers.team(season, "Pair 1")
    [rex] = makers.names(club, "Rex")
    reserve = teams.add_member(team.pk, owner, membership_id=rex.pk, role="reserve")
    makers.draw(season, owner)
    ann = TeamMember.objects.get(team=team, membership__name="Ann 1")
    assert teams.replace_member(ann.pk, owner, membership_id=rex.pk) == reserve
    assert roster(team) == [("Rex", "captain"), ("Ben 1", "player")]
    assert entered_players(team) == {("Rex", "player", True), ("Ben 1", "player", False)}


def test_a_pair_has_no_room_for_a_third_player(club, staff):
    owner = staff["owner"]
    season = makers.draw(makers.make_season(club, owner, (2,)), owner)
    [rex] = makers.names(club, "Rex")
    with pytest.raises(Refused, match="two people") as refused:
        teams.add_member(makers.team(season, "Pair 1").pk, owner, membership_id=rex.pk)
    assert refused.value.details["field"] == "membership"


def test_who_plays_in_a_division_is_reserve_of_no_other_team_of_it_during_the_season(club, staff):
    owner = staff["owner"]
    season = makers.draw(makers.make_season(club, owner, (2,)), owner)
    user = staff["member"]
    mia = Membership.objects.get(user=user)
    teams.add_member(makers.team(season, "Pair 1").pk, owner, membership_id=mia.pk, role="reserve")
    with pytest.raises(Refused, match="Member is already in Pair 1"):
        teams.add_member(makers.team(season, "Pair 2").pk, owner, membership_id=mia.pk, role="reserve")
    assert roster(makers.team(season, "Pair 2")) == [("Ann 2", "captain"), ("Ben 2", "player")]


# Leagues across clubs


@pytest.fixture
def quinn(quay, in_club):
    """An organiser of the club Quay, unknown in Harbour."""
    return in_club(quay, "Quinn", "organiser")


@pytest.fixture
def visit(club, staff, quay, quinn):
    """The teams `Pair 1` of Harbour and `Pair 2` of Quay in a running season of Harbour's league."""
    owner = staff["owner"]
    league = leagues.make(club.pk, owner, name="Coast League")
    leagues.answer_club(leagues.invite_club(league.pk, owner, club="quay").pk, quinn, agrees=True)
    host, guest = makers.pair(league, owner, 1), makers.pair(league, quinn, 2, club=quay)
    season = season_setup.make(league.pk, owner, name="2026", starts_on=makers.FIRST_DAY, divisions=[("First", 2)])
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [host.pk, guest.pk]})
    makers.draw(season, owner)
    return host, guest


def test_organisers_of_a_guest_club_change_its_rosters_during_a_season(club, quay, quinn, visit):
    _, guest = visit
    rex, sam = makers.names(quay, "Rex", "Sam")
    ben = TeamMember.objects.get(team=guest, membership__name="Ben 2")
    teams.replace_member(ben.pk, quinn, membership_id=rex.pk)
    reserve = teams.add_member(guest.pk, quinn, membership_id=sam.pk, role="reserve")
    assert entered_players(guest) == {("Ann 2", "player", True), ("Rex", "player", False), ("Sam", "reserve", False)}
    teams.remove_member(reserve.pk, quinn)
    teams.set_role(TeamMember.objects.get(team=guest, membership=rex, left_at=None).pk, quinn, role="captain")
    teams.change(guest.pk, quinn, name="Quay One", venue="Quay 1")
    assert entered_players(guest) == {("Ann 2", "player", False), ("Rex", "player", True)}
    assert SeasonEntry.objects.get(team=guest).entry.name == "Quay One"
    acts = Act.objects.filter(by=quinn, club=club).order_by("pk").values_list("kind", "name")
    assert list(acts)[-5:] == [("roster", "Quinn")] * 4 + [("team_change", "Quinn")]
    assert not Act.objects.filter(club=quay).exists()


def test_the_rules_of_rosters_hold_for_a_guest_club_too(quay, quinn, visit, club):
    _host, guest = visit
    [mia] = makers.names(club, "Mia")
    ann = TeamMember.objects.get(team=guest, membership__name="Ann 2")
    with pytest.raises(Refused, match="Choose people of Quay"):
        teams.add_member(guest.pk, quinn, membership_id=mia.pk, role="reserve")
    with pytest.raises(Refused, match="cannot play without"):
        teams.remove_member(ann.pk, quinn)
    with pytest.raises(Refused, match="two people"):
        teams.add_member(guest.pk, quinn, membership_id=makers.names(quay, "Rex")[0].pk)


def test_organisers_of_a_guest_club_touch_no_team_of_another_club(club, quay, quinn, visit):
    ours, _ = visit
    [rex] = makers.names(club, "Rex")
    [_captain, player] = team_entries.roster(ours)
    before = (roster(ours), entered_players(ours), Act.objects.count())
    for act in (
        lambda: teams.add_member(ours.pk, quinn, membership_id=rex.pk, role="reserve"),
        lambda: teams.replace_member(player.pk, quinn, membership_id=rex.pk),
        lambda: teams.remove_member(player.pk, quinn),
        lambda: teams.set_role(player.pk, quinn, role="captain"),
        lambda: teams.change(ours.pk, quinn, name="Mine", venue=""),
        lambda: teams.leave(ours.pk, quinn),
    ):
        with pytest.raises(NotAllowed):
            act()
    assert (roster(ours), entered_players(ours), Act.objects.count()) == before


@pytest.mark.parametrize("role", RANKS)
def test_roles_of_a_guest_club_change_rosters_as_the_table_says(quay, visit, in_club, role):
    _, guest = visit
    somebody = in_club(quay, "Una", role)
    [rex] = makers.names(quay, "Rex")
    if "rosters" in ROLES[role]:
        teams.add_member(guest.pk, somebody, membership_id=rex.pk, role="reserve")
        assert ("Rex", "reserve", False) in entered_players(guest)
    else:
        with pytest.raises(NotAllowed):
            teams.add_member(guest.pk, somebody, membership_id=rex.pk, role="reserve")
        assert ("Rex", "reserve", False) not in entered_players(guest)


def test_an_organiser_of_a_guest_club_finds_the_page_and_the_door_for_programs(quay, quinn, visit, browser_of, program):
    host, guest = visit
    rex, sam = makers.names(quay, "Rex", "Sam")
    desk = browser_of(quinn)
    page = f"{guest.get_absolute_url()}roster/"
    assert page in desk.get("/clubs/quay/leagues/")
    desk.submit(page, "add", membership=rex.pk, role="reserve")
    assert ("Rex", "reserve", False) in entered_players(guest)
    assert desk.client.get(f"{host.get_absolute_url()}roster/").status_code == 403
    api = program(quinn)
    api.post("clubs/harbour/leagues/coast-league/teams/2/add-member/", membership=sam.pk, role="reserve")
    assert ("Sam", "reserve", False) in entered_players(guest)
    api.post("clubs/harbour/leagues/coast-league/teams/1/add-member/", 403, membership=sam.pk, role="reserve")


def test_a_guest_club_names_who_plays_a_match_for_it(quay, quinn, visit):
    host, guest = visit
    match = Pairing.objects.get()
    [sam] = makers.names(quay, "Sam")
    ann = Membership.objects.get(name="Ann 2")
    matchday_edits.set_line_up(match.pk, quinn, team_id=guest.pk, membership_ids=[ann.pk, sam.pk])
    place = match.places.get(entry__season_entry__team=guest)
    assert list(Member.objects.filter(pk__in=place.players).values_list("name", flat=True)) == ["Ann 2", "Sam"]
    with pytest.raises(NotAllowed):
        matchday_edits.set_line_up(match.pk, quinn, team_id=host.pk, membership_ids=[])
