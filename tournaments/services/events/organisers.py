"""Who helps to run an event, and what each may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByRow, Never, Rows
from tournaments import access
from tournaments.models import Act, Organiser, Tournament
from tournaments.roles import ROLES
from tournaments.services import notifications
from tournaments.services.action_context import made
from tournaments.services.entries import person_lookup
from tournaments.services.entries.person_lookup import Who
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record
from web.errors import Refused


def _check_may_remove(by: User, row: Organiser) -> None:
    """Raise unless this is about oneself, or one says who organises."""
    if row.user_id != by.pk:
        access.check(by, row.tournament, "organisers")


ORGANISERS = declare("organisers", needs="organisers", undo=Rows())
LEAVE = declare("organisers", needs=ByRow(_check_may_remove), undo=Rows("organisers"))
TELL = declare("told", needs="tell", undo=Never("People were told."))


def add_organiser(
    tournament_id: int, by: User, *, who: Who, role: str = Organiser.Role.DIRECTOR, **how: Unpack[How]
) -> Organiser:
    """Let somebody with an account help to run the event; a notice tells them. Raises `Refused` for who helps already."""

    def do(record: Record) -> str:
        _check_role(role)
        user = person_lookup.read(record, who, names_alone=False).user
        if user is None:
            raise Refused("no_account", gettext("Organisers need an account. Enter the name of one."))
        row = Organiser.objects.filter(tournament=record.tournament, user=user).first()
        if row is not None:
            raise Refused(
                "organises_already",
                gettext("%(name)s is already %(role)s.") % {"name": user, "role": _in_words(row.role)},
            )
        record.create(Organiser(tournament=record.tournament, user=user, role=role))
        person_lookup.tell(
            record,
            user,
            lambda: gettext("%(name)s made you %(role)s of the event") % {"name": by, "role": _in_words(role)},
            what="organiser",
        )
        return gettext("%(name)s became %(role)s.") % {"name": user, "role": _in_words(role)}

    return made(perform(tournament_id, do, ORGANISERS, by=by, **how), Organiser)


def change_role(organiser_id: int, by: User, *, role: str, **how: Unpack[How]) -> Act:
    """Give an organiser another role. Raises `Refused` where nobody would own the event any more."""

    def do(record: Record) -> str:
        row = _organiser(record, organiser_id)
        _check_role(role)
        if row.role == role:
            raise Refused(
                "same_role", gettext("%(name)s is already %(role)s.") % {"name": row.user, "role": _in_words(role)}
            )
        if row.role == Organiser.Role.OWNER:
            _check_other_owner(row)
        was = row.role
        record.change(row, role=role)
        return gettext("%(name)s became %(role)s, no longer %(was)s.") % {
            "name": row.user,
            "role": _in_words(role),
            "was": _in_words(was),
        }

    return perform(_event(organiser_id), do, ORGANISERS, by=by, **how)


def remove_organiser(organiser_id: int, by: User, **how: Unpack[How]) -> Act:
    """Let somebody organise no longer; anybody may remove themselves. The last owner stays."""

    def do(record: Record) -> str:
        row = _organiser(record, organiser_id)
        record.ask(row)
        if row.role == Organiser.Role.OWNER:
            _check_other_owner(row)
        record.delete(row)
        if row.user_id == by.pk:
            return gettext("%(name)s is no longer an organiser.") % {"name": row.user}
        person_lookup.tell(record, row.user, lambda: gettext("you are no longer an organiser"), what="organiser")
        return gettext("%(name)s is no longer %(role)s.") % {"name": row.user, "role": _in_words(row.role)}

    return perform(_event(organiser_id), do, LEAVE, by=by, **how)


def assign(tournament_id: int, by: User | None, *, roles: Mapping[int, str], **how: Unpack[How]) -> Act:
    """Let exactly these people (ids) run the event, each in a role; they are not told. Twice changes nothing.

    Raises `Refused` where nobody would own it.
    """

    def do(record: Record) -> str:
        if Organiser.Role.OWNER not in roles.values():
            raise Refused("last_owner", gettext("An event needs an owner. Make someone else owner first."))
        for role in roles.values():
            _check_role(role)
        rows = {row.user_id: row for row in Organiser.objects.filter(tournament=record.tournament)}
        for user_id in sorted(roles):
            if user_id not in rows:
                record.create(Organiser(tournament=record.tournament, user_id=user_id, role=roles[user_id]))
            else:
                record.change(rows[user_id], role=roles[user_id])
        for user_id in sorted(set(rows) - set(roles)):
            record.delete(rows[user_id])
        return gettext("The organisers were changed.")

    return perform(tournament_id, do, ORGANISERS, by=by, advance=False, **how)


LONGEST_WORDS = 2000
"""The most characters of a notice to all."""


def tell_entries(tournament_id: int, by: User, text: str, **how: Unpack[How]) -> Act:
    """Send a notice to everybody of the entries who has an account. Raises `Refused` for words that are none."""

    def do(record: Record) -> str:
        words = text.strip()
        if not words or len(words) > LONGEST_WORDS:
            raise Refused(
                "bad_words",
                gettext("Enter a message of at most %(limit)s characters.") % {"limit": LONGEST_WORDS},
            )
        notifications.event_note(record.tournament, words)
        return gettext("To all: %(words)s") % {"words": words}

    return perform(tournament_id, do, TELL, by=by, advance=False, **how)


def _event(organiser_id: int) -> int:
    found = Organiser.objects.filter(pk=organiser_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise Refused("no_organiser", gettext("This person is no longer an organiser."))
    return found


def _organiser(record: Record, organiser_id: int) -> Organiser:
    row = (
        Organiser.objects.filter(pk=organiser_id, tournament=record.tournament)
        .select_related("user", "tournament")
        .first()
    )
    if row is None:
        raise Refused("no_organiser", gettext("This person is no longer an organiser."))
    return row


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise Refused("no_such_role", gettext("An organiser is owner, director or scorer."))


def _check_other_owner(row: Organiser) -> None:
    others = Organiser.objects.filter(tournament=row.tournament_id, role=Organiser.Role.OWNER).exclude(pk=row.pk)
    if not others.exists():
        raise Refused("last_owner", gettext("An event needs an owner. Make someone else owner first."))


def _in_words(role: str) -> str:
    words = {"owner": gettext("an owner"), "director": gettext("a director"), "scorer": gettext("a scorer")}
    return words[role]


def owners(tournament: Tournament) -> list[User]:
    """The owners of an event, the first of them first."""
    rows = Organiser.objects.filter(tournament=tournament, role=Organiser.Role.OWNER).select_related("user")
    return [row.user for row in rows]
