"""Score sheets of matches at real tables: saved deal by deal, and sent as a result at the end.

Each entry of a match can have a sheet in its `Place.sheet`: {"sides": entries (ids) by side, "deals": [deal, ...],
"version", "is_stopped", "changed_with"}, deals as in `gameplay.score_sheets.paper_scoring`, the rest as in `Sheet`.
A sent sheet is saved with the result and its computed scores.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import GUESSES, check, spend
from accounts.models import User
from gameplay.score_sheets import deal_names, paper_scoring
from gameplay.score_sheets.paper_scoring import Deal, Reckoning, Terms
from tournaments import board_numbers, line_ups, live_updates, seating
from tournaments import terms as played_by
from tournaments.models import Act, Entry, Pairing, Place, Result, Tournament
from tournaments.plan import Plan
from tournaments.services.matches import result_lines, results
from web.errors import Refused, Stale
from web.text import number as told

Status = Pairing.Status
STALE = gettext_noop("This score sheet has been changed on another phone. Choose which version to keep.")
REDRAWN = gettext_noop("This match was redrawn with different players. Deals you played before do not count.")
BY_BOARD = gettext_noop("Each board counts alone. If one cannot be played, ask an organiser.")
CLOSED = ("closed", "done", "not_running", "online", "not_ready", "redrawn", "not_yours")
"""Codes of refusals of a match that takes no scores."""


@dataclass(frozen=True)
class Match:
    """A match as its score sheet has it."""

    pairing: Pairing
    places: tuple[Place, ...]
    terms: Terms
    sides: tuple[tuple[int, ...], ...]
    """Ids of the entries of each side."""
    seats: tuple[str, ...]
    """Names by seat; empty if not known."""

    def side_of(self, entry_id: int) -> int:
        """Index of an entry’s side."""
        return next(at for at, entries in enumerate(self.sides) if entry_id in entries)


def read(pairing: Pairing) -> Match:
    """A match with all that its sheet needs. Raises `Refused` while its entries are not known."""
    places = seating.places_of(pairing)
    if any(place.entry is None for place in places):
        raise Refused("not_ready", gettext("This match cannot be played yet."))
    grouped = seating.by_side(places)
    size = seating.side_size(pairing) * max(len(places_of_side) for places_of_side in grouped)
    rules = played_by.of_round(pairing.round).rules
    terms = Terms(
        names=seating.names_by_side(places),
        rules=rules,
        shape=paper_scoring.shape_of(rules, len(grouped), size),
        needs_winner=Plan.read(pairing.round.stage.plan_json).is_bracket,
        boards=tuple(board_numbers.labels_at_table(pairing)),
    )
    seats = _seats(pairing, places)
    sides = tuple(tuple(place.entry_id or 0 for place in places_of_side) for places_of_side in grouped)
    return Match(pairing, tuple(places), terms, sides, seats)


def _seats(pairing: Pairing, places: list[Place]) -> tuple[str, ...]:
    """Names by seat; empty while line-ups are not shown to the other side, or if the sides differ in size."""
    is_named = any(place.players for place in places)
    if is_named and not line_ups.are_public(pairing, places, line_ups.start_of(pairing), timezone.now()):
        return ()
    try:
        return tuple(member.name for member in seating.seats_of(pairing, places))
    except Refused:
        return ()


def entry_for(match: Match, user: User) -> Entry | None:
    """The entry of the match that a person plays for, or `None`."""
    for place in match.places:
        if place.entry is not None and any(member.user_id == user.pk for member in seating.accepted(place.entry)):
            return place.entry
    return None


def pairing_of_card(token: str, who: User | AnonymousUser) -> Pairing | None:
    """The match of a table card; `None` for an unknown card, of which only so many can be tried. Raises `TooMuch`."""
    check(GUESSES, who)
    is_token = len(token) <= 43 and token.isascii()
    rows = Pairing.objects.filter(token=token).select_related("round__stage__tournament", "result", "table")
    pairing = rows.first() if is_token else None
    if pairing is None:
        spend(GUESSES, who)
    return pairing


def closed(pairing: Pairing) -> str:
    """Reason why a match takes no scores, as a sentence; empty if it does."""
    if pairing.round.stage.tournament.status != Tournament.Status.RUNNING:
        return gettext("The event is not under way.")
    if pairing.is_online and pairing.table_id is not None:
        return gettext("This match is played online. Its table reports the result automatically.")
    # What was confirmed this moment is final before the worker has closed the match.
    if pairing.status == Status.DONE or pairing.result_id is not None:
        return gettext("This match has a confirmed result. An organiser can change it.")
    if pairing.status in (Status.WAITS, Status.IDLE):
        return gettext("This match cannot be played yet.")
    return ""


# Saving


@dataclass(frozen=True)
class Sheet:
    """The saved sheet of one entry."""

    deals: list[Deal] = field(default_factory=list)
    version: int = 0
    """Grows with every change, also over a new draw."""
    is_stopped: bool = False
    """Whether the players stopped before the rules end the match."""
    changed_with: str = ""
    """Key of the last change."""


def saved_sheet(match: Match, entry_id: int) -> Sheet:
    """The sheet of an entry, empty if the match was redrawn since."""
    place = next(place for place in match.places if place.entry_id == entry_id)
    sheet = place.sheet or {}
    version = sheet.get("version", 0)
    if sheet.get("sides") != _side_ids(match):
        return Sheet(version=version)
    return Sheet(list(sheet.get("deals", ())), version, sheet.get("is_stopped", False), sheet.get("changed_with", ""))


def saved_deals(match: Match, entry_id: int) -> list[Deal]:
    """The saved deals of an entry, none if the match was redrawn since."""
    return saved_sheet(match, entry_id).deals


def match_position(pairing: Pairing) -> str:
    """Position of a match in its event, independent of its entries: `7:1:R1.2`."""
    stage = pairing.round.stage
    return f"{stage.tournament_id}:{stage.number}:{pairing.name}"


def draw_mark(match: Match, entry_id: int) -> str:
    """Short hash of this match as drawn, for one entry. It changes when the match is redrawn."""
    identity = [match_position(match.pairing), entry_id, _side_ids(match)]
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:16]


def mark(deals: Sequence[Deal], number: int) -> str:
    """Short hash of a saved deal; empty if there is none."""
    if number > len(deals):
        return ""
    return hashlib.sha256(json.dumps(deals[number - 1], sort_keys=True).encode()).hexdigest()[:12]


def save(
    pairing_id: int,
    entry_id: int,
    number: int,
    deal: Deal,
    *,
    seen: str | None = None,
    version: int | None = None,
    key: str = "",
) -> Reckoning:
    """Save one deal of an entry’s sheet: the next, or a changed one. Repeating it, or the last key, is harmless.

    `seen` is the `mark` of the deal on the page: if a partner has saved another since, `Stale` is raised. A program
    sends the `version` of the sheet instead. Raises `Refused` for an impossible deal.
    """

    def change(match: Match, before: Sheet) -> Sheet:
        deals = before.deals
        if deals[number - 1 : number] == [deal] or (key and before.changed_with == key):
            return before
        _check_version(before, version)
        paper_scoring.check(match.terms, deal)
        if number > len(deals) + 1 or number < 1:
            words = deal_names.words(match.terms.boards, "Enter deal %(number)s first.", len(deals) + 1)
            raise Refused("no_such_deal", words)
        if number == len(deals) + 1 and paper_scoring.reckon(match.terms, deals).is_over:
            words = deal_names.words(match.terms.boards, "The match was over after deal %(number)s.", len(deals))
            raise Refused("over", words)
        now = mark(deals, number)
        if seen is not None and now not in ("", seen) and deals[number - 1] != deal:
            words = result_lines.as_text(
                [{"score": points} for points in paper_scoring.count(match.terms, deals[number - 1], 1).points]
            )
            text = "Deal %(number)s has just been saved: %(result)s. Save again to replace it."
            raise Stale("stale", deal_names.words(match.terms.boards, text, number, result=words), mark=now)
        return Sheet([*deals[: number - 1], deal, *deals[number:]])

    return _change_sheet(pairing_id, entry_id, change, key)


def save_all(
    pairing_id: int,
    entry_id: int,
    deals: Sequence[Deal],
    *,
    is_stopped: bool,
    seen: int,
    key: str,
    earlier: Collection[str] = (),
    as_drawn: str | None = None,
) -> Reckoning:
    """Replace the saved deals by those of a phone. Running it twice is harmless.

    `seen` is the version that the phone’s deals are based on, `key` identifies this change, `earlier` are the keys
    of unanswered changes of the phone, and `as_drawn` is the match’s `draw_mark`. Raises `Stale` if a partner has
    changed the sheet since, and `Refused` for impossible deals (with `deal`, `side` and `row` if one is to blame) or
    a redrawn match.
    """

    def change(match: Match, before: Sheet) -> Sheet:
        if as_drawn is not None and as_drawn != draw_mark(match, entry_id):
            raise Refused("redrawn", gettext(REDRAWN))
        if before.deals == list(deals) and before.is_stopped == is_stopped:
            return before
        if before.changed_with not in {key, *earlier}:
            _check_version(before, seen)
        paper_scoring.check_all(match.terms, deals)
        return Sheet(list(deals), is_stopped=is_stopped and bool(deals) and not match.terms.is_by_board)

    return _change_sheet(pairing_id, entry_id, change, key)


def _check_version(before: Sheet, seen: int | None) -> None:
    if seen is not None and seen != before.version:
        raise stale_error(before)


def stale_error(saved: Sheet) -> Stale:
    """Error that someone has just changed the sheet."""
    return Stale("stale", gettext(STALE), version=saved.version)


def drop_last(pairing_id: int, entry_id: int, number: int, *, version: int | None = None, key: str = "") -> Reckoning:
    """Delete the last deal of a sheet, if it still has this number."""

    def change(match: Match, before: Sheet) -> Sheet:
        if not before.deals or len(before.deals) != number or (key and before.changed_with == key):
            return before
        _check_version(before, version)
        return Sheet(before.deals[:-1])

    return _change_sheet(pairing_id, entry_id, change, key)


def stop(pairing_id: int, entry_id: int, *, is_stopped: bool, version: int | None = None, key: str = "") -> Reckoning:
    """Set whether the players stopped before the rules end the match. Running it twice is harmless."""

    def change(match: Match, before: Sheet) -> Sheet:
        if before.is_stopped == is_stopped or (key and before.changed_with == key):
            return before
        _check_version(before, version)
        if is_stopped and not before.deals:
            raise Refused("nothing", gettext("Enter a score first."))
        if is_stopped and match.terms.is_by_board:
            raise Refused("by_board", gettext(BY_BOARD))
        return replace(before, is_stopped=is_stopped)

    return _change_sheet(pairing_id, entry_id, change, key)


def _change_sheet(pairing_id: int, entry_id: int, change: Callable[[Match, Sheet], Sheet], key: str = "") -> Reckoning:
    """Change the sheet of an entry under its event’s lock; `change` returns its argument to change nothing."""
    with transaction.atomic():
        unlocked = Pairing.objects.select_related("round__stage").get(pk=pairing_id)
        tournament = Tournament.objects.locked(unlocked.round.stage.tournament_id)
        pairing = Pairing.objects.select_related("round__stage__tournament").get(pk=pairing_id)
        if sentence := closed(pairing):
            raise Refused("closed", sentence)
        match = read(pairing)
        if entry_id not in {each for side in match.sides for each in side}:
            raise Refused("not_yours", gettext("Only players of this match can do that."))
        before = saved_sheet(match, entry_id)
        after = change(match, before)
        total = paper_scoring.reckon(match.terms, after.deals)
        if after is before:
            return total
        Place.objects.filter(pairing=pairing, entry=entry_id).update(
            sheet={
                "sides": _side_ids(match),
                "deals": after.deals,
                "version": before.version + 1,
                "is_stopped": after.is_stopped,
                "changed_with": key[:64],
            }
        )
        if pairing.begun_at is None and after.deals:
            # From now on the match is not redrawn automatically.
            pairing.begun_at, pairing.status = timezone.now(), Status.PLAYING
            pairing.save(update_fields=["begun_at", "status"])
            tournament.bump()
            tournament.save(update_fields=["version"])
            live_updates.tell(tournament)
        return total


def _side_ids(match: Match) -> list[list[int]]:
    return [list(side) for side in match.sides]


# Sending


def send(
    pairing_id: int,
    entry_id: int,
    *,
    by: User | None,
    origin: Result.Origin = Result.Origin.PLAYER,
    final: Sequence[int] | None = None,
    is_early: bool = False,
    version: int | None = None,
    as_drawn: str | None = None,
    request_key: str | None = None,
) -> Act:
    """Send the saved sheet of an entry as its result, or only `final` totals by side. Running it twice is harmless.

    With `is_early`, or if the players stopped, also before the rules end the match. `version` is that of the sheet,
    `as_drawn` the match’s `draw_mark`. Raises `Refused`, or `Stale` if a partner has changed the sheet since.
    """
    pairing = Pairing.objects.select_related("round__stage__tournament").get(pk=pairing_id)
    if request_key and (act := Act.objects.filter(tournament=pairing.tournament_id, request_key=request_key).first()):
        return act
    if sentence := closed(pairing):
        raise Refused("closed", sentence)
    match = read(pairing)
    if as_drawn is not None and as_drawn != draw_mark(match, entry_id):
        raise Refused("redrawn", gettext(REDRAWN))
    if entry_id not in {each for side in match.sides for each in side}:
        raise Refused("not_yours", gettext("Only players of this match can do that."))
    saved = saved_sheet(match, entry_id)
    _check_version(saved, version)
    _check_boards(match, saved, final)
    deals = [] if final is not None else saved.deals
    total = paper_scoring.reckon(match.terms, deals)
    if final is None and not deals:
        raise Refused("nothing", gettext("Enter a deal first, or only the final score."))
    if final is None and not total.is_over and not is_early and not saved.is_stopped:
        raise Refused("not_over", early_text(match.terms, deals, total), field="early")
    totals = tuple(final) if final is not None else total.totals
    return results.report(
        pairing_id,
        lines(match, deals, totals),
        by=by,
        by_entry=entry_id,
        origin=origin,
        sheet=sheet_of_result(match, deals, total, totals),
        request_key=request_key,
    )


def _check_boards(match: Match, saved: Sheet, final: Sequence[int] | None) -> None:
    """Raise `Refused` for a result that lacks a board of a match in which each of them counts by itself."""
    boards = match.terms.boards
    if match.terms.is_by_board and (final is not None or len(saved.deals) < len(boards)):
        missing = 1 if final is not None else len(saved.deals) + 1
        words = deal_names.words(boards, "Enter deal %(number)s first.", missing)
        raise Refused("by_board", f"{words} {gettext(BY_BOARD)}")


def early_text(terms: Terms, deals: Sequence[Deal], total: Reckoning) -> str:
    """Text of why a sheet is not complete."""
    length = terms.rules.length
    if length.by == "deals" and len(deals) < length.number:
        words = gettext("%(count)s of %(deals)s deals are entered. Enter the others, or confirm that you stopped here.")
        return words % {"count": len(deals), "deals": length.number}
    if length.by == "target":
        words = gettext("Nobody has %(points)s points yet. Confirm that you stopped here, or enter the next deal.")
        return words % {"points": told(length.number)}
    return gettext("The sides are tied, so another deal follows. Confirm that you stopped here, or enter it.")


def lines(match: Match, deals: Sequence[Deal], totals: Sequence[int]) -> list[dict[str, Any]]:
    """The lines of a result, one for each entry in seat order."""
    result = []
    for place in match.places:
        side = match.side_of(place.entry_id or 0)
        line: dict[str, Any] = {"entry": place.entry_id, "score": totals[side]}
        if deals and all("teams" in deal for deal in deals):
            line["books"] = sum(sum((deal["teams"][side].get("books") or {}).values()) for deal in deals)
            line["outs"] = sum(bool(deal["teams"][side].get("out")) for deal in deals)
        result.append(line)
    return result


def sheet_of_result(match: Match, deals: Sequence[Deal], total: Reckoning, totals: Sequence[int]) -> dict[str, Any]:
    """Sheet saved with a result: {"sides": ids, "deals": [{"points", "items", "teams"}, ...], "totals": by side}; no
    deals if only the final score is known. No names, which people may have erased.
    """
    counted_deals: list[Mapping[str, Any]] = [
        {**deal, "points": list(score.points), "items": list(score.items)}
        for deal, score in zip(deals, total.deals, strict=True)
    ]
    return {"sides": _side_ids(match), "deals": counted_deals, "totals": list(totals)}
