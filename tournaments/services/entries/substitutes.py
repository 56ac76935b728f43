"""Replacements take over an entry’s seat for good, substitutes play one match of it."""

from collections.abc import Sequence
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByRow, Rows
from tournaments import access, line_ups
from tournaments.models import Act, Member, Place, Tournament
from tournaments.plan import Plan
from tournaments.services.action_context import added_row, check_alive, event_of, member_of
from tournaments.services.entries import partners, person_lookup
from tournaments.services.entries.person_lookup import PersonRef
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused
from web.text import joined

REPLACE = declare("replace", needs="entries", undo=Rows())
FIELD = declare("substitute", needs=ByRow(access.check_entry_in_play), undo=Rows("play"))


def replace_member(
    member_id: int,
    by: User,
    *,
    person: PersonRef | None = None,
    reserve: int | None = None,
    has_agreed: bool = False,
    **how: Unpack[ActionRequest],
) -> Member:
    """Replace a player from now on by a reserve of the entry (id of the member) or anyone else.

    Results stay with the entry. In an online event only people who have agreed can take over: a reserve, or someone
    who `has_agreed` elsewhere. Raises `Refused`.
    """

    def do(record: Record) -> str:
        member = member_of(record, member_id)
        entry = member.entry
        check_alive(record)
        if member.left_at is not None or member.role != Member.Role.PLAYER:
            raise Refused(
                "not_playing", gettext("%(member)s is not a player of %(entry)s.") % {"member": member, "entry": entry}
            )
        was_automatic = partners.has_automatic_name(record, entry)
        record.change(member, left_at=record.now, is_captain=False)
        new = _newcomer(record, member, person, reserve, has_agreed)
        record.change(new, role=Member.Role.PLAYER, position=member.position, is_captain=_was_captain(record, member))
        partners.refresh(record, entry, was_automatic)
        for recipient in (member, new):
            if recipient.user is not None and recipient.user != record.by:
                person_lookup.tell(
                    record,
                    recipient.user,
                    lambda: gettext("%(newcomer)s takes over for %(member)s") % {"newcomer": new, "member": member},
                    key=f"replaced:{recipient.pk}",
                )
        return gettext("%(newcomer)s took over for %(member)s in %(entry)s.") % {
            "newcomer": new,
            "member": member,
            "entry": entry,
        }

    return _newest(perform(event_of(Member, member_id), do, REPLACE, by=by, **how), member_id)


def _newcomer(record: Record, member: Member, ref: PersonRef | None, reserve: int | None, has_agreed: bool) -> Member:
    """The replacement: a reserve, or a new member."""
    entry = member.entry
    if reserve is not None:
        new = member_of(record, reserve)
        is_ready = new.left_at is None and new.answer == Member.Answer.ACCEPTED
        if new.entry_id != entry.pk or new.role != Member.Role.RESERVE or not is_ready:
            raise Refused(
                "no_reserve", gettext("%(member)s is not a reserve of %(entry)s.") % {"member": new, "entry": entry}
            )
        return new
    if ref is None:
        raise Refused("nobody", gettext("Choose a replacement."))
    if record.tournament.setting == Tournament.Setting.ONLINE and not has_agreed:
        raise Refused(
            "not_asked", gettext("Online, only people who have agreed can take over. Invite them as a reserve first.")
        )
    return partners.ask(record, entry, ref, role=Member.Role.RESERVE, is_organiser=True, has_agreed=has_agreed)


def _was_captain(record: Record, member: Member) -> bool:
    """Whether the player who left was the captain, by the changes of this action."""
    changes = [change for change in record.changes if change["model"] == "member" and change["pk"] == member.pk]
    return any((change["was"] or {}).get("is_captain") for change in changes)


def _newest(act: Act, member_id: int) -> Member:
    """The replacement of an action: the last member changed other than the one who left."""
    changed = [change["pk"] for change in act.changes if change["model"] == "member" and change["pk"] != member_id]
    if not changed:
        return added_row(act, Member)
    return Member.objects.get(pk=changed[-1])


def field_substitute(place_id: int, by: User | None, *, member_ids: Sequence[int], **how: Unpack[ActionRequest]) -> Act:
    """Set the members (ids) who play one match for an entry; none for its first players. Raises `Refused`.

    For its captain until everyone sees the line-ups, for an organiser until the match has a result.
    """
    event_id = Place.objects.filter(pk=place_id).values_list("pairing__round__stage__tournament_id", flat=True).first()
    if event_id is None:
        raise Refused("no_such_place", gettext("This match no longer exists."))

    def do(record: Record) -> str:
        place = Place.objects.select_related("pairing__round__stage", "entry").get(pk=place_id)
        check_alive(record)
        entry, match = place.entry, place.pairing
        if entry is None:
            raise Refused("not_drawn", gettext("The sides of this match are not known yet."))
        record.ask(entry)
        if not match.is_open:
            raise Refused("done", gettext("%(match)s already has a result.") % {"match": match})
        is_organiser = by is not None and access.may(by, record.tournament, "play")
        if how.get("within") is None and not is_organiser:
            places = list(match.places.all())
            line_ups.check_captain(match, places, line_ups.start_of(match), record.now, name=str(match))
        chosen = _fielded(record, place, member_ids)
        record.change(place, players=[player.pk for player in chosen])
        if not chosen:
            return gettext("%(entry)s plays %(match)s with its first players.") % {"entry": entry, "match": match}
        names = joined([str(player) for player in chosen])
        return gettext("%(players)s play %(match)s for %(entry)s.") % {"players": names, "match": match, "entry": entry}

    return perform(event_id, do, FIELD, by=by, **how)


def _fielded(record: Record, place: Place, member_ids: Sequence[int]) -> list[Member]:
    """The members chosen to play, checked, in the order given."""
    if not member_ids:
        return []
    entry = place.entry
    assert entry is not None  # noqa: S101  the caller saw it
    ready = {member.pk: member for member in naming.current(entry) if member.answer == Member.Answer.ACCEPTED}
    if len(set(member_ids)) < len(member_ids) or not set(member_ids) <= set(ready):
        raise Refused(
            "not_of_entry", gettext("From %(entry)s, choose people who have agreed, each once.") % {"entry": entry}
        )
    plan = Plan.read(place.pairing.round.stage.plan_json)
    size = 1 if plan.has_partners else record.tournament.side_size
    if len(member_ids) != size:
        raise Refused(
            "wrong_number",
            gettext("Choose %(size)s from %(entry)s, not %(count)s.")
            % {"entry": entry, "size": size, "count": len(member_ids)},
        )
    return [ready[pk] for pk in member_ids]
