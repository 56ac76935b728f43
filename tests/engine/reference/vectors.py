"""Rule vectors, run on the reference alone: its own check against the cases that the engine is held to."""

from __future__ import annotations

from typing import Any

from tests.engine.reference import scores
from tests.engine.reference.table import Illegal, Table, read_table, write_table
from tests.engine.reference.turns import is_legal, play, settle


def fault(case: dict[str, Any]) -> str | None:
    """What does not hold of a case, or `None`."""
    table, expect = read_table(case["position"]), case["expect"]
    if table.phase in ("draw", "play", "answer"):
        settle(table)
    for index, text in enumerate(case.get("do", [])):
        try:
            after = play(table, text)
        except Illegal as error:
            if index == expect.get("refused_at"):
                break
            return f"{text} is refused: {error}"
        if index == expect.get("refused_at"):
            return f"{text} is accepted"
        table = after
    return next(iter(faults_after(table, case)), None)


def faults_after(table: Table, case: dict[str, Any]) -> list[str]:
    """What does not hold once the moves of a case are played."""
    expect = case["expect"]
    faults = [f"{text} is not legal" for text in expect.get("legal", []) if not is_legal(table, text)]
    faults += [f"{text} is legal" for text in expect.get("illegal", []) if is_legal(table, text)]
    expected = write_table(read_table(case["position"] | expect.get("after", {})))
    for key, value in expect.get("after", {}).items():
        right, actual = (named_part(key, value, written[key]) for written in (expected, write_table(table)))
        if right != actual:
            faults.append(f"{key}: expected {right}, there is {actual}")
    sums = {"deal_score": scores.deal_scores, "totals": scores.totals, "winner": scores.winners}
    faults += [f"{key}: {of(table)}" for key, of in sums.items() if key in expect and of(table) != expect[key]]
    return faults


def named_part(key: str, names: Any, values: Any) -> Any:
    """Of values by seat or team only those that a case names; melds in any order."""
    if isinstance(names, dict):
        values = [values[int(name)] for name in names]
    elif isinstance(names, list):
        values = values[: len(names)]
    return [sorted(texts) for texts in values] if key == "melds" else values
