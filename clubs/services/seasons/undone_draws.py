"""Deletion of a draw's events when the draw is undone."""

from django.utils.translation import gettext

from clubs.models import Act
from clubs.services.records import Record
from tournaments.services.events import deletion


def tournaments_of(act: Act) -> list[int]:
    """Ids of the tournaments that an act created for a season."""
    return [
        change["is"]["tournament_id"]
        for change in act.changes
        if change["model"] in ("division", "seasonevent") and change["is"] and change["is"].get("tournament_id")
    ]


def follow(record: Record) -> None:
    """After a draw was undone: delete its tournaments."""
    if record.undoes is not None and record.undoes.kind in ("draw", "cup", "fixture_list"):
        for tournament_id in tournaments_of(record.undoes):
            deletion.delete_event(tournament_id, gettext("The draw was undone."), record.now)
