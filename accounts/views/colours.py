"""Colours of cards and table for people without an account, chosen from the foot of any page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.colours import colours_of, keep_colours
from accounts.forms import ColoursForm
from accounts.models import User
from accounts.views.language import back_to


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def colours(request: HttpRequest) -> HttpResponse:
    """Choose the colours of cards and table in this browser. Members choose them in their profile."""
    if isinstance(request.user, User):
        return redirect(f"{reverse('accounts:profile')}#at-the-table")
    form = ColoursForm(request.POST or None, initial=colours_of(request))
    back = back_to(request, (request.POST or request.GET).get("next", ""))
    if request.method == "POST" and form.is_valid():
        response = redirect(back)
        keep_colours(response, form.cleaned_data)
        return response
    return render(request, "accounts/colours.html", {"form": form, "next": back}, status=422 if form.errors else 200)


urls = [path("colours/", colours, name="colours")]
