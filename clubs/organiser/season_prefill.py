"""The form of a season before anything is typed: the usual choices, those of the last season, or the saved ones."""

from collections.abc import Sequence
from datetime import date, time, timedelta

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from clubs.house_rules.page import newest
from clubs.models import Blackout, Club, Division, League, Meeting, Season
from clubs.organiser.season_choices import USUAL_PACE, VERSION, often_of, points_of
from clubs.organiser.season_form import TIEBREAKS, DivisionRow, OffRow, Typed
from clubs.services.seasons import season_plans
from tournaments.models import Tournament
from tournaments.plan import standard


def fresh(league: League) -> Typed:
    """The form of a new season: the usual choices, or those of the last season."""
    count = league.teams.filter(left_at=None).count()
    last = Season.objects.filter(league=league).order_by("-number").first()
    if last is not None:
        typed = stored(last)
        values = {**typed.values, "name": _next_name(league), "starts_on": _same_weekday(league, last).isoformat()}
        values["split"] = "last"
        rows = [DivisionRow("", row.name, row.size, row.up, row.down) for row in typed.divisions]
        return Typed(values, typed.flags, typed.tiebreaks, rows, [OffRow()], playing=count)
    first, at = _first_evening(league.club)
    values = {
        "split": "one",
        "name": _next_name(league),
        "rules": _usual_rules(league.club),
        "setting": Tournament.Setting.FACE,
        "pace": USUAL_PACE,
        "legs": "1",
        "points": "2-1-0",
        "scoring": "by_result",
        "win": "2",
        "draw": "1",
        "loss": "0",
        "no_show": Tournament.NoShow.ORGANISER,
        "side_size": "4" if league.kind == League.Kind.TEAM else "",
        "starts_on": first.isoformat(),
        "days": "7",
        "often": "7",
        "play_days": "7",
        "plays_at": f"{at:%H:%M}" if at else "",
    }
    flags = {"swaps_sides": True, "is_rated": False}
    rows = [DivisionRow(name="Division 1", size=str(max(2, count) if count else 8)), DivisionRow()]
    return Typed(values, flags, _padded(standard("round_robin").tiebreaks), rows, [OffRow()], playing=count)


def _next_name(league: League) -> str:
    last = Season.objects.filter(league=league).aggregate(last=Max("number"))["last"] or 0
    return gettext("Season %(number)s") % {"number": last + 1}


def _same_weekday(league: League, last: Season) -> date:
    """The first day from today on, and after the last season’s, with its weekday."""
    today = timezone.localdate(timezone=league.club.zone)
    weeks = max(1, -(-(today - last.starts_on).days // 7))
    return last.starts_on + timedelta(weeks=weeks)


def _first_evening(club: Club) -> tuple[date, time | None]:
    """Day and time of the club’s next meeting; without one, today in a week."""
    now = timezone.now()
    meeting = Meeting.objects.filter(club=club, is_called_off=False, starts_at__gte=now).order_by("starts_at").first()
    if meeting is None:
        return timezone.localdate(timezone=club.zone) + timedelta(days=7), None
    at = timezone.localtime(meeting.starts_at, club.zone)
    return at.date(), at.time()


def _usual_rules(club: Club) -> str:
    """The only house rules of a club, else a published ruleset."""
    versions = list(newest().filter(house_rules__club=club, house_rules__is_archived=False)[:2])
    return f"{VERSION}{versions[0].pk}" if len(versions) == 1 else "standard"


def stored(season: Season) -> Typed:
    """The form of a saved season."""
    plan = season_plans.plan_of(season)
    settings = season_plans.values_for(season)
    version = season.rules_version_id
    values = {
        "name": season.name,
        "rules": f"{VERSION}{version}" if version else season.rules.name,
        "setting": str(settings["setting"]),
        "pace": str((season.settings.get("terms") or {}).get("clock_hours", USUAL_PACE)),
        "legs": str(plan.legs),
        "scoring": plan.scoring,
        "win": str(plan.win),
        "draw": str(plan.draw),
        "loss": str(plan.loss),
        "no_show": str(season.settings.get("no_show", Tournament.NoShow.ORGANISER)),
        "side_size": str(settings["side_size"]),
        "starts_on": season.starts_on.isoformat(),
        "days": str(season.days),
        "often": often_of(str(season.days)),
        "play_days": str(season.play_days),
        "plays_at": f"{season.plays_at:%H:%M}" if season.plays_at else "",
    }
    values["points"] = points_of(values)
    flags = {"swaps_sides": season.swaps_sides, "is_rated": bool(season.settings.get("is_rated"))}
    return Typed(values, flags, _padded(plan.tiebreaks), _division_rows(season), _off_rows(season))


def _division_rows(season: Season) -> list[DivisionRow]:
    rows = list(Division.objects.filter(season=season).order_by("level"))
    ups, downs = (season_plans.borders(numbers, len(rows)) for numbers in (season.up, season.down))
    return [
        DivisionRow(
            str(division.pk),
            division.name,
            str(division.size),
            str(ups[at - 1]) if at else "1",
            str(downs[at]) if at < len(downs) else "1",
        )
        for at, division in enumerate(rows)
    ]


def _off_rows(season: Season) -> list[OffRow]:
    rows = Blackout.objects.filter(season=season, team=None).order_by("first_day", "pk")
    fields = rows.values_list("pk", "first_day", "last_day", "reason")
    return [*(OffRow(str(pk), str(first), str(last), reason) for pk, first, last, reason in fields), OffRow()]


def _padded(tiebreaks: Sequence[str]) -> list[str]:
    return [*tiebreaks, *[""] * TIEBREAKS][:TIEBREAKS]
