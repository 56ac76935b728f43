"""One entry: leaving and coming back with a preview, its people, byes, points given, who plays a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from tournaments.lookups import entry_of, stage_of
from tournaments.models import Act, Adjustment, Entry, Member, Tournament
from tournaments.organiser.entries import entry_page
from tournaments.services import previews
from tournaments.services.entries import byes, enrolment, entry_members, partners, substitutes, withdrawal
from tournaments.services.matches import point_adjustments
from tournaments.services.records import Asked, How
from tournaments.services.stages import stage_departures
from tournaments.services.stages.redraws import Preview
from tournaments.views.organise import form_actions
from tournaments.views.organise.form_actions import Refusal, event_for, person
from web.errors import Refused

WAYS: dict[str, tuple[str, str]] = {
    "after": (gettext_noop("Withdraw after the round"), gettext_noop("Withdraw")),
    "now": (gettext_noop("Withdraw at once"), gettext_noop("Withdraw")),
    "disqualify": (gettext_noop("Disqualify"), gettext_noop("Disqualify")),
    "reinstate": (gettext_noop("Reinstate"), gettext_noop("Reinstate")),
}
"""Ways of leaving and coming back: by name, the heading of its preview and the word on its button."""


@dataclass(frozen=True)
class Foreseen:
    """What leaving or coming back would bring about."""

    way: str
    heading: str
    button: str
    sentence: str
    preview: Preview
    needs_reason: bool
    missed: str


@require_safe
def entry(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Everything about one entry."""
    found = event_for(request, event)
    return show_entry(request, found, entry_of(found, entry))


def show_entry(
    request: HttpRequest,
    event: Tournament,
    row: Entry,
    refusal: Refusal | None = None,
    foreseen: Foreseen | None = None,
) -> HttpResponse:
    """The page of an entry; with the preview of its leaving, or a refusal."""
    context = {
        "page": entry_page(event, row),
        "foreseen": foreseen,
        "missed": stage_departures.MISSED,
        "bye_kinds": byes.KINDS,
    }
    return form_actions.page(request, event, "entry", context, refusal, tab="entries")


def _entry_act(
    request: HttpRequest,
    event: str,
    number: int,
    at: str,
    do: Callable[[Entry], object],
    *,
    needs: str = "entries",
) -> HttpResponse:
    found = event_for(request, event, needs)
    row = entry_of(found, number)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_entry(request, found, entry_of(found, number), refusal)

    return form_actions.act(request, found, at, lambda: do(row), show, _page(found, row))


def _page(event: Tournament, row: Entry) -> str:
    return reverse("tournaments:organise_entry", args=[event.slug, row.number])


# Leaving and coming back


@require_POST
def foresee(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """What it would bring about; nothing is done."""
    found = event_for(request, event, "entries")
    return _foresee(request, found, entry_of(found, entry), None)


def _foresee(request: HttpRequest, event: Tournament, row: Entry, refusal: Refusal | None) -> HttpResponse:
    way, missed = request.POST.get("way", ""), request.POST.get("missed", "zero_bye")
    try:
        if way not in WAYS:
            raise Refused("nothing_chosen", gettext("Choose an action."))
        asked: How = {"reason": "-"}
        sentence, preview = previews.preview_of(event.pk, lambda: _leave(request, row, way, asked))
    except Refused as refused:
        return show_entry(request, event, row, Refusal("leaving", refused.sentence, refused.status))
    heading, button = map(gettext, WAYS[way])
    foreseen = Foreseen(way, heading, button, sentence, preview, way == "disqualify", missed)
    return show_entry(request, event, row, refusal, foreseen)


@require_POST
def leave(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Withdraw an entry now or after the round, disqualify it, or take it back."""
    found = event_for(request, event, "entries")
    row = entry_of(found, entry)
    way = request.POST.get("way", "")

    def show(refusal: Refusal | None) -> HttpResponse:
        return _foresee(request, found, entry_of(found, entry), refusal)

    def do() -> Act:
        if way not in WAYS:
            raise Refused("nothing_chosen", gettext("Choose an action."))
        return _leave(request, row, way, form_actions.how(request, seen=True))

    return form_actions.act(request, found, "leaving", do, show, _page(found, row))


def _leave(request: HttpRequest, row: Entry, way: str, asked: How) -> Act:
    by = person(request)
    if way == "reinstate":
        return withdrawal.reinstate(row.pk, by, missed=request.POST.get("missed", "zero_bye"), **asked)
    if way == "disqualify":
        bare: Asked = {"request_key": asked.get("request_key"), "seen": asked.get("seen")}
        return withdrawal.disqualify(row.pk, by, reason=asked.get("reason", ""), **bare)
    return withdrawal.withdraw(row.pk, by, at_once=way == "now", **asked)


# People


@require_POST
def rename(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Give an entry a name of its own, or that of its people again."""

    def do(row: Entry) -> Act:
        return enrolment.rename(
            row.pk, person(request), name=request.POST.get("name", "")[:200], **form_actions.how(request)
        )

    return _entry_act(request, event, entry, "rename", do)


@require_POST
def add_person(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Add somebody as a player or a reserve."""

    def do(row: Entry) -> str:
        who, role = request.POST.get("who", "").strip()[:200], request.POST.get("role", "player")
        member = partners.invite(row.pk, person(request), who=who, role=role, **form_actions.how(request))
        return gettext("%(name)s was added to %(entry)s.") % {"name": member, "entry": row}

    return _entry_act(request, event, entry, "add-person", do)


@require_POST
def replace(request: HttpRequest, event: str, entry: int, member: int) -> HttpResponse:
    """Let somebody take over for a player: a reserve, or anybody."""

    def do(row: Entry) -> str:
        _check_of(row, member)
        reserve = form_actions.number(request, "reserve")
        who = request.POST.get("who", "").strip()[:200] or None
        if reserve is None and who is None:
            raise Refused("nobody", gettext("Choose a replacement."))
        by = person(request)
        new = substitutes.replace_member(member, by, who=who, reserve=reserve, **form_actions.how(request))
        return gettext("%(name)s took over.") % {"name": new}

    return _entry_act(request, event, entry, f"member-{member}", do)


@require_POST
def change_person(request: HttpRequest, event: str, entry: int, member: int) -> HttpResponse:
    """Take a person out of an entry, or make them its captain."""

    def do(row: Entry) -> Act:
        _check_of(row, member)
        to, asked = request.POST.get("to", ""), form_actions.how(request)
        if to == "captain":
            return entry_members.make_captain(member, person(request), **asked)
        if to in ("player", "reserve"):
            return entry_members.set_role(member, person(request), role=to, **asked)
        if to == "out":
            return entry_members.drop(member, person(request), **asked)
        raise Refused("nothing_chosen", gettext("Choose an action."))

    return _entry_act(request, event, entry, f"member-{member}", do)


def _check_of(row: Entry, member: int) -> None:
    if not Member.objects.filter(pk=member, entry=row).exists():
        raise Refused("no_such_member", gettext("That person does not belong to %(entry)s.") % {"entry": row})


# Byes and points


@require_POST
def bye(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Let an entry sit out a round, or play it after all."""

    def do(row: Entry) -> Act:
        at = form_actions.chosen(request, "round", gettext("Choose a round."))
        if request.POST.get("to") == "play":
            return byes.take_back_bye(row.pk, person(request), round_number=at, **form_actions.how(request))
        kind = request.POST.get("kind", "")
        return byes.request_bye(row.pk, person(request), round_number=at, kind=kind, **form_actions.how(request))

    return _entry_act(request, event, entry, "bye", do, needs="play")


@require_POST
def adjust(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Give an entry points in a stage, or take some, with a reason."""
    found = event_for(request, event, "play")

    def do(row: Entry) -> str:
        stage = stage_of(found, form_actions.chosen(request, "stage", gettext("Choose a stage.")))
        given = point_adjustments.adjust(
            stage.pk,
            person(request),
            entry_id=row.pk,
            points=request.POST.get("points", "")[:20],
            reason=request.POST.get("reason", "")[:200],
            request_key=form_actions.key_of(request),
        )
        points = point_adjustments.in_words(Fraction(given.points))
        return gettext("%(points)s for %(entry)s in %(stage)s.") % {"points": points, "entry": row, "stage": stage}

    return _entry_act(request, event, entry, "adjust", do, needs="play")


@require_POST
def take_back_points(request: HttpRequest, event: str, entry: int, adjustment: int) -> HttpResponse:
    """Take points back that were given."""

    def do(row: Entry) -> Act:
        if not Adjustment.objects.filter(pk=adjustment, entry=row).exists():
            raise Refused("no_adjustment", gettext("This point adjustment was already removed."))
        return point_adjustments.take_back_adjustment(adjustment, person(request), **form_actions.how(request))

    return _entry_act(request, event, entry, "adjust", do, needs="play")


_ENTRY = "events/<slug:event>/organise/entries/<int:entry>"
urls = [
    path(f"{_ENTRY}/", entry, name="organise_entry"),
    path(f"{_ENTRY}/leaving/preview/", foresee, name="organise_leaving_preview"),
    path(f"{_ENTRY}/leaving/", leave, name="organise_leaving"),
    path(f"{_ENTRY}/name/", rename, name="organise_rename"),
    path(f"{_ENTRY}/people/", add_person, name="organise_add_person"),
    path(f"{_ENTRY}/people/<int:member>/replace/", replace, name="organise_replace"),
    path(f"{_ENTRY}/people/<int:member>/", change_person, name="organise_change_person"),
    path(f"{_ENTRY}/bye/", bye, name="organise_bye"),
    path(f"{_ENTRY}/points/", adjust, name="organise_adjust"),
    path(f"{_ENTRY}/points/<int:adjustment>/", take_back_points, name="organise_take_back_points"),
]
