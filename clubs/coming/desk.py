"""Acts of organisers and captains about who comes: answer for somebody, pair two people, confirm new names."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs import access
from clubs.coming import letters, occasions, pair_entries, replies
from clubs.coming.details import Details, times_of
from clubs.coming.occasions import Occasion
from clubs.coming.replies import Way
from clubs.league import permissions
from clubs.models import Act, Membership, Question, Reply, ReplyLetter
from clubs.services import lookups, naming
from clubs.services.history import ActionRequest, ByRow, Record, Rows, declare, perform, row_of
from web.errors import Refused


def check(by: User, question: Question) -> None:
    """Raise `NotAllowed` unless the person runs the evening: enters results in the club, or acts for the team."""
    if question.team is not None:
        permissions.check_acts_for(by, question.team)
    else:
        access.check(by, question.club, "results")


def may(by: User, question: Question) -> bool:
    """Whether the person runs the evening."""
    if question.team is not None:
        return permissions.may_act_for(by, question.team)
    return access.may(by, question.club, "results")


ANSWER = declare("coming_answer", needs=ByRow(check), undo=Rows("results"))
PAIR = declare("coming_pair", needs=ByRow(check), undo=Rows("results"))
PART = declare("coming_part", needs=ByRow(check), undo=Rows("results"))
GUEST = declare("coming_guest", needs="members", undo=Rows())


def answer_for(
    question_id: int,
    by: User,
    *,
    who: int | str,
    answer: str,
    details: Details | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Enter the answer of a member (id), or of a name. Raises `Refused`."""

    def do(record: Record) -> str:
        question = _checked_question(record, question_id)
        with replies.locked(question_id) as occasion:
            replies.check_open(occasion, record.now)
            member = _member(record, question, who)
            reply = replies.reply_of(question, member or str(who))
            if reply.answer == answer and details is None:
                raise Refused("nothing_new", gettext("This has already been done."), field="who")
            with _noted(record, question):
                replies.set_answer(
                    occasion, reply, answer, way=Way.ORGANISER, by=record.by, now=record.now, details=details
                )
            if not record.changes:
                raise Refused("nothing_new", gettext("This has already been done."), field="who")
        words = gettext("%(title)s: %(name)s, %(answer)s.")
        answer_words = ", ".join([str(Reply.Answer(answer).label), *times_of(reply)])
        return words % {"title": occasion.title, "name": name_of(reply), "answer": answer_words}

    return perform(lookups.club_of(Question, question_id), do, ANSWER, by=by, **how)


def pair(question_id: int, by: User, *, first: int, second: int, **how: Unpack[ActionRequest]) -> Act:
    """Create the pair of two people (ids of replies) who look for a partner, and tell both. Raises `Refused`."""

    def do(record: Record) -> str:
        _checked_question(record, question_id)
        with replies.locked(question_id) as occasion:
            _check_before_play(occasion, record.now)
            one_reply, other_reply = replies.two(occasion.question, first, second)
            with _noted(record, occasion.question):
                replies.join(occasion, one_reply, other_reply, record.now)
        return gettext("%(one)s and %(other)s play together: %(title)s.") % {
            "one": name_of(one_reply),
            "other": name_of(other_reply),
            "title": occasion.title,
        }

    return perform(lookups.club_of(Question, question_id), do, PAIR, by=by, **how)


def change_partner(
    question_id: int, by: User, *, reply: int, partner: int | None = None, **how: Unpack[ActionRequest]
) -> Act:
    """Give somebody of a pair another partner who looks for one (ids of replies), or none: then both look again.

    Everyone is told. Raises `Refused`.
    """

    def do(record: Record) -> str:
        question = _checked_question(record, question_id)
        with replies.locked(question_id) as occasion:
            _check_before_play(occasion, record.now)
            one_reply = Reply.objects.filter(question=question, pk=reply).select_related("membership").first()
            if one_reply is None or one_reply.partner_id is None:
                raise Refused("no_pair", gettext("This pair no longer exists. Look at the list again."))
            with _noted(record, question):
                replies.part(occasion, one_reply, record.now)
                Reply.objects.filter(pk=one_reply.pk).update(answer=Reply.Answer.PARTNER)
                if partner is not None:
                    one_reply, other_reply = replies.two(question, one_reply.pk, partner)
                    replies.join(occasion, one_reply, other_reply, record.now)
                else:
                    one_reply.refresh_from_db()
                    letters.write_again(one_reply, ReplyLetter.Kind.ALONE, record.now)
        if partner is None:
            words = gettext("%(name)s and the partner look for others: %(title)s.")
            return words % {"name": name_of(one_reply), "title": occasion.title}
        return gettext("%(one)s and %(other)s play together: %(title)s.") % {
            "one": name_of(one_reply),
            "other": name_of(other_reply),
            "title": occasion.title,
        }

    return perform(lookups.club_of(Question, question_id), do, PART, by=by, **how)


def _check_before_play(occasion: Occasion, now: datetime) -> None:
    """Raise `Refused` once it is too late for partners: at the start of the event, or else of the meeting."""
    if occasion.is_off or pair_entries.event_of(occasion.question) is None:
        replies.check_open(occasion, now)
    replies.check_partners(occasion)


def confirm_guest(reply_id: int, by: User, *, membership: int | None = None, **how: Unpack[ActionRequest]) -> Act:
    """Confirm a name that the club does not know: as a new guest, or as a member (id) under another name.

    Raises `Refused` if the member has answered already.
    """

    def do(record: Record) -> str:
        reply = row_of(record, Reply, reply_id, question__club=record.club)
        if reply.membership_id is not None:
            raise Refused("nothing_new", gettext("This has already been done."))
        if membership is None:
            naming.check_free(record, reply.name)
            member = Membership(club=record.club, name=reply.name, role=Membership.Role.GUEST)
            record.create(member)
        else:
            member = lookups.membership_of(record, membership)
            if Reply.objects.filter(question=reply.question_id, membership=member).exclude(answer="").exists():
                raise Refused("answered", gettext("%(name)s has already answered.") % {"name": member})
            Reply.objects.filter(question=reply.question_id, membership=member).delete()
        name = reply.name
        record.change(reply, membership=member)
        return gettext("%(name)s was confirmed as %(member)s.") % {"name": name, "member": member}

    club_id = Reply.objects.filter(pk=reply_id).values_list("question__club_id", flat=True).first()
    return perform(int(lookups.existing(club_id)), do, GUEST, by=by, **how)


def reply_of(question: Question, pk: int) -> int:
    """The id of a reply to this question. Raises `Refused`."""
    if not Reply.objects.filter(question=question, pk=pk).exists():
        raise Refused("no_such_row", gettext("This no longer exists."))
    return pk


def name_of(reply: Reply) -> str:
    """The name of the person of a reply, whose membership is loaded."""
    return str(reply.membership) if reply.membership is not None else reply.name


@contextmanager
def _noted(record: Record, question: Question) -> Iterator[None]:
    """Record which replies to a locked question are changed or added, but for reserves, who know that they are asked."""
    before = {reply.pk: reply for reply in Reply.objects.filter(question=question)}
    yield
    after = Reply.objects.filter(question=question).order_by("pk")
    # Undone in the opposite order: a person is somebody's partner again only after the new one is parted.
    for reply in sorted(after, key=lambda each: each.partner_id is not None):
        if reply.pk in before:
            record.note_changed(before[reply.pk], reply)
        elif not reply.is_reserve:
            record.note_added(reply)


def _checked_question(record: Record, question_id: int) -> Question:
    """The question, after the check of rights. Raises `NotAllowed` or `Refused`."""
    question = row_of(record, Question, question_id)
    record.ask(occasions.questions().get(pk=question.pk))
    return question


def _member(record: Record, question: Question, who: int | str) -> Membership | None:
    if isinstance(who, str):
        name = replies.clean_name(who)
        return replies.find_member(question, name)
    if question.team_id is None:
        return lookups.membership_of(record, who)
    member = Membership.objects.filter(pk=who, left_at=None).first()
    if member is None:
        raise Refused("no_such_row", gettext(lookups.GONE), field="who")
    return member
