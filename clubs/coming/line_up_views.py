"""The page on which a captain without an account names who plays a match: by the own link to answer."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.coming import line_ups, links
from clubs.coming.occasions import Occasion
from clubs.coming.views import ended
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.league import fixtures, permissions
from clubs.league.fixtures import Match, Side
from clubs.models import Membership, Question
from clubs.services.leagues import matchday_edits
from web.errors import Refused
from web.sent_numbers import read_ids


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def line_up(request: HttpRequest, token: str) -> HttpResponse:
    """The line-up of a team for one match, for its captain: until the match begins."""
    try:
        question, membership = links.read_own(token)
        match, side = _side(question, membership)
    except Refused as refusal:
        return ended(request, refusal)
    occasion, now = Occasion(question), timezone.now()
    if request.method != "POST":
        return _page(request, occasion, membership, match, side, now)
    own_team = question.team_id
    assert own_team is not None  # noqa: S101  a side was found by it
    try:
        matchday_edits.set_line_up(
            match.pairing.pk,
            None,
            team_id=own_team,
            membership_ids=chosen(request),
            captain_id=membership.pk,
            **form_actions.how(request),
        )
    except Refused as refused:
        refusal_at = Refusal("members", refused.sentence, refused.status, refused.code)
        return _page(request, occasion, membership, match, side, now, refusal_at)
    return HttpResponseRedirect(reverse("clubs:coming", args=[token]))


def chosen(request: HttpRequest) -> list[int]:
    """The people that a form names (ids of memberships)."""
    return read_ids(request.POST.getlist("members"))


def _side(question: Question, membership: Membership) -> tuple[Match, Side]:
    """The match and the captain's side of it. Raises `Refused` for everyone else, and for other questions."""
    if question.team is not None and question.pairing_id is not None:
        match = fixtures.match(question.pairing_id)
        if match is not None and permissions.is_captain(membership.pk, question.team):
            for side in (match.home, match.away):
                if side.team is not None and side.team.pk == question.team_id:
                    return match, side
    raise links.Ended("bad_link", gettext(links.ENDED))


def _page(
    request: HttpRequest,
    occasion: Occasion,
    membership: Membership,
    match: Match,
    side: Side,
    now: datetime,
    refusal: Refusal | None = None,
) -> HttpResponse:
    form = line_ups.form_of(match, side, chosen(request) if refusal else None)
    context = {
        "occasion": occasion,
        "club": occasion.club,
        "match": match,
        "form": form,
        "captain": membership,
        "is_closed": line_ups.is_closed(match, now),
        "is_public": line_ups.are_public(match, now),
        "own_url": links.own_path(occasion.question, membership.pk),
        "refusal": refusal,
    }
    with timezone.override(occasion.club.zone):
        return render(request, "clubs/coming/line_up.html", context, status=refusal.status if refusal else 200)
