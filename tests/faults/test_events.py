"""Workers that die while they advance events: the next one brings everything to where it should be, once."""

import pytest

EVENTS = 6
ENTRIES = 24

PREPARE = f"""
from tests.makers import make_event, make_person
from tests.tournaments import driving
from tests.tournaments.test_at_once import with_result
from tournaments.plan import standard
from tournaments.receivers import wake_advance

olga = make_person("Olga")
for number in range({EVENTS}):
    plan = standard("swiss" if number % 2 else "double_elimination")
    event = make_event(olga, plan, entries={ENTRIES}, started=True)
    for pairing in driving.open_pairings(event):
        with_result(pairing, olga)
    wake_advance(tournament_id=event.pk)
"""
"""Events whose first round is in, each with a call in the queue."""

DRAWN = """
SELECT stage.tournament_id, round.number, pairing.name, place.number, entry.number
FROM tournaments_place place
JOIN tournaments_pairing pairing ON pairing.id = place.pairing_id
JOIN tournaments_round round ON round.id = pairing.round_id
JOIN tournaments_stage stage ON stage.id = round.stage_id
LEFT JOIN tournaments_entry entry ON entry.id = place.entry_id
ORDER BY 1, 2, 3, 4
"""

WAITING = "SELECT count(*) FROM tournaments_tournament WHERE look_at IS NOT NULL"


@pytest.fixture
def as_it_should_be(make_site):
    """Outcome of the same events without a fault."""
    site = make_site("memory://")
    site.run(
        f"{PREPARE}from tournaments.services.stages import progress as p\nfor n in p.due_tournaments(): p.advance(n)"
    )
    return site.rows(DRAWN)


def test_killed_workers_change_nothing_in_the_outcome(site, as_it_should_be, kill, wait_for):
    site.run(PREPARE)
    before = site.number(WAITING)
    assert before == EVENTS
    site.beat()  # what a killed worker took from the queue, the sweeper finds again
    for remaining in (EVENTS - 1, EVENTS - 3):
        worker = site.worker()
        wait_for(lambda remaining=remaining: site.number(WAITING) <= remaining, "an event to be advanced", site)
        kill(worker)
    site.worker()
    site.worker()
    wait_for(lambda: site.number(WAITING) == 0, "every event to be advanced", site)
    assert site.rows(DRAWN) == as_it_should_be
