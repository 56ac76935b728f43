"""Talk at a table: chat, reports of it, and notes to oneself.

Partners may not signal. So at a serious table only set phrases are said while the match is played, unless its creator
chose otherwise; they are chosen so that none of them can be a signal about the game.
"""

import unicodedata
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext, gettext_lazy

from accounts.budgets import MESSAGES, REPORTS, spend
from accounts.models import OperatorAct, User
from accounts.services import blocks
from gameplay.models import ChatMessage, Report, Seat, Table
from gameplay.services.sitting import save, sit_down
from web.errors import NotAllowed, Refused
from web.text import number

PHRASES = {
    "hello": gettext_lazy("Hello!"),
    "luck": gettext_lazy("Good luck, everyone."),
    "played": gettext_lazy("Well played."),
    "thanks": gettext_lazy("Thank you for the game."),
    "slow": gettext_lazy("Sorry, I was slow."),
    "moment": gettext_lazy("One moment, please."),
    "back": gettext_lazy("I am back."),
    "time": gettext_lazy("Take your time."),
    "tomorrow": gettext_lazy("I will be back tomorrow."),
    "bye": gettext_lazy("Good night."),
}
"""Phrases allowed at any time; none of them tells a partner anything about the cards."""

MOST_LETTERS = 300
MOST_NOTE = 5000
MOST_REASON = 500
_DOUBLE = timedelta(seconds=10)
"""The same words by the same player within this time are one message sent twice."""


def say(table_id: int, user: User, *, text: str = "", phrase: str = "", now: datetime | None = None) -> ChatMessage:
    """Say something at the table: own words, or a phrase of `PHRASES`. Raises `NotAllowed` or `Refused`."""
    words = _words_of(text, phrase)
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat = sitting.seat_of(user)
        if sitting.table.talk == Table.Talk.NONE:
            raise Refused("no_chat", gettext("This table has no chat."))
        if not phrase and not sitting.table.talks_freely:
            raise Refused("presets_only", gettext("During this match you can only send set phrases."))
        recent = ChatMessage.objects.filter(user=user)
        twice = recent.filter(table=table_id, text=words, at__gt=sitting.now - _DOUBLE).first()
        if twice is not None:
            return twice
        spend(MESSAGES, user)
        message = ChatMessage.objects.create(
            table=sitting.table, user=user, seat=seat.number, name=str(seat)[:60], text=words
        )
        readers = sitting.table.seats.filter(user__isnull=False).exclude(pk=seat.pk)
        readers.exclude(user__blocks__person=user).update(unread=F("unread") + 1)
        save(sitting)
        return message


def messages_for(table: Table, reader: User | AnonymousUser) -> QuerySet[ChatMessage]:
    """The messages of a table that the reader sees: none of people whom they have blocked."""
    return blocks.without_blocked(ChatMessage.objects.filter(table=table), reader, "user")


def mark_read(seat: Seat) -> None:
    """Note that the player has the chat before them."""
    if seat.unread:
        Seat.objects.filter(pk=seat.pk).update(unread=0)
        seat.unread = 0


def _words_of(text: str, phrase: str) -> str:
    if phrase:
        if phrase not in PHRASES:
            raise Refused("no_such_phrase", gettext("That is not one of the set phrases."))
        return str(PHRASES[phrase])
    words = " ".join(clean(text).split())
    if not words:
        raise Refused("nothing_said", gettext("Write a message first."))
    if len(words) > MOST_LETTERS:
        raise Refused(
            "too_long",
            gettext("The message is too long. The limit is %(most)s characters, and it has %(count)s.")
            % {"most": MOST_LETTERS, "count": len(words)},
        )
    return words


_KEPT = "\n\t\u200c\u200d"
"""Line breaks, and joiners of characters and pictures in many scripts."""


def clean(text: str) -> str:
    """The text without control characters and those that turn the direction of other people's words."""
    return "".join(
        " " if letter in "\r\u2028\u2029" else letter
        for letter in text
        if letter in _KEPT or letter in "\r\u2028\u2029" or unicodedata.category(letter)[0] != "C"
    )


def mute(table_id: int, user: User, *, is_muted: bool) -> None:
    """Show the table's chat no longer, or again. Twice does no harm."""
    _update_seat(table_id, user, mutes_chat=is_muted)


def keep_note(table_id: int, user: User, text: str) -> None:
    """Save a private note in place of the one before. Raises `NotAllowed` or `Refused`."""
    note = clean(text.replace("\r\n", "\n"))
    if len(note) > MOST_NOTE:
        raise Refused(
            "too_long",
            gettext("The notes are too long. The limit is %(most_note)s characters, and they have %(count)s.")
            % {"most_note": number(MOST_NOTE), "count": number(len(note))},
        )
    _update_seat(table_id, user, note=note)


def _update_seat(table_id: int, user: User, **fields: object) -> None:
    """Change what only the player sees; nobody's page is out of date for it."""
    with transaction.atomic():
        Table.objects.locked(table_id)
        if not Seat.objects.filter(table=table_id, user=user).update(**fields):
            raise NotAllowed("no_seat", gettext("You have no seat at this table."))


def report(table_id: int, user: User, *, reason: str, message_id: int | None = None) -> Report:
    """Report a message, or someone's behaviour at the table. The same message twice is one report."""
    why = clean(reason).strip()[:MOST_REASON]
    with transaction.atomic():
        sitting = sit_down(table_id)
        sitting.seat_of(user)
        message = _reported(sitting.table, user, message_id)
        if message is None and not why:
            raise Refused("no_reason", gettext("Describe the problem briefly."))
        reports = Report.objects.filter(reporter=user)
        if message is not None and (earlier := reports.filter(message=message).first()):
            return earlier
        spend(REPORTS, user)
        return Report.objects.create(table=sitting.table, message=message, reporter=user, reason=why)


def _reported(table: Table, user: User, message_id: int | None) -> ChatMessage | None:
    if message_id is None:
        return None
    message = ChatMessage.objects.filter(pk=message_id, table=table).first()
    if message is None:
        raise Refused("no_such_message", gettext("This message no longer exists."))
    if message.user_id == user.pk:
        raise Refused("own_message", gettext("That is your own message."))
    return message


def close_report(report_id: int, *, is_upheld: bool) -> Report:
    """Close a report; if it is upheld, hide its message. Twice does no harm."""
    report = Report.objects.filter(pk=report_id).first()
    if report is None:
        raise Refused("no_such_report", gettext("Report %(report_id)s not found.") % {"report_id": report_id})
    with transaction.atomic():
        sitting = sit_down(report.table_id)
        if Report.objects.filter(pk=report_id, settled_at=None).update(settled_at=sitting.now):
            OperatorAct.objects.create(
                kind="report",
                subject=f"table:{report.table_id}",
                sentence=f"Report {report_id} was {'upheld' if is_upheld else 'dismissed'}.",
            )
        if is_upheld and report.message_id is not None:
            ChatMessage.objects.filter(pk=report.message_id, hidden_at=None).update(hidden_at=sitting.now)
            save(sitting)
    report.refresh_from_db()
    return report
