"""Times and places of league matches: checks, and changes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from clubs.league import permissions
from clubs.models import Division, Fixture, Proposal, Season, SeasonEntry, SeasonEvent, SeasonEventEntry, Team
from clubs.services import lookups, naming, notifications
from clubs.services.history import Record
from clubs.services.seasons import season_plans
from clubs.text import weekday
from tournaments.models import Pairing, Round, Tournament
from tournaments.services.matches import match_scheduling
from tournaments.stage_state import has_begun
from web.errors import NotAllowed, Refused
from web.text import date_and_time, either, zone_name

LONGEST_VENUE = 200
AFTER = timedelta(days=1)
"""Time after its start in which a match outside of its matchday can be played."""


@dataclass(frozen=True)
class LeagueMatch:
    """A match of a league under the club's lock: its season and its teams, the home side first."""

    pairing: Pairing
    season: Season
    teams: tuple[Team, ...]

    def __str__(self) -> str:
        return " – ".join(team.name for team in self.teams)

    def opponents(self, team: Team) -> tuple[Team, ...]:
        """The other side of the match."""
        return tuple(other for other in self.teams if other.pk != team.pk)


def season_of(pairing_id: int) -> Season | None:
    """The season that a match belongs to; `None` if it is of no league."""
    tournament = Pairing.objects.filter(pk=pairing_id).values("round__stage__tournament")
    seasons = Season.objects.select_related("league__club")
    division = Division.objects.filter(tournament__in=tournament).values("season")
    event = SeasonEvent.objects.filter(tournament__in=tournament).values("season")
    return seasons.filter(pk__in=division).first() or seasons.filter(pk__in=event).first()


def club_of(pairing_id: int) -> int:
    """The id of the club that runs a match's league. Raises `Refused` if it is of none."""
    season = season_of(pairing_id)
    if season is None:
        raise Refused("no_match", gettext(lookups.GONE))
    return season.league.club_id


def match_of(record: Record, pairing_id: int) -> LeagueMatch:
    """A match of the club's league whose teams are known. Raises `Refused`."""
    season = season_of(pairing_id)
    pairing = Pairing.objects.select_related("round__stage__tournament", "table").filter(pk=pairing_id).first()
    if season is None or pairing is None or season.league.club_id != record.club.pk:
        raise Refused("no_match", gettext(lookups.GONE))
    ids = list(pairing.places.order_by("number").values_list("entry_id", flat=True))
    teams = teams_of(pk for pk in ids if pk is not None)
    if len(teams) < len(ids):
        raise Refused("not_drawn", gettext("The sides of this match are not known yet."))
    return LeagueMatch(pairing, season, tuple(teams[pk] for pk in ids if pk is not None))


def teams_of(entry_ids: Iterable[int]) -> dict[int, Team]:
    """Teams by the ids of their entries. Two queries."""
    ids = list(entry_ids)
    teams: dict[int, Team] = {}
    for model in (SeasonEntry, SeasonEventEntry):
        of_entry = model._default_manager.filter(entry__in=ids).select_related("team__league__club", "team__club")
        teams.update({entry.entry_id or 0: entry.team for entry in of_entry})
    return teams


def team_of(match: LeagueMatch, team_id: int) -> Team:
    """Find one of the sides. Raises `Refused`."""
    side = next((team for team in match.teams if team.pk == team_id), None)
    if side is None:
        raise Refused("no_side", gettext("Choose a side of the match."), field="team")
    return side


# Checks


def check_open(match: LeagueMatch) -> None:
    """Raise `Refused` unless the match is still to play."""
    if match.season.status != Season.Status.RUNNING:
        raise Refused("not_running", gettext("%(season)s is not under way.") % {"season": match.season})
    if not match.pairing.is_open:
        raise Refused("done", gettext("%(match)s already has a result.") % {"match": match})
    if has_begun(match.pairing):
        raise Refused("has_begun", gettext("%(match)s has already started.") % {"match": match})


def check_when(match: LeagueMatch, starts_at: datetime, now: datetime) -> None:
    """Raise `Refused` (field `starts_at`) for a time in the past, outside of the season, or on days off."""
    if starts_at <= now:
        raise Refused("past", gettext("That time is in the past."), field="starts_at")
    last = last_moment(match)
    zone = match.season.league.club.zone
    if last is not None and starts_at > last:
        day = last.astimezone(zone).date()
        raise Refused(
            "too_late",
            gettext("The season ends on %(day)s. Play before that.") % {"day": weekday(day)},
            field="starts_at",
        )
    day = starts_at.astimezone(zone).date()
    for off in season_plans.off_for_all(match.season):
        if off.covers(day):
            raise Refused(
                "day_off",
                gettext("Nobody plays on %(day)s%(reason)s.") % {"day": weekday(day), "reason": _why(off.reason)},
                field="starts_at",
            )
    by_team = season_plans.off_by_team(match.season)
    for team in match.teams:
        for off in by_team.get(team.pk, []):
            if off.covers(day):
                words = gettext("%(team)s cannot play on %(day)s%(reason)s.") % {
                    "team": team,
                    "day": weekday(day),
                    "reason": _why(off.reason),
                }
                raise Refused("day_off", words, field="starts_at")


def last_moment(match: LeagueMatch) -> datetime | None:
    """The end of the season's matches; in a cup not before the match's own deadline."""
    rounds = Round.objects.filter(stage__tournament__division__season=match.season)
    last = rounds.aggregate(last=Max("deadline_at"))["last"]
    ends = [at for at in (last, match.pairing.deadline_at, match.pairing.round.deadline_at) if at is not None]
    return max(ends, default=None)


def check_where(match: LeagueMatch, is_online: bool | None) -> bool:
    """Whether the match is online; `None` keeps it. Raises `Refused` (field `is_online`) if the season decides this."""
    if is_online is None or is_online == match.pairing.is_online:
        return match.pairing.is_online
    setting = match.season.settings.get("setting", Tournament.Setting.FACE)
    if setting != Tournament.Setting.MIXED:
        if setting == Tournament.Setting.ONLINE:
            words = gettext("Matches of %(season)s are played online.")
        else:
            words = gettext("Matches of %(season)s are played face to face.")
        raise Refused("bad_setting", words % {"season": match.season}, field="is_online")
    return is_online


def check_side(by: User, teams: Iterable[Team]) -> None:
    """Raise `NotAllowed` unless the person may act for one of these sides."""
    sides = list(teams)
    if not any(permissions.may_act_for(by, team) for team in sides):
        names = either([str(team) for team in sides])
        raise NotAllowed(
            "not_yours",
            gettext("Only a player or captain of %(names)s, or an organiser, can do that.") % {"names": names},
        )


def read_venue(text: str) -> str:
    """A venue, checked. Raises `Refused` (field `venue`)."""
    return naming.clean_text(" ".join(text.split()), LONGEST_VENUE, gettext("A venue"), field="venue")


def _why(reason: str) -> str:
    return f": {reason}" if reason else ""


# Changes


def schedule(
    record: Record,
    match: LeagueMatch,
    by: User,
    *,
    starts_at: datetime | None,
    venue: str,
    is_online: bool,
    deadline_at: datetime | None = None,
) -> bool:
    """Set a match's time and place, within an act; whether anything changed. Raises `Refused`."""
    pairing = match.pairing
    until = deadline_at or _deadline(pairing, starts_at)
    changed = False
    if (pairing.starts_at, pairing.deadline_at) != (starts_at, until):
        match_scheduling.set_match_times(
            pairing.pk, by, starts_at=starts_at, deadline_at=until, tells=False, now=record.now, within=record
        )
        changed = True
    if pairing.is_online != is_online:
        match_scheduling.set_online(pairing.pk, by, online=is_online, now=record.now, within=record)
        changed = True
    return _set_venue(record, pairing, "" if is_online else venue) or changed


def _deadline(pairing: Pairing, starts_at: datetime | None) -> datetime | None:
    """The deadline of a match that starts then: its matchday's (`None`), or a day after its start."""
    of_round = pairing.round.deadline_at
    if starts_at is None or (of_round is not None and starts_at < of_round):
        return None
    return starts_at + AFTER


def _set_venue(record: Record, pairing: Pairing, venue: str) -> bool:
    fixture = Fixture.objects.filter(pairing=pairing).first()
    if fixture is not None:
        return record.change(fixture, venue=venue)
    if not venue:
        return False
    record.create(Fixture(pairing=pairing, venue=venue))
    return True


def close_proposals(record: Record, pairing: Pairing) -> None:
    """Close the open proposals for a match."""
    for proposal in Proposal.objects.filter(pairing=pairing, status=Proposal.Status.OPEN):
        record.change(proposal, status=Proposal.Status.OVERTAKEN, answered_at=record.now, answered_by=record.by)


def tell(record: Record, match: LeagueMatch, teams: Iterable[Team], words: notifications.Words, key: str) -> None:
    """Notify the players of teams about their match, except the person who acts."""
    users = {user.pk: user for team in teams for user in permissions.people_of(team)}
    for user in users.values():
        if user != record.by:
            url = match.pairing.get_absolute_url()
            notifications.tell(record, user, lambda: f"{match}: {words()}", key=f"{key}:{match.pairing.pk}", url=url)


def as_text(match: LeagueMatch, starts_at: datetime | None, venue: str, is_online: bool) -> str:
    """`Thu 26 Nov 20:15 at The Anchor, Prague (CET)`, in the club's own zone."""
    if starts_at is None:
        if is_online:
            return gettext("on the days of its matchday online")
        if venue:
            return gettext("on the days of its matchday at %(venue)s") % {"venue": venue}
        return gettext("on the days of its matchday")
    with timezone.override(match.season.league.club.zone):
        values = {"time": date_and_time(starts_at), "zone": zone_name(starts_at), "venue": venue}
        if is_online:
            return gettext("%(time)s online, %(zone)s") % values
        return gettext("%(time)s at %(venue)s, %(zone)s") % values if venue else "{time}, {zone}".format(**values)
