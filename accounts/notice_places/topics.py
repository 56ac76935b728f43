"""Topics: groups of notifications that a person can send to a place. Each kind of notification belongs to one."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


@dataclass(frozen=True)
class Topic:
    """A topic: its title, and an example of its notifications."""

    name: str
    """Stored with places; never changes."""
    title: Promise
    example: Promise


TURNS = Topic("turns", gettext_lazy("My turns"), gettext_lazy("“Thursday table: your turn”"))
MATCHES = Topic("matches", gettext_lazy("My matches and events"), gettext_lazy("“Spring Cup: your match is ready”"))
CLUBS = Topic("clubs", gettext_lazy("My clubs"), gettext_lazy("“Are you coming? Club night, 3 December”"))
ACCOUNT = Topic("account", gettext_lazy("My friends and account"), gettext_lazy("“Ben wants to be your friend”"))
TOPICS = {topic.name: topic for topic in (TURNS, MATCHES, CLUBS, ACCOUNT)}
USUAL = (TURNS.name, MATCHES.name)
"""What goes to a new place, unless its person chooses otherwise."""
_topic_of: dict[str, Topic] = {}


def assign(kind: str, topic: Topic) -> None:
    """Say to which topic a kind of notification belongs."""
    _topic_of[kind] = topic


def of_kind(kind: str) -> str:
    """The name of a kind’s topic; empty for an unknown kind, which goes to no place."""
    return _topic_of[kind].name if kind in _topic_of else ""


def in_order(names: Collection[str]) -> list[str]:
    """The known topics among these names."""
    return [name for name in TOPICS if name in names]
