"""Personal data of a person in events, for export: entries, organising, actions and answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from accounts.models import User
from tournaments.models import Act, Answer, Member, Organiser, Result


def events_of(user: User) -> dict[str, Any]:
    """Ready for JSON: `entries`, `organises`, `acts`, `results` and `answers`; times in UTC. Five queries."""
    members = Member.objects.filter(user=user).order_by("pk").values(
        *("tournament__name", "tournament__slug", "entry__name", "entry__status", "entry__number"),
        *("name", "role", "answer", "is_captain", "left_at"),
    )  # fmt: skip
    organises = Organiser.objects.filter(user=user).values("tournament__name", "tournament__slug", "role", "added_at")
    acts = Act.objects.filter(by=user).order_by("pk").values("tournament__name", "at", "kind", "sentence", "reason")
    results = Result.objects.filter(by=user).values(
        "pairing__name", "pairing__round__stage__tournament__name", "at", "kind", "status", "lines", "sheet", "reason"
    )
    answers = Answer.objects.filter(user=user).values("result__pairing__name", "at", "agrees", "words")
    return {
        "entries": _rows(members),
        "organises": _rows(organises),
        "acts": _rows(acts),
        "results": _rows(results),
        "answers": _rows(answers),
    }


SHORT = {
    "pairing__round__stage__tournament__name": "event",
    "tournament__name": "event",
    "tournament__slug": "address",
    "entry__name": "entry",
    "pairing__name": "match",
    "result__pairing__name": "match",
}


def _rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{SHORT.get(name, name.replace("__", "_")): value for name, value in row.items()} for row in rows]
