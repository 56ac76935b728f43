"""Pages of the question who comes: by links without an account, and for organisers and captains."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from clubs import access
from clubs.coming import asking, desk, details, letters, links, occasions, phone, replies
from clubs.coming.link_cards import occasion_card
from clubs.coming.occasions import Occasion
from clubs.coming.page import Ask, Desk
from clubs.exports.calendar import of_meeting
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.league import permissions
from clubs.models import Act, Membership, Question, Reply
from clubs.public import page_context
from clubs.public.page_context import Visit
from clubs.services.publications import newsletters
from clubs.views.login_required import person_of, sign_in
from web.errors import Refused
from web.sent_numbers import read_whole

_FORM = ["GET", "HEAD", "POST"]
Way = Reply.Way


# Links without an account


@never_cache
@require_http_methods(_FORM)
def own_link(request: HttpRequest, token: str) -> HttpResponse:
    """A person's own link: opening it answers nothing, its buttons do."""
    try:
        question, membership = links.read_own(token)
    except Refused as refusal:
        return ended(request, refusal)
    ask = Ask(Occasion(question), timezone.now(), membership, membership.name)
    paths = {"calendar": f"{request.path}meeting.ics"}
    if question.team is not None and permissions.is_captain(membership.pk, question.team):
        paths["line_up"] = reverse("clubs:coming_line_up", args=[token])
    if request.method != "POST":
        return _ask_page(request, ask, paths)
    return _post(request, ask, membership, _way_of(request, membership), paths)


def _way_of(request: HttpRequest, membership: Membership) -> str:
    """How an own link was used: by somebody who is signed in as its person, or by anyone who has it."""
    person = person_of(request)
    return Way.ACCOUNT if person is not None and membership.user_id == person.pk else Way.OWN


@never_cache
@require_http_methods(_FORM)
def group(request: HttpRequest, token: str) -> HttpResponse:
    """The group's link: it asks for the name once, and keeps it on the phone."""
    try:
        question = links.read_group(token)
    except Refused as refusal:
        return ended(request, refusal)
    name = "" if "other" in request.GET else phone.known_name(request, question.club)
    if request.method == "POST" and (typed := request.POST.get("name", "")[:200]).strip():
        name = typed
    try:
        ask = _ask_of(question, name)
    except Refused as refused:
        ask = _ask_of(question, "")
        refusal_at = Refusal("name", refused.sentence, refused.status, refused.code)
        return _ask_page(request, ask, {}, refusal_at, typed=name)
    paths = {"calendar": f"{request.path}meeting.ics"} if ask.name else {}
    if request.method != "POST":
        return _ask_page(request, ask, paths)
    if not ask.name:
        return _ask_page(request, ask, {}, Refusal("name", gettext("Enter your name."), 422, "no_name"))
    response = _post(request, ask, ask.membership or ask.name, Way.GROUP, paths)
    if response.status_code == 302:
        phone.remember(response, question.club, ask.name)
    return response


def _ask_of(question: Question, typed: str) -> Ask:
    """The page for a typed name, a member's if there is one of that name. Raises `Refused` for odd names."""
    occasion, now = Occasion(question), timezone.now()
    if not typed:
        return Ask(occasion, now)
    name = replies.clean_name(typed)
    membership = replies.find_member(question, name)
    return Ask(occasion, now, membership, membership.name if membership else name)


def _post(request: HttpRequest, ask: Ask, who: Membership | str, way: str, paths: dict[str, str]) -> HttpResponse:
    """Answer, or ask somebody to be the partner; then show the page again."""
    pk, partner = ask.occasion.question.pk, form_actions.number(request, "partner")
    by = person_of(request)
    try:
        if partner is not None and ask.reply is not None:
            replies.ask_partner(pk, ask.reply, partner)
        elif "details" in request.POST and ask.answer:
            added = details.read(request.POST, keeps_note=way == Way.GROUP)
            replies.answer(pk, who, ask.answer, way=way, details=added, by=by)
        else:
            replies.answer(pk, who, request.POST.get("answer", ""), way=way, by=by)
    except Refused as refused:
        at = str(refused.details.get("field", "answer"))
        fresh = Ask(ask.occasion, ask.now, ask.membership, "" if at == "name" else ask.name)
        refusal = Refusal(at, refused.sentence, refused.status, refused.code)
        return _ask_page(request, fresh, paths, refusal, typed=ask.name)
    return HttpResponseRedirect(request.path)


def _ask_page(
    request: HttpRequest, ask: Ask, paths: dict[str, str], refusal: Refusal | None = None, *, typed: str = ""
) -> HttpResponse:
    is_group = request.resolver_match is not None and request.resolver_match.url_name == "coming_group"
    members = ask.occasion.club.memberships.filter(left_at=None, is_listed=True) if ask.shows_names else []
    context = {
        "ask": ask,
        "occasion": ask.occasion,
        "club": ask.occasion.club,
        "paths": paths,
        "is_group": is_group,
        "changes": "change" in request.GET,
        "members": [] if ask.name else list(members),
        "typed": typed,
        "added": _added(request, ask, refusal, shows_note=not is_group),
        "refusal": refusal,
    }
    with timezone.override(ask.occasion.club.zone):
        context["link_card"] = occasion_card(ask.occasion)
        return render(request, "clubs/coming/ask.html", context, status=refusal.status if refusal else 200)


def _added(request: HttpRequest, ask: Ask, refusal: Refusal | None, *, shows_note: bool) -> dict[str, str]:
    """The fields of what was added to an answer: as typed if it was refused. By the group’s link, which anyone can
    use for any name, a note is only said to be there.
    """
    if refusal is not None and "details" in request.POST:
        return {name: request.POST.get(name, "")[:500] for name in details.FIELDS}
    reply = ask.reply
    if reply is None:
        return {}
    times = {name: f"{at:%H:%M}" for name in ("comes_at", "leaves_at") if (at := getattr(reply, name)) is not None}
    return times | ({"note": reply.note} if shows_note else {"has_note": "yes" if reply.note else ""})


@never_cache
@require_safe
def own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The meeting or match as a calendar file."""
    try:
        question, _ = links.read_own(token)
    except Refused as refusal:
        return ended(request, refusal)
    return _calendar(question)


@never_cache
@require_safe
def group_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The same for the group's link."""
    try:
        question = links.read_group(token)
    except Refused as refusal:
        return ended(request, refusal)
    return _calendar(question)


def _calendar(question: Question) -> HttpResponse:
    occasion = Occasion(question)
    if occasion.starts_at is None:
        raise Http404(gettext("Meeting not found."))
    file = of_meeting(
        occasion.club,
        uid=f"question-{question.pk}",
        title=occasion.title,
        begins=occasion.starts_at,
        ends=occasion.ends_at,
        place=occasion.venue,
        is_off=occasion.is_off,
    )
    response = HttpResponse(file, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="meeting.ics"'
    return response


# A mail program posts here without the token of a page; the token in the address is the key.
@csrf_exempt
@never_cache
@require_http_methods(_FORM)
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop emails that ask a person without an account if they come."""
    reader = newsletters.reader(token)
    if reader is not None and request.method == "POST":
        letters.stop(token)
    context = {"club": reader.club if reader else None, "is_done": request.method == "POST"}
    return render(request, "clubs/coming/stop.html", context, status=200 if reader else 404)


def ended(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """The page of a link that leads nowhere."""
    return render(request, "clubs/joining/ended.html", {"refusal": refusal}, status=refusal.status)


# Organisers and captains


@never_cache
@require_http_methods(_FORM)
def who_comes(request: HttpRequest, club: str, question: int) -> HttpResponse:
    """The organisers' page: who comes, who needs a partner, who has not answered."""
    visit = page_context.visit(request, club)
    person = person_of(request)
    if person is None:
        return sign_in(request)
    this_question = occasions.questions().filter(club=visit.club, pk=question).first()
    if this_question is None:
        raise Http404(gettext("Meeting not found."))
    desk.check(person, this_question)
    if request.method != "POST":
        return _desk_page(request, visit, this_question)
    wish, do = request.POST.get("act", ""), _acts(request, visit, this_question)
    if wish not in do:
        return _desk_page(request, visit, this_question, Refusal("act", gettext("Choose an action."), 422, "no_act"))
    return form_actions.act(
        request, wish, do[wish], lambda refusal: _desk_page(request, visit, this_question, refusal), request.path
    )


def _acts(request: HttpRequest, visit: Visit, question: Question) -> dict[str, Callable[[], Act]]:
    """What the page can do, by its buttons."""
    person, how = form_actions.person(request), form_actions.how(request)
    number = form_actions.number

    def chosen(field: str) -> int:
        if (value := number(request, field)) is None:
            raise Refused("nothing_chosen", gettext("Choose a person."), field=field)
        return value

    def answer(value: str) -> Act:
        who = request.POST.get("who", "")[:200]
        is_added = any(request.POST.get(name, "").strip() for name in details.FIELDS)
        added = details.read(request.POST, keeps_all=True) if is_added else None
        return desk.answer_for(question.pk, person, who=who, answer=value, details=added, **how)

    def confirm() -> Act:
        access.check_as(visit.role, "members")
        reply = desk.reply_of(question, chosen("reply"))
        return desk.confirm_guest(reply, person, membership=number(request, "membership"), **how)

    return {
        **{value: partial(answer, value) for value in replies.ANSWERS},
        "pair": lambda: desk.pair(question.pk, person, first=chosen("first"), second=chosen("second"), **how),
        "confirm": confirm,
        "remind": lambda: asking.remind(question.pk, person, **how),
        "links": lambda: asking.renew_links(question.pk, person, **how),
    }


def _desk_page(request: HttpRequest, visit: Visit, question: Question, refusal: Refusal | None = None) -> HttpResponse:
    sort = "name" if request.GET.get("sort") == "name" else "new"
    pair, ask = (_asked_number(request, name) for name in ("pair", "ask"))
    page = Desk(Occasion(question), timezone.now(), sort, pair, ask)
    context: dict[str, Any] = {
        "desk": page,
        "occasion": page.occasion,
        "club": visit.club,
        "may": visit.may,
        "refusal": refusal,
        "typed": request.POST if refusal else {},
    }
    with timezone.override(visit.club.zone):
        return render(request, "clubs/coming/desk.html", context, status=refusal.status if refusal else 200)


def _asked_number(request: HttpRequest, name: str) -> int:
    """A whole number in the address; 0 if it is not one."""
    return read_whole(request.GET.get(name, "")) or 0


def own_links(visit: Visit, now: datetime) -> dict[int, tuple[str, str]]:
    """For a member: links to answer, and the own answers, by the ids of meetings to come."""
    member = visit.membership
    if member is None:
        return {}
    rows = occasions.questions().filter(club=visit.club, meeting__starts_at__gt=now, meeting__is_called_off=False)
    answers = dict(Reply.objects.filter(membership=member, question__in=rows).values_list("question_id", "answer"))
    return {
        question.meeting_id: (
            links.own_path(question, member.pk),
            Occasion(question).shown(answers.get(question.pk, "")),
        )
        for question in rows
        if question.meeting_id is not None
    }
