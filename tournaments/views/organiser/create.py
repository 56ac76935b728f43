"""Create an event: choose a template, fill in one form with the schedule next to it."""

from collections.abc import Sequence
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts import time_zones
from accounts.models import User
from accounts.queries import player_of
from gameplay import visibility_groups
from gameplay.house_rules.editor import Editor, edit, editor_of
from gameplay.house_rules.rule_sources import Offer
from tournaments.event_templates import FROM_SCRATCH, STARTERS
from tournaments.forms.event import NewEventForm, usual_terms
from tournaments.forms.stage import StageForm, plans_of, stages_of, with_stage, without_stage
from tournaments.models import Organiser, Tournament
from tournaments.services.events import lifecycle
from tournaments.views.organiser.schedule import Schedule, of_plans, pace_of, schedule, wrong_fields
from web.errors import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def new_event(request: HttpRequest) -> HttpResponse:
    """Templates to start from; with one chosen the form, which keeps its input until it is valid."""
    user = _member(request)
    if user is None:
        return redirect_to_login(request.get_full_path(), reverse(settings.LOGIN_URL))
    if request.method == "POST":
        return _sent(request, user)
    starter = request.GET.get("from", "")
    if starter not in (*STARTERS, "else"):
        return _templates(request, user)
    chosen = STARTERS.get(starter, FROM_SCRATCH)
    values, circles = chosen.settings, visibility_groups.circles_of(user)
    club = visibility_groups.circle_in(circles, request.GET.get("circle", ""))
    initial = {
        **usual_terms(),
        **{name: value for name, value in values.items() if name != "rules"},
        "time_zone": club.time_zone if club else user.time_zone,
        "visibility": Tournament.Visibility.PUBLIC,
        "circle": club.ref if club else "",
        "team_size": max(2, chosen.side_size),
        "expected": chosen.entries,
        "is_limited": "entry_limit" in values,
        "is_rated": True,
        "confirm_hours": 24,
        "no_show": Tournament.NoShow.ORGANISER,
        "minutes": 25,
        "tables": 0,
    }
    offer = Offer(user)
    form = NewEventForm(user=user, rules=chosen.rules, initial=initial, circles=circles, offer=offer)
    stages = [
        StageForm(number=at, title=name, plan=plan, offer=offer) for at, (name, plan) in enumerate(chosen.stages, 1)
    ]
    return _form(request, form, stages, editor_of(chosen.rules), starter)


def _member(request: HttpRequest) -> User | None:
    player = player_of(request)
    return player if isinstance(player, User) and not player.is_guest else None


def _templates(request: HttpRequest, user: User) -> HttpResponse:
    owned = Organiser.objects.filter(user=user, role=Organiser.Role.OWNER).select_related("tournament")
    context = {"starters": STARTERS.items(), "earlier": [role.tournament for role in owned.order_by("-pk")[:6]]}
    return render(request, "tournaments/organiser/templates.html", context)


def _sent(request: HttpRequest, user: User) -> HttpResponse:
    """Handle the form: add or remove a stage, update the schedule, or create the event."""
    data: QueryDict = request.POST
    do = data.get("do", "")
    starter = data.get("from", "")
    if do == "add_stage":
        data = with_stage(data)
    elif do.startswith("remove_stage:") and do[13:].isdecimal():
        data = without_stage(data, int(do[13:][:3]))
    if do == "as_published":
        editor = edit(data.get("preset", ""))
        return _form(request, *_read(data, user, editor), editor, starter)
    editor = edit(data.get("preset", ""), data)
    form, stages = _read(data, user, editor)
    if do not in ("publish", "draft") or any(stage.is_other_format for stage in stages):
        return _form(request, form, stages, editor, starter, is_looking=True)
    fits = _schedule(form, stages, editor)
    is_right = form.is_valid() and editor.rules is not None and all(stage.is_valid() for stage in stages)
    if not is_right or fits.wrong:
        return _form(request, form, stages, editor, starter, status=422)
    key = data.get("key", "")[:40] or None
    try:
        event = lifecycle.make_event(
            user,
            name=form.cleaned_data["name"],
            settings={**form.settings(), "rules": editor.rules},
            plans=plans_of(stages),
            request_key=key,
        )
        if do == "publish":
            lifecycle.publish(event.pk, user, request_key=f"{key}:announce" if key else None)
    except Refused as refusal:
        form.add_error(None, refusal.sentence)
        return _form(request, form, stages, editor, starter, status=refusal.status)
    words = (
        gettext("Event published. Entries are open.")
        if do == "publish"
        else gettext("Saved as a draft. Only organisers can see it.")
    )
    messages.success(request, words)
    return redirect("tournaments:organise", event.slug)


def _read(data: QueryDict, user: User, editor: Editor) -> tuple[NewEventForm, list[StageForm]]:
    offer = Offer(user)
    form = NewEventForm(data, user=user, rules=editor.rules, rules_ref=editor.ref, offer=offer)
    return form, stages_of(data, offer)


@require_POST
def new_event_schedule(request: HttpRequest) -> HttpResponse:
    """The schedule of the form so far, and the errors next to each field."""
    user = _member(request)
    if user is None:
        return redirect_to_login(reverse("tournaments:new_event"), reverse(settings.LOGIN_URL))
    editor = edit(request.POST.get("preset", ""), request.POST)
    form, stages = _read(request.POST, user, editor)
    is_other = request.POST.get("base") != editor.preset
    context = {**_beside(form, stages, editor), "is_part": True, "is_other_preset": is_other}
    context["wrong_fields"] = [*wrong_fields(form), *(field for stage in stages for field in _wrong_of(stage))]
    return render(request, "tournaments/organiser/schedule_part.html", context)


def _wrong_of(stage: StageForm) -> list[dict[str, Any]]:
    """The errors of a stage; empty if its fields are sent again as a whole."""
    return [] if stage.is_other_format else wrong_fields(stage)


def _schedule(form: NewEventForm, stages: Sequence[StageForm], editor: Editor) -> Schedule:
    form.is_valid()
    values = cast(dict[str, Any], form.cleaned_data if form.is_bound else form.initial)
    event = form.tournament() if form.is_bound else None
    pace = pace_of(editor.rules, values.get("minutes"), values.get("tables"))
    return schedule(event, stages, values.get("expected"), pace)


def _beside(form: NewEventForm, stages: Sequence[StageForm], editor: Editor) -> dict[str, Any]:
    """The context of the form and the schedule."""
    return {
        "form": form,
        "stages": stages,
        "schedule": _schedule(form, stages, editor),
        "editor": editor,
        "presets": form.offer.choices(editor.preset),
        "zones": time_zones.names(),
    }


def _form(
    request: HttpRequest,
    form: NewEventForm,
    stages: Sequence[StageForm],
    editor: Editor,
    starter: str,
    *,
    is_looking: bool = False,
    status: int = 200,
) -> HttpResponse:
    context = _beside(form, stages, editor)
    if not form.is_bound:
        context["schedule"] = _first_schedule(form, stages, editor)
    context |= {"starter": starter, "title": STARTERS[starter].title if starter in STARTERS else ""}
    ref = form["circle"].value()
    club = next((circle for circle in form.circles if circle.ref == ref), None)
    context |= {
        "club": club,
        "templates_url": reverse("tournaments:new_event", query={"circle": ref} if club else None),
    }
    context |= {"is_refused": status == 422, "is_looking": is_looking}
    return render(request, "tournaments/organiser/new.html", context, status=status)


def _first_schedule(form: NewEventForm, stages: Sequence[StageForm], editor: Editor) -> Schedule:
    """The schedule of an unchanged template."""
    plans = [(str(stage.initial["name"]), stage.start) for stage in stages]
    return of_plans(plans, form.initial.get("expected"), pace_of(editor.rules))


urls = [
    path("events/new/", new_event, name="new_event"),
    path("events/new/schedule/", new_event_schedule, name="new_event_schedule"),
]
