"""The event desk, and each of its rounds: the pages on which matches open in place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from engine.compete.ties import SEPARATING
from tournaments import event_parents, seating
from tournaments.duplicate.preparing import plays_boards
from tournaments.forms.result import ResultForm
from tournaments.forms.times import TimesForm
from tournaments.lookups import round_of
from tournaments.models import Member, Pairing, Place, Round, Tournament
from tournaments.organiser import tables
from tournaments.organiser.overview import desk, round_page
from tournaments.plan import ENDLESS, Plan
from tournaments.round_names import round_name
from tournaments.services.stages import first_draw
from tournaments.services.stages.redraws import Preview
from tournaments.stage_state import has_begun
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for
from web.errors import is_htmx
from web.sent_numbers import read_whole


@dataclass
class Lineup:
    """An entry of an opened match with the people who can play for it; the current players are chosen."""

    place: Place
    size: int
    people: tuple[Member, ...]
    chosen: tuple[int, ...]


@dataclass
class ResultPreview:
    """The preview of a changed result: before, after, and its effects."""

    heading: str
    note: str
    lines: Sequence[tuple[str, str, str]]
    preview: Preview
    act: str
    """`result` or `take_back`: the address that does it."""
    typed: ResultForm | None = None


@dataclass
class OpenedMatch:
    """The match that is opened on a page, with its forms."""

    pairing: Pairing
    form: ResultForm
    times: TimesForm
    fielded: list[Lineup] = field(default_factory=list)
    foreseen: ResultPreview | None = None

    @property
    def pk(self) -> int:
        return self.pairing.pk

    @property
    def can_stop(self) -> bool:
        """Whether it can be cancelled: a match that was created by hand, or has started."""
        return Plan.read(self.pairing.round.stage.plan_json).format in ENDLESS or has_begun(self.pairing)


def open_match(event: Tournament, pairing: Pairing, *, form: ResultForm | None = None, **more: Any) -> OpenedMatch:
    """A match with its forms in their initial state."""
    fresh = tables.pairings(event).get(pk=pairing.pk)
    return OpenedMatch(
        pairing=fresh,
        form=form or result_form(fresh),
        times=more.pop("times", None) or times_form(event, fresh),
        fielded=_fielded(fresh),
        **more,
    )


def result_form(pairing: Pairing, data: Any = None) -> ResultForm:
    """The form of a match's result, as entered or as it is being typed."""
    plan = Plan.read(pairing.round.stage.plan_json)
    return ResultForm(
        data,
        places=list(pairing.places.select_related("entry")),
        is_bracket=plan.is_bracket,
        has_rule=plan.cut_tie in SEPARATING,
        result=pairing.result,
        known=max(pairing.results.values_list("pk", flat=True), default=0),
        auto_id=f"m{pairing.pk}-%s",
    )


def times_form(event: Tournament, pairing: Pairing, data: Any = None) -> TimesForm:
    """The form of a match's own times."""
    at = {"starts_at": pairing.starts_at, "deadline_at": pairing.deadline_at}
    return TimesForm(data, event=event, auto_id=f"t{pairing.pk}-%s", **at)


def _fielded(pairing: Pairing) -> list[Lineup]:
    """Possible players of each entry, if there are more than needed."""
    if not pairing.is_open or pairing.table_id is not None:
        return []
    size = seating.side_size(pairing)
    lineups = []
    for place in seating.places_of(pairing):
        people = tuple(seating.accepted(place.entry)) if place.entry else ()
        if len(people) > size:
            playing = tuple(member.pk for member in seating.fielded(place, size))
            lineups.append(Lineup(place, size, people, playing))
    return lineups


# Pages


@require_safe
def event_desk(request: HttpRequest, event: str) -> HttpResponse:
    """The desk; an open page requests it now and then, and gets an empty answer while nothing is new."""
    tournament = event_for(request, event)
    if is_htmx(request) and request.GET.get("shown") == str(tournament.version):
        return HttpResponse(status=204)
    return show_desk(request, tournament, chosen_match(request, tournament))


def chosen_match(request: HttpRequest, event: Tournament) -> OpenedMatch | None:
    """The match to open by the address, if there is one."""
    pk = read_whole(request.GET.get("open", ""))
    if pk is None:
        return None
    pairing = Pairing.objects.filter(pk=pk, round__stage__tournament=event)
    match = pairing.select_related("round__stage__tournament", "result").first()
    return open_match(event, match) if match is not None else None


def show_desk(
    request: HttpRequest, event: Tournament, open_one: OpenedMatch | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    """The desk, with a match opened or a refusal at its control."""
    home = event_parents.home_of(event)
    shown = desk(event, form_actions.person(request), timezone.now(), is_league=bool(home and home.is_league))
    is_ready = event.status in (Tournament.Status.OPEN, Tournament.Status.CLOSED)
    first = first_draw.of_marked(event) if is_ready and shown.dock and not shown.dock.why_not else None
    context = {"desk": shown, "opened": open_one, "at": "desk", "home": home, "draw": first}
    return form_actions.page(request, event, "desk", context, refusal)


@require_safe
def rounds(request: HttpRequest, event: str) -> HttpResponse:
    """All rounds of all stages."""
    tournament = event_for(request, event)
    rows = Round.objects.filter(stage__tournament=tournament).select_related("stage").prefetch_related("pairings")
    stages = list(tournament.stages.all())
    with_boards = [each.number for each in stages if plays_boards(each, tournament)]
    home = event_parents.home_of(tournament)
    lines = [_round_line(each) for each in rows]
    by_stage = [(stage, [line for line in lines if line["round"].stage_id == stage.pk]) for stage in stages]
    context = {"by_stage": by_stage, "with_boards": with_boards, "home": home}
    return form_actions.page(request, tournament, "rounds", context)


def _round_line(round_: Round) -> dict[str, Any]:
    played = [pairing for pairing in round_.pairings.all() if pairing.status != Pairing.Status.IDLE]
    return {
        "round": round_,
        "title": round_name(round_.name),
        "tables": len(played),
        "done": sum(not pairing.is_open for pairing in played),
    }


@require_safe
def one_round(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """A round with all its tables."""
    tournament = event_for(request, event)
    round_ = round_of(tournament, stage, round)
    return show_round(request, tournament, round_, chosen_match(request, tournament))


def show_round(
    request: HttpRequest,
    event: Tournament,
    round_: Round,
    open_one: OpenedMatch | None = None,
    refusal: Refusal | None = None,
    times: TimesForm | None = None,
) -> HttpResponse:
    """A round, with a match opened or a refusal at its control."""
    form = times or TimesForm(event=event, starts_at=round_.starts_at, deadline_at=round_.deadline_at)
    home = event_parents.home_of(event)
    page = round_page(event, round_, timezone.now())
    context = {"home": home, "page": page, "opened": open_one, "at": "round", "times": form}
    return form_actions.page(request, event, "round", context, refusal, tab="rounds")


def show_match(
    request: HttpRequest, event: Tournament, pairing: Pairing, open_one: OpenedMatch | None, refusal: Refusal | None
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
    path("events/<slug:event>/organise/", event_desk, name="organise"),
    path("events/<slug:event>/organise/rounds/", rounds, name="organise_rounds"),
    path("events/<slug:event>/organise/<int:stage>/rounds/<int:round>/", one_round, name="organise_round"),
]
