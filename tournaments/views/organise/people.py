"""Who organises, and notices to everybody who plays."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.models import Act, Organiser, Tournament
from tournaments.services.events import organisers
from tournaments.views.organise import form_actions
from tournaments.views.organise.form_actions import Refusal, event_for, person
from web.errors import Refused
from web.text import in_sentence

_RIGHTS = {
    "owner": gettext_noop("everything, including settings, organisers and cancelling"),
    "director": gettext_noop("everything during play: entries, rounds, results, messages, undoing"),
    "scorer": gettext_noop("check-in, entering and confirming results"),
}
LAST_NOTICES = 10


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, event: str) -> HttpResponse:
    """The organisers and their roles, and the form that adds one."""
    found = event_for(request, event, "look" if request.method != "POST" else "organisers")
    if request.method != "POST":
        return show_people(request, found)

    def do() -> str:
        who, role = request.POST.get("who", "").strip()[:200], request.POST.get("role", "")
        added = organisers.add_organiser(found.pk, person(request), who=who, role=role, **form_actions.how(request))
        return gettext("%(user)s is now an organiser: %(role)s.") % {
            "user": added.user,
            "role": in_sentence(added.get_role_display()),
        }

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_people(request, found, refusal)

    return form_actions.act(request, found, "add", do, show, _page(found))


def show_people(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    """The page of who organises."""
    rows = list(Organiser.objects.filter(tournament=event).select_related("user"))
    told = Act.objects.filter(tournament=event, kind="told").select_related("by")[:LAST_NOTICES]
    context = {
        "rows": rows,
        "roles": Organiser.Role.choices,
        "rights": {role: gettext(words) for role, words in _RIGHTS.items()},
        "told": told,
    }
    return form_actions.page(request, event, "people", context, refusal)


@require_POST
def change(request: HttpRequest, event: str, organiser: int) -> HttpResponse:
    """Give an organiser another role, or let them organise no longer."""
    found = event_for(request, event)
    row = Organiser.objects.filter(pk=organiser, tournament=found).select_related("user").first()
    is_oneself = row is not None and row.user_id == person(request).pk and request.POST.get("role") == "none"
    if not is_oneself:
        event_for(request, event, "organisers")

    def do() -> Act:
        if row is None:
            raise Refused("no_organiser", gettext("This person is no longer an organiser."))
        if request.POST.get("role") == "none":
            return organisers.remove_organiser(row.pk, person(request), **form_actions.how(request))
        role = request.POST.get("role", "")
        return organisers.change_role(row.pk, person(request), role=role, **form_actions.how(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_people(request, found, refusal)

    to = found.get_absolute_url() if is_oneself and found.status != Tournament.Status.DRAFT else _page(found)
    to = reverse("tournaments:events") if is_oneself and found.status == Tournament.Status.DRAFT else to
    return form_actions.act(request, found, f"organiser-{organiser}", do, show, to)


@require_POST
def tell(request: HttpRequest, event: str) -> HttpResponse:
    """Write to everybody who plays or waits to."""
    found = event_for(request, event, "tell")

    def do() -> str:
        text = request.POST.get("text", "")
        organisers.tell_entries(found.pk, person(request), text, request_key=form_actions.key_of(request))
        return gettext("Your message was sent to everyone with an account.")

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_people(request, found, refusal)

    return form_actions.act(request, found, "tell", do, show, _page(found))


def _page(event: Tournament) -> str:
    return reverse("tournaments:organise_people", args=[event.slug])


_BASE = "events/<slug:event>/organise/people"
urls = [
    path(f"{_BASE}/", people, name="organise_people"),
    path(f"{_BASE}/<int:organiser>/", change, name="organise_role"),
    path(f"{_BASE}/notice/", tell, name="organise_tell"),
]
