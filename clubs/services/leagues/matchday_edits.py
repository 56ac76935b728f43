"""Changes by organisers during a season: times of matches, and line-ups."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Unpack

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext

from accounts.models import User
from clubs.league import fixtures, permissions, timetable
from clubs.models import Act, Appearance, Membership, Season, Team, TeamMember
from clubs.services.history import ActionRequest, ByRow, Never, Record, declare, perform
from clubs.services.leagues import fixture_scheduling, team_entries
from clubs.services.seasons import season_plans, season_setup
from clubs.text import weekday
from tournaments import line_ups
from tournaments.models import Entry, Member, Round
from tournaments.services.entries import substitutes
from tournaments.services.matches import match_scheduling
from web.errors import NotAllowed, Refused
from web.text import joined

RESCHEDULING = declare(
    "rearranged", needs="leagues", undo=Never("Both sides were told. Reschedule the match again instead.")
)


def set_match(
    pairing_id: int,
    by: User,
    *,
    starts_at: datetime | None,
    venue: str = "",
    is_online: bool | None = None,
    deadline_at: datetime | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Set a match's time and place as an organiser, without asking the sides; both are notified. `starts_at` `None`: as
    its matchday has it. Closes an open proposal. Raises `Refused` (fields `starts_at`, `venue`)."""

    def do(record: Record) -> str:
        match = fixture_scheduling.match_of(record, pairing_id)
        fixture_scheduling.check_open(match)
        online = match.pairing.is_online if is_online is None else is_online
        where = "" if online else fixture_scheduling.read_venue(venue)
        fixture_scheduling.close_proposals(record, match.pairing)
        try:
            changed = fixture_scheduling.schedule(
                record, match, by, starts_at=starts_at, venue=where, is_online=online, deadline_at=deadline_at
            )
        except Refused as refusal:
            raise _at(refusal, "starts_at") from None
        if not changed:
            raise Refused("same", gettext("That is already set."))

        def when() -> str:
            return fixture_scheduling.as_text(match, starts_at, where, online)

        fixture_scheduling.tell(
            record, match, match.teams, lambda: gettext("will be played %(when)s") % {"when": when()}, "set"
        )
        return gettext("%(match)s will be played %(when)s.") % {"match": match, "when": when()}

    return perform(fixture_scheduling.club_of(pairing_id), do, RESCHEDULING, by=by, **how)


MATCHDAY = declare("matchday", needs="leagues", undo=Never("Move the matchday again instead."))


def move_matchday(season_id: int, by: User, *, number: int, first_day: date, **how: Unpack[ActionRequest]) -> Act:
    """Move a matchday of a running season to another first day, in every division; matches with times of their own keep
    them. Raises `Refused` (field `first_day`)."""

    def do(record: Record) -> str:
        season = season_setup.season_of(record, season_id)
        if season.status != Season.Status.RUNNING:
            raise Refused("not_running", gettext("%(season)s is not under way.") % {"season": season})
        off = season_plans.off_for_all(season)
        if any(days.covers(first_day) for days in off):
            raise Refused("day_off", gettext("Nobody plays on that day. Choose another."), field="first_day")
        day = timetable.plan_matchday(
            number, first_day, play_days=season.play_days, plays_at=season.plays_at, zone=record.club.zone, off=off
        )
        rounds = Round.objects.filter(stage__tournament__division__season=season, number=number)
        open_rounds = list(rounds.exclude(status=Round.Status.CLOSED).order_by("pk"))
        if not open_rounds:
            raise Refused(
                "no_round",
                gettext("Matchday %(number)s does not exist or is over.") % {"number": number},
                field="number",
            )
        for round_ in open_rounds:
            times = {number: (day.starts_at, day.deadline_at)}
            try:
                match_scheduling.set_timetable(round_.stage_id, by, times=times, now=record.now, within=record)
            except Refused as refusal:
                raise _at(refusal, "first_day") from None
        return gettext("Matchday %(number)s of %(season)s starts on %(day)s.") % {
            "number": number,
            "season": season,
            "day": weekday(first_day),
        }

    return perform(season_setup.club_of(season_id), do, MATCHDAY, by=by, **how)


LINE_UP = declare("fielded", needs=ByRow(fixture_scheduling.check_side), undo=Never("Choose other players instead."))


def set_line_up(
    pairing_id: int,
    by: User | None,
    *,
    team_id: int,
    membership_ids: Sequence[int],
    captain_id: int | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Set the players of a team for one match, members of its roster or substitutes from its club, by ids of
    memberships; empty for its usual players.

    For people who act for the team, until everyone sees the line-ups, and for organisers of the league, until the
    match has a result. A captain without an account (`captain_id`, of whose link the caller made sure) chooses from
    the roster and those who were named. Raises `Refused` (field `members`).
    """

    def do(record: Record) -> str:
        match = fixture_scheduling.match_of(record, pairing_id)
        team = fixture_scheduling.team_of(match, team_id)
        captain = None if by is not None else _captain(team, captain_id)
        record.ask([team])
        _check_in_time(match, by, record.now)
        place = match.pairing.places.select_related("entry").get(entry__in=_entries(match, team_id))
        memberships = Membership.objects.filter(club=team.club_id, left_at=None).select_related("user")
        if captain is not None:
            is_named = Exists(Appearance.objects.filter(membership=OuterRef("pk"), member__in=place.players))
            is_on_roster = Exists(TeamMember.objects.filter(membership=OuterRef("pk"), team=team, left_at=None))
            memberships = memberships.filter(is_on_roster | is_named)
        people = memberships.in_bulk(list(membership_ids))
        if len(people) < len(membership_ids):
            group = team if captain is not None else team.club
            raise Refused(
                "not_of_club", gettext("Choose people of %(club)s, each once.") % {"club": group}, field="members"
            )
        try:
            members = [_member(record, place.entry, by, people[pk]) for pk in membership_ids]
            ids = [member.pk for member in members]
            substitutes.field_substitute(place.pk, by, member_ids=ids, now=record.now, within=record)
        except NotAllowed:
            raise
        except Refused as refusal:
            raise _at(refusal, "members") from None
        sentence = _line_up_text(match, team, [str(people[pk]) for pk in membership_ids])
        if captain is None:
            return sentence
        return gettext("%(captain)s, by a link: %(line_up)s") % {"captain": captain, "line_up": sentence}

    return perform(fixture_scheduling.club_of(pairing_id), do, LINE_UP, by=by, **how)


def _captain(team: Team, membership_id: int | None) -> Membership:
    """A captain without an account, as they are under the lock. Raises `NotAllowed`."""
    if membership_id is None or not permissions.is_captain(membership_id, team):
        raise NotAllowed(
            "not_yours", gettext("Only the captain of %(team)s or an organiser can do that.") % {"team": team}
        )
    return Membership.objects.get(pk=membership_id)


def _check_in_time(match: fixture_scheduling.LeagueMatch, by: User | None, now: datetime) -> None:
    """Raise `Refused` once everyone sees the line-ups: then only organisers of the league change who plays."""
    pairing = match.pairing
    is_organiser = by is not None and permissions.runs(by, match.season.league)
    if pairing.is_open and not is_organiser:
        starts_at = fixtures.start_of(pairing, match.season)
        line_ups.check_captain(pairing, list(pairing.places.all()), starts_at, now, name=str(match))


def _line_up_text(match: fixture_scheduling.LeagueMatch, team: Team, names: list[str]) -> str:
    if not names:
        return gettext("The usual players play %(match)s for %(team)s.") % {"match": match, "team": team}
    return gettext("%(names)s play %(match)s for %(team)s.") % {"names": joined(names), "match": match, "team": team}


def _entries(match: fixture_scheduling.LeagueMatch, team_id: int) -> list[int]:
    ids = [pk for pk in match.pairing.places.values_list("entry_id", flat=True) if pk is not None]
    return [pk for pk, team in fixture_scheduling.teams_of(ids).items() if team.pk == team_id]


def _member(record: Record, entry: Entry | None, by: User | None, membership: Membership) -> Member:
    """A member of the club as a member of an entry, added as a reserve if they are not in it."""
    if entry is None:
        raise Refused("not_drawn", gettext("The sides of this match are not known yet."))
    member = team_entries.member_in(entry, membership)
    return member or team_entries.join(record, entry, by, membership, Member.Role.RESERVE)


def _at(refusal: Refused, name: str) -> Refused:
    """The same refusal at a control of the form."""
    if isinstance(refusal, NotAllowed):
        return refusal
    return Refused(refusal.code, refusal.sentence, **{**refusal.details, "field": name})
