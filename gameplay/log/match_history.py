"""The match of a table's log: positions at any step, score sheets, the record.

Rules, keys and moves give every position. Everything here holds hidden cards, except where stated.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from engine.play.cards import write_cards
from engine.play.game import apply, new_game, next_deal
from engine.play.moves import Move as EngineMove
from engine.play.moves import parse_move
from engine.play.record import Game, write_record
from engine.play.rules import Rules
from engine.play.scoring import Item, Outcome
from engine.play.state import State
from engine.play.view import View
from gameplay.models import Deal, Seat, Table
from gameplay.page.deal_score import ScoreSheet, score_sheet
from gameplay.page.seats import names_of
from gameplay.snapshot import view_of
from web.text import join_words


class Played(NamedTuple):
    """A move of a match for a replay."""

    deal: int
    move: EngineMove


class Match(NamedTuple):
    """The source of a match. It holds keys: only views of its positions leave the server."""

    rules: Rules
    seats: int
    team_size: int
    assist: bool
    dealer: int | None
    """The first dealer."""
    deals: list[tuple[bytes, tuple[str, ...]]]
    """Key and phrases of each deal."""
    moves: list[Played]

    def __repr__(self) -> str:
        """A description that shows no key and no move: it may end up in a log."""
        return f"<Match of {len(self.deals)} deals and {len(self.moves)} moves by {self.rules.title}>"


class Step(NamedTuple):
    """A place in the replay of a match: the beginning of a deal, or the position after a move."""

    deal: int
    number: int
    """The last move of the log that was made; 0 before the first."""
    is_beginning: bool


def match_of(table: Table, deals: Sequence[Deal]) -> Match:
    """The match of a table from its log; `deals` are those that have been dealt."""
    return Match(
        rules=table.rules,
        seats=table.seat_count,
        team_size=table.team_size,
        assist=table.assist,
        dealer=deals[0].dealer,
        deals=[(bytes.fromhex(deal.key), tuple(deal.phrases)) for deal in deals],
        moves=[Played(deal, parse_move(text)) for deal, text in table.moves.values_list("deal", "text")],
    )


def dealt(table: Table) -> list[Deal]:
    """The deals of which the cards have been dealt, in order."""
    return list(Deal.objects.filter(table=table, dealt_at__isnull=False))


def steps(match: Match) -> list[Step]:
    """Every step of a match, in order."""
    result = [Step(1, 0, True)]
    for number, played in enumerate(match.moves, start=1):
        if played.deal > result[-1].deal:
            result.append(Step(played.deal, number - 1, True))
        result.append(Step(played.deal, number, False))
    if len(match.deals) > result[-1].deal:
        result.append(Step(len(match.deals), len(match.moves), True))
    return result


def states(match: Match, steps: Iterable[Step]) -> Iterator[State]:
    """The whole positions at these steps, which are in order, hidden cards and all."""
    key, phrases = match.deals[0]
    state = new_game(
        match.rules,
        key,
        seats=match.seats,
        team_size=match.team_size,
        dealer=match.dealer,
        phrases=phrases,
        assist=match.assist,
    )
    done = 0
    for step in steps:
        for played in match.moves[done : step.number]:
            if played.deal > state.deal:
                state = next_deal(state, *match.deals[played.deal - 1])
            state = apply(state, played.move).state
        done = step.number
        if step.deal > state.deal:
            state = next_deal(state, *match.deals[step.deal - 1])
        yield state


def state_at(match: Match, step: Step) -> State:
    """The whole position at a step, hidden cards and all."""
    return next(states(match, [step]))


def is_open(table: Table, deal: int) -> bool:
    """Whether the cards of a deal are for all to see: it is over, or the whole match is, and nobody is yet to play it."""
    if table.is_sealed:
        return False
    if table.status in (Table.Status.OVER, Table.Status.ABANDONED):
        return True
    return deal < table.deal_number or (deal == table.deal_number and table.is_between_deals)


def view_at(table: Table, state: State, seat: int | None) -> View:
    """The view of `seat` (or a spectator, `None`) of an earlier position: deals that are over are open."""
    return open_view(state, seat) if is_open(table, state.deal) else view_of(table, seat, state)


def open_view(state: State, seat: int | None = None) -> View:
    """A position of a deal that is over, all hands open; only what orders the reshuffles is left out."""
    draft = state.draft()
    draft.seed = None
    return View(draft.freeze(), seat)


# The record


def record_of(table: Table, seats: Sequence[Seat]) -> dict[str, Any]:
    """The match as a record for everyone who can watch it.

    Of a deal under way it has the commitment, neither the key nor the moves: a refused claim names cards that nobody
    saw. A sealed match is recorded as if its first deal were under way.
    """
    deals = dealt(table)
    is_over = table.status in (Table.Status.OVER, Table.Status.ABANDONED)
    game = game_of(table, deals, seats)
    return write_record(game, with_running_key=is_over and not table.is_sealed)


def game_of(table: Table, deals: Sequence[Deal], seats: Sequence[Seat]) -> Game:
    """The match as the engine's record keeper has it; a deal under way has no moves. Holds the keys."""
    game = begin(table, deals[0], tuple(str(seat) for seat in seats))
    for number, text, at in table.moves.values_list("deal", "text", "at"):
        if not is_open(table, number):
            break
        if number > game.state.deal:
            deal_next(game, deals[number - 1])
        game.play(parse_move(text), at.isoformat())
    if len(deals) > game.state.deal and is_open(table, game.state.deal):
        deal_next(game, deals[-1])
    return game


def begin(table: Table, first: Deal, players: tuple[str, ...]) -> Game:
    """The match with its first deal dealt and nothing played."""
    return Game.start(
        table.rules,
        players,
        bytes.fromhex(first.key),
        team_size=table.team_size,
        dealer=first.dealer,
        phrases=tuple(first.phrases),
        assist=table.assist,
    )


def deal_next(game: Game, deal: Deal) -> None:
    """Begin the next deal of the match, with the key and the phrases of its row."""
    game.next_deal(bytes.fromhex(deal.key), tuple(deal.phrases))


def match_of_game(game: Game) -> Match:
    """The match of a record."""
    return Match(
        rules=game.rules,
        seats=game.state.seats,
        team_size=game.state.team_size,
        assist=game.state.assist,
        dealer=game.deals[0].dealer,
        deals=[(log.key, log.phrases) for log in game.deals],
        moves=[Played(number, line.move) for number, log in enumerate(game.deals, start=1) for line in log.moves],
    )


# Score sheets


class DealSheet(NamedTuple):
    """The score sheet of one deal that is over."""

    number: int
    ended_at: datetime | None
    sheet: ScoreSheet
    opened_at: list[int]
    """Opening minimums of the sides, in the order of the sheet's columns; one number if they were the same."""


def score_sheets(table: Table, seats: Sequence[Seat], deals: Sequence[Deal] | None = None) -> list[DealSheet]:
    """The sheets of all deals that are over, oldest first. Nothing in them is hidden."""
    titles = team_titles(table, seats)
    rows = Deal.objects.filter(table=table, result__isnull=False) if deals is None else deals
    return [_deal_sheet(table, deal, titles) for deal in rows if deal.result is not None]


def _deal_sheet(table: Table, deal: Deal, titles: dict[int, str]) -> DealSheet:
    sheet = score_sheet(read_outcome(deal.result or {}), titles, table.rules)
    minimums = [table.rules.opening.minimum(deal.number, score) for score in sheet.before]
    same = minimums[:1] if len(set(minimums)) == 1 else minimums
    return DealSheet(deal.number, deal.ended_at, sheet, same)


def read_outcome(data: Mapping[str, Any]) -> Outcome:
    """The outcome that `engine.play.view.outcome_to_json` wrote."""
    return Outcome(
        tuple(tuple(Item(**item) for item in sheet) for sheet in data["sheets"]),
        tuple(data["deal_score"]),
        tuple(data["totals"]),
        None if data["winners"] is None else tuple(data["winners"]),
    )


def team_titles(table: Table, seats: Sequence[Seat]) -> dict[int, str]:
    """Each side's players in words, by its number."""
    return titles_of(names_of(seats, None), table.teams)


def titles_of(names: Sequence[str], teams: int) -> dict[int, str]:
    """The players of each side in words, by its number."""
    return {team: join_words(names[team::teams]) for team in range(teams)}


# The shuffle


class ShuffleCheck(NamedTuple):
    """A deal as its shuffle can be checked. `key` and `dealt` are empty until the deal is over."""

    number: int
    commitment: str
    phrases: list[tuple[str, str]]
    """Each player's name and phrase, by seat; phrases are shown once the cards are dealt."""
    is_dealt: bool
    key: str = ""
    dealt: dict[str, Any] = {}
    """The layout of a deal's start, which the page's script compares (`laid_out`)."""


def shuffle_checks(table: Table, seats: Sequence[Seat]) -> list[ShuffleCheck]:
    """Every deal whose commitment is public, the latest first; the key is there once the deal is over."""
    deals = list(Deal.objects.filter(table=table))
    open_deals = [deal for deal in deals if deal.dealt_at is not None and is_open(table, deal.number)]
    beginnings = {deal.number: _beginning(table, deal) for deal in open_deals}
    return [_shuffle_check(deal, seats, beginnings.get(deal.number)) for deal in reversed(deals)]


def _beginning(table: Table, deal: Deal) -> State:
    """The first position of a deal as far as its cards go: on scores they do not depend, so nothing is replayed."""
    return new_game(
        table.rules,
        bytes.fromhex(deal.key),
        seats=table.seat_count,
        team_size=table.team_size,
        dealer=deal.dealer,
        phrases=tuple(deal.phrases),
        assist=table.assist,
    )


def _shuffle_check(deal: Deal, seats: Sequence[Seat], beginning: State | None) -> ShuffleCheck:
    is_dealt = deal.dealt_at is not None
    phrases = [(str(seat), phrase if is_dealt else "") for seat, phrase in zip(seats, deal.phrases, strict=True)]
    if beginning is None:
        return ShuffleCheck(deal.number, deal.commitment, phrases, is_dealt)
    return ShuffleCheck(deal.number, deal.commitment, phrases, is_dealt, deal.key, laid_out(beginning))


def laid_out(state: State) -> dict[str, Any]:
    """The cards at the start of a deal: of each seat, laid as red threes, in pile and stock.

    The first player may have laid red threes and drawn for them already; the red threes are given by team.
    """
    before = [
        state.hands[seat] + (state.knees[seat] or b"") + (state.feet[seat] or b"") + b"".join(state.stacks[seat] or ())
        for seat in range(state.seats)
    ]
    return {
        "seats": [write_cards(cards) for cards in before],
        "red_threes": [write_cards(cards) for cards in state.red_threes],
        "pile": write_cards(state.pile),
        "stock": write_cards(state.stock),
        "stack": sum(state.rules.stacks),
        "is_passed": state.rules.pass_stack != "none",  # noqa: S105  no password
    }
