"""What notices about matches say: with whom, where, and until when by the reader's own clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from tournaments.models import Pairing, Place, Result
from tournaments.round_names import round_name
from tournaments.stage_state import moment_of
from web.text import date_and_time, listed, number, zone_name


def match_words(pairing: Pairing, places: Sequence[Place], own: Place, user: User) -> str:
    """`Round 2, table 3: with Ben against Cem and Dee. You have until Thu 26 Nov 20:15, Toronto (EST).`"""
    partners = [str(place.entry) for place in places if place.side == own.side and place.pk != own.pk]
    others = [str(place.entry) for place in places if place.side != own.side]
    where = {"round": round_name(pairing.round.name), "number": pairing.number}
    who = {"partners": listed(partners), "others": listed(others)}
    words = gettext("%(round)s, table %(number)s.")
    if partners and others:
        words = gettext("%(round)s, table %(number)s: with %(partners)s against %(others)s.")
    elif partners:
        words = gettext("%(round)s, table %(number)s: with %(partners)s.")
    elif others:
        words = gettext("%(round)s, table %(number)s: against %(others)s.")
    sentences = [words % {**where, **who}]
    if pairing.starts_at is not None:
        sentences.append(gettext("It starts %(moment)s.") % {"moment": moment_words(pairing.starts_at, user)})
    if (until := moment_of(pairing)) is not None:
        sentences.append(gettext("You have until %(moment)s.") % {"moment": moment_words(until, user)})
    return " ".join(sentences)


def result_words(result: Result, places: Sequence[Place], user: User) -> str:
    """What was entered by whom, and what silence does."""
    names = {place.entry_id: str(place.entry) for place in places}
    scores = [f"{names.get(line['entry'], '')} {_score(line)}" for line in result.lines]
    who = result.by_entry or gettext("Someone")
    said = gettext("%(entry)s entered: %(scores)s.") % {"entry": who, "scores": ", ".join(scores)}
    if result.confirms_at is None:
        return said
    silence = gettext("If you do nothing, it becomes final on %(moment)s.")
    return f"{said} {silence % {'moment': moment_words(result.confirms_at, user)}}"


def _score(line: dict[str, object]) -> str:
    return gettext("did not come") if line.get("forfeit") else number(int(str(line.get("score") or 0)))


def moment_words(moment: datetime, user: User) -> str:
    """A moment by the person's own clock."""
    with timezone.override(user.zone):
        return f"{date_and_time(moment)}, {zone_name(moment)}"
