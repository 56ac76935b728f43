"""Asking who comes: when people are asked and reminded, and by whose wish."""

import logging
from datetime import datetime, timedelta
from typing import Unpack

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.budgets import EMAILS, spend
from accounts.models import User
from clubs.coming import letters, occasions, replies, reserves
from clubs.coming.occasions import Occasion
from clubs.league import permissions
from clubs.models import Act, League, Meeting, Question, Reply, ReplyLetter, Season, Team
from clubs.models.people import new_token
from clubs.services import lookups
from clubs.services.history import ActionRequest, ByRow, Never, Record, Rows, declare, perform, row_of
from tournaments.models import Pairing
from web.errors import Refused

log = logging.getLogger(__name__)

ASK = declare("coming_ask", needs="news", undo=Rows())
LINKS = declare("coming_links", needs="news", undo=Never("The old links stay ended."))
REMIND = declare("coming_remind", needs="news", undo=Never("Emails that were sent stay sent."))
TEAM = declare("coming_team", needs=ByRow(permissions.check_acts_for), undo=Rows("leagues"))

LEAGUE = declare("coming_league", needs="leagues", undo=Rows())

HORIZON = timedelta(days=30)
"""Questions are looked at so long ahead."""
FRESH = timedelta(hours=12)
"""People who were asked so recently are not asked again the day before."""
MATCHES_AHEAD = timedelta(days=occasions.ASK_DAYS + 1)
Kind = ReplyLetter.Kind


# By organisers


def ask(meeting_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Ask the members who comes to a meeting. Raises `Refused` if they are asked already, or it has begun."""

    def do(record: Record) -> str:
        meeting = row_of(record, Meeting, meeting_id)
        if Question.objects.filter(meeting=meeting).exists():
            raise Refused("nothing_new", gettext("This has already been done."))
        if meeting.is_called_off or meeting.starts_at <= record.now:
            raise Refused("closed", gettext("This meeting has started, or was cancelled."))
        record.create(Question(club=record.club, meeting=meeting))
        return gettext("Members are asked if they come: %(title)s.") % {"title": meeting}

    return perform(lookups.club_of(Meeting, meeting_id), do, ASK, by=by, **how)


def renew_links(question_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Give a question a new link for the group. Links that were sent before, also people's own, end."""

    def do(record: Record) -> str:
        question = row_of(record, Question, question_id)
        Question.objects.filter(pk=question.pk).update(token=new_token())
        return gettext("New links: %(title)s.") % {"title": _occasion(question).title}

    return perform(lookups.club_of(Question, question_id), do, LINKS, by=by, **how)


def remind(question_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Ask everyone again who has not answered, once. Raises `Refused` if there is nobody, or it has begun."""

    def do(record: Record) -> str:
        row_of(record, Question, question_id)
        with replies.locked(question_id) as occasion:
            replies.check_open(occasion, record.now)
            silent = list(_ask_everyone(occasion).filter(answer="", is_reserve=False))
            count = letters.write(silent, Kind.AGAIN, record.now)
        if not count:
            raise Refused("nobody", gettext("Everyone was already asked again, or has answered."))
        spend(EMAILS, by, count)
        return gettext("%(count)s people are asked again: %(title)s.") % {"count": count, "title": occasion.title}

    return perform(lookups.club_of(Question, question_id), do, REMIND, by=by, **how)


def ask_team(team_id: int, by: User, *, asks: bool, **how: Unpack[ActionRequest]) -> Act:
    """Ask a team's players before each match if they come, or stop that. For its captain, and organisers."""

    def do(record: Record) -> str:
        team = row_of(record, Team, team_id, league__club=record.club)
        record.ask(team)
        if not record.change(team, asks=asks):
            raise Refused("nothing_new", gettext("This has already been done."))
        words = (
            gettext("%(team)s: players are asked before each match if they can play.")
            if asks
            else gettext("%(team)s: players are no longer asked if they can play.")
        )
        return words % {"team": team}

    team = Team.objects.filter(pk=team_id).select_related("league").first()
    return perform(lookups.existing(team).league.club_id, do, TEAM, by=by, **how)


def ask_league(league_id: int, by: User, *, asks: bool, **how: Unpack[ActionRequest]) -> Act:
    """Ask the players of every team of a league before each match if they can play, or stop that, for all at once.
    Captains can still change it for their team. Raises `Refused` if it is so already."""

    def do(record: Record) -> str:
        league = row_of(record, League, league_id)
        teams = Team.objects.filter(league=league, left_at=None).order_by("number")
        if not sum(record.change(team, asks=asks) for team in teams):
            raise Refused("nothing_new", gettext("This has already been done."))
        words = (
            gettext("%(league)s: players of all teams are asked before each match if they can play.")
            if asks
            else gettext("%(league)s: players are no longer asked if they can play.")
        )
        return words % {"league": league}

    return perform(lookups.club_of(League, league_id), do, LEAGUE, by=by, **how)


def _occasion(question: Question) -> Occasion:
    return Occasion(occasions.questions().get(pk=question.pk))


# By the site


def ask_due(now: datetime | None = None) -> None:
    """Ask, remind and ask reserves wherever it is time. One question's trouble stops no other; safe to run twice."""
    now = now or timezone.now()
    add_questions(now)
    for pk in _open(now):
        try:
            attend_to(pk, now)
        except Exception as error:
            log.error("Question %s could not be attended to: %s", pk, type(error).__name__)


def add_questions(now: datetime) -> None:
    """Add the questions about repeating meetings, and about the next matches of teams that want them."""
    meetings = Meeting.objects.filter(repeating__asks=True, question=None, is_called_off=False, starts_at__gt=now)
    new = [Question(club_id=meeting.club_id, meeting=meeting) for meeting in meetings]
    for team, pairing in _matches(now):
        new.append(Question(club_id=team.league.club_id, team=team, pairing=pairing))
    Question.objects.bulk_create(new, ignore_conflicts=True)


def _matches(now: datetime) -> list[tuple[Team, Pairing]]:
    """The next matches of teams that want to be asked, without those for which they were."""
    until, matches = now + MATCHES_AHEAD, []
    for team in Team.objects.filter(asks=True, left_at=None, league__is_archived=False).select_related("league"):
        entries = Q(places__entry__season_entry__team=team) | Q(places__entry__season_event_entry__team=team)
        is_soon = Q(starts_at__gt=now, starts_at__lte=until) | Q(
            starts_at=None, round__starts_at__gt=now, round__starts_at__lte=until
        )
        running = Q(round__stage__tournament__division__season__status=Season.Status.RUNNING) | Q(
            round__stage__tournament__season_event__season__status=Season.Status.RUNNING
        )
        pairings = Pairing.objects.filter(entries, is_soon, running).exclude(questions__team=team).distinct()
        matches += [(team, pairing) for pairing in pairings if pairing.is_open]
    return matches


def _open(now: datetime) -> list[int]:
    """Questions (ids) whose meeting or match is still to come, and soon enough to be looked at."""
    soon = {"gt": now, "lte": now + HORIZON}
    meeting = Q(**{f"meeting__starts_at__{name}": at for name, at in soon.items()}, meeting__is_called_off=False)
    by_match = Q(**{f"pairing__starts_at__{name}": at for name, at in soon.items()})
    by_round = Q(pairing__starts_at=None, pairing__round__starts_at__lte=soon["lte"])
    is_ahead = (
        Q(pairing__round__starts_at__gt=now) | Q(pairing__deadline_at__gt=now) | Q(pairing__round__deadline_at__gt=now)
    )
    rows = Question.objects.filter(meeting | by_match | by_round & is_ahead, club__archived_at=None)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def attend_to(question_id: int, now: datetime) -> None:
    """Do what is due for one question, each once: ask people, remind them the day before, ask reserves in turn."""
    with replies.locked(question_id) as occasion:
        if occasion.is_closed(now):
            return
        question = occasion.question
        if question.asked_at is None and occasion.asks_at and now >= occasion.asks_at:
            question.asked_at = now
            question.save(update_fields=["asked_at"])
            everyone = _ask_everyone(occasion)
            letters.write([reply for reply in everyone if not reply.answer], Kind.ASK, now)
        if question.reminded_at is None and question.asked_at and occasion.reminds_at and now >= occasion.reminds_at:
            question.reminded_at = now
            question.save(update_fields=["reminded_at"])
            _remind(occasion, now)
        reserves.ask_next(occasion, now)


def _ask_everyone(occasion: Occasion) -> QuerySet[Reply]:
    """Replies of everyone who is asked first, also of those who had none; the question is locked."""
    question = occasion.question
    known = set(Reply.objects.filter(question=question).values_list("membership_id", flat=True))
    new = [Reply(question=question, membership=member) for member in occasions.people_asked(question)]
    Reply.objects.bulk_create(reply for reply in new if reply.membership_id not in known)
    return Reply.objects.filter(question=question, membership__isnull=False)


def _remind(occasion: Occasion, now: datetime) -> None:
    """Remind people who come; ask those again who have not answered and were not asked just now."""
    everyone = list(_ask_everyone(occasion))
    letters.write([reply for reply in everyone if reply.comes], Kind.REMINDER, now)
    earlier = ReplyLetter.objects.filter(reply__question=occasion.question, kind__in=letters.QUESTIONS)
    fresh = set(earlier.filter(created_at__gt=now - FRESH).values_list("reply_id", flat=True))
    silent = [each for each in everyone if not each.answer and not each.is_reserve and each.pk not in fresh]
    letters.write(silent, Kind.AGAIN, now)
