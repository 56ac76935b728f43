"""Cups and play-offs of a season: seed, create, undo."""

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
from clubs.views.leagues.season_pages import Outcome, SeasonPage, run
from web.errors import Refused

_TYPED = ("act", "name", "round_days", "format", "border", "third_place")


def _cups(page: SeasonPage) -> HttpResponse:
    season = page.season
    divisions = season_plans.divisions_of(season)
    borders = [(0, gettext("The championship"))]
    borders += [
        (at, gettext("Between %(upper)s and %(lower)s") % {"upper": divisions[at - 1], "lower": divisions[at]})
        for at in range(1, len(divisions))
    ]
    typed = page.typed(*_TYPED)
    if _is_of_cup(page):
        typed["act"] = "cup"
    context = {
        "events": public.events(season),
        "seeds": _seeds(page) if season.status == Season.Status.RUNNING else None,
        "ways": [
            (name, words) for name, words in cup_seeds.WAYS.items() if name != "last" or cup_seeds.season_before(season)
        ],
        "borders": [(number, words, service.candidates(season, number)) for number, words in borders],
        "is_running": season.status == Season.Status.RUNNING,
        "typed": typed,
    }
    title = gettext("Cups and play-offs of %(season)s") % {"season": season}
    return page.render("clubs/league/cups.html", title, context)


def _is_of_cup(page: SeasonPage) -> bool:
    return page.wish == "cup" or _is_preview(page)


def _is_preview(page: SeasonPage) -> bool:
    """Whether the button only shows the seeds in a new order."""
    return page.wish == "order" or bool(page.text("move"))


def _seeds(page: SeasonPage) -> Seeds:
    teams = teams_of(page.season)
    if not _is_of_cup(page):
        return cup_form.fresh(page.season, teams)
    return cup_form.typed(page.season, teams, page.request.POST, page.text("move") or page.wish)


@run(_cups, at="cup", is_preview=_is_preview, is_beside=True)
def cups(page: SeasonPage) -> Outcome:
    """Create or undo cups and play-offs of a season."""
    season, to = page.season, page.path("cups")
    if page.wish == "undo":
        cup = SeasonEvent.objects.filter(pk=page.number("event") or 0, season=season).first()
        if cup is None:
            raise Refused("no_such_row", gettext("It no longer exists."))
        return Outcome(service.undo_event(cup.pk, page.person, **page.how), to)
    values: dict[str, Any] = {
        "name": page.text("name"),
        "third_place": "third_place" in page.request.POST,
        "round_days": _round_days(page),
    }
    if page.wish == "cup":
        seeds = _seeds(page)
        values |= {"team_ids": seeds.chosen, "seeding": seeds.way}
        way = page.text("format") or "single_elimination"
        return Outcome(_began(service.make_cup(season.pk, page.person, format=way, **values, **page.how)), to)
    if page.wish != "playoff":
        raise Refused("no_act", gettext("Choose an action."))
    border = page.number("border")
    if border is None:
        raise Refused("no_border", gettext("Choose the purpose of the play-off."), field="border")
    return Outcome(_began(service.make_playoff(season.pk, page.person, border=border, **values, **page.how)), to)


def _began(event: SeasonEvent) -> str:
    return gettext("%(event)s started.") % {"event": event}


def _round_days(page: SeasonPage) -> int:
    """Days for a round. Raises `Refused` at the control."""
    days = page.number("round_days") if page.text("round_days") else 14
    if days is None:
        raise Refused("bad_number", gettext("Enter a whole number of days for a round."), field="round_days")
    return days
