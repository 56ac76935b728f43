"""Organisers of an event and their roles."""

from collections.abc import Mapping
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByRow, Never, Rows
from tournaments import access
from tournaments.models import Act, Organiser, Tournament
from tournaments.roles import ROLES
from tournaments.services import notifications
from tournaments.services.action_context import added_row
from tournaments.services.entries import person_lookup
from tournaments.services.entries.person_lookup import PersonRef
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused


def _check_may_remove(by: User, organiser: Organiser) -> None:
    """Raise `NotAllowed` unless this is about the caller, or the caller manages organisers."""
    if organiser.user_id != by.pk:
        access.check(by, organiser.tournament, "organisers")


ORGANISERS = declare("organisers", needs="organisers", undo=Rows())
LEAVE = declare("organisers", needs=ByRow(_check_may_remove), undo=Rows("organisers"))
TELL = declare("told", needs="tell", undo=Never("People were told."))


def add_organiser(
    tournament_id: int, by: User, *, person: PersonRef, role: str = "director", **how: Unpack[ActionRequest]
) -> Organiser:
    """Add an organiser and notify them. Raises `Refused` if the person already is one."""

    def do(record: Record) -> str:
        _check_role(role)
        user = person_lookup.read(record, person, names_alone=False).user
        if user is None:
            raise Refused("no_account", gettext("Organisers need an account. Enter the name of one."))
        organiser = Organiser.objects.filter(tournament=record.tournament, user=user).first()
        if organiser is not None:
            raise Refused(
                "organises_already",
                gettext("%(name)s is already %(role)s.") % {"name": user, "role": _title(organiser.role)},
            )
        record.create(Organiser(tournament=record.tournament, user=user, role=role))
        person_lookup.tell(
            record,
            user,
            lambda: gettext("%(name)s made you %(role)s of the event") % {"name": by, "role": _title(role)},
            key="organiser",
        )
        return gettext("%(name)s became %(role)s.") % {"name": user, "role": _title(role)}

    return added_row(perform(tournament_id, do, ORGANISERS, by=by, **how), Organiser)


def change_role(organiser_id: int, by: User, *, role: str, **how: Unpack[ActionRequest]) -> Act:
    """Give an organiser another role. Raises `Refused` if the event would have no owner."""

    def do(record: Record) -> str:
        organiser = _organiser(record, organiser_id)
        _check_role(role)
        if organiser.role == role:
            raise Refused(
                "same_role", gettext("%(name)s is already %(role)s.") % {"name": organiser.user, "role": _title(role)}
            )
        if organiser.role == Organiser.Role.OWNER:
            _check_other_owner(organiser)
        was = organiser.role
        record.change(organiser, role=role)
        return gettext("%(name)s became %(role)s, no longer %(was)s.") % {
            "name": organiser.user,
            "role": _title(role),
            "was": _title(was),
        }

    return perform(_event_of(organiser_id), do, ORGANISERS, by=by, **how)


def remove_organiser(organiser_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove an organiser; anyone can remove themselves. The last owner stays."""

    def do(record: Record) -> str:
        organiser = _organiser(record, organiser_id)
        record.ask(organiser)
        if organiser.role == Organiser.Role.OWNER:
            _check_other_owner(organiser)
        record.delete(organiser)
        if organiser.user_id == by.pk:
            return gettext("%(name)s is no longer an organiser.") % {"name": organiser.user}
        person_lookup.tell(record, organiser.user, lambda: gettext("you are no longer an organiser"), key="organiser")
        return gettext("%(name)s is no longer %(role)s.") % {"name": organiser.user, "role": _title(organiser.role)}

    return perform(_event_of(organiser_id), do, LEAVE, by=by, **how)


def assign(tournament_id: int, by: User | None, *, roles: Mapping[int, str], **how: Unpack[ActionRequest]) -> Act:
    """Set the organisers to exactly these people: roles by id. Nobody is notified. Running it twice changes nothing.

    Raises `Refused` if nobody would own the event.
    """

    def do(record: Record) -> str:
        if Organiser.Role.OWNER not in roles.values():
            raise Refused("last_owner", gettext("An event needs an owner. Make someone else owner first."))
        for role in roles.values():
            _check_role(role)
        organisers = {each.user_id: each for each in Organiser.objects.filter(tournament=record.tournament)}
        for user_id in sorted(roles):
            if user_id not in organisers:
                record.create(Organiser(tournament=record.tournament, user_id=user_id, role=roles[user_id]))
            else:
                record.change(organisers[user_id], role=roles[user_id])
        for user_id in sorted(set(organisers) - set(roles)):
            record.delete(organisers[user_id])
        return gettext("The organisers were changed.")

    return perform(tournament_id, do, ORGANISERS, by=by, advance=False, **how)


LONGEST_WORDS = 2000
"""Most characters of a message to all."""


def tell_entries(tournament_id: int, by: User, text: str, **how: Unpack[ActionRequest]) -> Act:
    """Notify everyone of the entries with an account. Raises `Refused` for an empty or too long message."""

    def do(record: Record) -> str:
        words = text.strip()
        if not words or len(words) > LONGEST_WORDS:
            raise Refused(
                "bad_words", gettext("Enter a message of at most %(limit)s characters.") % {"limit": LONGEST_WORDS}
            )
        notifications.event_note(record.tournament, words, record.by)
        return gettext("To all: %(words)s") % {"words": words}

    return perform(tournament_id, do, TELL, by=by, advance=False, **how)


def _event_of(organiser_id: int) -> int:
    tournament_id = Organiser.objects.filter(pk=organiser_id).values_list("tournament_id", flat=True).first()
    if tournament_id is None:
        raise Refused("no_organiser", gettext("This person is no longer an organiser."))
    return tournament_id


def _organiser(record: Record, organiser_id: int) -> Organiser:
    organiser = (
        Organiser.objects.filter(pk=organiser_id, tournament=record.tournament)
        .select_related("user", "tournament")
        .first()
    )
    if organiser is None:
        raise Refused("no_organiser", gettext("This person is no longer an organiser."))
    return organiser


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise Refused("no_such_role", gettext("An organiser is owner, director, scorer or dealer."))


def _check_other_owner(owner: Organiser) -> None:
    owners = Organiser.objects.filter(tournament=owner.tournament_id, role=Organiser.Role.OWNER).exclude(pk=owner.pk)
    if not owners.exists():
        raise Refused("last_owner", gettext("An event needs an owner. Make someone else owner first."))


def _title(role: str) -> str:
    words = {
        "owner": gettext("an owner"),
        "director": gettext("a director"),
        "scorer": gettext("a scorer"),
        "dealer": gettext("a dealer"),
    }
    return words[role]


def owners(tournament: Tournament) -> list[User]:
    """The owners of an event, the first of them first."""
    organisers = Organiser.objects.filter(tournament=tournament, role=Organiser.Role.OWNER).select_related("user")
    return [organiser.user for organiser in organisers]
