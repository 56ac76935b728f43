"""What other sites show for links to events: title, sentence and picture, as a stranger may see them.

Only public events have a picture of their own; links to others show that of the site.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch
from django.http import Http404
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext

from tournaments import event_parents, outcome, stage_standings
from tournaments.lookups import stage_among, stages_of
from tournaments.models import Entry, Pairing, Place, Stage, Tournament
from tournaments.plan import Plan
from tournaments.public import bracket, fragment_cache, listing, progress
from tournaments.public.matches import Match, match_of
from tournaments.public.names import entrant, entrants_of, links_of
from tournaments.public.tiebreak_text import total_words
from tournaments.round_names import round_words
from tournaments.stage_state import StageState, load
from web.link_cards import LinkCard, absolute
from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture
from web.link_pictures.layouts import Band, Row, Side
from web.oembed import Embed
from web.sent_numbers import read_whole
from web.text import join_words, on_calendar, several

Status = Tournament.Status
Content = Callable[[], Mapping[str, Any]]
"""Makes the content of a page's part, once."""
LEADERS = 3
"""More names than these say nothing."""


def is_public(event: Tournament) -> bool:
    """Whether a stranger finds the event by himself, so that a picture may show its names."""
    return event.visibility == Tournament.Visibility.PUBLIC and event.status != Status.DRAFT


# Cards, for the pages


def card(event: Tournament, stamp: str, name: str, key: str, content: Content, summary: str) -> LinkCard:
    """The card of a page of an event, whose part of this name and key is made by `content`; its words are cached."""
    title, description = event.name, ""
    if name in _WORDS and (name != "overview" or event.status == Status.OVER):
        words = fragment_cache.cached(
            event, stamp, f"card:{name}:{key}", lambda: _stored(_WORDS[name](event, content())), timed=False
        )
        title, description = json.loads(words)
    elif name != "overview":
        title = ""
    kind, path = _picture_of(event, name, key)
    picture = kinds.address(kind, path, _version(event)) if is_public(event) else ""
    return LinkCard(
        title, description or summary, picture, facts(event, summary), links_of(event).event if name in _FRAMED else ""
    )


def _stored(words: tuple[str, str]) -> SafeString:
    return SafeString(json.dumps(words))


_FRAMED = ("bracket", "levels", "standings")


def _picture_of(event: Tournament, name: str, key: str) -> tuple[str, str]:
    """Kind and key of the picture of a page."""
    if name in (*_FRAMED, "crosstable"):
        return "stage", f"{event.slug}/{key}"
    if name == "match":
        return "match", f"{event.slug}/{key}"
    return "event", event.slug


def event_picture(event: Tournament) -> str:
    """The path of the picture of a public event."""
    return kinds.address("event", event.slug, _version(event))


def _version(event: Tournament) -> str:
    return kinds.version_of(event.pk, event.version, event.name)


def facts(event: Tournament, summary: str) -> dict[str, Any] | None:
    """The event in the words of schema.org; nothing of one that is not public."""
    if not is_public(event):
        return None
    place: dict[str, Any] = {"@type": "VirtualLocation", "url": absolute(links_of(event).event)}
    if event.setting != Tournament.Setting.ONLINE and event.venue:
        place = {"@type": "Place", "name": event.venue, "address": event.venue}
    schema = {
        "@type": "SportsEvent",
        "name": event.name,
        "description": summary,
        "url": absolute(links_of(event).event),
        "sport": "Hand and Foot",
        "location": place,
        "eventStatus": f"https://schema.org/{'EventCancelled' if event.status == Status.CANCELLED else 'EventScheduled'}",
    }
    if begins := event.starts_at or event.started_at:
        schema["startDate"] = begins.astimezone(event.zone).isoformat(timespec="minutes")
    if event.ended_at and begins and event.ended_at >= begins:
        schema["endDate"] = event.ended_at.astimezone(event.zone).isoformat(timespec="minutes")
    return schema


def _overview_words(event: Tournament, content: Mapping[str, Any]) -> tuple[str, str]:
    """`Harbour Cup: Vermeer / Falk won`, and what decided a tie, once it is over."""
    winners = join_words(entrant.name for entrant in content["champions"])
    if not winners:
        return event.name, ""
    return gettext("%(event)s: %(names)s won") % {"event": event.name, "names": winners}, content["outcome"]


def _standings_words(event: Tournament, content: Mapping[str, Any]) -> tuple[str, str]:
    """`Harbour Cup: Vermeer / Falk lead`, `After round 3 of 7`."""
    tables, stage = content["tables"], content["stage"]
    leaders = [line.entrant.name for line in tables[0].lines if line.place in ("1", "1=")] if len(tables) == 1 else []
    sentence = content["progress"]
    return _leading(event, stage, leaders), f"{sentence[:1].upper()}{sentence[1:]}."


def _leading(event: Tournament, stage: Stage, leaders: Sequence[str]) -> str:
    values = {"event": event.name, "names": join_words(leaders)}
    if not leaders or len(leaders) > LEADERS:
        return f"{event.name}, {stage.name}"
    count = max(len(leaders), 1 if event.entry_kind == Tournament.Kind.PERSON else 2)
    if event.status == Status.OVER:
        return gettext("%(event)s: %(names)s won") % values
    return ngettext("%(event)s: %(names)s leads", "%(event)s: %(names)s lead", count) % values


def _bracket_words(event: Tournament, content: Mapping[str, Any]) -> tuple[str, str]:
    """`Harbour Cup: Vermeer / Falk against Penrose / Marsh`, `Final`."""
    drawn = content.get("drawn")
    focus = alive(drawn) if drawn else None
    if focus is None:
        return f"{event.name}, {content['stage'].name}", ""
    title = _match_title(focus.match) or content["stage"].name
    return f"{event.name}: {title}", f"{focus.title}."


def _match_title(match: Match) -> str:
    """`Vermeer / Falk 7,110, Menon / Haddad 5,645`, or before the result `Vermeer / Falk against Menon / Haddad`; empty
    while nobody is known, and for a bye."""
    if match.kind in ("bye", "maybe") or not all(side.entrants for side in match.sides):
        return ""
    if match.is_open and len(match.sides) == 2:
        first, second = (side.names for side in match.sides)
        return gettext("%(one)s against %(other)s") % {"one": first, "other": second}
    return ", ".join(f"{side.names} {side.score}".strip() for side in match.sides)


def _match_words(event: Tournament, content: Mapping[str, Any]) -> tuple[str, str]:
    title = _match_title(content["match"]) or f"{event.name}, {content['match'].called}"
    return title, f"{event.name}, {content['round']}."


_WORDS: dict[str, Callable[[Tournament, Mapping[str, Any]], tuple[str, str]]] = {
    "overview": _overview_words,
    "standings": _standings_words,
    "bracket": _bracket_words,
    "match": _match_words,
}


# The part of a bracket that is alive


@dataclass(frozen=True)
class Alive:
    """The match that decides next, and those that lead to it."""

    match: Match
    before: tuple[Match, ...]
    title: str


def alive(drawn: bracket.Drawn) -> Alive | None:
    """The last open match with both sides known, else the first with an open place; the final once all is over."""
    columns = drawn.halves[0].columns
    focus = [
        Alive(box, _before(columns, at, place), column.title)
        for at, column in enumerate(columns)
        for place, box in enumerate(column.boxes)
        if box is not None and box.kind not in ("bye", "maybe")
    ]
    is_open = [each for each in focus if each.match.is_open]
    known = [each for each in is_open if all(side.entrants for side in each.match.sides)]
    later = [each for each in is_open if each.before]
    return next(iter([*known[-1:], *later[:1], *is_open[:1], *focus[-1:]]), None)


def _before(columns: Sequence[bracket.Column], at: int, place: int) -> tuple[Match, ...]:
    """The matches of the column before that lead to this place."""
    if not at or len(columns[at - 1].boxes) != 2 * len(columns[at].boxes):
        return ()
    boxes = columns[at - 1].boxes[2 * place : 2 * place + 2]
    return tuple(box for box in boxes if box is not None and box.kind != "bye")


# Pictures


def find_event(key: str) -> Picture:
    """The picture of an event. Raises `Http404` unless it is public."""
    event = _public_event(key)
    return Picture(_version(event), lambda: draw_event(event))


def find_stage(key: str) -> Picture:
    """The picture of a stage: its standings, or the part of its bracket that is alive."""
    slug, _, number = key.rpartition("/")
    event = _public_event(slug)
    stage, _ = stage_among(stages_of(event), _number(number))
    return Picture(_version(event), lambda: _draw_stage(event, stage))


def find_match(key: str) -> Picture:
    """The picture of a match, by event, stage and name, or by the id of its pairing."""
    slug, _, pk = key.partition("/")
    event = _public_event(slug)
    places = Prefetch("places", Place.objects.select_related("entry"))
    pairings = Pairing.objects.filter(round__stage__tournament=event).select_related("round__stage")
    pairing = pairings.prefetch_related(places).filter(pk=_number(pk)).first()
    if pairing is None:
        raise Http404("Match not found.")
    return Picture(_version(event), lambda: _draw_match(event, pairing))


def _number(text: str) -> int:
    number = read_whole(text)
    if number is None:
        raise Http404("Page not found.")
    return number


def _public_event(slug: str) -> Tournament:
    event = Tournament.objects.filter(slug=slug).first()
    if event is None or not is_public(event):
        raise Http404("Event not found.")
    return event


def band(event: Tournament, line: str) -> Band:
    """The head of a picture of an event, in the colour of its club."""
    home = event_parents.home_of(event)
    return Band(event.name, line, home.crest if home else "", home.colour if home else "")


def day_words(event: Tournament) -> str:
    """`Sat 12 December 2026, 14:00`, or the days of an event that is longer."""
    begins = event.starts_at or event.started_at
    if begins is None:
        return ""
    there = begins.astimezone(event.zone)
    pattern = (
        pgettext("date format", "D j F Y, H:i") if event.status in listing.COMING else pgettext("date format", "j F Y")
    )
    return on_calendar(there, pattern)


def draw_event(event: Tournament) -> Canvas:
    """The stage that is played or decided; before that day, place and entries."""
    stages = stages_of(event)
    begun = [stage for stage in stages if stage.status != Stage.Status.WAITING]
    if event.status in (Status.RUNNING, Status.OVER) and begun:
        return _draw_stage(event, begun[-1])
    return _draw_facts(event, stages)


def _draw_facts(event: Tournament, stages: Sequence[Stage]) -> Canvas:
    where = event.venue or (gettext("online") if event.setting == Tournament.Setting.ONLINE else "")
    entered = Entry.objects.filter(tournament=event, status=Entry.Status.ENTERED).count()
    call = several(entered, listing.nouns(event)) if entered else ""
    if event.status == Status.CANCELLED:
        call = gettext("Cancelled")
    texts = [day_words(event), where[:1].upper() + where[1:]]
    if not any(texts):
        texts, call = [call or gettext("Hand and Foot")], ""
    return layouts.lines(band(event, listing.formats(stages)), texts, call)


def _draw_stage(event: Tournament, stage: Stage) -> Canvas:
    state, plan = load(stage, event), Plan.read(stage.plan_json)
    is_knockout = plan.is_bracket or plan.format == "pod_knockout"
    if event.status == Status.OVER and (won := outcome.of_state(state)) and won.champions and is_knockout:
        names = [entry.name for entry in won.champions]
        label = ngettext("Champion", "Champions", len(names) if event.entry_kind == Tournament.Kind.PERSON else 2)
        return layouts.lines(band(event, day_words(event)), names[:2], label)
    if plan.is_bracket and state.rounds:
        return _draw_bracket(event, state)
    rows = _rows(state)
    if not rows:
        return _draw_facts(event, stages_of(event))
    line = stage.name if event.status == Status.OVER else progress.words(state)
    return layouts.table(band(event, line[:1].upper() + line[1:]), rows)


def _rows(state: StageState) -> list[Row]:
    """The first rows of a stage: by points, else by places; before the first result the entries by seed."""
    entries = {at: entry.entry.name for at, entry in state.entries.items()}
    if state.plan.is_bracket or state.plan.format in ("pod_knockout", "ladder"):
        ranked = stage_standings.ranking(state) if state.rounds else ()
        if ranked:
            return [Row(str(each.rank), entries[each.entry], "", each.rank == 1) for each in ranked]
        return [Row("", name, "") for name in entries.values()]
    has_begun = any(table.is_decided for round_ in state.rounds for table in round_.tables)
    table = stage_standings.table(state)
    if not has_begun:
        return [Row("", entries[row.entry], "") for row in table]
    ranks = [row.rank for row in table]
    return [
        Row(
            f"{row.rank}=" if ranks.count(row.rank) > 1 else str(row.rank),
            entries[row.entry],
            total_words(row.points),
            row.rank == 1,
        )
        for row in table
    ]


def _draw_bracket(event: Tournament, state: StageState) -> Canvas:
    links = links_of(event)
    focus = alive(bracket.drawn(state, entrants_of(state, links), links, live={}, corrected=()))
    if focus is None:
        return layouts.table(band(event, state.stage.name), _rows(state))
    at = focus.match.pairing.starts_at or focus.match.pairing.round.starts_at
    when = on_calendar(at.astimezone(event.zone), pgettext("date format", "l j F")) if at else ""
    line = gettext("%(round)s: %(day)s") % {"round": focus.title, "day": when} if when else focus.title
    if not focus.before:
        return layouts.match(band(event, line), _sides(focus.match))
    names = [side.names if side.entrants else "" for side in focus.match.sides]
    return layouts.bracket(band(event, line), [_sides(each) for each in focus.before], names, gettext("against"))


def _sides(match: Match) -> list[Side]:
    return [Side(side.names, side.score, side.has_won) for side in match.sides]


def _draw_match(event: Tournament, pairing: Pairing) -> Canvas:
    links, places = links_of(event), list(pairing.places.all())
    entrants = {place.entry.pk: entrant(place.entry, links) for place in places if place.entry}
    match = match_of(pairing, places, entrants, "", live={})
    round_ = round_words(pairing.round.name)
    if not _match_title(match):
        return _draw_facts(event, stages_of(event))
    at = pairing.starts_at or pairing.round.starts_at
    note = ""
    if pairing.is_open and at is not None:
        there = at.astimezone(event.zone)
        has_time = (there.hour, there.minute) != (0, 0)  # matchdays of a league have days alone
        note = on_calendar(
            there, pgettext("date format", "l j F, H:i") if has_time else pgettext("date format", "l j F")
        )
    return layouts.match(band(event, round_[:1].upper() + round_[1:]), _sides(match), note)


# Elsewhere


def embed_of_stage(event: str, stage: int) -> Embed:
    """The frame of a stage for other sites. Raises `Http404` unless the event is public."""
    about = _public_event(event)
    stage_, _ = stage_among(stages_of(about), stage)
    frame = reverse("tournaments:embed", args=[about.slug, stage_.number])
    picture = kinds.address("stage", f"{about.slug}/{stage_.number}", _version(about))
    return Embed(f"{about.name}, {stage_.name}", picture, frame)


def draw_ahead(tournament: Tournament) -> list[tuple[str, str]]:
    """Kinds and keys of the pictures that a result changes, for drawing them before somebody asks."""
    if not is_public(tournament):
        return []
    stages = Stage.objects.filter(tournament=tournament).exclude(status=Stage.Status.WAITING)
    latest = stages.order_by("-number").values_list("number", flat=True)[:1]
    return [("event", tournament.slug), *(("stage", f"{tournament.slug}/{number}") for number in latest)]
