"""The desk of a season: what waits while it runs, days off, and its close."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from clubs.models import Blackout, Season, SeasonEntry, Team
from clubs.organiser import season as reading
from clubs.organiser.season_form import day_of
from clubs.public import fixtures as matches
from clubs.public import season as public
from clubs.services.leagues import matchday_edits
from clubs.services.seasons import season_close, season_draw, season_plans, season_setup
from clubs.views.leagues.season_pages import Asked, Done, run
from web.errors import Refused

Status = Season.Status


def teams_of(season: Season) -> list[Team]:
    """The teams of a season by division and name."""
    own = SeasonEntry.objects.filter(season=season).select_related("team", "division")
    return [one.team for one in own.order_by("division__level", "team__name")]


# The desk


def _desk(asked: Asked) -> HttpResponse:
    row = asked.season
    divisions = season_plans.divisions_of(row)
    is_draft = row.status == Status.DRAFT
    context = {
        "divisions": divisions,
        "is_draft": is_draft,
        "outlook": reading.outlook(season_draw.preview(row)) if is_draft else None,
        "desk": None if is_draft else reading.running(row, divisions),
        "events": public.events(row),
        "may_run": "leagues" in asked.seen.may and not asked.seen.club.archived_at,
        "zone_words": matches.zone_words(asked.seen.club),
        "next": Season.objects.filter(drawn_from=row).first(),
        "typed": asked.typed("number", "first_day"),
    }
    return asked.page(
        "clubs/league/desk.html",
        gettext("Manage %(league)s %(season)s") % {"league": row.league, "season": row},
        context,
    )


@run(_desk, at="matchday", look="results")
def desk(asked: Asked) -> Done:
    """What waits in a season, and the way to everything that can be done with it; moves a matchday."""
    number = asked.number("number")
    if number is None:
        raise Refused("no_round", gettext("Choose the matchday."), field="number")
    day = day_of(asked.text("first_day"), "first_day", gettext("Enter the new date."))
    act = matchday_edits.move_matchday(asked.season.pk, asked.person, number=number, first_day=day, **asked.how)
    return Done(act, asked.path("season_desk"))


# Days off


def _days_off(asked: Asked) -> HttpResponse:
    row = asked.season
    context = {
        "rows": Blackout.objects.filter(season=row).select_related("team").order_by("first_day", "pk"),
        "teams": teams_of(row),
        "is_draft": row.status == Status.DRAFT,
        "typed": asked.typed("first_day", "last_day", "reason", "team"),
    }
    return asked.page("clubs/league/days_off.html", gettext("Days off in %(season)s") % {"season": row}, context)


@run(_days_off, at="off")
def days_off(asked: Asked) -> Done:
    """On which days nobody, or one team, plays."""
    row, key, to = asked.season, asked.how.get("request_key"), asked.path("days_off")
    if asked.wish == "remove":
        found = Blackout.objects.filter(pk=asked.number("blackout") or 0, season=row).first()
        if found is None:
            raise Refused("no_such_row", gettext("These are no longer days off."))
        return Done(season_setup.remove_blackout(found.pk, asked.person, request_key=key), to)
    first = day_of(asked.text("first_day"), "first_day", gettext("Enter a start date."))
    typed = asked.text("last_day")
    season_setup.add_blackout(
        row.pk,
        asked.person,
        first_day=first,
        last_day=day_of(typed, "last_day", "") if typed else first,
        reason=asked.text("reason"),
        team_id=asked.number("team"),
        request_key=key,
    )
    return Done(gettext("Days off saved."), to)


# The close


def _close(asked: Asked) -> HttpResponse:
    row = asked.season
    if row.status == Status.DRAFT:
        return HttpResponseRedirect(asked.path("season_desk"))
    is_closed = row.status == Status.CLOSED
    context = {
        "found": season_close.kept(row) if is_closed else season_close.preview(row),
        "is_closed": is_closed,
        "next": Season.objects.filter(drawn_from=row).first(),
    }
    return asked.page("clubs/league/close.html", gettext("Close %(season)s") % {"season": row}, context)


@run(_close, at="close")
def close(asked: Asked) -> Done:
    """The close of a season looked at beforehand, made, and taken back."""
    if asked.wish == "undo":
        return Done(season_close.undo_close(asked.season.pk, asked.person, **asked.how), asked.path("season_desk"))
    if asked.wish == "close":
        return Done(season_close.close(asked.season.pk, asked.person, **asked.how), asked.path("close_season"))
    raise Refused("no_act", gettext("Choose an action."))
