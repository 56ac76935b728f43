"""The desk of a season: tasks while it runs, days off, and its close."""

from datetime import timedelta

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from clubs.bring_in.reading import FIXTURES
from clubs.models import Act, Blackout, KeptAside, Season, SeasonEntry, Team
from clubs.organiser import season as reading
from clubs.organiser.typed_fields import day_of
from clubs.public import fixtures as matches
from clubs.public import season as public
from clubs.services.leagues import matchday_edits
from clubs.services.seasons import season_close, season_draw, season_plans, season_setup
from clubs.views.leagues.season_pages import Outcome, SeasonPage, run
from web.errors import Refused

Status = Season.Status


def teams_of(season: Season) -> list[Team]:
    """The teams of a season by division and name."""
    entries = SeasonEntry.objects.filter(season=season).select_related("team", "division")
    return [entry.team for entry in entries.order_by("division__level", "team__name")]


# The desk


def _desk(page: SeasonPage) -> HttpResponse:
    season = page.season
    divisions = season_plans.divisions_of(season)
    is_draft = season.status == Status.DRAFT
    may_see = "leagues" in page.visit.may and "members" in page.visit.may
    act = None if is_draft else season_draw.import_of(season)
    context = {
        "divisions": divisions,
        "is_draft": is_draft,
        "outlook": reading.outlook(season_draw.preview(season)) if is_draft else None,
        "desk": None if is_draft else reading.running(season, divisions),
        "events": public.events(season),
        "is_made_by_list": act is not None and season_draw.is_made_by(act, season),
        "kept_aside": _kept_aside(act) if act is not None and may_see else (),
        "may_run": "leagues" in page.visit.may and not page.visit.club.archived_at,
        "zone_words": matches.zone_words(page.visit.club),
        "next": Season.objects.filter(drawn_from=season).first(),
        "typed": page.typed("number", "first_day"),
    }
    return page.render(
        "clubs/league/desk.html",
        gettext("Manage %(league)s %(season)s") % {"league": season.league, "season": season},
        context,
    )


def _kept_aside(act: Act) -> QuerySet[KeptAside]:
    """The rows that an import set aside: within it, so just after its time."""
    rows = KeptAside.objects.filter(club=act.club_id, what=FIXTURES)
    return rows.filter(created_at__gte=act.at, created_at__lt=act.at + timedelta(minutes=1))


@run(_desk, at="matchday", needed="results")
def desk(page: SeasonPage) -> Outcome:
    """Tasks in a season, and links to everything in it; moves a matchday."""
    number = page.number("number")
    if number is None:
        raise Refused("no_round", gettext("Choose the matchday."), field="number")
    day = day_of(page.text("first_day"), "first_day", gettext("Enter the new date."))
    act = matchday_edits.move_matchday(page.season.pk, page.person, number=number, first_day=day, **page.how)
    return Outcome(act, page.path("season_desk"))


# Days off


def _days_off(page: SeasonPage) -> HttpResponse:
    season = page.season
    context = {
        "rows": Blackout.objects.filter(season=season).select_related("team").order_by("first_day", "pk"),
        "teams": teams_of(season),
        "is_draft": season.status == Status.DRAFT,
        "typed": page.typed("first_day", "last_day", "reason", "team"),
    }
    return page.render("clubs/league/days_off.html", gettext("Days off in %(season)s") % {"season": season}, context)


@run(_days_off, at="off")
def days_off(page: SeasonPage) -> Outcome:
    """Days off of everyone, or of one team."""
    season, key, to = page.season, page.how.get("request_key"), page.path("days_off")
    if page.wish == "remove":
        blackout = Blackout.objects.filter(pk=page.number("blackout") or 0, season=season).first()
        if blackout is None:
            raise Refused("no_such_row", gettext("These are no longer days off."))
        return Outcome(season_setup.remove_blackout(blackout.pk, page.person, request_key=key), to)
    first = day_of(page.text("first_day"), "first_day", gettext("Enter a start date."))
    typed = page.text("last_day")
    season_setup.add_blackout(
        season.pk,
        page.person,
        first_day=first,
        last_day=day_of(typed, "last_day", "") if typed else first,
        reason=page.text("reason"),
        team_id=page.number("team"),
        request_key=key,
    )
    return Outcome(gettext("Days off saved."), to)


# The close


def _close(page: SeasonPage) -> HttpResponse:
    season = page.season
    if season.status == Status.DRAFT:
        return HttpResponseRedirect(page.path("season_desk"))
    is_closed = season.status == Status.CLOSED
    context = {
        "found": season_close.read_closed(season) if is_closed else season_close.preview(season),
        "is_closed": is_closed,
        "next": Season.objects.filter(drawn_from=season).first(),
    }
    return page.render("clubs/league/close.html", gettext("Close %(season)s") % {"season": season}, context)


@run(_close, at="close")
def close(page: SeasonPage) -> Outcome:
    """Preview the close of a season, close it, or undo the close."""
    if page.wish == "undo":
        return Outcome(season_close.undo_close(page.season.pk, page.person, **page.how), page.path("season_desk"))
    if page.wish == "close":
        return Outcome(season_close.close(page.season.pk, page.person, **page.how), page.path("close_season"))
    raise Refused("no_act", gettext("Choose an action."))
