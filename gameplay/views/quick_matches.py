"""Play now: three wishes, and a seat at a table of people with the same."""

from datetime import timedelta
from typing import cast

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.queries import player_of
from engine.play import rulesets
from gameplay.house_rules import rule_titles
from gameplay.models import Wish
from gameplay.services import quick_matches
from gameplay.services.quick_matches import QUICK_PACES, WAITS
from gameplay.views.tables import members_only
from web.errors import Refused


class WishForm(forms.Form):
    """Which rules, how long, and when bots join."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Ruleset"), choices=rulesets.choices, initial="standard")
    pace = forms.ChoiceField(
        label=gettext_lazy("How long?"),
        choices=[(name, pace.title) for name, pace in QUICK_PACES.items()],
        initial=next(iter(QUICK_PACES)),
    )
    bots_after = forms.ChoiceField(
        label=gettext_lazy("Bots take free seats"), choices=list(WAITS.items()), required=False, initial="300"
    )

    def __init__(self, data: QueryDict | None = None, *, last: Wish | None = None) -> None:
        chosen = {"ruleset": last.ruleset, "pace": last.pace} if last else {}
        if last and not last.with_bots:
            chosen["bots_after"] = ""
        super().__init__(data, initial=chosen)


@members_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """Choose wishes, as last time; a POST gives a seat. The tables that wait are listed."""
    user = cast(User, player_of(request))
    form = WishForm(request.POST) if request.method == "POST" else WishForm(last=quick_matches.last_wish(user))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            after = form.cleaned_data["bots_after"]
            try:
                table = quick_matches.play_now(
                    user,
                    ruleset=form.cleaned_data["ruleset"],
                    pace=form.cleaned_data["pace"],
                    wait=timedelta(seconds=int(after)) if after else None,
                )
                return redirect(table)
            except Refused as refusal:
                form.add_error(None, refusal.sentence)
                status = refusal.status
    waiting = quick_matches.open_ones(user)
    context = {"form": form, "waiting": waiting, "rule_names": rule_titles.of_tables(waiting)}
    return render(request, "gameplay/play_now.html", context, status=status)


urls = [path("play/now/", play_now, name="play_now")]
