"""What a question is about: a meeting or a match, with its times and place."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext

from clubs.coming import days
from clubs.league import fixtures
from clubs.models import Club, Meeting, Membership, Question, RepeatingMeeting, Reply, Season, TeamMember
from tournaments.event_templates import STARTERS
from tournaments.models import Pairing, Tournament
from web.clocks import by_clock, local
from web.text import on_calendar

ASK_DAYS = 4
"""Days before a match, or a single meeting, on which people are asked."""
RESERVE_TIME = timedelta(hours=12)
"""Time that a reserve has to answer, if nothing else is set."""
_EVENT = "pairing__round__stage__tournament"
ALONG = (
    "club",
    "meeting__repeating",
    "meeting__event",
    "team__league__club",
    f"{_EVENT}__division__season__league__club",
    f"{_EVENT}__season_event__season__league__club",
    "pairing__fixture",
)
Role = Membership.Role


@dataclass(frozen=True)
class Occasion:
    """A meeting, or a match of a team."""

    question: Question

    @property
    def club(self) -> Club:
        return self.question.club

    @property
    def repeating(self) -> RepeatingMeeting | None:
        return self.question.meeting.repeating if self.question.meeting else None

    @property
    def starts_at(self) -> datetime | None:
        """When it begins; `None` for a match that has no time."""
        if self.question.meeting is not None:
            return self.question.meeting.starts_at
        pairing = self._pairing
        return pairing.starts_at or pairing.round.starts_at

    @property
    def ends_at(self) -> datetime | None:
        return self.question.meeting.ends_at if self.question.meeting else None

    @cached_property
    def venue(self) -> str:
        """The place of a meeting, or of a match."""
        if self.question.meeting is not None:
            return self.question.meeting.venue or self.club.venue
        return gettext("online") if self._pairing.is_online else fixtures.venue_of(self._pairing, self._season)

    @property
    def is_match(self) -> bool:
        """Whether it is a match of a team: then people are asked if they can play."""
        return self.question.meeting is None

    @property
    def has_time(self) -> bool:
        """Whether its time of day is known; a match without one is played some day of its matchday."""
        return not self.is_match or fixtures.start_of(self._pairing, self._season) is not None

    @property
    def closes_at(self) -> datetime | None:
        """When answers close: at its beginning, or at the deadline of a match whose time is open."""
        if self.starts_at is None or self.has_time:
            return self.starts_at
        return self._pairing.deadline_at or self._pairing.round.deadline_at or self.starts_at

    @property
    def is_off(self) -> bool:
        """Whether it was cancelled, or is over."""
        if self.question.meeting is not None:
            return self.question.meeting.is_called_off
        return not self._pairing.is_open

    @cached_property
    def has_partners(self) -> bool:
        """Whether people can look for a partner: not for a match, nor where everyone enters the event alone.

        Before the event is created, its template says it.
        """
        meeting = self.question.meeting
        if meeting is None:
            return False
        if meeting.event is not None:
            return meeting.event.entry_kind != Tournament.Kind.PERSON
        starter = STARTERS.get(meeting.repeating.starter) if meeting.repeating is not None else None
        return starter is None or starter.kind != Tournament.Kind.PERSON

    def shown(self, answer: str) -> str:
        """An answer as it is shown: who asked for a partner, before it was known that nobody needs one, just comes."""
        is_alone = answer == Reply.Answer.PARTNER and not self.has_partners
        return Reply.Answer.YES if is_alone else answer

    @cached_property
    def title(self) -> str:
        """`Club night`, or `Vermeer / Falk against Hobbs / Clark`."""
        if self.question.meeting is not None:
            return self.question.meeting.title
        team, names = self.question.team, self.opponents
        return (
            gettext("%(team)s against %(others)s") % {"team": team, "others": ", ".join(names)} if names else str(team)
        )

    @cached_property
    def opponents(self) -> list[str]:
        places = self._pairing.places.exclude(entry__season_entry__team=self.question.team)
        names = places.exclude(entry__season_event_entry__team=self.question.team).exclude(entry=None)
        return list(names.order_by("pk").values_list("entry__name", flat=True))

    @property
    def _pairing(self) -> Pairing:
        assert self.question.pairing is not None  # noqa: S101  by a constraint
        return self.question.pairing

    @property
    def _season(self) -> Season:
        event = self._pairing.round.stage.tournament
        season: Season = (getattr(event, "division", None) or event.season_event).season
        return season

    def is_closed(self, now: datetime) -> bool:
        """Whether answers are closed."""
        return self.is_off or self.closes_at is None or now >= self.closes_at

    @property
    def asks_at(self) -> datetime | None:
        """When people are asked."""
        number = self.repeating.ask_days if self.repeating else ASK_DAYS
        return days.evening_before(self.club.zone, self.starts_at, number) if self.starts_at else None

    @property
    def reminds_at(self) -> datetime | None:
        """When people are reminded: in the evening of the day before."""
        return days.evening_before(self.club.zone, self.starts_at, 1) if self.starts_at else None

    @property
    def reserve_time(self) -> timedelta:
        return timedelta(hours=self.repeating.reserve_hours) if self.repeating else RESERVE_TIME

    # In words, by its clock (`web.clocks`)

    @property
    def zone(self) -> ZoneInfo | None:
        """The clock of the club; `None` for a match online."""
        return None if self.is_match and self._pairing.is_online else self.club.zone

    @property
    def day(self) -> str:
        """`Tuesday 24 November`, or `by Sunday 29 November` for a match whose time is open."""
        pattern = pgettext("date format", "l j F")
        if self.has_time or self.closes_at is None:
            return self._on_calendar(pattern)
        return gettext("by %(time)s") % {"time": on_calendar(local(self.closes_at, self.zone), pattern)}

    @property
    def weekday(self) -> str:
        return self._on_calendar("l")

    @property
    def clock(self) -> str:
        """`19:00`, `19:00 to 22:00` or `19:00 London (GMT)`; empty for a match whose time is open."""
        if self.starts_at is None or not self.has_time:
            return ""
        return by_clock(self.starts_at, self.zone, self._hours)

    @property
    def begins(self) -> str:
        """`19:00`, or `19:00 London (GMT)`; empty if its time is open."""
        return by_clock(self.starts_at, self.zone, "{:%H:%M}".format) if self.starts_at and self.has_time else ""

    def _hours(self, begins: datetime) -> str:
        if self.ends_at is None:
            return f"{begins:%H:%M}"
        ends = f"{local(self.ends_at, self.zone):%H:%M}"
        return gettext("%(begins)s to %(ends)s") % {"begins": f"{begins:%H:%M}", "ends": ends}

    def _on_calendar(self, pattern: str) -> str:
        return on_calendar(local(self.starts_at, self.zone), pattern) if self.starts_at else ""


def of_meeting(meeting: Meeting) -> Occasion:
    """A meeting about which nobody has to be asked; it is loaded with its club."""
    return Occasion(Question(club=meeting.club, meeting=meeting))


def questions() -> QuerySet[Question]:
    """Questions with everything that their occasions read."""
    return Question.objects.select_related(*ALONG)


def people_asked(question: Question) -> QuerySet[Membership]:
    """Everyone who is asked first: the club's members without its guests, or the team; reserves are asked later."""
    here = Membership.objects.filter(left_at=None)
    if question.team_id is not None:
        roster = TeamMember.objects.filter(team=question.team_id, left_at=None)
        return here.filter(teams__in=roster.exclude(role=TeamMember.Role.RESERVE)).distinct()
    people = here.filter(club=question.club_id).exclude(role=Role.GUEST)
    return people.exclude(pk__in=[member.pk for member in reserves(question)])


def can_answer(question: Question, membership: Membership) -> bool:
    """Whether the question is for this person: a member of the club, or of the team."""
    if membership.left_at is not None:
        return False
    if question.team_id is not None:
        return TeamMember.objects.filter(team=question.team_id, membership=membership, left_at=None).exists()
    return membership.club_id == question.club_id


def reserves(question: Question) -> list[Membership]:
    """The reserves in their order."""
    if question.team_id is not None:
        rows = TeamMember.objects.filter(team=question.team_id, left_at=None, role=TeamMember.Role.RESERVE)
        return [row.membership for row in rows.filter(membership__left_at=None).select_related("membership")]
    repeating = question.meeting.repeating if question.meeting else None
    if repeating is None:
        return []
    reserve_rows = repeating.reserves.filter(membership__left_at=None).select_related("membership")
    return [row.membership for row in reserve_rows]
