"""Lists of events, and a player's next matches over all of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from accounts.models import User
from tournaments.duplicate.movement import OnTable, all_tables
from tournaments.models import Entry, Member, Pairing, Place, Stage, Tournament
from tournaments.plan import Plan
from tournaments.public import format_text
from tournaments.public.live import Playing
from tournaments.public.matches import Match
from tournaments.public.names import links_of
from tournaments.public.schedule import listed_match
from tournaments.round_names import round_words
from tournaments.stage_state import moment_of
from web.text import joined, several

Status = Tournament.Status

COMING = (Status.OPEN, Status.CLOSED)
ENDED = (Status.OVER, Status.CANCELLED)


@dataclass(frozen=True)
class EventRow:
    """An event in a list."""

    event: Tournament
    formats: str
    """`Groups, 4 groups, then Knockout`."""
    entries: str
    """`12 of 16 pairs`."""
    is_own: bool


def lines(events: Iterable[Tournament], own_ids: set[int]) -> list[EventRow]:
    """Events `with_counts` and `with_stages`, own ones first; `own_ids` are events that the reader plays in or organises."""
    rows = [EventRow(each, formats(list(each.stages.all())), _entries(each), each.pk in own_ids) for each in events]
    return sorted(rows, key=lambda line: not line.is_own)


def with_counts(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Events with their number of entries, as `entered`."""
    entered = Entry.objects.filter(tournament=OuterRef("pk"), status=Entry.Status.ENTERED).order_by()
    count = entered.values("tournament").annotate(count=Count("pk")).values("count")
    return events.annotate(entered=Coalesce(Subquery(count), 0)).defer("rules_json", "terms")


def with_stages(events: Sequence[Tournament]) -> None:
    """Fetch the stages of all these events: one query."""
    prefetch_related_objects(list(events), Prefetch("stages", Stage.objects.order_by("number")))


def current(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Events that are not over, earliest start first."""
    return events.exclude(status__in=ENDED).order_by(F("starts_at").asc(nulls_last=True), "pk")


def ended(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Events that are over or cancelled, newest first."""
    return events.filter(status__in=ENDED).order_by(F("ended_at").desc(nulls_last=True), "-pk")


def own_ids(player: User) -> set[int]:
    """Ids of the events that a person plays in or organises: one query."""
    plays = Member.objects.filter(user=player, left_at=None).exclude(answer=Member.Answer.DECLINED).order_by()
    organises = player.organises.order_by().values_list("tournament")
    return set(plays.values_list("tournament").union(organises).values_list("tournament", flat=True))


def formats(stages: Sequence[Stage]) -> str:
    """The formats of an event's stages."""
    return gettext(", then ").join(format_text.short(Plan.read(stage.plan_json)) for stage in stages)


def nouns(event: Tournament) -> str:
    """The noun for entries of the event, as `several` takes it."""
    return {"person": "player", "partnership": "pair", "team": "team"}[event.entry_kind]


def counted_entries(event: Tournament, count: int) -> str:
    """A number of entries with their noun: `12 pairs`."""
    if event.entry_kind == "person":
        return several(count, "player")
    return several(count, "pair") if event.entry_kind == "partnership" else several(count, "team")


def _entries(event: Tournament) -> str:
    count = vars(event)["entered"]
    if event.entry_limit and event.status in COMING:
        return gettext("%(count)s of %(most)s") % {"count": count, "most": counted_entries(event, event.entry_limit)}
    return counted_entries(event, count)


# A player's own matches


@dataclass(frozen=True)
class OwnMatch:
    """A match of the reader's."""

    match: Match
    event: Tournament
    round: str
    against: str
    until: datetime | None
    starts_at: datetime | None
    partner: str
    place: Place
    boards: OnTable | None = None
    """Its boards, in an event in which real tables share them."""
    moves: str = ""
    """Where the boards of the match before go."""

    @property
    def clock(self) -> ZoneInfo | None:
        """The clock of the match; `None` online."""
        return self.match.pairing.clock


OPEN = (Pairing.Status.READY, Pairing.Status.PLAYING, Pairing.Status.REPORTED, Pairing.Status.DISPUTED)


def own_matches(player: User, *, tournament: Tournament | None = None, most: int = 60) -> list[OwnMatch]:
    """A person's open matches, least time left first: a fixed number of queries.

    Matches of rounds that are not open yet, and those that wait for another match, come last.
    """
    members = Member.objects.filter(user=player, left_at=None, answer=Member.Answer.ACCEPTED)
    entries = list(members.values_list("entry", flat=True))
    if not entries:
        return []
    is_open = Q(status__in=OPEN) | Q(status=Pairing.Status.WAITS)
    seated = Place.objects.filter(entry__in=entries).order_by().values("pairing")
    pairings = Pairing.objects.filter(is_open, pk__in=seated, round__stage__tournament__status=Status.RUNNING)
    if tournament is not None:
        pairings = pairings.filter(round__stage__tournament=tournament)
    rows = pairings.select_related("round__stage__tournament", "table").prefetch_related(
        Prefetch("places", Place.objects.select_related("entry"))
    )
    ordered = rows.defer("table__snapshot").order_by("pk")[: most * 2]
    matches = [_own_match(pairing, set(entries), {}) for pairing in ordered]
    return sorted(_with_boards(matches), key=_order)[:most]


def _with_boards(matches: Sequence[OwnMatch]) -> list[OwnMatch]:
    """The matches with their boards, and the next of each entry with the way of those it just played.

    A query for each stage whose tables share boards, and one for all of them; none for others.
    """
    stages = {each.match.pairing.round.stage_id: each.match.pairing.round.stage for each in matches}
    ways = {pk: way for pk, stage in stages.items() if (way := all_tables(stage))}
    if not ways:
        return list(matches)
    entries = {each.place.entry_id for each in matches}
    done = Place.objects.filter(
        entry__in=entries, pairing__round__stage__in=list(ways), pairing__status=Pairing.Status.DONE
    )
    rows = done.order_by("pairing__round__number").values_list("entry", "pairing__round__stage", "pairing")
    last: dict[tuple[int | None, int], int] = {(entry, stage): pairing for entry, stage, pairing in rows}
    with_boards = []
    for each in sorted(matches, key=lambda each: each.match.pairing.round.number):
        stage = each.match.pairing.round.stage_id
        way = ways.get(stage, {})
        before = way.get(last.pop((each.place.entry_id, stage), 0))
        with_boards.append(
            replace(each, boards=way.get(each.match.pairing.pk), moves=before.move_words if before else "")
        )
    return with_boards


def _order(own_match: OwnMatch) -> tuple[bool, bool, float, int]:
    pairing = own_match.match.pairing
    moment = own_match.starts_at or own_match.until
    is_to_come = pairing.status == Pairing.Status.WAITS or pairing.opened_at is None
    return is_to_come, moment is None, moment.timestamp() if moment else 0, pairing.pk


def _own_match(pairing: Pairing, entries: set[int], live: Playing) -> OwnMatch:
    event = pairing.round.stage.tournament
    match = listed_match(pairing, links_of(event), live, set())
    place = next(each for each in pairing.places.all() if each.entry_id in entries)
    own_side = next(side for side in match.sides if any(entrant.pk == place.entry_id for entrant in side.entrants))
    opponents = [side.names for side in match.sides if side is not own_side]
    return OwnMatch(
        match=match,
        event=event,
        round=round_words(pairing.round.name),
        against=joined(opponents),
        until=moment_of(pairing),
        starts_at=pairing.starts_at,
        partner=joined(entrant.name for entrant in own_side.entrants if entrant.pk != place.entry_id),
        place=place,
    )


def is_called(own_match: OwnMatch) -> bool:
    """Whether the match can be played now."""
    pairing = own_match.match.pairing
    return pairing.opened_at is not None and pairing.status != Pairing.Status.WAITS


def grouped(matches: Sequence[OwnMatch]) -> Mapping[str, list[OwnMatch]]:
    """Matches to play now, results that wait for an answer, and matches to come."""
    waiting = (Pairing.Status.REPORTED, Pairing.Status.DISPUTED)
    return {
        "now": [each for each in matches if is_called(each) and each.match.pairing.status not in waiting],
        "reported": [each for each in matches if each.match.pairing.status in waiting],
        "to_come": [each for each in matches if not is_called(each) and each.match.pairing.status not in waiting],
    }
