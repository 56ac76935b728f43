"""Validators of preferences and passwords."""

import re
from functools import cache
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


@cache
def _zones() -> frozenset[str]:
    """The zones there are; finding out takes reading some hundred files."""
    return frozenset(available_timezones())


def validate_time_zone(value: str) -> None:
    """Refuse anything but the name of an IANA time zone."""
    if value not in _zones():
        raise ValidationError(
            _("“%(value)s” is not a time zone. Choose one such as Europe/Paris."),
            code="unknown_time_zone",
            params={"value": value},
        )


class NotOfThisSite:
    """Refuses passwords made mostly of the name of the site, its host or the game, because guessers start there.

    Django makes it from AUTH_PASSWORD_VALIDATORS.
    """

    WORDS = ("foothold", "handandfoot", "handfoot", "canasta")
    LEAST = 6
    """Fewest other characters next to such words."""

    def validate(self, password: str, user: object = None) -> None:
        letters = re.sub(r"[\W_]", "", password.casefold())
        rest = letters
        for word in (*self.WORDS, *_host_words()):
            rest = rest.replace(word, "")
        if rest != letters and len(rest) < self.LEAST:
            raise ValidationError(
                _("This password is little more than the name of the site or the game. Choose another one."),
                code="password_of_this_site",
            )

    def get_help_text(self) -> str:
        return gettext("Your password must be more than the name of the site or the game.")


def _host_words() -> list[str]:
    """The parts of the host's name that are long enough to be words, such as “club” and “example” of club.example."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    return [word for word in re.split(r"[\W_]", host) if len(word) >= 4]
