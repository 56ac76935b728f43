"""Lists from any file: read for a preview, and imported in one act."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Unpack

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.display_names import folded
from accounts.models import User
from clubs.bring_in import open as lists
from clubs.bring_in import words
from clubs.bring_in.reading import FIXTURES, MEMBERS, Context, Known, Person, Reading
from clubs.bring_in.workbook import Workbook
from clubs.models import Act, Club, KeptAside, League, Membership, Season, Team
from clubs.services import naming
from clubs.services.history import ActionRequest, Record, perform
from clubs.services.members import contact_details, membership
from clubs.services.season_lists import SEASONS, SeasonTerms, with_meant
from clubs.services.seasons.past_seasons import Wishes
from web.errors import Refused

_MONTH_FIRST = ("America/", "US/", "Pacific/Honolulu")
"""Time zones of clubs that write the month before the day, and telephone numbers without a 0 in front."""
_MOST_KEPT = 2000
"""Rows that are set aside of one file."""


@dataclass(frozen=True)
class Choices:
    """What a person has chosen instead of the guesses; `None` where the guess holds."""

    sheet: int | None = None
    """From 0."""
    heading: int | None = None
    """Row of the titles, from 0."""
    has_heading: bool | None = None
    columns: Sequence[str] | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    """By the keys of the questions."""
    first_day: date | None = None
    """Of the season of the list."""


def read(club: Club, book: Workbook, what: str, choices: Choices, wishes: Wishes | None = None) -> Reading:
    """Read a workbook as a list of the club, with what it knows. Lists of seasons are for the league of the wishes."""
    members = Membership.objects.filter(club=club, left_at=None).order_by("pk")
    is_american = club.time_zone.startswith(_MONTH_FIRST)
    context = Context(
        members=[Known(member.pk, member.name, member.email, member.phone) for member in members],
        teams=list(dict.fromkeys(Team.objects.filter(league__club=club).values_list("name", flat=True))),
        month_first=is_american,
        leading_zero=not is_american,
        first_day=choices.first_day or _first_day_of_draft(club, what),
        today=timezone.now().astimezone(club.zone).date(),
        has_team_names=what != MEMBERS and _has_team_names(club, with_league(club, wishes or Wishes())),
        answers=choices.answers,
    )
    remembered = club.list_titles.get(what, {})
    return lists.read(
        *(book, what, context),
        sheet=choices.sheet,
        heading=choices.heading,
        has_heading=choices.has_heading,
        columns=choices.columns,
        remembered=remembered,
    )


def _first_day_of_draft(club: Club, what: str) -> date | None:
    """The first day of the only draft of a season, which fixtures are likely for."""
    drafts = Season.objects.filter(league__club=club, league__is_archived=False, status=Season.Status.DRAFT)
    days = list(drafts.values_list("starts_on", flat=True)[:2]) if what == FIXTURES else []
    return days[0] if len(days) == 1 else None


def _has_team_names(club: Club, wishes: Wishes) -> bool:
    """Whether the sides of a league have names of their own, rather than those of their people."""
    league = League.objects.filter(club=club, pk=wishes.league_id or 0).first()
    return (league.kind if league is not None else wishes.kind) == League.Kind.TEAM


@dataclass
class Outcome:
    """What importing people does."""

    new: list[Membership]
    changed: list[tuple[Membership, dict[str, Any]]]
    """Members of the club, and what is added to them."""
    known: list[Membership]
    """Members of the club who have everything already."""
    refused: list[tuple[Person, str]]
    """People whose names or addresses cannot be stored, and why."""

    @property
    def count(self) -> int:
        """The number of people who come in."""
        return len(self.new) + len(self.changed) + len(self.known)


def outcome(club: Club, reading: Reading) -> Outcome:
    """What importing the people of a list would do."""
    members = {member.pk: member for member in Membership.objects.filter(club=club, left_at=None)}
    used = {folded(member.name) for member in members.values()}
    result = Outcome([], [], [], [])
    for person in reading.people:
        try:
            if person.known is not None and person.known.pk in members:
                _add_to_known(result, members[person.known.pk], person)
            else:
                result.new.append(_new_member(club, person, used))
        except Refused as refusal:
            result.refused.append((person, refusal.sentence))
    return result


def _new_member(club: Club, person: Person, used: set[str]) -> Membership:
    name = naming.clean(person.name, naming.LONGEST_OF_PERSON)
    number, free = 1, name
    while folded(free) in used:
        number += 1
        mark = f" ({number})"
        free = name[: naming.LONGEST_OF_PERSON - len(mark)] + mark
    email = naming.clean_address(person.email)
    used.add(folded(free))
    role, note = _role_and_note(person)
    address = contact_details.clean_address(person.address)
    return Membership(club=club, name=free, email=email, phone=person.phone, address=address, role=role, note=note)


def _role_and_note(person: Person) -> tuple[str, str]:
    """The role of a new member, and the note: what the list says of them otherwise."""
    is_guest = bool({"guest", "visitor", "gast"} & set(words.folded(person.role).split()))
    is_plain = words.folded(person.role) in ("", "member", "player", "mitglied", "spieler", "guest", "visitor", "gast")
    note = "; ".join(filter(None, ["" if is_plain else person.role, person.note]))
    return Membership.Role.GUEST if is_guest else Membership.Role.MEMBER, note[:500]


def _add_to_known(result: Outcome, member: Membership, person: Person) -> None:
    """What is missing of a member is added, and shown to nobody; nothing is overwritten.

    Members with an account enter their contact details themselves.
    """
    added: dict[str, Any] = {}
    is_ours = member.user_id is None
    if person.email and not member.email and is_ours:
        added |= {"email": naming.clean_address(person.email), "shows_email": False}
    if person.phone and not member.phone and is_ours:
        added |= {"phone": person.phone, "shows_phone": False}
    if person.address and not member.address and is_ours:
        added |= {"address": contact_details.clean_address(person.address), "shows_address": False}
    _, note = _role_and_note(person)
    if note and not member.note:
        added["note"] = note
    if added:
        result.changed.append((member, added))
    else:
        result.known.append(member)


def import_members(
    club_id: int, by: User | None, *, book: Workbook, choices: Choices, name: str = "", **how: Unpack[ActionRequest]
) -> Act:
    """Add the people of a list to the club, and what it did not know of its members. No email is sent.

    Raises `Refused` if there is nobody, or too many.
    """

    def do(record: Record) -> str:
        reading = read(record.club, book, MEMBERS, choices)
        result = outcome(record.club, reading)
        if not result.new and not result.changed:
            raise Refused("nobody", gettext("There is nobody to import."))
        if result.new:
            membership.add_rows(record, result.new)
        for member, added in result.changed:
            record.change(member, **added)
        remember(record.club, reading)
        rows_aside = keep_aside(
            record.club, reading, name, [(person.row, person.name, why) for person, why in result.refused]
        )
        count = len(result.new) + len(result.changed)
        sentence = ngettext(
            "%(count)s person was imported from a list.", "%(count)s people were imported from a list.", count
        ) % {"count": count}
        return sentence + _kept_sentence(rows_aside)

    return perform(club_id, do, membership.ADDITION, by=by, **how)


def import_list(
    club_id: int,
    by: User | None,
    *,
    what: str,
    book: Workbook,
    choices: Choices,
    name: str = "",
    wishes: Wishes | None = None,
    season: SeasonTerms | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Import a list of any kind in one act. Raises `Refused`."""
    if what == MEMBERS:
        return import_members(club_id, by, book=book, choices=choices, name=name, **how)
    if what in SEASONS and by is not None:
        return import_seasons(
            *(club_id, by), what=what, book=book, choices=choices, name=name, wishes=wishes, season=season, **how
        )
    raise Refused("not_here", gettext("Lists of this kind can be read here, but not imported."))


def import_seasons(
    club_id: int,
    by: User,
    *,
    what: str,
    book: Workbook,
    choices: Choices,
    wishes: Wishes | None = None,
    name: str = "",
    season: SeasonTerms | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Create the seasons of a list: past ones of results or final tables, one under way of fixtures. Raises `Refused`."""
    kind = SEASONS[what]

    def do(record: Record) -> str:
        where = with_league(record.club, wishes or Wishes())
        reading = read(record.club, book, what, choices, where)
        where = with_meant(reading, where)
        source, left = kind.read(record.club, reading, season, where)
        sentence = kind.make(record, by, source, where)
        remember(record.club, reading)
        return sentence + _kept_sentence(keep_aside(record.club, reading, name, left))

    return perform(club_id, do, kind.act, by=by, **how)


def with_league(club: Club, wishes: Wishes) -> Wishes:
    """The wishes, with the only league of the club if none is named; else a new one."""
    if wishes.league_id is not None or wishes.league_name:
        return wishes
    leagues = list(League.objects.filter(club=club, is_archived=False)[:2])
    if len(leagues) == 1:
        return replace(wishes, league_id=leagues[0].pk)
    return replace(wishes, league_name=gettext("League"))


def _kept_sentence(count: int) -> str:
    if not count:
        return ""
    return " " + ngettext("%(count)s row was set aside.", "%(count)s rows were set aside.", count) % {"count": count}


def remember(club: Club, reading: Reading) -> None:
    """Remember what the columns of this kind of list hold, by their titles."""
    titles = {words.folded(column.title): column.holds for column in reading.layout.columns if column.title}
    before = club.list_titles.get(reading.what, {})
    together = dict(list({**before, **titles}.items())[-200:])
    if together != before:
        club.list_titles = {**club.list_titles, reading.what: together}
        Club.objects.filter(pk=club.pk).update(list_titles=club.list_titles)


def keep_aside(club: Club, reading: Reading, name: str, refused: Sequence[tuple[int, str, str]] = ()) -> int:
    """Store what was set aside for a month; returns the number of whole rows among it."""
    rows: list[list[Any]] = [
        [aside_row.row, list(aside_row.cells), aside_row.why] for aside_row in reading.kept_aside if aside_row.row
    ]
    rows += [[row, [text], why] for row, text, why in refused]
    if rows:
        KeptAside.objects.create(club=club, name=name[:120], what=reading.what, rows=rows[:_MOST_KEPT])
    return len(reading.rows_aside) + len(refused)
