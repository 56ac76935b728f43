"""Leagues to test with: names of a club as pairs, seasons prepared and drawn, matches found and played."""

from datetime import UTC, date, datetime

import time_machine

from clubs.models import Membership, Season, SeasonEntry, Team
from clubs.services.leagues import leagues, teams
from clubs.services.members import name_claims
from clubs.services.seasons import season_draw, season_setup
from tournaments.models import Pairing
from tournaments.services.matches import results

NOW = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
FIRST_DAY = date(2026, 9, 7)


def september():
    """A week before the first matchday: `with september():`."""
    return time_machine.travel(NOW, tick=False)


def names(club, *people):
    """Members of a club without accounts."""
    return [Membership.objects.create(club=club, name=name) for name in people]


def pair(league, by, number, **fields):
    """The team `Pair 7`: of `Ann 7` and `Ben 7`, names without accounts."""
    club = fields.pop("club", league.club)
    people = names(club, f"Ann {number}", f"Ben {number}")
    return teams.add(
        league.pk, by, members=[member.pk for member in people], name=f"Pair {number}", club_id=club.pk, **fields
    )


def make_season(club, by, sizes=(4,), *, name="Autumn 2026", league=None, **choices):
    """A draft of a season of pairs: `Pair 1` and so on, in the order of the divisions."""
    league = league or leagues.make(club.pk, by, name="Monday League")
    fields = {"starts_on": FIRST_DAY, "preset": "standard", **choices}
    divisions = [(f"Division {level}", size) for level, size in enumerate(sizes, 1)]
    season = season_setup.make(league.pk, by, name=name, divisions=divisions, **fields)
    numbers = iter(range(1, sum(sizes) + 1))
    for division in season.divisions.all():
        division_teams = [pair(league, by, next(numbers)) for _ in range(division.size)]
        season_setup.place(season.pk, by, divisions={division.pk: [team.pk for team in division_teams]})
    return Season.objects.get(pk=season.pk)


def draw(season, by, now=NOW):
    season_draw.draw(season.pk, by, now=now)
    return Season.objects.get(pk=season.pk)


def team(season, name):
    return Team.objects.get(league=season.league, name=name)


def entry(season, name):
    """The entry of a team in its division’s tournament."""
    return SeasonEntry.objects.get(season=season, team__name=name).entry


def match(season, first, second, *, leg=1):
    """The match of two teams of a division by their names."""
    pairings = Pairing.objects.filter(places__entry=entry(season, first)).filter(places__entry=entry(season, second))
    return pairings.order_by("round__number")[leg - 1]


def decide(pairing, by, scores, **how):
    """Enter a result: card points by the name of the team."""
    places = pairing.places.select_related("entry")
    lines = [{"entry": place.entry_id, "score": scores[place.entry.name]} for place in places]
    return results.decide(pairing.pk, lines, by=by, **how)


def play_out(season, by, better=None, now=None):
    """Play every match of the season's divisions that is open: the team with the lower number wins 3,000 to 2,000."""
    open_ones = Pairing.objects.filter(round__stage__tournament__division__season=season, status="ready")
    for pairing in open_ones.order_by("round__number", "number"):
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        first = min(names, key=better or (lambda name: int(name.split()[-1])))
        decide(pairing, by, {name: 3000 if name == first else 2000 for name in names})


def sign_in(club, in_club, name, account):
    """A member with an account who has claimed a name of the club, and with it the results under that name."""
    user = in_club(club, account)
    Membership.objects.filter(club=club, user=user).delete()
    name_claims.claim_by_link(Membership.objects.get(club=club, name=name).claim_token, user)
    return user
