"""Newsletters that the site writes: ready once a matchday is complete, and as its results are until a person changes
or sends them."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from accounts.languages import language_of
from accounts.models import User
from clubs.league import fixtures
from clubs.league.agenda import agenda
from clubs.models import Club, Newsletter, Season
from clubs.services import lookups, notifications
from clubs.services.history import Record, Site, declare, perform
from clubs.services.publications import newsletter_sending, newsletters
from clubs.statistics import matchday_words
from clubs.statistics.matchday_words import MatchdayText
from tournaments.models import Act, Pairing
from web.errors import Refused

NOTICE = "club_letter"
FRESH = timedelta(days=2)
"""Nothing is written about older results, such as those of an import."""
SETTLED = timedelta(minutes=5)
"""Results are left alone for this long: who has entered them perhaps corrects them, or writes the newsletter."""
FOLLOWED = timedelta(days=14)
WRITTEN = declare(
    "letter_written", needs=Site("A matchday that is complete has its newsletter written."), undo=newsletters.UNKEPT
)
DRAFT, DONE, IDLE = Newsletter.Status.DRAFT, Pairing.Status.DONE, Pairing.Status.IDLE


def write_due(now: datetime) -> None:
    """Write about each matchday that has become complete, and again what has changed since. Safe to run twice and at
    once."""
    for season, day in list(_complete(now)):
        with suppress(Refused):  # another worker, or an organiser, was quicker
            _write(season, day, now)
    changed = Act.objects.filter(tournament__division__season=OuterRef("season"), at__gt=OuterRef("self_written_at"))
    drafts = Newsletter.objects.filter(Exists(changed), status=DRAFT, created_at__gt=now - FOLLOWED)
    for newsletter in drafts.exclude(self_written_at=None).select_related("club", "season__league__club"):
        _write_again(newsletter, now)


def _complete(now: datetime) -> Iterator[tuple[Season, int]]:
    """The seasons with a matchday that has just become complete, and its number."""
    season = "round__stage__tournament__division__season"
    fresh = Pairing.objects.filter(
        status=DONE, done_at__gte=now - FRESH, **{f"{season}__status": Season.Status.RUNNING}
    )
    new = fresh.filter(round__number__gt=F(f"{season}__drafted_matchday")).exclude(Exists(_left(now)))
    unsettled = fresh.filter(done_at__gt=now - SETTLED)
    seasons = Season.objects.filter(pk__in=new.values(season), league__club__archived_at=None)
    for each in seasons.exclude(pk__in=unsettled.values(season)).select_related("league__club"):
        day = _last_complete(each, now)
        if day > each.drafted_matchday:
            yield each, day


def _left(now: datetime) -> QuerySet[Pairing]:
    """Matches of the same round that are still to be played in its time: no matchday with one is complete."""
    last = F("round__deadline_at")
    still = Pairing.objects.filter(Q(round__deadline_at=None) | Q(round__deadline_at__gte=now), round=OuterRef("round"))
    return still.exclude(status__in=(DONE, IDLE)).exclude(Q(starts_at__gt=last) | Q(deadline_at__gt=last))


def _last_complete(season: Season, now: datetime) -> int:
    """The last matchday that is complete in every division that had it; 0 for none."""
    complete, last = [], 0
    for days in fixtures.of_season(season).values():
        count = agenda(days, now).complete
        last = max(last, days[-1].number if days else 0)
        if count < len(days):
            complete.append(days[count - 1].number if count else 0)
    return min(complete, default=last)


def _write(season: Season, day: int, now: datetime) -> None:
    club, drafts = season.league.club, Newsletter.objects.filter(season=season)
    if drafts.filter(matchday=day).exists():
        Season.objects.filter(pk=season.pk, drafted_matchday__lt=day).update(drafted_matchday=day)
        return
    text = _text(season, day, now)

    def do(record: Record) -> str:
        if not Season.objects.filter(pk=season.pk, drafted_matchday__lt=day).update(drafted_matchday=day):
            raise Refused("nothing_new", gettext("This has already been done."))
        drafts.filter(status=DRAFT).exclude(self_written_at=None).delete()
        row = newsletters.create(record, text, season=season, matchday=day, self_written_at=record.now)
        if newsletter_sending.readers(record.club).exists():
            _tell(record, row)
        return gettext("A newsletter was written from the results: %(subject)s") % {"subject": row.subject}

    perform(club.pk, do, WRITTEN, by=None, now=now)


def _tell(record: Record, newsletter: Newsletter) -> None:
    url = reverse("clubs:newsletter", args=[record.club.slug, newsletter.pk])
    notifications.tell_organisers(
        record,
        lambda: gettext("The newsletter is ready: %(subject)s") % {"subject": newsletter.subject},
        key=str(newsletter.pk),
        kind=NOTICE,
        url=url,
    )


def is_waiting(newsletter_id: int) -> bool:
    """Whether a newsletter is neither sent nor deleted."""
    return Newsletter.objects.filter(pk=newsletter_id, status=DRAFT).exists()


def _write_again(newsletter: Newsletter, now: datetime) -> None:
    """Write a newsletter that nobody has touched from the results of now; without any it is deleted."""
    season, day, version = newsletter.season, newsletter.matchday or 0, newsletter.version
    has_results = season is not None and day in matchday_words.days_with_results(season, newsletters.MATCHDAYS_OFFERED)
    text = _text(season, day, now) if season is not None and has_results else None
    with transaction.atomic():
        Club.objects.locked(newsletter.club_id)
        untouched = Newsletter.objects.filter(pk=newsletter.pk, status=DRAFT, version=version)
        if text is None:
            if untouched.delete()[0] and season is not None:
                Season.objects.filter(pk=season.pk, drafted_matchday=day).update(drafted_matchday=day - 1)
        elif (text.subject, text.body) == (newsletter.subject, newsletter.body):
            untouched.update(self_written_at=now)
        else:
            untouched.update(subject=text.subject, body=text.body, version=version + 1, self_written_at=now)


def _text(season: Season, day: int, now: datetime) -> MatchdayText:
    with language_of(_writer(season.league.club), settings.LANGUAGE_CODE):
        return matchday_words.describe_matchday(season, day, site=settings.SITE_URL, now=now)


def _writer(club: Club) -> User | None:
    """The organiser in whose language the site writes: who has been one for longest, owners first."""
    first = sorted(lookups.organisers(club), key=lambda member: (member.role != member.Role.OWNER, member.pk))
    return first[0].user if first else None
