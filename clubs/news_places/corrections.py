"""Corrections: what was sent to a place and has changed since goes there once more, once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from clubs.league import fixtures
from clubs.models import Division, Meeting, NewsDelivery, NewsPlace
from clubs.news_places import result_lines
from tournaments import outcome
from tournaments.models import Pairing, Tournament

KIND = "corrected"
DELAY = timedelta(minutes=5)
"""Time to enter a removed result again: then the place gets the new one only."""
LATEST = timedelta(days=14)
"""Older messages are not corrected."""
CHAMPION, MEETING = "champion", "meeting"
Status = NewsDelivery.Status
Facts = Mapping[str, str]
"""What a message said, without names: results by the number of the match, the winners, the time of a meeting."""


@dataclass
class Sent:
    """What a place knows about an event or a meeting: the facts of its latest messages."""

    facts: dict[str, str] = field(default_factory=dict)
    standings: set[str] = field(default_factory=set)
    """The matches whose results its messages with standings were about."""

    def add(self, delivery: NewsDelivery) -> None:
        """Take in a message."""
        self.facts.update(delivery.facts)
        if delivery.kind == "standings":
            self.standings.update(delivery.facts)

    def changed(self, place: NewsPlace, now: Facts) -> set[str]:
        """What is no longer so."""
        changed = {key for key, fact in self.facts.items() if now.get(key, fact) != fact}
        # A match that is played again is news where each result goes.
        return changed - self.removed if "results" in place.since else changed

    @property
    def removed(self) -> set[str]:
        """The matches whose result was removed, as the place knows."""
        return {key for key, fact in self.facts.items() if key.isdecimal() and not fact}


def sent_about(
    places: Iterable[NewsPlace],
    now: datetime,
    *,
    event: Tournament | None = None,
    meeting: Meeting | None = None,
    before: int | None = None,
) -> Mapping[int, Sent]:
    """What places know about an event or a meeting, by place; `before` leaves out a message and later ones. One query."""
    rows = NewsDelivery.objects.filter(
        place__in=list(places), event=event, meeting=meeting, created_at__gte=now - LATEST,
        status__in=(Status.SENDING, Status.SENT, Status.UNSURE),
    )  # fmt: skip
    known: dict[int, Sent] = defaultdict(Sent)
    for row in (rows if before is None else rows.filter(pk__lt=before)).order_by("pk"):
        known[row.place_id].add(row)
    return known


def facts_now(event: Tournament, keys: Iterable[str]) -> dict[str, str]:
    """These facts of an event as they are now."""
    keys = set(keys)
    facts = result_lines.facts_of(int(key) for key in keys if key.isdecimal())
    return {**facts, CHAMPION: _champion(event)} if CHAMPION in keys else facts


def _champion(event: Tournament) -> str:
    if event.status != Tournament.Status.OVER:
        return ""
    return ",".join(str(entry.pk) for entry in outcome.of(event).champions)


def meeting_facts(meeting: Meeting) -> dict[str, str]:
    """What a message about a meeting says."""
    where = meeting.venue
    return {MEETING: "off" if meeting.is_called_off else f"{meeting.starts_at.isoformat()} {where}"}


def facts_of(delivery: NewsDelivery, now: datetime) -> dict[str, str]:
    """The facts of a message that is about to be sent."""
    if delivery.meeting is not None:
        return meeting_facts(delivery.meeting)
    event = delivery.event
    if event is None or delivery.kind == "drawn":
        return {}
    if delivery.kind == CHAMPION:
        return facts_now(event, [CHAMPION])
    if delivery.kind == KIND:
        return facts_now(event, known_before(delivery, now).facts)
    return facts_now(event, map(str, _matches_of(delivery, event)))


def known_before(delivery: NewsDelivery, now: datetime) -> Sent:
    """What its place knew before a correction."""
    known = sent_about([delivery.place], now, event=delivery.event, meeting=delivery.meeting, before=delivery.pk)
    return known.get(delivery.place_id) or Sent()


def _matches_of(delivery: NewsDelivery, event: Tournament) -> Iterable[int]:
    """The matches with results that a message of results or standings is about."""
    done = Pairing.objects.filter(round__stage__tournament=event, status=Pairing.Status.DONE)
    if delivery.kind == "results":
        done = done.filter(pk__in=delivery.about)
    elif (division := Division.objects.filter(tournament=event).first()) is not None:
        days = [day for day in fixtures.matchdays(division) if [day.number] == delivery.about]
        done = done.filter(pk__in=[match.pairing.pk for day in days for match in day.matches])
    return done.values_list("pk", flat=True)
