"""What organisers decide about a stage: that a round may begin, who goes on, and that a ladder is closed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.models import User
from acts.kinds import Rows
from tournaments.models import Act, Entry, Pairing, Stage, StageEntry
from tournaments.plan import Plan
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record
from web.errors import Refused

END_LADDER = declare("end_ladder", needs="play", undo=Rows())
GO = declare("go", needs="play", undo=Rows())
ADMIT = declare("admit", needs="play", undo=Rows())


def end_ladder(stage_id: int, *, by: User, **how: Unpack[How]) -> Act:
    """Close a ladder: no challenge is made any more, and its order is final."""
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)

    def do(record: Record) -> str:
        own = Stage.objects.get(pk=stage_id)
        if Plan.read(own.plan_json).format != "ladder" or own.status != Stage.Status.RUNNING:
            raise Refused("not_running", gettext("Only a ladder under way can be ended."))
        record.change(own, ended_at=record.now)
        return gettext("%(stage)s was ended.") % {"stage": own.name}

    return perform(stage.tournament_id, do, END_LADDER, by=by, **how)


def give_go(stage_id: int, number: int, *, by: User, **how: Unpack[How]) -> Act:
    """Let a round be drawn and opened, where rounds wait for an organiser. Twice makes one round.

    Raises `Refused` where the round before is not in, or cannot be drawn.
    """
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        own = Stage.objects.get(pk=stage_id)
        if own.status != Stage.Status.RUNNING:
            raise Refused("not_running", gettext("%(stage)s is not under way.") % {"stage": own.name})
        if own.go_round >= number:
            raise Refused("has_go", gettext("Round %(number)s has already been started.") % {"number": number})
        if number > own.go_round + 1:
            raise Refused("too_early", gettext("Round %(number)s comes first.") % {"number": own.go_round + 1})
        before = Pairing.objects.filter(round__stage=own, round__number=number - 1).exclude(
            status__in=(Pairing.Status.DONE, Pairing.Status.IDLE)
        )
        if before.exists() and not Plan.read(own.plan_json).is_bracket:
            names = ", ".join(str(each.number) for each in before.order_by("number")[:8])
            raise Refused(
                "round_open",
                gettext("Round %(number)s waits for table %(tables)s of the round before.")
                % {"number": number, "tables": names},
            )
        record.change(own, go_round=number)
        return gettext("Round %(number)s of %(stage)s was started.") % {"number": number, "stage": own.name}

    return perform(stage.tournament_id, do, GO, by=by, strict=True, **how)


def admit(stage_id: int, entries: Sequence[int], *, by: User, **how: Unpack[How]) -> Act:
    """Name who goes on to a stage, the best first: ids of entries. From then on it is filled by hand.

    Raises `Refused` where it has begun, or is the first.
    """
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        own = Stage.objects.get(pk=stage_id)
        if own.status != Stage.Status.WAITING:
            raise Refused("has_begun", gettext("%(stage)s has already started.") % {"stage": own.name})
        if not Stage.objects.filter(tournament=own.tournament_id, number__lt=own.number).exists():
            raise Refused(
                "first_stage",
                gettext("%(stage)s takes all entries because there is no stage before it.") % {"stage": own.name},
            )
        rows_by_id = Entry.objects.filter(tournament=own.tournament_id).in_bulk(list(entries))
        if len(rows_by_id) != len(entries) or len(entries) < 2:
            raise Refused("bad_entries", gettext("Choose at least two entries of this event, each once."))
        _check_still_in(rows_by_id.values())
        for one in own.entries.all():
            record.delete(one)
        for position, entry_id in enumerate(entries, 1):
            record.create(StageEntry(stage=own, entry=rows_by_id[entry_id], position=position))
        record.change(own, plan_json=Plan.read(own.plan_json).but(by_hand=True).write())
        return gettext("%(count)s entries were chosen for %(stage)s.") % {"count": len(entries), "stage": own.name}

    return perform(stage.tournament_id, do, ADMIT, by=by, strict=True, **how)


def _check_still_in(entries: Iterable[Entry]) -> None:
    if gone := [str(one) for one in entries if one.status != Entry.Status.ENTERED]:
        words = ngettext(
            "%(entries)s does not take part. Choose others.", "%(entries)s do not take part. Choose others.", len(gone)
        )
        raise Refused("not_in", words % {"entries": ", ".join(gone)})
