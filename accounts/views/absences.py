"""Absences: add, shorten, cancel."""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import AbsenceForm, ShortenForm
from accounts.models import Absence, User
from accounts.queries import member
from accounts.services import absences as service
from web.errors import Refused

_DAY = timedelta(days=1)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def absences(request: HttpRequest) -> HttpResponse:
    """The own absences, the next first; and a form to add one."""
    user = member(request)
    form = AbsenceForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _was_done(form, lambda: _add(user, form)):
        messages.success(request, gettext("Absence added. Your opponents can see it."))
        return redirect("accounts:absences")
    return _page(request, user, form)


@login_required
@require_POST
def shorten(request: HttpRequest, absence_id: int) -> HttpResponse:
    """End an absence earlier than announced."""
    user = member(request)
    absence = get_object_or_404(Absence, pk=absence_id, user=user)
    form = ShortenForm(request.POST)
    if form.is_valid() and _was_done(form, lambda: _shorten(user, absence, form)):
        messages.success(request, gettext("Absence shortened."))
        return redirect("accounts:absences")
    return _page(request, user, AbsenceForm(), shortening=(absence.pk, form))


@login_required
@require_POST
def cancel(request: HttpRequest, absence_id: int) -> HttpResponse:
    """Cancel an absence, or end it now."""
    user = member(request)
    service.cancel(user, get_object_or_404(Absence, pk=absence_id, user=user).pk, timezone.now())
    is_over = request.POST.get("running")
    messages.success(request, gettext("That absence is over.") if is_over else gettext("Absence cancelled."))
    return redirect("accounts:absences")


def _was_done(form: Form, act: Callable[[], object]) -> bool:
    """Call the service; a refusal becomes a sentence above the form."""
    try:
        act()
    except Refused as refused:
        form.add_error(None, refused.sentence)
    return not form.errors


def _add(user: User, form: Form) -> Absence:
    first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    return service.add(user, service.midnight(user, first), service.midnight(user, last + _DAY), now=timezone.now())


def _shorten(user: User, absence: Absence, form: Form) -> None:
    ends_at = service.midnight(user, form.cleaned_data["last"] + _DAY)
    service.shorten(user, absence.pk, ends_at, now=timezone.now())


def _page(request: HttpRequest, user: User, form: Form, shortening: tuple[int, Form] | None = None) -> HttpResponse:
    now = timezone.now()
    year = now.astimezone(user.zone).year
    rows = [(absence, _row(absence, shortening)) for absence in user.absences.all()]
    context = {
        "form": form,
        "coming": [row for absence, row in rows if absence.ends_at > now],
        "past": [row for absence, row in rows if absence.ends_at <= now][::-1],
        "now": now,
        "today": now.astimezone(user.zone).date(),
        "year": year,
        "left": service.days_left(user, year),
        "allowance": settings.ABSENCE_DAYS_A_YEAR,
    }
    return render(request, "accounts/absences.html", context, status=422 if form.errors or shortening else 200)


def _row(absence: Absence, shortening: tuple[int, Form] | None) -> dict[str, object]:
    """An absence with its last day by the reader's clock, and the form to shorten it."""
    is_meant = shortening is not None and shortening[0] == absence.pk
    last = timezone.localtime(absence.ends_at - timedelta(microseconds=1)).date()
    form = shortening[1] if is_meant and shortening else ShortenForm(initial={"last": last}, auto_id=f"{absence.pk}-%s")
    return {"absence": absence, "last": last, "form": form}


urls = [
    path("absences/", absences, name="absences"),
    path("absences/<int:absence_id>/shorten/", shorten, name="shorten_absence"),
    path("absences/<int:absence_id>/cancel/", cancel, name="cancel_absence"),
]
