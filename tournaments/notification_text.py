"""Text of notifications about matches: opponents, place, and deadline by the reader’s clock."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from tournaments import seating
from tournaments.models import Pairing, Place, Result
from tournaments.round_names import match_heading
from tournaments.stage_state import moment_of
from web.text import date_and_time, join_words, number, zone_name


def match_words(pairing: Pairing, places: Sequence[Place], own_place: Place, user: User) -> str:
    """`Round 2, table 3: with Ben against Cem and Dee. You have until Thu 26 Nov 20:15, Toronto (EST).`"""
    partners = [str(place.entry) for place in places if place.side == own_place.side and place.pk != own_place.pk]
    opponents = [str(place.entry) for place in places if place.side != own_place.side]
    where = {"match": match_heading(pairing.round.name, pairing.name, pairing.number)}
    names = {"partners": join_words(partners), "others": join_words(opponents)}
    words = gettext("%(match)s.")
    if partners and opponents:
        words = gettext("%(match)s: with %(partners)s against %(others)s.")
    elif partners:
        words = gettext("%(match)s: with %(partners)s.")
    elif opponents:
        words = gettext("%(match)s: against %(others)s.")
    sentences = [words % {**where, **names}]
    clock = pairing.clock
    if pairing.starts_at is not None:
        sentences.append(gettext("It starts %(moment)s.") % {"moment": moment_words(pairing.starts_at, user, clock)})
    if (until := moment_of(pairing)) is not None:
        sentences.append(gettext("You have until %(moment)s.") % {"moment": moment_words(until, user, clock)})
    return " ".join(sentences)


def result_words(result: Result, places: Sequence[Place], user: User) -> str:
    """The entered result with its author, and the consequence of not answering."""
    lines = {line["entry"]: line for line in result.lines}
    sides = zip(seating.names_by_side(places), seating.by_side(places), strict=True)
    scores = [f"{names} {_score(lines[side[0].entry_id])}" for names, side in sides if side[0].entry_id in lines]
    entry = result.by_entry or gettext("Someone")
    sentence = gettext("%(entry)s entered: %(scores)s.") % {"entry": entry, "scores": ", ".join(scores)}
    if result.confirms_at is None:
        return sentence
    silence = gettext("If you do nothing, it becomes final on %(moment)s.")
    return f"{sentence} {silence % {'moment': moment_words(result.confirms_at, user, result.pairing.clock)}}"


def _score(line: dict[str, object]) -> str:
    return gettext("did not come") if line.get("forfeit") else number(int(str(line.get("score") or 0)))


def moment_words(moment: datetime, user: User, clock: ZoneInfo | None = None) -> str:
    """A moment by a clock where people meet, else by the person's own; with its zone."""
    with timezone.override(clock or user.zone):
        return f"{date_and_time(moment)}, {zone_name(moment)}"
