"""What acts about events and entries have in common: the rows they are about, and what must not have happened yet."""

from __future__ import annotations

from django.db.models import Max
from django.utils.translation import gettext

from acts.recording import made as made
from tournaments.models import Entry, Member, Round, Stage, Tournament
from tournaments.services.records import Record
from web.errors import Refused


def event_of(model: type[Entry] | type[Member] | type[Stage], pk: int) -> int:
    """The id of the tournament that a row belongs to. Raises `Refused` where there is no such row."""
    found = model._default_manager.filter(pk=pk).values_list("tournament_id", flat=True).first()
    if found is None:
        raise Refused("no_such_row", gettext("This no longer exists."))
    return int(found)


def entry_of(record: Record, entry_id: int) -> Entry:
    """An entry of the event, as it is under the lock."""
    entry = Entry.objects.filter(pk=entry_id, tournament=record.tournament).first()
    if entry is None:
        raise Refused("no_such_entry", gettext("That entry is not in this event."))
    return entry


def member_of(record: Record, member_id: int) -> Member:
    """A person of an entry of the event, as they are under the lock."""
    found = Member.objects.filter(pk=member_id, tournament=record.tournament)
    member = found.select_related("entry", "user").first()
    if member is None:
        raise Refused("no_such_member", gettext("This person is not in this event."))
    return member


def stage_of(record: Record, stage_id: int) -> Stage:
    """A stage of the event, as it is under the lock."""
    stage = Stage.objects.filter(pk=stage_id, tournament=record.tournament).first()
    if stage is None:
        raise Refused("no_such_stage", gettext("That stage is not in this event."))
    return stage


def running_stage(record: Record) -> Stage | None:
    """The stage that is under way, the last where there are several."""
    return Stage.objects.filter(tournament=record.tournament, status=Stage.Status.RUNNING).order_by("-number").first()


def check_not_begun(record: Record) -> None:
    """Raise `Refused` where play has begun or will never begin."""
    status = record.tournament.status
    if record.tournament.has_begun:
        raise Refused("has_begun", gettext("The event has already started."))
    if status == Tournament.Status.CANCELLED:
        raise Refused("cancelled", gettext("The event was cancelled."))


def check_alive(record: Record) -> None:
    """Raise `Refused` where the event is over or cancelled."""
    if record.tournament.status == Tournament.Status.OVER:
        raise Refused("over", gettext("The event is over."))
    if record.tournament.status == Tournament.Status.CANCELLED:
        raise Refused("cancelled", gettext("The event was cancelled."))


def last_kept_round(stage: Stage) -> int:
    """The number of the last round of a stage that is not drawn anew by itself whatever is decided; 0 for none.

    A round that is open counts, since at tables without a screen nobody sees whether the cards are dealt.
    """
    kept = Round.objects.filter(stage=stage).exclude(status=Round.Status.DRAWN, is_fixed=False)
    return kept.aggregate(last=Max("number"))["last"] or 0
