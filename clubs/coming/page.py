"""The pages of a question as plain data: a person's own with three buttons, and that of the organisers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from django.db.models import Q
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext

from clubs.coming import guests, links, occasions, replies
from clubs.coming.desk import name_of
from clubs.coming.details import times_of
from clubs.coming.occasions import Occasion
from clubs.league import permissions
from clubs.models import MeetingGuest, Membership, Question, Reply, ReplyLetter
from tournaments.models import Pairing
from web import share_links
from web.text import on_calendar

Answer = Reply.Answer
NAMED = 16
"""Names on a person's page, before the number of the others."""


def replies_of(question: Question) -> list[Reply]:
    """All replies with their people: one query."""
    rows = Reply.objects.filter(question=question).select_related("membership__user", "partner__membership", "by")
    return list(rows.order_by("pk"))


@dataclass(frozen=True)
class Seeker:
    """Somebody else who looks for a partner."""

    pk: int
    name: str
    """Empty if the club does not show its members."""
    is_asked: bool
    """Whether the reader has asked them."""
    asks: bool
    """Whether they have asked the reader."""


@dataclass
class Ask:
    """The page of one person, or of somebody whose name is not known yet."""

    occasion: Occasion
    now: datetime
    membership: Membership | None = None
    name: str = ""
    """The name of a person; empty where the group's link still asks for it."""

    @cached_property
    def all_replies(self) -> list[Reply]:
        return replies_of(self.occasion.question)

    @cached_property
    def reply(self) -> Reply | None:
        """The person's own reply."""
        if self.membership is not None:
            return next((each for each in self.all_replies if each.membership_id == self.membership.pk), None)
        if not self.name:
            return None
        names = (each for each in self.all_replies if each.membership_id is None)
        return next((each for each in names if each.name.casefold() == self.name.casefold()), None)

    @property
    def answer(self) -> str:
        return self.occasion.shown(self.reply.answer) if self.reply else ""

    @property
    def is_closed(self) -> bool:
        return self.occasion.is_closed(self.now)

    @property
    def first_name(self) -> str:
        return self.name.split()[0] if self.name else ""

    @cached_property
    def partner(self) -> str:
        """The name of the partner who was found."""
        reply = self.reply if self.occasion.has_partners else None
        return name_of(reply.partner) if reply is not None and reply.partner is not None else ""

    @property
    def times(self) -> list[str]:
        """When they come later or leave early, in words."""
        return times_of(self.reply) if self.reply else []

    @cached_property
    def usual(self) -> Membership | None:
        """The usual partner, of a member."""
        if self.membership is None or not (self.occasion.has_partners or self.occasion.is_match):
            return None
        return replies.usual_partner(self.occasion.question, self.membership)

    @cached_property
    def usual_answer(self) -> str:
        """The answer of the usual partner; empty if they have not answered."""
        if self.usual is None:
            return ""
        return next((each.answer for each in self.all_replies if each.membership_id == self.usual.pk), "")

    @property
    def shows_names(self) -> bool:
        return self.occasion.club.has_directory

    @property
    def coming(self) -> int:
        return sum(each.comes for each in self.all_replies)

    @cached_property
    def guests(self) -> int:
        """How many guests come besides, from the public page."""
        meeting_id = self.occasion.question.meeting_id
        return guests.counts([meeting_id]).get(meeting_id, 0) if meeting_id is not None else 0

    @property
    def seeking(self) -> int:
        return sum(self.occasion.shown(each.answer) == Answer.PARTNER for each in self.all_replies)

    @cached_property
    def names(self) -> list[str]:
        """Names of people who come, if the club shows its members and they agreed to be shown."""
        if not self.shows_names:
            return []
        shown = [each.membership for each in self.all_replies if each.comes and each.membership]
        return sorted(member.name for member in shown if member.is_listed)[:NAMED]

    @property
    def unnamed(self) -> int:
        """How many more come."""
        return self.coming - len(self.names)

    @cached_property
    def seekers(self) -> list[Seeker]:
        """Everyone else who looks for a partner, for somebody who does."""
        reply = self.reply
        if reply is None or self.answer != Answer.PARTNER or reply.partner_id is not None:
            return []
        others = [each for each in self.all_replies if each.answer == Answer.PARTNER and each.pk != reply.pk]
        return [
            Seeker(
                each.pk, name_of(each) if self.shows_names else "", reply.wish_id == each.pk, each.wish_id == reply.pk
            )
            for each in others
            if each.partner_id is None
        ]


# The desk


@dataclass(frozen=True)
class AnswerLine:
    """An answer, as organisers see it."""

    reply: Reply
    answer: str
    name: str
    note: str
    """With whom and when they come, and by what way they answered."""
    words: str
    """What they tell the organisers."""
    when: str
    match_url: str = ""
    """The page of a match that they cannot play."""


@dataclass(frozen=True)
class PersonAsked:
    """A message to one person, with their own link."""

    member: Membership
    text: str
    link: str
    is_captain: bool
    """Whether the link also names the line-up."""

    @property
    def whatsapp(self) -> str:
        return share_links.whatsapp(f"{self.text} {self.link}")

    @property
    def sms(self) -> str:
        return share_links.sms(f"{self.text} {self.link}")


@dataclass
class Desk:
    """The page of the organisers, or of a captain."""

    occasion: Occasion
    now: datetime
    sort: str = "new"
    pair_number: int = 0
    ask_id: int = 0
    """The member (id) for whom a message is prepared."""

    @cached_property
    def all_replies(self) -> list[Reply]:
        return replies_of(self.occasion.question)

    @cached_property
    def counts(self) -> Counter[str]:
        """How many gave each answer; those who are not asked yet count as without."""
        people = [each for each in self.all_replies if not (each.is_reserve and not each.answer)]
        counts = Counter(self.occasion.shown(each.answer) for each in people)
        counts[Answer.NONE] = len(self.silent)
        return counts

    @property
    def is_closed(self) -> bool:
        return self.occasion.is_closed(self.now)

    @cached_property
    def lines(self) -> list[AnswerLine]:
        """Everyone who answered, newest first or by name."""
        answered = [each for each in self.all_replies if each.answer and each.answered_at]
        if self.sort == "name":
            answered.sort(key=lambda each: name_of(each).casefold())
        else:
            answered.sort(key=lambda each: (each.answered_at or self.now, each.pk), reverse=True)
        urls = self._match_urls([each for each in answered if each.answer == Answer.NO])
        return [
            AnswerLine(
                each,
                self.occasion.shown(each.answer),
                name_of(each),
                self._note(each),
                each.note,
                self._when(each.answered_at),
                urls.get(each.pk, ""),
            )
            for each in answered
        ]

    def _note(self, reply: Reply) -> str:
        parts = []
        if reply.partner and self.occasion.has_partners:
            parts.append(gettext("with %(name)s") % {"name": name_of(reply.partner)})
        parts += times_of(reply)
        if reply.is_reserve:
            parts.append(gettext("reserve"))
        if reply.membership_id is None:
            parts.append(gettext("new name"))
        if reply.way != Reply.Way.OWN:
            parts.append(str(reply.get_way_display()))
        return ", ".join(parts)

    def _when(self, at: datetime | None) -> str:
        return on_calendar(at.astimezone(self.occasion.club.zone), "D H:i") if at else ""

    @cached_property
    def silent(self) -> list[Membership]:
        """Everyone who is asked first and has not answered, by name."""
        answered = {each.membership_id for each in self.all_replies if each.answer}
        people = occasions.people_asked(self.occasion.question).order_by("name", "pk")
        return [member for member in people if member.pk not in answered]

    @cached_property
    def can_remind(self) -> int:
        """How many can be asked again: people who can be reached, and were not asked again yet."""
        again = ReplyLetter.objects.filter(reply__question=self.occasion.question, kind=ReplyLetter.Kind.AGAIN)
        known = set(again.values_list("reply__membership_id", flat=True))
        return sum(member.pk not in known for member in self.silent if is_reached(member))

    @cached_property
    def unreached(self) -> list[Membership]:
        """People without an answer whom no email reaches."""
        return [member for member in self.silent if not is_reached(member)]

    @cached_property
    def looking(self) -> list[Reply]:
        seeking = [each for each in self.all_replies if self.occasion.shown(each.answer) == Answer.PARTNER]
        return [each for each in seeking if each.partner_id is None]

    @cached_property
    def could_pair(self) -> tuple[Reply, Reply] | None:
        """Two people who could play together: first those of whom one has asked the other."""
        pairs = sorted(combinations(self.looking, 2), key=lambda both: not _have_asked(*both))
        return pairs[self.pair_number % len(pairs)] if pairs else None

    @property
    def next_pair(self) -> int:
        """The number of the next pair that could be made; 0 if there is only one."""
        count = len(self.looking) * (len(self.looking) - 1) // 2
        return (self.pair_number + 1) % count if count > 1 else 0

    @cached_property
    def reserves(self) -> list[tuple[Membership, str]]:
        """The reserves in their order, each with how far they are."""
        known = {each.membership_id: each for each in self.all_replies}
        return [(member, self._state(known.get(member.pk))) for member in occasions.reserves(self.occasion.question)]

    def _state(self, reply: Reply | None) -> str:
        if reply is None:
            return gettext("not asked")
        if reply.answer:
            return str(reply.get_answer_display())
        if reply.answer_by and reply.answer_by > self.now:
            return gettext("asked, until %(time)s") % {"time": self._when(reply.answer_by)}
        return gettext("did not answer in time")

    @cached_property
    def guests(self) -> list[MeetingGuest]:
        """Guests from the public page."""
        meeting = self.occasion.question.meeting
        return guests.guests_of(meeting) if meeting is not None else []

    @cached_property
    def strangers(self) -> list[Reply]:
        """Names that the club does not know."""
        return [each for each in self.all_replies if each.membership_id is None]

    @cached_property
    def people(self) -> list[Membership]:
        """Everyone for whom an answer can be entered, by name."""
        question = self.occasion.question
        people = Membership.objects.filter(left_at=None)
        if question.team_id is not None:
            people = people.filter(teams__team=question.team_id, teams__left_at=None).distinct()
        else:
            people = people.filter(club=question.club_id)
        return list(people.order_by("name", "pk"))

    @property
    def group_link(self) -> str:
        return links.full(links.group_path(self.occasion.question))

    @property
    def share_text(self) -> str:
        """The question for a group, without its link."""
        return share_text(self.occasion)

    @property
    def share_url(self) -> str:
        """The address that opens WhatsApp with the question for a group."""
        return share_links.whatsapp(f"{self.share_text} {self.group_link}")

    @cached_property
    def person_asked(self) -> PersonAsked | None:
        """The person to be asked by a message of its own, if the page names one."""
        member = next((each for each in self.people if each.pk == self.ask_id), None)
        if member is None:
            return None
        link = links.full(links.own_path(self.occasion.question, member.pk))
        text = gettext("Hello %(name)s. %(question)s") % {"name": member.name, "question": self.share_text}
        team = self.occasion.question.team
        return PersonAsked(member, text, link, team is not None and permissions.is_captain(member.pk, team))

    def _match_urls(self, noes: Sequence[Reply]) -> dict[int, str]:
        """Pages of open matches on this day, by the replies of people who play in them and cannot come."""
        question = self.occasion.question
        if question.team is not None and question.pairing is not None:
            league = question.team.league
            url = reverse("clubs:fixture", args=[league.club.slug, league.slug, question.pairing.pk])
            return {reply.pk: url for reply in noes}
        by_member = {reply.membership_id: reply.pk for reply in noes if reply.membership_id}
        if not by_member or self.occasion.starts_at is None:
            return {}
        urls: dict[int, str] = {}
        for pk, number, league_slug, club_slug in self._matches_on_day(list(by_member)):
            urls[by_member[pk]] = reverse("clubs:fixture", args=[club_slug, league_slug, number])
        return urls

    def _matches_on_day(self, members: Sequence[int]) -> list[tuple[int, int, str, str]]:
        """Members, and their open matches of the club's leagues on the day of the meeting."""
        club, starts_at = self.occasion.club, self.occasion.starts_at
        assert starts_at is not None  # noqa: S101  the caller has looked
        midnight = starts_at.astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
        day = (midnight, midnight + timedelta(days=1))
        is_on = Q(starts_at__range=day) | Q(starts_at=None, round__starts_at__range=day)
        in_league = Q(round__stage__tournament__division__season__league__club=club)
        matches = Pairing.objects.filter(is_on, in_league).exclude(
            status__in=(Pairing.Status.DONE, Pairing.Status.IDLE)
        )
        playing = matches.filter(places__entry__members__appearance__membership__in=members)
        league = "round__stage__tournament__division__season__league"
        return list(
            playing.values_list(
                "places__entry__members__appearance__membership", "pk", f"{league}__slug", f"{league}__club__slug"
            )
        )


def share_text(occasion: Occasion, *, asks: bool = True) -> str:
    """What a message says of a meeting or match, with the question who comes or without."""
    when = ", ".join(part for part in (occasion.day, occasion.clock, occasion.venue) if part)
    if not asks:
        return f"{occasion.title}: {when}."
    question = gettext("Can you play?") if occasion.is_match else gettext("Are you coming?")
    return gettext("%(title)s: %(when)s. %(question)s") % {"title": occasion.title, "when": when, "question": question}


def is_reached(member: Membership) -> bool:
    """Whether a question reaches somebody: they have an account, or an address and want such emails."""
    if member.user_id is not None:
        return True
    return bool(member.email) and member.wants_questions


def _have_asked(first: Reply, second: Reply) -> bool:
    return first.wish_id == second.pk or second.wish_id == first.pk
