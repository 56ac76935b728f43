"""The event itself: its settings, its way from draft to start, cancelling it, copying it."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts import time_zones
from gameplay.house_rules import rule_sources
from gameplay.house_rules.editor import Editor, edit, editor_of
from tournaments.forms.event import SettingsForm
from tournaments.forms.fields import LocalMoment, aware
from tournaments.models import Act, Tournament
from tournaments.services.events import event_settings, lifecycle
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.desk import show_desk
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import Refused

# Settings


@require_http_methods(["GET", "HEAD", "POST"])
def change_settings(request: HttpRequest, event: str) -> HttpResponse:
    """The settings; those fixed by entries or play are shown and cannot be changed."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "prepare")
    data = request.POST if request.method == "POST" else None
    pinned = str(tournament.terms.get("rules_ref", ""))
    editor = edit(data.get("preset", ""), data) if data and "preset" in data else editor_of(tournament.rules, pinned)
    ref = editor.ref if data and "preset" in data else pinned
    user, fixed = person(request), _fixed(tournament)
    form = SettingsForm(data, event=tournament, user=user, rules=editor.rules, rules_ref=ref, fixed=fixed)
    if data is None:
        return show_settings(request, tournament, form, editor)
    if data.get("do") == "as_published":
        return show_settings(request, tournament, form, edit(data.get("preset", "")))
    if not form.is_valid() or editor.rules is None:
        return show_settings(
            request, tournament, form, editor, Refusal("settings", gettext("Please correct the fields below."))
        )

    def do() -> Act:
        changes = form.changes()
        if editor.rules is not None and editor.rules != tournament.rules:
            changes["rules"] = editor.rules
            changes.setdefault("terms", tournament.terms)  # changed options keep their base version pinned
        if not changes:
            raise Refused("same", gettext("You have not changed anything."))
        return lifecycle.change_settings(tournament.pk, person(request), changes=changes, **form_actions.how(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_settings(request, tournament, form, editor, refusal)

    to = reverse("tournaments:organise_settings", args=[event])
    return form_actions.act(request, tournament, "settings", do, show, to)


def show_settings(
    request: HttpRequest, event: Tournament, form: SettingsForm, editor: Editor, refusal: Refusal | None = None
) -> HttpResponse:
    """The form of the settings."""
    context = {
        "form": form,
        "editor": editor,
        "presets": rule_sources.choices(person(request), editor.preset),
        "zones": time_zones.names(),
        "fixed": _fixed(event),
        "fixed_words": [
            gettext(event_settings.LABELS[name]) for name in _fixed(event) if name in event_settings.LABELS
        ],
    }
    return form_actions.page(request, event, "settings", context, refusal)


def _fixed(event: Tournament) -> tuple[str, ...]:
    """The names of fields that can no longer be changed."""
    if event.has_begun:
        return (*event_settings.FIXED_BY_PLAY, "team_size")
    if event.entries.exists():
        return (*event_settings.FIXED_BY_ENTRIES, "team_size")
    return ()


# From draft to start


@require_POST
def publish(request: HttpRequest, event: str) -> HttpResponse:
    """Publish the event, and open entries."""
    tournament = event_for(request, event, "prepare")
    return _from_dock(
        request, tournament, lambda: lifecycle.publish(tournament.pk, person(request), **form_actions.how(request))
    )


@require_POST
def start(request: HttpRequest, event: str) -> HttpResponse:
    """Start play with the present entries."""
    tournament = event_for(request, event, "play")
    anyway = request.POST.get("anyway") == "yes"
    by, args = person(request), form_actions.how(request, seen=True)
    return _from_dock(request, tournament, lambda: lifecycle.start(tournament.pk, by, anyway=anyway, **args))


def _from_dock(request: HttpRequest, event: Tournament, do: form_actions.Do) -> HttpResponse:
    def show(refusal: Refusal | None) -> HttpResponse:
        return show_desk(request, event, None, refusal)

    return form_actions.act(request, event, "dock", do, show, reverse("tournaments:organise", args=[event.slug]))


# Cancelling and copying


@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: HttpRequest, event: str) -> HttpResponse:
    """Cancel the event, on a page of its own, with a reason."""
    tournament = event_for(request, event, "cancel")

    def show(refusal: Refusal | None = None) -> HttpResponse:
        context = {"players": tournament.entries.filter(status__in=("entered", "waiting", "forming")).count()}
        return form_actions.page(request, tournament, "cancel", context, refusal, tab="settings")

    if request.method != "POST":
        return show()

    def do() -> Act:
        reason = request.POST.get("reason", "").strip()[:200]
        return lifecycle.cancel(tournament.pk, person(request), reason=reason, request_key=form_actions.key_of(request))

    return form_actions.act(request, tournament, "cancel", do, show, reverse("tournaments:organise", args=[event]))


class CopyForm(forms.Form):
    """The name and the beginning of the next edition."""

    name = forms.CharField(label=gettext_lazy("Name of the next event"), max_length=80)
    starts_at = LocalMoment(
        label=gettext_lazy("Starts"),
        required=False,
        help_text=gettext_lazy("In the event’s time zone. Its other times move with it."),
    )

    def __init__(self, data: object = None, *, event: Tournament) -> None:
        super().__init__(data, initial={"name": event.name})  # type: ignore[arg-type]
        self.event = event

    def clean_starts_at(self) -> object:
        local = self.cleaned_data["starts_at"]
        return aware(local, self.event.zone) if local else None


@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, event: str) -> HttpResponse:
    """Create the next edition: the same settings, stages and organisers, without entries."""
    tournament = event_for(request, event, "prepare")
    form = CopyForm(request.POST if request.method == "POST" else None, event=tournament)

    def show(refusal: Refusal | None = None) -> HttpResponse:
        return form_actions.page(request, tournament, "copy", {"form": form}, refusal, tab="settings")

    if request.method != "POST":
        return show()
    if not form.is_valid():
        return show(Refusal("copy", gettext("Please correct the fields below.")))
    try:
        edition = lifecycle.copy_event(
            tournament.pk,
            person(request),
            name=form.cleaned_data["name"],
            starts_at=form.cleaned_data["starts_at"],
            request_key=form_actions.key_of(request),
        )
    except Refused as refusal:
        return show(Refusal("copy", refusal.sentence, refusal.status))
    return redirect("tournaments:organise", edition.slug)


_BASE = "events/<slug:event>/organise"
urls = [
    path(f"{_BASE}/settings/", change_settings, name="organise_settings"),
    path(f"{_BASE}/announce/", publish, name="organise_announce"),
    path(f"{_BASE}/start/", start, name="organise_start"),
    path(f"{_BASE}/cancel/", cancel, name="organise_cancel"),
    path(f"{_BASE}/copy/", copy, name="organise_copy"),
]
