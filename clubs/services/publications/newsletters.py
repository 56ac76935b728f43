"""Newsletters: drafted from matchdays, edited, deleted; and their readers. The history does not have their text."""

import unicodedata
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Unpack

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from clubs.models import Act, Club, Membership, Newsletter, Season
from clubs.services import lookups
from clubs.services.history import ActionRequest, Never, Record, declare, perform, row_of
from clubs.statistics import close_words, evening_words, matchday_words
from clubs.statistics.matchday_words import MatchdayText
from tournaments.models import Tournament
from web.errors import Refused, Stale
from web.text import number, several

LONGEST_SUBJECT = 120
LONGEST = 20_000
MOST_DRAFTS = 20
MATCHDAYS_OFFERED = 3
"""Matchdays of a season that are offered for a newsletter."""
CLOSE = 0
"""Offered in the place of a matchday: the end of a season that was closed lately."""
CLOSE_OFFERED = timedelta(days=60)
MOST_MATCHDAYS = 10
BOTH = gettext_noop(
    "Someone has saved another text since you opened this page. Both are below. Combine them into one text."
)


UNKEPT = Never("The history does not keep the text of newsletters.")
NEWSLETTER = declare("letter", needs="letters", undo=UNKEPT)
NEWSLETTER_EDIT = declare("letter_edit", needs="letters", undo=UNKEPT)
NEWSLETTER_DELETION = declare("letter_delete", needs="letters", undo=UNKEPT)


def draft(
    club_id: int,
    by: User,
    *,
    about: Sequence[tuple[int, int]] = (),
    events: Sequence[int] = (),
    is_self_written: bool = False,
    **how: Unpack[ActionRequest],
) -> Act:
    """Start a newsletter about matchdays, as pairs of the id of a season and a number, and about evenings, as ids of
    events of the club; or an empty one. With `is_self_written` one about a single matchday follows its results until it
    is edited. The newsletter is `history.added_row(act, Newsletter)`. Raises `Refused`."""

    def do(record: Record) -> str:
        if Newsletter.objects.filter(club=record.club, status=Newsletter.Status.DRAFT).count() >= MOST_DRAFTS:
            raise Refused(
                "too_many",
                gettext("There are already %(most)s drafts. Send one of them, or delete it.") % {"most": MOST_DRAFTS},
            )
        if len(about) > MOST_MATCHDAYS:
            raise Refused(
                "too_many",
                gettext("A newsletter can cover at most %(most)s matchdays.") % {"most": MOST_MATCHDAYS},
                field="about",
            )
        reports = [_report(record, season, day) for season, day in about]
        reports += [_report_evening(record, event) for event in events]
        season, day = about[0] if about else (None, None)
        subject = reports[0].subject if reports else gettext("News from %(club)s") % {"club": record.club}
        text = MatchdayText(subject, "\n\n".join(report.body for report in reports))
        follows = is_self_written and len(about) == 1 and not events and day != CLOSE
        fields = {"season_id": season, "matchday": day or None, "event_id": events[0] if events else None, "by": by}
        newsletter = create(record, text, self_written_at=record.now if follows else None, **fields)
        return gettext("A newsletter was started: %(subject)s") % {"subject": newsletter.subject}

    return perform(club_id, do, NEWSLETTER, by=by, **how)


def create(record: Record, text: MatchdayText, **fields: Any) -> Newsletter:
    """A new draft with this text, and other fields by their names."""
    newsletter = Newsletter.objects.create(
        club=record.club, subject=text.subject[:LONGEST_SUBJECT], body=text.body[:LONGEST], **fields
    )
    # Without its text, which may have to be anonymised.
    record.changes.append({"model": "newsletter", "pk": newsletter.pk, "was": None, "is": {}})
    return newsletter


def topics(club: Club, now: datetime) -> list[tuple[Season, int]]:
    """What a newsletter can cover: the end of seasons closed lately (`CLOSE`), and the last matchdays of those under
    way, newest first."""
    rows = [(season, CLOSE) for season in closed_lately(club, now)]
    for season in _seasons(club).filter(status=Season.Status.RUNNING):
        rows += [(season, day) for day in matchday_words.days_with_results(season, MATCHDAYS_OFFERED)]
    return rows


def closed_lately(club: Club, now: datetime) -> QuerySet[Season]:
    """The seasons of whose end a newsletter can tell: one query."""
    return _seasons(club).filter(closed_at__gt=now - CLOSE_OFFERED)


def _seasons(club: Club) -> QuerySet[Season]:
    return Season.objects.filter(league__club=club).select_related("league").order_by("league__name", "number")


def _report(record: Record, season_id: int, day: int) -> MatchdayText:
    season = Season.objects.filter(pk=season_id, league__club=record.club).exclude(status=Season.Status.DRAFT).first()
    if season is not None and day == CLOSE and season.status == Season.Status.CLOSED:
        return close_words.describe_close(season, site=settings.SITE_URL)
    if season is None or day not in matchday_words.days_with_results(season, MATCHDAYS_OFFERED):
        raise Refused("no_matchday", gettext("A newsletter cannot cover this matchday. Choose another."), field="about")
    return matchday_words.describe_matchday(season, day, site=settings.SITE_URL, now=record.now)


def _report_evening(record: Record, event_id: int) -> MatchdayText:
    event = Tournament.objects.filter(pk=event_id, circle=record.club.circle, started_at__isnull=False).first()
    if event is None or event.status == Tournament.Status.CANCELLED:
        raise Refused("no_evening", gettext("A newsletter cannot cover this event. Choose another."), field="about")
    return evening_words.describe_evening(event, site=settings.SITE_URL)


def about_evening(club_id: int, matchdays: Collection[tuple[int, int]], events: Collection[int]) -> Newsletter | None:
    """The latest newsletter about one of these matchdays or events."""
    is_about = Q(event__in=events)
    for season, day in matchdays:
        is_about |= Q(season=season, matchday=day)
    return Newsletter.objects.filter(is_about, club=club_id).order_by("-pk").first()


def edit(
    newsletter_id: int, by: User, *, subject: str, body: str, version: int | None, **how: Unpack[ActionRequest]
) -> Act:
    """Change a draft. `version` is the one that the page showed; raises `Stale` if someone has saved another since
    then, and `Refused` with the `field` that is wrong."""

    def do(record: Record) -> str:
        newsletter = draft_of(record, newsletter_id)
        heading, text = _read(subject, body)
        check_version(newsletter, version, gettext(BOTH))
        if (heading, text) == (newsletter.subject, newsletter.body):
            return gettext("A newsletter was not changed: %(heading)s") % {"heading": heading}
        rows = Newsletter.objects.filter(pk=newsletter.pk)
        rows.update(subject=heading, body=text, version=newsletter.version + 1, by=by, self_written_at=None)
        return gettext("A newsletter was changed: %(heading)s") % {"heading": heading}

    return perform(lookups.club_of(Newsletter, newsletter_id), do, NEWSLETTER_EDIT, by=by, **how)


def delete_draft(newsletter_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Delete a draft."""

    def do(record: Record) -> str:
        newsletter = draft_of(record, newsletter_id)
        newsletter.delete()
        return gettext("A newsletter draft was deleted: %(subject)s") % {"subject": newsletter.subject}

    return perform(lookups.club_of(Newsletter, newsletter_id), do, NEWSLETTER_DELETION, by=by, **how)


def draft_of(record: Record, pk: int) -> Newsletter:
    """A newsletter that was not sent, under the lock. Raises `Refused`."""
    newsletter = row_of(record, Newsletter, pk)
    if newsletter.status != Newsletter.Status.DRAFT:
        raise Refused("sent", gettext("This newsletter has already been sent and can no longer be changed."))
    return newsletter


def check_version(newsletter: Newsletter, version: int | None, sentence: str) -> None:
    """Raise `Stale` with this sentence unless this is the version that the person saw."""
    if version != newsletter.version:
        raise Stale("stale", sentence, version=newsletter.version, subject=newsletter.subject, body=newsletter.body)


def _read(subject: str, body: str) -> tuple[str, str]:
    heading, text = " ".join(subject.split()), body.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not heading:
        raise Refused("no_subject", gettext("Enter a heading."), field="subject")
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in heading):
        raise Refused("bad_words", gettext("The heading contains a character that cannot be sent."), field="subject")
    if len(heading) > LONGEST_SUBJECT:
        raise Refused(
            "too_long",
            gettext("A heading can have at most %(most)s characters.") % {"most": LONGEST_SUBJECT},
            field="subject",
        )
    if not text:
        raise Refused("no_words", gettext("Enter some text."), field="body")
    if "\x00" in text:
        raise Refused("bad_words", gettext("The text contains a character that cannot be sent."), field="body")
    if len(text) > LONGEST:
        raise Refused(
            "too_long",
            gettext("A newsletter can have at most %(longest)s characters.") % {"longest": number(LONGEST)},
            field="body",
        )
    return heading, text


# Readers


def without_account(club_id: int) -> QuerySet[Membership]:
    """Names without an account but with an address: they cannot subscribe themselves."""
    return Membership.objects.filter(club=club_id, user=None, left_at=None).exclude(email="")


READERS = declare("letter_readers", needs="letters", undo=Never("What people agreed to is not set back."))


def set_readers(club_id: int, by: User, *, reader_ids: Collection[int], **how: Unpack[ActionRequest]) -> Act:
    """Save which names without an account asked for the newsletter, as ids of memberships; the others get none."""

    def do(record: Record) -> str:
        members = without_account(record.club.pk)
        if set(reader_ids) - set(members.values_list("pk", flat=True)):
            raise Refused(
                "not_without", gettext("One of these people now has an account, or no address. Check the list again.")
            )
        # Not through the record: undoing does not change consents.
        members.filter(pk__in=reader_ids).update(wants_letters=True)
        members.exclude(pk__in=reader_ids).update(wants_letters=False)
        return gettext("Of the members without an account, %(count)s asked for the newsletter.") % {
            "count": several(len(set(reader_ids)), "person", "people")
        }

    return perform(club_id, do, READERS, by=by, **how)


def reader(token: str) -> Membership | None:
    """The member whose link to unsubscribe this is."""
    return Membership.objects.filter(letters_token=token).select_related("club").first()


def unsubscribe(token: str) -> None:
    """Unsubscribe the member with this link. Twice is harmless."""
    Membership.objects.filter(letters_token=token).update(wants_letters=False)
