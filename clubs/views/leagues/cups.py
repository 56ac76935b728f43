"""Cups and play-offs alongside a season: seeded, made, and taken back."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from clubs.models import Season, SeasonEvent
from clubs.organiser import cup_form
from clubs.organiser.cup_form import Seeds
from clubs.public import season as public
from clubs.services.seasons import cup_seeds, season_plans
from clubs.services.seasons import cups as service
from clubs.views.leagues.season_desk import teams_of
from clubs.views.leagues.season_pages import Asked, Done, run
from web.errors import Refused

_TYPED = ("act", "name", "round_days", "format", "border", "third_place")


def _cups(asked: Asked) -> HttpResponse:
    row = asked.season
    divisions = season_plans.divisions_of(row)
    borders = [(0, gettext("The championship"))]
    borders += [
        (
            at,
            gettext("Between %(upper)s and %(lower)s") % {"upper": divisions[at - 1], "lower": divisions[at]},
        )
        for at in range(1, len(divisions))
    ]
    typed = asked.typed(*_TYPED)
    if _is_of_cup(asked):
        typed["act"] = "cup"
    context = {
        "events": public.events(row),
        "seeds": _seeds(asked) if row.status == Season.Status.RUNNING else None,
        "ways": [
            (name, words) for name, words in cup_seeds.WAYS.items() if name != "last" or cup_seeds.season_before(row)
        ],
        "borders": [(number, words, service.candidates(row, number)) for number, words in borders],
        "is_running": row.status == Season.Status.RUNNING,
        "typed": typed,
    }
    return asked.page("clubs/league/cups.html", gettext("Cups and play-offs of %(season)s") % {"season": row}, context)


def _is_of_cup(asked: Asked) -> bool:
    return asked.wish == "cup" or _is_look(asked)


def _is_look(asked: Asked) -> bool:
    """Whether a button only shows the order of the seeds anew."""
    return asked.wish == "order" or bool(asked.text("move"))


def _seeds(asked: Asked) -> Seeds:
    teams = teams_of(asked.season)
    if not _is_of_cup(asked):
        return cup_form.fresh(asked.season, teams)
    return cup_form.typed(asked.season, teams, asked.request.POST, asked.text("move") or asked.wish)


@run(_cups, at="cup", is_look=_is_look, is_beside=True)
def cups(asked: Asked) -> Done:
    """Cups and play-offs alongside a season: made, and taken back."""
    row, to = asked.season, asked.path("cups")
    if asked.wish == "undo":
        found = SeasonEvent.objects.filter(pk=asked.number("event") or 0, season=row).first()
        if found is None:
            raise Refused("no_such_row", gettext("It no longer exists."))
        return Done(service.undo_event(found.pk, asked.person, **asked.how), to)
    values: dict[str, Any] = {
        "name": asked.text("name"),
        "third_place": "third_place" in asked.request.POST,
        "round_days": _round_days(asked),
    }
    if asked.wish == "cup":
        seeds = _seeds(asked)
        values |= {"team_ids": seeds.chosen, "seeding": seeds.way}
        way = asked.text("format") or "single_elimination"
        return Done(_began(service.make_cup(row.pk, asked.person, format=way, **values, **asked.how)), to)
    if asked.wish != "playoff":
        raise Refused("no_act", gettext("Choose an action."))
    border = asked.number("border")
    if border is None:
        raise Refused("no_border", gettext("Choose the purpose of the play-off."), field="border")
    return Done(_began(service.make_playoff(row.pk, asked.person, border=border, **values, **asked.how)), to)


def _began(event: SeasonEvent) -> str:
    return gettext("%(event)s started.") % {"event": event}


def _round_days(asked: Asked) -> int:
    """How long a round takes. Raises `Refused` at the control."""
    days = asked.number("round_days") if asked.text("round_days") else 14
    if days is None:
        raise Refused("bad_number", gettext("Enter a whole number of days for a round."), field="round_days")
    return days
