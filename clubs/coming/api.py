"""API views for repeating meetings, and for who comes."""

from collections.abc import Mapping
from datetime import time
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, act, declared_view, done_response, inside_view, post_view
from clubs.api.leagues import find_team
from clubs.api.publications import meeting_of
from clubs.api.seasons import find_league
from clubs.coming import asking, desk, details, guests, links, occasions, repeating, replies
from clubs.coming.details import Details
from clubs.coming.occasions import Occasion
from clubs.coming.page import Desk, replies_of
from clubs.league import permissions
from clubs.models import Act, Club, Question, RepeatingMeeting, Reply
from clubs.public.lookups import first_or_404
from gameplay.api.base import player, read
from gameplay.api.tables import answer
from web.errors import NotAllowed, Refused

MOST = 100
_SHOWN = (*repeating.FIELDS, "skipped")

# Repeating meetings


@inside_view("news", response_serializers.RepeatingList, name="clubs_repeating_list")
def all_repeating(request: Request, club: Club) -> Response:
    """The club’s repeating meetings, for organisers."""
    rows = RepeatingMeeting.objects.filter(club=club).prefetch_related("reserves")
    return answer(request, response_serializers.RepeatingList, {"repeating": [_repeating(row) for row in rows]})


def _repeating(row: RepeatingMeeting) -> dict[str, Any]:
    reserves = [reserve.membership_id for reserve in row.reserves.all()]
    return {"id": row.pk, **{name: getattr(row, name) for name in _SHOWN}, "reserves": reserves}


def repeating_of(club: Club, repeating: int) -> RepeatingMeeting:
    """A repeating meeting of the club. Raises `Http404`."""
    return first_or_404(RepeatingMeeting.objects.filter(club=club, pk=repeating), gettext("Meeting not found."))


def _values(form: Form) -> dict[str, Any]:
    return {name: form[name] for name in repeating.FIELDS}


@act("news", request_serializers.SaveRepeating)
def add_repeating(action: Action, form: Form) -> Act:
    """Add a meeting that repeats. The site adds the next ones."""
    return repeating.save(action.club.pk, action.by, values=_values(form), **action.how)


@act("news", request_serializers.SaveRepeating, find=repeating_of)
def edit_repeating(action: Action, form: Form) -> Act:
    """Change a repeating meeting. Meetings that were added before stay as they are."""
    return repeating.save(action.club.pk, action.by, values=_values(form), repeating_id=action.row.pk, **action.how)


@act("news", request_serializers.SkipDay, find=repeating_of)
def skip_day(action: Action, form: Form) -> Act:
    """Skip a day of a repeating meeting, or hold it again."""
    return repeating.skip(action.row.pk, action.by, day=form["day"], is_off=form["is_off"], **action.how)


@act("news", request_serializers.EndRepeating, find=repeating_of)
def end_repeating(action: Action, form: Form) -> Act:
    """End a repeating meeting."""
    return repeating.end(action.row.pk, action.by, last_day=form["last_day"], **action.how)


@act("news", request_serializers.RepeatingReserves, find=repeating_of)
def set_reserves(action: Action, form: Form) -> Act:
    """Set the reserves of a repeating meeting."""
    return repeating.set_reserves(action.row.pk, action.by, memberships=form["memberships"], **action.how)


# Who comes


def question_of(club: Club, question: int) -> Question:
    """A question of the club. Raises `Http404`."""
    return first_or_404(occasions.questions().filter(club=club, pk=question), gettext("Meeting not found."))


@inside_view("look", response_serializers.ComingList, name="clubs_coming_list")
def coming(request: Request, club: Club) -> Response:
    """Meetings and matches to come about which members are asked, with your own answers."""
    now, member = timezone.now(), access.membership_of(player(request), club)
    all_occasions = [Occasion(question) for question in occasions.questions().filter(club=club).order_by("-pk")[:MOST]]
    ahead = [each for each in all_occasions if not each.is_closed(now) and each.starts_at is not None]
    ahead.sort(key=lambda each: (each.starts_at or now, each.question.pk))
    guest_counts = guests.counts([pk for each in ahead if (pk := each.question.meeting_id) is not None])
    rows = [
        _coming(each, member.pk if member else None) | {"guests": guest_counts.get(each.question.meeting_id or 0, 0)}
        for each in ahead
    ]
    return answer(request, response_serializers.ComingList, {"coming": rows})


def _coming(occasion: Occasion, membership_id: int | None) -> dict[str, Any]:
    question, all_replies = occasion.question, replies_of(occasion.question)
    reply = next((each for each in all_replies if each.membership_id == membership_id), None) if membership_id else None
    counts = [occasion.shown(each.answer) for each in all_replies]
    return {
        "id": question.pk,
        "meeting": question.meeting_id,
        "team": question.team.number if question.team else None,
        "match": question.pairing_id,
        **{name: getattr(occasion, name) for name in ("title", "venue", "starts_at", "ends_at")},
        "is_closed": occasion.is_closed(timezone.now()),
        "yes": counts.count(Reply.Answer.YES),
        "need_a_partner": counts.count(Reply.Answer.PARTNER),
        "no": counts.count(Reply.Answer.NO),
        "has_partners": occasion.has_partners,
        "your_answer": occasion.shown(reply.answer) if reply else "",
        "your_partner": desk.name_of(reply.partner) if reply and reply.partner and occasion.has_partners else "",
        "your_note": reply.note if reply else "",
        "you_come_at": _clock(reply.comes_at if reply else None),
        "you_leave_at": _clock(reply.leaves_at if reply else None),
    }


def _clock(at: time | None) -> str:
    return f"{at:%H:%M}" if at is not None else ""


def _details(form: Mapping[str, Any]) -> Details | None:
    """What a request adds to an answer; `None` if it sends none of it. Raises `Refused`."""
    return details.read(form) if any(name in form for name in details.FIELDS) else None


@inside_view("", response_serializers.ComingAnswers, name="clubs_coming_answers_list")
def answers(request: Request, club: Club, question: int) -> Response:
    """All answers to a question, for people who run the evening, and for the team’s captain."""
    this_question = question_of(club, question)
    desk.check(_user(request), this_question)
    page = Desk(Occasion(this_question), timezone.now())
    names = ("id", "membership_id", "answer", "way", "partner_id", "note", "is_reserve", "answered_at")
    rows = [
        {name.removesuffix("_id"): getattr(line.reply, name) for name in names}
        | {"name": line.name, "answer": line.answer}
        | {name: _clock(getattr(line.reply, name)) for name in ("comes_at", "leaves_at")}
        for line in page.lines
    ]
    data = {
        "replies": rows,
        "silent": [
            {"membership": member.pk, "name": member.name, "link": links.full(links.own_path(this_question, member.pk))}
            for member in page.silent
        ],
        "reserves": [{"membership": member.pk, "name": member.name} for member, _ in page.reserves],
        "group_link": page.group_link,
    }
    return answer(request, response_serializers.ComingAnswers, data)


def _user(request: Request) -> User:
    reader = player(request)
    if not isinstance(reader, User):
        raise NotAllowed("not_of_club", gettext("Only members of this club can do that."))
    return reader


@post_view("clubs_join", takes=request_serializers.AnswerComing)
def answer_own(request: Request, club: str, question: int) -> Response:
    """Answer for yourself if you come, or change your answer. This is not in the history."""
    by, this_club = _user(request), access.open_club(club)
    this_question = question_of(this_club, question)
    member = next(
        (each for each in by.memberships.filter(left_at=None) if occasions.can_answer(this_question, each)), None
    )
    if member is None:
        raise NotAllowed("not_of_club", gettext("Only members of this club can do that."))
    form = read(request_serializers.AnswerComing, request.data)
    if not form.get("preview"):
        way = Reply.Way.ACCOUNT
        replies.answer(this_question.pk, member, form["answer"], way=way, details=_details(form), by=by)
    words = gettext("%(title)s: %(name)s, %(answer)s.")
    title = Occasion(this_question).title
    return done_response(
        this_club, words % {"title": title, "name": member, "answer": Reply.Answer(form["answer"]).label}
    )


@act("", request_serializers.AnswerFor, find=question_of, allow=desk.check, scope="clubs_join")
def answer_for(action: Action, form: Form) -> Act:
    """Enter somebody’s answer, for people who run the evening."""
    who = form.get("membership") or form["name"]
    if not who:
        raise Refused("nobody", gettext("Choose a person."), field="name")
    return desk.answer_for(
        action.row.pk, action.by, who=who, answer=form["answer"], details=_details(form), **action.how
    )


@act("", request_serializers.PairComing, find=question_of, allow=desk.check, scope="clubs_join")
def pair(action: Action, form: Form) -> Act:
    """Create the pair of two people who need a partner, and tell both."""
    return desk.pair(action.row.pk, action.by, first=form["first"], second=form["second"], **action.how)


@act("", request_serializers.ChangePartner, find=question_of, allow=desk.check, scope="clubs_join")
def change_partner(action: Action, form: Form) -> Act:
    """Give somebody another partner, or none."""
    partner = form.get("partner")
    return desk.change_partner(action.row.pk, action.by, reply=form["reply"], partner=partner, **action.how)


@act("members", request_serializers.ConfirmName, find=question_of)
def confirm(action: Action, form: Form) -> Act:
    """Confirm a name that the club did not know."""
    reply = desk.reply_of(action.row, form["reply"])
    return desk.confirm_guest(reply, action.by, membership=form.get("membership"), **action.how)


@act("news", find=question_of)
def remind(action: Action, form: Form) -> Act:
    """Ask everyone again who has not answered."""
    return asking.remind(action.row.pk, action.by, **action.how)


@act("news", find=question_of)
def renew_links(action: Action, form: Form) -> Act:
    """End all links to a question. New ones apply."""
    return asking.renew_links(action.row.pk, action.by, **action.how)


@inside_view("results", response_serializers.GuestList, name="clubs_meeting_guests_list")
def meeting_guests(request: Request, club: Club, meeting: int) -> Response:
    """Guests who said on the club’s public page that they come to a meeting, for people who run the evening."""
    rows = guests.guests_of(meeting_of(club, meeting))
    names = ("id", "name", "note", "created_at")
    data = {"guests": [{name: getattr(row, name) for name in names} for row in rows]}
    return answer(request, response_serializers.GuestList, data)


remove_guest = declared_view(guests.remove, find=meeting_of)


@act("news", find=meeting_of)
def ask(action: Action, form: Form) -> Act:
    """Ask members if they come to a meeting."""
    return asking.ask(action.row.pk, action.by, **action.how)


@act("", request_serializers.AskTeam, find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def ask_team(action: Action, form: Form) -> Act:
    """Ask the players of a team before each match if they come, or stop that."""
    return asking.ask_team(action.row.pk, action.by, asks=form["asks"], **action.how)


@act("leagues", request_serializers.AskTeam, find=find_league)
def ask_league(action: Action, form: Form) -> Act:
    """Ask the players of all teams of a league before each match if they can play, or stop that."""
    return asking.ask_league(action.row.pk, action.by, asks=form["asks"], **action.how)
