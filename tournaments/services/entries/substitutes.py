"""Replacements, who take over the record of an entry's seat, and substitutes, who play one match of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByRow, Rows
from tournaments import access
from tournaments.models import Act, Member, Place, Tournament
from tournaments.plan import Plan
from tournaments.services.action_context import check_alive, event_of, made, member_of
from tournaments.services.entries import partners, person_lookup
from tournaments.services.entries.person_lookup import Who
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record
from web.errors import Refused
from web.text import joined

REPLACE = declare("replace", needs="entries", undo=Rows())
FIELD = declare("substitute", needs=ByRow(access.check_entry_in_play), undo=Rows("play"))


def replace_member(
    member_id: int,
    by: User,
    *,
    who: Who | None = None,
    reserve: int | None = None,
    has_agreed: bool = False,
    **how: Unpack[How],
) -> Member:
    """Let somebody take over for a player from now on: a reserve of the entry (the id of the member), or anybody.

    What was played stays the entry's. In an online event only somebody who has agreed can take over, so name a
    reserve there, or say that they `has_agreed` elsewhere. Raises `Refused`.
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
        new = _newcomer(record, member, who, reserve, has_agreed)
        record.change(new, role=Member.Role.PLAYER, position=member.position, is_captain=_was_captain(record, member))
        partners.refresh(record, entry, was_automatic)
        for one in (member, new):
            if one.user is not None and one.user != record.by:
                person_lookup.tell(
                    record,
                    one.user,
                    lambda: gettext("%(newcomer)s takes over for %(member)s") % {"newcomer": new, "member": member},
                    what=f"replaced:{one.pk}",
                )
        return gettext("%(newcomer)s took over for %(member)s in %(entry)s.") % {
            "newcomer": new,
            "member": member,
            "entry": entry,
        }

    return _newest(perform(event_of(Member, member_id), do, REPLACE, by=by, **how), member_id)


def _newcomer(record: Record, member: Member, who: Who | None, reserve: int | None, has_agreed: bool) -> Member:
    """The reserve who takes over, or a new member."""
    entry = member.entry
    if reserve is not None:
        found = member_of(record, reserve)
        is_ready = found.left_at is None and found.answer == Member.Answer.ACCEPTED
        if found.entry_id != entry.pk or found.role != Member.Role.RESERVE or not is_ready:
            raise Refused(
                "no_reserve", gettext("%(member)s is not a reserve of %(entry)s.") % {"member": found, "entry": entry}
            )
        return found
    if who is None:
        raise Refused("nobody", gettext("Choose a replacement."))
    if record.tournament.setting == Tournament.Setting.ONLINE and not has_agreed:
        raise Refused(
            "not_asked", gettext("Online, only people who have agreed can take over. Invite them as a reserve first.")
        )
    return partners.ask(record, entry, who, role=Member.Role.RESERVE, is_organiser=True, has_agreed=has_agreed)


def _was_captain(record: Record, member: Member) -> bool:
    """Whether the player who left had been the captain, by what this act noted of it."""
    noted = [one["was"] for one in record.changes if one["model"] == "member" and one["pk"] == member.pk and one["was"]]
    return any(was.get("is_captain") for was in noted)


def _newest(act: Act, member_id: int) -> Member:
    """Who took over by an act: the last member it changed who is not the one that left."""
    changed = [one["pk"] for one in act.changes if one["model"] == "member" and one["pk"] != member_id]
    if not changed:
        return made(act, Member)
    return Member.objects.get(pk=changed[-1])


def field_substitute(place_id: int, by: User, *, member_ids: Sequence[int], **how: Unpack[How]) -> Act:
    """Say who of an entry plays one match for it, by ids of members; none: its first players, as always.

    For its captain or an organiser, until the match has its result. Raises `Refused`.
    """
    found = Place.objects.filter(pk=place_id).values_list("pairing__round__stage__tournament_id", flat=True).first()
    if found is None:
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
        chosen = _fielded(record, place, member_ids)
        record.change(place, players=[one.pk for one in chosen])
        if not chosen:
            return gettext("%(entry)s plays %(match)s with its first players.") % {"entry": entry, "match": match}
        names = joined([str(one) for one in chosen])
        return gettext("%(players)s play %(match)s for %(entry)s.") % {"players": names, "match": match, "entry": entry}

    return perform(found, do, FIELD, by=by, **how)


def _fielded(record: Record, place: Place, member_ids: Sequence[int]) -> list[Member]:
    """The members who are to play, checked, in the order given."""
    if not member_ids:
        return []
    entry = place.entry
    assert entry is not None  # noqa: S101  the caller saw it
    ready = {one.pk: one for one in naming.current(entry) if one.answer == Member.Answer.ACCEPTED}
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
