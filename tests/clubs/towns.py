"""Clubs of two sizes, with something behind every public address: to see what their pages cost."""

from datetime import date, timedelta

from django.urls import NoReverseMatch
from django.utils import timezone

from clubs.house_rules import services as house_rules
from clubs.imports.season import read_season
from clubs.models import Invitation, League, LeagueClub, Membership, Season, SeasonEntry, TeamMember
from clubs.services import settings
from clubs.services.leagues import leagues, proposals
from clubs.services.members import membership
from clubs.services.publications import meetings, news
from clubs.services.seasons import cups, past_seasons, season_setup
from clubs.services.seasons.past_seasons import Wishes
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tests.clubs.seasons import round_robin, sheet
from tests.makers import make_club, make_event
from tests.security.clubs import MadeClub, club_addresses
from tournaments.models import Pairing
from tournaments.services.matches import point_adjustments


def town(owner, word, size):
    """A club with `size` times as much of everything: members, teams, matches, seasons, leagues, news, dates, rules."""
    club = make_club(f"{word} club", owner=owner)
    settings.change(club.pk, owner, fields={"takes_guests": True})
    membership.add_names(club.pk, owner, lines=[f"{word} {at}" for at in range(4 * size)])
    rules = [_rules(club, owner, f"{word} rules {at}", size) for at in range(size)]
    league = leagues.make(club.pk, owner, name=f"{word} league")
    season = _season(club, owner, league, rules[0], size)
    for at in range(size):
        _season_before(club, owner, league, at, 4 * size)
        other = leagues.make(club.pk, owner, name=f"{word} other {at}")
        _season_before(club, owner, other, at, 4)
        news.write(club.pk, owner, title=f"News {at}", body="Hello.\n\nMore.", is_pinned=not at)
        soon = timezone.now() + timedelta(days=at + 1)
        meetings.add(club.pk, owner, title=f"Night {at}", starts_at=soon, venue="Elsewhere")
        meetings.add(club.pk, owner, title=f"Past {at}", starts_at=timezone.now() + timedelta(hours=at + 1))
        guest = make_club(f"{word} guest {at}")
        LeagueClub.objects.create(league=league, club=guest, agreed_at=timezone.now())
        guest_league = League.objects.create(club=guest, name="Guest league", slug="guest-league")
        LeagueClub.objects.create(league=guest_league, club=club, agreed_at=timezone.now())
        for status in ("open", "over"):
            _event(club, owner, f"{word} {status} {at}", status)
    return _filled(club, owner, league, season)


def _rules(club, owner, name, versions):
    house_rules.make(club.pk, owner, name=name, rules=Rules.preset("family"))
    house = club.house_rules.get(name=name)
    for at in range(versions):
        rules = Rules.make("standard", {"length": {"deals": at + 1}})
        house_rules.save(house.pk, owner, rules=rules, note=f"Change {at}")
    return house


def _season(club, owner, league, rules, size):
    """A season under way: half played, with a proposal, a day off, cups, a point adjustment and a departed member."""
    sizes = [4 + 2 * size] + [3] * size
    season = makers.make_season(club, owner, sizes, league=league, rules_version_id=rules.versions.first().pk)
    for at in range(size):
        off = makers.FIRST_DAY + timedelta(days=200 + at)
        season_setup.add_blackout(season.pk, owner, first_day=off, last_day=off)
    makers.draw(season, owner)
    season = Season.objects.get(pk=season.pk)
    ready = Pairing.objects.filter(round__stage__tournament__division__season=season, status="ready")
    for at, pairing in enumerate(ready.order_by("round__number", "number")):
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        if set(names) <= {"Pair 1", "Pair 2"} or "Pair 3" in names:
            continue
        makers.decide(pairing, owner, {names[0]: 3000, names[1]: 2000 + 10 * at})
    entries = SeasonEntry.objects.filter(season=season).order_by("position", "pk")
    for entry in list(entries.filter(division__level=1))[-size:]:
        point_adjustments.adjust(
            entry.entry.in_stages.get().stage_id, owner, entry_id=entry.entry_id, points="-1", reason="Late"
        )
    waiting = list(ready.filter(places__entry__name="Pair 3").order_by("pk"))[:size]
    for match in waiting:
        at = makers.NOW + timedelta(days=3)
        proposals.propose(match.pk, owner, team_id=makers.team(season, "Pair 3").pk, starts_at=at)
    teams = list(entries.filter(division__level=1).values_list("team_id", flat=True))
    for at in range(size):
        cups.make_cup(season.pk, owner, name=f"Cup {at}", team_ids=teams)
    return season


def _season_before(club, owner, league, at, teams):
    names = [f"Pair {number}" for number in range(1, teams + 1)]
    lines = round_robin(names, season=f"Past {at}", division="Division 1", first=date(2020 + at, 1, 6))
    for line in lines:
        line[8] = "Harbour Hall"
    reading = read_season(sheet(lines))
    assert not reading.problems
    past_seasons.import_seasons(club.pk, owner, sheet=reading, wishes=Wishes(league_id=league.pk))


def _event(club, owner, name, status):
    now = timezone.now()
    ended_at = now if status == "over" else None
    make_event(owner, name=name, circle=club.circle, status=status, starts_at=now, ended_at=ended_at)


def _filled(club, owner, league, season):
    team = makers.team(season, "Pair 1")
    rules = club.house_rules.order_by("pk").first()
    reader = Membership.objects.create(club=club, name="Reader", email="reader@example.org")
    invitation = Invitation.objects.create(club=club, email="asked@example.org", by=owner)
    arguments = {
        "club": club.slug,
        "rules": rules.slug,
        "version": 1,
        "league": league.slug,
        "season": season.slug,
        "level": 1,
        ("division", "level"): 2,
        "number": team.number,
        "match": makers.match(season, "Pair 1", "Pair 2").pk,
        "membership": TeamMember.objects.filter(team=team).first().membership_id,
        "news": club.news.first().pk,
        ("come", "meeting"): club.meetings.order_by("-starts_at").first().pk,
        "part": "results",
        ("stop_letters", "token"): reader.letters_token,
        ("join_by_link", "token"): club.join_token,
        ("invitation", "token"): invitation.token,
        ("claim", "token"): reader.claim_token,
        ("shared_rules", "token"): rules.versions.first().token,
        ("shared_rules_file", "token"): rules.versions.first().token,
    }
    return MadeClub(club, owner, arguments, {"season": season, "league": league})


QUERIES = {"head_to_head": "?one=1&other=2", "season_statistics": "?division=2"}
"""Queries that pages are opened with."""


def pages(town):
    """The public pages of a club: (name of the address, path) of every one that can be filled."""
    paths = []
    for name, address in sorted(club_addresses().items()):
        try:
            path = address.path(town.filled(address))
        except (KeyError, NoReverseMatch):
            continue
        paths.append((name, path + QUERIES.get(name, "")))
        if name in QUERIES:
            paths.append((name, path))
    return paths
