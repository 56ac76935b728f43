"""The outbox of questions and reminders: a row for each, sent once as a notification, or as an email without account."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.languages import as_read_by, language_of
from accounts.models import Notice
from accounts.services import notices
from clubs.coming import links, occasions
from clubs.coming.occasions import Occasion
from clubs.models import Membership, Reply, ReplyLetter
from clubs.signals import reply_letters_due
from web.channels import email
from web.clocks import read_in
from web.email_queue import EmailQueue

NOTICE = "club_coming"
Kind = ReplyLetter.Kind
QUESTIONS = (Kind.ASK, Kind.AGAIN, Kind.RESERVE)
"""Letters that nobody needs who has answered."""


class Words(NamedTuple):
    """A letter in the language that is active: its subject, and a sentence."""

    subject: str
    sentence: str


# Writing


def write(replies: Iterable[Reply], kind: str, now: datetime) -> int:
    """Put letters into the outbox, in the transaction of their cause; the number of new ones. Known ones stay."""
    rows = [ReplyLetter(reply=reply, kind=kind, due_at=now) for reply in replies if reply.membership_id is not None]
    before = ReplyLetter.objects.filter(reply__in=[row.reply_id for row in rows], kind=kind).count()
    ReplyLetter.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        _wake(rows[0].reply)
    return len(rows) - before


def write_again(reply: Reply, kind: str, now: datetime) -> None:
    """The same for news that can come more than once, such as another partner."""
    if reply.membership_id is not None:
        ReplyLetter.objects.filter(reply=reply, kind=kind).delete()
        ReplyLetter.objects.create(reply=reply, kind=kind, due_at=now)
        _wake(reply)


def _wake(reply: Reply) -> None:
    wake = partial(reply_letters_due.send, sender=ReplyLetter, question_id=reply.question_id)
    transaction.on_commit(wake, robust=True)


# Sending


def send_of(question_id: int) -> None:
    """Send the letters of one question that are due. Safe to run twice and at once."""
    QUEUE.send_each(QUEUE.due().filter(reply__question=question_id), send)


def send_due() -> None:
    """Send all letters that are due, such as after a lost task or a dead worker."""
    QUEUE.send_due(send)


def send(letter_id: int) -> bool:
    """Send one letter if it is due; whether it was sent. Safe to run twice and at once."""
    if not QUEUE.claim(letter_id):
        return False
    letter = ReplyLetter.objects.select_related("reply__membership__user", "reply__partner__membership").get(
        pk=letter_id
    )
    occasion = Occasion(occasions.questions().get(pk=letter.reply.question_id))
    is_sent = _is_wanted(letter, occasion) and _deliver(letter, occasion)
    ReplyLetter.objects.filter(pk=letter_id).update(due_at=None, sent_at=timezone.now() if is_sent else None)
    return is_sent


def unsent() -> QuerySet[ReplyLetter]:
    """Letters that are not sent."""
    return ReplyLetter.objects.filter(due_at__isnull=False)


QUEUE = EmailQueue(unsent, "Letter about who comes", at_once=200)


def _is_wanted(letter: ReplyLetter, occasion: Occasion) -> bool:
    """Whether a letter still says something new to somebody who wants it."""
    reply, now = letter.reply, timezone.now()
    if letter.kind == Kind.OFF:
        is_ahead = occasion.closes_at is not None and occasion.closes_at > now
        return (
            occasion.is_off and is_ahead and reply.comes and reply.membership is not None and reply.membership.is_here
        )
    if occasion.is_closed(now) or reply.membership is None or not reply.membership.is_here:
        return False
    if letter.kind in QUESTIONS:
        return not reply.answer
    if letter.kind == Kind.PARTNER:
        return reply.partner_id is not None
    if letter.kind == Kind.ALONE:
        return reply.answer == Reply.Answer.PARTNER
    return reply.comes


def is_wanted(notice: Notice) -> bool:
    """The same for a notification that waited for the end of quiet hours."""
    letter = ReplyLetter.objects.select_related("reply__membership").filter(pk=int(notice.key.split(":")[1])).first()
    if letter is None or notice.was_sent:
        return False
    return _is_wanted(letter, Occasion(occasions.questions().get(pk=letter.reply.question_id)))


def _deliver(letter: ReplyLetter, occasion: Occasion) -> bool:
    member = letter.reply.membership
    assert member is not None  # noqa: S101  asked before
    if member.user is None:
        return _send_email(letter, occasion, member)
    if not member.user.is_active or member.user.is_guest:
        return False
    with as_read_by(member.user):
        words = words_of(letter, occasion)
    notices.add(
        member.user,
        kind=NOTICE,
        key=f"{NOTICE}:{letter.pk}",
        subject=f"club:{occasion.club.pk}",
        title=words.subject,
        body=words.sentence,
        url=links.own_path(occasion.question, member.pk),
        due_at=timezone.now(),
    )
    return True


def _send_email(letter: ReplyLetter, occasion: Occasion, member: Membership) -> bool:
    """Send an email to a person without an account; False if the mail server will never take it."""
    can_be_sent = bool(member.email) and member.wants_questions
    return can_be_sent and email.post_or_drop(email_of(letter, occasion, member))


def email_of(letter: ReplyLetter, occasion: Occasion, member: Membership) -> EmailMultiAlternatives:
    """An email in the language of the organiser of the meeting, because nobody knows that of the reader, nor the zone."""
    repeating = occasion.repeating
    writer = repeating.by if repeating and repeating.by else occasion.club.created_by
    stop = links.full(reverse("clubs:stop_questions", args=[member.letters_token]))
    with language_of(writer, settings.LANGUAGE_CODE), read_in(occasion.club.zone, is_known=False):
        words = words_of(letter, occasion)
        link = links.full(links.own_path(occasion.question, member.pk))
        invitation = gettext("See it, or change your answer:")
        if letter.kind in QUESTIONS:
            invitation = gettext("Answer with one press, without an account:")
        context = {"words": words, "link": link, "stop": stop, "club": occasion.club, "occasion": occasion}
        body = render_to_string("clubs/coming/mail.txt", context | {"invitation": invitation})
    host = urlsplit(settings.SITE_URL).hostname
    message_id = f"<coming-{letter.pk}-{letter.created_at:%Y%m%d%H%M%S}@{host}>"
    return email.letter(member.email, words.subject, body, stop=stop, message_id=message_id)


def words_of(letter: ReplyLetter, occasion: Occasion) -> Words:
    """What a letter says."""
    day = ", ".join(part for part in (occasion.day, occasion.clock) if part)
    values = {"club": occasion.club.name, "title": occasion.title, "day": day, "name": _partner(letter.reply)}
    values["place"] = f"{day}, {occasion.venue}" if occasion.venue else day
    texts = _texts_of(occasion)
    subject, sentence = texts.get(Kind(letter.kind), _TEXTS[Kind(letter.kind)])()
    return Words(subject % values, sentence % values)


def off_words(occasion: Occasion) -> str:
    """That a meeting is cancelled, in one text."""
    day = gettext("%(day)s, %(clock)s") % {"day": occasion.day, "clock": occasion.clock}
    return " ".join(f"{part}." if not part.endswith(".") else part for part in _off()) % {
        "club": occasion.club.name,
        "title": occasion.title,
        "day": day,
    }


def _partner(reply: Reply) -> str:
    partner = reply.partner
    return partner.name or str(partner.membership) if partner else ""


def _ask() -> tuple[str, str]:
    return gettext("Are you coming? %(title)s, %(day)s"), gettext("%(club)s asks if you are coming.")


def _again() -> tuple[str, str]:
    return (
        gettext("Are you coming tomorrow? %(title)s, %(day)s"),
        gettext("%(club)s asks again because you have not answered yet."),
    )


def _can_play() -> tuple[str, str]:
    return gettext("Can you play? %(title)s, %(day)s"), gettext("%(club)s asks if you can play.")


def _can_play_again() -> tuple[str, str]:
    return (
        gettext("Can you play tomorrow? %(title)s, %(day)s"),
        gettext("%(club)s asks again because you have not answered yet."),
    )


def _play_tomorrow() -> tuple[str, str]:
    return gettext("Tomorrow: %(title)s, %(day)s"), gettext("You said that you can play.")


def _can_play_once_more() -> tuple[str, str]:
    return _can_play()[0], _can_play_again()[1]


def _still_to_play() -> tuple[str, str]:
    return "%(title)s, %(day)s", _play_tomorrow()[1]


def _play_as_reserve() -> tuple[str, str]:
    return (
        gettext("Can you play as a reserve? %(title)s, %(day)s"),
        gettext("Someone cannot play, and you are the next reserve. Please answer soon."),
    )


def _reminder() -> tuple[str, str]:
    return gettext("Tomorrow: %(title)s, %(day)s"), gettext("You said that you are coming.")


def _reserve() -> tuple[str, str]:
    return (
        gettext("Can you come as a reserve? %(title)s, %(day)s"),
        gettext("Someone cannot come, and you are the next reserve of %(club)s. Please answer soon."),
    )


def _partner_found() -> tuple[str, str]:
    return (
        gettext("You play with %(name)s: %(title)s, %(day)s"),
        gettext("A partner was found for you. You do not have to do anything."),
    )


def _alone() -> tuple[str, str]:
    return (
        gettext("You need a partner again: %(title)s, %(day)s"),
        gettext("Your partner cannot come or was changed. You are on the list of people who need a partner."),
    )


def _moved() -> tuple[str, str]:
    return (
        gettext("Changed: %(title)s, %(day)s"),
        gettext("The time or place is new: %(place)s. If you cannot come, change your answer."),
    )


def _off() -> tuple[str, str]:
    return gettext("Cancelled: %(title)s, %(day)s"), gettext("%(club)s cancelled it. You do not have to do anything.")


def _on() -> tuple[str, str]:
    return (
        gettext("It takes place after all: %(title)s, %(day)s"),
        gettext("You said that you are coming. If you cannot, change your answer."),
    )


_TEXTS = {
    Kind.ASK: _ask,
    Kind.AGAIN: _again,
    Kind.REMINDER: _reminder,
    Kind.RESERVE: _reserve,
    Kind.PARTNER: _partner_found,
    Kind.ALONE: _alone,
    Kind.MOVED: _moved,
    Kind.OFF: _off,
    Kind.ON: _on,
}
_OF_MATCH = {
    Kind.ASK: _can_play,
    Kind.AGAIN: _can_play_again,
    Kind.REMINDER: _play_tomorrow,
    Kind.RESERVE: _play_as_reserve,
}
"""How a team's players are asked; the other letters are the same."""
_OF_OPEN_MATCH = {**_OF_MATCH, Kind.AGAIN: _can_play_once_more, Kind.REMINDER: _still_to_play}
"""The same for a match whose time is open: nobody knows if it is tomorrow."""


def _texts_of(occasion: Occasion) -> Mapping[Kind, Callable[[], tuple[str, str]]]:
    if not occasion.is_match:
        return {}
    return _OF_MATCH if occasion.has_time else _OF_OPEN_MATCH


def stop(token: str) -> None:
    """Send no more emails that ask this person if they come. Twice does no harm."""
    Membership.objects.filter(letters_token=token).update(wants_questions=False)
