"""Answers to a question, and partners who find each other: by links, without an account.

Each is a transaction that locks the question. Answers are people's own and change often, so they are in no history.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.budgets import ACTIONS, spend
from accounts.display_names import folded
from accounts.models import User
from clubs.coming import letters, occasions, pair_entries, reserves
from clubs.coming.details import FIELDS, Details, check
from clubs.coming.occasions import Occasion
from clubs.models import Membership, Question, Reply, ReplyLetter
from clubs.services import naming
from web.errors import Refused

Answer, Way = Reply.Answer, Reply.Way
ANSWERS = (Answer.YES, Answer.PARTNER, Answer.NO)
MOST_NAMES = 60
"""Names that the club does not know, for one question."""
LONGEST_NAME = 60


@contextmanager
def locked(question_id: int) -> Iterator[Occasion]:
    """The meeting or match of a question, locked until the end of the transaction. Raises `Refused`."""
    with transaction.atomic():
        if not Question.objects.select_for_update().filter(pk=question_id).exists():
            raise Refused("no_such_row", gettext("This no longer exists."))
        yield Occasion(occasions.questions().get(pk=question_id))


def check_open(occasion: Occasion, now: datetime) -> None:
    """Raise `Refused` once it has begun, or was cancelled."""
    if occasion.is_off:
        raise Refused("cancelled", gettext("This was cancelled. You do not have to answer."))
    if occasion.is_closed(now):
        raise Refused("closed", gettext("Answers are closed because it has started. Ask an organiser."))


def check_partners(occasion: Occasion) -> None:
    """Raise `Refused` where nobody needs a partner."""
    if occasion.is_match:
        raise Refused("no_partners", gettext("Nobody needs a partner for a match of the team."))
    if not occasion.has_partners:
        raise Refused("no_partners", gettext("Everyone enters alone, so nobody needs a partner."))


# Answering


def answer(
    question_id: int,
    who: Membership | str,
    wish: str,
    *,
    way: str,
    details: Details | None = None,
    by: User | None = None,
    now: datetime | None = None,
) -> Reply:
    """Store an answer of a member, or of a name that the club does not know; the same twice changes nothing.

    Raises `Refused` for an unknown answer or wrong details, and once answers are closed.
    """
    now = now or timezone.now()
    with locked(question_id) as occasion:
        check_open(occasion, now)
        spend(ACTIONS, by)
        reply = reply_of(occasion.question, who)
        partner_id = reply.partner_id
        set_answer(occasion, reply, wish, way=way, by=by, now=now, details=details)
        if partner_id is not None and reply.partner_id is None:
            pair_entries.leave(*_two_with_people(reply.pk, partner_id))
        return reply


def reply_of(question: Question, who: Membership | str) -> Reply:
    """The reply of a person, also if it is still to be stored. Raises `Refused` for strange names and too many."""
    if isinstance(who, Membership):
        if not occasions.can_answer(question, who):
            raise Refused("not_asked", gettext("This question is not for %(name)s.") % {"name": who})
        earlier = Reply.objects.filter(question=question, membership=who).first()
        is_reserve = any(member.pk == who.pk for member in occasions.reserves(question))
        return earlier or Reply(question=question, membership=who, is_reserve=is_reserve)
    name = clean_name(who)
    strangers = Reply.objects.filter(question=question, membership=None)
    known = next((reply for reply in strangers if folded(reply.name) == folded(name)), None)
    if known is not None:
        return known
    if question.team_id is not None:
        raise Refused("not_asked", gettext("%(name)s is not in this team.") % {"name": name}, field="name")
    if strangers.count() >= MOST_NAMES:
        raise Refused("too_many", gettext("There are too many new names. Ask an organiser."), field="name")
    return Reply(question=question, name=name)


def set_answer(
    occasion: Occasion,
    reply: Reply,
    wish: str,
    *,
    way: str,
    by: User | None,
    now: datetime,
    details: Details | None = None,
) -> None:
    """Set the answer of a reply, with what follows for its partner and the reserves. The question is locked.

    Without `details` those of before stay, unless the person comes no longer, or comes after all.
    """
    if wish not in ANSWERS:
        raise Refused("no_answer", gettext("Choose one of the three answers."))
    is_same = reply.answer == wish and reply.pk is not None
    if not _set_details(occasion, reply, wish, details) and is_same:
        return
    if is_same:
        reply.save()
        return
    if wish == Answer.PARTNER:
        check_partners(occasion)
    if wish != Answer.YES:
        part(occasion, reply, now)
    reply.answer, reply.way, reply.by, reply.answered_at, reply.wish = Answer(wish), Way(way), by, now, None
    reply.save()
    if wish == Answer.NO:
        Reply.objects.filter(wish=reply).update(wish=None)
    reserves.ask_next(occasion, now)


def _set_details(occasion: Occasion, reply: Reply, wish: str, details: Details | None) -> bool:
    """Set what was added to an answer; whether that changes any. Who cannot come has no times."""
    before = [getattr(reply, name) for name in FIELDS]
    if reply.answer and (wish == Answer.NO) != (reply.answer == Answer.NO):
        reply.note, reply.comes_at, reply.leaves_at = "", None, None
    if details is not None:
        details = replace(details, **{name: getattr(reply, name) for name in details.unchanged})
        check(occasion, details)
        reply.note = reply.note if details.note is None else details.note
        if wish != Answer.NO:
            reply.comes_at, reply.leaves_at = details.comes_at, details.leaves_at
    return before != [getattr(reply, name) for name in FIELDS]


def part(occasion: Occasion, reply: Reply, now: datetime) -> None:
    """End a pair: the other person needs a partner again, and is told."""
    if reply.partner_id is None:
        return
    other = Reply.objects.get(pk=reply.partner_id)
    Reply.objects.filter(pk__in=(reply.pk, other.pk)).update(partner=None)
    reply.partner = None
    if other.comes and occasion.has_partners:
        Reply.objects.filter(pk=other.pk).update(answer=Answer.PARTNER)
        letters.write_again(other, ReplyLetter.Kind.ALONE, now)


# Names


def clean_name(text: str) -> str:
    """A typed name. Raises `Refused` for an empty or odd one."""
    if not text.strip():
        raise Refused("no_name", gettext("Enter your name."), field="name")
    return naming.clean(text, LONGEST_NAME, field="name")


def find_member(question: Question, name: str) -> Membership | None:
    """The one person of this name whom the question can be for; `None` for nobody, or for several."""
    people = Membership.objects.filter(left_at=None)
    if question.team_id is not None:
        people = people.filter(teams__team=question.team_id, teams__left_at=None)
    else:
        people = people.filter(club=question.club_id)
    namesakes = [member for member in people.distinct() if folded(member.name) == folded(name)]
    return namesakes[0] if len(namesakes) == 1 else None


# Partners


def looking(question: Question) -> list[Reply]:
    """Everyone who looks for a partner, the first who asked first."""
    rows = Reply.objects.filter(question=question, answer=Answer.PARTNER, partner=None)
    return list(rows.select_related("membership").order_by("answered_at", "pk"))


def ask_partner(question_id: int, reply: Reply, other_id: int, *, now: datetime | None = None) -> Reply:
    """Ask somebody to be the partner, or accept if they have asked already; the same twice changes nothing.

    Returns the own reply as it is then. Raises `Refused` if one of them is no longer looking.
    """
    now = now or timezone.now()
    with locked(question_id) as occasion:
        check_open(occasion, now)
        check_partners(occasion)
        spend(ACTIONS, reply.membership.user if reply.membership else None)
        mine, other = two(occasion.question, reply.pk, other_id)
        if mine.partner_id is not None and mine.partner_id == other.pk:
            return mine
        _check_looking(mine, other)
        if other.wish_id == mine.pk:
            join(occasion, mine, other, now)
            pair_entries.enter(*_two_with_people(mine.pk, other.pk))
        else:
            Reply.objects.filter(pk=mine.pk).update(wish=other)
            mine.wish = other
        return mine


def two(question: Question, first: int, second: int) -> tuple[Reply, Reply]:
    """Two replies to a question. Raises `Refused` unless they are two."""
    rows = {reply.pk: reply for reply in Reply.objects.filter(question=question, pk__in=(first, second))}
    if first == second or len(rows) != 2:
        raise Refused("no_partner", gettext("Choose a person from the list of partners."))
    return rows[first], rows[second]


def _two_with_people(first: int, second: int) -> tuple[Reply, Reply]:
    """Two replies as they are now, with their people and the event of their meeting."""
    rows = {reply.pk: reply for reply in pair_entries.loaded_replies().filter(pk__in=(first, second))}
    return rows[first], rows[second]


def _check_looking(*replies: Reply) -> None:
    if any(reply.answer != Answer.PARTNER or reply.partner_id is not None for reply in replies):
        raise Refused("not_looking", gettext("One of the two no longer needs a partner. Look at the list again."))


def join(occasion: Occasion, first: Reply, second: Reply, now: datetime) -> None:
    """Create the pair of two people who look for a partner, and tell both. The question is locked. Raises `Refused`."""
    _check_looking(first, second)
    for reply, partner in ((first, second), (second, first)):
        reply.partner, reply.answer, reply.wish = partner, Answer.YES, None
        reply.save()
        letters.write_again(reply, ReplyLetter.Kind.PARTNER, now)
    Reply.objects.filter(Q(wish=first) | Q(wish=second)).update(wish=None)


def usual_partner(question: Question, membership: Membership) -> Membership | None:
    """Their partner the last time that they came with one, or in a team of two the other; `None` if unknown."""
    if question.team_id is not None:
        others = Membership.objects.filter(teams__team=question.team_id, teams__left_at=None).exclude(pk=membership.pk)
        return others[0] if others.count() == 1 else None
    past = Reply.objects.filter(membership=membership, question__club=question.club_id, partner__isnull=False)
    last = past.exclude(question=question).select_related("partner__membership").order_by("-pk").first()
    partner = last.partner.membership if last and last.partner else None
    return partner if partner is not None and partner.is_here else None
