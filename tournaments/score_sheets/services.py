"""Score sheets of matches at real tables: kept deal by deal while the match goes on, and sent as a result at its end.

Each entry of a match may keep a sheet, in its `Place.sheet`: {"sides": entries (ids) by side, "deals": [deal, ...],
"version", "is_stopped", "changed_with"}, deals as in `gameplay.score_sheets.paper_scoring`, the others as `Kept` has them. What is sent is
kept with the result, with what was worked out of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.paper_scoring import Deal, Reckoning, Terms
from tournaments import live_updates, seating
from tournaments.models import Act, Entry, Pairing, Place, Result, Tournament
from tournaments.plan import Plan
from tournaments.services.matches import result_lines, results
from web.errors import Refused, Stale
from web.text import number as told

Status = Pairing.Status
STALE = gettext_noop("This score sheet has been changed on another phone. Choose which version to keep.")
REDRAWN = gettext_noop("This match was redrawn with different players. Deals you played before do not count.")
CLOSED = ("closed", "done", "not_running", "online", "not_ready", "redrawn", "not_yours")
"""Codes of refusals by which a match takes no score, whatever the score is."""


@dataclass(frozen=True)
class Match:
    """A match as its score sheet has it."""

    pairing: Pairing
    places: tuple[Place, ...]
    terms: Terms
    sides: tuple[tuple[int, ...], ...]
    """Ids of the entries of each side."""
    seats: tuple[str, ...]
    """Who sits where, by name; empty where that is not known."""

    def side_of(self, entry_id: int) -> int:
        """Which side an entry is on."""
        return next(at for at, entries in enumerate(self.sides) if entry_id in entries)


def read(pairing: Pairing) -> Match:
    """A match with all that its sheet needs. Raises `Refused` while it is not known who plays it."""
    places = seating.places_of(pairing)
    if any(place.entry is None for place in places):
        raise Refused("not_ready", gettext("This match cannot be played yet."))
    numbers = seating.sides_of(places)
    grouped = [[place for place in places if place.side == number] for number in numbers]
    size = seating.side_size(pairing) * max(len(one) for one in grouped)
    rules = pairing.round.stage.tournament.rules
    terms = Terms(
        names=tuple(" / ".join(str(place.entry) for place in one) for one in grouped),
        rules=rules,
        shape=paper_scoring.shape_of(rules, len(numbers), size),
        needs_winner=Plan.read(pairing.round.stage.plan_json).is_bracket,
    )
    try:
        seats = tuple(one.name for one in seating.seats_of(pairing, places))
    except Refused:
        seats = ()
    sides = tuple(tuple(place.entry_id or 0 for place in one) for one in grouped)
    return Match(pairing, tuple(places), terms, sides, seats)


def entry_for(match: Match, user: User) -> Entry | None:
    """The entry of the match that a person plays for; nothing for others."""
    for place in match.places:
        if place.entry is not None and any(one.user_id == user.pk for one in seating.accepted(place.entry)):
            return place.entry
    return None


def closed(pairing: Pairing) -> str:
    """Why no score can be entered for a match, in a sentence; empty where it can."""
    if pairing.round.stage.tournament.status != Tournament.Status.RUNNING:
        return gettext("The event is not under way.")
    if pairing.is_online and pairing.table_id is not None:
        return gettext("This match is played online. Its table reports the result automatically.")
    if pairing.status == Status.DONE:
        return gettext("This match has a confirmed result. An organiser can change it.")
    if pairing.status in (Status.WAITS, Status.IDLE):
        return gettext("This match cannot be played yet.")
    return ""


# Keeping a sheet


@dataclass(frozen=True)
class Kept:
    """The sheet of one entry, as it is kept."""

    deals: list[Deal] = field(default_factory=list)
    version: int = 0
    """Grows with every change, also over a new draw."""
    is_stopped: bool = False
    """Whether the players stopped before the rules end the match."""
    changed_with: str = ""
    """The key of the change that came last."""


def kept_sheet(match: Match, entry_id: int) -> Kept:
    """The sheet of an entry; an empty one where the match was drawn anew since."""
    place = next(one for one in match.places if one.entry_id == entry_id)
    sheet = place.sheet or {}
    version = sheet.get("version", 0)
    if sheet.get("sides") != _listed(match):
        return Kept(version=version)
    return Kept(list(sheet.get("deals", ())), version, sheet.get("is_stopped", False), sheet.get("changed_with", ""))


def kept(match: Match, entry_id: int) -> list[Deal]:
    """The deals that an entry has saved; none where the match was drawn anew since."""
    return kept_sheet(match, entry_id).deals


def where(pairing: Pairing) -> str:
    """The place of a match in its event, whoever is drawn into it: `7:1:R1.2`."""
    stage = pairing.round.stage
    return f"{stage.tournament_id}:{stage.number}:{pairing.name}"


def drawn(match: Match, entry_id: int) -> str:
    """A few letters that stand for this match as it is drawn, seen from one entry: the same as long as that is so."""
    told = [where(match.pairing), entry_id, _listed(match)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def mark(deals: Sequence[Deal], number: int) -> str:
    """A few letters that change with what is saved of a deal; empty where nothing is."""
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
    """Save one deal of an entry's sheet: the next, or one that is changed. Twice is harmless, as is what has the last key.

    `seen` is the `mark` of the deal that the page showed: where a partner has saved another meanwhile, `Stale` is
    raised; a program sends the `version` of the sheet instead. Raises `Refused` for a deal that cannot be.
    """

    def change(match: Match, before: Kept) -> Kept:
        deals = before.deals
        if deals[number - 1 : number] == [deal] or (key and before.changed_with == key):
            return before
        _check_version(before, version)
        paper_scoring.check(match.terms, deal)
        if number > len(deals) + 1 or number < 1:
            raise Refused("no_such_deal", gettext("Enter deal %(number)s first.") % {"number": len(deals) + 1})
        if number == len(deals) + 1 and paper_scoring.reckon(match.terms, deals).is_over:
            raise Refused("over", gettext("The match was over after deal %(count)s.") % {"count": len(deals)})
        now = mark(deals, number)
        if seen is not None and now not in ("", seen) and deals[number - 1] != deal:
            words = result_lines.in_words(
                [{"score": one} for one in paper_scoring.count(match.terms, deals[number - 1], 1).points]
            )
            sentence = gettext("Deal %(number)s has just been saved: %(result)s. Save again to replace it.")
            raise Stale("stale", sentence % {"number": number, "result": words}, mark=now)
        return Kept([*deals[: number - 1], deal, *deals[number:]])

    return _keep(pairing_id, entry_id, change, key)


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
    """Put the deals of a phone in the place of those that are kept. Twice is harmless.

    `seen` is the version that the phone's deals were made from, `key` the name of this change, `earlier` those of
    changes that the phone sent before and had no answer to, and `as_drawn` what `drawn` said of the match. Raises `Stale`
    where a partner has changed the sheet meanwhile, and `Refused` for what cannot be, with `deal`, `side` and `row` where
    one is to blame, and where the match was drawn anew.
    """

    def change(match: Match, before: Kept) -> Kept:
        if as_drawn is not None and as_drawn != drawn(match, entry_id):
            raise Refused("redrawn", gettext(REDRAWN))
        if before.deals == list(deals) and before.is_stopped == is_stopped:
            return before
        if before.changed_with not in {key, *earlier}:
            _check_version(before, seen)
        paper_scoring.check_all(match.terms, deals)
        return Kept(list(deals), is_stopped=is_stopped and bool(deals))

    return _keep(pairing_id, entry_id, change, key)


def _check_version(before: Kept, seen: int | None) -> None:
    if seen is not None and seen != before.version:
        raise stale(before)


def stale(kept: Kept) -> Stale:
    """That somebody has changed the sheet meanwhile."""
    return Stale("stale", gettext(STALE), version=kept.version)


def drop_last(pairing_id: int, entry_id: int, number: int, *, version: int | None = None, key: str = "") -> Reckoning:
    """Take the last deal of a sheet away, if it still is number so and so."""

    def change(match: Match, before: Kept) -> Kept:
        if not before.deals or len(before.deals) != number or (key and before.changed_with == key):
            return before
        _check_version(before, version)
        return Kept(before.deals[:-1])

    return _keep(pairing_id, entry_id, change, key)


def stop(pairing_id: int, entry_id: int, *, is_stopped: bool, version: int | None = None, key: str = "") -> Reckoning:
    """Say that the players stopped before the rules end the match, or that they go on. Twice is harmless."""

    def change(match: Match, before: Kept) -> Kept:
        if before.is_stopped == is_stopped or (key and before.changed_with == key):
            return before
        _check_version(before, version)
        if is_stopped and not before.deals:
            raise Refused("nothing", gettext("Enter a deal first."))
        return replace(before, is_stopped=is_stopped)

    return _keep(pairing_id, entry_id, change, key)


def _keep(pairing_id: int, entry_id: int, change: Callable[[Match, Kept], Kept], key: str = "") -> Reckoning:
    """Change the sheet of an entry under the lock of its event; `change` returns what it was given to change nothing."""
    with transaction.atomic():
        found = Pairing.objects.select_related("round__stage").get(pk=pairing_id)
        tournament = Tournament.objects.locked(found.round.stage.tournament_id)
        pairing = Pairing.objects.select_related("round__stage__tournament").get(pk=pairing_id)
        if sentence := closed(pairing):
            raise Refused("closed", sentence)
        match = read(pairing)
        if entry_id not in {one for side in match.sides for one in side}:
            raise Refused("not_yours", gettext("Only players of this match can do that."))
        before = kept_sheet(match, entry_id)
        after = change(match, before)
        found_total = paper_scoring.reckon(match.terms, after.deals)
        if after is before:
            return found_total
        Place.objects.filter(pairing=pairing, entry=entry_id).update(
            sheet={
                "sides": _listed(match),
                "deals": after.deals,
                "version": before.version + 1,
                "is_stopped": after.is_stopped,
                "changed_with": key[:64],
            }
        )
        if pairing.begun_at is None and after.deals:
            # From now on the match is not drawn anew by itself.
            pairing.begun_at, pairing.status = timezone.now(), Status.PLAYING
            pairing.save(update_fields=["begun_at", "status"])
            tournament.bump()
            tournament.save(update_fields=["version"])
            live_updates.tell(tournament)
        return found_total


def _listed(match: Match) -> list[list[int]]:
    return [list(one) for one in match.sides]


# Sending it


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
    """Send the sheet that an entry has kept as its result, or only `final` totals by side. Twice is harmless.

    With `is_early`, or where the players stopped, also before the ruleset says that the match is over. `version` is that
    of the sheet that is meant, `as_drawn` what `drawn` said of the match. Raises `Refused`, `Stale` where a partner has
    changed the sheet meanwhile.
    """
    pairing = Pairing.objects.select_related("round__stage__tournament").get(pk=pairing_id)
    if request_key and (done := Act.objects.filter(tournament=pairing.tournament_id, request_key=request_key).first()):
        return done
    if sentence := closed(pairing):
        raise Refused("closed", sentence)
    match = read(pairing)
    if as_drawn is not None and as_drawn != drawn(match, entry_id):
        raise Refused("redrawn", gettext(REDRAWN))
    if entry_id not in {one for side in match.sides for one in side}:
        raise Refused("not_yours", gettext("Only players of this match can do that."))
    own = kept_sheet(match, entry_id)
    _check_version(own, version)
    deals = [] if final is not None else own.deals
    found = paper_scoring.reckon(match.terms, deals)
    if final is None and not deals:
        raise Refused("nothing", gettext("Enter a deal first, or only the final score."))
    if final is None and not found.is_over and not is_early and not own.is_stopped:
        raise Refused("not_over", early_words(match.terms, deals, found), field="early")
    totals = tuple(final) if final is not None else found.totals
    return results.report(
        pairing_id,
        lines(match, deals, totals),
        by=by,
        by_entry=entry_id,
        origin=origin,
        sheet=written(match, deals, found, totals),
        request_key=request_key,
    )


def early_words(terms: Terms, deals: Sequence[Deal], found: Reckoning) -> str:
    """Why a sheet is not complete."""
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
    found = []
    for place in match.places:
        side = match.side_of(place.entry_id or 0)
        line: dict[str, Any] = {"entry": place.entry_id, "score": totals[side]}
        if deals and all("teams" in deal for deal in deals):
            line["books"] = sum(sum((deal["teams"][side].get("books") or {}).values()) for deal in deals)
            line["outs"] = sum(bool(deal["teams"][side].get("out")) for deal in deals)
        found.append(line)
    return found


def written(match: Match, deals: Sequence[Deal], found: Reckoning, totals: Sequence[int]) -> dict[str, Any]:
    """What is kept with a result: {"sides": ids, "deals": [{"points", "items", "teams"}, ...], "totals": by side}; of
    a match of which only the end is known, no deals. No names, which people may ask to be forgotten."""
    told: list[Mapping[str, Any]] = [
        {**deal, "points": list(one.points), "items": list(one.items)}
        for deal, one in zip(deals, found.deals, strict=True)
    ]
    return {
        "sides": _listed(match),
        "deals": told,
        "totals": list(totals),
    }
