"""Rights of organisers in an event, for pages and checks."""

from django.utils.translation import gettext_noop

from tournaments.models import Organiser

ACTS: dict[str, str] = {
    "look": gettext_noop("see the organisers’ pages"),
    "prepare": gettext_noop("change the event, its rules and stages, and publish it"),
    "organisers": gettext_noop("manage organisers"),
    "cancel": gettext_noop("cancel the event"),
    "entries": gettext_noop("enter, withdraw and seed anyone, open and close entries"),
    "check_in": gettext_noop("check in players"),
    "results": gettext_noop("enter and confirm results"),
    "play": gettext_noop("start and draw, give byes, decide disputes, change results and deadlines"),
    "boards": gettext_noop("print dealing sheets, which show the cards of boards to come"),
    "tell": gettext_noop("write to everyone"),
    "undo": gettext_noop("undo other people’s changes"),
    "fair_play": gettext_noop("see patterns that could be against fair play, and assess them"),
}
"""Rights of organisers, with their labels."""

ROLES: dict[str, frozenset[str]] = {
    Organiser.Role.OWNER: frozenset(ACTS),
    Organiser.Role.DIRECTOR: frozenset(ACTS) - {"prepare", "organisers", "cancel"},
    Organiser.Role.SCORER: frozenset({"look", "check_in", "results"}),
    Organiser.Role.DEALER: frozenset({"look", "boards"}),
}
"""Rights by role."""
