"""Decisions of organisers about a stage: start a round, choose its entries, end a ladder."""

from collections.abc import Iterable, Sequence
from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.models import User
from acts.kinds import Rows
from engine.compete import lots
from tournaments import cuts, expected_rounds, ties
from tournaments.models import Act, Entry, Pairing, Stage, StageEntry
from tournaments.plan import Plan
from tournaments.round_names import round_name, round_words
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from tournaments.stage_state import StageState, load
from web.errors import Refused

END_LADDER = declare("end_ladder", needs="play", undo=Rows())
START_ROUND = declare("go", needs="play", undo=Rows())
CHOOSE = declare("admit", needs="play", undo=Rows())
DECIDE_TIE = declare("tie", needs="play", undo=Rows())


def end_ladder(stage_id: int, *, by: User, **how: Unpack[ActionRequest]) -> Act:
    """End a ladder: no more challenges, and its order is final."""
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)

    def do(record: Record) -> str:
        current = Stage.objects.get(pk=stage_id)
        if Plan.read(current.plan_json).format != "ladder" or current.status != Stage.Status.RUNNING:
            raise Refused("not_running", gettext("Only a ladder under way can be ended."))
        record.change(current, ended_at=record.now)
        return gettext("%(stage)s was ended.") % {"stage": current.name}

    return perform(stage.tournament_id, do, END_LADDER, by=by, **how)


def start_round(stage_id: int, number: int, *, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Start a round that waits for an organiser. Running it twice starts one round.

    Raises `Refused` if the round before is not complete, or it cannot be drawn.
    """
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        current = Stage.objects.get(pk=stage_id)
        if current.status != Stage.Status.RUNNING:
            raise Refused("not_running", gettext("%(stage)s is not under way.") % {"stage": current.name})
        if current.go_round >= number:
            raise Refused("has_go", gettext("Round %(number)s has already been started.") % {"number": number})
        if number > current.go_round + 1:
            raise Refused("too_early", gettext("Round %(number)s comes first.") % {"number": current.go_round + 1})
        before = Pairing.objects.filter(round__stage=current, round__number=number - 1).exclude(
            status__in=(Pairing.Status.DONE, Pairing.Status.IDLE)
        )
        if before.exists() and not Plan.read(current.plan_json).is_bracket:
            names = ", ".join(str(each.number) for each in before.order_by("number")[:8])
            raise Refused(
                "round_open",
                gettext("Round %(number)s waits for table %(tables)s of the round before.")
                % {"number": number, "tables": names},
            )
        record.change(current, go_round=number)
        stored = expected_rounds.stored_name(load(current), number)
        if stored[-1:].isdecimal():
            return gettext("%(round)s of %(stage)s was started.") % {"round": round_name(stored), "stage": current.name}
        return gettext("Started: %(round)s of %(stage)s.") % {"round": round_words(stored), "stage": current.name}

    return perform(stage.tournament_id, do, START_ROUND, by=by, strict=True, **how)


def choose_entries(stage_id: int, entries: Sequence[int], *, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Choose the entries (ids) that go through to a stage, best first. From then on it is filled by hand.

    Raises `Refused` if it has started, or is the first.
    """
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        current = Stage.objects.get(pk=stage_id)
        if current.status != Stage.Status.WAITING:
            raise Refused("has_begun", gettext("%(stage)s has already started.") % {"stage": current.name})
        if not Stage.objects.filter(tournament=current.tournament_id, number__lt=current.number).exists():
            raise Refused(
                "first_stage",
                gettext("%(stage)s takes all entries because there is no stage before it.") % {"stage": current.name},
            )
        rows_by_id = Entry.objects.filter(tournament=current.tournament_id).in_bulk(list(entries))
        if len(rows_by_id) != len(entries) or len(entries) < 2:
            raise Refused("bad_entries", gettext("Choose at least two entries of this event, each once."))
        _check_active(rows_by_id.values())
        for entrant in current.entries.all():
            record.delete(entrant)
        for position, entry_id in enumerate(entries, 1):
            record.create(StageEntry(stage=current, entry=rows_by_id[entry_id], position=position))
        record.change(current, plan_json=Plan.read(current.plan_json).but(by_hand=True).write())
        return gettext("%(count)s entries were chosen for %(stage)s.") % {"count": len(entries), "stage": current.name}

    return perform(stage.tournament_id, do, CHOOSE, by=by, strict=True, **how)


def decide_tie(
    stage_id: int, by_what: str, order: Sequence[int] = (), *, by: User, **how: Unpack[ActionRequest]
) -> Act:
    """Decide the open tie of a stage: `lot`, `playoff` with the order of the tied entries (ids, best first), `share`
    for first place, or `all` where all of them can go through.

    Raises `Refused` if there is no open tie, or the order is not of exactly these entries.
    """
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        stages = list(Stage.objects.filter(tournament=stage.tournament_id).order_by("number"))
        current = next(each for each in stages if each.pk == stage_id)
        state = load(current)
        tie = cuts.open_tie(state, cuts.following_plan(stages, current)) if state.rounds else None
        if tie is None:
            raise Refused("no_tie", gettext("%(stage)s has no tie to decide.") % {"stage": current.name})
        groups = _tie_groups(state, tie, by_what, [state.position_of.get(entry, 0) for entry in order])
        numbers = [[state.entries[at].entry.number for at in group] for group in groups]
        answer = ties.Answer(tie.cut, tuple(tuple(group) for group in numbers), by_what)
        tied = {number for group in numbers for number in group}
        others = [
            each.write()
            for each in ties.answers(state)
            if (each.cut, {number for group in each.groups for number in group}) != (tie.cut, tied)
        ]
        record.change(current, ties_json=[*others, answer.write()])
        return _tie_words(state, tie, groups, by_what)

    return perform(stage.tournament_id, do, DECIDE_TIE, by=by, **how)


def _tie_groups(state: StageState, tie: cuts.OpenTie, by_what: str, order: Sequence[int]) -> list[list[int]]:
    """The tied entries (positions) as decided. Raises `Refused`."""
    if by_what == "lot" and (key := ties.lot_key(state, tie.cut)):
        drawn = sorted(tie.tied, key=lambda at: lots.place(key, state.entries[at].entry.number))
        return [[at] for at in drawn]
    if by_what == ("share" if tie.is_first else "all"):
        return [list(tie.tied)]
    if by_what != "playoff":
        raise Refused("bad_tie", gettext("Choose how the tie is decided."))
    if sorted(order) != sorted(tie.tied):
        raise Refused("bad_order", gettext("Number each of the tied entries once."))
    return [[at] for at in order]


def _tie_words(state: StageState, tie: cuts.OpenTie, groups: Sequence[Sequence[int]], by_what: str) -> str:
    names = ties.names(state, tie.tied)
    if by_what == "share":
        return gettext("%(names)s share first place.") % {"names": names}
    if by_what == "all":
        return gettext("%(names)s all go through.") % {"names": names}
    words = gettext("%(first)s is ahead of %(others)s %(why)s.")
    first, *others = [at for group in groups for at in group]
    return words % {
        "first": ties.names(state, [first]),
        "others": ties.names(state, others),
        "why": ties.by_words(by_what, ahead=False),
    }


def _check_active(entries: Iterable[Entry]) -> None:
    if gone := [str(entry) for entry in entries if entry.status != Entry.Status.ENTERED]:
        words = ngettext(
            "%(entries)s does not take part. Choose others.", "%(entries)s do not take part. Choose others.", len(gone)
        )
        raise Refused("not_in", words % {"entries": ", ".join(gone)})
