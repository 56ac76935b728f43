"""Words and times as a person reads them, also in requests of others."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from django.conf import settings
from django.utils import translation

from accounts.models import User
from web.clocks import read_in


@contextmanager
def as_read_by(user: User) -> Iterator[None]:
    """Within it, words and times are as this person reads them."""
    with read_in(user.zone), language_of(user):
        yield


def language_of(user: User | None, default: str = "") -> AbstractContextManager[object]:
    """Within it, words are in a person’s language; for nobody in the default.

    They stay as they were where there is no default, and for a language that is gone.
    """
    language = getattr(user, "language", default)
    return translation.override(language) if language in dict(settings.LANGUAGES) else nullcontext()
