"""API views for the other public pages of an event: crosstables, results, paths, rules, files."""

from typing import Any

from django.db.models import Q
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from engine.play.rule_sheet.sheet import rule_sheet
from gameplay.api.base import player, read_query
from gameplay.api.tables import answer
from gameplay.house_rules.rule_titles import title
from tournaments import access, terms
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import MayLook, door, file_view, page_at, read_view, reader
from tournaments.exports import calendar, source
from tournaments.lookups import entry_of, stage_of
from tournaments.models import Pairing, Stage
from tournaments.plan import Plan
from tournaments.public import crosstable, entry_path, format_text, live, rule_sheets
from tournaments.public.names import entrants_of, links_of
from tournaments.stage_state import load
from tournaments.terms import Terms

FILES = {
    "event.json": "event_json",
    "entries.csv": "entries_csv",
    "results.csv": "results_csv",
    "schedule.csv": "schedule_csv",
    "schedule.pdf": "schedule_pdf",
    "calendar.ics": "calendar",
    "feed.atom": "feed",
    "preview.png": "preview",
}
"""Files of an event, by the names of their pages."""
STAGE_FILES = {
    "standings.csv": "standings_csv",
    "standings.pdf": "standings_pdf",
    "crosstable.pdf": "crosstable_pdf",
    "bracket.pdf": "bracket_pdf",
}


@read_view(response_serializers.Crosstables, name="events_crosstable_retrieve")
def crosstables(request: Request, event: str, stage: int) -> Response:
    """The crosstable of a stage, or of each of its groups."""
    tournament = access.open_event(reader(request), event)
    stage_ = stage_of(tournament, stage)
    if not crosstable.has_crosstable(Plan.read(stage_.plan_json)):
        raise Http404(gettext("This stage has no crosstable."))
    state, links = load(stage_, tournament), links_of(tournament)
    tables = [_crosstable(table) for table in crosstable.crosstables(state, entrants_of(state, links), links)]
    return answer(request, response_serializers.Crosstables, {"tables": tables, "version": tournament.version})


def _crosstable(table: crosstable.Crosstable) -> dict[str, Any]:
    lines = [
        {
            "place": line.place,
            "entry": line.entrant.number,
            "name": line.entrant.name,
            "cells": line.cells,
            "points": line.points,
        }
        for line in table.lines
    ]
    return {"title": table.title, "by_round": table.by_round, "heads": table.heads, "lines": lines}


@read_view(response_serializers.Results, asks=request_serializers.WhichResults, name="events_results_list")
def results(request: Request, event: str) -> Response:
    """Matches with a result, newest first."""
    tournament = access.open_event(reader(request), event)
    query = read_query(request_serializers.WhichResults, request)
    finished = Pairing.objects.filter(status=Pairing.Status.DONE, done_at__isnull=False)
    rows = finished.filter(round__stage__tournament=tournament)
    if "before" in query:
        last = rows.filter(pk=query["before"]).first()
        if last is None:
            raise Http404(gettext("Result not found."))
        rows = rows.filter(Q(done_at__lt=last.done_at) | Q(done_at=last.done_at, pk__lt=last.pk))
    ordered = facts.with_places(rows.order_by("-done_at", "-pk"))
    page, more = facts.a_page(ordered[: query["limit"] + 1], query["limit"])
    data = {"matches": facts.matches(page), "more": more, "version": tournament.version}
    return answer(request, response_serializers.Results, data)


@read_view(response_serializers.Path, name="events_entries_path_retrieve")
def path(request: Request, event: str, entry: int) -> Response:
    """An entry's path through the event: opponents, results, next match, possible ranks."""
    tournament = access.open_event(reader(request), event)
    entry_, links = entry_of(tournament, entry), links_of(tournament)
    stages = Stage.objects.filter(tournament=tournament).exclude(status=Stage.Status.WAITING)
    stretches = []
    playing = live.playing(tournament)
    for stage in stages:
        state = load(stage, tournament)
        if part := entry_path.stretch(state, entry_, entrants_of(state, links), links, live=playing):
            stretches.append(part)
    following = entry_path.next_step(stretches)
    data = {
        "entry": entry_.number,
        "name": entry_.name,
        "stages": [_stretch(stretch) for stretch in stretches],
        "next": following.match.name if following and following.match else None,
        "version": tournament.version,
    }
    return answer(request, response_serializers.Path, data)


def _stretch(stretch: entry_path.Stretch) -> dict[str, Any]:
    names = ("round", "partners", "against", "score", "outcome", "points", "words")
    steps = [
        {**{name: getattr(step, name) for name in names}, "match": step.match.name if step.match else None}
        for step in stretch.steps
    ]
    return {
        "stage": stretch.stage.number,
        "group": stretch.group,
        "rank": stretch.rank,
        "points": stretch.points,
        "sentence": stretch.range,
        "steps": steps,
    }


def _sheet(played_by: Terms) -> dict[str, Any]:
    """A rule sheet: its title and sections."""
    sections = rule_sheet(played_by.rules)
    return {
        "title": title(played_by.rules_ref, played_by.rules),
        "sections": [
            {"title": section.title, "sentences": [sentence.text for sentence in section.sentences]}
            for section in sections
        ],
    }


@read_view(response_serializers.EventRules, name="events_rules_retrieve")
def rules(request: Request, event: str) -> Response:
    """The rule sheet of the event's matches, and its scoring."""
    tournament = access.open_event(reader(request), event)
    rows = list(Stage.objects.filter(tournament=tournament))
    following = [*rows[1:], None]
    data = {
        **_sheet(terms.of_event(tournament)),
        "others": [{"name": each.title, **_sheet(each.terms)} for each in rule_sheets.sheets(tournament, rows)[1:]],
        "matches": format_text.matches(tournament),
        "stages": [
            {
                "number": words.stage.number,
                "name": words.stage.name,
                "sentences": words.sentences,
                "cut": format_text.cut_sentence(words.stage, then),
            }
            for words, then in zip(format_text.stages(rows), following, strict=True)
        ],
        "version": tournament.version,
    }
    return answer(request, response_serializers.EventRules, data)


# Files


_file = file_view(MayLook, response_serializers.EventRefusal)


@_file
def file(request: Request, event: str, file: str) -> HttpResponse:
    """A file of the event, as its pages have it."""
    return page_at(request, reverse(f"tournaments:{FILES[file]}", args=[event]))


@_file
def stage_file(request: Request, event: str, stage: int, file: str) -> HttpResponse:
    """A file of a stage, as the event's pages have it."""
    return page_at(request, reverse(f"tournaments:{STAGE_FILES[file]}", args=[event, stage]))


@_file
def entry_calendar(request: Request, event: str, entry: int) -> HttpResponse:
    """The matches of an entry, for calendar programs."""
    return page_at(request, reverse("tournaments:entry_calendar", args=[event, entry]))


@door("GET", "events_read", response_serializers.OwnCalendar, name="competing_calendar_retrieve")
def own_calendar(request: Request) -> Response:
    """The calendar address for your matches in all events."""
    address = source.full_url(reverse("tournaments:my_calendar", args=[calendar.token(player(request))]))
    return answer(request, response_serializers.OwnCalendar, {"url": address})
