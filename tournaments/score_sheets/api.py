"""API views for the score sheet of a match at a real table, for its players and by table card."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import needs
from accounts.models import User
from gameplay.access import is_member
from gameplay.api.base import Input, Output, player, read
from gameplay.api.large_bodies import takes
from gameplay.api.tables import answer
from gameplay.models import SheetPhoto
from gameplay.score_sheets import api_serializers
from gameplay.score_sheets.api import accept_photo, change_key, photo_described, photo_facts, signed_in
from gameplay.score_sheets.photo_files import MOST_SENT
from tournaments import access, terms
from tournaments.lookups import match_of
from tournaments.models import Act, Entry, Pairing, Result
from tournaments.public.names import match_title
from tournaments.public.pending_results import reports
from tournaments.round_names import round_name
from tournaments.score_sheets import photos
from tournaments.score_sheets import services as score_sheets
from tournaments.services.matches import results
from web.errors import NotAllowed, Refused, key_used

Form = Mapping[str, Any]

SCOPE = "events_results"


# Out and in


class ReportShape(Output):
    """An entered result that is not decided yet."""

    id = serializers.IntegerField(help_text="Send it back as `result` to answer it.")
    by = serializers.CharField(help_text="The side that entered it.")
    status = serializers.ChoiceField(Result.Status.choices)
    scores = serializers.ListField(child=serializers.CharField(), help_text="By side.")
    may_answer = serializers.BooleanField(help_text="Whether your side must still answer.")
    confirms_at = serializers.DateTimeField(allow_null=True, help_text="When it becomes final without an answer.")


class MatchSheet(api_serializers.Score):
    """The score sheet of one entry."""

    title = serializers.CharField()
    url = serializers.CharField(help_text="Its page.")
    entry = serializers.IntegerField(help_text="The number of its entry.")
    side = serializers.IntegerField(help_text="Which side that is, from 0.")
    reports = ReportShape(many=True)
    photos = api_serializers.PhotoShape(many=True)
    boards = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Numbers on the boards, one for each deal, where these are boards that other tables play too.",
    )


class CardSide(Output):
    """An entry of the match, as the card names it."""

    place = serializers.IntegerField(help_text="Its number in addresses.")
    name = serializers.CharField()


class TableCard(Output):
    """A match opened by its table card, until its result counts."""

    event = serializers.CharField()
    event_name = serializers.CharField()
    title = serializers.CharField()
    round_name = serializers.CharField()
    places = CardSide(many=True)
    reports = ReportShape(many=True)


class Closed(Refused):
    """The card is no longer valid."""

    status = 410


class SendSheet(api_serializers.Changing):
    """Send the saved score sheet, or only the final score."""

    final = serializers.ListField(
        child=serializers.IntegerField(min_value=-(10**6), max_value=10**6),
        required=False,
        max_length=api_serializers.MOST_SIDES,
        help_text="Points by side, if only the final score is known.",
    )


class AnswerReport(Input):
    result = serializers.IntegerField(min_value=1, max_value=2**53)
    agrees = serializers.BooleanField()
    words = serializers.CharField(default="", max_length=300, allow_blank=True, help_text="The problem, if any.")


# Authors


@dataclass(frozen=True)
class Desk:
    """Author of a score sheet: match, entry and account."""

    match: score_sheets.Match
    entry: Entry
    user: User | None
    origin: Result.Origin
    url: str


class Views(NamedTuple):
    """Two views for one action: for players of the match, and by table card."""

    player: Any
    card: Any


def _two_views(
    name: str, answers: Any = MatchSheet, *, method: str = "POST", takes: type[Input] | None = None
) -> Callable[[Callable[[Request, Desk, Form], Response]], Views]:
    """Create both views; the function gets the request, the desk and the data sent."""

    def wrap(view: Callable[[Request, Desk, Form], Response]) -> Views:
        def for_player(request: Request, event: str, stage: int, match: str) -> Response:
            pairing = match_of(access.open_event(player(request), event), stage, match)
            form = {} if takes is None else read(takes, request.data)
            return view(request, _desk_of_player(player(request), pairing), form)

        def for_card(request: Request, token: str, place: int) -> Response:
            pairing = _match_of_card(request, token)
            form = {} if takes is None else read(takes, request.data)
            return view(request, _desk_of_card(request, pairing, place), form)

        for_player.__doc__ = for_card.__doc__ = view.__doc__
        codes = (401, 403, 404, 429) if takes is None else (400, 401, 403, 404, 409, 413, 415, 422, 429)

        def described(view: Any, whose: str, more: tuple[int, ...]) -> Any:
            refusals = dict.fromkeys(sorted({*codes, *more}), api_serializers.SheetRefusal)
            return extend_schema(operation_id=f"{whose}_{name}", request=takes, responses={200: answers, **refusals})(
                view
            )

        return Views(
            described(api_view([method])(permission_classes([needs(SCOPE)])(for_player)), "events_sheets", ()),
            described(api_view([method])(permission_classes([AllowAny])(for_card)), "table_cards", (410,)),
        )

    return wrap


def _desk_of_player(user: User, pairing: Pairing) -> Desk:
    """The desk of a player of a match. Raises `NotAllowed` for others."""
    match = score_sheets.read(pairing)
    entry = score_sheets.entry_for(match, user)
    if entry is None:
        raise NotAllowed("not_yours", gettext("Only players of this match can do that."))
    return Desk(match, entry, user, Result.Origin.PLAYER, f"{pairing.get_absolute_url()}score/")


def _match_of_card(request: Request, token: str) -> Pairing:
    """The match of a valid card. Raises `Http404` for others, `Closed` once its result counts."""
    pairing = score_sheets.pairing_of_card(token, request.user)
    if pairing is None:
        raise Http404(gettext("Table card not found."))
    if sentence := score_sheets.closed(pairing):
        raise Closed("closed", sentence)
    return pairing


def _desk_of_card(request: Request, pairing: Pairing, place: int) -> Desk:
    """The desk of one side of a table card’s match. Players of it act for no other side."""
    match = score_sheets.read(pairing)
    entry = next((each.entry for each in match.places if each.number == place), None)
    if entry is None:
        raise Http404(gettext("Side not found."))
    playing = _entry_of(request, match)
    if playing is not None and playing.pk != entry.pk:
        raise NotAllowed(
            "not_yours", gettext("You play for %(own)s. Only %(entry)s can do that.") % {"own": playing, "entry": entry}
        )
    url = reverse("tournaments:card_score", args=[pairing.token, place])
    return Desk(match, entry, signed_in(request, SCOPE), Result.Origin.CARD, url)


def _entry_of(request: Request, match: score_sheets.Match) -> Entry | None:
    """The entry of the signed-in player of this match, whatever the scope of the token."""
    user = request.user
    return score_sheets.entry_for(match, user) if isinstance(user, User) and is_member(user) else None


# Reading


@_two_views("retrieve", method="GET")
def sheet(request: Request, desk: Desk, form: Form) -> Response:
    """The entry’s score sheet of this match, as far as it is filled in."""
    return _answer_sheet(request, desk)


def _described_card(view: Any) -> Any:
    refusals = dict.fromkeys((401, 404, 410, 422, 429), api_serializers.SheetRefusal)
    return extend_schema(operation_id="table_cards_card", responses={200: TableCard, **refusals})(view)


@_described_card
@api_view(["GET"])
@permission_classes([AllowAny])
def card(request: Request, token: str) -> Response:
    """The match of a table card, by its code: players, and results entered so far."""
    pairing = _match_of_card(request, token)
    match = score_sheets.read(pairing)
    own_entry = _entry_of(request, match)
    event = pairing.round.stage.tournament
    data = {
        "event": event.slug,
        "event_name": event.name,
        "title": match_title(pairing),
        "round_name": round_name(pairing.round.name),
        "places": [
            {"place": place.number, "name": str(place.entry)}
            for place in match.places
            if own_entry is None or own_entry.pk == place.entry_id
        ],
        "reports": _reports(match, own_entry),
    }
    return answer(request, TableCard, data)


# Writing


@_two_views("write_deal", takes=api_serializers.WriteDeal)
def deal(request: Request, desk: Desk, form: Form) -> Response:
    """Enter the next deal, or with its `number` correct an earlier one. The same deal twice counts once.

    422 with `side` and `row` if a figure is impossible. 409 if a partner has changed the sheet since `seen`.
    """
    saved, key = _saved_and_key(request, desk, form)
    if not key or saved.changed_with != key:
        sent = api_serializers.deal_of(desk.match.terms, form["deal"])
        number = form.get("number", len(saved.deals) + 1)
        score_sheets.save(desk.match.pairing.pk, desk.entry.pk, number, sent, version=form["seen"], key=key)
    return _answer_sheet(request, desk)


@_two_views("replace_deals", takes=api_serializers.ReplaceDeals)
def replace(request: Request, desk: Desk, form: Form) -> Response:
    """Replace all deals of the entry with these, sent by a phone that was offline."""
    saved, key = _saved_and_key(request, desk, form)
    deals = [api_serializers.deal_of(desk.match.terms, each) for each in form["deals"]]
    if (not key or saved.changed_with != key) and (saved.deals, saved.is_stopped) != (deals, form["is_stopped"]):
        if saved.version != form["seen"]:
            raise score_sheets.stale_error(saved)
        score_sheets.save_all(
            desk.match.pairing.pk,
            desk.entry.pk,
            deals,
            is_stopped=form["is_stopped"],
            seen=form["seen"],
            key=key or f"seen-{form['seen']}",
        )
    return _answer_sheet(request, desk)


@_two_views("take_away", takes=api_serializers.TakeDealAway)
def take_away(request: Request, desk: Desk, form: Form) -> Response:
    """Delete the last deal, if it is still this one."""
    _, key = _saved_and_key(request, desk, form)
    score_sheets.drop_last(desk.match.pairing.pk, desk.entry.pk, form["number"], version=form["seen"], key=key)
    return _answer_sheet(request, desk)


@_two_views("stop", takes=api_serializers.StopSheet)
def stop(request: Request, desk: Desk, form: Form) -> Response:
    """Record that the players stopped before the rules end the match, or that they continue."""
    _, key = _saved_and_key(request, desk, form)
    score_sheets.stop(
        desk.match.pairing.pk, desk.entry.pk, is_stopped=form["is_stopped"], version=form["seen"], key=key
    )
    return _answer_sheet(request, desk)


@_two_views("send", takes=SendSheet)
def send(request: Request, desk: Desk, form: Form) -> Response:
    """Send the sheet as the result. The other side is asked, and confirms it by sending the same."""
    pairing, final = desk.match.pairing, form.get("final")
    if final is not None and len(final) != len(desk.match.terms.names):
        sentence = gettext("This match has %(count)s sides. Enter a score for each.")
        raise Refused("bad_sides", sentence % {"count": len(desk.match.terms.names)})
    about = f"{pairing.pk}:{desk.entry.pk}"
    key = change_key(request, "", about, form.get("key"))
    acts = Act.objects.filter(tournament=pairing.tournament_id)
    if key and acts.filter(request_key__startswith=key[:32]).exclude(request_key=key).exists():
        raise key_used()
    score_sheets.send(
        pairing.pk,
        desk.entry.pk,
        by=desk.user,
        origin=desk.origin,
        final=final,
        version=form["seen"],
        request_key=key or None,
    )
    return _answer_sheet(request, desk)


def _saved_and_key(request: Request, desk: Desk, form: Form) -> tuple[score_sheets.Sheet, str]:
    """The saved sheet, and the stored form of the request’s key."""
    saved = score_sheets.saved_sheet(desk.match, desk.entry.pk)
    about = f"{desk.match.pairing.pk}:{desk.entry.pk}"
    return saved, change_key(request, saved.changed_with, about, form.get("key"))


def _answer_report(request: Request, desk: Desk, form: Form) -> Response:
    """Confirm or dispute a result of another side, for the side in the address. An organiser decides disputes."""
    words = " ".join(form["words"].split())
    if not form["agrees"] and not words:
        raise Refused(
            "no_words", gettext("Describe the problem in a few words. The other side and the organisers will read it.")
        )
    if not Result.objects.filter(pairing=desk.match.pairing, pk=form["result"]).exists():
        raise Http404(gettext("Result not found for this match."))
    results.answer(
        form["result"], by=desk.user, agrees=form["agrees"], words=words, by_entry=desk.entry.pk, origin=desk.origin
    )
    return _answer_sheet(request, desk)


answer_report = _two_views("answer", takes=AnswerReport)(_answer_report).card
"""Players of the match use its own `answer/` instead."""


# Photographs


def _add_photo(request: Request, pairing: Pairing, path: str) -> Response:
    added = accept_photo(request, lambda file: photos.add(pairing, file, by=signed_in(request, SCOPE)))
    return answer(request, api_serializers.PhotoShape, _photo(pairing, added), status=201)


def _photographed(request: Request, event: str, stage: int, match: str) -> Pairing:
    """The match, for those who can attach photographs to it. Raises `Http404` or `NotAllowed`."""
    tournament = access.open_event(player(request), event)
    pairing = match_of(tournament, stage, match)
    photos.check(pairing, player(request), is_organiser=access.may(player(request), tournament, "results"))
    return pairing


@takes(MOST_SENT, _photographed)
@photo_described("events_sheets_add_photo")
@api_view(["POST"])
@permission_classes([needs(SCOPE)])
@parser_classes([MultiPartParser])
def add_photo(request: Request, event: str, stage: int, match: str) -> Response:
    """Attach a photograph of the paper sheet, as a player or an organiser. A repeat is stored once."""
    pairing = _photographed(request, event, stage, match)
    return _add_photo(request, pairing, pairing.get_absolute_url())


def _photographed_by_card(request: Request, token: str, place: int) -> Pairing:
    """The match of a card, for the side that attaches a photograph. Raises `Http404` or `Refused`."""
    pairing = _match_of_card(request, token)
    _desk_of_card(request, pairing, place)
    return pairing


@takes(MOST_SENT, _photographed_by_card)
@photo_described("table_cards_add_photo")
@api_view(["POST"])
@permission_classes([AllowAny])
@parser_classes([MultiPartParser])
def card_photo(request: Request, token: str, place: int) -> Response:
    """Attach a photograph of the paper sheet for this side. A repeat is stored once."""
    pairing = _photographed_by_card(request, token, place)
    return _add_photo(request, pairing, pairing.get_absolute_url())


# Parts


def _answer_sheet(request: Request, desk: Desk) -> Response:
    """Respond with the current sheet."""
    pairing = Pairing.objects.select_related("round__stage__tournament").get(pk=desk.match.pairing.pk)
    match = score_sheets.read(pairing)
    saved = score_sheets.saved_sheet(match, desk.entry.pk)
    seats = list(match.seats)
    counts = api_serializers.score(
        match.terms, saved.deals, seats, is_stopped=saved.is_stopped, dealer=max(len(seats) - 1, 0)
    )
    more = {
        "version": saved.version,
        "rules_title": terms.of_round(pairing.round).rules.title,
        "title": match_title(pairing),
        "url": settings.SITE_URL + desk.url,
        "entry": desk.entry.number,
        "side": match.side_of(desk.entry.pk),
        "reports": _reports(match, desk.entry),
        "photos": [_photo(pairing, photo) for photo in photos.of(pairing)],
        "boards": list(match.terms.boards),
    }
    return answer(request, MatchSheet, {**counts, **more})


def _reports(match: score_sheets.Match, entry: Entry | None) -> list[dict[str, Any]]:
    return [
        {
            "id": report.result.pk,
            "by": report.by,
            "status": report.result.status,
            "scores": [points for _, points in report.scores],
            "may_answer": report.may_answer,
            "confirms_at": report.result.confirms_at,
        }
        for report in reports(match, entry)
    ]


def _photo(pairing: Pairing, photo: SheetPhoto) -> dict[str, Any]:
    stage = pairing.round.stage
    path = reverse("tournaments:match_photo", args=[stage.tournament.slug, stage.number, pairing.name, photo.slug])
    return photo_facts(photo, path)
