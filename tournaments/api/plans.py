"""Rules and stages as API clients send them."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from engine.play.rules import Rules
from gameplay.api.base import engine_words
from tournaments.plan import Plan, standard
from web.errors import Refused


def plan_of(stage: Mapping[str, Any]) -> Plan:
    """The plan of a new stage: the defaults of its format with some choices changed. Raises `Refused`."""
    if "format" in stage["choices"]:
        raise Refused("bad_plan", gettext("Give the format next to the choices, not inside them."))
    return standard(stage["format"], **stage["choices"])


def settings_of(form: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """The settings in a form, by `names`; the ruleset with its options becomes `rules`. Raises `Refused`."""
    settings = {name: value for name, value in form.items() if name in names and name not in ("ruleset", "options")}
    if "options" in form and "ruleset" not in form:
        raise Refused("bad_input", gettext("Choose the ruleset for these options."))
    if "ruleset" in form:
        with engine_words():
            settings["rules"] = Rules.make(form["ruleset"], form.get("options", {}))
    return settings
