"""The page of a match: its sides, state, history and the matches before and after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext, gettext_noop, pgettext

from accounts.models import User
from engine.compete.pairing import knockout
from engine.compete.pairing.knockout import Loser, Winner
from gameplay.access import is_somebody, may_watch
from gameplay.models import Seat
from tournaments import lookups, seating
from tournaments.deadline_text import deadline_text
from tournaments.duplicate.movement import all_tables
from tournaments.models import Pairing, Place, Result, Stage, StageEntry, Tournament
from tournaments.plan import Plan
from tournaments.public import corrections
from tournaments.public.live import Playing
from tournaments.public.matches import Match, match_of, result_words
from tournaments.public.names import Entrant, Links, entrant, match_title
from tournaments.round_names import is_matchday, match_words, round_words
from tournaments.rules_text import round_sentence


@dataclass(frozen=True)
class HistoryRow:
    """A line of the history of a result."""

    at: datetime
    words: str
    result: str
    status: str
    reason: str
    counts: bool


@dataclass(frozen=True)
class Way:
    """A link to a match before or after: `Winner goes to semi-final 1`."""

    words: str
    name: str
    url: str


def find(event: Tournament, stage: int, name: str) -> Pairing:
    """The match of this name with its places and entries: two queries. Raises `Http404`."""
    pairing = lookups.match_of(event, stage, name)
    prefetch_related_objects([pairing], Prefetch("places", Place.objects.select_related("entry")))
    return pairing


def title(pairing: Pairing) -> str:
    """The names of its sides, for the page's title."""
    places = list(pairing.places.all())
    return seating.side_names(places) if any(place.entry for place in places) else match_title(pairing)


def facts(pairing: Pairing, stage: Stage, links: Links, live: Playing) -> dict[str, Any]:
    """The content of a match's page that is the same for everyone: a fixed number of queries."""
    places = list(pairing.places.all())
    seeds = dict(StageEntry.objects.filter(stage=stage).values_list("entry", "position"))
    entrants = {
        place.entry.pk: entrant(place.entry, links, seeds.get(place.entry.pk)) for place in places if place.entry
    }
    changed = corrections.corrected_among([pairing.pk])
    url = links.match(stage.number, pairing.name)
    match = match_of(pairing, places, entrants, url, live=live, corrected=changed)
    return {
        "match": match,
        "stage": stage,
        "boards": all_tables(stage).get(pairing.pk),
        "round": round_words(pairing.round.name),
        "terms": round_sentence(pairing.round),
        "pairing": pairing,
        "until": deadline_text(stage.tournament, pairing) if pairing.is_open else "",
        "history": _history(pairing, entrants),
        "ways": _ways(pairing, stage, links, len(seeds)),
        "standing": standing_words(pairing, match),
        "stage_url": links.stage(stage.number),
        "has_points": not match.is_open and not Plan.read(stage.plan_json).is_bracket,
        "has_places": not match.is_open and len(match.sides) > 2,
    }


def not_open_words(round_: str) -> str:
    """A match whose round, by its stored name, has not been opened."""
    return gettext("Its matchday is not open yet.") if is_matchday(round_) else gettext("Its round is not open yet.")


def standing_words(pairing: Pairing, match: Match) -> str:
    """The state of a match in a sentence. Without its full stop if the match is over, because the time follows."""
    if match.kind == "live":
        if match.deal:
            return gettext("It is being played, %(deal)s.") % {"deal": match.deal}
        return gettext("It is being played.")
    status = Pairing.Status(pairing.status)
    if status == Pairing.Status.DONE:
        if match.note == gettext("nobody came"):
            return gettext("Lost by all sides because nobody came")
        return gettext("Decided by walkover") if match.note == gettext("walkover") else gettext("Finished")
    return {
        Pairing.Status.WAITS: gettext("It is waiting for an earlier match."),
        Pairing.Status.READY: gettext("Not played yet.") if pairing.opened_at else not_open_words(pairing.round.name),
        Pairing.Status.PLAYING: gettext("It is being played."),
        Pairing.Status.REPORTED: gettext("The other side has not confirmed the result yet."),
        Pairing.Status.DISPUTED: gettext("The sides do not agree on the result. An organiser decides."),
        Pairing.Status.IDLE: gettext("It is not needed.")
        if match.kind == "maybe"
        else gettext("Bye: no match is played."),
    }[status]


_ORIGIN = {
    Result.Origin.TABLE: gettext_noop("reported by the table"),
    Result.Origin.CARD: gettext_noop("entered with the table’s card"),
    Result.Origin.CLOCK: gettext_noop("decided at the deadline"),
}


def _history(pairing: Pairing, entrants: dict[int, Entrant]) -> list[HistoryRow]:
    """Every entered result, newest first: one query."""
    rows = Result.objects.filter(pairing=pairing).select_related("by", "by_entry").order_by("-pk")
    return [_line(result, pairing, entrants) for result in rows]


def _line(result: Result, pairing: Pairing, entrants: dict[int, Entrant]) -> HistoryRow:
    counts = result.pk == pairing.result_id
    if result.origin == Result.Origin.ORGANISER:
        words = (
            gettext("entered by %(name)s, organiser") % {"name": result.by}
            if result.by
            else gettext("entered by a former member, organiser")
        )
    elif result.origin == Result.Origin.PLAYER:
        by = result.by_entry or result.by
        words = gettext("entered by %(name)s") % {"name": by} if by else gettext("entered by a player")
    else:
        words = gettext(_ORIGIN[Result.Origin(result.origin)])
    replaced = gettext("final until it was changed") if result.confirmed_at else gettext("replaced before it was final")
    status = {
        Result.Status.REPORTED: gettext("waiting for the other side"),
        Result.Status.DISPUTED: gettext("disputed"),
        Result.Status.CONFIRMED: pgettext("result", "final") if counts else gettext("confirmed"),
        Result.Status.REPLACED: replaced,
    }[Result.Status(result.status)]
    score = result_words(result.lines, entrants, pairing.places.all())
    return HistoryRow(result.at, words, score, status, result.reason, counts)


def _ways(pairing: Pairing, stage: Stage, links: Links, entries: int) -> Sequence[Way]:
    """In a bracket: links to the matches before and after."""
    plan = Plan.read(stage.plan_json)
    if not plan.is_bracket or entries < 2:
        return ()
    if plan.format == "single_elimination":
        bracket = knockout.single(entries, third_place=plan.third_place)
    else:
        bracket = knockout.double(entries, reset=plan.reset)
    ways = []
    rounds = {match.name: knockout.english_round_title(bracket, match.round) for match in bracket.matches}
    for match in bracket.matches:
        for slot in match.slots:
            if slot in (Winner(pairing.name), Loser(pairing.name)):
                words = _onward(is_winner=isinstance(slot, Winner), is_conditional=match.is_conditional)
                ways.append(
                    Way(words, match_words(rounds[match.name], match.name, 1), links.match(stage.number, match.name))
                )
        if match.name == pairing.name:
            ways += [
                Way(gettext("Winner of") if isinstance(slot, Winner) else gettext("Loser of"),
                    match_words(rounds[slot.match], slot.match, 1), links.match(stage.number, slot.match))
                for slot in match.slots
                if isinstance(slot, Winner | Loser)
            ]  # fmt: skip
    return ways


def _onward(*, is_winner: bool, is_conditional: bool) -> str:
    """The words before a link."""
    if is_conditional:
        return gettext("The winner plays again in") if is_winner else gettext("The loser plays again in")
    return gettext("Winner goes to") if is_winner else gettext("Loser goes to")


def table_url(pairing: Pairing, player: User | AnonymousUser) -> str:
    """The table's address for spectators. Empty without the right to watch, and for players, who have another link."""
    table = pairing.table
    if table is None or not may_watch(player, table):
        return ""
    if is_somebody(player) and Seat.objects.filter(table=table, user__pk=player.pk).exists():
        return ""
    return table.get_absolute_url()
