"""Shared row lookups and checks of every action about events and entries."""

from django.db.models import Max
from django.utils.translation import gettext

from acts.recording import added_row as added_row
from tournaments.models import Entry, Member, Round, Stage, Tournament
from tournaments.services.records import Record
from web.errors import Refused


def event_of(model: type[Entry] | type[Member] | type[Stage], pk: int) -> int:
    """Id of the tournament that a row belongs to. Raises `Refused` if the row does not exist."""
    tournament_id = model._default_manager.filter(pk=pk).values_list("tournament_id", flat=True).first()
    if tournament_id is None:
        raise Refused("no_such_row", gettext("This no longer exists."))
    return int(tournament_id)


def entry_of(record: Record, entry_id: int) -> Entry:
    """An entry of the event, as it is under the lock."""
    entry = Entry.objects.filter(pk=entry_id, tournament=record.tournament).first()
    if entry is None:
        raise Refused("no_such_entry", gettext("That entry is not in this event."))
    return entry


def member_of(record: Record, member_id: int) -> Member:
    """A person of an entry of the event, as they are under the lock."""
    members = Member.objects.filter(pk=member_id, tournament=record.tournament)
    member = members.select_related("entry", "user").first()
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
    """The stage under way, the last if there are several."""
    return Stage.objects.filter(tournament=record.tournament, status=Stage.Status.RUNNING).order_by("-number").first()


def check_not_begun(record: Record) -> None:
    """Raise `Refused` if play has started or the event was cancelled."""
    status = record.tournament.status
    if record.tournament.has_begun:
        raise Refused("has_begun", gettext("The event has already started."))
    if status == Tournament.Status.CANCELLED:
        raise Refused("cancelled", gettext("The event was cancelled."))


def check_alive(record: Record) -> None:
    """Raise `Refused` if the event is over or cancelled."""
    if record.tournament.status == Tournament.Status.OVER:
        raise Refused("over", gettext("The event is over."))
    if record.tournament.status == Tournament.Status.CANCELLED:
        raise Refused("cancelled", gettext("The event was cancelled."))


def last_fixed_round(stage: Stage) -> int:
    """Number of the last round of a stage that is never redrawn automatically; 0 for none.

    An open round counts, because at tables without a screen nobody sees whether the cards are dealt.
    """
    rounds = Round.objects.filter(stage=stage).exclude(status=Round.Status.DRAWN, is_fixed=False)
    return rounds.aggregate(last=Max("number"))["last"] or 0
