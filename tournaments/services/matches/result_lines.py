"""Lines of a result, one for each place of a match: check, compare, format."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, pgettext

from tournaments import seating
from tournaments.models import Entry, Pairing, Place, Result
from tournaments.plan import Plan
from web.errors import Refused
from web.text import joined, number

ResultLine = Mapping[str, Any]
"""A place: {"entry": id, "score": card points or None, "forfeit": bool, "books": number, "outs": number,
"deals": [card points of each board]}."""

MOST_BOARDS = 100
"""More boards than any match has."""
MOST_POINTS = 1_000_000
"""More card points than any match has."""


def check(pairing: Pairing, lines: Sequence[ResultLine], *, winner: int | None = None) -> list[dict[str, Any]]:
    """The lines of a result in seat order, one for each entry. Raises `Refused` for invalid ones."""
    places = list(pairing.places.select_related("entry"))
    if any(place.entry_id is None for place in places):
        raise Refused("not_drawn", gettext("The sides of this match are not known yet."))
    by_entry = {line.get("entry"): line for line in lines}
    if len(by_entry) != len(lines) or set(by_entry) != {place.entry_id for place in places}:
        raise Refused("bad_lines", gettext("A result has one line for each entry of the match."))
    checked = [_check_line(place, by_entry[place.entry_id]) for place in places]
    if len({place.side for place in places}) < len(places):
        for side in {place.side for place in places}:
            totals = {line["score"] for line, place in zip(checked, places, strict=True) if place.side == side}
            if len(totals) > 1:
                raise Refused("bad_lines", gettext("Partners share one score."))
    is_bracket = Plan.read(pairing.round.stage.plan_json).is_bracket
    if is_bracket and winner is None and is_tied(Result.Kind.PLAYED, checked):
        raise Refused(
            "level", gettext("A knockout match cannot end in a tie. Play another deal, or ask an organiser to decide.")
        )
    if winner is not None and winner not in by_entry:
        raise Refused("bad_winner", gettext("The winner must be a side that played."))
    return checked


def _check_line(place: Place, line: ResultLine) -> dict[str, Any]:
    score, is_forfeit = line.get("score"), bool(line.get("forfeit"))
    if score is None and not is_forfeit and not line.get("won"):
        raise Refused(
            "no_score", gettext("Enter the score of %(entry)s.") % {"entry": place.entry}, entry=place.entry_id
        )
    if score is not None and (isinstance(score, bool) or not isinstance(score, int) or abs(score) > MOST_POINTS):
        raise Refused(
            "bad_score",
            gettext("Enter a whole number of points for %(entry)s.") % {"entry": place.entry},
            entry=place.entry_id,
        )
    checked: dict[str, Any] = {"entry": place.entry_id, "score": score, "forfeit": is_forfeit}
    if (deals := line.get("deals")) is not None:
        checked["deals"] = _check_deals(place, score, deals)
    for name in ("books", "outs"):
        if line.get(name) is not None:
            checked[name] = max(0, min(int(line[name]), 999))
    return checked


def _check_deals(place: Place, score: Any, deals: Any) -> list[int]:
    """The score of each board of a line, which add up to the score of the line."""
    are_points = isinstance(deals, list | tuple) and all(
        isinstance(points, int) and not isinstance(points, bool) and abs(points) <= MOST_POINTS for points in deals
    )
    if not are_points or len(deals) > MOST_BOARDS or sum(deals) != score:
        words = gettext("The scores of the boards of %(entry)s do not add up to its score.")
        raise Refused("bad_deals", words % {"entry": place.entry}, entry=place.entry_id)
    return list(deals)


def is_tied(kind: str, lines: Sequence[ResultLine]) -> bool:
    """Whether the two sides are tied."""
    if kind in (Result.Kind.FORFEIT, Result.Kind.DOUBLE_FORFEIT) or any(line.get("forfeit") for line in lines):
        return False
    best = max((line.get("score") or 0) for line in lines)
    return len(lines) == 2 and sum((line.get("score") or 0) == best for line in lines) > 1


def as_text(lines: Sequence[ResultLine], places: Iterable[Place] = ()) -> str:
    """A result as text: `4,210 to 3,640`, or the absent entries. With its `places` each side has one score."""
    if any(line.get("forfeit") for line in lines):
        names = dict(Entry.objects.filter(pk__in=[line["entry"] for line in lines]).values_list("pk", "name"))
        absent = joined([names[line["entry"]] for line in lines if line.get("forfeit")])
        return gettext("walkover, %(entries)s absent") % {"entries": absent}
    between = pgettext("between scores", "to")
    return f" {between} ".join(number(line["score"] or 0) for line in seating.one_of_each_side(lines, places))


def is_same(first: Sequence[ResultLine], second: Sequence[ResultLine]) -> bool:
    """Whether two results agree on every place, not counting books and times out."""
    return _essentials(first) == _essentials(second)


def _essentials(lines: Sequence[ResultLine]) -> list[tuple[Any, ...]]:
    return [(line["entry"], line.get("score"), bool(line.get("forfeit"))) for line in lines]
