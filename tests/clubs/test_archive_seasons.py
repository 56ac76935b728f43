"""A club whose season is under way, exported and imported: nothing changes, and it continues."""

from datetime import date, timedelta

import pytest

from clubs.league import fixtures, table
from clubs.models import Blackout, JoinRequest, Membership, Proposal, Season, SeasonEvent
from clubs.services.leagues import proposals
from clubs.services.members import joining, name_claims
from clubs.services.seasons import cups, next_season, season_close
from tests.clubs import leagues as makers
from tests.clubs.test_archive import bring, inside, rows, take
from tests.tournaments.online import drawn, online  # noqa: F401  fixtures
from tournaments.models import Board, Pairing, Stage, Tournament
from tournaments.services.entries import withdrawal
from tournaments.services.matches import point_adjustments

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(staff):
    """The creator of events in tests of tournaments."""
    return staff["owner"]


def page_content(season):
    """Everything on the pages of a season: its standings with ranges and ties, and its fixtures."""
    tables = [
        (
            standings.division.name,
            [
                (row.place, row.team.name, row.played, row.scored, row.points, row.can_finish, row.note)
                for row in standings.rows
            ],
            [tie.sentence for tie in standings.ties],
        )
        for standings in table.tables(season)
    ]
    days = [
        (
            day.number,
            day.starts_at,
            [
                (match.home.name, match.away.name, match.home.score, match.starts_at, match.venue)
                for match in day.matches
            ],
        )
        for division in season.divisions.all()
        for day in fixtures.matchdays(division)
    ]
    return tables, days


@pytest.fixture
def running(club, owner, in_club):
    """A season of two divisions in which a good deal has happened."""
    season = makers.draw(makers.make_season(club, owner, (4, 5)), owner)
    ann = makers.sign_in(club, in_club, "Ann 1", "Zoe")
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 4000, "Pair 2": 3000})
    makers.decide(makers.match(season, "Pair 5", "Pair 6"), owner, {"Pair 5": 1000, "Pair 6": 1000})
    corrected = makers.match(season, "Pair 5", "Pair 6")
    makers.decide(corrected, owner, {"Pair 5": 1000, "Pair 6": 1500}, reason="Misread")
    moved = makers.match(season, "Pair 1", "Pair 3")
    proposal = proposals.propose(
        moved.pk,
        ann,
        team_id=makers.team(season, "Pair 1").pk,
        starts_at=moved.round.starts_at + timedelta(days=2),
        venue="Harbour Hall",
        now=makers.NOW,
    )
    proposals.accept(proposal.pk, owner, now=makers.NOW)
    stage = Stage.objects.get(tournament=season.divisions.get(level=2).tournament)
    entry = makers.entry(season, "Pair 6")
    point_adjustments.adjust(stage.pk, owner, entry_id=entry.pk, points="-1", reason="Late")
    withdrawal.withdraw(makers.entry(season, "Pair 9").pk, owner, reason="Ill")
    cups.make_cup(
        season.pk, owner, name="Harbour Cup", team_ids=[makers.team(season, f"Pair {at}").pk for at in (1, 2, 5)]
    )
    Blackout.objects.create(season=season, first_day=date(2026, 12, 24), last_day=date(2026, 12, 26), reason="Holidays")
    return season


@pytest.mark.slow
def test_a_season_under_way_is_unchanged_and_continues(club, owner, running, person):
    data = take(club, owner)
    otto = person("Otto")
    new = bring(data, otto, slug="harbour-two")
    over_there = Season.objects.get(league__club=new)
    assert page_content(over_there) == page_content(running)
    assert Proposal.objects.get(team__league__club=new).status == "accepted"
    assert SeasonEvent.objects.get(season=over_there).entries.count() == 3
    assert over_there.blackouts.count() == 1
    # The cup is played, the season ends over there as it does here.
    for season, by in ((running, owner), (over_there, otto)):
        for pairing in Pairing.objects.filter(round__stage__tournament__season_event__season=season).order_by("pk"):
            pairing.refresh_from_db()
            if pairing.status == "ready":
                names = [place.entry.name for place in pairing.places.select_related("entry")]
                makers.decide(pairing, by, {name: 100 - at for at, name in enumerate(names)})
        makers.play_out(season, by)
    for season in (running, over_there):
        season.refresh_from_db()
    assert page_content(over_there)[0] == page_content(running)[0]
    season_close.close(running.pk, owner)
    season_close.close(over_there.pk, otto)

    def honours(season):
        return list(season.honours.order_by("title", "team__name").values_list("title", "team__name", "place"))

    assert honours(over_there) == honours(running)


def test_equal_files_of_a_season_under_way(club, owner, running, person):
    data = take(club, owner)
    otto = person("Otto")
    new = bring(data, otto, slug="harbour-two", own_name="Owner")
    first, second = inside(data), inside(take(new, otto))
    assert set(first) == set(second)
    changed = {name for name in first if first[name] != second[name]}
    assert changed <= {"data/clubs.club.json", "data/tournaments.tournament.json"}


def test_a_closed_season_and_the_next_ones_draft(club, owner, person):
    season = makers.draw(makers.make_season(club, owner, (4, 4)), owner)
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    draft = next_season.make(season.pk, owner, name="Spring 2027", starts_on=date(2027, 3, 1))
    new = bring(take(club, owner), person("Otto"), slug="harbour-two")
    over_there = Season.objects.get(league__club=new, number=draft.number)
    assert over_there.drawn_from == Season.objects.get(league__club=new, number=season.number)

    def placed(season):
        return list(season.entries.values_list("division__name", "team__name", "position"))

    assert placed(over_there) == placed(draft)
    assert page_content(Season.objects.get(league__club=new, status="closed")) == page_content(season)


def test_online_tables_and_sealed_deals_stay_behind(club, owner, online, person):  # noqa: F811  the fixture
    cup = online(shares_deals=True)
    Tournament.objects.filter(pk=cup.pk).update(circle=club.circle)
    sealed = list(Board.objects.filter(stage__tournament=cup, opened_at=None).values_list("key", flat=True))
    assert sealed
    data = take(club, owner)
    assert {row["status"] for row in rows(data, "tournaments.pairing")} == {"ready"}
    assert all("table_id" not in row for row in rows(data, "tournaments.pairing"))
    text = b"".join(inside(data).values()).decode("utf-8", "replace")
    assert not [key for key in sealed if key in text]
    new = bring(data, person("Otto"), slug="harbour-two")
    copy = Tournament.objects.get(circle=new.circle)
    assert not Pairing.objects.filter(round__stage__tournament=copy).exclude(table=None).exists()
    assert copy.entries.count() == cup.entries.count()


def test_lots_of_an_event_that_has_not_begun_stay_secret(club, owner, new_event, person):
    draft = new_event("swiss", entries=4, circle=club.circle, lots="feedc0de")
    data = take(club, owner)
    assert "feedc0de" not in b"".join(inside(data).values()).decode("utf-8", "replace")
    new = bring(data, person("Otto"), slug="harbour-two")
    assert Tournament.objects.get(circle=new.circle).lots not in ("", draft.lots)


def test_who_may_run_the_events_over_there(club, owner, running, person):
    otto = person("Otto")
    new = bring(take(club, owner), otto, slug="harbour-two")
    events = Tournament.objects.filter(circle=new.circle)
    assert {organiser.user for event in events for organiser in event.organisers.all()} == {otto}
    organiser = Membership.objects.get(club=new, role="organiser")
    joining.ask(new.pk, person("Mia"), name=organiser.name)
    joining.accept(JoinRequest.objects.get().pk, otto, membership_id=organiser.pk)
    assert list(Membership.objects.filter(club=new, user__username="mia").values_list("role", flat=True)) == [
        "organiser"
    ]
    assert all(event.organisers.filter(user__username="mia", role="director").exists() for event in events)


def test_nobody_becomes_an_owner_by_a_link(club, owner, person):
    """Organisers see the links of names: none of them may make anyone an owner."""
    new = bring(take(club, owner), person("Otto"), slug="harbour-two")
    name = Membership.objects.get(club=new, role="owner", user=None)
    name_claims.claim_by_link(name.claim_token, person("Mia"))
    name.refresh_from_db()
    assert (name.user.username, name.role) == ("mia", "member")
