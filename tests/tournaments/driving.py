"""Playing events in tests: results by a rule that depends on the players, so that any two runs can be compared."""

import hashlib

from tournaments import stage_standings
from tournaments.models import Pairing, Stage
from tournaments.services.matches import results
from tournaments.stage_state import load

FORMATS = (
    ("single_elimination", 6, {"third_place": True}),
    ("double_elimination", 5, {}),
    ("swiss", 7, {"rounds": 3}),
    ("round_robin", 5, {}),
    ("groups", 8, {"groups": 2}),
    ("swiss_pods", 12, {"rounds": 2}),
    ("pod_knockout", 12, {"seats": 4, "advance": 2}),
    ("rotating_partners", 8, {}),
    ("howell", 8, {"kind": "partnership"}),
    ("ladder", 5, {}),
    ("arena", 6, {}),
)
"""Every format, with so many entries and such choices that each has its peculiarities: a bye, a second group."""


def by_lot(names, salt=""):
    """Card points for each side of a table, by its players; never tied."""
    points = {name: int(hashlib.sha256(f"{salt}{name}{sorted(names)}".encode()).hexdigest()[:4], 16) for name in names}
    return [points[name] for name in names]


def better_seed(names):
    """The lower number in the name wins: `Entry 3` before `Entry 12`."""
    numbers = [int(name.split()[-1]) for name in names]
    return [5000 - 10 * number for number in numbers]


def open_pairings(event):
    """Matches that can be played now."""
    rows = Pairing.objects.filter(round__stage__tournament=event, status=Pairing.Status.READY, round__status="open")
    return list(rows.order_by("round__stage__number", "round__number", "number"))


def lines_of(pairing, score=better_seed):
    """A result of the match by a rule; partners share the score of the first of their side."""
    places = list(pairing.places.select_related("entry"))
    points = dict(zip([place.entry_id for place in places], score([place.entry.name for place in places]), strict=True))
    first = {place.side: points[place.entry_id] for place in reversed(places)}
    return [{"entry": place.entry_id, "score": first[place.side]} for place in places]


def decide(pairing, by, score=better_seed, **how):
    """Enter a result as an organiser."""
    return results.decide(pairing.pk, lines_of(pairing, score), by=by, **how)


def play_round(event, by, score=better_seed):
    """Play every match that is open; how many there were."""
    pairings = open_pairings(event)
    for pairing in pairings:
        decide(pairing, by, score)
    return len(pairings)


def play_out(event, by, score=better_seed, most=500):
    """Play the event to its end; how many matches it took."""
    played = 0
    while count := play_round(event, by, score):
        played += count
        assert played <= most
    return played


def outline(event):
    """Everything of an event that must not depend on how it came about."""
    parts = []
    for stage in Stage.objects.filter(tournament=event):
        state = load(stage)
        names = {at: entry.entry.name for at, entry in state.entries.items()}
        for round_ in state.rounds:
            tables = [
                (
                    table.row.name,
                    [names.get(at) for at in table.entries],
                    table.row.status,
                    [(place.score, place.points, place.rank) for place in table.places],
                )
                for table in round_.tables
            ]
            out = sorted((sit_out.entry_id, sit_out.kind, sit_out.points) for sit_out in round_.sit_outs)
            parts.append((stage.number, round_.row.name, round_.row.status, tables, out))
        if state.rounds:
            parts.append([(names[round_.entry], round_.rank) for round_ in stage_standings.ranking(state)])
        parts.append((stage.number, stage.status))
    event.refresh_from_db()
    return [*parts, event.status]
