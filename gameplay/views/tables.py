"""The lobby, and the form of a new table."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.queries import player_of
from engine.play import rulesets
from engine.play.options import Shape
from engine.play.rule_sheet.sheet import differences, rule_sheet, sheet_title
from engine.play.rules import Rules
from gameplay import queries, recent_partners, visibility_groups
from gameplay.access import is_member, open_invitations, own_seat, without_strangers
from gameplay.forms import TableForm
from gameplay.house_rules import rule_sources, rule_titles
from gameplay.house_rules.editor import Editor, edit, editor_of
from gameplay.models import Seat, Table
from gameplay.paces import OWN, PACES
from gameplay.services import invitations, partners
from web.errors import Refused

Params = ParamSpec("Params")
View = Callable[Concatenate[HttpRequest, Params], HttpResponse]
A_PAGE = 20


def members_only(view: View[Params]) -> View[Params]:
    """Send people without an account to sign in, and back again."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Params.args, **kwargs: Params.kwargs) -> HttpResponse:
        if is_member(player_of(request)):
            return view(request, *args, **kwargs)
        slug = kwargs.get("slug")
        back = request.get_full_path() if request.method == "GET" else _page(slug)
        return redirect_to_login(back, reverse(settings.LOGIN_URL))

    return guarded


def _page(slug: object) -> str:
    return reverse("gameplay:table", args=[slug]) if slug else reverse("gameplay:lobby")


# The lobby


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Tables to join, tables to watch, own tables that still wait for players."""
    player = player_of(request)
    chosen = {name: request.GET.get(name, "") for name in ("rules", "clock")}
    gathering = _filtered(_with_counts(_joinable(player)), chosen)
    page = Paginator(gathering.order_by("-created_at"), A_PAGE).get_page(request.GET.get("page"))
    watched = Paginator(_filtered(_watchable(player), chosen).order_by("-started_at"), A_PAGE)
    own_tables = list(_with_counts(Table.objects.filter(status=Table.Status.GATHERING, seats__user__pk=player.pk or 0)))
    invitations, watchable = list(open_invitations(player)), watched.get_page(request.GET.get("watch"))
    listed_tables = [*own_tables, *page, *watchable, *(invitation.table for invitation in invitations)]
    context = {
        "own": own_tables,
        "invitations": invitations,
        "page": page,
        "watched": watchable,
        "rule_names": rule_titles.of_tables(listed_tables),
        "chosen": chosen,
        "presets": rulesets.choices(),
        "clocks": Table.Clock.choices,
        "is_member": is_member(player),
        "query": _query(chosen),
    }
    return render(request, "gameplay/lobby.html", context)


def _query(chosen: dict[str, str]) -> str:
    query = QueryDict(mutable=True)
    query.update({name: value for name, value in chosen.items() if value})
    return query.urlencode()


def _refs(player: User | AnonymousUser) -> list[str]:
    return [circle.ref for circle in visibility_groups.circles_of(player)] if isinstance(player, User) else []


def _joinable(player: User | AnonymousUser) -> QuerySet[Table]:
    is_open = Q(joining=Table.Joining.OPEN) | Q(joining=Table.Joining.CLUB, audience__in=_refs(player))
    has_room = Exists(Seat.objects.filter(table=OuterRef("pk"), user=None, bot=""))
    rows = Table.objects.filter(is_open, has_room, status=Table.Status.GATHERING)
    return without_strangers(rows.exclude(seats__user__pk=player.pk or 0), player)


def _watchable(player: User | AnonymousUser) -> QuerySet[Table]:
    is_shown = Q(watching=Table.Watching.ANYBODY) | Q(watching=Table.Watching.CLUB, audience__in=_refs(player))
    tables = Table.objects.filter(is_shown, status=Table.Status.PLAYING, is_sealed=False)
    return tables.exclude(seats__user__pk=player.pk or 0).prefetch_related("seats")


def _with_counts(rows: QuerySet[Table]) -> QuerySet[Table]:
    """With `taken`, by a subquery of their own: the number of seats that are taken."""
    ids = rows.order_by().values("pk")
    count = Count("seats", filter=Q(seats__user__isnull=False) | ~Q(seats__bot=""))
    return Table.objects.filter(pk__in=ids).annotate(taken=count).select_related("creator").order_by("-created_at")


def _filtered(rows: QuerySet[Table], chosen: dict[str, str]) -> QuerySet[Table]:
    if chosen["rules"] in rulesets.PRESETS:
        rows = rows.filter(rules_json__name=chosen["rules"])
    if chosen["clock"] in Table.Clock.values:
        rows = rows.filter(clock=chosen["clock"])
    return rows


# A new table


@members_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """The form of a new table. Refused input comes back as it was typed, with a sentence next to each field."""
    user = cast(User, player_of(request))
    if request.method in ("GET", "HEAD"):
        last = None if "fresh" in request.GET else queries.last_created(user)
        editor = _editor(request.GET.get("rules", ""), last)
        people = request.GET.getlist("with")
        form = TableForm(user=user, rules=editor.rules, last=last, people=people)
        return _new_table(request, form, editor, last=last)
    if "as_published" in request.POST:
        editor = edit(request.POST.get("preset", ""))
        return _new_table(request, TableForm(request.POST, user=user, rules=editor.rules), editor)
    editor = edit(request.POST.get("preset", ""), request.POST)
    form = TableForm(request.POST, user=user, rules=editor.rules)
    if not form.is_valid() or editor.rules is None:
        return _new_table(request, form, editor, status=422)
    try:
        table = invitations.make_with_guests(
            user,
            editor.rules,
            name=form.cleaned_data["name"],
            shape=form.chosen_shape(),
            terms={**form.terms(), "rules_ref": editor.ref},
            people=list(form.cleaned_data["guests"]),
            guests=form.names(),
        )
    except Refused as refusal:
        form.add_error(refusal.details.get("field"), refusal.sentence)
        return _new_table(request, form, editor, status=422)
    return redirect(table)


def _editor(start: str, last: Table | None) -> Editor:
    """The named rules, else those of the last table, else Standard."""
    editor = edit(start) if start else None
    if editor is not None and editor.start is not None:
        return editor
    return editor_of(last.rules, last.rules_ref) if last is not None else edit("standard")


def _new_table(
    request: HttpRequest, form: TableForm, editor: Editor, *, status: int = 200, last: Table | None = None
) -> HttpResponse:
    context = {"form": form, "paces": PACES, "own_pace": OWN, "last": last, **_sheet_beside(form, editor)}
    return render(request, "gameplay/new_table.html", context, status=status)


@members_only
@require_POST
def new_table_sheet(request: HttpRequest) -> HttpResponse:
    """The rule sheet of the current choices, differences for the guests, and the fields that depend on it."""
    user = cast(User, player_of(request))
    editor = edit(request.POST.get("preset", ""), request.POST)
    form = TableForm(request.POST, user=user, rules=editor.rules)
    is_other = request.POST.get("base") != editor.preset
    context = {"form": form, "is_part": True, "is_other_preset": is_other, **_sheet_beside(form, editor)}
    return render(request, "gameplay/new_table_sheet.html", context)


def _sheet_beside(form: TableForm, editor: Editor) -> dict[str, Any]:
    rules = editor.rules
    shape = _shape_chosen(form, rules)
    return {
        "editor": editor,
        "presets": rule_sources.choices(form.user, editor.preset),
        "shape": shape,
        "shape_value": f"{shape.seats}x{shape.team_size}" if shape else form["shape"].value(),
        "sheet": rule_sheet(rules, shape) if rules else (),
        "others": _differing_guests(form, rules) if rules else [],
        **_compared(editor),
    }


def _compared(editor: Editor) -> dict[str, Any]:
    """The title of the rules, changes from their start, and from the published ruleset below it."""
    rules, start = editor.rules, editor.start
    if rules is None or start is None:
        return {}
    published = Rules.preset(rules.name) if rules.name in rulesets.PRESETS else None
    title = gettext("%(rules)s, with changes") % {"rules": start.title} if editor.changed else start.title
    return {
        "sheet_title": title if start.ref else sheet_title(rules),
        "from_start": differences(rules, start.rules),
        "published": published,
        "from_published": differences(rules, published) if start.ref and published else (),
    }


def _shape_chosen(form: TableForm, rules: Rules | None) -> Shape | None:
    """The size that is chosen, else the first that the rules allow."""
    if rules is None:
        return None
    chosen = {f"{s.seats}x{s.team_size}": s for s in rules.shapes}
    return chosen.get(str(form["shape"].value() or ""), rules.shapes[0])


def _differing_guests(form: TableForm, rules: Rules) -> list[dict[str, Any]]:
    """For each ruleset that chosen guests play most: the guests, and the differences."""
    chosen = {str(value) for value in form["guests"].value() or ()}
    guests = [person for person in form.acquaintances if str(person.pk) in chosen]
    by_rules: dict[Rules, list[User]] = {}
    for pk, usual in recent_partners.usual_rules(guests).items():
        by_rules.setdefault(usual, []).extend(guest for guest in guests if guest.pk == pk)
    return [
        {"people": people, "title": sheet_title(usual), "sentences": differences(rules, usual)}
        for usual, people in by_rules.items()
    ]


@members_only
@require_POST
def change_partners(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite the people of a finished match to a new table, with another partner."""
    user = cast(User, player_of(request))
    table, _ = own_seat(user, slug)
    return redirect(partners.change_partners(table.pk, user))


urls = [
    path("tables/<slug:slug>/partners/", change_partners, name="partners"),
    path("tables/", lobby, name="lobby"),
    path("tables/new/", new_table, name="new_table"),
    path("tables/new/sheet/", new_table_sheet, name="new_table_sheet"),
]
