"""Organisers’ work on a league: teams entered one per line, and free members."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext, ngettext

from accounts.models import User
from clubs.models import Act, Club, League, Membership, TeamMember
from clubs.services import naming
from clubs.services.history import ActionRequest
from clubs.services.leagues import teams
from clubs.services.members import membership
from web.errors import NotAllowed, Refused
from web.text import number, quoted, several

MOST_LINES = 100
LONGEST_LINE = 600


@dataclass(frozen=True)
class TeamLine:
    """A team as typed: `Harbour Hawks: Ann Lee, Ben Ode + Cem Kaya`."""

    number: int
    name: str
    players: tuple[str, ...]
    reserves: tuple[str, ...]


def read_lines(text: str, league: League) -> list[TeamLine]:
    """The teams of a text, one per line. Raises `Refused` with the number of a wrong line."""
    lines = []
    for at, line in enumerate(text.splitlines(), 1):
        if line.strip():
            lines.append(_line(at, line.strip(), league))
    if not lines:
        raise Refused("no_lines", gettext("Enter one team per line."), field="lines")
    if len(lines) > MOST_LINES:
        raise Refused(
            "too_many", gettext("You can add at most %(most)s teams at a time.") % {"most": MOST_LINES}, field="lines"
        )
    return lines


def _line(number: int, line: str, league: League) -> TeamLine:
    if len(line) > LONGEST_LINE:
        raise _wrong(number, gettext("This line is too long."))
    name, colon, people = line.rpartition(":")
    players_text, _, reserves_text = people.partition("+")
    players, reserves = _names(number, players_text, league), _names(number, reserves_text, league)
    if not players:
        raise _wrong(number, gettext("Enter the players, for example Harbour Hawks: Ann Lee, Ben Ode."))
    return TeamLine(number, " ".join(name.split()) if colon else "", players, reserves)


def _names(number: int, text: str, league: League) -> tuple[str, ...]:
    separators = text.replace(";", ",")
    if league.kind != League.Kind.PERSON:
        separators = separators.replace(" / ", ",").replace(" & ", ",")
    names = []
    for part in separators.split(","):
        if part.strip():
            try:
                names.append(naming.clean(part, naming.LONGEST_OF_PERSON))
            except Refused as refusal:
                raise _wrong(number, f"{quoted(part.strip()[:60])}: {refusal.sentence}") from None
    return tuple(names)


def _wrong(number: int, sentence: str) -> Refused:
    words = gettext("Line %(line)s: %(sentence)s") % {"line": number, "sentence": sentence}
    return Refused("bad_line", words, field="lines")


def add_teams(league: League, by: User, *, lines: Sequence[TeamLine], club: Club, how: ActionRequest) -> str:
    """Add teams of a club, all or none; new names are added to the club. Return the success message. Raises `Refused`
    with the number of a wrong line.
    """
    with transaction.atomic():
        Club.objects.locked(league.club_id)
        key = how.get("request_key")
        if key and Act.objects.filter(club=league.club_id, request_key=f"{key}:1").exists():
            return _came(len(lines)) % {"count": number(len(lines)), "league": league}
        ids = _ids_by_name(club)
        new = list(dict.fromkeys(name for line in lines for name in (*line.players, *line.reserves)))
        missing = _missing(new, ids)
        if missing:
            membership.add_names(club.pk, by, lines=missing, request_key=f"{key}:names" if key else None)
            ids = _ids_by_name(club)
        for at, line in enumerate(lines, 1):
            _add(league, by, club, line, ids, f"{key}:{at}" if key else None)
    values = {"count": number(len(lines)), "league": league, "names": several(len(missing), "name")}
    if missing:
        words = ngettext(
            "%(count)s team was added to %(league)s, with %(names)s new in the club.",
            "%(count)s teams were added to %(league)s, with %(names)s new in the club.",
            len(lines),
        )
        return words % values
    return _came(len(lines)) % values


def _came(count: int) -> str:
    return ngettext("%(count)s team was added to %(league)s.", "%(count)s teams were added to %(league)s.", count)


def _missing(names: Sequence[str], ids: dict[str, list[int]]) -> list[str]:
    """Names that are new in the club, each once, ignoring case."""
    spellings = {name.casefold(): name for name in reversed(names) if name.casefold() not in ids}
    return [name for name in names if spellings.get(name.casefold()) == name]


def _add(league: League, by: User, club: Club, line: TeamLine, ids: dict[str, list[int]], key: str | None) -> None:
    try:
        teams.add(
            league.pk,
            by,
            members=[_member_id(name, ids) for name in line.players],
            reserves=[_member_id(name, ids) for name in line.reserves],
            name=line.name,
            club_id=club.pk,
            request_key=key,
        )
    except NotAllowed:
        raise
    except Refused as refusal:
        raise _wrong(line.number, refusal.sentence) from None


def _member_id(name: str, ids: dict[str, list[int]]) -> int:
    matching = ids[name.casefold()]
    if len(matching) > 1:
        words = gettext("Several members are called %(name)s. Add this team by choosing its people below.")
        raise Refused("doubtful", words % {"name": name})
    return matching[0]


def _ids_by_name(club: Club) -> dict[str, list[int]]:
    """Ids of a club’s members by name, in lower case."""
    ids: dict[str, list[int]] = {}
    for pk, name in Membership.objects.filter(club=club, left_at=None).values_list("pk", "name"):
        ids.setdefault(name.casefold(), []).append(pk)
    return ids


def free_people(league: League, club: Club) -> list[Membership]:
    """Members of a club who play in no team of the league, by name."""
    members = TeamMember.objects.filter(team__league=league, team__left_at=None, left_at=None)
    playing = members.exclude(role=TeamMember.Role.RESERVE).values("membership")
    return list(Membership.objects.filter(club=club, left_at=None).exclude(pk__in=playing).order_by("name", "pk"))


def people(club: Club) -> list[Membership]:
    """All members of a club, by name."""
    return list(Membership.objects.filter(club=club, left_at=None).order_by("name", "pk"))
