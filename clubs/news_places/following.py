"""Writing deliveries: rows in the outbox, for what has changed in an event or is near."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any

from django.db import transaction
from django.utils.dateparse import parse_datetime

from clubs.coming.days import evening_before
from clubs.league import fixtures
from clubs.league.agenda import agenda, is_put_off
from clubs.league.fixtures import Matchday
from clubs.models import Division, Meeting, NewsDelivery, Newsletter, NewsPlace, SeasonEvent
from clubs.news_places import corrections, messages, quiet_hours, topics
from clubs.news_places.corrections import Sent
from clubs.news_places.kinds import LETTER
from clubs.signals import news_due
from tournaments.models import Pairing, Round, Tournament

WAITING = NewsDelivery.Status.WAITING
FRESH = timedelta(days=2)
"""Older news is none: an import of past results tells nobody."""


def club_of(event: Tournament) -> int | None:
    """The id of the club that an event belongs to."""
    kind, _, number = event.circle.partition(":")
    return int(number) if kind == "club" and number.isdecimal() else None


def follow(event: Tournament, now: datetime, changed_at: datetime) -> None:
    """Write the deliveries of a locked event that changed at a time or later."""
    places = list(_places().filter(club=club_of(event)))
    if not places or not messages.is_public(event):
        return
    changed = _Changed(event, now, min(now, changed_at) - FRESH, places)
    places = [place for place in places if topics.is_about(place, event, changed.league_id)]
    known = corrections.sent_about(places, now, event=event)
    for place in places:
        _write(place, changed, known.get(place.pk) or Sent(), now)
    _correct(event, places, known, now)


def post(place: NewsPlace, newsletter: Newsletter, now: datetime) -> None:
    """Write the delivery of a newsletter that somebody has just published; it goes out at once."""
    with quiet_hours.pressed():
        _add(place, LETTER, str(newsletter.pk), now, about=[newsletter.pk])


def correct(place: NewsPlace, event: Tournament, now: datetime) -> None:
    """Write the correction of what has changed while a message about an event was being sent."""
    places = list(_places().filter(pk=place.pk))
    _correct(event, places, corrections.sent_about(places, now, event=event), now)


def _correct(event: Tournament, places: Sequence[NewsPlace], known: Mapping[int, Sent], now: datetime) -> None:
    """Write corrections for places with messages that are no longer right. Two queries if there are none."""
    facts = corrections.facts_now(event, {key for sent in known.values() for key in sent.facts}) if known else {}
    for place in places:
        if place.pk in known and known[place.pk].changed(place, facts):
            _add_correction(place, now, event=event)


def _add_correction(place: NewsPlace, now: datetime, **about: Any) -> None:
    """One correction that waits for all that changes in the next minutes."""
    done = place.deliveries.filter(kind=corrections.KIND, **about).exclude(status=WAITING)
    (row,) = about.values()
    key = f"{next(iter(about))}:{row.pk}:{done.count()}"
    _add(place, corrections.KIND, key, now + corrections.DELAY, **about)


@dataclass(frozen=True)
class _Changed:
    """An event that has changed. What several places ask about it is looked up once."""

    event: Tournament
    now: datetime
    earliest: datetime
    """Older news is none."""
    places: Sequence[NewsPlace]

    @cached_property
    def division(self) -> Division | None:
        return Division.objects.filter(tournament=self.event).select_related("season").first()

    @cached_property
    def alongside(self) -> SeasonEvent | None:
        """The event of a season that it is, such as a cup."""
        return SeasonEvent.objects.filter(tournament=self.event).select_related("season").first()

    @property
    def league_id(self) -> int | None:
        part = self.division or self.alongside
        return part.season.league_id if part is not None else None

    @cached_property
    def complete_day(self) -> Matchday | None:
        """The last matchday of its division that is complete, if one with a new result can be."""
        if not self._is_any_complete:
            return None
        days = fixtures.matchdays(self.division) if self.division is not None else ()
        complete = agenda(days, self.now).complete if days else 0
        return days[complete - 1] if complete else None

    @property
    def _is_any_complete(self) -> bool:
        """Whether a round with a new result, of which some place does not know yet, has no match that surely is still to
        be played. Two queries, unlike matchdays."""
        since = [at for place in self.places if (at := _since(place, "standings", self.earliest)) is not None]
        sent = NewsDelivery.objects.filter(place__in=self.places, kind="standings", event=self.event)
        counts = Counter(number for about in sent.values_list("about", flat=True) for number in about)
        new = Pairing.objects.filter(
            round__stage__tournament=self.event, status=Pairing.Status.DONE, done_at__gte=min(since, default=self.now)
        ).exclude(round__number__in=[number for number, count in counts.items() if count >= len(since)])
        is_complete: dict[int, bool] = {}
        for pairing in Pairing.objects.filter(round__in=new.values("round")).select_related("round"):
            last = pairing.round.deadline_at
            is_left = pairing.is_open and last is not None and last >= self.now and not is_put_off(pairing)
            is_complete[pairing.round_id] = is_complete.get(pairing.round_id, True) and not is_left
        return any(is_complete.values())


def add_evenings(now: datetime) -> None:
    """Write the deliveries of meetings, on the evening before, and of those that were moved since. Safe to run twice."""
    _correct_meetings(now)
    ahead = Meeting.objects.filter(starts_at__gt=now, starts_at__lt=now + FRESH, is_called_off=False)
    of_club = _places().filter(league=None, event=None)
    places = list(of_club.filter(since__has_key="evening", club__meetings__in=ahead).distinct())
    for meeting in ahead.filter(club__in={place.club_id for place in places}).select_related("club"):
        starts = meeting.starts_at
        if now >= evening_before(meeting.club.zone, starts, 1):
            for place in places:
                if place.club_id == meeting.club_id and _since(place, "evening", now - FRESH) is not None:
                    _add(place, "evening", str(meeting.pk), now, meeting=meeting)


def _correct_meetings(now: datetime) -> None:
    """Write corrections for places that know another time of a meeting to come."""
    known = NewsDelivery.objects.filter(meeting__starts_at__gt=now, created_at__gte=now - corrections.LATEST)
    meetings = Meeting.objects.filter(pk__in=known.exclude(facts={}).values("meeting"))
    places = list(_places().filter(club__meetings__in=meetings).distinct()) if meetings else []
    for meeting in meetings:
        facts = corrections.meeting_facts(meeting)
        sent = corrections.sent_about(places, now, meeting=meeting)
        for place in places:
            if place.pk in sent and sent[place.pk].changed(place, facts):
                _add_correction(place, now, meeting=meeting)


def _places() -> Any:
    return NewsPlace.objects.in_use().select_related("club")


def _write(place: NewsPlace, changed: _Changed, sent: Sent, now: datetime) -> None:
    event, earliest = changed.event, changed.earliest
    if since := _since(place, "results", earliest):
        _add_results(place, event, sent, since, now)
    if since := _since(place, "drawn", earliest):
        for round_ in Round.objects.filter(stage__tournament=event, status=Round.Status.OPEN, opened_at__gte=since):
            _add(place, "drawn", str(round_.pk), now, event=event, about=[round_.pk])
    ended_at = event.ended_at if event.status == Tournament.Status.OVER else None
    if since := _since(place, "standings", earliest):
        if changed.division is not None:
            _add_matchday(place, changed, since, now)
        elif ended_at is not None and ended_at >= since and changed.alongside is None:
            _add(place, "standings", str(event.pk), now, event=event)
    if (since := _since(place, "champion", earliest)) and ended_at is not None and ended_at >= since:
        _add(place, "champion", str(event.pk), now, event=event)


def _since(place: NewsPlace, kind: str, earliest: datetime) -> datetime | None:
    """The time from which on news of a kind goes to a place; `None` if it does not."""
    since = parse_datetime(place.since.get(kind, ""))
    return None if since is None else max(since, earliest)


def _add_results(place: NewsPlace, event: Tournament, sent: Sent, since: datetime, now: datetime) -> None:
    """One delivery for all results that became final together, or that wait for the same morning."""
    done = Pairing.objects.filter(
        round__stage__tournament=event, status=Pairing.Status.DONE, is_walkover=False, done_at__gte=since
    )
    before = list(place.deliveries.filter(kind="results", event=event))
    removed = set(map(int, sent.removed))
    known = {pk for delivery in before for pk in delivery.about if pk not in removed or delivery.status == WAITING}
    new = [pk for pk in done.order_by("pk").values_list("pk", flat=True) if pk not in known]
    if new and not any(_join(place, delivery, new, now) for delivery in before):
        again = f":{len(before)}" if new[0] in removed else ""
        _add(place, "results", f"{new[0]}{again}", now, event=event, about=new)


def _join(place: NewsPlace, delivery: NewsDelivery, new: Sequence[int], now: datetime) -> bool:
    """Add results to a delivery that goes out later; whether it still waits."""
    if quiet_hours.due_at(place.club.zone, now) <= now:
        return False
    waiting = NewsDelivery.objects.filter(pk=delivery.pk, status=WAITING, due_at__gt=now)
    return bool(waiting.update(about=[*delivery.about, *new]))


def _add_matchday(place: NewsPlace, changed: _Changed, since: datetime, now: datetime) -> None:
    """The last matchday that is complete, unless its last result is old."""
    day, event = changed.complete_day, changed.event
    if day is not None and _is_since((match.pairing for match in day.matches), since):
        _add(place, "standings", f"{event.pk}:{day.number}", now, event=event, about=[day.number])


def _is_since(pairings: Iterable[Pairing], since: datetime) -> bool:
    return any(pairing.done_at is not None and pairing.done_at >= since for pairing in pairings)


def _add(
    place: NewsPlace,
    kind: str,
    key: str,
    now: datetime,
    *,
    event: Tournament | None = None,
    meeting: Meeting | None = None,
    about: Sequence[int] = (),
) -> None:
    known = NewsDelivery.objects.filter(place=place, kind=kind)
    if known.filter(meeting=meeting).exists() if kind == "evening" else known.filter(key=key).exists():
        return
    due_at = quiet_hours.due_at(place.club.zone, now)
    row = NewsDelivery(place=place, kind=kind, key=key, event=event, meeting=meeting, about=list(about), due_at=due_at)
    NewsDelivery.objects.bulk_create([row], ignore_conflicts=True)
    transaction.on_commit(partial(news_due.send, sender=NewsDelivery, place_id=place.pk), robust=True)
