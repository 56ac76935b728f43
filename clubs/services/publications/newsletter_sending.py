"""Sending a newsletter: once to each member who wants it.

The outbox is the rows of `Copy`: written with the act, sent by a task after it, and by a sweeper if that was lost.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Unpack
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import EMAILS, spend
from accounts.languages import language_of
from accounts.models import User
from accounts.services import bounces, mail
from clubs import access
from clubs.models import Act, Club, Copy, Membership, Newsletter, NewsPlace
from clubs.news_places import following
from clubs.public.news_link_cards import newsletter_picture
from clubs.services import lookups
from clubs.services.history import ActionRequest, Never, Record, declare, perform
from clubs.services.publications import news, newsletters
from clubs.signals import newsletter_due
from web.channels import email
from web.email_queue import EmailQueue
from web.errors import Refused
from web.link_cards import absolute
from web.text import join_words, several

LETTERS_A_DAY = 3
"""Newsletters that one club can send in a day."""
CHANGED = gettext_noop("Someone has changed this newsletter since you opened the page. Read it again, then send it.")

Status = Newsletter.Status


def readers(club: Club) -> QuerySet[Membership]:
    """Members who want the newsletter and have an address: with an account a confirmed one, as `mail.address_of` has
    it; without, one that the club has."""
    unconfirmed = EmailAddress.objects.filter(
        user=OuterRef("user"), email__iexact=OuterRef("user__email"), verified=False
    )
    with_account = Q(user__is_active=True, user__is_guest=False) & ~Q(user__email="") & ~Exists(unconfirmed)
    without = Q(user=None) & ~Q(email="")
    return Membership.objects.filter(with_account | without, club=club, left_at=None, wants_letters=True)


SENDING = declare("letter_send", needs="letters", undo=Never("Emails that were sent stay sent."))


@dataclass(frozen=True)
class Destinations:
    """Where a newsletter goes: to its readers, to the club's page as news, to places by their ids."""

    readers: bool = True
    page: bool = False
    places: Collection[int] = ()


def send(
    newsletter_id: int,
    by: User,
    *,
    version: int | None,
    to: Destinations = Destinations(),
    **how: Unpack[ActionRequest],
) -> Act:
    """Publish a draft. `version` is the one that was shown. Raises `Refused`, and `NotAllowed` for the page and places
    without the right to write news."""

    def do(record: Record) -> str:
        newsletter = newsletters.draft_of(record, newsletter_id)
        newsletters.check_version(newsletter, version, gettext(CHANGED))
        if not newsletter.body.strip():
            raise Refused("no_words", gettext("Enter some text first."))
        if not (to.readers or to.page or to.places):
            raise Refused("nowhere", gettext("Choose where it goes."), field="to")
        if to.page or to.places:
            access.check(by, record.club, "news")
        recent = Act.objects.filter(club=record.club, kind=SENDING.name, at__gt=record.now - timedelta(days=1))
        if recent.count() >= LETTERS_A_DAY:
            raise Refused(
                "too_many_letters",
                gettext("A club can send at most %(most)s newsletters a day. Wait a day.") % {"most": LETTERS_A_DAY},
            )
        where = [*_to_readers(record, newsletter, by)] if to.readers else []
        where += _to_page(record, newsletter, by) if to.page else ()
        where += _to_places(record, newsletter, to.places)
        Newsletter.objects.filter(pk=newsletter.pk).update(status=Status.SENDING, by=by)
        transaction.on_commit(partial(newsletter_due.send, sender=Newsletter, newsletter_id=newsletter.pk), robust=True)
        values = {"count": join_words(where), "subject": newsletter.subject}
        return gettext("A newsletter goes to %(count)s: %(subject)s") % values

    return perform(lookups.club_of(Newsletter, newsletter_id), do, SENDING, by=by, **how)


def _to_readers(record: Record, newsletter: Newsletter, by: User) -> Iterator[str]:
    reader_ids = list(readers(record.club).values_list("pk", flat=True))
    if not reader_ids:
        sentence = gettext("No subscribers to the newsletter yet. Members can subscribe in their club profile.")
        raise Refused("nobody", sentence, field="to")
    spend(EMAILS, by, len(reader_ids))
    Copy.objects.bulk_create(Copy(newsletter=newsletter, membership_id=pk, due_at=record.now) for pk in reader_ids)
    yield several(len(reader_ids), "member")


def _to_page(record: Record, newsletter: Newsletter, by: User) -> Iterator[str]:
    item = news.create(record, newsletter.subject, newsletter.body, by)
    Newsletter.objects.filter(pk=newsletter.pk).update(news=item)
    yield gettext("the club’s page")


def _to_places(record: Record, newsletter: Newsletter, place_ids: Collection[int]) -> Iterator[str]:
    places = NewsPlace.objects.filter(club=record.club, pk__in=place_ids, removed_at=None).select_related("club")
    if len(places) < len(set(place_ids)):
        raise Refused("no_place", gettext("One of these places no longer exists. Check the list again."), field="to")
    for place in places:
        if place.rest:
            raise Refused("paused", gettext("%(place)s is paused. Resume it first.") % {"place": place}, field="to")
        following.post(place, newsletter, record.now)
        yield str(place)


# The outbox


def send_copies(newsletter_id: int) -> None:
    """Send the due copies of one newsletter. Safe to run twice and at once."""
    QUEUE.send_each(QUEUE.due().filter(newsletter=newsletter_id), send_copy)
    _finish()


def send_due() -> None:
    """Send all due copies, such as after a lost task or a dead worker."""
    QUEUE.send_due(send_copy)
    _finish()


def send_copy(copy_id: int) -> bool:
    """Send one copy if it is due; whether it was sent. Safe to run twice and at once."""
    if not QUEUE.claim(copy_id):
        return False
    copy = Copy.objects.select_related(
        "newsletter__club", "newsletter__by", "newsletter__season", "newsletter__event", "membership__user"
    ).get(pk=copy_id)
    address = _address(copy.membership)
    is_taken = bool(address) and email.post_or_drop(message(copy, address))
    Copy.objects.filter(pk=copy_id).update(due_at=None, sent_at=timezone.now() if is_taken else None)
    return is_taken


def unsent() -> QuerySet[Copy]:
    """Copies that are not sent."""
    return Copy.objects.filter(due_at__isnull=False)


QUEUE = EmailQueue(unsent, "Copy of a newsletter", at_once=200)


def _finish() -> None:
    """Mark newsletters as sent when no copy is due any more."""
    waiting = Copy.objects.filter(newsletter=OuterRef("pk"), due_at__isnull=False)
    sent = Newsletter.objects.filter(~Exists(waiting), status=Status.SENDING)
    Newsletter.objects.filter(pk__in=list(sent.values_list("pk", flat=True)), status=Status.SENDING).update(
        status=Status.SENT, sent_at=timezone.now()
    )


def _address(member: Membership) -> str:
    """The current address of a reader; empty if they have left since then, or unsubscribed."""
    if not member.is_here or not member.wants_letters:
        return ""
    if member.user is None:
        return member.email
    return mail.address_of(member.user) if member.user.is_active and not member.user.is_guest else ""


def _message_id(copy: Copy) -> str:
    """The same id whenever a copy is sent again, so that mail programs show it once."""
    about, user = f"newsletter-{copy.newsletter_id}-{copy.pk}", copy.membership.user
    return bounces.message_id(user, about) if user else f"<{about}@{urlsplit(settings.SITE_URL).hostname}>"


def message(copy: Copy, address: str) -> EmailMultiAlternatives:
    """A newsletter for one member, as plain text and simple HTML. The text around it is in their language, or without
    an account in the author's."""
    reader = copy.membership.user or copy.newsletter.by
    with language_of(reader, settings.LANGUAGE_CODE):
        return _message(copy, address)


def _message(copy: Copy, address: str) -> EmailMultiAlternatives:
    letter, member = copy.newsletter, copy.membership
    stop = settings.SITE_URL + reverse("clubs:stop_letters", args=[member.letters_token])
    context = {"letter": letter, "club": letter.club, "stop": stop, "site": settings.SITE_URL}
    if letter.season is not None or letter.event is not None:
        context["picture"] = absolute(newsletter_picture(letter))
    return email.letter(
        address,
        letter.subject,
        render_to_string("clubs/letters/mail.txt", context),
        html=render_to_string("clubs/letters/mail.html", context),
        stop=stop,
        message_id=_message_id(copy),
    )
