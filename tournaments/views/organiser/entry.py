"""An entry: leaving and coming back with a preview, its people, byes, point adjustments."""

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
from tournaments.services.records import ActionRequest, BaseRequest
from tournaments.services.stages import stage_departures
from tournaments.services.stages.redraws import Preview
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import Refused

WAYS: dict[str, tuple[str, str]] = {
    "after": (gettext_noop("Withdraw after the round"), gettext_noop("Withdraw")),
    "now": (gettext_noop("Withdraw at once"), gettext_noop("Withdraw")),
    "disqualify": (gettext_noop("Disqualify"), gettext_noop("Disqualify")),
    "reinstate": (gettext_noop("Reinstate"), gettext_noop("Reinstate")),
}
"""Ways of leaving and coming back: by name, the heading of its preview and the label of its button."""


@dataclass(frozen=True)
class DeparturePreview:
    """The effects of leaving or coming back."""

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
    tournament = event_for(request, event)
    return show_entry(request, tournament, entry_of(tournament, entry))


def show_entry(
    request: HttpRequest,
    event: Tournament,
    entry: Entry,
    refusal: Refusal | None = None,
    foreseen: DeparturePreview | None = None,
) -> HttpResponse:
    """The page of an entry; with the preview of its leaving, or a refusal."""
    context = {
        "page": entry_page(event, entry),
        "foreseen": foreseen,
        "missed": stage_departures.MISSED,
        "bye_kinds": byes.KINDS,
    }
    return form_actions.page(request, event, "entry", context, refusal, tab="entries")


def _entry_act(
    request: HttpRequest, event: str, number: int, at: str, do: Callable[[Entry], object], *, needs: str = "entries"
) -> HttpResponse:
    tournament = event_for(request, event, needs)
    entry = entry_of(tournament, number)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_entry(request, tournament, entry_of(tournament, number), refusal)

    return form_actions.act(request, tournament, at, lambda: do(entry), show, _page(tournament, entry))


def _page(event: Tournament, entry: Entry) -> str:
    return reverse("tournaments:organise_entry", args=[event.slug, entry.number])


# Leaving and coming back


@require_POST
def preview_departure(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """The effects of leaving or coming back; nothing is done."""
    tournament = event_for(request, event, "entries")
    return _show_preview(request, tournament, entry_of(tournament, entry), None)


def _show_preview(request: HttpRequest, event: Tournament, entry: Entry, refusal: Refusal | None) -> HttpResponse:
    way, missed = request.POST.get("way", ""), request.POST.get("missed", "zero_bye")
    try:
        if way not in WAYS:
            raise Refused("nothing_chosen", gettext("Choose an action."))
        args: ActionRequest = {"reason": "-"}
        sentence, preview = previews.preview_of(event.pk, lambda: _leave(request, entry, way, args))
    except Refused as refused:
        return show_entry(request, event, entry, Refusal("leaving", refused.sentence, refused.status))
    heading, button = map(gettext, WAYS[way])
    foreseen = DeparturePreview(way, heading, button, sentence, preview, way == "disqualify", missed)
    return show_entry(request, event, entry, refusal, foreseen)


@require_POST
def leave(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Withdraw an entry now or after the round, disqualify it, or reinstate it."""
    tournament = event_for(request, event, "entries")
    entry_ = entry_of(tournament, entry)
    way = request.POST.get("way", "")

    def show(refusal: Refusal | None) -> HttpResponse:
        return _show_preview(request, tournament, entry_of(tournament, entry), refusal)

    def do() -> Act:
        if way not in WAYS:
            raise Refused("nothing_chosen", gettext("Choose an action."))
        return _leave(request, entry_, way, form_actions.how(request, seen=True))

    return form_actions.act(request, tournament, "leaving", do, show, _page(tournament, entry_))


def _leave(request: HttpRequest, entry: Entry, way: str, args: ActionRequest) -> Act:
    by = person(request)
    if way == "reinstate":
        return withdrawal.reinstate(entry.pk, by, missed=request.POST.get("missed", "zero_bye"), **args)
    if way == "disqualify":
        bare: BaseRequest = {"request_key": args.get("request_key"), "seen": args.get("seen")}
        return withdrawal.disqualify(entry.pk, by, reason=args.get("reason", ""), **bare)
    return withdrawal.withdraw(entry.pk, by, at_once=way == "now", **args)


# People


@require_POST
def rename(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Give an entry a name of its own, or that of its people again."""

    def do(entry: Entry) -> Act:
        return enrolment.rename(
            entry.pk, person(request), name=request.POST.get("name", "")[:200], **form_actions.how(request)
        )

    return _entry_act(request, event, entry, "rename", do)


@require_POST
def add_person(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Add someone as a player or a reserve."""

    def do(entry: Entry) -> str:
        name, role = request.POST.get("who", "").strip()[:200], request.POST.get("role", "player")
        member = partners.invite(entry.pk, person(request), person=name, role=role, **form_actions.how(request))
        return gettext("%(name)s was added to %(entry)s.") % {"name": member, "entry": entry}

    return _entry_act(request, event, entry, "add-person", do)


@require_POST
def replace(request: HttpRequest, event: str, entry: int, member: int) -> HttpResponse:
    """Replace a player with a reserve, or with anyone else."""

    def do(entry: Entry) -> str:
        _check_member(entry, member)
        reserve = form_actions.number(request, "reserve")
        name = request.POST.get("who", "").strip()[:200] or None
        if reserve is None and name is None:
            raise Refused("nobody", gettext("Choose a replacement."))
        by = person(request)
        new = substitutes.replace_member(member, by, person=name, reserve=reserve, **form_actions.how(request))
        return gettext("%(name)s took over.") % {"name": new}

    return _entry_act(request, event, entry, f"member-{member}", do)


@require_POST
def change_person(request: HttpRequest, event: str, entry: int, member: int) -> HttpResponse:
    """Remove a person from an entry, or make them its captain."""

    def do(entry: Entry) -> Act:
        _check_member(entry, member)
        to, args = request.POST.get("to", ""), form_actions.how(request)
        if to == "captain":
            return entry_members.make_captain(member, person(request), **args)
        if to in ("player", "reserve"):
            return entry_members.set_role(member, person(request), role=to, **args)
        if to == "out":
            return entry_members.remove_member(member, person(request), **args)
        raise Refused("nothing_chosen", gettext("Choose an action."))

    return _entry_act(request, event, entry, f"member-{member}", do)


def _check_member(entry: Entry, member: int) -> None:
    if not Member.objects.filter(pk=member, entry=entry).exists():
        raise Refused("no_such_member", gettext("That person does not belong to %(entry)s.") % {"entry": entry})


# Byes and points


@require_POST
def bye(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Give an entry a bye in a round, or cancel the bye."""

    def do(entry: Entry) -> Act:
        at = form_actions.chosen(request, "round", gettext("Choose a round."))
        if request.POST.get("to") == "play":
            return byes.cancel_bye(entry.pk, person(request), round_number=at, **form_actions.how(request))
        kind = request.POST.get("kind", "")
        return byes.request_bye(entry.pk, person(request), round_number=at, kind=kind, **form_actions.how(request))

    return _entry_act(request, event, entry, "bye", do, needs="play")


@require_POST
def adjust(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Add a point adjustment for an entry in a stage, with a reason."""
    tournament = event_for(request, event, "play")

    def do(entry: Entry) -> str:
        stage = stage_of(tournament, form_actions.chosen(request, "stage", gettext("Choose a stage.")))
        adjustment = point_adjustments.adjust(
            stage.pk,
            person(request),
            entry_id=entry.pk,
            points=request.POST.get("points", "")[:20],
            reason=request.POST.get("reason", "")[:200],
            request_key=form_actions.key_of(request),
        )
        points = point_adjustments.as_text(Fraction(adjustment.points))
        return gettext("%(points)s for %(entry)s in %(stage)s.") % {"points": points, "entry": entry, "stage": stage}

    return _entry_act(request, event, entry, "adjust", do, needs="play")


@require_POST
def remove_adjustment(request: HttpRequest, event: str, entry: int, adjustment: int) -> HttpResponse:
    """Remove a point adjustment."""

    def do(entry: Entry) -> Act:
        if not Adjustment.objects.filter(pk=adjustment, entry=entry).exists():
            raise Refused("no_adjustment", gettext("This point adjustment was already removed."))
        return point_adjustments.remove_adjustment(adjustment, person(request), **form_actions.how(request))

    return _entry_act(request, event, entry, "adjust", do, needs="play")


_ENTRY = "events/<slug:event>/organise/entries/<int:entry>"
urls = [
    path(f"{_ENTRY}/", entry, name="organise_entry"),
    path(f"{_ENTRY}/leaving/preview/", preview_departure, name="organise_leaving_preview"),
    path(f"{_ENTRY}/leaving/", leave, name="organise_leaving"),
    path(f"{_ENTRY}/name/", rename, name="organise_rename"),
    path(f"{_ENTRY}/people/", add_person, name="organise_add_person"),
    path(f"{_ENTRY}/people/<int:member>/replace/", replace, name="organise_replace"),
    path(f"{_ENTRY}/people/<int:member>/", change_person, name="organise_change_person"),
    path(f"{_ENTRY}/bye/", bye, name="organise_bye"),
    path(f"{_ENTRY}/points/", adjust, name="organise_adjust"),
    path(f"{_ENTRY}/points/<int:adjustment>/", remove_adjustment, name="organise_take_back_points"),
]
