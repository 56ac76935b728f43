"""The history of an event can be narrowed to each kind of act that there is."""

import ast
from pathlib import Path

from tournaments.views.organise.history import KINDS

SERVICES = Path(__file__).parents[2] / "tournaments" / "services"


def kinds():
    """Every kind that an act of an event is written down as."""
    for file in sorted(SERVICES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("perform", "note"):
                for keyword in node.keywords:
                    if keyword.arg == "kind" and isinstance(keyword.value, ast.Constant):
                        yield keyword.value.value


def test_every_kind_of_act_is_under_one_heading():
    named = [kind for _, own in KINDS.values() for kind in own]
    assert len(named) == len(set(named))
    found = set(kinds())
    assert {"result", "claim", "seeds"} <= found
    assert found <= set(named)
