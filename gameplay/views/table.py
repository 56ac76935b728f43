r"""The page of a table, and the acts of its players.

A move is posted as lines of notation, `\n` or `;` between them, with `seen`, the number of moves that the page knew,
and `key`, a random key for each act. With htmx the answer is the changed parts of the page; without it a redirect to
the page. A stale page is answered 409 with fresh parts, a refused move 422 with the sentence and the cards.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.queries import player_of
from accounts.services import notices
from engine.errors import BadInput
from engine.play.cards import write_cards
from engine.play.moves import Move, parse_move, write_move
from engine.play.view import View
from gameplay import link_cards, presence, queries
from gameplay.access import is_member, open_table, own_seat
from gameplay.dry_run import dry_run
from gameplay.links import links_of
from gameplay.log import story
from gameplay.log.deal_end import DealEnd, read_deal_end
from gameplay.models import Seat, Table
from gameplay.page.build import NextTable, Scene, build
from gameplay.page.hints import hint_rows
from gameplay.page.markup import sentence
from gameplay.page.move_text import choices_of
from gameplay.page.seats import watching_words
from gameplay.services import clocks, first_deal, hand_order, hints, leaving, play, rematch
from gameplay.services.match_play import MoveRefused
from gameplay.services.play import StalePage
from gameplay.services.sitting import Sitting
from gameplay.snapshot import view_of
from gameplay.views import waiting
from gameplay.views.devices import noted
from gameplay.views.fresh_parts import answer_parts
from web.errors import NotAllowed, Refused, is_htmx
from web.text import duration

_MOST_MOVES = 60
_LOOKED_EVERY = timedelta(seconds=25)


@require_safe
@never_cache
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole page; before the start, the waiting room."""
    opened, seat = open_table(_player(request), slug)
    if opened.status == Table.Status.GATHERING or opened.snapshot is None:
        return waiting.waiting_room(request, opened, seat)
    return _full_page(request, opened, seat)


def _full_page(
    request: HttpRequest, table: Table, seat: Seat | None, refused: Refused | None = None, **more: Any
) -> HttpResponse:
    scene = _scene(request, table, seat)
    page = build(scene, story=story.since(table, scene.seat, scene.seats), **_notice(refused), **more)
    moves = scene.view.legal_moves() if page.is_turn else []
    if (guide := page.guide) is not None:  # without script the hint is the first choice
        moves.sort(key=lambda move: write_move(move) != guide.move)
    choices = choices_of(moves)
    also = " ".join(f"{slug}:{version}" for slug, version in queries.running_beside(_player(request), table))
    card = link_cards.table_card(table, scene.seats)
    context = {
        "page": page,
        "choices": choices,
        "scene": scene,
        "also": also,
        "link_card": card,
        **_beside(request, scene),
    }
    return render(request, "gameplay/table.html", context, status=refused.status if refused else 200)


def _beside(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    """Parts of the whole page only: the offer to be a reserve."""
    table, seat, player = scene.table, scene.seat, _player(request)
    if seat is not None:
        return {}
    sat_here = any(player.pk is not None and seat.former_user_id == player.pk for seat in scene.seats)
    can_be = table.status == Table.Status.PLAYING and not table.is_practice and not table.is_arranged
    may = is_member(player) and can_be and not sat_here
    return {"may_be_reserve": may, "is_reserve": may and waiting.is_reserve(player, table)}


@require_safe
@never_cache
def parts(request: HttpRequest, slug: str) -> HttpResponse:
    """The parts of the page that change; 204 if the page, of version `seen`, is up to date.

    `only=bar` is for a page where only the other tables may have changed. `only=here` answers with the seats whose
    players are at the table, and the number of spectators: `{here: [0, 2], watching: "3 watching"}`.
    """
    table, seat = open_table(_player(request), slug)
    if table.status == Table.Status.GATHERING or table.snapshot is None:
        return HttpResponse(status=204)
    if request.GET.get("only") == "here":
        here = presence.shown_here(queries.seats_of(table), timezone.now())
        return JsonResponse({"here": sorted(here), "watching": watching_words(table)})
    is_fresh = request.GET.get("seen") == str(table.version)
    if is_fresh and request.GET.get("only") == "bar":
        return render(request, "gameplay/table/bar.html", {"page": build(_scene(request, table, seat))})
    if is_fresh:
        return HttpResponse(status=204)
    scene = _scene(request, table, seat)
    return _parts(request, scene, story=story.since(table, scene.seat, scene.seats))


@require_POST
@never_cache
def move(request: HttpRequest, slug: str) -> HttpResponse:
    """Play one turn's moves."""

    def act(table_id: int) -> Sitting:
        number, key = _number(request, "seen"), request.POST.get("key", "")[:64] or None
        always = request.POST.get("from_now_on") == "on"
        if lift := request.POST.get("lift"):
            mark, player = _whole_number(lift), _player(request)
            return play.play_lift(table_id, player, mark, seen=number, request_key=key, from_now_on=always)
        moves = read_moves(request.POST.get("moves", ""))
        return play.play(table_id, _player(request), moves, seen=number, request_key=key, from_now_on=always)

    response = _answer(request, slug, act)
    # A page without script does not say that it is looked at; its forms do.
    return response if is_htmx(request) else noted(request, slug, response)


@require_POST
@never_cache
def next_deal(request: HttpRequest, slug: str) -> HttpResponse:
    """Note that the player has looked at the score sheet of deal `deal`."""
    return _answer(
        request,
        slug,
        lambda table_id: play.ready_for_next_deal(table_id, _player(request), deal=_number(request, "deal")),
    )


@require_POST
@never_cache
def ask_rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a rematch."""
    return _answer(request, slug, lambda table_id: rematch.ask_rematch(table_id, _player(request)))


@require_POST
@never_cache
def check(request: HttpRequest, slug: str) -> JsonResponse:
    """Whether staged moves would do: `{ok, code, sentence, cards, points, minimum}`. Changes nothing."""
    table, seat = _own_seat(request, slug)
    if table.snapshot is None:
        return JsonResponse({"code": "not_started", "sentence": gettext("The match has not started yet.")}, status=422)
    try:
        verdict = dry_run(view_of(table, seat.number), read_moves(request.POST.get("moves", "")))
    except Refused as refused:
        return JsonResponse({"code": refused.code, "sentence": sentence(refused.sentence)}, status=refused.status)
    refusal = verdict.refusal
    return JsonResponse(
        {
            "ok": refusal is None,
            "code": refusal.code.value if refusal else "",
            "sentence": sentence(refusal.sentence) if refusal else "",
            "cards": write_cards(refusal.cards) if refusal else "",
            "points": verdict.points,
            "minimum": verdict.minimum,
        }
    )


@require_POST
@never_cache
def hint(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the player to act the best acts, with what each is worth and why. Changes nothing."""
    try:
        acts = hints.give_hint(_table_id(slug), _player(request), seen=_number(request, "seen"))
    except Refused as refused:
        return _refused(request, slug, refused)
    table, seat = _own_seat(request, slug)
    rows = hint_rows(acts)
    notice = gettext("A bot would choose: %(act)s.") % {"act": rows[0].words}
    if not is_htmx(request):
        return _full_page(request, table, seat, hints=rows, notice=notice)
    return render(request, "gameplay/table/hint_answer.html", {"page": {"hints": rows, "notice": notice}})


@require_POST
def looking(request: HttpRequest, slug: str) -> HttpResponse:
    """Note that the page is being looked at: no reminder, and notifications about the table are read."""
    looked_before = Q(looked_at=None) | Q(looked_at__lt=Now() - _LOOKED_EVERY)
    seats = Seat.objects.filter(looked_before, table__slug=slug, user__pk=_player(request).pk or 0)
    if not seats.update(looked_at=Now()):
        return HttpResponse(status=204)
    if Table.objects.running().filter(slug=slug, clock=Table.Clock.LIVE).exists():
        clocks.come_to_table(_table_id(slug))
    notices.mark_read(_player(request), subject=f"table:{_table_id(slug)}")
    return noted(request, slug, HttpResponse(status=204))


@require_POST
@never_cache
def order(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the order of the hand: `by` a name of `User.HandOrder`, for `own` with the `cards` in order."""
    table, seat = _own_seat(request, slug)
    try:
        hand_order.keep_order(
            seat, _player(request), by=request.POST.get("by", ""), cards=request.POST.get("cards", "")
        )
    except Refused as refused:
        return _refused(request, slug, refused)
    return _parts(request, _scene(request, table, seat)) if is_htmx(request) else redirect(table)


@require_POST
@never_cache
def hints_shown(request: HttpRequest, slug: str) -> HttpResponse:
    """Show (`hints` is yes) or hide the hints of a first deal."""
    is_shown = request.POST.get("hints") == "yes"
    return _answer(request, slug, lambda table_id: first_deal.show_hints(table_id, _player(request), is_shown=is_shown))


# Reading what was sent


def _player(request: HttpRequest) -> User:
    """The user of a request; visitors have no seat, which the services check."""
    return cast(User, player_of(request))


@lru_cache(maxsize=10_000)
def _table_id(slug: str) -> int:
    """The permanent id of a slug, cached because every move needs it."""
    return get_object_or_404(Table.objects.only("pk"), slug=slug).pk


def _own_seat(request: HttpRequest, slug: str) -> tuple[Table, Seat]:
    """The table, its position still unread, and the player's seat. Raises `Http404` or `PermissionDenied`."""
    seats = Seat.objects.filter(table__slug=slug, user__pk=_player(request).pk or 0)
    seat = seats.select_related("table").defer("table__snapshot").first()
    if seat is not None:
        return seat.table, seat
    try:
        return own_seat(_player(request), slug)
    except NotAllowed as refused:
        raise PermissionDenied(refused.sentence) from None


def read_moves(text: str) -> list[Move]:
    """The moves that lines of notation say. Raises `Refused` for anything else."""
    lines = [line.strip() for line in re.split(r"[\r\n;]+", text) if line.strip()]
    if len(lines) > _MOST_MOVES:
        raise Refused("too_many", gettext("That is more than one turn."))
    try:
        return [parse_move(line) for line in lines]
    except BadInput as error:
        raise Refused("bad_move", str(error)) from None


def _number(request: HttpRequest, name: str) -> int:
    return _whole_number(request.POST.get(name, ""))


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise Refused("bad_number", gettext("Enter a whole number."))
    return int(text)


# Answering


def _answer(request: HttpRequest, slug: str, act: Callable[[int], Sitting]) -> HttpResponse:
    """Call the service, and answer with fresh parts or a redirect to the page, which shows a refusal."""
    try:
        sitting = act(_table_id(slug))
    except Refused as refused:
        return _refused(request, slug, refused)
    if not is_htmx(request):
        return redirect(sitting.table)
    return _parts(request, _scene_after(request, sitting))


def _refused(request: HttpRequest, slug: str, refused: Refused) -> HttpResponse:
    table, seat = _own_seat(request, slug)
    if not is_htmx(request):
        return _full_page(request, table, seat, refused)
    if isinstance(refused, StalePage):
        scene = replace(_scene(request, table, seat), mover=queries.last_mover(table))
        return _parts(request, scene, refused, story=story.since(table, scene.seat, scene.seats))
    return render(request, "gameplay/table/refusal.html", _notice(refused), status=refused.status)


def _parts(request: HttpRequest, scene: Scene, refused: Refused | None = None, **more: Any) -> HttpResponse:
    page = build(scene, **_notice(refused), **more)
    status = refused.status if refused else 200
    return answer_parts(request, {"page": page, "scene": scene}, status)


def _notice(refused: Refused | None) -> dict[str, Any]:
    """The refusal in the status line, and its cards."""
    if refused is None:
        return {}
    cards = refused.refusal.cards if isinstance(refused, MoveRefused) else b""
    is_stale = isinstance(refused, StalePage)
    notice = sentence(refused.sentence)
    return {"notice": notice, "is_bad": True, "is_stale": is_stale, "notice_cards": write_cards(cards)}


def _scene(request: HttpRequest, table: Table, seat: Seat | None) -> Scene:
    seats, reader = queries.seats_of(table), None if seat is None else seat.number
    view = view_of(table, reader)
    return Scene(
        table=table,
        seats=seats,
        seat=None if reader is None else seats[reader],
        view=view,
        now=timezone.now(),
        next=_next(request, table),
        may_take_back=seat is None and _may_take_back(request, table, seats),
        deal_end=_deal_end(table, view, seats),
    )


def _may_take_back(request: HttpRequest, table: Table, seats: list[Seat]) -> bool:
    player = _player(request)
    return player.pk is not None and any(leaving.can_return(table, seat, player) for seat in seats)


def _scene_after(request: HttpRequest, sitting: Sitting) -> Scene:
    """The scene after the player's own act."""
    seat = sitting.seat_of(_player(request))
    view = view_of(sitting.table, seat.number, sitting.state)
    return Scene(
        table=sitting.table,
        seats=sitting.seats,
        seat=seat,
        view=view,
        deal_end=_deal_end(sitting.table, view, sitting.seats),
        now=sitting.now,
        next=_next(request, sitting.table),
        happened=[event.seen_by(seat.number) for event in sitting.happened],
    )


def _deal_end(table: Table, view: View, seats: list[Seat]) -> DealEnd | None:
    return None if view.outcome is None else read_deal_end(table, view.seat, seats)


def _next(request: HttpRequest, table: Table) -> NextTable | None:
    """The other tables that wait for the reader."""
    if _player(request).pk is None:
        return None
    waiting = queries.next_turn(_player(request), table)
    if waiting is None:
        return None
    slug, name, deadline, count = waiting
    time_left = duration(deadline - timezone.now()) if deadline else ""
    return NextTable(links_of(slug).table, name, count, time_left)


urls = [
    path("tables/<slug:slug>/", table, name="table"),
    path("tables/<slug:slug>/parts/", parts, name="parts"),
    path("tables/<slug:slug>/move/", move, name="move"),
    path("tables/<slug:slug>/check/", check, name="check"),
    path("tables/<slug:slug>/hint/", hint, name="hint"),
    path("tables/<slug:slug>/next-deal/", next_deal, name="next_deal"),
    path("tables/<slug:slug>/rematch/", ask_rematch, name="rematch"),
    path("tables/<slug:slug>/hints-shown/", hints_shown, name="hints_shown"),
    path("tables/<slug:slug>/looking/", looking, name="looking"),
    path("tables/<slug:slug>/order/", order, name="order"),
]
