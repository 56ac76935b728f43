"""Play now: three wishes, and a seat at a table of people with the same. Guests enter a name."""

import secrets
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import time_zones
from accounts.guests import remember
from accounts.models import User
from accounts.queries import player_of
from engine.play import rulesets
from gameplay.access import is_member, is_somebody
from gameplay.house_rules import rule_titles
from gameplay.models import Table
from gameplay.services import guest_seats, quick_matches
from gameplay.services.quick_matches import EVENINGS, QUICK_PACES, USUAL_WAIT, WAITS
from web.errors import Refused

_LAST_WAIT = "quick_wait"


class WishForm(forms.Form):
    """Which rules, how long, and when bots join; the name of somebody without an account."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=guest_seats.LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    ruleset = forms.ChoiceField(label=gettext_lazy("Ruleset"), choices=rulesets.choices, initial="standard")
    pace = forms.ChoiceField(
        label=gettext_lazy("How long?"),
        choices=[
            (gettext_lazy("Now, everyone stays at the table"), [(name, each.title) for name, each in EVENINGS.items()]),
            (
                gettext_lazy("Over several days"),
                [(name, each.title) for name, each in QUICK_PACES.items() if name not in EVENINGS],
            ),
        ],
        initial=next(iter(QUICK_PACES)),
    )
    bots_after = forms.ChoiceField(
        label=gettext_lazy("Bots take free seats"), choices=list(WAITS.items()), required=False, initial=USUAL_WAIT
    )

    def __init__(
        self, data: QueryDict | None = None, *, player: User | AnonymousUser, last_wait: str | None = None
    ) -> None:
        chosen = {}
        if (last := quick_matches.last_wish(player)) is not None:
            chosen = {"ruleset": last.ruleset, "pace": last.pace}
            if not last.with_bots:
                last_wait = ""
        if last_wait in WAITS:
            chosen["bots_after"] = last_wait
        if is_somebody(player) and player.is_guest:
            chosen["name"] = guest_seats.name_of(player)
        super().__init__(data, initial=chosen)
        if is_member(player):
            del self.fields["name"]

    def wishes(self) -> dict[str, Any]:
        """The wishes as the service takes them, of a form that is valid."""
        after = self.cleaned_data["bots_after"]
        return {
            "ruleset": self.cleaned_data["ruleset"],
            "pace": self.cleaned_data["pace"],
            "wait": timedelta(seconds=int(after)) if after else None,
        }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """Choose wishes, as last time; a POST gives a seat. The tables that wait are listed."""
    player = player_of(request)
    data = request.POST if request.method == "POST" else None
    form = WishForm(data, player=player, last_wait=request.session.get(_LAST_WAIT))
    status = 200 if data is None else 422
    if form.is_valid():
        try:
            table = _seat(request, player, form)
            request.session[_LAST_WAIT] = form.cleaned_data["bots_after"]
            return redirect(table)
        except Refused as refusal:
            form.add_error(refusal.details.get("field"), refusal.sentence)
            status = refusal.status
    waiting = quick_matches.open_ones(player)
    context = {
        "form": form,
        "waiting": waiting,
        "rule_names": rule_titles.of_tables(waiting),
        "is_member": is_member(player),
        "key": secrets.token_urlsafe(24),
    }
    return render(request, "gameplay/play_now.html", context, status=status)


def _seat(request: HttpRequest, player: User | AnonymousUser, form: WishForm) -> Table:
    if is_somebody(player) and is_member(player):
        return quick_matches.play_now(player, **form.wishes())
    guest, table = guest_seats.play_now(
        player if is_somebody(player) else None,
        name=form.cleaned_data["name"],
        key=request.POST.get("key", "")[:64] or secrets.token_urlsafe(24),
        time_zone=time_zones.guess(request),
        **form.wishes(),
    )
    remember(request, guest)
    return table


urls = [path("play/now/", play_now, name="play_now")]
