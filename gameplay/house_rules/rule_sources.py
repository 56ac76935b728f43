"""Named rules in versions. The apps above keep them, because tables know of no clubs."""

from collections.abc import Collection, Iterable
from datetime import datetime
from functools import cached_property
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext

from accounts.models import User
from engine.errors import BadInput
from engine.play import rulesets
from engine.play.rules import Rules


class RuleVersion(NamedTuple):
    """A version of named rules; it never changes."""

    ref: str
    """Its reference at tables, such as `rules:12`."""
    name: str
    number: int
    keeper: str
    """The name of the club that keeps them."""
    rules: Rules
    url: str = ""
    note: str = ""
    at: datetime | None = None

    @property
    def title(self) -> str:
        """Such as `Harbour rules, version 3`."""
        return gettext("%(name)s, version %(number)s") % {"name": self.name, "number": self.number}


class Source(Protocol):
    """An app with named rules."""

    def offered(self, user: User) -> Iterable[RuleVersion]:
        """Rules offered to a person in addition to the published rulesets: the newest version of each."""

    def versions(self, ref: str) -> list[RuleVersion]:
        """Every version of the rules of `ref`, the oldest first; empty if there are none."""

    def find_all(self, refs: Collection[str]) -> Iterable[RuleVersion]:
        """The existing versions of these refs, in one query."""


_sources: dict[str, Source] = {}


def register(kind: str, source: Source) -> None:
    """Add a source; its refs are `<kind>:<number>`."""
    _sources[kind] = source


def offered_to(user: User | AnonymousUser) -> list[RuleVersion]:
    """Rules offered to a person in addition to the published rulesets."""
    return [each for source in _sources.values() for each in source.offered(user)] if isinstance(user, User) else []


def versions(ref: str) -> list[RuleVersion]:
    """Every version of the rules of `ref`, the oldest first; empty if nobody keeps such rules."""
    source = _sources.get(ref.partition(":")[0])
    return source.versions(ref) if source is not None else []


def find(ref: str) -> RuleVersion | None:
    """The version of this ref."""
    return next((version for version in versions(ref) if version.ref == ref), None)


def find_all(refs: Collection[str]) -> dict[str, RuleVersion]:
    """The versions of these refs, by ref: one query for each app with some of them."""
    versions: dict[str, RuleVersion] = {}
    for kind, source in _sources.items():
        refs_of_kind = [ref for ref in refs if ref.partition(":")[0] == kind]
        versions |= {version.ref: version for version in source.find_all(refs_of_kind)} if refs_of_kind else {}
    return versions


class Start(NamedTuple):
    """A start for rules: a published ruleset, or a saved version."""

    value: str
    title: str
    rules: Rules

    @property
    def ref(self) -> str:
        """Its reference at tables; empty for a published ruleset."""
        return self.value if ":" in self.value else ""


def start(value: str) -> Start:
    """A published ruleset by its name, or a saved version by its ref. Raises `BadInput` if there is none."""
    if ":" not in value:
        rules = Rules.preset(value)
        return Start(value, rules.title, rules)
    version = find(value)
    if version is None:
        raise BadInput(gettext("These rules no longer exist. Choose others."))
    return Start(value, version.title, version.rules)


class Offer:
    """The starts offered to a person, for the fields of a page: the apps are asked once, however many there are."""

    def __init__(self, user: User | AnonymousUser) -> None:
        self._user = user

    @cached_property
    def _versions(self) -> list[RuleVersion]:
        return offered_to(self._user)

    def choices(self, chosen: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
        """Starts in groups for a form: the published rulesets by kind, then offered rules by keeper.

        `chosen` is always among them: anyone with a link may use its rules.
        """
        versions = [*self._versions]
        if ":" in chosen and all(version.ref != chosen for version in versions) and (other := find(chosen)) is not None:
            versions.append(other)
        groups = dict(rulesets.choices())
        for version in versions:
            groups.setdefault(version.keeper, []).append((version.ref, version.title))
        return list(groups.items())


def choices(user: User | AnonymousUser, chosen: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """The choices of a form with one field for them, as in `Offer.choices`."""
    return Offer(user).choices(chosen)
