"""The history of an event: every act with its changes, and undoing acts, with a preview."""

from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from tournaments import access
from tournaments.models import Act, Tournament
from tournaments.organiser.action_diff import Change, list_changes, names_of
from tournaments.organiser.overview import can_undo, is_undone
from tournaments.services import history, previews
from tournaments.services.stages.redraws import Preview
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import Refused

A_PAGE = 30
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "results": (
        gettext_noop("Results"),
        ("report", "answer", "confirm", "silence", "result", "take_back", "walkover", "call_off", "ask"),
    ),
    "rounds": (
        gettext_noop("Rounds"),
        (
            "boards",
            "go",
            "draw_again",
            "pair",
            "redraw",
            "times",
            "where",
            "admit",
            "tie",
            "challenge",
            "free",
            "end_ladder",
        ),
    ),
    "entries": (
        gettext_noop("Entries"),
        (
            *("enter", "late", "accept", "withdraw", "disqualify", "reinstate", "check_in", "rename", "members"),
            *("replace", "substitute", "seeds", "apart", "bye", "adjust", "claim"),
        ),
    ),
    "event": (
        gettext_noop("The event"),
        (
            "make",
            "settings",
            "stages",
            "announce",
            "entries",
            "start",
            "cancel",
            "organisers",
            "told",
            "screen",
            "timer",
            "fair_play",
            "brought",
        ),
    ),
    "undo": (gettext_noop("Undone"), ("undo",)),
}
"""Filters of the history: by name, the label and the kinds of acts."""


@dataclass
class HistoryLine:
    """An act as a line of the history."""

    act: Act
    changes: list[Change]
    more: int
    can_undo: bool
    is_undone: bool


@dataclass
class UndoPreview:
    """The effects of undoing an act."""

    act: Act
    preview: Preview
    changes: list[Change] = field(default_factory=list)


@require_safe
def acts(request: HttpRequest, event: str) -> HttpResponse:
    """The history, newest first."""
    return show_acts(request, event_for(request, event))


def show_acts(
    request: HttpRequest, event: Tournament, foreseen: UndoPreview | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    """The history; with the preview of undoing an act, or a refusal next to it."""
    chosen = {name: request.GET.get(name, "")[:60] for name in ("kind", "by")}
    matching = _filtered(Act.objects.filter(tournament=event), chosen)
    page = Paginator(matching.select_related("by", "undone_by", "undoes"), A_PAGE).get_page(request.GET.get("page"))
    acts = list(page.object_list)
    if foreseen is not None and foreseen.act.pk not in {act.pk for act in acts}:
        acts = [foreseen.act, *acts]
    names = names_of(acts)
    player = person(request)
    role = access.role_of(player, event)
    lines = []
    for act in acts:
        changes, more = list_changes(act, names)
        lines.append(HistoryLine(act, changes, more, can_undo(act, player, role), is_undone(act)))
    query = QueryDict(mutable=True)
    query.update({name: value for name, value in chosen.items() if value})
    context: dict[str, Any] = {
        "told": lines,
        "page": page,
        "chosen": chosen,
        "kinds": [(name, gettext(words)) for name, (words, _) in KINDS.items()],
        "query": query.urlencode(),
        "foreseen": foreseen,
    }
    return form_actions.page(request, event, "history", context, refusal)


def _filtered(acts: QuerySet[Act], chosen: dict[str, str]) -> QuerySet[Act]:
    if chosen["kind"] in KINDS:
        acts = acts.filter(kind__in=KINDS[chosen["kind"]][1])
    if by := " ".join(chosen["by"].split()):
        acts = acts.filter(name__icontains=by)
    return acts


@require_POST
def preview_undo(request: HttpRequest, event: str, act: int) -> HttpResponse:
    """The effects of undoing an act; nothing is done."""
    tournament = event_for(request, event)
    return _show_preview(request, tournament, _act(request, tournament, act), None)


def _show_preview(request: HttpRequest, event: Tournament, act: Act, refusal: Refusal | None) -> HttpResponse:
    try:
        _, preview = previews.preview_of(event.pk, lambda: history.undo(act.pk, by=person(request)))
    except Refused as refused:
        return show_acts(request, event, refusal=Refusal(f"act-{act.pk}", refused.sentence, refused.status))
    return show_acts(request, event, UndoPreview(act, preview), refusal)


@require_POST
def undo(request: HttpRequest, event: str, act: int) -> HttpResponse:
    """Undo an act."""
    tournament = event_for(request, event)
    act_ = _act(request, tournament, act)

    def do() -> Act:
        return history.undo(act_.pk, by=person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return _show_preview(request, tournament, act_, refusal)

    to = reverse("tournaments:organise_history", args=[event])
    return form_actions.act(request, tournament, f"act-{act_.pk}", do, show, to)


def _act(request: HttpRequest, event: Tournament, pk: int) -> Act:
    act = Act.objects.filter(tournament=event, pk=pk).select_related("tournament", "by", "undone_by").first()
    if act is None:
        raise Http404("There is no such act in this event.")
    return act


urls = [
    path("events/<slug:event>/organise/history/", acts, name="organise_history"),
    path("events/<slug:event>/organise/history/<int:act>/preview/", preview_undo, name="organise_undo_preview"),
    path("events/<slug:event>/organise/history/<int:act>/undo/", undo, name="organise_undo"),
]
