"""A tie at a cut that an organiser decides."""

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from tournaments import cuts, event_parents, ties
from tournaments.lookups import stage_of, stages_of
from tournaments.models import Act, Stage, Tournament
from tournaments.services.stages import stage_decisions
from tournaments.stage_state import load
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from tournaments.views.organiser.stages import numbered_entries

FROM_TONIGHT = "tonight"
"""What the address says where the page of the club’s evening leads here: afterwards it leads back."""


@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The tie of a stage: by lot, after a deciding deal, shared, or all go through."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "play")
    stage_ = stage_of(tournament, stage)
    if request.method != "POST":
        return _show(request, tournament, stage_)

    def do() -> Act:
        by_what = request.POST.get("by", "")
        order = numbered_entries(request, tournament) if by_what == "playoff" else ()
        return stage_decisions.decide_tie(
            stage_.pk, by_what, order, by=person(request), **form_actions.how(request, seen=True)
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        return _show(request, tournament, stage_, refusal)

    back = _night(request, tournament) or reverse("tournaments:organise", args=[event])
    return form_actions.act(request, tournament, "tie", do, show, back)


def _night(request: HttpRequest, event: Tournament) -> str:
    """The page of the club’s evening, for someone who came from there."""
    home = event_parents.home_of(event)
    came_from = (request.POST or request.GET).get("from", "")
    return home.night if home is not None and came_from == FROM_TONIGHT else ""


def _show(request: HttpRequest, event: Tournament, stage: Stage, refusal: Refusal | None = None) -> HttpResponse:
    state = load(stage, event)
    tie = cuts.open_tie(state, cuts.following_plan(stages_of(event), stage)) if state.rounds else None
    entries = [state.entries[at].entry for at in tie.tied] if tie else []
    rows = [{"entry": entry, "typed": request.POST.get(f"place-{entry.pk}", "")} for entry in entries]
    ways = [("lot", gettext("Draw lots now")), ("playoff", gettext("By a deciding deal that was played"))]
    if tie is not None and tie.is_first:
        ways.append(("share", gettext("They share first place")))
    else:
        ways.append(("all", gettext("All of them go through")))
    context = {
        "stage": stage,
        "tie": tie,
        "rows": rows,
        "ways": ways,
        "chosen": request.POST.get("by", ""),
        "commitment": ties.lot_commitment(event),
        "night": _night(request, event),
    }
    return form_actions.page(request, event, "tie", context, refusal, tab="rounds")


urls = [path("events/<slug:event>/organise/stages/<int:stage>/tie/", decide, name="organise_tie")]
