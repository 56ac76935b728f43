"""The rows of an event that an address names: entries, stages, rounds and matches, for every door."""

from collections.abc import Sequence

from django.http import Http404
from django.utils.translation import gettext

from tournaments.models import Entry, Pairing, Round, Stage, Tournament


def entry_of(event: Tournament, number: int) -> Entry:
    """An entry by its number. Raises `Http404`."""
    entry = Entry.objects.filter(tournament=event, number=number).first()
    if entry is None:
        raise Http404(gettext("Entry not found."))
    entry.tournament = event
    return entry


def stage_of(event: Tournament, number: int) -> Stage:
    """A stage by its number. Raises `Http404`."""
    stage = Stage.objects.filter(tournament=event, number=number).first()
    if stage is None:
        raise Http404(gettext("Stage not found."))
    stage.tournament = event
    return stage


def stages_of(event: Tournament) -> list[Stage]:
    """The stages of an event in order, each knowing it: one query."""
    stages = list(Stage.objects.filter(tournament=event))
    for stage in stages:
        stage.tournament = event
    return stages


def stage_among(stages: Sequence[Stage], number: int) -> tuple[Stage, Stage | None]:
    """The stage of this number among those of an event, and the one it feeds. Raises `Http404`."""
    for stage, following in zip(stages, [*stages[1:], None], strict=True):
        if stage.number == number:
            return stage, following
    raise Http404(gettext("Stage not found."))


def round_of(event: Tournament, stage: int, number: int) -> Round:
    """A round by its stage and number. Raises `Http404`."""
    rows = Round.objects.filter(stage__tournament=event, stage__number=stage, number=number)
    round_ = rows.select_related("stage").first()
    if round_ is None:
        raise Http404(gettext("Round not found."))
    round_.stage.tournament = event
    return round_


def match_of(event: Tournament, stage: int, name: str) -> Pairing:
    """A match by its stage and name, with its round, table and result. Raises `Http404`."""
    rows = Pairing.objects.filter(round__stage__tournament=event, round__stage__number=stage, name=name)
    match = rows.select_related("round__stage", "table", "result").first()
    if match is None:
        raise Http404(gettext("Match not found."))
    match.round.stage.tournament = event
    return match
