"""Doors to house rules: reading every version, and making new ones."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from acts.history import By
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, act, look, opened, outlook
from clubs.house_rules import services
from clubs.house_rules.page import ref_of
from clubs.models import Act, Club, HouseRules, RulesVersion, Season
from engine.errors import BadRules, EngineError
from engine.play.rule_sheet.sheet import rule_sheet
from engine.play.rules import Rules
from gameplay.api.base import engine_words
from gameplay.api.tables import answer
from gameplay.house_rules.rule_changes import changes

A_PAGE = 100


@look(response_serializers.HouseRulesList, name="clubs_rules_list")
def all_rules(request: Request, club: str) -> Response:
    """The house rules of a club."""
    found = HouseRules.objects.filter(club=access.open_club(club)).prefetch_related("versions")
    return answer(request, response_serializers.HouseRulesList, {"rules": [_line(row) for row in found]})


def _line(row: HouseRules) -> dict[str, Any]:
    names = ("slug", "name", "about", "is_archived")
    newest = max(version.number for version in row.versions.all())
    return {**{name: getattr(row, name) for name in names}, "newest": newest}


@look(response_serializers.WholeHouseRules, name="clubs_rules_retrieve")
def rules(request: Request, club: str, rules: str) -> Response:
    """House rules with all their versions."""
    row = rules_of(access.open_club(club), rules)
    data = {**_line(row), "versions": [_version(version) for version in row.versions.all()]}
    return answer(request, response_serializers.WholeHouseRules, data)


def _version(row: RulesVersion) -> dict[str, Any]:
    names = ("number", "note", "at")
    values = {name: getattr(row, name) for name in names}
    return {"id": row.pk, **values, "ruleset": row.preset, "ref": ref_of(row)}


@look(response_serializers.RulesVersionPage, name="clubs_rules_version_retrieve")
def version(request: Request, club: str, rules: str, version: int) -> Response:
    """One version, which never changes: rule sheet, differences from the published ruleset, later changes."""
    found = rules_of(access.open_club(club), rules).versions.filter(number=version).first()
    if found is None:
        raise Http404(gettext("Version not found."))
    seasons = found.seasons.exclude(status=Season.Status.DRAFT).select_related("league").order_by("-pk")
    return _show(request, found, [f"{one.league}, {one}" for one in seasons[:A_PAGE]])


@look(response_serializers.RulesVersionPage, name="shared_rules_retrieve")
def shared(request: Request, token: str) -> Response:
    """Shared house rules, by the token in their link."""
    return _show(request, _shared(token), [])


def _show(request: Request, row: RulesVersion, seasons: list[str]) -> Response:
    newest = row.house_rules.versions.latest("number")
    data = {
        **_version(row),
        "name": row.house_rules.name,
        "club": row.house_rules.club.slug,
        "rules": row.rules_json,
        "shared": settings.SITE_URL + reverse("clubs:shared_rules", args=[row.token]),
        "sheet": _sheet(row.rules),
        "changed": _changes(Rules.preset(row.rules.name), row.rules),
        "since": _changes(row.rules, newest.rules),
        "seasons": seasons,
    }
    return answer(request, response_serializers.RulesVersionPage, data)


def _sheet(rules: Rules) -> list[dict[str, Any]]:
    return [
        {"title": section.title, "sentences": [sentence.text for sentence in section.sentences]}
        for section in rule_sheet(rules)
    ]


def _changes(was: Rules, now: Rules) -> list[dict[str, Any]]:
    return [one._asdict() for one in changes(was, now).options]


def _shared(token: str) -> RulesVersion:
    found = RulesVersion.objects.filter(token=token).select_related("house_rules__club").first()
    if found is None:
        raise Http404(gettext("This link does not lead to house rules."))
    return found


def rules_of(club: Club, rules: str) -> HouseRules:
    """House rules of the club. Raises `Http404`."""
    found = HouseRules.objects.filter(club=club, slug=rules).select_related("club").first()
    if found is None:
        raise Http404(gettext("House rules not found in this club."))
    return found


def _rules(form: Form) -> Rules:
    with engine_words():
        return services.named(Rules.make(form["ruleset"], form["options"]))


@outlook(
    "rules",
    response_serializers.RulesOutlook,
    takes=request_serializers.RulesLook,
    example={"ruleset": "family", "options": {}},
)
def look_at_rules(request: Request, asked: Asked, form: Form) -> Response:
    """The rule sheet for these options, or their problems. Nothing is saved."""
    try:
        found = services.named(Rules.make(form["ruleset"], form["options"]))
    except BadRules as error:
        pairs = zip(error.sentences, error.options, strict=True)
        wrong = [{"sentence": sentence, "options": list(options)} for sentence, options in pairs]
        return answer(
            request, response_serializers.RulesOutlook, {"can_be": False, "wrong": wrong, "sheet": [], "changed": []}
        )
    except EngineError as error:
        wrong = [{"sentence": error.sentence, "options": []}]
        return answer(
            request, response_serializers.RulesOutlook, {"can_be": False, "wrong": wrong, "sheet": [], "changed": []}
        )
    changed = _changes(Rules.preset(found.name), found)
    return answer(
        request,
        response_serializers.RulesOutlook,
        {"can_be": True, "wrong": [], "sheet": _sheet(found), "changed": changed},
    )


@outlook("rules", response_serializers.RulesRead, takes=request_serializers.RulesText)
def read_rules(request: Request, asked: Asked, form: Form) -> Response:
    """Read a file of house rules or a link to shared ones, ready for `make-rules/`. Nothing is saved."""
    brought = services.read_in(form["text"])
    options, found = brought.rules.write_options(), brought.rules
    differs = found.differences(Rules.preset(found.name))
    data = {
        **{name: getattr(brought, name) for name in ("name", "about", "note")},
        "ruleset": found.name,
        "options": {name: options[name] for name in differs},
    }
    return answer(request, response_serializers.RulesRead, data)


RULES = {"rules": (request_serializers.RulesGiven, _rules)}

make = opened(services.make, reads=RULES)
save = opened(services.save, find=rules_of, reads=RULES)
rename = opened(services.rename, find=rules_of)
archive = opened(services.archive, find=rules_of)
bring_back = opened(services.bring_back, find=rules_of)


@act("rules", request_serializers.CopyRules)
def copy(asked: Asked, form: Form) -> Act:
    """Save shared rules in the club."""
    version = _shared(form["token"])
    name = form["name"] or version.house_rules.name
    return services.make(asked.club, By(asked.by, **asked.how), name=name, **services.copied(version))
