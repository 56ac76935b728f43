"""Results: reported by either side or by the table, confirmed or disputed, decided and corrected.

An unconfirmed result moves nothing. Rows of results are only added, and corrected ones stay.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByAct, ByCase, Itself, Rows, Site
from tournaments import seating
from tournaments.models import Act, Answer, Entry, Member, Pairing, Result, Tournament
from tournaments.plan import Plan
from tournaments.round_names import match_words
from tournaments.services import notifications
from tournaments.services.history import declare, perform
from tournaments.services.matches import drawn_matches, online_tables, result_lines
from tournaments.services.matches.result_lines import ResultLine
from tournaments.services.records import ActionRequest, BaseRequest, Do, Record
from tournaments.services.stages import redraws
from web.errors import NotAllowed, Refused, Stale
from web.text import joined


def right_to_undo(act: Act) -> str:
    """Right needed to undo a result: `play` if it replaced, decided or agreed one, otherwise `results`."""
    is_agreed = act.kind in (REPORT.name, ANSWER.name) and any(_counts_since(change) for change in act.changes)
    return "play" if is_agreed or any(_decided_before(change) for change in act.changes) else "results"


def _counts_since(change: Mapping[str, Any]) -> bool:
    """Whether a change gave a match a confirmed result."""
    return change["model"] == "pairing" and (change["is"] or {}).get("result_id") is not None


def _decided_before(change: Mapping[str, Any]) -> bool:
    """Whether a change was made to a match that already had a result, or two different ones."""
    was = change["was"] or {}
    if change["model"] == "result":
        return was.get("status") in (Result.Status.CONFIRMED, Result.Status.DISPUTED)
    return change["model"] == "pairing" and was.get("result_id") is not None


BY_RESULT = ("results", "play")
UNDONE = Rows(ByAct(BY_RESULT, right_to_undo))
REPORT = declare("report", needs=Itself("Whoever plays the match, or holds the card of its table."), undo=UNDONE)
ANSWER = declare("answer", needs=Itself("Whoever plays the match, or holds the card of its table."), undo=UNDONE)
CONFIRM = declare("confirm", needs=ByCase(BY_RESULT), undo=UNDONE)
CONFIRM_UNANSWERED = declare("silence", needs=Site("Nobody answered in time."), undo=Rows("play"))
DECIDE = declare("result", needs=ByCase(BY_RESULT), undo=UNDONE)
REMOVE = declare("take_back", needs="play", undo=Rows())
WALKOVER = declare("walkover", needs="play", undo=Rows())


def report(
    pairing_id: int,
    lines: Sequence[ResultLine],
    *,
    by: User | None,
    by_entry: int | None = None,
    origin: Result.Origin = Result.Origin.PLAYER,
    sheet: Mapping[str, Any] | None = None,
    request_key: str | None = None,
    now: datetime | None = None,
) -> Act:
    """Enter a result for a side. The same result from another side confirms it, a different one disputes it.

    `by_entry` is the id of that entry. The caller must belong to it, unless they have the table card.
    """
    pairing = _pairing(pairing_id)

    def do(record: Record) -> str:
        match = _pairing(pairing_id)
        entry = _side(match, by, by_entry, origin)
        _check_open(match)
        winner = drawn_matches.winner_by_rule(match, lines)
        checked = result_lines.check(match, lines, winner=winner)
        pending = list(match.results.filter(status__in=(Result.Status.REPORTED, Result.Status.DISPUTED)))
        own_results = [old for old in pending if old.by_entry_id == entry.pk]
        other_results = [old for old in pending if old.by_entry_id != entry.pk]
        for old in own_results:
            record.change(old, status=Result.Status.REPLACED, confirms_at=None)
        agreeing = next((old for old in other_results if result_lines.is_same(old.lines, checked)), None)
        if agreeing is not None:
            _answer(agreeing, entry, by, agrees=True)
            _confirm_if_all_agree(record, match, agreeing)
            return gettext("%(entry)s entered the same result for %(match)s.") % {"entry": entry, "match": _of(match)}
        result = Result(
            pairing=match,
            origin=origin,
            lines=checked,
            winner_id=winner,
            sheet=dict(sheet) if sheet else None,
            by=by,
            by_entry=entry,
            at=record.now,
            status=Result.Status.DISPUTED if other_results else Result.Status.REPORTED,
            confirms_at=None if other_results else record.now + timedelta(hours=record.tournament.confirm_hours),
        )
        record.create(result)
        for old in other_results:
            record.change(old, status=Result.Status.DISPUTED, confirms_at=None)
        _set_status(record, match, Pairing.Status.DISPUTED if other_results else Pairing.Status.REPORTED)
        (notifications.disputed if other_results else notifications.result_to_confirm)(result)
        words = gettext("%(entry)s entered a result for %(match)s: %(result)s.")
        return words % {"entry": entry, "match": _of(match), "result": _text(match, checked)}

    return perform(pairing.tournament_id, do, REPORT, by=by, request_key=request_key, advance=False, now=now)


def answer(
    result_id: int,
    *,
    by: User | None,
    agrees: bool,
    words: str = "",
    by_entry: int | None = None,
    origin: Result.Origin = Result.Origin.PLAYER,
    now: datetime | None = None,
) -> Act:
    """Confirm or dispute a reported result for another side. It is confirmed once every other side agrees."""
    result = Result.objects.select_related("pairing__round__stage").get(pk=result_id)

    def do(record: Record) -> str:
        match = _pairing(result.pairing_id)
        reported = Result.objects.get(pk=result_id)
        entry = _side(match, by, by_entry, origin)
        if reported.by_entry_id == entry.pk:
            raise Refused("own_result", gettext("You entered this result. The other side must answer it."))
        if reported.status == Result.Status.CONFIRMED and agrees:
            return gettext("%(entry)s confirmed the already confirmed result of %(match)s.") % {
                "entry": entry,
                "match": _of(match),
            }
        if reported.status not in (Result.Status.REPORTED, Result.Status.DISPUTED):
            raise Refused("replaced", gettext("This result has just been replaced. Check it again."))
        _answer(reported, entry, by, agrees=agrees, words=words)
        if agrees:
            _confirm_if_all_agree(record, match, reported)
            return gettext("%(entry)s confirmed the result of %(match)s.") % {"entry": entry, "match": _of(match)}
        record.change(reported, status=Result.Status.DISPUTED, confirms_at=None)
        _set_status(record, match, Pairing.Status.DISPUTED)
        notifications.disputed(reported)
        return gettext("%(entry)s disputed the result of %(match)s.") % {"entry": entry, "match": _of(match)}

    return perform(result.pairing.tournament_id, do, ANSWER, by=by, advance=False, now=now)


def confirm(result_id: int, *, by: User, request_key: str | None = None) -> Act:
    """Confirm a reported result as an organiser."""
    result = Result.objects.select_related("pairing__round__stage").get(pk=result_id)

    def do(record: Record) -> str:
        reported = Result.objects.get(pk=result_id)
        match = _pairing(reported.pairing_id)
        record.ask("play" if match.status == Pairing.Status.DISPUTED else "results")
        if reported.status == Result.Status.CONFIRMED:
            raise Refused("confirmed", gettext("This result is already confirmed."))
        if reported.status == Result.Status.REPLACED:
            raise Refused("replaced", gettext("This result has just been replaced. Check it again."))
        if reported.by_entry_id and Member.objects.filter(entry=reported.by_entry_id, user=by, left_at=None).exists():
            raise Refused(
                "own_result", gettext("Your side entered this result. The other side or another organiser confirms it.")
            )
        _confirm(record, match, reported)
        words = gettext("The result of %(match)s was confirmed: %(result)s.")
        return words % {"match": _of(match), "result": _text(match, reported.lines)}

    return perform(result.pairing.tournament_id, do, CONFIRM, by=by, request_key=request_key)


def unanswered(now: datetime) -> list[int]:
    """Results (ids) that nobody answered in time, oldest first."""
    due = Result.objects.filter(status=Result.Status.REPORTED, confirms_at__lte=now).order_by("confirms_at", "pk")
    return list(due.values_list("pk", flat=True))


def confirm_unanswered(result_id: int, now: datetime) -> bool:
    """Confirm a result that nobody answered in time. Returns whether it did. Running it twice is harmless."""
    result = Result.objects.select_related("pairing__round__stage").get(pk=result_id)

    def do(record: Record) -> str:
        reported = Result.objects.get(pk=result_id)
        if reported.status != Result.Status.REPORTED or reported.confirms_at is None or reported.confirms_at > now:
            raise Refused("answered", gettext("Someone has already answered."))
        match = _pairing(reported.pairing_id)
        _confirm(record, match, reported)
        return gettext("The result of %(match)s is final because nobody objected in time.") % {"match": _of(match)}

    try:
        perform(result.pairing.tournament_id, do, CONFIRM_UNANSWERED, by=None, advance=False, now=now)
    except Refused:
        return False
    return True


def decide(
    pairing_id: int,
    lines: Sequence[ResultLine],
    *,
    by: User,
    reason: str = "",
    kind: Result.Kind = Result.Kind.DECIDED,
    winner: int | None = None,
    pair_again: bool = False,
    known: int | None = None,
    seen: int | None = None,
    request_key: str | None = None,
) -> Act:
    """Enter or correct a result as an organiser, at any time.

    A correction leaves matches that are announced or started as they are; with `pair_again` they are redrawn.
    """
    pairing = _pairing(pairing_id)
    do = decision(pairing_id, lines, reason=reason, kind=kind, winner=winner, pair_again=pair_again, known=known)
    return perform(pairing.tournament_id, do, DECIDE, by=by, reason=reason, seen=seen, request_key=request_key)


def decision(
    pairing_id: int,
    lines: Sequence[ResultLine],
    *,
    reason: str = "",
    kind: Result.Kind = Result.Kind.DECIDED,
    winner: int | None = None,
    pair_again: bool = False,
    known: int | None = None,
) -> Do:
    """The action of entering or correcting a result, to perform or preview.

    `known` is the newest result (id) of the match on the page, 0 for none. If there is a newer one, `Stale` is
    raised. Leave it out if that does not matter.
    """

    def do(record: Record) -> str:
        match = _pairing(pairing_id)
        record.ask(right_to_decide(match, kind, pair_again=pair_again))
        newest = match.results.order_by("-pk").values_list("pk", flat=True).first()
        if known is not None and known != (newest or 0):
            raise Stale(
                "stale",
                gettext("Someone else has just entered a result for %(match)s. Check it again.")
                % {"match": words_of(match)},
                newest=newest,
            )
        by_rule = drawn_matches.winner_by_rule(match, lines)
        if winner is not None and by_rule not in (None, winner):
            raise Refused("bad_winner", drawn_matches.rule_words(match, by_rule))
        checked = result_lines.check(match, lines, winner=winner or by_rule)
        before = match.result
        if before is not None and not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason for the change. It appears in the history."))
        about: dict[str, Any] = {"winner_id": winner or by_rule, "reason": reason[:200]}
        result = _add(record, match, checked, kind=kind, origin=Result.Origin.ORGANISER, **about)
        record.change(match, result=result, begun_at=match.begun_at or record.now)
        online_tables.stop_table(match, record.now, gettext("The organisers decided the match."))
        if pair_again:
            redraws.redraw_stale(record, match.round.stage)
        elif before is not None:
            redraws.keep_announced(record, match.round)
        words = _text(match, checked)
        if by_rule is not None:
            words = f"{words} ({drawn_matches.rule_words(match, by_rule)})"
        if before is None:
            return gettext("Result of %(match)s: %(result)s.") % {"match": _of(match), "result": words}
        sentence = gettext("The result of %(match)s was changed from %(before)s to %(result)s.")
        return sentence % {"match": _of(match), "before": _text(match, before.lines), "result": words}

    return do


def right_to_decide(pairing: Pairing, kind: Result.Kind = Result.Kind.DECIDED, *, pair_again: bool = False) -> str:
    """Right (`roles.ACTS`) needed to enter a result of a match as it is now.

    The first result needs `results`. A walkover, a change, and a choice between two reports need `play`.
    """
    has_one = pairing.result_id is not None or pairing.status == Pairing.Status.DISPUTED
    return "play" if has_one or pair_again or kind != Result.Kind.DECIDED else "results"


def remove_result(pairing_id: int, *, by: User, reason: str, **how: Unpack[BaseRequest]) -> Act:
    """Remove a result: the match is open again."""
    pairing = _pairing(pairing_id)

    def do(record: Record) -> str:
        match = _pairing(pairing_id)
        if match.result is None and not match.results.exclude(status=Result.Status.REPLACED).exists():
            raise Refused("no_result", gettext("This match has no result to remove."))
        if not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason for removing the result. It appears in the history."))
        reopen(record, match)
        return gettext("The result of %(match)s was removed.") % {"match": _of(match)}

    return perform(pairing.tournament_id, do, REMOVE, by=by, reason=reason, **how)


def reopen(record: Record, pairing: Pairing) -> None:
    """Reset a match to the state before any report."""
    _replace_all(record, pairing)
    pairing.places.update(points=None, score=None, rank=None)
    # Undoing restores the table of the match together with the result.
    fresh = {"table": None, "opened_at": None, "begun_at": None, "done_at": None}
    record.change(pairing, result=None, status=Pairing.Status.READY, **fresh)


def forfeit(
    record: Record, pairing: Pairing, losers: Sequence[int], *, origin: Result.Origin = Result.Origin.ORGANISER
) -> None:
    """Decide an open match against some entries (ids). If against all, nobody wins."""
    match = _pairing(pairing.pk)
    if not match.is_open:
        return
    places = list(match.places.all())
    lines = [{"entry": place.entry_id, "score": None, "forfeit": place.entry_id in losers} for place in places]
    everybody = all(line["forfeit"] for line in lines)
    kind = Result.Kind.DOUBLE_FORFEIT if everybody else Result.Kind.FORFEIT
    record.change(match, result=_add(record, match, lines, kind=kind, origin=origin))
    online_tables.stop_table(match, record.now, gettext("The match was decided by walkover."))


def walkover(
    pairing_id: int,
    losers: Sequence[int],
    *,
    by: User | None,
    reason: str = "",
    seen: int | None = None,
    request_key: str | None = None,
    now: datetime | None = None,
) -> Act:
    """Record a walkover: some entries (ids) did not come."""
    pairing = _pairing(pairing_id)

    def do(record: Record) -> str:
        match = _pairing(pairing_id)
        if not match.is_open:
            raise Refused("done", gettext("This match already has a result. Change that one instead."))
        places = {place.entry_id: place for place in match.places.select_related("entry")}
        if not losers or not set(losers) <= set(places):
            raise Refused("bad_entries", gettext("Choose the entries of this match that did not come."))
        origin = Result.Origin.ORGANISER if by else Result.Origin.CLOCK
        forfeit(record, match, losers, origin=origin)
        names = joined([str(places[entry_id].entry) for entry_id in losers])
        return gettext("Walkover in %(match)s: %(entries)s did not come.") % {"match": _of(match), "entries": names}

    request: ActionRequest = {"reason": reason, "seen": seen, "request_key": request_key, "now": now}
    return perform(pairing.tournament_id, do, WALKOVER, by=by, advance=by is not None, **request)


def record_table_result(table_id: int, now: datetime | None = None) -> bool:
    """Record the result of a finished online table. Returns whether there was one. Running it twice is harmless."""
    pairing = Pairing.objects.filter(table_id=table_id).select_related("round__stage", "table").first()
    if pairing is None or pairing.table is None or pairing.result_id is not None:
        return False

    def do(record: Record) -> str:
        match = _pairing(pairing.pk)
        if match.table is None or match.table.pk != table_id or match.result_id is not None:
            raise Refused("done", gettext("This match already has a result."))
        kind, lines = online_tables.lines_of(match.table)
        plan, winner = Plan.read(match.round.stage.plan_json), drawn_matches.winner_by_rule(match, lines)
        is_tied = plan.is_bracket and result_lines.is_tied(kind, lines) and winner is None
        status = Result.Status.DISPUTED if is_tied else Result.Status.CONFIRMED
        text = _text(match, lines)
        result = _add(record, match, lines, kind=kind, origin=Result.Origin.TABLE, status=status, winner_id=winner)
        if is_tied:
            _set_status(record, match, Pairing.Status.DISPUTED)
            notifications.disputed(result)
            words = gettext(
                "%(match)s ended in a tie: %(result)s. An organiser will choose the side that goes through."
            )
            return words % {"match": _of(match), "result": text}
        record.change(match, result=result, begun_at=match.begun_at or record.now)
        return gettext("Result of %(match)s: %(result)s.") % {"match": _of(match), "result": text}

    try:
        perform(pairing.tournament_id, do, DECIDE, by=None, advance=False, now=now)
    except Refused:
        return False
    return True


# Checks and parts


def _pairing(pairing_id: int) -> Pairing:
    return Pairing.objects.select_related("round__stage__tournament", "table", "result").get(pk=pairing_id)


def _of(pairing: Pairing) -> str:
    names = seating.side_names(pairing.places.select_related("entry"))
    return f"{words_of(pairing)} ({names})"


def _text(pairing: Pairing, lines: Sequence[ResultLine]) -> str:
    return result_lines.as_text(lines, pairing.places.all())


def words_of(pairing: Pairing) -> str:
    """A match within a sentence: `round 2, table 3`."""
    return match_words(pairing.round.name, pairing.name, pairing.number)


def _side(pairing: Pairing, by: User | None, by_entry: int | None, origin: Result.Origin) -> Entry:
    """The entry the caller acts for: their own, or with the table card any of the table."""
    entries = {place.entry_id: place.entry for place in pairing.places.select_related("entry") if place.entry}
    if origin == Result.Origin.CARD:
        if by_entry not in entries:
            raise Refused("no_side", gettext("Choose your side."))
        entry = entries[by_entry]
        assert entry is not None  # noqa: S101  filtered above
        return entry
    entry_ids = set()
    if by is not None:
        members = Member.objects.filter(entry__in=list(entries), user=by, left_at=None, answer=Member.Answer.ACCEPTED)
        entry_ids = set(members.values_list("entry_id", flat=True))
    if by_entry is not None:
        entry_ids &= {by_entry}
    if len(entry_ids) != 1:
        raise NotAllowed("not_yours", gettext("Only players of this match can do that."))
    entry = entries[entry_ids.pop()]
    assert entry is not None  # noqa: S101  filtered above
    return entry


def _check_open(pairing: Pairing) -> None:
    if pairing.round.stage.tournament.status != Tournament.Status.RUNNING:
        raise Refused("not_running", gettext("The event is not under way."))
    if pairing.is_online and pairing.table_id is not None:
        raise Refused("online", gettext("This match is played online. Its table reports the result automatically."))
    if pairing.status == Pairing.Status.DONE:
        raise Refused("done", gettext("This match has a confirmed result. An organiser can change it."))
    if pairing.status in (Pairing.Status.WAITS, Pairing.Status.IDLE):
        raise Refused("not_ready", gettext("This match cannot be played yet."))


def _answer(result: Result, entry: Entry, by: User | None, *, agrees: bool, words: str = "") -> None:
    Answer.objects.update_or_create(
        result=result, entry=entry, defaults={"user": by, "agrees": agrees, "words": words[:300]}
    )


def _confirm_if_all_agree(record: Record, pairing: Pairing, result: Result) -> None:
    other_entries = set(pairing.places.exclude(entry=result.by_entry).values_list("entry_id", flat=True))
    sides = {place.entry_id: place.side for place in pairing.places.all()}
    own_side = sides.get(result.by_entry_id)
    if len(set(sides.values())) == 2:  # the other side is one, and any entry of it can answer
        other_entries = {entry for entry in other_entries if sides[entry] != own_side}
        needed = 1
    else:
        needed = len(other_entries)
    agreed = set(result.answers.filter(agrees=True).values_list("entry_id", flat=True)) & other_entries
    if len(agreed) >= needed:
        _confirm(record, pairing, result)


def _add(
    record: Record,
    pairing: Pairing,
    lines: Sequence[ResultLine],
    *,
    kind: Result.Kind,
    origin: Result.Origin,
    status: Result.Status = Result.Status.CONFIRMED,
    **about: Any,
) -> Result:
    """Add a result in place of all others of the match. It counts at once unless its status says otherwise."""
    _replace_all(record, pairing)
    values: dict[str, Any] = {"kind": kind, "origin": origin, "status": status, "by": record.by, **about}
    if status == Result.Status.CONFIRMED:
        values |= {"confirmed_at": record.now, "confirmed_by": values["by"]}
    result = Result(pairing=pairing, lines=list(lines), at=record.now, **values)
    record.create(result)
    return result


def _confirm(record: Record, pairing: Pairing, result: Result) -> None:
    _replace_all(record, pairing, but=result)
    record.change(
        result, status=Result.Status.CONFIRMED, confirms_at=None, confirmed_at=record.now, confirmed_by=record.by
    )
    record.change(pairing, result=result, begun_at=pairing.begun_at or result.at)


def _replace_all(record: Record, pairing: Pairing, *, but: Result | None = None) -> None:
    """Mark all results of a match but one as replaced."""
    for other in pairing.results.exclude(status=Result.Status.REPLACED):
        if other != but:
            record.change(other, status=Result.Status.REPLACED, confirms_at=None)


def _set_status(record: Record, pairing: Pairing, status: Pairing.Status) -> None:
    record.change(pairing, status=status, begun_at=pairing.begun_at or record.now)
