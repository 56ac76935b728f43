"""Doors to the newsletter: begun from results, edited, looked at and sent, and who wants it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, act, look_inside
from clubs.models import Act, Club, Copy, Newsletter, Season
from clubs.services import history
from clubs.services.publications import newsletter_sending
from clubs.services.publications import newsletters as services
from clubs.statistics import matchday_words
from gameplay.api.base import player, read_query
from gameplay.api.tables import answer

Status = Newsletter.Status

# Reading


@look_inside(
    "look", response_serializers.Newsletters, asks=request_serializers.WhichNewsletters, name="clubs_newsletters_list"
)
def all_newsletters(request: Request, club: Club) -> Response:
    """Sent newsletters, for members. Their writers also see drafts."""
    query, writes = read_query(request_serializers.WhichNewsletters, request), _writes(request, club)
    found = Newsletter.objects.filter(club=club)
    if not writes:
        found = found.exclude(status=Status.DRAFT)
    if "before" in query:
        found = found.filter(pk__lt=query["before"])
    rows, limit = list(found[: query["limit"] + 1]), query["limit"]
    own = access.membership_of(player(request), club)
    data = {
        "newsletters": [_line(club, row) for row in rows[:limit]],
        "more": len(rows) > limit,
        "you_want_it": own is not None and own.wants_letters,
        "readers": newsletter_sending.readers(club).count() if writes else None,
    }
    return answer(request, response_serializers.Newsletters, data)


def _writes(request: Request, club: Club) -> bool:
    return access.may(player(request), club, "letters")


def _line(club: Club, row: Newsletter) -> dict[str, Any]:
    names = ("subject", "status", "created_at", "sent_at")
    url = settings.SITE_URL + reverse("clubs:newsletter", args=[club.slug, row.pk])
    return {"id": row.pk, **{name: getattr(row, name) for name in names}, "url": url}


@look_inside("look", response_serializers.WholeNewsletter, name="clubs_newsletters_retrieve")
def one_newsletter(request: Request, club: Club, newsletter: int) -> Response:
    """A newsletter with its text. Only its writers see a draft."""
    row, writes = newsletter_of(club, newsletter), _writes(request, club)
    if row.status == Status.DRAFT and not writes:
        raise Http404(gettext("Newsletter not found."))
    data = {
        **_line(club, row),
        **{name: getattr(row, name) for name in ("body", "version", "matchday")},
        "season": row.season_id,
        "readers": _readers(club, row) if writes else None,
    }
    return answer(request, response_serializers.WholeNewsletter, data)


def _readers(club: Club, row: Newsletter) -> int:
    """To how many a draft would go, and to how many others have gone out."""
    if row.status == Status.DRAFT:
        return newsletter_sending.readers(club).count()
    return Copy.objects.filter(newsletter=row, sent_at__isnull=False).count()


def newsletter_of(club: Club, newsletter: int) -> Newsletter:
    """A newsletter of the club. Raises `Http404`."""
    found = Newsletter.objects.filter(club=club, pk=newsletter).first()
    if found is None:
        raise Http404(gettext("Newsletter not found."))
    return found


@look_inside("letters", response_serializers.NewsletterTopics, name="clubs_newsletter_topics_list")
def topics(request: Request, club: Club) -> Response:
    """Matchdays that a newsletter can cover, the last of each season first."""
    running = Season.objects.filter(league__club=club, status=Season.Status.RUNNING).select_related("league")
    found = [
        {"season": season.pk, "matchday": day, "name": season.name, "league": season.league.slug}
        for season in running.order_by("league__name", "number")
        for day in matchday_words.told_days(season, services.OFFERED)
    ]
    return answer(request, response_serializers.NewsletterTopics, {"topics": found})


# Writing


@act(
    "letters",
    request_serializers.NewNewsletter,
    example={"about": [{"season": 12, "matchday": 5}], "key": "week-48"},
)
def write_newsletter(asked: Asked, form: Form) -> Newsletter:
    """Start a newsletter about the results of matchdays, or an empty one."""
    about = [(one["season"], one["matchday"]) for one in form["about"]]
    return history.made(services.draft(asked.club.pk, asked.by, about=about, **asked.how), Newsletter)


@act(
    "letters",
    request_serializers.NewsletterText,
    find=newsletter_of,
    example={"subject": "Matchday 5", "body": "Dear all,\n\nthe leaders lost.", "version": 0},
)
def edit_newsletter(asked: Asked, form: Form) -> Act:
    """Change a draft. If someone has just saved another text, the answer contains it."""
    values = {name: form[name] for name in ("subject", "body", "version")}
    return services.edit(asked.row.pk, asked.by, **values, **asked.how)


@act("letters", request_serializers.NewsletterSeen, find=newsletter_of, example={"version": 3, "key": "send-week-48"})
def send_newsletter(asked: Asked, form: Form) -> Act:
    """Send a draft, as you saw it, to all subscribers."""
    return newsletter_sending.send(asked.row.pk, asked.by, version=form["version"], **asked.how)


@act("letters", find=newsletter_of)
def delete_newsletter(asked: Asked, form: Form) -> Act:
    """Delete a draft."""
    return services.throw_away(asked.row.pk, asked.by, **asked.how)


# Who wants it


@look_inside("letters", response_serializers.NewsletterReaders, name="clubs_newsletter_readers_list")
def readers(request: Request, club: Club) -> Response:
    """People without an account whose address the club has. They cannot subscribe themselves."""
    found = [
        {"membership": one.pk, "name": one.name, "wants_letters": one.wants_letters}
        for one in services.without_account(club.pk)
    ]
    return answer(request, response_serializers.NewsletterReaders, {"people": found})


@act("letters", request_serializers.ReadersWanted, example={"wanted": [31, 44]})
def set_readers(asked: Asked, form: Form) -> Act:
    """Save which people without an account asked for the newsletter. Others get none."""
    return services.set_readers(asked.club.pk, asked.by, wanted=form["wanted"], **asked.how)
