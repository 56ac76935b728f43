"""The form to import past seasons."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from clubs.house_rules.page import newest, rule_groups
from clubs.imports import tables
from clubs.imports.season import Order
from clubs.models import Club, League
from clubs.services.seasons.past_seasons import Wishes
from web.errors import Refused
from web.sent_numbers import read_whole

VERSION = "version:"
"""Prefix of the id of house rules among the choices of rules."""
POINTS = {"win": "2", "draw": "1", "loss": "0"}
_LONGEST = 80


@dataclass(frozen=True)
class Typed:
    """The input, as the page shows it again."""

    table: str = ""
    league: str = ""
    league_name: str = ""
    kind: str = League.Kind.PAIR
    rules: str = "standard"
    win: str = "2"
    draw: str = "1"
    loss: str = "0"
    order: str = ""
    levels: str = ""
    adds_people: bool = True

    @property
    def wishes(self) -> Wishes:
        """The choices for the service."""
        is_version = self.rules.startswith(VERSION) and self.rules.removeprefix(VERSION).isdecimal()
        return Wishes(
            league_id=read_whole(self.league),
            league_name=self.league_name,
            kind=self.kind,
            preset="" if is_version else self.rules,
            rules_version_id=int(self.rules.removeprefix(VERSION)[:9]) if is_version else None,
            plan={name: getattr(self, name) or usual for name, usual in POINTS.items()},
            adds_people=self.adds_people,
        )

    @property
    def dates(self) -> Order:
        """The order of day and month in dates with slashes."""
        return Order(self.order) if self.order in list(Order) else Order.UNKNOWN

    @property
    def divisions(self) -> list[str]:
        """Names of divisions from the top."""
        return [" ".join(line.split()) for line in self.levels.splitlines() if line.strip()]


def typed(request: HttpRequest) -> Typed:
    """The input of a form. Raises `Refused` for a file that is not text."""

    def text(name: str) -> str:
        return request.POST.get(name, "").strip()[:_LONGEST]

    return Typed(
        table=request.POST.get("table", ""),
        **{name: text(name) for name in ("league", "league_name", "kind", "rules", *POINTS, "order")},
        levels=request.POST.get("levels", "")[:2000],
        adds_people="adds_people" in request.POST,
    )


def sent_file(request: HttpRequest) -> str | None:
    """The text of a file that was sent; `None` without one. Raises `Refused`."""
    sent = request.FILES.get("file")
    if sent is None:
        return None
    if (sent.size or 0) > tables.MOST_BYTES:
        raise Refused(
            "too_large",
            gettext("The file is too large. The limit is %(size)s kB.") % {"size": tables.MOST_BYTES // 1000},
            field="table",
        )
    return tables.decode(sent.read())


def choices(club: Club) -> dict[str, Any]:
    """The choices: leagues of the club, kinds, rules, orders of dates."""
    leagues = League.objects.filter(club=club, is_archived=False)
    return {
        "leagues": [(str(league.pk), league.name) for league in leagues],
        "kinds": League.Kind.choices,
        "rules": rule_groups(_house_rules(club)),
        "orders": [
            (Order.UNKNOWN, gettext("Detect automatically")),
            (Order.DAY_FIRST, gettext("Day first: 21/11/2026")),
            (Order.MONTH_FIRST, gettext("Month first: 11/21/2026")),
        ],
    }


def _house_rules(club: Club) -> list[tuple[str, str]]:
    versions = newest().filter(house_rules__club=club, house_rules__is_archived=False).select_related("house_rules")
    return [(f"{VERSION}{version.pk}", str(version)) for version in versions.order_by("house_rules__name")]
