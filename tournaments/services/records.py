"""What one act of an event changes, and how an act is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypedDict

from acts import history as floor
from acts.recording import Recording
from tournaments.models import Act, Pairing, Place, Result, Round, SitOut, Stage, StageEntry, Tournament
from web.database.rows import Row, written


class Record(floor.Record[Tournament, Act]):
    """What one act changes in a tournament, and who asked for it."""

    @property
    def tournament(self) -> Tournament:
        return self.home

    def keep_rounds(self, stage: Stage, first: int) -> None:
        """Note the rounds of a stage from one on, as they are, before they are worked out anew; undoing brings them
        back whole. From the first round on, the stage's entries are kept with them."""
        if any(
            each["is"] == "rounds" and each["pk"] == stage.pk and each["was"]["first"] <= first for each in self.changes
        ):
            return
        rounds = Round.objects.filter(stage=stage, number__gte=first)
        kept: list[Iterable[Row]] = [rounds, SitOut.objects.filter(round__in=rounds)]
        pairings = Pairing.objects.filter(round__in=rounds)
        kept += [pairings, Place.objects.filter(pairing__in=pairings), Result.objects.filter(pairing__in=pairings)]
        if first == 1:
            kept.insert(0, StageEntry.objects.filter(stage=stage))
        rows = [{"model": row._meta.model_name, "fields": written(row)} for group in kept for row in group]
        was = {"first": first, "status": stage.status, "rows": rows}
        self.changes.append({"model": "stage", "pk": stage.pk, "was": was, "is": "rounds"})

    def hold(self, row: Row, *names: str, **back: Any) -> None:
        """Note fields that must still be as they are for the act to be undone; `back` is what undoing sets besides."""
        held = written(row, names)
        self.changes.append({"model": row._meta.model_name, "pk": row.pk, "was": held | back, "is": held})


Do = Callable[[Record], str]
"""An act: changes rows through the record and says in a sentence what was done."""


class Asked(TypedDict, total=False):
    """How an act is asked for: what every service of this kind hands on to `history.perform`."""

    request_key: str | None
    seen: int | None
    now: datetime | None
    within: Recording | None
    """The act of a club of which this is a part; who may was asked there."""


class How(Asked, total=False):
    """The same for an act that may have a reason, where none is needed."""

    reason: str
