from functools import lru_cache

from django.apps import AppConfig
from django.utils.translation import get_language, gettext, ngettext, pgettext

from engine import words


class GameplayConfig(AppConfig):
    name = "gameplay"

    def ready(self) -> None:
        # They need the models, which are not there while this module is read.
        from gameplay import link_cards, notification_types, receivers, retention

        words.speak(words.Speaker(_say, ngettext, pgettext))
        notification_types.register()
        receivers.connect()
        retention.connect()
        link_cards.register()


def _say(sentence: str) -> str:
    return _translate(sentence, get_language())


@lru_cache(maxsize=8192)
def _translate(sentence: str, language: str | None) -> str:
    """Cached, because bots are refused moves by the thousand."""
    return gettext(sentence)
