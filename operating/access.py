"""Access to the operator's page."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse

from accounts.models import User

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def is_operator(user: object) -> bool:
    """Whether the user is an operator, as made by `manage.py operator`."""
    return isinstance(user, User) and user.is_active and user.is_staff


def operators_only(view: View[P]) -> View[P]:
    """Answer 404 to everyone else."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_operator(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded
