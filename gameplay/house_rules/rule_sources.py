"""Rules that are kept under a name, version by version. The apps above keep them, since tables know of no clubs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from engine.errors import BadInput
from engine.play.rules import Rules
from engine.play.rulesets import TITLES

PUBLISHED = gettext_noop("Published rulesets")


class Kept(NamedTuple):
    """One version of kept rules; it never changes."""

    ref: str
    """What a table keeps of it, such as `rules:12`."""
    name: str
    number: int
    keeper: str
    """Who keeps them: a club's name."""
    rules: Rules
    url: str = ""
    note: str = ""
    at: datetime | None = None

    @property
    def title(self) -> str:
        """Such as `Harbour rules, version 3`."""
        return gettext("%(name)s, version %(number)s") % {"name": self.name, "number": self.number}


class Source(Protocol):
    """An app that keeps rules."""

    def offered(self, user: User) -> Iterable[Kept]:
        """What a person is offered beside the published rulesets: the newest version of each."""

    def versions(self, ref: str) -> list[Kept]:
        """Every version of the rules that `ref` names one of, the oldest first; empty where there are none."""

    def named(self, refs: Collection[str]) -> Iterable[Kept]:
        """The versions of these refs, as far as there are such, in one query."""


_sources: dict[str, Source] = {}


def register(kind: str, source: Source) -> None:
    """Add a source; its refs are `<kind>:<number>`."""
    _sources[kind] = source


def offered(user: User | AnonymousUser) -> list[Kept]:
    """What a person is offered beside the published rulesets."""
    return [kept for source in _sources.values() for kept in source.offered(user)] if isinstance(user, User) else []


def versions(ref: str) -> list[Kept]:
    """Every version of the rules that `ref` names one of, the oldest first; empty where nobody keeps such rules."""
    source = _sources.get(ref.partition(":")[0])
    return source.versions(ref) if source is not None else []


def find(ref: str) -> Kept | None:
    """The version of this ref."""
    return next((kept for kept in versions(ref) if kept.ref == ref), None)


def named(refs: Collection[str]) -> dict[str, Kept]:
    """The versions of these refs, by ref: one query for each app that keeps some of them."""
    found: dict[str, Kept] = {}
    for kind, source in _sources.items():
        own = [ref for ref in refs if ref.partition(":")[0] == kind]
        found |= {kept.ref: kept for kept in source.named(own)} if own else {}
    return found


class Start(NamedTuple):
    """What rules may start from: a published ruleset, or a version that somebody keeps."""

    value: str
    title: str
    rules: Rules

    @property
    def ref(self) -> str:
        """What a table keeps of it; empty for a published ruleset."""
        return self.value if ":" in self.value else ""


def start(value: str) -> Start:
    """A published ruleset by its name, or a kept version by its ref. Raises `BadInput` where there is none."""
    if ":" not in value:
        rules = Rules.preset(value)
        return Start(value, rules.title, rules)
    kept = find(value)
    if kept is None:
        raise BadInput(gettext("These rules no longer exist. Choose others."))
    return Start(value, kept.title, kept.rules)


def choices(user: User | AnonymousUser, chosen: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """What one may start from, in groups for a form: the published rulesets, then by who keeps them those offered.

    `chosen` is among them even where it is not offered: who was given a link may use what it leads to.
    """
    kept = offered(user)
    if ":" in chosen and all(one.ref != chosen for one in kept) and (other := find(chosen)) is not None:
        kept.append(other)
    groups: dict[str, list[tuple[str, str]]] = {gettext(PUBLISHED): list(TITLES.items())}
    for one in kept:
        groups.setdefault(one.keeper, []).append((one.ref, one.title))
    return list(groups.items())
