"""What members can be told: a meeting to come, their next matches, the results of a matchday."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256

from django.utils.translation import gettext, pgettext

from clubs.coming import letters, links, occasions
from clubs.coming.occasions import Occasion
from clubs.coming.page import share_text
from clubs.league.fixtures import Match
from clubs.models import Club, Meeting, Membership, Question, Reply
from clubs.personal_messages.next_matches import SeasonMatches, match_line, result_line, running
from clubs.statistics.matchday_words import describe_matchday
from web import share_links
from web.clocks import by_clock, local, read_in
from web.text import on_calendar

MEETINGS = 6
"""Meetings to come that can be chosen."""
Role = Membership.Role


@dataclass(frozen=True)
class Message:
    """What one member is told, and the page for it, which may be their own link."""

    member: Membership
    lines: tuple[str, ...]
    link: str
    is_own_link: bool = False
    """Whether the link answers for them."""

    @property
    def text(self) -> str:
        """In one paragraph, for a phone."""
        words = " ".join(line if line.endswith((".", "?", "!")) else f"{line}." for line in self.lines)
        return gettext("Hello %(name)s. %(question)s") % {"name": self.member.name, "question": words}

    @property
    def whatsapp(self) -> str:
        return share_links.whatsapp(f"{self.text} {self.link}", self.member.phone)

    @property
    def sms(self) -> str:
        return share_links.sms(f"{self.text} {self.link}", self.member.phone)


class Topic(ABC):
    """Something that members are told."""

    club: Club

    @property
    @abstractmethod
    def key(self) -> str:
        """Its key: another one if there is something new to tell, such as another time."""

    def key_of(self, member: Membership) -> str:
        """The key under which this member was told: another one if there is something new to tell them."""
        return self.key

    @property
    @abstractmethod
    def title(self) -> str:
        """In a list."""

    @abstractmethod
    def people(self) -> list[Membership]:
        """Everyone who is told, by name."""

    def message(self, member: Membership) -> Message:
        """What one of them is told, with times as they read them: without an account by the club's clock."""
        with read_in(member.user.zone if member.user else self.club.zone):
            return self.write(member)

    @abstractmethod
    def write(self, member: Membership) -> Message:
        """The message, in the zone that is active."""


@dataclass
class MeetingTopic(Topic):
    """A meeting to come, with the question who comes; or that it is cancelled."""

    meeting: Meeting
    club: Club
    question: Question | None

    @property
    def key(self) -> str:
        terms = _digest([_moment(self.meeting.starts_at), self.meeting.venue or self.club.venue])
        return f"{'off' if self.meeting.is_called_off else 'meeting'}:{self.meeting.pk}:{terms}"

    @property
    def title(self) -> str:
        title = self._at(local(self.meeting.starts_at, self.club.zone))
        return gettext("Cancelled: %(title)s") % {"title": title} if self.meeting.is_called_off else title

    def _at(self, there: datetime) -> str:
        return f"{self.meeting.title}, {on_calendar(there, pgettext('date format', 'l j F'))}, {there:%H:%M}"

    @cached_property
    def occasion(self) -> Occasion:
        # Without a question the meeting has no links of its own, but the same day, time and place.
        return Occasion(self.question or Question(club=self.club, meeting=self.meeting))

    @cached_property
    def answers(self) -> dict[int, str]:
        """Answers by member (id)."""
        if self.question is None:
            return {}
        rows = Reply.objects.filter(question=self.question, membership__isnull=False)
        return {pk: self.occasion.shown(answer) for pk, answer in rows.values_list("membership", "answer") if pk}

    def people(self) -> list[Membership]:
        """Everyone but guests who have not answered, and those who said that they cannot come."""
        everyone = members_of(self.club, guests=True)
        people = [member for member in everyone if member.role != Role.GUEST or self.answers.get(member.pk)]
        return [member for member in people if self.answers.get(member.pk) != Reply.Answer.NO]

    def write(self, member: Membership) -> Message:
        own_link = self._own_link(member)
        return Message(
            member, (self._words(member),), own_link or links.full(self.club.get_absolute_url()), bool(own_link)
        )

    def _words(self, member: Membership) -> str:
        if self.meeting.is_called_off:
            return letters.off_words(self.occasion)
        if self.question is None:
            when = by_clock(self.meeting.starts_at, self.club.zone, self._at)
            return ", ".join(filter(None, [when, self.occasion.venue]))
        words = share_text(self.occasion, asks=not self.answers.get(member.pk))
        if self.answers.get(member.pk):
            return f"{words} {gettext('You said that you are coming. If you cannot, change your answer.')}"
        return words

    def _own_link(self, member: Membership) -> str:
        if self.question is None or self.meeting.is_called_off:
            return ""
        return links.full(links.own_path(self.question, member.pk))


@dataclass
class MatchesTopic(Topic):
    """The next matches of everyone who plays in a season."""

    club: Club
    season: SeasonMatches

    @property
    def key(self) -> str:
        every = [match for days in self.season.days.values() for day in days for match in day.matches]
        return self._key(every)

    def key_of(self, member: Membership) -> str:
        """Another one as soon as their team is asked, because their message then has the link to answer."""
        ahead = [match for match in self.season.all_of(member.pk) if match.matchday >= self.season.current]
        question = self._question(member, ahead)
        key = self._key(self.season.all_of(member.pk))
        return f"{key}:{question.pk}" if question else key

    def _key(self, matches: Sequence[Match]) -> str:
        """With the times and places of matches, played or not: a result is nothing new."""
        terms = [
            f"{match.pairing.pk} {_moment(match.at)} {'online' if match.is_online else match.venue or self.club.venue}"
            for match in matches
        ]
        return f"matches:{self.season.season.pk}:{self.season.current}:{_digest(sorted(terms))}"

    @property
    def title(self) -> str:
        values = {"league": self.season.season.league, "number": self.season.current}
        return gettext("%(league)s: next matches, from matchday %(number)s") % values

    @cached_property
    def questions(self) -> dict[tuple[int, int], Question]:
        """Questions about matches from this matchday on, by team and match (ids)."""
        every = [match for matches in self.season.by_team.values() for match in matches]
        ahead = {match.pairing.pk for match in every if match.matchday >= self.season.current or not match.is_done}
        rows = occasions.questions().filter(club=self.club, pairing__in=ahead)
        return {(row.team_id, row.pairing_id): row for row in rows if row.team_id and row.pairing_id}

    def people(self) -> list[Membership]:
        return [member for member in members_of(self.club, guests=True) if self.season.next_of(member.pk)]

    def write(self, member: Membership) -> Message:
        lines = tuple(match_line(self.club, match) for match in self.season.next_of(member.pk))
        own_link = self._own_link(member)
        return Message(member, lines, own_link or links.full(self.season.season.get_absolute_url()), bool(own_link))

    def _own_link(self, member: Membership) -> str:
        """The link to say whether they come to the next match; empty if its team is not asked."""
        question = self._question(member, self.season.next_of(member.pk))
        return links.full(links.own_path(question, member.pk)) if question else ""

    def _question(self, member: Membership, matches: Sequence[Match]) -> Question | None:
        """The question to a member’s team about the first of these matches."""
        for match in matches[:1]:
            for team in self.season.teams.get(member.pk, ()):
                if question := self.questions.get((team, match.pairing.pk)):
                    return question
        return None


@dataclass
class ResultsTopic(Topic):
    """The results of the last matchday of a season."""

    club: Club
    season: SeasonMatches

    @property
    def key(self) -> str:
        return f"results:{self.season.season.pk}:{self.season.latest}"

    @property
    def title(self) -> str:
        values = {"league": self.season.season.league, "number": self.season.latest}
        return gettext("%(league)s: results of matchday %(number)s") % values

    @cached_property
    def headline(self) -> str:
        """`Matchday 5: Lund / Arai took the lead`."""
        return describe_matchday(self.season.season, self.season.latest, site="", now=self.season.now).subject

    def people(self) -> list[Membership]:
        return [member for member in members_of(self.club, guests=True) if self.season.teams.get(member.pk)]

    def write(self, member: Membership) -> Message:
        results = [result_line(match) for match in self.season.results_of(member.pk)]
        following = [match_line(self.club, match) for match in self.season.next_of(member.pk)[:1]]
        next_words = [gettext("Next: %(match)s") % {"match": line} for line in following]
        link = links.full(self.season.season.get_absolute_url())
        return Message(member, (self.headline, *results, *next_words), link)


def _moment(at: datetime | None) -> str:
    return at.astimezone(UTC).isoformat() if at else ""


def _digest(terms: Sequence[str]) -> str:
    return sha256("\n".join(terms).encode()).hexdigest()[:16]


def members_of(club: Club, *, guests: bool = False) -> list[Membership]:
    """The members of a club by name; its guests only if they are wanted."""
    rows = Membership.objects.filter(club=club, left_at=None).select_related("user").order_by("name", "pk")
    return list(rows if guests else rows.exclude(role=Role.GUEST))


def topics(club: Club, now: datetime) -> list[Topic]:
    """What there is to tell, meetings first, the next first."""
    meetings = Meeting.objects.filter(club=club, starts_at__gt=now).order_by("starts_at", "pk")
    rows = list(meetings.select_related("repeating", "event")[:MEETINGS])
    questions = {row.meeting_id: row for row in occasions.questions().filter(meeting__in=rows)}
    every: list[Topic] = [MeetingTopic(meeting, club, questions.get(meeting.pk)) for meeting in rows]
    for season in running(club, now):
        if season.current:
            every.append(MatchesTopic(club, season))
        if season.latest:
            every.append(ResultsTopic(club, season))
    return every


def topic_of(every: Sequence[Topic], key: str) -> Topic | None:
    """The topic of a key, also of one before it changed or of its start such as `meeting:12`; else the first; `None` if
    there is nothing to tell."""
    start = ":".join(key.split(":")[:2])
    of_same = [topic for topic in every if topic.key.startswith(f"{start}:")]
    return next((topic for topic in every if topic.key == key), next(iter([*of_same, *every]), None))
