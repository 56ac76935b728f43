"""API views for score sheets without an event: create, read and write by link, photographs."""

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.addresses import address_of
from accounts.api import needs
from accounts.models import ApiToken, User
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.access import is_member
from gameplay.api.base import Input, digest, endpoint, engine_words, player, read, read_query
from gameplay.api.large_bodies import takes
from gameplay.api.serializers import Nothing
from gameplay.api.tables import answer
from gameplay.house_rules import rule_sources
from gameplay.score_sheets import api_serializers as shapes
from gameplay.score_sheets import photo_files, photo_services
from gameplay.score_sheets import services as score_sheets
from gameplay.score_sheets.models import ScoreSheet, SheetPhoto
from gameplay.score_sheets.terms import seat_names, terms_of
from web.errors import NotAllowed, Refused, key_used

LEAST_KEY = 16
"""Fewest characters of the key of a score sheet started without an account: nobody else may guess it."""

View = Callable[..., Response]


# Views by link


def described(
    answer: Any, *, takes: type[Input] | None = None, asks: type[Input] | None = None, status: int = 200, name: str
) -> Callable[[Any], Any]:
    """Describe the request and the answer of a score sheet view in the schema."""
    codes = {401, 403, 404, 429} | ({400, 422} if takes or asks else set()) | ({409, 413, 415} if takes else set())
    return extend_schema(
        operation_id=name,
        request=takes,
        parameters=None if asks is None else [asks],
        responses={status: answer, **dict.fromkeys(sorted(codes), shapes.SheetRefusal)},
    )


def by_link(
    method: str, answer: Any, *, takes: type[Input] | None = None, status: int = 200, name: str
) -> Callable[[View], Any]:
    """A view for anyone with the link, with a token or without."""

    def wrap(view: View) -> Any:
        api = api_view([method])(permission_classes([AllowAny])(view))
        return described(answer, takes=takes, status=status, name=name)(api)

    return wrap


def photo_endpoint(name: str, check: Callable[..., object]) -> Callable[[View], Any]:
    """A view that takes a photograph as the field `photo` of a form, the one thing that is not JSON.

    `check` is asked before the photograph is read.
    """

    def wrap(view: View) -> Any:
        api = api_view(["POST"])(permission_classes([AllowAny])(parser_classes([MultiPartParser])(view)))
        return takes(photo_files.MOST_SENT, check)(photo_described(name)(api))

    return wrap


def photo_described(name: str) -> Callable[[Any], Any]:
    """Describe a view in the schema that takes a photograph."""
    picture = {"type": "object", "properties": {"photo": {"type": "string", "format": "binary"}}}
    codes = (401, 403, 404, 415, 422, 429)
    return extend_schema(
        operation_id=name,
        request={"multipart/form-data": picture},
        responses={201: shapes.PhotoShape, **dict.fromkeys(codes, shapes.SheetRefusal)},
    )


def signed_in(request: Request, scope: str) -> User | None:
    """The user of a request, if it is a member and the token has this scope."""
    user = request.user
    if not isinstance(user, User) or not is_member(user):
        return None
    return None if isinstance(request.auth, ApiToken) and scope not in request.auth.scopes else user


# Beginning one, and those that one has


class Sheets(APIView):
    """The score sheets of an account, and a way to start one without an account."""

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else needs("read")()]

    @described(shapes.OwnSheets, asks=shapes.WhichSheets, name="score_sheets_list")
    def get(self, request: Request) -> Response:
        """Score sheets in your account, last changed first."""
        query = read_query(shapes.WhichSheets, request)
        rows = ScoreSheet.objects.filter(owner=player(request)).order_by("-touched_at", "-pk")
        if "before" in query:
            last = rows.filter(slug=query["before"]).first()
            if last is None:
                raise Refused("no_such_sheet", gettext("Score sheet not found in your account."))
            rows = rows.filter(Q(touched_at__lt=last.touched_at) | Q(touched_at=last.touched_at, pk__lt=last.pk))
        page = list(rows[: query["limit"] + 1])
        lines = [_line(sheet) for sheet in page[: query["limit"]]]
        return answer(request, shapes.OwnSheets, {"sheets": lines, "more": len(page) > query["limit"]})

    @described(shapes.OwnSheet, takes=shapes.NewSheet, status=201, name="score_sheets_create")
    def post(self, request: Request) -> Response:
        """Start a score sheet. Save the `key` of the answer: it is needed for changes.

        Without an account the request's own `key`, if you send one, has at least 16 letters.
        """
        form = read(shapes.NewSheet, request.data)
        owner = signed_in(request, "tables")
        if form["is_kept"] and owner is None:
            raise NotAllowed(
                "no_account", gettext("To save it in an account, sign in or use a token with the scope “tables”.")
            )
        name = _creation_key(request, owner, form)
        with engine_words():
            start = rule_sources.start(form["rules"])
            rules = Rules.make(start.rules, form["options"]) if form["options"] else start.rules
        sheet = score_sheets.make(
            rules,
            Shape(form["seat_count"], form["team_size"]),
            form["names"],
            title=form["title"],
            dealer=form["first_dealer"] - 1 if "first_dealer" in form else None,
            owner=owner if form["is_kept"] else None,
            rules_ref="" if form["options"] else start.ref,
            rules_name=start.title if start.ref and not form["options"] else "",
            request_key=name,
        )
        return answer_with_key(request, sheet, status=201)


def _creation_key(request: Request, owner: User | None, form: Mapping[str, Any]) -> str:
    """The stored key of a request that creates a sheet. Raises `Refused` if it was used for another."""
    key = form.get("key")
    if not key:
        return ""
    if owner is None and len(key) < LEAST_KEY:
        raise Refused(
            "short_key",
            gettext("Without an account the key must have at least %(least_key)s characters.")
            % {"least_key": LEAST_KEY},
            field="key",
        )
    sender = f"user:{owner.pk}" if owner is not None else f"from:{address_of(request)}"
    prefix = digest(f"{sender}:{key}")
    full = prefix + digest(json.dumps(request.data, sort_keys=True))
    if ScoreSheet.objects.filter(made_with__startswith=prefix).exclude(made_with=full).exists():
        raise key_used()
    return full


def change_key(request: Request, last: str, about: str, key: str | None) -> str:
    """The stored key of a change of the sheet `about`, with a digest of its data; `last` is that of its last change.

    Raises `Refused` if the key was used with other data.
    """
    if not key:
        return ""
    prefix = digest(f"{about}:{key}")
    full = prefix + digest(request.path + json.dumps(request.data, sort_keys=True))
    if last.startswith(prefix) and last != full:
        raise key_used()
    return full


# Looking


@by_link("GET", shapes.Sheet, name="score_sheets_retrieve")
def sheet(request: Request, slug: str) -> Response:
    """A score sheet, by its view link."""
    score_sheet = ScoreSheet.objects.filter(slug=slug).first()
    if score_sheet is None:
        raise Http404("Score sheet not found.")
    return answer(request, shapes.Sheet, _data_of(score_sheet))


@by_link("GET", shapes.OwnSheet, name="score_sheets_edit")
def edit(request: Request, key: str) -> Response:
    """A score sheet, by its edit link. The addresses below this one change it."""
    return answer_with_key(request, _editable_sheet(key))


# Writing


def _act(name: str, takes: type[Input]) -> Callable[[Callable[..., ScoreSheet]], Any]:
    """A view that changes a sheet and shows it. The function gets the sheet, the form, and the key to store."""

    def wrap(change: Callable[..., ScoreSheet]) -> Any:
        def view(request: Request, key: str) -> Response:
            sheet = _editable_sheet(key)
            form = read(takes, request.data)
            stored = change_key(request, sheet.changed_with, sheet.key, form.get("key"))
            return answer_with_key(request, change(sheet, form, stored))

        view.__doc__, view.__name__ = change.__doc__, change.__name__
        return by_link("POST", shapes.OwnSheet, takes=takes, name=f"score_sheets_{name}")(view)

    return wrap


@_act("write_deal", shapes.WriteDeal)
def deal(sheet: ScoreSheet, form: Mapping[str, Any], key: str) -> ScoreSheet:
    """Enter the next deal, or with its `number` correct an earlier one. The same deal twice counts once.

    422 with `side` and `row` if a figure is impossible. 409 if the score sheet has changed since `seen`.
    """
    number = form.get("number", len(sheet.deals) + 1)
    if key and sheet.changed_with == key:
        return sheet
    sent = shapes.deal_of(terms_of(sheet), form["deal"])
    return score_sheets.save_deal(sheet.pk, number, sent, seen=form["seen"], key=key)


@_act("replace_deals", shapes.ReplaceDeals)
def replace(sheet: ScoreSheet, form: Mapping[str, Any], key: str) -> ScoreSheet:
    """Replace all deals with these, from a phone that had no network, or to undo a change."""
    terms = terms_of(sheet)
    deals = [shapes.deal_of(terms, deal) for deal in form["deals"]]
    return score_sheets.save(
        sheet.pk, deals, is_stopped=form["is_stopped"], seen=form["seen"], key=key or secrets.token_hex(8)
    )


@_act("take_away", shapes.TakeDealAway)
def take_away(sheet: ScoreSheet, form: Mapping[str, Any], key: str) -> ScoreSheet:
    """Delete the last deal, if it is still this one."""
    return score_sheets.drop_last(sheet.pk, form["number"], seen=form["seen"], key=key)


@_act("stop", shapes.StopSheet)
def stop(sheet: ScoreSheet, form: Mapping[str, Any], key: str) -> ScoreSheet:
    """Record that the players stopped before the rules end the match, or that they continue."""
    return score_sheets.stop(sheet.pk, is_stopped=form["is_stopped"], seen=form["seen"], key=key)


@_act("rename", shapes.RenameSheet)
def rename(sheet: ScoreSheet, form: Mapping[str, Any], key: str) -> ScoreSheet:
    """Set the name of the score sheet, the players by seat and the first dealer."""
    about = {"title": form["title"], "dealer": form["first_dealer"] - 1}
    return score_sheets.rename(sheet.pk, form["names"], **about, seen=form["seen"], key=key)


# Whose it is


@endpoint("POST", "tables", shapes.OwnSheet, takes=Nothing, refusals=(422,), name="score_sheets_keep")
def keep(request: Request, key: str) -> Response:
    """Save the score sheet in your account. Twice does no harm."""
    sheet = _editable_sheet(key)
    read(Nothing, request.data)
    owner = signed_in(request, "tables")
    if owner is None:
        raise NotAllowed("no_account", gettext("Guests have no account to save it in. Sign in first."))
    score_sheets.keep(sheet.pk, owner)
    return answer_with_key(request, _editable_sheet(key))


@by_link("POST", None, takes=Nothing, status=204, name="score_sheets_delete")
def delete(request: Request, key: str) -> Response:
    """Delete the score sheet with its photos. If saved in an account, only its owner can (scope `tables`)."""
    sheet = _editable_sheet(key)
    read(Nothing, request.data)
    if sheet.owner is not None and sheet.owner != signed_in(request, "tables"):
        raise NotAllowed(
            "not_yours",
            gettext("Only %(owner)s can delete this score sheet, because it is saved in their account.")
            % {"owner": sheet.owner},
        )
    score_sheets.delete(sheet.pk)
    return Response(status=204)


# Photographs


@photo_endpoint("score_sheets_add_photo", lambda request, key: _editable_sheet(key))
def add_photo(request: Request, key: str) -> Response:
    """Attach a photograph of the paper score sheet: JPEG, PNG or WebP, up to 15 MB. A repeat is stored once."""
    sheet = _editable_sheet(key)
    added = accept_photo(request, lambda file: photo_services.add(sheet, file, by=signed_in(request, "tables")))
    return answer(request, shapes.PhotoShape, _photo(sheet, added), status=201)


def accept_photo(request: Request, add: Callable[[Any], SheetPhoto]) -> SheetPhoto:
    """The photograph of a request, added by a service. Raises `Refused`."""
    return add(request.FILES.get("photo"))


@by_link("POST", None, takes=Nothing, status=204, name="score_sheets_remove_photo")
def remove_photo(request: Request, key: str, photo: str) -> Response:
    """Delete a photograph. Twice does no harm."""
    sheet = _editable_sheet(key)
    read(Nothing, request.data)
    photo_services.remove(sheet, photo)
    return Response(status=204)


# Parts


def _editable_sheet(key: str) -> ScoreSheet:
    """The sheet of an edit link. Raises `Http404`."""
    sheet = ScoreSheet.objects.filter(key=key).select_related("owner").first()
    if sheet is None:
        raise Http404("Score sheet not found.")
    return sheet


def answer_with_key(request: Request, sheet: ScoreSheet, *, status: int = 200) -> Response:
    """The answer with a sheet and its edit link."""
    more = {"key": sheet.key, "edit_url": settings.SITE_URL + sheet.edit_url, "is_kept": sheet.owner_id is not None}
    return answer(request, shapes.OwnSheet, {**_data_of(sheet), **more}, status=status)


def _data_of(sheet: ScoreSheet) -> dict[str, Any]:
    score = shapes.score(
        terms_of(sheet), sheet.deals, seat_names(sheet), is_stopped=sheet.is_stopped, dealer=sheet.dealer
    )
    return {
        **score,
        "version": sheet.version,
        "rules_title": sheet.rules_title,
        "slug": sheet.slug,
        "url": settings.SITE_URL + sheet.get_absolute_url(),
        "title": sheet.title,
        "seat_count": sheet.seat_count,
        "team_size": sheet.team_size,
        "first_dealer": sheet.dealer + 1,
        "photos": [_photo(sheet, photo) for photo in photo_services.of(sheet)],
        "made_at": sheet.made_at,
        "changed_at": sheet.touched_at,
    }


def _photo(sheet: ScoreSheet, photo: SheetPhoto) -> dict[str, Any]:
    url = reverse("gameplay:sheet_picture", args=[sheet.slug, photo.slug])
    return photo_facts(photo, url)


def photo_facts(photo: SheetPhoto, path: str) -> dict[str, Any]:
    """The data of a `PhotoShape`."""
    return {"slug": photo.slug, "url": settings.SITE_URL + path, "width": photo.width, "height": photo.height}


def _line(sheet: ScoreSheet) -> dict[str, Any]:
    score = shapes.score(terms_of(sheet), sheet.deals, [], is_stopped=sheet.is_stopped, dealer=sheet.dealer)
    return {
        "slug": sheet.slug,
        "key": sheet.key,
        "url": settings.SITE_URL + sheet.get_absolute_url(),
        "title": sheet.title,
        "rules_title": sheet.rules_title,
        "sides": score["sides"],
        "totals": score["totals"],
        "deal_count": len(sheet.deals),
        "is_over": score["is_over"],
        "changed_at": sheet.touched_at,
    }
