"""Events of the sample: a cup under way, a final that is over, an evening tonight, and one to enter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from accounts.models import User
from clubs.demo.turns import Clock, play_to_the_end
from clubs.models import Club
from engine.play.rules import Rules
from gameplay.models import Table
from gameplay.services.sitting import sit_down
from tournaments.models import Pairing, Tournament
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle
from tournaments.services.matches import results
from tournaments.services.stages.progress import advance

CUP_SCORES = ((8720, 7940), (9105, 8655), (7480, 8340), (8815, 6960))
EVENING_SCORES = (
    (3420, 2985, 4110, 2260), (2875, 3660, 1940, 3215), (4005, 2730, 3380, 2515), (3145, 2290, 3875, 2960),
)  # fmt: skip
"""Of the first round and a table of the second."""


def make_cup(club: Club, people: Sequence[User], now: datetime) -> None:
    """A cup of five pairs, in its second round; the first person plays next."""
    owner = people[0]
    settings = {
        "about": "Five pairs, face to face, a second chance for everybody.",
        "circle": club.circle,
        "venue": club.venue,
        "time_zone": club.time_zone,
        "starts_at": now - timedelta(days=1),
        "setting": "face",
    }
    event = lifecycle.make_event(owner, name="Harbour Cup", starter="league_cup", settings=settings)
    lifecycle.publish(event.pk, owner)
    for first, second in ((0, 2), (4, 5), (1, 6), (7, 3), (8, 9)):
        enrolment.enter_for(event.pk, owner, members=[people[first], people[second]])
    lifecycle.start(event.pk, owner, anyway=True)
    scores = iter(CUP_SCORES)
    for _ in range(2):
        enter_results(_ready(event), scores, owner)


def make_finished_cup(club: Club, people: Sequence[User], now: datetime) -> list[Table]:
    """Four pairs online: two semi-finals of a deal and a final of four, played to the end. Returns their tables, in order."""
    owner, began = people[4], now - timedelta(days=18)
    settings = {
        "about": "Four pairs online, two matches to the cup. Every deal of the final can be watched again.",
        "circle": club.circle,
        "time_zone": club.time_zone,
        "starts_at": began,
        "entry_kind": Tournament.Kind.PARTNERSHIP,
        "side_size": 2,
        "setting": Tournament.Setting.ONLINE,
        "rules": Rules.make("family", {"length": {"deals": 1}}),
    }
    # A tied match is rare, and needs an organiser or a lot.
    plan = standard("single_elimination", cut_tie="lot", final_terms={"deals": 4})
    event = lifecycle.make_event(owner, name="Winter Cup", settings=settings, plans=[("Cup", plan)])
    lifecycle.publish(event.pk, owner, now=began)
    for first, second in ((1, 4), (2, 3), (6, 7), (0, 5)):
        members = [people[first], people[second]]
        enrolment.enter_for(event.pk, owner, members=members, has_agreed=True, now=began)
    lifecycle.start(event.pk, owner, anyway=True, now=began)
    clock = Clock(began, step=timedelta(hours=1), latest=now - timedelta(days=1))
    while matches := _ready(event):
        for match in matches:
            _play_online(match, clock)
        advance(event.pk, clock.now)
    tables = Table.objects.filter(pairing__round__stage__tournament=event)
    return list(tables.order_by("pairing__round__number", "pairing__number"))


def _play_online(match: Pairing, clock: Clock) -> None:
    """Play the table of a match, as if it had been created then."""
    table_id = match.table_id or 0
    Table.objects.filter(pk=table_id).update(created_at=clock.now, started_at=clock.now)
    play_to_the_end(sit_down(table_id, clock.now), clock)
    results.record_table_result(table_id, now=clock.now)


def make_evening(club: Club, people: Sequence[User], now: datetime) -> None:
    """Tonight in the club: eight people at tables of four, a table of the second round still playing."""
    owner = people[0]
    midnight = now.astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    settings = {
        "about": "Three rounds in the hall, everyone with everyone.",
        "circle": club.circle,
        "venue": club.venue,
        "time_zone": club.time_zone,
        "starts_at": max(midnight, now - timedelta(hours=2)),
    }
    event = lifecycle.make_event(owner, name="Lantern Night", starter="mixer", settings=settings)
    lifecycle.publish(event.pk, owner)
    for person in people[:8]:
        enrolment.enter_for(event.pk, owner, members=[person])
    lifecycle.start(event.pk, owner, anyway=True)
    scores = iter(EVENING_SCORES[:3])
    for _ in range(2):
        enter_results(_ready(event), scores, owner)


def make_club_night(club: Club, people: Sequence[User], starts_at: datetime) -> None:
    """An evening to enter."""
    settings = {"circle": club.circle, "venue": club.venue, "time_zone": club.time_zone, "starts_at": starts_at}
    night = lifecycle.make_event(people[4], name="Thursday Club Night", starter="club_night", settings=settings)
    lifecycle.publish(night.pk, people[4])
    for person in people[4:7]:
        enrolment.enter(night.pk, person)


def enter_results(matches: Iterable[Pairing], scores: Iterable[Sequence[int]], by: User) -> None:
    """Enter the scores of matches, in order of their places, as far as there are any."""
    for pairing, points in zip(matches, scores, strict=False):
        places = pairing.places.order_by("number")
        lines = [{"entry": place.entry_id, "score": score} for place, score in zip(places, points, strict=True)]
        results.decide(pairing.pk, lines, by=by)


def _ready(event: Tournament) -> list[Pairing]:
    """Matches that can be played now."""
    ready = Pairing.objects.filter(
        round__stage__tournament=event, status__in=(Pairing.Status.READY, Pairing.Status.PLAYING)
    )
    return list(ready.order_by("round__number", "number"))
