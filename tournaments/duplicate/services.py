"""Dealing sheets: who may print them, and that it was done."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Unpack

from django.db.models import Q
from django.utils.translation import gettext, ngettext

from accounts.display_names import folded
from accounts.models import User
from acts.kinds import Never
from engine.play.rules import Rules
from tournaments import access, board_numbers, plan_checks, terms
from tournaments.duplicate import cards, preparing
from tournaments.duplicate.cards import Sheet
from tournaments.models import Act, Board, Member, Pairing, Stage, Tournament
from tournaments.plan import Plan
from tournaments.services.action_context import check_alive
from tournaments.services.history import declare, perform
from tournaments.services.matches import boards as shared
from tournaments.services.records import ActionRequest, Record
from web.errors import NotAllowed, Refused

PRINT = declare("boards", needs="boards", undo=Never("Cards that were seen stay seen."))
MOST_AT_ONCE = 60
"""Boards on one printout."""


@dataclass(frozen=True)
class Printed:
    """The sheets of one printout, and the line of the history about it."""

    sheets: tuple[Sheet, ...]
    act: Act


def print_sheets(
    stage_id: int, by: User, *, first: int | None = None, last: int | None = None, **how: Unpack[ActionRequest]
) -> Printed:
    """Make the dealing sheets of the boards from number `first` to `last`, or of all that are still to be played.

    They show hidden cards: raises `NotAllowed` for people without the right and for those who play in the event, and
    `Refused` for boards that cannot be prepared or do not exist.
    """
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)

    def do(record: Record) -> str:
        check_alive(record)
        check_does_not_play(by, record.tournament)
        _read_again(stage, record)
        rules = rules_to_prepare(stage)
        chosen = _choose(_boards_to_come(record, stage, rules), rules, first, last)
        Board.objects.filter(pk__in=[board.pk for board in chosen]).update(printed_at=record.now)
        labels = [board_numbers.label_of(board, rules) for board in chosen]
        words = ngettext(
            "The dealing sheet of board %(first)s was printed.",
            "The dealing sheets of boards %(first)s to %(last)s were printed.",
            len(labels),
        )
        return words % {"first": labels[0], "last": labels[-1]}

    act = perform(stage.tournament_id, do, PRINT, by=by, **how)
    return Printed(tuple(sheets_for(stage, by, first=first, last=last)), act)


def void_boards(stage_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Declare the printed boards of a stage void, so that its rules can be changed: its next boards have other cards.

    Raises `Refused` once the stage has started, and if nothing was printed.
    """
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)

    def do(record: Record) -> str:
        check_alive(record)
        _read_again(stage, record)
        if stage.status != Stage.Status.WAITING:
            raise Refused(
                "has_begun", gettext("%(stage)s has started, so its boards stay as they are.") % {"stage": stage}
            )
        boards = Board.objects.filter(stage=stage)
        if not boards.filter(printed_at__isnull=False).exists():
            raise Refused("not_printed", gettext("No boards of %(stage)s have been printed.") % {"stage": stage})
        boards.delete()
        return gettext("All printed boards of %(stage)s are void. Its next boards have other cards.") % {"stage": stage}

    return perform(stage.tournament_id, do, PRINT, by=by, **how)


def _read_again(stage: Stage, record: Record) -> None:
    """Read a stage under the lock: its plan and rules may have been changed meanwhile."""
    try:
        stage.refresh_from_db(fields=["plan_json", "status", "number", "name"])
    except Stage.DoesNotExist:
        raise Refused("no_stage", gettext("This stage no longer exists.")) from None
    stage.tournament = record.tournament


def sheets_for(stage: Stage, by: User, *, first: int | None, last: int | None) -> Sequence[Sheet]:
    """The printed sheets of boards that are still secret. Raises like `print_sheets`."""
    tournament = stage.tournament
    access.check(by, tournament, "boards")
    check_does_not_play(by, tournament)
    rules, seats, team = rules_to_prepare(stage), *table_of(stage)
    rows = Board.objects.filter(stage=stage, opened_at=None, printed_at__isnull=False).order_by(
        "number", "deal", "issue"
    )
    newest = {(board.number, board.deal): board for board in rows}
    chosen = _choose(list(newest.values()), rules, first, last)
    return [
        cards.sheet_of(board, rules, board_numbers.label_of(board, rules), seats=seats, team_size=team)
        for board in chosen
    ]


def _boards_to_come(record: Record, stage: Stage, rules: Rules) -> list[Board]:
    """The boards that tables of a stage are still to play, made if they are missing.

    A match at a real table whose boards lie open already gets their next issue.
    """
    sets = shared.expected_sets(stage)
    open_ones = Pairing.objects.filter(round__stage=stage, is_online=False, begun_at=None).exclude(
        status__in=(Pairing.Status.DONE, Pairing.Status.IDLE)
    )
    waiting = list(open_ones.select_related("round"))
    is_drawn = Pairing.objects.filter(round__stage=stage).exists()
    secret = set(Board.objects.filter(stage=stage, opened_at=None).values_list("number", flat=True))
    needed = {number for pairing in waiting for number in board_numbers.sets_of(pairing)} | (secret & set(sets))
    boards = shared.ensure(stage, needed if is_drawn else sets, rules)
    issues = {board.number: board.issue for board in boards}
    for pairing in waiting:
        issue = max(issues[number] for number in board_numbers.sets_of(pairing))
        if issue != pairing.issue:
            record.change(pairing, issue=issue)
    return boards


def _choose(boards: Sequence[Board], rules: Rules, first: int | None, last: int | None) -> list[Board]:
    chosen = [
        board
        for board in boards
        if (first is None or board_numbers.label_of(board, rules) >= first)
        and (last is None or board_numbers.label_of(board, rules) <= last)
    ]
    if not chosen:
        raise Refused(
            "no_boards", gettext("Boards not found. Choose boards that are still to be played."), field="first"
        )
    if len(chosen) > MOST_AT_ONCE:
        words = gettext("Choose at most %(most)s boards at once.")
        raise Refused("too_many", words % {"most": MOST_AT_ONCE}, field="last")
    return chosen


def rules_to_prepare(stage: Stage) -> Rules:
    """The ruleset of a stage whose boards can be prepared. Raises `Refused` with the reason for others."""
    rules = terms.of_stage(stage).rules
    if not preparing.plays_boards(stage, stage.tournament):
        raise Refused("no_boards", gettext("No tables of this stage play prepared boards."))
    if sentence := preparing.why_not(rules, table_of(stage)[0]):
        raise Refused("cannot_prepare", sentence)
    return rules


def table_of(stage: Stage) -> tuple[int, int]:
    """People at a table of a stage, and in each team."""
    plan, tournament = Plan.read(stage.plan_json), stage.tournament
    return plan.seats * tournament.side_size, plan_checks.team_size(tournament, plan)


def plays_in(by: User, tournament: Tournament) -> bool:
    """Whether somebody plays in the event, or did until they left during play.

    Of somebody who was entered without an account only the name is known.
    """
    entered = Member.objects.filter(tournament=tournament, user=by).exclude(answer=Member.Answer.DECLINED)
    stayed = Q(left_at=None)
    if tournament.started_at is not None:
        stayed |= Q(left_at__gte=tournament.started_at)
    name = folded(str(by))
    by_name = Member.objects.filter(tournament=tournament, user=None, left_at=None).values_list("name", flat=True)
    return entered.filter(stayed).exists() or any(folded(other) == name for other in by_name)


def check_does_not_play(by: User, tournament: Tournament) -> None:
    """Raise `NotAllowed` for people who play in the event."""
    if plays_in(by, tournament):
        raise NotAllowed(
            "plays_here",
            gettext(
                "You play in this event, so you cannot see its cards. Make someone who does not play a dealer. "
                "When all tables have played a board, its page shows the cards."
            ),
        )


def check_has_not_seen(tournament: Tournament, *, users: Collection[int] = (), names: Collection[str] = ()) -> None:
    """Raise `Refused` if one of these people printed boards of the event that are still secret.

    `users` are ids of accounts, `names` those of people without one.
    """
    secret = Board.objects.filter(stage__tournament=tournament, printed_at__isnull=False, opened_at=None)
    if not (users or names) or not secret.exists():
        return
    folded_names = {folded(name) for name in names}
    for act in Act.objects.filter(tournament=tournament, kind=PRINT.name).select_related("by"):
        if act.by_id in users or (act.by is not None and folded(str(act.by)) in folded_names):
            words = gettext("%(name)s printed the dealing sheets of this event and knows its cards.")
            raise Refused("knows_cards", words % {"name": act.by})
