"""What people answered, for the page from which the evening is run: who is ticked, and who is still to be entered."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from clubs.coming import pair_entries
from clubs.coming.desk import name_of
from clubs.coming.details import times_of
from clubs.models import Club, Question, Reply
from tournaments.models import Entry, Member, Tournament
from web.text import quoted

Answer = Reply.Answer


@dataclass(frozen=True)
class Side:
    """People who said yes and are not in the event: one, or two partners."""

    people: tuple[User | str, ...]
    """Accounts, and names of people without one."""


@dataclass(frozen=True)
class Partners:
    """Two people who were paired before the draw."""

    reply: Reply
    names: tuple[str, str]
    times: tuple[str, ...]
    """Who of them comes later or leaves early."""
    is_entered: bool

    @property
    def question_id(self) -> int:
        return self.reply.question_id


@dataclass(frozen=True)
class Said:
    """Answers about one event of tonight."""

    cannot: frozenset[int] = frozenset()
    """Entries (ids) of people who said no."""
    sides: tuple[Side, ...] = ()
    pairs: tuple[Partners, ...] = ()
    """Pairs found among those who looked for a partner, in an event for pairs."""
    seekers: tuple[Reply, ...] = ()
    """People who still look for one."""
    remarks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """What people of entries (ids) added: `comes at 19:30`, and their notes in quotes."""
    answers: Mapping[str, int] = field(default_factory=dict)
    """How many people gave each answer that the event knows."""

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
    entry_ids = pair_entries.entries_of(replies, members)
    in_play = {entry.pk for entry in entries}
    cannot = {entry_ids[each.pk] for each in replies if each.answer == Answer.NO and each.pk in entry_ids}
    sides = _sides(event, [each for each in replies if each.comes and each.pk not in entry_ids])
    seekers = [each for each in replies if each.answer == Answer.PARTNER and event.side_size == 2]
    return Said(
        frozenset(cannot & in_play),
        tuple(sides),
        _pairs(event, replies, entry_ids),
        tuple(reply for reply in seekers if reply.pk not in entry_ids),
        _remarks(event, replies, entry_ids),
        _counts(event, replies),
    )


def _counts(event: Tournament, replies: Sequence[Reply]) -> Mapping[str, int]:
    """How many people gave each answer. Where everyone enters alone nobody needs a partner: who asked for one comes."""
    tally = Counter(reply.answer for reply in replies)
    counts = {answer: tally[answer] for answer in ("yes", "partner", "no")}
    if event.entry_kind == Tournament.Kind.PERSON:
        counts["yes"] += counts.pop("partner")
    return counts


def _questions(club: Club, event: Tournament, starts_at: datetime | None) -> list[int]:
    is_about_event = Q(meeting__event=event) | Q(pairing__round__stage__tournament=event)
    if starts_at is None:
        return list(Question.objects.filter(is_about_event, club=club).values_list("pk", flat=True))
    midnight = starts_at.astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    day = Q(meeting__starts_at__gte=midnight, meeting__starts_at__lt=midnight + timedelta(days=1), meeting__event=None)
    is_now = Q(pairing=None) | Q(pairing__round__starts_at__gte=midnight)
    return list(Question.objects.filter(is_about_event | day, is_now, club=club).values_list("pk", flat=True))


def _pairs(event: Tournament, replies: Sequence[Reply], entry_ids: Mapping[int, int]) -> tuple[Partners, ...]:
    if event.side_size != 2:
        return ()
    by_pk = {reply.pk: reply for reply in replies}
    pairs = [(reply, by_pk[reply.partner_id]) for reply in replies if reply.partner_id in by_pk]
    return tuple(
        Partners(
            first,
            (name_of(first), name_of(second)),
            tuple(f"{name_of(each)} {words}" for each in (first, second) for words in times_of(each)),
            first.pk in entry_ids and entry_ids[first.pk] == entry_ids.get(second.pk),
        )
        for first, second in pairs
        if first.pk < second.pk
    )


def _remarks(event: Tournament, replies: Sequence[Reply], entry_ids: Mapping[int, int]) -> dict[int, tuple[str, ...]]:
    """What people added to their answers, by entries (ids); in entries of several with their names."""
    remarks: dict[int, tuple[str, ...]] = {}
    for reply in replies:
        entry = entry_ids.get(reply.pk)
        words = [*times_of(reply), *([quoted(reply.note)] if reply.note else [])]
        if entry is not None and words:
            text = ", ".join(words)
            with_name = text if event.side_size == 1 else f"{name_of(reply)}: {text}"
            remarks[entry] = (*remarks.get(entry, ()), with_name)
    return remarks


def _sides(event: Tournament, coming: Sequence[Reply]) -> list[Side]:
    """The people as entries of the event: one by one, or in pairs; people without a partner are left out of pairs."""
    if event.side_size == 1:
        return [Side((pair_entries.person_of(reply),)) for reply in coming]
    if event.side_size != 2:
        return []
    here = {reply.pk: reply for reply in coming}
    pairs = [(reply, here[reply.partner_id]) for reply in coming if reply.partner_id in here]
    return [
        Side((pair_entries.person_of(first), pair_entries.person_of(second)))
        for first, second in pairs
        if first.pk < second.pk
    ]
