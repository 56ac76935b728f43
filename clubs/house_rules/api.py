"""API views for house rules: read every version, and add new ones."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from acts.history import Actor
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, act, declared_view, preview_view, read_view
from clubs.house_rules import services
from clubs.house_rules.page import ref_of
from clubs.models import Act, Club, HouseRules, RulesVersion, Season
from engine.errors import BadRules, EngineError
from engine.play.rule_sheet.nearest import Fit, fit_rules
from engine.play.rule_sheet.sheet import rule_sheet
from engine.play.rules import Contradiction, Rules
from gameplay.api.base import engine_words
from gameplay.api.tables import answer
from gameplay.house_rules.rule_changes import changes

A_PAGE = 100


@read_view(response_serializers.HouseRulesList, name="clubs_rules_list")
def all_rules(request: Request, club: str) -> Response:
    """The house rules of a club."""
    house_rules = HouseRules.objects.filter(club=access.open_club(club)).prefetch_related("versions")
    return answer(request, response_serializers.HouseRulesList, {"rules": [_line(row) for row in house_rules]})


def _line(house_rules: HouseRules) -> dict[str, Any]:
    names = ("slug", "name", "about", "is_archived")
    newest = max(version.number for version in house_rules.versions.all())
    return {**{name: getattr(house_rules, name) for name in names}, "newest": newest}


@read_view(response_serializers.WholeHouseRules, name="clubs_rules_retrieve")
def rules(request: Request, club: str, rules: str) -> Response:
    """House rules with all their versions."""
    house_rules = rules_of(access.open_club(club), rules)
    data = {**_line(house_rules), "versions": [_version(version) for version in house_rules.versions.all()]}
    return answer(request, response_serializers.WholeHouseRules, data)


def _version(version: RulesVersion) -> dict[str, Any]:
    names = ("number", "note", "at")
    values = {name: getattr(version, name) for name in names}
    return {"id": version.pk, **values, "ruleset": version.preset, "ref": ref_of(version)}


@read_view(response_serializers.RulesVersionPage, name="clubs_rules_version_retrieve")
def version(request: Request, club: str, rules: str, version: int) -> Response:
    """A version, which never changes: rule sheet, differences from the published ruleset, later changes."""
    rules_version = rules_of(access.open_club(club), rules).versions.filter(number=version).first()
    if rules_version is None:
        raise Http404(gettext("Version not found."))
    seasons = rules_version.seasons.exclude(status=Season.Status.DRAFT).select_related("league").order_by("-pk")
    return _show(request, rules_version, [f"{season.league}, {season}" for season in seasons[:A_PAGE]])


@read_view(response_serializers.RulesVersionPage, name="shared_rules_retrieve")
def shared(request: Request, token: str) -> Response:
    """Shared house rules, by the token in their link."""
    return _show(request, _shared(token), [])


def _show(request: Request, version: RulesVersion, seasons: list[str]) -> Response:
    newest = version.house_rules.versions.latest("number")
    data = {
        **_version(version),
        "name": version.house_rules.name,
        "club": version.house_rules.club.slug,
        "rules": version.rules_json,
        "shared": settings.SITE_URL + reverse("clubs:shared_rules", args=[version.token]),
        "sheet": _sheet(version.rules),
        "changed": _changes(Rules.preset(version.rules.name), version.rules),
        "fit": _fit(fit_rules(version.rules)),
        "since": _changes(version.rules, newest.rules),
        "seasons": seasons,
    }
    return answer(request, response_serializers.RulesVersionPage, data)


def _sheet(rules: Rules) -> list[dict[str, Any]]:
    return [
        {"title": section.title, "sentences": [sentence.text for sentence in section.sentences]}
        for section in rule_sheet(rules)
    ]


def _fit(fit: Fit) -> dict[str, Any]:
    lines = [difference.line for difference in fit.differences]
    return {"nearest": fit.nearest.name, "summary": fit.summary, "lines": lines}


def _changes(was: Rules, now: Rules) -> list[dict[str, Any]]:
    return [change._asdict() for change in changes(was, now).options]


def _shared(token: str) -> RulesVersion:
    version = RulesVersion.objects.filter(token=token).select_related("house_rules__club").first()
    if version is None:
        raise Http404(gettext("This link does not lead to house rules."))
    return version


def rules_of(club: Club, rules: str) -> HouseRules:
    """House rules of the club. Raises `Http404`."""
    house_rules = HouseRules.objects.filter(club=club, slug=rules).select_related("club").first()
    if house_rules is None:
        raise Http404(gettext("House rules not found in this club."))
    return house_rules


def _rules(form: Form) -> Rules:
    with engine_words():
        return services.assign_preset(Rules.make(form["ruleset"], form["options"]))


@preview_view(
    "rules",
    response_serializers.RulesOutlook,
    takes=request_serializers.RulesLook,
    example={"ruleset": "family", "options": {}},
)
def preview_rules(request: Request, action: Action, form: Form) -> Response:
    """The rule sheet for these options, or their problems. Nothing is saved."""
    try:
        draft = Rules.make(form["ruleset"], form["options"], is_draft=True)
    except BadRules as error:
        pairs = zip(error.sentences, error.options, strict=True)
        return _refuse(request, [Contradiction(options, sentence) for sentence, options in pairs])
    except EngineError as error:
        return _refuse(request, [Contradiction((), error.sentence)])
    fit = fit_rules(draft)
    if fit.contradictions:
        return _refuse(request, fit.contradictions, _fit(fit))
    rules = services.assign_preset(draft)
    return answer(
        request,
        response_serializers.RulesOutlook,
        {
            "can_be": True,
            "wrong": [],
            "sheet": _sheet(rules),
            "changed": _changes(Rules.preset(rules.name), rules),
            "fit": _fit(fit),
        },
    )


def _refuse(request: Request, clashes: Iterable[Contradiction], fit: dict[str, Any] | None = None) -> Response:
    wrong = [{"sentence": clash.text, "options": list(clash.options)} for clash in clashes]
    data = {"can_be": False, "wrong": wrong, "sheet": [], "changed": [], "fit": fit}
    return answer(request, response_serializers.RulesOutlook, data)


@preview_view("rules", response_serializers.RulesRead, takes=request_serializers.RulesText)
def read_rules(request: Request, action: Action, form: Form) -> Response:
    """Read a file of house rules or a link to shared ones, ready for `make-rules/`. Nothing is saved."""
    imported = services.read_import(form["text"])
    rules = imported.rules
    data = {
        **{name: getattr(imported, name) for name in ("name", "about", "note")},
        "ruleset": rules.name,
        "options": rules.changes_from(Rules.preset(rules.name)),
    }
    return answer(request, response_serializers.RulesRead, data)


RULES = {"rules": (request_serializers.RulesGiven, _rules)}

make = declared_view(services.make, reads=RULES)
save = declared_view(services.save, find=rules_of, reads=RULES)
rename = declared_view(services.rename, find=rules_of)
archive = declared_view(services.archive, find=rules_of)
restore = declared_view(services.restore, find=rules_of)


@act("rules", request_serializers.CopyRules)
def copy(action: Action, form: Form) -> Act:
    """Save shared rules in the club."""
    version = _shared(form["token"])
    name = form["name"] or version.house_rules.name
    return services.make(action.club, Actor(action.by, **action.how), name=name, **services.copy_values(version))
