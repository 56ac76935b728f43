"""Tables of a club for people: its members, and every match of its divisions, in the format of imported seasons."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from clubs.exports.tables import Cell
from clubs.imports.season import Absent
from clubs.models import Club, Division, Fixture, Membership
from tournaments.models import Entry, Pairing, Place

Table = tuple[Sequence[str], Iterator[list[Cell]]]
"""The head of a table, and its lines."""
MATCHES = (
    *("league", "season", "division", "matchday", "date", "home", "away", "home score", "away score"),
    *("venue", "walkover", "note"),
)
MEMBERS = (
    *("name", "role", "email", "contact", "in directory", "newsletter", "joined", "left", "phone", "note"),
    *("address", "hears by", "email in handbook", "phone in handbook", "address in handbook"),
)


def members(club: Club) -> Table:
    """A line for every member, current or former."""
    fields = (
        *("name", "role", "email", "contact", "is_listed", "wants_letters"),
        *("joined_at", "left_at", "phone", "note"),
        *("address", "hears_by", "shows_email", "shows_phone", "shows_address"),
    )
    people = Membership.objects.filter(club=club).order_by("name", "pk")
    return MEMBERS, ([getattr(member, field) for field in fields] for member in people)


def matches(club: Club) -> Table:
    """A line for every match played in a division, season by season; without cups and play-offs."""
    return MATCHES, _matches(club)


def _matches(club: Club) -> Iterator[list[Cell]]:
    divisions = Division.objects.filter(season__league__club=club, tournament__isnull=False)
    in_order = ("season__league__name", "season__league", "season__number", "level")
    for division in divisions.select_related("season__league", "tournament").order_by(*in_order):
        yield from _division(club, division)


def _division(club: Club, division: Division) -> Iterator[list[Cell]]:
    played = Pairing.objects.filter(round__stage__tournament=division.tournament_id, status=Pairing.Status.DONE)
    pairings = played.select_related("round", "result").order_by("round__stage__number", "round__number", "number")
    names = dict(Entry.objects.filter(tournament=division.tournament_id).values_list("pk", "name"))
    venues = dict(Fixture.objects.filter(pairing__in=played).values_list("pairing", "venue"))
    places: dict[int, list[Place]] = defaultdict(list)
    for place in Place.objects.filter(pairing__in=played).order_by("pairing", "number"):
        places[place.pairing_id].append(place)
    for pairing in pairings:
        if len(places[pairing.pk]) != 2:
            continue
        home, away = places[pairing.pk]
        at = pairing.starts_at or pairing.done_at
        yield [
            *(division.season.league.name, division.season.name, division.name, pairing.round.number),
            at.astimezone(club.zone).date() if at else None,
            *(names.get(home.entry_id or 0, ""), names.get(away.entry_id or 0, ""), home.score, away.score),
            *(venues.get(pairing.pk, ""), _absent(pairing, home, away)),
            pairing.result.reason if pairing.result else "",
        ]


def _absent(pairing: Pairing, home: Place, away: Place) -> str:
    """The absent sides, in the words of the column."""
    if home.score is not None or away.score is not None:
        return Absent.NOBODY
    lines = pairing.result.lines if pairing.result else []
    if len(lines) == 2:
        gone = [bool(line.get("forfeit")) for line in lines]
    else:
        gone = [place.rank != 1 for place in (home, away)]
    return Absent.BOTH if all(gone) else Absent.HOME if gone[0] else Absent.AWAY
