"""Changes of one action of an event, and the options of its request."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypedDict

from acts import history as floor
from acts.recording import Recording
from tournaments.models import Act, Pairing, Place, Result, Round, SitOut, Stage, StageEntry, Tournament
from web.database.rows import Row, row_values


class Record(floor.Record[Tournament, Act]):
    """Changes of one action in a tournament, and the person who requested it."""

    @property
    def tournament(self) -> Tournament:
        return self.home

    def keep_rounds(self, stage: Stage, first: int) -> None:
        """Save the rounds from `first` on, and from round 1 the entries, so that undoing restores them."""
        if any(
            each["is"] == "rounds" and each["pk"] == stage.pk and each["was"]["first"] <= first for each in self.changes
        ):
            return
        rounds = Round.objects.filter(stage=stage, number__gte=first)
        groups: list[Iterable[Row]] = [rounds, SitOut.objects.filter(round__in=rounds)]
        pairings = Pairing.objects.filter(round__in=rounds)
        groups += [pairings, Place.objects.filter(pairing__in=pairings), Result.objects.filter(pairing__in=pairings)]
        if first == 1:
            groups.insert(0, StageEntry.objects.filter(stage=stage))
        rows = [{"model": row._meta.model_name, "fields": row_values(row)} for group in groups for row in group]
        was = {"first": first, "status": stage.status, "rows": rows}
        self.changes.append({"model": "stage", "pk": stage.pk, "was": was, "is": "rounds"})

    def hold(self, row: Row, *names: str, **back: Any) -> None:
        """Note fields that must be unchanged for the action to be undone; `back` is what undoing also sets."""
        held = row_values(row, names)
        self.changes.append({"model": row._meta.model_name, "pk": row.pk, "was": held | back, "is": held})


Do = Callable[[Record], str]
"""An action: changes rows through the record and returns its history sentence."""


class BaseRequest(TypedDict, total=False):
    """Options of a request for an action, which every service passes on to `history.perform`."""

    request_key: str | None
    seen: int | None
    now: datetime | None
    within: Recording | None
    """The action of a club that this is part of. Rights were checked there."""


class ActionRequest(BaseRequest, total=False):
    """The same for an action with an optional reason."""

    reason: str
