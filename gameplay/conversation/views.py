"""Chat, private notes, standing orders, pauses, and leaving a match."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.queries import player_of
from engine.play.cards import NAMES, RANKS
from gameplay.conversation import friends
from gameplay.conversation import services as conversation
from gameplay.models import ChatMessage, Seat, Table
from gameplay.page.words import card_words, rank_sign
from gameplay.services import leaving, pauses
from gameplay.snapshot import view_of
from gameplay.standing_orders import services as standing_services
from gameplay.standing_orders.orders import ANSWERS, BOTS, RANKS_TO_TAKE, read_standing
from gameplay.standing_orders.sentences import form_values, preview, sentences
from gameplay.views.history import page
from gameplay.views.visits import Visit, visit
from web.errors import NotAllowed, Refused, is_htmx

MOST_SHOWN = 100
"""Messages of a chat that are shown, the latest last."""


def own_visit(request: HttpRequest, slug: str) -> tuple[Visit, Seat]:
    """The table and the player's own seat. Raises `Http404`, or `NotAllowed` for people who can only watch."""
    visited = visit(request, slug)
    if visited.seat is None:
        raise NotAllowed("no_seat", gettext("You have no seat at this table."))
    return visited, visited.seat


def _player(request: HttpRequest) -> User:
    """The user of a request; only for players with a seat."""
    return cast(User, player_of(request))


# Chat


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def chat(request: HttpRequest, slug: str) -> HttpResponse:
    """The chat of the table, and a form to write; watchers can only read."""
    visited = visit(request, slug)
    if request.method != "POST":
        context = _chat_context(request, visited)
        if visited.seat is not None and not context["is_muted"]:
            context["had_unread"] = bool(visited.seat.unread)
            conversation.mark_read(visited.seat)
        return page(request, "chat", visited, context)
    visited, _ = own_visit(request, slug)
    text = request.POST.get("text", "")
    try:
        conversation.say(visited.table.pk, _player(request), text=text, phrase=request.POST.get("phrase", ""))
    except Refused as refusal:
        context = {**_chat_context(request, visited), "refusal": refusal.sentence, "text": text}
        return page(request, "chat", visited, context, status=refusal.status)
    return _answer(request, "chat", visited, partial(_chat_context, request))


def _chat_context(request: HttpRequest, visited: Visit) -> dict[str, Any]:
    is_muted = visited.seat is not None and visited.seat.mutes_chat
    return {
        "messages_said": [] if is_muted else _messages(visited.table, player_of(request)),
        "is_muted": is_muted,
        "has_chat": visited.table.talk != Table.Talk.NONE,
        "is_free": visited.table.talks_freely,
        "phrases": conversation.PHRASES.items(),
        "most": conversation.MOST_LETTERS,
    }


def _messages(table: Table, reader: User | AnonymousUser) -> list[ChatMessage]:
    return list(conversation.messages_for(table, reader).order_by("-pk")[:MOST_SHOWN])[::-1]


@require_POST
def mute(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide the own view of the chat, or show it again."""
    visited, _ = own_visit(request, slug)
    conversation.mute(visited.table.pk, _player(request), is_muted=request.POST.get("mute") == "yes")
    return _answer(request, "chat", visit(request, slug), partial(_chat_context, request))


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Report a message (`message`), or someone's behaviour."""
    visited, _ = own_visit(request, slug)
    number = request.POST.get("message") or request.GET.get("message") or ""
    message_id = int(number) if number.isascii() and number.isdigit() and len(number) < 18 else None
    message = ChatMessage.objects.filter(pk=message_id or 0, table=visited.table, hidden_at=None).first()
    context: dict[str, Any] = {
        "message": message,
        "most": conversation.MOST_REASON,
        "to_block": _person_to_block(message, _player(request)),
    }
    if request.method != "POST":
        return page(request, "report", visited, context)
    reason = request.POST.get("reason", "")
    try:
        conversation.report(visited.table.pk, _player(request), reason=reason, message_id=message_id)
    except Refused as refusal:
        context |= {"refusal": refusal.sentence, "reason": reason}
        return page(request, "report", visited, context, status=refusal.status)
    if is_htmx(request):
        return page(request, "report", visited, {"is_sent": True})
    messages.success(request, gettext("Thank you. The site’s operator will look at it."))
    return redirect("gameplay:chat", visited.table.slug)


def _person_to_block(message: ChatMessage | None, reader: User) -> User | None:
    """The writer of a message whom the reader can block: both need an account."""
    writer = None if message is None else message.user
    if writer is None or writer.is_guest or reader.is_guest or not writer.is_active or writer.pk == reader.pk:
        return None
    return writer


# Notes


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def notes(request: HttpRequest, slug: str) -> HttpResponse:
    """Notes that nobody else sees; saved while writing."""
    visited, seat = own_visit(request, slug)
    if request.method != "POST":
        return page(request, "notes", visited, {"note": seat.note, "most": conversation.MOST_NOTE})
    note = request.POST.get("note", "")
    try:
        conversation.keep_note(visited.table.pk, _player(request), note)
    except Refused as refusal:
        context = {"note": note, "most": conversation.MOST_NOTE, "refusal": refusal.sentence}
        return page(request, "notes", visited, context, status=refusal.status)
    if is_htmx(request):
        return HttpResponse(gettext("Saved."), content_type="text/plain; charset=utf-8")
    messages.success(request, gettext("Notes saved."))
    return redirect("gameplay:notes", visited.table.slug)


# Standing orders, pausing, leaving


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def standing(request: HttpRequest, slug: str) -> HttpResponse:
    """The player's standing orders; and the ways to pause or leave the match."""
    visited, _ = own_visit(request, slug)
    if request.method != "POST":
        return page(request, "standing", visited, _standing_context(visited))
    form = {**request.POST.dict(), **{name: request.POST.getlist(name) for name in ("take", "discard")}}
    try:
        if request.POST.get("do") == "preview":
            return page(request, "standing", visited, _standing_context(visited, form))
        standing_services.set_standing(visited.table.pk, _player(request), form)
    except Refused as refusal:
        context = {**_standing_context(visited), "wanted": form, "refusal": refusal.sentence}
        return page(request, "standing", visited, context, status=refusal.status)
    return _answer(request, "standing", visit(request, slug), _standing_context, gettext("Standing orders saved."))


def _standing_context(visited: Visit, form: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The form with the orders of the seat; or with ones of a `form` that are not saved, and what they would do.

    Raises `Refused` if those make no sense.
    """
    seat, table, now = visited.seat, visited.table, timezone.now()
    player_zone = seat.user.zone if seat is not None and seat.user is not None else ZoneInfo("UTC")
    orders = read_standing(seat.standing if seat is not None else {})
    shown = orders if form is None else read_standing(form, player_zone, now)
    view = None if seat is None or table.snapshot is None else view_of(table, seat.number)
    return {
        "wanted": form_values(shown, player_zone),
        "sentences": sentences(shown),
        "is_preview": form is not None,
        "would": "" if view is None or not shown.to_json() else preview(view, shown),
        "answers": [(key, words) for key, words in ANSWERS.items() if key or table.team_size > 1],
        "bots": [] if table.missed == Table.Missed.FORFEIT else BOTS.items(),
        "ranks": [(RANKS[rank], rank_sign(rank)) for rank in RANKS_TO_TAKE],
        "cards": [] if view is None else [(NAMES[card], card_words(card)) for card in sorted(set(view.hand))],
        "has_partner": table.team_size > 1,
        **_proposal(visited),
    }


def _proposal(visited: Visit) -> dict[str, Any]:
    """The current proposal, the players who agreed, and whether the reader has."""
    proposal = visited.table.proposal
    if proposal is None:
        return {}
    agreed = [str(seat) for seat in visited.seats if seat.number in proposal["agreed"]]
    return {
        "proposal": proposal["what"],
        "proposal_words": pauses.PROPOSALS[proposal["what"]],
        "agreed": agreed,
        "has_agreed": visited.number in proposal["agreed"],
    }


_ACTS: dict[str, tuple[Callable[[int, User], object], str]] = {
    "pause": (pauses.propose_pause, gettext_noop("You proposed a pause. The others must agree.")),
    "agree-pause": (pauses.agree_pause, gettext_noop("You agreed to the pause.")),
    "resume": (pauses.resume, gettext_noop("Match resumed.")),
    "abandon": (pauses.offer_abandon, gettext_noop("You proposed to abandon the match. The others must agree.")),
    "agree-abandon": (pauses.agree_abandon, gettext_noop("You agreed to abandon the match.")),
    "decline": (pauses.decline, gettext_noop("Request closed.")),
}


@require_POST
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Propose, agree to or decline a pause or the end of the match, or resume: `act` is the key."""
    visited, _ = own_visit(request, slug)
    choice = _ACTS.get(request.POST.get("act", ""))
    try:
        if choice is None:
            raise Refused("no_such_act", gettext("You cannot do that here."))
        act, sentence = choice
        act(visited.table.pk, _player(request))
    except Refused as refusal:
        context = {**_standing_context(visited), "refusal": refusal.sentence}
        return page(request, "standing", visit(request, slug), context, status=refusal.status)
    if is_htmx(request):
        return _answer(request, "standing", visit(request, slug), _standing_context)
    messages.success(request, gettext(sentence))
    return redirect(visited.table)


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave the match for good, once it has been confirmed."""
    visited, _ = own_visit(request, slug)
    if request.method != "POST":
        return page(request, "resign", visited, {})
    try:
        leaving.resign(visited.table.pk, _player(request))
    except Refused as refusal:
        return page(request, "resign", visited, {"refusal": refusal.sentence}, status=refusal.status)
    messages.success(request, gettext("You left %(table)s.") % {"table": visited.table.name})
    return redirect("gameplay:turns")


@require_POST
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Return to the seat that a bot plays in."""
    visited = visit(request, slug)
    try:
        leaving.return_to_seat(visited.table.pk, _player(request))
    except Refused as refusal:
        messages.warning(request, refusal.sentence)
    return redirect(visited.table)


def _answer(
    request: HttpRequest, name: str, visited: Visit, context: Callable[[Visit], dict[str, Any]], words: str = ""
) -> HttpResponse:
    """Answer an act: with the part as it is now, or by a redirect to its page."""
    if is_htmx(request):
        return page(request, name, visited, {**context(visited), "done": words})
    if words:
        messages.success(request, words)
    return redirect(f"gameplay:{name}", visited.table.slug)


urls = [
    *friends.urls,
    path("tables/<slug:slug>/chat/", chat, name="chat"),
    path("tables/<slug:slug>/mute/", mute, name="mute"),
    path("tables/<slug:slug>/report/", report, name="report"),
    path("tables/<slug:slug>/notes/", notes, name="notes"),
    path("tables/<slug:slug>/standing/", standing, name="standing"),
    path("tables/<slug:slug>/pause/", pause, name="pause"),
    path("tables/<slug:slug>/resign/", resign, name="resign"),
    path("tables/<slug:slug>/take-back/", take_back, name="take_back"),
]
