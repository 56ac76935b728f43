"""The desk of an event, and each of its rounds: the pages at which matches are opened, in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments import seating
from tournaments.forms.result import ResultForm
from tournaments.forms.times import TimesForm
from tournaments.lookups import round_of
from tournaments.models import Member, Pairing, Place, Round, Tournament
from tournaments.organiser import tables
from tournaments.organiser.overview import desk, round_page
from tournaments.plan import ENDLESS, Plan
from tournaments.services.stages.redraws import Preview
from tournaments.stage_state import has_begun
from tournaments.views.organise import form_actions
from tournaments.views.organise.form_actions import Refusal, event_for
from web.errors import is_htmx


@dataclass
class Fielded:
    """One entry of an opened match with the people who can play for it; those who do are chosen."""

    place: Place
    size: int
    people: tuple[Member, ...]
    chosen: tuple[int, ...]


@dataclass
class Foreseen:
    """The preview of changing a result: how it was and becomes, and what depends on it."""

    heading: str
    note: str
    lines: Sequence[tuple[str, str, str]]
    preview: Preview
    act: str
    """`result` or `take_back`: the address that does it."""
    typed: ResultForm | None = None


@dataclass
class Opened:
    """The match that is opened on a page, with its forms."""

    pairing: Pairing
    form: ResultForm
    times: TimesForm
    fielded: list[Fielded] = field(default_factory=list)
    foreseen: Foreseen | None = None

    @property
    def pk(self) -> int:
        """The id of the match."""
        return self.pairing.pk

    @property
    def can_stop(self) -> bool:
        """Whether there is something to call off: a match that was made by hand, or has begun."""
        return Plan.read(self.pairing.round.stage.plan_json).format in ENDLESS or has_begun(self.pairing)


def opened(event: Tournament, pairing: Pairing, *, form: ResultForm | None = None, **more: Any) -> Opened:
    """A match with its forms as they are when nothing was typed yet."""
    row = tables.pairings(event).get(pk=pairing.pk)
    return Opened(
        pairing=row,
        form=form or result_form(row),
        times=more.pop("times", None) or times_form(event, row),
        fielded=_fielded(row),
        **more,
    )


def result_form(pairing: Pairing, data: Any = None) -> ResultForm:
    """The form of a match's result, as it was entered or as it is being typed."""
    return ResultForm(
        data,
        places=list(pairing.places.select_related("entry")),
        is_bracket=Plan.read(pairing.round.stage.plan_json).is_bracket,
        result=pairing.result,
        known=max(pairing.results.values_list("pk", flat=True), default=0),
        auto_id=f"m{pairing.pk}-%s",
    )


def times_form(event: Tournament, pairing: Pairing, data: Any = None) -> TimesForm:
    """The form of a match's own times."""
    at = {"starts_at": pairing.starts_at, "deadline_at": pairing.deadline_at}
    return TimesForm(data, event=event, auto_id=f"t{pairing.pk}-%s", **at)


def _fielded(pairing: Pairing) -> list[Fielded]:
    """Who can play for each entry, where there are more than are needed."""
    if not pairing.is_open or pairing.table_id is not None:
        return []
    size = seating.side_size(pairing)
    found = []
    for place in seating.places_of(pairing):
        people = tuple(seating.accepted(place.entry)) if place.entry else ()
        if len(people) > size:
            playing = tuple(one.pk for one in seating.fielded(place, size))
            found.append(Fielded(place, size, people, playing))
    return found


# Pages


@require_safe
def organise(request: HttpRequest, event: str) -> HttpResponse:
    """The desk; an open page asks for it again now and then, and hears nothing while nothing is new."""
    found = event_for(request, event)
    if is_htmx(request) and request.GET.get("shown") == str(found.version):
        return HttpResponse(status=204)
    return show_desk(request, found, match_asked(request, found))


def match_asked(request: HttpRequest, event: Tournament) -> Opened | None:
    """The match that the address asks to be opened, if there is such a one."""
    text = request.GET.get("open", "")
    if not (text.isdecimal() and text.isascii() and len(text) < 10):
        return None
    pairing = Pairing.objects.filter(pk=int(text), round__stage__tournament=event)
    row = pairing.select_related("round__stage__tournament", "result").first()
    return opened(event, row) if row is not None else None


def show_desk(
    request: HttpRequest, event: Tournament, open_one: Opened | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    """The desk, with a match opened or a refusal at its control."""
    context = {"desk": desk(event, form_actions.person(request), timezone.now()), "opened": open_one, "at": "desk"}
    return form_actions.page(request, event, "desk", context, refusal)


@require_safe
def rounds(request: HttpRequest, event: str) -> HttpResponse:
    """All rounds of all stages."""
    found = event_for(request, event)
    rows = Round.objects.filter(stage__tournament=found).select_related("stage").prefetch_related("pairings")
    stages = list(found.stages.all())
    by_stage = [(stage, [row for row in rows if row.stage_id == stage.pk]) for stage in stages]
    return form_actions.page(
        request, found, "rounds", {"by_stage": [(one, map(_round_line, own)) for one, own in by_stage]}
    )


def _round_line(row: Round) -> dict[str, Any]:
    played = [one for one in row.pairings.all() if one.status != Pairing.Status.IDLE]
    return {
        "round": row,
        "title": tables.round_title(row),
        "tables": len(played),
        "done": sum(not one.is_open for one in played),
    }


@require_safe
def one_round(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """A round with all its tables."""
    found = event_for(request, event)
    row = round_of(found, stage, round)
    return show_round(request, found, row, match_asked(request, found))


def show_round(
    request: HttpRequest,
    event: Tournament,
    row: Round,
    open_one: Opened | None = None,
    refusal: Refusal | None = None,
    times: TimesForm | None = None,
) -> HttpResponse:
    """A round, with a match opened or a refusal at its control."""
    form = times or TimesForm(event=event, starts_at=row.starts_at, deadline_at=row.deadline_at)
    page = round_page(event, row, timezone.now())
    context = {"page": page, "opened": open_one, "at": "round", "times": form}
    return form_actions.page(request, event, "round", context, refusal, tab="rounds")


def show_match(
    request: HttpRequest, event: Tournament, pairing: Pairing, open_one: Opened | None, refusal: Refusal | None
) -> HttpResponse:
    """The page from which a form of a match was sent: the desk, or its round."""
    if request.POST.get("at") == "desk":
        return show_desk(request, event, open_one, refusal)
    return show_round(request, event, round_of(event, *where(pairing)), open_one, refusal)


def where(pairing: Pairing) -> tuple[int, int]:
    """The numbers of a match's stage and round."""
    return pairing.round.stage.number, pairing.round.number


def page_of(request: HttpRequest, event: Tournament, pairing: Pairing) -> str:
    """The address of that page, at the match."""
    anchor = f"#m-{pairing.round.stage.number}-{pairing.name.replace('.', '-')}"
    if request.POST.get("at") == "desk":
        return reverse("tournaments:organise", args=[event.slug]) + anchor
    return reverse("tournaments:organise_round", args=[event.slug, *where(pairing)]) + anchor


urls = [
    path("events/<slug:event>/organise/", organise, name="organise"),
    path("events/<slug:event>/organise/rounds/", rounds, name="organise_rounds"),
    path("events/<slug:event>/organise/<int:stage>/rounds/<int:round>/", one_round, name="organise_round"),
]
