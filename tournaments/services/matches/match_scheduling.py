"""When and where matches are played: reschedule, set deadlines, move online or face to face, cancel."""

from collections.abc import Mapping
from datetime import datetime
from typing import Unpack

from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Never, Rows
from tournaments import seating
from tournaments.models import Act, Pairing, Place, Result, Round, Stage, Tournament
from tournaments.plan import ENDLESS, Plan
from tournaments.round_names import round_name
from tournaments.services.action_context import check_alive, event_of, stage_of
from tournaments.services.entries import person_lookup
from tournaments.services.history import declare, perform
from tournaments.services.matches import online_tables, results
from tournaments.services.records import ActionRequest, Record
from tournaments.stage_state import has_begun
from web.errors import Refused
from web.text import date_and_time, several, zone_name

TIMES = declare("times", needs="play", undo=Rows())
WHERE = declare("where", needs="play", undo=Rows())
CANCEL = declare("call_off", needs="play", undo=Rows())
ASK = declare("ask", needs="play", undo=Never("People were told."))

# When


def set_match_times(
    pairing_id: int,
    by: User,
    *,
    starts_at: datetime | None,
    deadline_at: datetime | None,
    tells: bool = True,
    **how: Unpack[ActionRequest],
) -> Act:
    """Set the times of one match instead of its round’s; `tells` notifies its players.

    With `None` the round’s times apply. Raises `Refused` for past times, or if the match is over.
    """

    def do(record: Record) -> str:
        match = _match(record, pairing_id)
        if not match.is_open:
            raise Refused("done", gettext("%(match)s already has a result.") % {"match": match})
        _check_times(record.now, starts_at, deadline_at)
        if not record.change(match, starts_at=starts_at, deadline_at=deadline_at):
            raise Refused("same", gettext("That is already set."))
        Pairing.objects.filter(pk=match.pk).update(reminded=0)

        def when() -> str:
            return _when(record.tournament, starts_at, deadline_at) or gettext("uses the round’s times")

        if tells:
            for entry in {place.entry for place in match.places.select_related("entry") if place.entry}:
                person_lookup.tell_entry(record, entry, lambda: f"{match}: {when()}", key=f"times:{match.pk}")
        return gettext("%(match)s in %(stage)s: %(words)s.") % {
            "match": match,
            "stage": match.round.stage,
            "words": when(),
        }

    return perform(_event_of(pairing_id), do, TIMES, by=by, **how)


def set_round_times(
    round_id: int, by: User, *, starts_at: datetime | None, deadline_at: datetime | None, **how: Unpack[ActionRequest]
) -> Act:
    """Set the start and deadline of a round. Raises `Refused` for past times."""
    tournament_id = Round.objects.filter(pk=round_id).values_list("stage__tournament_id", flat=True).first()
    if tournament_id is None:
        raise Refused("no_round", gettext("This round no longer exists."))

    def do(record: Record) -> str:
        check_alive(record)
        round_ = Round.objects.select_related("stage").get(pk=round_id)
        if not _set_times(record, round_, starts_at, deadline_at):
            raise Refused("same", gettext("That is already set."))
        words = _when(record.tournament, starts_at, deadline_at) or gettext("no times")
        values = {"round": round_name(round_.name), "stage": round_.stage, "words": words}
        return gettext("%(round)s of %(stage)s: %(words)s.") % values

    return perform(tournament_id, do, TIMES, by=by, **how)


Times = tuple[datetime | None, datetime | None]
"""Start and deadline of a round."""


def set_timetable(
    stage_id: int,
    by: User,
    *,
    times: Mapping[int, Times],
    starts: Mapping[tuple[int, int], datetime] | None = None,
    has_past: bool = False,
    **how: Unpack[ActionRequest],
) -> Act:
    """Set the start and deadline of several rounds, by number; with `has_past` also of rounds that are over. `starts`
    are those of single matches, by the number of their round and an entry (id). Raises `Refused`."""

    def do(record: Record) -> str:
        check_alive(record)
        stage = stage_of(record, stage_id)
        rounds = Round.objects.filter(stage=stage, number__in=times).order_by("number")
        rounds_by_number = {round_.number: round_ for round_ in rounds.select_related("stage")}
        if len(rounds_by_number) < len(times):
            raise Refused("no_round", gettext("This round no longer exists."))
        for number, round_ in rounds_by_number.items():
            _set_times(record, round_, *times[number], has_past=has_past)
        _set_starts(record, stage, starts or {})
        return gettext("%(stage)s has its timetable: %(rounds)s.") % {
            "stage": stage,
            "rounds": several(len(rounds_by_number), "matchday" if record.tournament.has_matchdays else "round"),
        }

    return perform(event_of(Stage, stage_id), do, TIMES, by=by, **how)


def _set_starts(record: Record, stage: Stage, starts: Mapping[tuple[int, int], datetime]) -> None:
    """Set the start of single matches within an action."""
    places = Place.objects.filter(pairing__round__stage=stage, entry__in={entry for _, entry in starts})
    for place in places.select_related("pairing__round") if starts else ():
        at = starts.get((place.pairing.round.number, place.entry_id or 0))
        if at is not None:
            record.change(place.pairing, starts_at=at)


def _set_times(
    record: Record, round_: Round, starts_at: datetime | None, deadline_at: datetime | None, *, has_past: bool = False
) -> bool:
    """Set the times of a round within an action. Returns whether anything changed."""
    if round_.status == Round.Status.CLOSED:
        raise Refused("closed", gettext("%(round)s is over.") % {"round": round_name(round_.name)})
    if not has_past or deadline_at is None or deadline_at > record.now:
        _check_times(record.now, starts_at, deadline_at)
    changed = record.change(round_, starts_at=starts_at, deadline_at=deadline_at)
    Pairing.objects.filter(round=round_, deadline_at=None).update(reminded=0)
    return changed


def _check_times(now: datetime, starts_at: datetime | None, deadline_at: datetime | None) -> None:
    if deadline_at is not None and deadline_at <= now:
        raise Refused("past", gettext("That deadline has already passed."), field="deadline_at")
    if starts_at is not None and deadline_at is not None and starts_at >= deadline_at:
        raise Refused("no_time", gettext("The deadline must be after the start."), field="deadline_at")


def _when(tournament: Tournament, starts_at: datetime | None, deadline_at: datetime | None) -> str:
    """`starts Thu 26 Nov 20:15, deadline Fri 27 Nov 20:15 (Prague (CET))`, in the event’s time zone."""
    with timezone.override(tournament.zone):
        parts = [gettext("starts %(moment)s") % {"moment": date_and_time(starts_at)}] if starts_at else []
        parts += [gettext("deadline %(moment)s") % {"moment": date_and_time(deadline_at)}] if deadline_at else []
        at = starts_at or deadline_at
        return ", ".join(parts) + (f", {zone_name(at)}" if at else "")


# Where


def set_online(pairing_id: int, by: User, *, online: bool, **how: Unpack[ActionRequest]) -> Act:
    """Move a match online or face to face. Raises `Refused` if a player has no account, or something was played."""

    def do(record: Record) -> str:
        match = _match(record, pairing_id)
        where = gettext("online") if online else gettext("face to face")
        if not match.is_open:
            raise Refused("done", gettext("%(match)s already has a result.") % {"match": match})
        if has_begun(match):
            raise Refused("has_begun", gettext("%(match)s has already started. Stop it first.") % {"match": match})
        if match.is_online == online:
            raise Refused("same", gettext("%(match)s is already played %(where)s.") % {"match": match, "where": where})
        if online:
            _check_accounts(match)
        online_tables.stop_table(
            match, record.now, gettext("An organiser decided that this match is played face to face.")
        )
        Pairing.objects.filter(pk=match.pk).update(opened_at=None)
        record.change(match, is_online=online)
        record.hold(match, "begun_at", "result", opened_at=None)
        return gettext("%(match)s in %(stage)s is played %(where)s.") % {
            "match": match,
            "stage": match.round.stage,
            "where": where,
        }

    return perform(_event_of(pairing_id), do, WHERE, by=by, **how)


def _check_accounts(match: Pairing) -> None:
    if match.status == Pairing.Status.WAITS:
        return
    members = seating.seats_of(match, seating.places_of(match))
    without = [member.name for member in members if seating.account_of(member) is None]
    if without:
        raise Refused(
            "no_account",
            gettext("To play online, everyone needs an account here. Without one: %(names)s.")
            % {"names": ", ".join(without)},
        )


# Stopping


def cancel_match(pairing_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Stop a match without a confirmed result: its cards and reports are dropped, and it must be replayed.

    A challenge of a ladder or a table of an arena is deleted. Raises `Refused`.
    """

    def do(record: Record) -> str:
        match = _match(record, pairing_id)
        names = seating.side_names(match.places.select_related("entry"))
        if match.result_id is not None or not match.is_open:
            raise Refused(
                "done", gettext("%(match)s already has a result. Remove the result instead.") % {"match": match}
            )
        is_made = Plan.read(match.round.stage.plan_json).format in ENDLESS
        if not is_made and not has_begun(match):
            raise Refused(
                "not_begun", gettext("%(match)s has not started, so there is nothing to stop.") % {"match": match}
            )
        online_tables.stop_table(match, record.now, gettext("An organiser cancelled the match."))
        if not is_made:
            results.reopen(record, match)
            return gettext("%(match)s (%(names)s) was stopped and must be replayed.") % {"match": match, "names": names}
        for result in Result.objects.filter(pairing=match):
            record.delete(result)
        for place in match.places.all():
            record.delete(place)
        match.table = match.opened_at = None
        record.delete(match)
        return gettext("%(match)s (%(names)s) was cancelled.") % {"match": match, "names": names}

    return perform(_event_of(pairing_id), do, CANCEL, by=by, **how)


def ask_for_result(pairing_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Ask the players of a match for their result. Raises `Refused` if it has one."""

    def do(record: Record) -> str:
        match = _match(record, pairing_id)
        if not match.is_open or match.status == Pairing.Status.WAITS:
            raise Refused("done", gettext("%(match)s is not waiting for anyone.") % {"match": match})

        def words() -> str:
            return gettext("the organisers wait for the result of %(match)s") % {"match": results.words_of(match)}

        for place in match.places.select_related("entry"):
            if place.entry is not None:
                person_lookup.tell_entry(record, place.entry, words, key=f"ask:{match.pk}")
        return gettext("The players of %(match)s were asked for their result.") % {"match": match}

    return perform(_event_of(pairing_id), do, ASK, by=by, advance=False, **how)


# Lookups


def _event_of(pairing_id: int) -> int:
    tournament_id = Pairing.objects.filter(pk=pairing_id).values_list("round__stage__tournament_id", flat=True).first()
    if tournament_id is None:
        raise Refused("no_match", gettext("This match no longer exists."))
    return tournament_id


def _match(record: Record, pairing_id: int) -> Pairing:
    check_alive(record)
    match = Pairing.objects.select_related("round__stage__tournament", "table").filter(pk=pairing_id).first()
    if match is None:
        raise Refused("no_match", gettext("This match no longer exists."))
    return match
