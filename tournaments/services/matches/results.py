"""Results: reported by either side or by the table itself, confirmed or disputed, decided and corrected.

A result that is not confirmed moves nothing. Rows of results are only added; what a correction replaces stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByAct, ByCase, Itself, Rows, Site
from tournaments.models import Act, Answer, Entry, Member, Pairing, Result, Tournament
from tournaments.plan import Plan
from tournaments.services import notifications
from tournaments.services.history import declare, perform
from tournaments.services.matches import online_tables, result_lines
from tournaments.services.matches.result_lines import Line
from tournaments.services.records import Asked, Do, How, Record
from tournaments.services.stages import redraws
from web.errors import NotAllowed, Refused, Stale
from web.text import joined


def needed_to_undo(act: Act) -> str:
    """The right that undoing a result takes: what replaced or settled another takes more than what was merely entered,
    as does what the sides of a match agreed on."""
    is_agreed = act.kind in (REPORT.name, ANSWER.name) and any(_counts_since(change) for change in act.changes)
    return "play" if is_agreed or any(_decided_before(change) for change in act.changes) else "results"


def _counts_since(change: Mapping[str, Any]) -> bool:
    """Whether by a change a match has a result that counts."""
    return change["model"] == "pairing" and (change["is"] or {}).get("result_id") is not None


def _decided_before(change: Mapping[str, Any]) -> bool:
    """Whether a change was made to a match that had a result already, or two that differed."""
    was = change["was"] or {}
    if change["model"] == "result":
        return was.get("status") in (Result.Status.CONFIRMED, Result.Status.DISPUTED)
    return change["model"] == "pairing" and was.get("result_id") is not None


BY_RESULT = ("results", "play")
UNDONE = Rows(ByAct(BY_RESULT, needed_to_undo))
REPORT = declare("report", needs=Itself("Whoever plays the match, or holds the card of its table."), undo=UNDONE)
ANSWER = declare("answer", needs=Itself("Whoever plays the match, or holds the card of its table."), undo=UNDONE)
CONFIRM = declare("confirm", needs=ByCase(BY_RESULT), undo=UNDONE)
LET_STAND = declare("silence", needs=Site("Nobody answered in time."), undo=Rows("play"))
DECIDE = declare("result", needs=ByCase(BY_RESULT), undo=UNDONE)
TAKE_BACK = declare("take_back", needs="play", undo=Rows())
WALKOVER = declare("walkover", needs="play", undo=Rows())


def report(
    pairing_id: int,
    lines: Sequence[Line],
    *,
    by: User | None,
    by_entry: int | None = None,
    origin: Result.Origin = Result.Origin.PLAYER,
    sheet: Mapping[str, Any] | None = None,
    request_key: str | None = None,
    now: datetime | None = None,
) -> Act:
    """A side enters a result; the others are asked. The same result from another side confirms it, another disputes it.

    `by_entry` is the id of the entry it is entered for; who asks must belong to it, unless they hold the table's card.
    """
    pairing = _pairing(pairing_id)

    def do(record: Record) -> str:
        row = _pairing(pairing_id)
        entry = _side(row, by, by_entry, origin)
        _check_open(row)
        checked = result_lines.check(row, lines)
        earlier = list(row.results.filter(status__in=(Result.Status.REPORTED, Result.Status.DISPUTED)))
        own = [one for one in earlier if one.by_entry_id == entry.pk]
        others = [one for one in earlier if one.by_entry_id != entry.pk]
        for one in own:
            record.change(one, status=Result.Status.REPLACED, confirms_at=None)
        agreeing = next((one for one in others if result_lines.same(one.lines, checked)), None)
        if agreeing is not None:
            _answer(agreeing, entry, by, agrees=True)
            _confirm_if_all_agree(record, row, agreeing)
            return gettext("%(entry)s entered the same result for %(match)s.") % {"entry": entry, "match": _of(row)}
        result = Result(
            pairing=row,
            origin=origin,
            lines=checked,
            sheet=dict(sheet) if sheet else None,
            by=by,
            by_entry=entry,
            at=record.now,
            status=Result.Status.DISPUTED if others else Result.Status.REPORTED,
            confirms_at=None if others else record.now + timedelta(hours=record.tournament.confirm_hours),
        )
        record.create(result)
        for one in others:
            record.change(one, status=Result.Status.DISPUTED, confirms_at=None)
        _set_status(record, row, Pairing.Status.DISPUTED if others else Pairing.Status.REPORTED)
        (notifications.disputed if others else notifications.result_to_confirm)(result)
        words = gettext("%(entry)s entered a result for %(match)s: %(result)s.")
        return words % {"entry": entry, "match": _of(row), "result": result_lines.in_words(checked)}

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
    """Another side confirms or disputes a reported result. When every other side agrees it is confirmed."""
    result = Result.objects.select_related("pairing__round__stage").get(pk=result_id)

    def do(record: Record) -> str:
        row = _pairing(result.pairing_id)
        own = Result.objects.get(pk=result_id)
        entry = _side(row, by, by_entry, origin)
        if own.by_entry_id == entry.pk:
            raise Refused("own_result", gettext("You entered this result. The other side must answer it."))
        if own.status == Result.Status.CONFIRMED and agrees:
            return gettext("%(entry)s confirmed the already confirmed result of %(match)s.") % {
                "entry": entry,
                "match": _of(row),
            }
        if own.status not in (Result.Status.REPORTED, Result.Status.DISPUTED):
            raise Refused("replaced", gettext("This result has just been replaced. Check it again."))
        _answer(own, entry, by, agrees=agrees, words=words)
        if agrees:
            _confirm_if_all_agree(record, row, own)
            return gettext("%(entry)s confirmed the result of %(match)s.") % {"entry": entry, "match": _of(row)}
        record.change(own, status=Result.Status.DISPUTED, confirms_at=None)
        _set_status(record, row, Pairing.Status.DISPUTED)
        notifications.disputed(own)
        return gettext("%(entry)s disputed the result of %(match)s.") % {"entry": entry, "match": _of(row)}

    return perform(result.pairing.tournament_id, do, ANSWER, by=by, advance=False, now=now)


def confirm(result_id: int, *, by: User, request_key: str | None = None) -> Act:
    """An organiser takes a reported result as it is."""
    result = Result.objects.select_related("pairing__round__stage").get(pk=result_id)

    def do(record: Record) -> str:
        own = Result.objects.get(pk=result_id)
        row = _pairing(own.pairing_id)
        record.ask("play" if row.status == Pairing.Status.DISPUTED else "results")
        if own.status == Result.Status.CONFIRMED:
            raise Refused("confirmed", gettext("This result is already confirmed."))
        if own.status == Result.Status.REPLACED:
            raise Refused("replaced", gettext("This result has just been replaced. Check it again."))
        _confirm(record, row, own)
        words = gettext("The result of %(match)s was confirmed: %(result)s.")
        return words % {"match": _of(row), "result": result_lines.in_words(own.lines)}

    return perform(result.pairing.tournament_id, do, CONFIRM, by=by, request_key=request_key)


def unanswered(now: datetime) -> list[int]:
    """Results (ids) that nobody has answered in time, the oldest first."""
    due = Result.objects.filter(status=Result.Status.REPORTED, confirms_at__lte=now).order_by("confirms_at", "pk")
    return list(due.values_list("pk", flat=True))


def let_stand(result_id: int, now: datetime) -> bool:
    """Let a result stand that nobody has answered in time; whether that was so. Twice is harmless."""
    result = Result.objects.select_related("pairing__round__stage").get(pk=result_id)

    def do(record: Record) -> str:
        own = Result.objects.get(pk=result_id)
        if own.status != Result.Status.REPORTED or own.confirms_at is None or own.confirms_at > now:
            raise Refused("answered", gettext("Someone has already answered."))
        row = _pairing(own.pairing_id)
        _confirm(record, row, own)
        return gettext("The result of %(match)s is final because nobody objected in time.") % {"match": _of(row)}

    try:
        perform(result.pairing.tournament_id, do, LET_STAND, by=None, advance=False, now=now)
    except Refused:
        return False
    return True


def decide(
    pairing_id: int,
    lines: Sequence[Line],
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
    """An organiser enters or corrects a result, at any time. What has begun on the old one is kept, unless
    `pair_again`: then it is stopped and drawn anew, and its scores fall."""
    pairing = _pairing(pairing_id)
    do = deciding(pairing_id, lines, reason=reason, kind=kind, winner=winner, pair_again=pair_again, known=known)
    return perform(pairing.tournament_id, do, DECIDE, by=by, reason=reason, seen=seen, request_key=request_key)


def deciding(
    pairing_id: int,
    lines: Sequence[Line],
    *,
    reason: str = "",
    kind: Result.Kind = Result.Kind.DECIDED,
    winner: int | None = None,
    pair_again: bool = False,
    known: int | None = None,
) -> Do:
    """The act of entering or correcting a result, for doing and for trying out.

    `known` is the newest result (id) of the match that the page showed, 0 for none: where there is a newer one, `Stale`
    is raised; leave it out where that does not matter.
    """

    def do(record: Record) -> str:
        row = _pairing(pairing_id)
        record.ask(needed_to_decide(row, kind, pair_again=pair_again))
        newest = row.results.order_by("-pk").values_list("pk", flat=True).first()
        if known is not None and known != (newest or 0):
            raise Stale(
                "stale",
                gettext("Someone else has just entered a result for %(match)s. Check it again.") % {"match": row},
                newest=newest,
            )
        checked = result_lines.check(row, lines, winner=winner)
        before = row.result
        if before is not None and not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason for the change. It appears in the history."))
        about: dict[str, Any] = {"winner_id": winner, "reason": reason[:200]}
        result = _add(record, row, checked, kind=kind, origin=Result.Origin.ORGANISER, **about)
        record.change(row, result=result, begun_at=row.begun_at or record.now)
        online_tables.call_off(row, record.now, gettext("The organisers decided the match."))
        if pair_again:
            redraws.pair_again(record, row.round.stage)
        words = result_lines.in_words(checked)
        if before is None:
            return gettext("Result of %(match)s: %(result)s.") % {"match": _of(row), "result": words}
        sentence = gettext("The result of %(match)s was changed from %(before)s to %(result)s.")
        return sentence % {"match": _of(row), "before": result_lines.in_words(before.lines), "result": words}

    return do


def needed_to_decide(row: Pairing, kind: Result.Kind = Result.Kind.DECIDED, *, pair_again: bool = False) -> str:
    """What one must be allowed to do (`roles.ACTS`) in order to enter a result of a match as it is now.

    Whoever enters results may enter the first; a walkover, a change, and a choice between two sheets need more.
    """
    has_one = row.result_id is not None or row.status == Pairing.Status.DISPUTED
    return "play" if has_one or pair_again or kind != Result.Kind.DECIDED else "results"


def take_back(pairing_id: int, *, by: User, reason: str, **how: Unpack[Asked]) -> Act:
    """Take a result back: the match is open again."""
    pairing = _pairing(pairing_id)

    def do(record: Record) -> str:
        row = _pairing(pairing_id)
        if row.result is None and not row.results.exclude(status=Result.Status.REPLACED).exists():
            raise Refused("no_result", gettext("This match has no result to remove."))
        if not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason for removing the result. It appears in the history."))
        reopen(record, row)
        return gettext("The result of %(match)s was removed.") % {"match": _of(row)}

    return perform(pairing.tournament_id, do, TAKE_BACK, by=by, reason=reason, **how)


def reopen(record: Record, row: Pairing) -> None:
    """Let a match be as if nothing had been reported of it."""
    _replace_all(record, row)
    row.places.update(points=None, score=None, rank=None)
    # With the result, undoing brings back the table at which it was played.
    fresh = {"table": None, "opened_at": None, "begun_at": None, "done_at": None}
    record.change(row, result=None, status=Pairing.Status.READY, **fresh)


def forfeit(
    record: Record, pairing: Pairing, losers: Sequence[int], *, origin: Result.Origin = Result.Origin.ORGANISER
) -> None:
    """Decide an open match against some entries (ids): all of them, and nobody wins."""
    row = _pairing(pairing.pk)
    if not row.is_open:
        return
    places = list(row.places.all())
    lines = [{"entry": place.entry_id, "score": None, "forfeit": place.entry_id in losers} for place in places]
    everybody = all(line["forfeit"] for line in lines)
    kind = Result.Kind.DOUBLE_FORFEIT if everybody else Result.Kind.FORFEIT
    record.change(row, result=_add(record, row, lines, kind=kind, origin=origin))
    online_tables.call_off(row, record.now, gettext("The match was decided by walkover."))


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
    """Decide that some entries (ids) did not come."""
    pairing = _pairing(pairing_id)

    def do(record: Record) -> str:
        row = _pairing(pairing_id)
        if not row.is_open:
            raise Refused("done", gettext("This match already has a result. Change that one instead."))
        known = {place.entry_id: place for place in row.places.select_related("entry")}
        if not losers or not set(losers) <= set(known):
            raise Refused("bad_entries", gettext("Choose the entries of this match that did not come."))
        origin = Result.Origin.ORGANISER if by else Result.Origin.CLOCK
        forfeit(record, row, losers, origin=origin)
        names = joined([str(known[one].entry) for one in losers])
        return gettext("Walkover in %(match)s: %(entries)s did not come.") % {"match": _of(row), "entries": names}

    asked: How = {"reason": reason, "seen": seen, "request_key": request_key, "now": now}
    return perform(pairing.tournament_id, do, WALKOVER, by=by, advance=by is not None, **asked)


def from_table(table_id: int, now: datetime | None = None) -> bool:
    """Take the result of an online match from its table that is over; whether there was one to take. Twice is harmless."""
    pairing = Pairing.objects.filter(table_id=table_id).select_related("round__stage", "table").first()
    if pairing is None or pairing.table is None or pairing.result_id is not None:
        return False

    def do(record: Record) -> str:
        row = _pairing(pairing.pk)
        if row.table is None or row.table.pk != table_id or row.result_id is not None:
            raise Refused("done", gettext("This match already has a result."))
        kind, lines = online_tables.lines_of(row.table)
        is_level = Plan.read(row.round.stage.plan_json).is_bracket and result_lines.is_level(kind, lines)
        status = Result.Status.DISPUTED if is_level else Result.Status.CONFIRMED
        result = _add(record, row, lines, kind=kind, origin=Result.Origin.TABLE, status=status)
        if is_level:
            _set_status(record, row, Pairing.Status.DISPUTED)
            notifications.disputed(result)
            words = gettext(
                "%(match)s ended in a tie: %(result)s. An organiser will choose the side that goes through."
            )
            return words % {"match": _of(row), "result": result_lines.in_words(lines)}
        record.change(row, result=result, begun_at=row.begun_at or record.now)
        return gettext("Result of %(match)s: %(result)s.") % {"match": _of(row), "result": result_lines.in_words(lines)}

    try:
        perform(pairing.tournament_id, do, DECIDE, by=None, advance=False, now=now)
    except Refused:
        return False
    return True


# Checks and parts


def _pairing(pairing_id: int) -> Pairing:
    return Pairing.objects.select_related("round__stage__tournament", "table", "result").get(pk=pairing_id)


def _of(pairing: Pairing) -> str:
    names = " – ".join(str(place.entry) for place in pairing.places.select_related("entry"))
    return f"{pairing.name} ({names})"


def _side(pairing: Pairing, by: User | None, by_entry: int | None, origin: Result.Origin) -> Entry:
    """The entry for which somebody acts: their own, or with the table's card any of the table."""
    entries = {place.entry_id: place.entry for place in pairing.places.select_related("entry") if place.entry}
    if origin == Result.Origin.CARD:
        if by_entry not in entries:
            raise Refused("no_side", gettext("Choose your side."))
        found = entries[by_entry]
        assert found is not None  # noqa: S101  filtered above
        return found
    own = set()
    if by is not None:
        members = Member.objects.filter(entry__in=list(entries), user=by, left_at=None, answer=Member.Answer.ACCEPTED)
        own = set(members.values_list("entry_id", flat=True))
    if by_entry is not None:
        own &= {by_entry}
    if len(own) != 1:
        raise NotAllowed("not_yours", gettext("Only players of this match can do that."))
    found = entries[own.pop()]
    assert found is not None  # noqa: S101  filtered above
    return found


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


def _confirm_if_all_agree(record: Record, row: Pairing, result: Result) -> None:
    others = set(row.places.exclude(entry=result.by_entry).values_list("entry_id", flat=True))
    sides = {place.entry_id: place.side for place in row.places.all()}
    own_side = sides.get(result.by_entry_id)
    if len(set(sides.values())) == 2:  # the other side is one, whoever of it answers
        others = {entry for entry in others if sides[entry] != own_side}
        needed = 1
    else:
        needed = len(others)
    agreed = set(result.answers.filter(agrees=True).values_list("entry_id", flat=True)) & others
    if len(agreed) >= needed:
        _confirm(record, row, result)


def _add(
    record: Record,
    row: Pairing,
    lines: Sequence[Line],
    *,
    kind: Result.Kind,
    origin: Result.Origin,
    status: Result.Status = Result.Status.CONFIRMED,
    **about: Any,
) -> Result:
    """Add a result in place of all that a match had; it counts at once, unless its status says otherwise."""
    _replace_all(record, row)
    values: dict[str, Any] = {"kind": kind, "origin": origin, "status": status, "by": record.by, **about}
    if status == Result.Status.CONFIRMED:
        values |= {"confirmed_at": record.now, "confirmed_by": values["by"]}
    result = Result(pairing=row, lines=list(lines), at=record.now, **values)
    record.create(result)
    return result


def _confirm(record: Record, row: Pairing, result: Result) -> None:
    _replace_all(record, row, but=result)
    record.change(
        result,
        status=Result.Status.CONFIRMED,
        confirms_at=None,
        confirmed_at=record.now,
        confirmed_by=record.by,
    )
    record.change(row, result=result, begun_at=row.begun_at or result.at)


def _replace_all(record: Record, row: Pairing, *, but: Result | None = None) -> None:
    """Let no result of a match count any more, but one."""
    for other in row.results.exclude(status=Result.Status.REPLACED):
        if other != but:
            record.change(other, status=Result.Status.REPLACED, confirms_at=None)


def _set_status(record: Record, row: Pairing, status: Pairing.Status) -> None:
    record.change(row, status=status, begun_at=row.begun_at or record.now)
