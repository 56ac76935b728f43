"""What people answered, for the page from which the evening is run: who is ticked, and who is still to be entered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.display_names import folded
from accounts.models import User
from clubs.models import Appearance, Club, Question, Reply
from tournaments.models import Entry, Member, Tournament

Answer = Reply.Answer


@dataclass(frozen=True)
class Side:
    """People who said yes and are not in the event: one, or two partners."""

    people: tuple[User | str, ...]
    """Accounts, and names of people without one."""


@dataclass(frozen=True)
class Said:
    """Answers about one event of tonight."""

    cannot: frozenset[int] = frozenset()
    """Entries (ids) of people who said no."""
    sides: tuple[Side, ...] = ()

    @property
    def count(self) -> int:
        return len(self.sides)


def said_about(club: Club, event: Tournament, starts_at: datetime | None, entries: Sequence[Entry]) -> Said:
    """The answers to the question about an event: of its own meeting, or of one on the same day by the club's clock."""
    replies = list(
        Reply.objects.filter(question__in=_questions(club, event, starts_at))
        .exclude(answer="")
        .select_related("membership__user", "partner__membership__user")
        .order_by("answered_at", "pk")
    )
    if not replies:
        return Said()
    members = list(Member.objects.filter(tournament=event, left_at=None).exclude(answer=Member.Answer.DECLINED))
    entry_ids = _entries_of(replies, members)
    in_play = {entry.pk for entry in entries}
    cannot = {entry_ids[each.pk] for each in replies if each.answer == Answer.NO and each.pk in entry_ids}
    sides = _sides(event, [each for each in replies if each.comes and each.pk not in entry_ids])
    return Said(frozenset(cannot & in_play), tuple(sides))


def _questions(club: Club, event: Tournament, starts_at: datetime | None) -> list[int]:
    is_about_event = Q(meeting__event=event) | Q(pairing__round__stage__tournament=event)
    if starts_at is None:
        return list(Question.objects.filter(is_about_event, club=club).values_list("pk", flat=True))
    midnight = starts_at.astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    day = Q(meeting__starts_at__gte=midnight, meeting__starts_at__lt=midnight + timedelta(days=1), meeting__event=None)
    is_now = Q(pairing=None) | Q(pairing__round__starts_at__gte=midnight)
    return list(Question.objects.filter(is_about_event | day, is_now, club=club).values_list("pk", flat=True))


def _entries_of(replies: Sequence[Reply], members: Sequence[Member]) -> dict[int, int]:
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


def _sides(event: Tournament, coming: Sequence[Reply]) -> list[Side]:
    """The people as entries of the event: one by one, or in pairs; people without a partner are left out of pairs."""
    if event.side_size == 1:
        return [Side((_person(reply),)) for reply in coming]
    if event.side_size != 2:
        return []
    here = {reply.pk: reply for reply in coming}
    pairs = [(reply, here[reply.partner_id]) for reply in coming if reply.partner_id in here]
    return [Side((_person(first), _person(second))) for first, second in pairs if first.pk < second.pk]


def _person(reply: Reply) -> User | str:
    member = reply.membership
    if member is None:
        return reply.name
    return member.user if member.user is not None and member.user.is_active else member.name
