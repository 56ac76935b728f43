"""Results board by board: an organiser types the scores of every table that played a board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from engine.play.rules import Rules
from tournaments import board_numbers, seating, terms
from tournaments.duplicate import movement
from tournaments.models import Act, Board, Pairing, Stage, TypedScores
from tournaments.services import history
from tournaments.services.matches import results, scores, typed_scores
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused
from web.text import number

Scores = tuple[int | None, ...]


@dataclass
class TableOfBoard:
    """A table that plays a board: its sides, and the score of each on this board."""

    pairing: Pairing
    names: tuple[str, ...]
    scores: Scores
    is_final: bool
    words: str = ""
    """Its state in a few words."""
    errors: dict[int, str] = field(default_factory=dict)
    typed: tuple[str, ...] = ()
    """What was typed, where it was refused."""

    @property
    def shown(self) -> str:
        """Its scores as the page shows them, to be compared with those that are sent."""
        return "|".join("" if score is None else str(score) for score in self.scores)

    @property
    def cells(self) -> list[tuple[int, str, str, str]]:
        """Number, names, text and error of each side."""
        texts = self.typed or tuple("" if score is None else number(score) for score in self.scores)
        return [(at, name, texts[at], self.errors.get(at, "")) for at, name in enumerate(self.names)]


def tables_of(stage: Stage, board: Board) -> list[TableOfBoard]:
    """The tables that play a board, in order of rounds. A fixed number of queries."""
    rows = Pairing.objects.filter(round__stage=stage).exclude(status=Pairing.Status.IDLE)
    rows = rows.select_related("round__stage__tournament", "result", "typed").prefetch_related("places__entry")
    playing = [row for row in rows.order_by("round__number", "number") if board.number in board_numbers.sets_of(row)]
    return [_table(row, board, terms.of_stage(stage).rules) for row in playing]


def _table(pairing: Pairing, board: Board, rules: Rules) -> TableOfBoard:
    names = seating.names_by_side(pairing.places.all())
    at = board_numbers.boards_of(pairing, rules).index((board.number, board.deal))
    is_final = pairing.status == Pairing.Status.DONE or pairing.is_online
    if pairing.result is not None:
        return TableOfBoard(pairing, names, _entered(pairing, at, rules), is_final=True)
    words = gettext("played online") if pairing.is_online else gettext("walkover") if is_final else ""
    typed: TypedScores | None = getattr(pairing, "typed", None)
    known: Scores = (None,) * len(names)
    if typed is not None and not is_final:
        boards = typed_scores.boards_of(pairing)
        known = tuple(typed_scores.scores_of(typed, boards)[at * len(names) : (at + 1) * len(names)])
        words = gettext("counts when all boards of the round are in") if boards and any(known) else ""
    return TableOfBoard(pairing, names, known, is_final, words)


def _entered(pairing: Pairing, at: int, rules: Rules) -> Scores:
    result = pairing.result
    assert result is not None  # noqa: S101  the caller has looked
    by_deal = scores.points_by_deal(result)
    if len(by_deal) == 2 and at < len(by_deal[0]):
        return tuple(points[at] for points in by_deal)
    if board_numbers.deals_of_match(rules) == 1:
        return tuple(line.get("score") for line in result.lines)
    return (None,) * 2


def enter_board(
    stage_id: int,
    by: User,
    *,
    label: int,
    scores: Mapping[int, Sequence[int | None]],
    base: Mapping[int, Sequence[int | None]] | None = None,
    is_kept: bool = False,
    **how: Unpack[ActionRequest],
) -> Act:
    """Enter the scores of a board by the ids of its matches, each with one score for each side: one act, one undo.

    A match of several boards has its result when the last of them is in. Matches without scores are left as they are.
    `base` are the scores that the page showed; those that someone else has changed since then are refused.
    Raises `Refused` with the match (`pairing`) and `side` for scores that cannot be right.
    """
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)

    def do(record: Record) -> str:
        record.ask("results")
        board = _board(stage, label)
        tables = {each.pairing.pk: each for each in tables_of(stage, board)}
        entered = []
        for pairing_id, pair in scores.items():
            if all(score is None for score in pair):
                continue
            table = tables.get(pairing_id)
            if table is None or table.is_final:
                raise Refused(
                    "not_open", gettext("This match takes no scores of this board."), pairing=pairing_id, side=0
                )
            check(table.pairing, pair, is_kept=is_kept)
            if base is not None and table.scores not in (tuple(base.get(pairing_id, table.scores)), tuple(pair)):
                words = gettext("Someone else has just typed other scores for this table: %(scores)s.")
                theirs = " – ".join("?" if score is None else number(score) for score in table.scores)
                raise Refused("stale", words % {"scores": theirs}, pairing=pairing_id, side=0)
            _keep(record, table.pairing, board, tuple(pair), terms.of_stage(stage).rules, is_kept=is_kept)
            entered.append(table.pairing)
        if not entered:
            raise Refused("nothing", gettext("Enter the scores of a table first."))
        words = ngettext(
            "%(board)s: the result of %(count)s table was entered.",
            "%(board)s: the results of %(count)s tables were entered.",
            len(entered),
        )
        return words % {"board": movement.title([label]), "count": len(entered)}

    return history.perform(stage.tournament_id, do, results.DECIDE, by=by, **how)


def _board(stage: Stage, label: int) -> Board:
    each = board_numbers.deals_of_match(terms.of_stage(stage).rules)
    number_of_set, deal = divmod(label - 1, each)
    board = Board.objects.filter(stage=stage, number=number_of_set + 1, deal=deal + 1).order_by("-issue").first()
    if board is None:
        raise Refused("no_board", gettext("This board no longer exists."))
    return board


def check(pairing: Pairing, pair: Sequence[int | None], *, is_kept: bool) -> None:
    """Raise `Refused` for the scores of one board at a table if they are incomplete or cannot be right."""
    if None in pair:
        side = list(pair).index(None)
        raise Refused("no_score", gettext("Enter both scores."), pairing=pairing.pk, side=side)
    for doubt in typed_scores.doubts(pairing, list(pair), is_kept=is_kept):
        raise Refused(
            "doubtful", doubt.sentence, pairing=pairing.pk, side=doubt.side, can_keep=doubt.can_keep and not is_kept
        )


def _keep(record: Record, pairing: Pairing, board: Board, pair: Scores, rules: Rules, *, is_kept: bool) -> None:
    """Keep the scores of a board; with the last one of a match enter its result, unless others are in doubt."""
    boards = board_numbers.boards_of(pairing, rules)
    typed = TypedScores.objects.filter(pairing=pairing).first()
    at, labels = boards.index((board.number, board.deal)), typed_scores.boards_of(pairing)
    fresh = TypedScores(pairing=pairing, scores=[None] * len(pair), by=record.by, at=timezone.now(), version=1)
    scores = typed_scores.scores_of(typed or fresh, labels)
    others, was_kept = list(scores), typed is not None and typed.is_kept
    others[at * len(pair) : (at + 1) * len(pair)] = [None] * len(pair)
    scores[at * len(pair) : (at + 1) * len(pair)] = pair
    typed_scores.set_scores(fresh, labels, scores)
    fresh.is_kept = was_kept or is_kept
    if None not in scores and not typed_scores.doubts(pairing, others, is_kept=was_kept):
        results.decision(pairing.pk, typed_scores.lines_of_typed(list(pairing.places.all()), fresh))(record)
        if typed is not None:
            record.delete(typed)
    elif typed is None:
        record.create(fresh)
    else:
        record.change(typed, scores=fresh.scores, deals=fresh.deals, is_kept=fresh.is_kept, version=typed.version + 1)
