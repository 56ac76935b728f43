from functools import lru_cache
from typing import Any

from django.apps import AppConfig
from django.utils.translation import get_language, gettext


class GameplayConfig(AppConfig):
    name = "gameplay"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in
        from django.utils.translation import ngettext, pgettext

        from accounts import privacy
        from accounts.signals import account_deleted, free_time_changed
        from engine import words
        from gameplay import notice_kinds, receivers

        words.speak(words.Speaker(_say, ngettext, pgettext))
        notice_kinds.register()
        receivers.connect()
        privacy.register("tables", _export)
        free_time_changed.connect(_set_clocks, dispatch_uid="gameplay.clocks")
        account_deleted.connect(_leave_tables, dispatch_uid="gameplay.leaving")
        privacy.register("score_sheets", _export_sheets)
        privacy.register("photos", _export_photos)
        account_deleted.connect(_forget_sheets, dispatch_uid="gameplay.sheets")
        user_logged_in.connect(_keep_sheets, dispatch_uid="gameplay.sheets")


def _say(sentence: str) -> str:
    return _said(sentence, get_language())


@lru_cache(maxsize=8192)
def _said(sentence: str, language: str | None) -> str:
    """Remembered, since bots are refused moves by the thousand."""
    return gettext(sentence)


def _set_clocks(*, user: Any, **kwargs: Any) -> None:
    from gameplay.services import clocks

    clocks.recompute(user.pk)


def _leave_tables(*, user: Any, **kwargs: Any) -> None:
    from gameplay.services import leaving

    leaving.leave_all(user.pk)


def _export(user: Any) -> Any:
    from gameplay import export

    return export.tables_of(user)


def _export_photos(user: Any) -> Any:
    from gameplay import export

    return export.photos_of(user)


def _keep_sheets(*, request: Any, user: Any, **kwargs: Any) -> None:
    from gameplay.services import score_sheets
    from gameplay.sheets import session

    if keys := session.known(request):
        score_sheets.keep_all(keys, user)


def _forget_sheets(*, user: Any, **kwargs: Any) -> None:
    from gameplay.services import score_sheets

    score_sheets.forget(user.pk)


def _export_sheets(user: Any) -> Any:
    from gameplay.sheets import files

    return files.sheets_of(user)
