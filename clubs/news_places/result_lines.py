"""Results of matches as lines of a message, and as facts by which a later change is noticed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext

from tournaments.models import Pairing, Place
from tournaments.seating import by_side
from web.text import number


def lines_of(pairings: Iterable[Pairing]) -> list[str]:
    """A line for each match, such as `Whitlock / Brandt 6,420 – 5,985 Doyle / Lund`."""
    pairings = list(pairings)
    places = places_of(pairing.pk for pairing in pairings)
    return [_line(places[pairing.pk]) for pairing in pairings if len(places[pairing.pk]) > 1]


def corrected(pairings: Iterable[Pairing]) -> list[str]:
    """The same, also of matches whose result was removed."""
    pairings = list(pairings)
    places = places_of(pairing.pk for pairing in pairings)
    return [
        _line(places[pairing.pk]) if pairing.status == Pairing.Status.DONE else _without_result(places[pairing.pk])
        for pairing in pairings
    ]


def facts_of(numbers: Iterable[int]) -> dict[str, str]:
    """What the lines of these matches say, without names, by the number of the match; empty without a result."""
    numbers = list(numbers)
    places = places_of(Pairing.objects.filter(pk__in=numbers, status=Pairing.Status.DONE).values_list("pk", flat=True))
    return {str(pk): ";".join(_fact(side) for side in by_side(places.get(pk, ()))) for pk in numbers}


def _fact(side: Sequence[Place]) -> str:
    first = side[0]
    result = first.score if first.score is not None else "won" if first.rank == 1 else ""
    return f"{'/'.join(str(place.entry_id) for place in side)}={result}"


def places_of(numbers: Iterable[int]) -> Mapping[int, Sequence[Place]]:
    """The places of matches by their number, in order. One query."""
    places: dict[int, list[Place]] = defaultdict(list)
    for place in Place.objects.filter(pairing__in=list(numbers)).select_related("entry").order_by("number"):
        places[place.pairing_id].append(place)
    return places


def names_of(side: Sequence[Place]) -> str:
    """`Whitlock / Brandt`."""
    return " / ".join(place.entry.name for place in side if place.entry is not None) or gettext("nobody")


def _line(places: Sequence[Place]) -> str:
    sides = by_side(places)
    scores = [side[0].score for side in sides]
    if len(sides) == 2 and None not in scores:
        return f"{names_of(sides[0])} {number(scores[0] or 0)} – {number(scores[1] or 0)} {names_of(sides[1])}"
    if len(sides) == 2:
        winners = [names_of(side) for side in sides if side[0].rank == 1]
        words = gettext("%(team)s won") % {"team": winners[0]} if len(winners) == 1 else gettext("no winner")
        return f"{names_of(sides[0])} – {names_of(sides[1])}: {words}"
    return ", ".join(names_of(side) + ("" if side[0].score is None else f" {number(side[0].score)}") for side in sides)


def _without_result(places: Sequence[Place]) -> str:
    names = " – ".join(names_of(side) for side in by_side(places))
    return gettext("%(names)s: no result yet") % {"names": names}
