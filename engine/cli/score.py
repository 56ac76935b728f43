"""Work out the scores of a deal: a score sheet in, scores out.

FILE is JSON: a score sheet kept at a table with real cards, or a position of the notation whose phase is `over`. A
sheet names `rules`, if needed `seats`, `team_size`, `deal` (from 1) and `scores` (totals before), and lists
`teams`. For each team it can name: `books` (complete ones: {"clean": 2, "dirty": 1, "wild": 0, "sevens": 0}); `melded`
(all cards on the table) and `left` (all in hand and foot), each as points, as cards ("Kc Kd 2h") or by rank
({"K": 5, "2": 1, "X": 1}); `red_threes_laid`, `red_threes_held`; `out` (true or false); `lifts` (exact ones);
`penalties` (negative points); `unfinished_wild` (unfinished wild melds). An impossible sheet is refused.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from engine.cli.files import label, read_json
from engine.cli.sheets import match_words, outcome_text, score_table, team_names
from engine.cli.text import wrap
from engine.errors import BadInput
from engine.play.paper import read_paper, score_paper
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.scoring import Outcome, outcome
from engine.play.view import outcome_to_json


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = "exit status: 0 scored; 2 the sheet cannot be read, or is impossible, with team and item"
    parser.add_argument("file", metavar="FILE", help="a score sheet or a position, or - for standard input")
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of a table")


def run(arguments: Namespace) -> int:
    """Score the sheet; the exit status."""
    data = read_json(arguments.file)
    try:
        rules, seats, team_size, deal, before, result = _score(data)
    except BadInput as error:
        raise BadInput(f"{label(arguments.file)}: {error.sentence}") from None
    if arguments.json:
        print(json.dumps({"deal": deal, "before": list(before), **outcome_to_json(result)}))
        return 0
    names = team_names(len(before))
    print(wrap(f"{match_words(rules, seats, team_size)}: deal {deal}"))
    print(score_table(rules, result, before, names))
    print(wrap(outcome_text(rules, deal, result, names)))
    return 0


def _score(data: Any) -> tuple[Rules, int, int, int, tuple[int, ...], Outcome]:
    """Rules, seats, team size, number of the deal, totals before it, and how it came out."""
    if isinstance(data, dict) and "teams" in data:
        paper = read_paper(data)
        return paper.rules, *paper.shape, paper.deal, paper.scores, score_paper(paper)
    if not isinstance(data, dict) or "phase" not in data:
        raise BadInput("this is neither a score sheet, which has `teams`, nor a position with the phase `over`.")
    state = read_position(data)
    result = outcome(state)
    if result is None:
        raise BadInput(f"the deal is not over: the phase is {state.phase!r}.")
    return state.rules, state.seats, state.team_size, state.deal, state.scores, result
