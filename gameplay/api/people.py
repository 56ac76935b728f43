"""API views without a table: the own account, and the rulesets."""

from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from engine.play.rule_sheet.sheet import write_sheet
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from gameplay.api import serializers
from gameplay.api.base import described, endpoint, player
from gameplay.api.tables import answer
from web.errors import Refused


@endpoint("GET", "read", serializers.Person)
def me(request: Request) -> Response:
    """Your account, and the scopes of this token."""
    return answer(request, serializers.Person, player(request))


@described(serializers.Rulesets, name="rulesets_list")
@api_view(["GET"])
@permission_classes([AllowAny])
def rulesets(request: Request) -> Response:
    """The rulesets that tables can start from. Needs no token."""
    return answer(request, serializers.Rulesets, {"rulesets": [_head(name) for name in PRESETS]})


@described(serializers.Ruleset, name="rulesets_retrieve")
@api_view(["GET"])
@permission_classes([AllowAny])
def ruleset(request: Request, name: str) -> Response:
    """A ruleset: its options, and its rule sheet in plain English. Needs no token."""
    if name not in PRESETS:
        raise NoRuleset("not_found", "There is no such ruleset.")
    rules = Rules.preset(name)
    return answer(
        request, serializers.Ruleset, {**_head(name), "options": rules.write_options(), "sheet": write_sheet(rules)}
    )


class NoRuleset(Refused):
    """No ruleset has this name."""

    status = 404


def _head(name: str) -> dict[str, str]:
    return {"name": name, "title": Rules.preset(name).title}
