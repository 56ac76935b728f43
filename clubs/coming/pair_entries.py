"""Two people who were paired are an entry of the event, if it is for pairs; and no longer once they part. Until it starts."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.display_names import folded
from accounts.models import User
from clubs.coming import letters
from clubs.models import Appearance, Question, Reply, ReplyLetter
from clubs.services.records import Record
from tournaments.models import Entry, Member, Tournament
from tournaments.services.entries import enrolment, withdrawal
from web.errors import Refused

PAIRING_ACTS = ("coming_pair", "coming_part", "coming_answer")
"""Kinds of acts that change who plays with whom."""
IN = (Entry.Status.ENTERED, Entry.Status.WAITING, Entry.Status.FORMING)


def follow(record: Record) -> None:
    """After an act that made pairs or parted them, or undid that: the same for the entries, within the act."""
    kind = record.undoes.kind if record.undoes is not None else ""
    was_undone, pks = kind in PAIRING_ACTS, set()
    parted: list[tuple[int, int]] = []
    for change in record.changes:
        if change["model"] == "reply" and change["is"] is not None:
            was, became = change["was"] or {}, change["is"]
            if "partner_id" in became and was.get("partner_id") != became["partner_id"]:
                pks.add(change["pk"])
                if was.get("partner_id"):
                    parted.append((change["pk"], was["partner_id"]))
    if not pks:
        return
    changed = {
        reply.pk: reply for reply in loaded_replies().filter(pk__in=pks | {pk for pair in parted for pk in pair})
    }
    for first, second in parted:
        if first < second and first in changed and second in changed:
            leave(changed[first], changed[second], record)
    for reply in changed.values():
        if reply.pk in pks and reply.partner is not None and reply.pk < reply.partner.pk:
            enter(reply, reply.partner, record)
    if was_undone:
        _tell_again([reply for reply in changed.values() if reply.pk in pks], record.now)


def enter(first: Reply, second: Reply, record: Record | None = None) -> None:
    """Enter two partners. Nothing where the event cannot take them: Tonight shows it to the organiser.

    Without an act of an organiser, names that nobody has confirmed are left to the organiser too.
    """
    event = event_of(first.question)
    if event is None or (record is None and None in (first.membership_id, second.membership_id)):
        return
    if entries_of([first, second], members_of(event)):
        return
    by = record.by if record is not None else None
    people = [person_of(reply) for reply in sorted((first, second), key=lambda each: each.pk)]
    try:
        with transaction.atomic():
            if (earlier := _earlier_entry(event, first, second)) is not None:
                withdrawal.reinstate(earlier, by, within=record)
                return
            enrolment.enter_for(event.pk, by, members=people, has_agreed=True, within=record)
    except Refused:
        return


def _earlier_entry(event: Tournament, first: Reply, second: Reply) -> int | None:
    """The withdrawn entry (id) of these two, if they were a pair before."""
    rows = Member.objects.filter(tournament=event, entry__status=Entry.Status.WITHDRAWN)
    by_entry: dict[int, list[Member]] = {}
    for member in rows.exclude(answer=Member.Answer.DECLINED):
        by_entry.setdefault(member.entry_id, []).append(member)
    pairs = ((pk, members) for pk, members in by_entry.items() if len(members) == 2)
    return next((pk for pk, members in pairs if len(entries_of([first, second], members)) == 2), None)


def leave(first: Reply, second: Reply, record: Record | None = None) -> None:
    """Withdraw the entry of two who were partners, if it is theirs alone."""
    event = event_of(first.question)
    if event is None:
        return
    entry_ids = entries_of([first, second], members := members_of(event))
    entry_id = entry_ids.get(first.pk)
    if entry_id is None or entry_ids.get(second.pk) != entry_id:
        return
    if sum(member.entry_id == entry_id for member in members) == 2:
        by = record.by if record is not None else None
        withdrawal.withdraw(entry_id, by, within=record)


def event_of(question: Question) -> Tournament | None:
    """The event for pairs that belongs to a question, if it still takes entries."""
    event = question.meeting.event if question.meeting is not None else None
    if event is None or event.side_size != 2 or event.has_begun or event.status == Tournament.Status.DRAFT:
        return None
    return event if event.status != Tournament.Status.CANCELLED else None


def members_of(event: Tournament) -> list[Member]:
    """The people of all entries that are in the event, or wait for it."""
    rows = Member.objects.filter(tournament=event, left_at=None, entry__status__in=IN)
    return list(rows.exclude(answer=Member.Answer.DECLINED))


def entries_of(replies: Sequence[Reply], members: Sequence[Member]) -> dict[int, int]:
    """Entries (ids) by the replies of their people: by the club's link to them, their account, or their name."""
    linked = Appearance.objects.filter(member__in=members).values_list("membership_id", "member__entry_id")
    by_membership = dict(linked)
    by_user = {member.user_id: member.entry_id for member in members if member.user_id is not None}
    by_name = {folded(member.name): member.entry_id for member in members}
    entry_ids: dict[int, int] = {}
    for reply in replies:
        person = reply.membership
        entry = by_membership.get(reply.membership_id or 0) or by_user.get((person.user_id if person else None) or 0)
        entry = entry or by_name.get(folded(person.name if person else reply.name))
        if entry is not None:
            entry_ids[reply.pk] = entry
    return entry_ids


def person_of(reply: Reply) -> User | str:
    """The person of a reply as events know people: an account, or a name."""
    member = reply.membership
    if member is None:
        return reply.name
    return member.user if member.user is not None and member.user.is_active else member.name


def loaded_replies() -> QuerySet[Reply]:
    """Replies with their people, their partners and the event of their meeting."""
    return Reply.objects.select_related("membership__user", "partner__membership__user", "question__meeting__event")


def _tell_again(changed: Sequence[Reply], now: datetime) -> None:
    """After undoing: tell those who have a partner again, and those who have none any more."""
    for reply in changed:
        kind = ReplyLetter.Kind.PARTNER if reply.partner_id else ReplyLetter.Kind.ALONE
        letters.write_again(reply, kind, now)
