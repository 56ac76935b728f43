"""Score sheets as tables of at most 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cli.text import plain, shorten
from engine.play.rules import Rules
from engine.play.scoring import ITEM_WORDS, Outcome, item_words
from engine.words import join_words

_WIDTH, _LABEL, _CELL = 80, 28, 12
"""Widths of a table, of a label, and of a team's column."""


def team_names(teams: int, players: Sequence[str] = ()) -> list[str]:
    """Names of the teams: their number, or their players' names."""
    if not players:
        return [f"Team {team}" for team in range(teams)]
    return [plain(" & ".join(players[team::teams])) for team in range(teams)]


def score_table(rules: Rules, result: Outcome, before: Sequence[int], names: Sequence[str]) -> str:
    """The items of a deal that is over, by team, with the totals before and after it."""
    present = {item.what for sheet in result.sheets for item in sheet}
    label_width = max([_LABEL, *(len(item_words(kind, rules)) + 1 for kind in present)])
    across = (_WIDTH - label_width) // _CELL
    parts = []
    for first in range(0, len(names), across):
        teams = range(first, min(first + across, len(names)))
        kinds = [kind for kind in ITEM_WORDS if any(kind == item.what for t in teams for item in result.sheets[t])]
        rows = [("", [shorten(names[t], _CELL - 1) for t in teams])]
        for kind in kinds:
            items = [next((item for item in result.sheets[t] if item.what == kind), None) for t in teams]
            cells = [f"{item.number or '':>4}{item.points:>8}" if item else "" for item in items]
            rows.append((item_words(kind, rules), cells))
        for label, points in (("This deal", result.deal_score), ("Before", before), ("Total", result.totals)):
            rows.append((label, [str(points[t]) for t in teams]))
        parts.append("\n".join(_row(label, label_width, cells) for label, cells in rows))
    return "\n\n".join(parts)


def _row(label: str, width: int, cells: Sequence[str]) -> str:
    return (f"{label:{width}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)).rstrip()


def outcome_text(rules: Rules, deal: int, result: Outcome, names: Sequence[str]) -> str:
    """A sentence on the winners, or on the next deal."""
    if result.winners is None:
        length = rules.length
        until = f"of {length.number}" if length.by == "deals" and deal < length.number else ""
        aim = f", playing to {length.number} points" if length.by == "target" else ""
        return f"Deal {deal + 1}{' ' + until if until else ''} follows{aim}."
    won = [names[team] for team in result.winners]
    points = result.totals[result.winners[0]]
    return f"{join_words(won)} won with {points} points."


def match_words(rules: Rules, seats: int, team_size: int) -> str:
    """A line with the rules and the seats."""
    teams = f" in teams of {team_size}" if team_size > 1 else ", each alone"
    length = f"{rules.length.number} deals" if rules.length.by == "deals" else f"to {rules.length.number} points"
    if length == "1 deals":
        length = "one deal"
    return f"{plain(rules.title)}, {seats} seats{teams}, {length}"
