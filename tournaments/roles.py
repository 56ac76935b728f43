"""Who may do what in an event: what pages show and what the code checks."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from tournaments.models import Organiser

ACTS: dict[str, str] = {
    "look": gettext_noop("see the organisers' pages"),
    "prepare": gettext_noop("change the event, its rules and stages, and announce it"),
    "organisers": gettext_noop("say who organises"),
    "cancel": gettext_noop("cancel the event"),
    "entries": gettext_noop("enter, withdraw and seed anybody, open and close entries"),
    "check_in": gettext_noop("say who is here"),
    "results": gettext_noop("enter and confirm results"),
    "play": gettext_noop("start and draw, give byes, decide disputes, change results and deadlines"),
    "tell": gettext_noop("write to everybody"),
    "undo": gettext_noop("undo what others did"),
    "fair_play": gettext_noop("see patterns that may be against fair play, and say what is in them"),
}
"""What an organiser may be allowed to do, and in words."""

ROLES: dict[str, frozenset[str]] = {
    Organiser.Role.OWNER: frozenset(ACTS),
    Organiser.Role.DIRECTOR: frozenset(ACTS) - {"prepare", "organisers", "cancel"},
    Organiser.Role.SCORER: frozenset({"look", "check_in", "results"}),
}
"""Who may do what."""

NEEDED: dict[str, str] = {
    "accept": "entries",
    "adjust": "play",
    "admit": "play",
    "announce": "prepare",
    "answer": "results",
    "apart": "entries",
    "bye": "play",
    "call_off": "play",
    "cancel": "cancel",
    "challenge": "play",
    "check_in": "check_in",
    "claim": "entries",
    "confirm": "results",
    "disqualify": "play",
    "end_ladder": "play",
    "enter": "entries",
    "entries": "entries",
    "fair_play": "fair_play",
    "free": "play",
    "go": "play",
    "late": "play",
    "members": "entries",
    "organisers": "organisers",
    "pair": "play",
    "redraw": "play",
    "reinstate": "play",
    "rename": "entries",
    "replace": "entries",
    "report": "results",
    "result": "results",
    "seeds": "entries",
    "settings": "prepare",
    "silence": "play",
    "stages": "prepare",
    "start": "play",
    "substitute": "play",
    "take_back": "play",
    "times": "play",
    "walkover": "play",
    "where": "play",
    "withdraw": "entries",
}
"""By the kind of an act in the history, what one must be allowed to do in order to undo it. A kind that is not here cannot
be undone; undoing what was undone needs what the act itself does."""
