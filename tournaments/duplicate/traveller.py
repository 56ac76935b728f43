"""Boards as everyone may see them: their commitments, and once all tables have played them results, cards and key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch
from django.http import Http404

from engine.compete import scoring
from engine.compete.explain import value
from engine.play.deal import commitment
from engine.play.rules import Rules
from tournaments import board_numbers, terms
from tournaments.duplicate import cards, movement, services
from tournaments.models import Board, Pairing, Place, Result, Stage
from tournaments.plan import Plan
from tournaments.public.names import links_of, match_title
from tournaments.round_names import round_name
from tournaments.services.matches import scores
from web.text import number


@dataclass(frozen=True)
class PublicBoard:
    """A board in the list of its stage. `key` is empty while it is secret."""

    label: int
    deal: int
    issue: int
    commitment: str
    key: str
    opened_at: datetime | None
    url: str
    done: int
    of: int


@dataclass(frozen=True)
class TravellerRow:
    """A table that played a board: the sides with their card points, the margin, and the points of both sides."""

    match: str
    url: str
    round: str
    names: tuple[str, ...]
    scores: tuple[str, ...]
    margin: int | None
    margin_words: str
    points: tuple[str, ...]
    numbers: tuple[int | None, ...]
    """The card points."""
    match_points: tuple[Fraction, ...]


def boards(stage: Stage) -> list[PublicBoard]:
    """The boards of a stage by number, none for a stage whose tables do not share deals. Three queries."""
    if not Plan.read(stage.plan_json).shares_deals:
        return []
    rules, base = terms.of_stage(stage).rules, f"{links_of(stage.tournament).stage(stage.number)}boards/"
    matches = _matches(stage)
    rows = []
    for board in Board.objects.filter(stage=stage).order_by("number", "deal", "issue"):
        label = board_numbers.label_of(board, rules)
        on_it = [pairing for pairing in matches if _is_on(pairing, board)]
        done = sum(not pairing.is_open for pairing in on_it)
        key = board.key if board.opened_at else ""
        promise = commitment(bytes.fromhex(board.key))
        rows.append(
            PublicBoard(
                label, board.deal, board.issue, promise, key, board.opened_at, f"{base}{label}/", done, len(on_it)
            )
        )
    return rows


def find(stage: Stage, label: int) -> list[Board]:
    """The issues of the board with this number. Raises `Http404` if there is none."""
    each = board_numbers.deals_of_match(terms.of_stage(stage).rules)
    number_of_set, deal = divmod(label - 1, each)
    issues = list(Board.objects.filter(stage=stage, number=number_of_set + 1, deal=deal + 1).order_by("issue"))
    if not issues or not Plan.read(stage.plan_json).shares_deals:
        raise Http404("Board not found.")
    return issues


def board_page(stage: Stage, label: int) -> dict[str, Any]:
    """The page of a board: each issue, with results and cards where it lies open."""
    rules, (seats, team) = terms.of_stage(stage).rules, services.table_of(stage)
    issues = []
    for board in find(stage, label):
        is_open = board.opened_at is not None
        issues.append(
            {
                "issue": board.issue,
                "commitment": commitment(bytes.fromhex(board.key)),
                "key": board.key if is_open else "",
                "opened_at": board.opened_at,
                "rows": traveller(stage, board) if is_open else (),
                "sheet": cards.sheet_of(board, rules, label, seats=seats, team_size=team) if is_open else None,
            }
        )
    return {"label": label, "issues": issues, "stage": stage, "title": movement.title([label])}


def traveller(stage: Stage, board: Board) -> list[TravellerRow]:
    """Every table that has played a board, the best result of North–South first. Two queries."""
    plan, links = Plan.read(stage.plan_json), links_of(stage.tournament)
    played = [pairing for pairing in _matches(stage) if _is_on(pairing, board) and _has_played(pairing)]
    of_deal = [_points_of_deal(pairing, board, terms.of_stage(stage).rules) for pairing in played]
    margins = [None if None in pair else (pair[0] or 0) - (pair[1] or 0) for pair in of_deal]
    points = _against_field(plan, margins)
    rows = []
    for pairing, pair, margin, earned in zip(played, of_deal, margins, points, strict=True):
        places = list(pairing.places.all())
        rows.append(
            TravellerRow(
                match_title(pairing),
                links.match(stage.number, pairing.name),
                round_name(pairing.round.name),
                tuple(str(place.entry) for place in places),
                tuple("–" if score is None else number(score) for score in pair),
                margin,
                "" if margin is None else number(margin),
                tuple(value(each) for each in earned),
                tuple(pair),
                earned,
            )
        )
    return sorted(rows, key=lambda row: (row.margin is None, -(row.margin or 0)))


def _against_field(plan: Plan, margins: Sequence[int | None]) -> list[tuple[Fraction, ...]]:
    """Points of both sides of each table on one board; none where scores of a board are missing, or by other scorings."""
    if None in margins or not margins or not scoring.SCORINGS[plan.scoring].is_for_field:
        return [() for _ in margins]
    known = [margin or 0 for margin in margins]
    first, second = (scoring.score(plan.scoring, [sign * margin for margin in known]) for sign in (1, -1))
    return list(zip(first, second, strict=True))


def _matches(stage: Stage) -> list[Pairing]:
    rows = Pairing.objects.filter(round__stage=stage).exclude(status=Pairing.Status.IDLE)
    places = Prefetch("places", Place.objects.select_related("entry"))
    return list(rows.select_related("round", "result").prefetch_related(places).order_by("round__number", "number"))


def _is_on(pairing: Pairing, board: Board) -> bool:
    return board.number in board_numbers.sets_of(pairing) and pairing.issue == board.issue


def _has_played(pairing: Pairing) -> bool:
    result = pairing.result
    return (
        pairing.status == Pairing.Status.DONE
        and result is not None
        and not any(line.get("forfeit") for line in result.lines)
    )


def _points_of_deal(pairing: Pairing, board: Board, rules: Rules) -> list[int | None]:
    """Card points of each side on a board; `None` where only those of the whole match are known."""
    result: Result | None = pairing.result
    at = board_numbers.boards_of(pairing, rules).index((board.number, board.deal))
    by_side = scores.points_by_deal(result) if result is not None else []
    if len(by_side) == 2 and at < len(by_side[0]):
        return [points[at] for points in by_side]
    if result is not None and board_numbers.deals_of_match(rules) == 1:
        return [line.get("score") for line in result.lines]
    return [None, None]


def keys(stage: Stage) -> dict[str, Any]:
    """The open keys of a stage, in the form of a record that `docs/fair-deals.md` checks."""
    seats, team = services.table_of(stage)
    return {
        "rules": terms.of_stage(stage).rules.write(),
        "seats": seats,
        "team_size": team,
        "deals": [
            {
                "deal": board.deal,
                "board": board.label,
                "issue": board.issue,
                "key": board.key or None,
                "commitment": board.commitment,
                "phrases": [""] * seats,
            }
            for board in boards(stage)
        ],
    }
