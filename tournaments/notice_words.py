"""What notices about matches say: with whom, where, and until when by the reader's own clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from accounts.models import User
from tournaments.load import moment_of
from tournaments.models import Pairing, Place, Result
from web.words import date_and_time, zone_name


def match_words(pairing: Pairing, places: Sequence[Place], own: Place, user: User) -> str:
    """`Round 2, table 3: with Ben against Cem and Dee. You have until Thu 26 Nov 20:15, Toronto (EST).`"""
    partners = [str(place.entry) for place in places if place.side == own.side and place.pk != own.pk]
    others = [str(place.entry) for place in places if place.side != own.side]
    parts = [f"with {listed(partners)}"] * bool(partners) + [f"against {listed(others)}"] * bool(others)
    sentences = [f"{pairing.round.name}, table {pairing.number}: {' '.join(parts)}."]
    if pairing.starts_at is not None:
        sentences.append(f"It begins {moment_words(pairing.starts_at, user)}.")
    if (until := moment_of(pairing)) is not None:
        sentences.append(f"You have until {moment_words(until, user)}.")
    return " ".join(sentences)


def result_words(result: Result, places: Sequence[Place], user: User) -> str:
    """What was entered by whom, and what silence does."""
    names = {place.entry_id: str(place.entry) for place in places}
    scores = [f"{names.get(line['entry'], '')} {_score(line)}" for line in result.lines]
    said = f"{result.by_entry or 'Somebody'} entered: {', '.join(scores)}."
    if result.confirms_at is None:
        return said
    return f"{said} If you say nothing, it counts from {moment_words(result.confirms_at, user)}."


def _score(line: dict[str, object]) -> str:
    return "did not come" if line.get("forfeit") else f"{line.get('score') or 0:,}".replace("-", "−")


def moment_words(moment: datetime, user: User) -> str:
    """A moment by the person's own clock."""
    with timezone.override(user.zone):
        return f"{date_and_time(moment)}, {zone_name(moment)}"


def listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
