"""API views for newsletters: draft, edit, preview, send, and their readers."""

from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, act, inside_view
from clubs.models import Act, Club, Copy, Newsletter
from clubs.public.lookups import first_or_404
from clubs.services import history
from clubs.services.publications import newsletter_sending
from clubs.services.publications import newsletters as services
from gameplay.api.base import player, read_query
from gameplay.api.tables import answer

Status = Newsletter.Status

# Reading


@inside_view(
    "look", response_serializers.Newsletters, asks=request_serializers.WhichNewsletters, name="clubs_newsletters_list"
)
def all_newsletters(request: Request, club: Club) -> Response:
    """Sent newsletters, for members. Their writers also see drafts."""
    query, writes = read_query(request_serializers.WhichNewsletters, request), _writes(request, club)
    newsletters = Newsletter.objects.filter(club=club)
    if not writes:
        newsletters = newsletters.exclude(status=Status.DRAFT)
    if "before" in query:
        newsletters = newsletters.filter(pk__lt=query["before"])
    rows, limit = list(newsletters[: query["limit"] + 1]), query["limit"]
    member = access.membership_of(player(request), club)
    data = {
        "newsletters": [_line(club, newsletter) for newsletter in rows[:limit]],
        "more": len(rows) > limit,
        "you_want_it": member is not None and member.wants_letters,
        "readers": newsletter_sending.readers(club).count() if writes else None,
    }
    return answer(request, response_serializers.Newsletters, data)


def _writes(request: Request, club: Club) -> bool:
    return access.may(player(request), club, "letters")


def _line(club: Club, newsletter: Newsletter) -> dict[str, Any]:
    names = ("subject", "status", "created_at", "sent_at")
    url = settings.SITE_URL + reverse("clubs:newsletter", args=[club.slug, newsletter.pk])
    return {"id": newsletter.pk, **{name: getattr(newsletter, name) for name in names}, "url": url}


@inside_view("look", response_serializers.WholeNewsletter, name="clubs_newsletters_retrieve")
def one_newsletter(request: Request, club: Club, newsletter: int) -> Response:
    """A newsletter with its text. Only its writers see a draft."""
    this_newsletter, writes = newsletter_of(club, newsletter), _writes(request, club)
    if this_newsletter.status == Status.DRAFT and not writes:
        raise Http404(gettext("Newsletter not found."))
    data = {
        **_line(club, this_newsletter),
        **{name: getattr(this_newsletter, name) for name in ("body", "version", "matchday")},
        "season": this_newsletter.season_id,
        "news": this_newsletter.news_id,
        "is_self_written": this_newsletter.self_written_at is not None,
        "readers": _readers(club, this_newsletter) if writes else None,
    }
    return answer(request, response_serializers.WholeNewsletter, data)


def _readers(club: Club, newsletter: Newsletter) -> int:
    """Readers of a draft if sent now, or the number of copies sent."""
    if newsletter.status == Status.DRAFT:
        return newsletter_sending.readers(club).count()
    return Copy.objects.filter(newsletter=newsletter, sent_at__isnull=False).count()


def newsletter_of(club: Club, newsletter: int) -> Newsletter:
    """A newsletter of the club. Raises `Http404`."""
    return first_or_404(Newsletter.objects.filter(club=club, pk=newsletter), gettext("Newsletter not found."))


@inside_view("letters", response_serializers.NewsletterTopics, name="clubs_newsletter_topics_list")
def topics(request: Request, club: Club) -> Response:
    """What a newsletter can cover: matchdays, the last of each season first, and 0 for the end of a closed season."""
    matchdays = [
        {"season": season.pk, "matchday": day, "name": season.name, "league": season.league.slug}
        for season, day in services.topics(club, timezone.now())
    ]
    return answer(request, response_serializers.NewsletterTopics, {"topics": matchdays})


# Writing


@act("letters", request_serializers.NewNewsletter, example={"about": [{"season": 12, "matchday": 5}], "key": "week-48"})
def write_newsletter(action: Action, form: Form) -> Newsletter:
    """Start a newsletter about the results of matchdays, or an empty one."""
    about = [(day["season"], day["matchday"]) for day in form["about"]]
    return history.added_row(services.draft(action.club.pk, action.by, about=about, **action.how), Newsletter)


@act(
    "letters",
    request_serializers.NewsletterText,
    find=newsletter_of,
    example={"subject": "Matchday 5", "body": "Dear all,\n\nthe leaders lost.", "version": 0},
)
def edit_newsletter(action: Action, form: Form) -> Act:
    """Change a draft. If someone has just saved another text, the answer contains it."""
    values = {name: form[name] for name in ("subject", "body", "version")}
    return services.edit(action.row.pk, action.by, **values, **action.how)


@act(
    "letters", request_serializers.PublishNewsletter, find=newsletter_of, example={"version": 3, "key": "send-week-48"}
)
def send_newsletter(action: Action, form: Form) -> Act:
    """Publish a draft, as you saw it: by email to its readers, on the club's page as news, in places."""
    to = newsletter_sending.Destinations(form["to_readers"], form["on_page"], form["places"])
    return newsletter_sending.send(action.row.pk, action.by, version=form["version"], to=to, **action.how)


@act("letters", find=newsletter_of)
def delete_newsletter(action: Action, form: Form) -> Act:
    """Delete a draft."""
    return services.delete_draft(action.row.pk, action.by, **action.how)


# Readers


@inside_view("letters", response_serializers.NewsletterReaders, name="clubs_newsletter_readers_list")
def readers(request: Request, club: Club) -> Response:
    """People without an account whose address the club has. They cannot subscribe themselves."""
    people = [
        {"membership": member.pk, "name": member.name, "wants_letters": member.wants_letters}
        for member in services.without_account(club.pk)
    ]
    return answer(request, response_serializers.NewsletterReaders, {"people": people})


@act("letters", request_serializers.ReadersWanted, example={"wanted": [31, 44]})
def set_readers(action: Action, form: Form) -> Act:
    """Save which people without an account asked for the newsletter. Others get none."""
    return services.set_readers(action.club.pk, action.by, reader_ids=form["wanted"], **action.how)
