"""The events of a draw, which go when the draw is undone."""

from __future__ import annotations

from django.utils.translation import gettext

from clubs.models import Act
from clubs.services.records import Record
from tournaments.services.events import deletion


def tournaments_of(act: Act) -> list[int]:
    """Ids of the tournaments that an act made for a season."""
    return [
        one["is"]["tournament_id"]
        for one in act.changes
        if one["model"] in ("division", "seasonevent") and one["is"] and one["is"].get("tournament_id")
    ]


def follow(record: Record) -> None:
    """After a draw was undone: take away the tournaments that it had made."""
    if record.undoes is not None and record.undoes.kind in ("draw", "cup"):
        for tournament_id in tournaments_of(record.undoes):
            deletion.discard(tournament_id, gettext("The draw was undone."), record.now)
