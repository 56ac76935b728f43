"""Forms of score sheets as tests fill them in."""

from tournaments.models import Pairing

WON = {"clean": 2, "dirty": 2, "wild": 1, "red_threes_laid": 4, "melded": 1115, "out": 1}
"""By the standard rules 1,000 + 600 + 1,500 + 400 + 1,115 + 100."""
WON_POINTS = 4715
LOST = {"clean": 1, "dirty": 1, "red_threes_laid": 2, "melded": 540, "left": 185}
"""500 + 300 + 200 + 540 - 185."""
LOST_POINTS = 1355


def form(*sides, **more):
    """A form in which each side has these figures."""
    fields = {f"s{side}-{name}": str(value) for side, figures in enumerate(sides) for name, value in figures.items()}
    return {"by": "books", "deal": "1", "act": "save"} | fields | {name: str(value) for name, value in more.items()}


def totals(*points, **more):
    """A form with a total of each side."""
    return (
        {"by": "deals", "deal": "1", "act": "save"}
        | {f"s{side}-points": str(value) for side, value in enumerate(points)}
        | {name: str(value) for name, value in more.items()}
    )


def matches(event):
    """The open matches of an event."""
    pairings = Pairing.objects.filter(round__stage__tournament=event, status="ready")
    return list(pairings.select_related("round__stage__tournament").order_by("round__number", "number"))


def entries_of(pairing):
    """The entries of a match in seat order."""
    return [place.entry for place in pairing.places.select_related("entry")]
