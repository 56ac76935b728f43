"""Organisers, and announcements to all players."""

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.models import Act, Organiser, Tournament
from tournaments.services.events import organisers
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import Refused
from web.text import in_sentence

_RIGHTS = {
    "owner": gettext_noop("everything, including settings, organisers and cancelling"),
    "director": gettext_noop("everything during play: entries, rounds, results, messages, undoing"),
    "scorer": gettext_noop("check-in, entering and confirming results"),
    "dealer": gettext_noop("printing dealing sheets, without playing"),
}
LAST_NOTICES = 10


@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, event: str) -> HttpResponse:
    """The organisers and their roles, and the form that adds one."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "organisers")
    if request.method != "POST":
        return show_people(request, tournament)

    def do() -> str:
        name, role = request.POST.get("who", "").strip()[:200], request.POST.get("role", "")
        args = form_actions.how(request)
        added = organisers.add_organiser(tournament.pk, person(request), person=name, role=role, **args)
        values = {"user": added.user, "role": in_sentence(added.get_role_display())}
        return gettext("%(user)s is now an organiser: %(role)s.") % values

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_people(request, tournament, refusal)

    return form_actions.act(request, tournament, "add", do, show, _page(tournament))


def show_people(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    """The page of the organisers."""
    rows = list(Organiser.objects.filter(tournament=event).select_related("user"))
    announcements = Act.objects.filter(tournament=event, kind="told").select_related("by")[:LAST_NOTICES]
    context = {
        "rows": rows,
        "roles": Organiser.Role.choices,
        "rights": {role: gettext(words) for role, words in _RIGHTS.items()},
        "told": announcements,
    }
    return form_actions.page(request, event, "people", context, refusal)


@require_POST
def change(request: HttpRequest, event: str, organiser: int) -> HttpResponse:
    """Change the role of an organiser, or remove them."""
    tournament = event_for(request, event)
    organiser_ = Organiser.objects.filter(pk=organiser, tournament=tournament).select_related("user").first()
    is_own = organiser_ is not None and organiser_.user_id == person(request).pk
    is_leaving = is_own and request.POST.get("role") == "none"
    if not is_leaving:
        event_for(request, event, "organisers")

    def do() -> Act:
        if organiser_ is None:
            raise Refused("no_organiser", gettext("This person is no longer an organiser."))
        if request.POST.get("role") == "none":
            return organisers.remove_organiser(organiser_.pk, person(request), **form_actions.how(request))
        role = request.POST.get("role", "")
        return organisers.change_role(organiser_.pk, person(request), role=role, **form_actions.how(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_people(request, tournament, refusal)

    to = tournament.get_absolute_url() if is_leaving else _page(tournament)
    to = reverse("tournaments:events") if is_leaving and tournament.status == Tournament.Status.DRAFT else to
    return form_actions.act(request, tournament, f"organiser-{organiser}", do, show, to)


@require_POST
def send_announcement(request: HttpRequest, event: str) -> HttpResponse:
    """Send an announcement to all players, the waiting list included."""
    tournament = event_for(request, event, "tell")

    def do() -> str:
        text = request.POST.get("text", "")
        organisers.tell_entries(tournament.pk, person(request), text, request_key=form_actions.key_of(request))
        return gettext("Your message was sent to everyone with an account.")

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_people(request, tournament, refusal)

    return form_actions.act(request, tournament, "tell", do, show, _page(tournament))


def _page(event: Tournament) -> str:
    return reverse("tournaments:organise_people", args=[event.slug])


_BASE = "events/<slug:event>/organise/people"
urls = [
    path(f"{_BASE}/", people, name="organise_people"),
    path(f"{_BASE}/<int:organiser>/", change, name="organise_role"),
    path(f"{_BASE}/notice/", send_announcement, name="organise_tell"),
]
