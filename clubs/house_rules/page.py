"""House rules as seen by others: offered to members, pinned by tables, events and seasons."""

from collections.abc import Collection, Iterable

from django.db.models import F, Max, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Club, HouseRules, RulesVersion, Season
from engine.play import rulesets
from gameplay.house_rules.rule_origin import Origin, origin
from gameplay.house_rules.rule_sources import RuleVersion
from web.sent_numbers import read_whole

KIND = "rules"


class ClubRules:
    """The clubs' house rules, as a source for `gameplay.house_rules.rule_sources`."""

    def offered(self, user: User) -> Iterable[RuleVersion]:
        """The newest version of all house rules of the person's clubs."""
        clubs = Club.objects.alive().filter(memberships__user__pk=user.pk, memberships__left_at=None)
        versions = newest().filter(house_rules__club__in=clubs.values("pk"), house_rules__is_archived=False)
        return list(map(summary_of, versions.order_by("house_rules__club__name", "house_rules__name", "pk")))

    def versions(self, ref: str) -> list[RuleVersion]:
        """Every version of the house rules that a ref belongs to, the oldest first."""
        number = _number(ref)
        family = RulesVersion.objects.filter(pk=number).values("house_rules") if number is not None else None
        return list(map(summary_of, _versions().filter(house_rules__in=family))) if family is not None else []

    def find_all(self, refs: Collection[str]) -> list[RuleVersion]:
        """The versions of these refs."""
        numbers = [number for number in map(_number, refs) if number is not None]
        return list(map(summary_of, _versions().filter(pk__in=numbers)))


def newest() -> QuerySet[RulesVersion]:
    """The newest version of all house rules."""
    last = HouseRules.objects.filter(pk=OuterRef("house_rules")).annotate(last=Max("versions__number")).values("last")
    return _versions().annotate(last=Subquery(last)).filter(number=F("last"))


def rule_groups(versions: list[tuple[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices of rules in a club’s forms: versions of its house rules first, then the published rulesets by kind."""
    return [*([(gettext("House rules"), versions)] if versions else []), *rulesets.choices()]


def _versions() -> QuerySet[RulesVersion]:
    return RulesVersion.objects.select_related("house_rules__club").order_by("number")


def _number(ref: str) -> int | None:
    kind, _, number = ref.partition(":")
    return read_whole(number, digits=18) if kind == KIND else None


def ref_of(version: RulesVersion) -> str:
    """The ref of a version, stored by tables and events."""
    return f"{KIND}:{version.pk}"


def summary_of(version: RulesVersion) -> RuleVersion:
    """A version as seen by other apps."""
    house_rules = version.house_rules
    return RuleVersion(
        ref_of(version),
        house_rules.name,
        version.number,
        house_rules.club.name,
        version.rules,
        address_of(version),
        version.note,
        version.at,
    )


def address_of(version: RulesVersion) -> str:
    """The page of a version."""
    house_rules = version.house_rules
    return reverse("clubs:rules_version", args=[house_rules.club.slug, house_rules.slug, version.number])


def versions_of(house_rules: HouseRules) -> list[RuleVersion]:
    """Every version of house rules, the oldest first."""
    return list(map(summary_of, _versions().filter(house_rules=house_rules)))


def origin_of(season: Season) -> Origin | None:
    """The version that a season is played by, its changes, and those in later versions; `None` for a published
    ruleset."""
    version = season.rules_version
    return origin(ref_of(version), season.rules) if version is not None else None
