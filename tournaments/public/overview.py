"""The front page of an event, and the next steps of its reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from tournaments import outcome, stage_standings
from tournaments.models import Entry, Member, Organiser, Pairing, Place, Stage, StageEntry, Tournament
from tournaments.plan import Plan
from tournaments.public import format_text, listing, progress, schedule
from tournaments.public.live import Playing
from tournaments.public.matches import Match
from tournaments.public.names import Entrant, Links, entrant, entrants_of
from tournaments.round_names import round_words
from tournaments.rules_text import rules_title, stage_sentences
from tournaments.stage_state import StageState, load
from web.clocks import by_clock, local
from web.text import date_with_year_and_time, several

BEST = 5
"""Entries of the standings that the front page shows."""
LATEST = 6
"""Results that it shows."""


@dataclass(frozen=True)
class LiveMatch:
    """A match that is being played."""

    match: Match
    round: str


@dataclass(frozen=True)
class StageRow:
    """A stage on the front page: its format, progress and best entries."""

    stage: Stage
    url: str
    format: str
    progress: str
    best: tuple[tuple[str, Entrant], ...]
    link_text: str = ""
    """The text of the link to its page."""
    terms: str = ""
    """What it plays differently from the event, in sentences."""


@dataclass(frozen=True)
class Facts:
    """The facts about an event."""

    starts: str
    """Its start, in the reader's zone."""
    starts_there: str
    """The same in the event's own zone, if that differs."""
    closes: str
    checks_in: str
    entries: str
    organisers: str


def overview(event: Tournament, stages: Sequence[Stage], links: Links, live: Playing) -> dict[str, Any]:
    """Everything of the front page that is the same for all readers in a zone. The number of queries does not depend on
    how many entries and rounds there are."""
    page, latest = schedule.results(event, links, "1") if event.has_begun else (None, ())
    lines = [_line(stage, event, links) for stage in stages]
    won = outcome.of(event, stages)
    return {
        "facts": facts(event),
        "lines": lines,
        "live": being_played(event, links, live),
        "results": latest[:LATEST],
        "has_more": page is not None and page.paginator.count > LATEST,
        "champions": tuple(entrant(entry, links) for entry in won.champions),
        "outcome": won.sentence,
        "rules_title": rules_title(event),
    }


def facts(event: Tournament) -> Facts:
    """Start, place and number of entries: two queries."""
    entered = Entry.objects.filter(tournament=event, status=Entry.Status.ENTERED).count()
    waiting = Entry.objects.filter(tournament=event, status=Entry.Status.WAITING).count() if event.entry_limit else 0
    words = listing.counted_entries(event, event.entry_limit or entered)
    if event.entry_limit:
        words = gettext("%(count)s of %(most)s") % {"count": entered, "most": words}
    if waiting:
        words = gettext("%(entries)s, %(count)s on the waiting list") % {"entries": words, "count": waiting}
    owners = Organiser.objects.filter(tournament=event, role=Organiser.Role.OWNER).select_related("user")
    return Facts(
        starts=_moment(event.starts_at),
        starts_there=_there(event.starts_at, event),
        closes=_moment(event.entries_close_at),
        checks_in=_window(event) if event.has_check_in else "",
        entries=words,
        organisers=", ".join(str(owner.user) for owner in owners),
    )


def _window(event: Tournament) -> str:
    """The start and end of check-in, as far as they are set."""
    begins, ends = _moment(event.check_in_from), _moment(event.check_in_until)
    return gettext("%(begins)s to %(ends)s") % {"begins": begins, "ends": ends} if begins and ends else begins or ends


def _moment(at: datetime | None) -> str:
    return "" if at is None else date_with_year_and_time(at)


def _there(at: datetime | None, event: Tournament) -> str:
    """A moment by the event's own clock, with its zone; empty if the reader's clock shows the same."""
    is_there = at is None or local(at, event.zone).utcoffset() == timezone.localtime(at).utcoffset()
    return "" if at is None or is_there else by_clock(at, event.zone)


def _line(stage: Stage, event: Tournament, links: Links) -> StageRow:
    plan = Plan.read(stage.plan_json)
    url, words = links.stage(stage.number), format_text.short(plan)
    stage.tournament = event
    played_differently = " ".join(stage_sentences(stage, plan))
    if stage.status == Stage.Status.WAITING:
        return StageRow(stage, url, words, gettext("upcoming"), (), terms=played_differently)
    state = load(stage, event)
    names = entrants_of(state, links)
    best: list[tuple[str, Entrant]] = []
    # During a knockout, only entries that are out have places.
    has_places = stage.status == Stage.Status.OVER or not (plan.is_bracket or plan.format == "pod_knockout")
    if has_places and any(table.is_decided for round_ in state.rounds for table in round_.tables):
        ranking = stage_standings.ranking(state)[:BEST]
        best = [(str(place.rank), names[state.entries[place.entry].entry_id]) for place in ranking]
    progress_words = gettext("finished") if stage.status == Stage.Status.OVER else _progress(state)
    link_text = (
        gettext("See the bracket")
        if plan.is_bracket
        else gettext("See all rounds")
        if plan.format == "pod_knockout"
        else gettext("See all standings")
    )
    return StageRow(stage, url, words, progress_words, tuple(best), link_text, played_differently)


def _progress(state: StageState) -> str:
    if not state.plan.is_bracket:
        return progress.words(state)
    tables = [table for round_ in state.rounds for table in round_.tables if table.row.status != Pairing.Status.IDLE]
    finished = sum(not table.row.is_open for table in tables)
    return gettext("%(done)s of %(matches)s played") % {
        "done": finished,
        "matches": several(len(tables), "match", "matches"),
    }


def being_played(event: Tournament, links: Links, live: Playing) -> list[LiveMatch]:
    """The matches being played: two queries, none unless the event is under way."""
    if event.status != Tournament.Status.RUNNING:
        return []
    playing = Q(pk__in=list(live)) | Q(status=Pairing.Status.PLAYING)
    unfinished = Pairing.objects.filter(playing, round__stage__tournament=event).exclude(status=Pairing.Status.DONE)
    rows = unfinished.select_related("round__stage").prefetch_related(
        Prefetch("places", Place.objects.select_related("entry"))
    )
    return [
        LiveMatch(schedule.listed_match(pairing, links, live, set()), round_words(pairing.round.name))
        for pairing in rows.order_by("round__stage__number", "round__number", "number")
    ]


# Entries


def entries(event: Tournament, links: Links) -> Mapping[str, list[tuple[Entrant, Entry]]]:
    """The entries of an event by status, active ones by seed: three queries.

    Once the event has started, the seeds are those of its first stage.
    """
    present = Prefetch("members", Member.objects.filter(left_at=None).exclude(answer=Member.Answer.DECLINED))
    groups: dict[str, list[tuple[Entrant, Entry]]] = {"entered": [], "waiting": [], "forming": [], "gone": []}
    rows = Entry.objects.filter(tournament=event).prefetch_related(present)
    drawn = dict(StageEntry.objects.filter(stage__tournament=event, stage__number=1).values_list("entry", "position"))
    pairs = [(entrant(entry, links, drawn.get(entry.pk)), entry) for entry in rows]
    for name, entry in sorted(pairs, key=lambda pair: (pair[0].seed is None, pair[0].seed or 0, pair[0].number)):
        groups[entry.status if entry.status in groups else "gone"].append((name, entry))
    groups["waiting"].sort(key=lambda pair: pair[1].number)
    return groups


# Actions of the reader


@dataclass(frozen=True)
class Acts:
    """The next steps of a reader in an event: entry, matches, or the way in."""

    entry: Entry | None
    is_invited: bool
    may_enter: bool
    needs_account: bool
    """Whether the reader could enter if they had an account."""
    may_check_in: bool
    matches: tuple[listing.OwnMatch, ...]


def acts(event: Tournament, player: User) -> Acts:
    """A person's next steps in an event: two queries, and three more while it is under way."""
    now = timezone.now()
    member = (
        Member.objects.filter(tournament=event, user=player, left_at=None)
        .exclude(answer=Member.Answer.DECLINED)
        .order_by("answer")
        .select_related("entry")
        .first()
    )
    is_in = member is not None and member.answer == Member.Answer.ACCEPTED
    entry = member.entry if member is not None and is_in else None
    is_open = member is None and _takes_entries(event, now)
    return Acts(
        entry=entry,
        is_invited=member is not None and not is_in,
        may_enter=is_open and not player.is_guest,
        needs_account=is_open and player.is_guest,
        may_check_in=entry is not None and _may_check_in(event, entry, now),
        matches=tuple(listing.own_matches(player, tournament=event, most=5)) if entry is not None else (),
    )


def visitor_acts(event: Tournament) -> Acts:
    """The way in of a reader who is not signed in; no query."""
    needs_account = _takes_entries(event, timezone.now())
    return Acts(
        entry=None, is_invited=False, may_enter=False, needs_account=needs_account, may_check_in=False, matches=()
    )


def _takes_entries(event: Tournament, now: datetime) -> bool:
    return event.takes_entries and (event.entries_close_at is None or now < event.entries_close_at)


def _may_check_in(event: Tournament, entry: Entry, now: datetime) -> bool:
    if not event.has_check_in or event.has_begun or entry.is_here or entry.status != Entry.Status.ENTERED:
        return False
    begins, ends = event.check_in_from, event.check_in_until
    return (begins is None or begins <= now) and (ends is None or now < ends)
