"""House rules as others see them: offered to members, pinned by tables, events and seasons, told version by version."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import F, Max, OuterRef, QuerySet, Subquery
from django.urls import reverse

from accounts.models import User
from clubs.models import Club, HouseRules, RulesVersion, Season
from gameplay.house_rules.rule_origin import Origin, origin
from gameplay.house_rules.rule_sources import Kept

KIND = "rules"


class ClubRules:
    """The clubs' house rules, as a source for `gameplay.house_rules.rule_sources`."""

    def offered(self, user: User) -> Iterable[Kept]:
        """The newest version of all house rules of the person's clubs."""
        own = Club.objects.alive().filter(memberships__user__pk=user.pk, memberships__left_at=None)
        found = newest().filter(house_rules__club__in=own.values("pk"), house_rules__is_archived=False)
        return [kept_of(one) for one in found.order_by("house_rules__club__name", "house_rules__name", "pk")]

    def versions(self, ref: str) -> list[Kept]:
        """Every version of the house rules that a ref names one of, the oldest first."""
        number = _number(ref)
        own = RulesVersion.objects.filter(pk=number).values("house_rules") if number is not None else None
        return [kept_of(one) for one in _versions().filter(house_rules__in=own)] if own is not None else []

    def named(self, refs: Collection[str]) -> list[Kept]:
        """The versions of these refs."""
        numbers = [number for number in map(_number, refs) if number is not None]
        return [kept_of(one) for one in _versions().filter(pk__in=numbers)]


def newest() -> QuerySet[RulesVersion]:
    """The newest version of all house rules."""
    last = HouseRules.objects.filter(pk=OuterRef("house_rules")).annotate(last=Max("versions__number")).values("last")
    return _versions().annotate(last=Subquery(last)).filter(number=F("last"))


def _versions() -> QuerySet[RulesVersion]:
    return RulesVersion.objects.select_related("house_rules__club").order_by("number")


def _number(ref: str) -> int | None:
    kind, _, number = ref.partition(":")
    is_number = number.isdecimal() and number.isascii() and len(number) < 19
    return int(number) if kind == KIND and is_number else None


def ref_of(version: RulesVersion) -> str:
    """What a table or an event keeps of a version."""
    return f"{KIND}:{version.pk}"


def kept_of(version: RulesVersion) -> Kept:
    """A version as others see it."""
    found = version.house_rules
    return Kept(
        ref_of(version),
        found.name,
        version.number,
        found.club.name,
        version.rules,
        address_of(version),
        version.note,
        version.at,
    )


def address_of(version: RulesVersion) -> str:
    """The page of a version."""
    found = version.house_rules
    return reverse("clubs:rules_version", args=[found.club.slug, found.slug, version.number])


def all_of(found: HouseRules) -> list[Kept]:
    """Every version of house rules, the oldest first."""
    return [kept_of(one) for one in _versions().filter(house_rules=found)]


def pinned(season: Season) -> Origin | None:
    """The version that a season is played by, what changed since in a newer one, and what its earlier ones changed.

    `None` where it is played by a published ruleset as it is. Two queries, whatever there is to tell.
    """
    version = season.rules_version
    return origin(ref_of(version), season.rules) if version is not None else None
