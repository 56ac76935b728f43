"""The table as a player sees it, as text of at most 80 columns. It is written from a view, never from a position."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cli.text import WIDTH, plain, wrap
from engine.play.cards import BLANK, NAMES, RANKS, WILD_CARDS, Cards, spans_of, write_cards
from engine.play.legality.card_verdicts import why_pile_shut
from engine.play.legality.going_out import contract_missing, red_threes_missing
from engine.play.melds import BOOK, Meld, book_kind, count_books, number_words
from engine.play.moves import GARBAGE, MELD_NAMES, claim, write_move
from engine.play.options import CLEAN_BOOK
from engine.play.state import DRAWING, Position
from engine.play.view import View


def show_table(view: View, names: Sequence[str]) -> str:
    """The whole table as the seat of the view sees it; `names` are the players' by seat."""
    state = view.position
    me = view.seat or 0
    lines = [_rule(f"Deal {state.deal}"), *show_middle(view)]
    own_team = me % state.teams
    for team in [own_team, *(team for team in range(state.teams) if team != own_team)]:
        lines.append("")
        lines += _show_team(state, team, me, names)
    return "\n".join([*lines, "", show_hand(view)])


def _rule(title: str) -> str:
    return f"--- {title} ".ljust(WIDTH - 2, "-")


def show_middle(view: View) -> list[str]:
    """Stock and pile, and what may be done with the pile."""
    state = view.position
    stock = number_words(len(state.stock), "card", "cards")
    lines = [f"Stock: {stock}.  Discard pile: {number_words(len(state.pile), 'card', 'cards')}" + _top_words(state)]
    if state.phase == DRAWING and state.actor == view.seat:
        lines.append(wrap(pile_words(view), rest="  "))
    return lines


def _top_words(state: Position) -> str:
    if not state.pile:
        return "."
    frozen = ", frozen" if state.frozen else ""
    return f", {NAMES[state.pile[0]]} on top{frozen}."


def pile_words(view: View) -> str:
    """Whether this seat can take the pile now and how; where not, why not."""
    state, hand = view.position, view.hand
    if shut := why_pile_shut(state):
        return shut.sentence
    ways = [move for move in view.legal_moves() if move.kind == "take"]
    if ways:
        more = f" (one of {len(ways)} ways)" if len(ways) > 1 else ""
        return f"You can take it: {write_move(ways[0])}{more}."
    matching = bytes([card for card in hand if card // 4 == state.pile[0] // 4])
    refusal = view.why_not(claim(matching or hand[:1]))
    return refusal.sentence if refusal else "You cannot take the pile."


def _show_team(state: Position, team: int, me: int, names: Sequence[str]) -> list[str]:
    seats = range(team, state.seats, state.teams)
    members = " & ".join("you" if seat == me else plain(names[seat]) for seat in seats)
    title = f"{members[:1].upper()}{members[1:]}"
    lines = [wrap(f"{title} (team {team}): {state.scores[team]} points so far", rest="  ")]
    lines.append(wrap("; ".join(_seat_words(state, seat, me, names) for seat in seats), "  "))
    if not state.opened[team]:
        minimum = state.rules.opening.minimum(state.deal, state.scores[team])
        words = "a book without wild cards opens" if minimum == CLEAN_BOOK else f"the opening minimum is {minimum}"
        lines.append(f"  not opened: {words}" if minimum else "  nothing melded")
    if state.red_threes[team]:
        lines.append(f"  red threes: {write_cards(state.red_threes[team])}")
    lines += [show_meld(state, meld) for meld in _in_order(state.melds[team])]
    return [*lines, wrap(contract_words(state, team), "  ")] if contract_words(state, team) else lines


def _seat_words(state: Position, seat: int, me: int, names: Sequence[str]) -> str:
    """Number of cards in a player's hand, and state of the foot."""
    foot = state.feet[seat]
    count = len(state.hands[seat])
    stacks = state.stacks[seat]
    if stacks is not None and not count:
        return f"{_name(seat, me, names)} two stacks of {len(stacks[0])} and {len(stacks[1])}"
    where = "playing from the foot" if foot is None else f"foot of {len(foot)} down"
    if (knee := state.knees[seat]) is not None:
        where = f"knee of {len(knee)} and {where}"
    return f"{_name(seat, me, names)} {number_words(count, 'card', 'cards')}, {where}"


def _name(seat: int, me: int, names: Sequence[str]) -> str:
    return "you" if seat == me else plain(names[seat])


def _in_order(melds: Sequence[Meld]) -> list[Meld]:
    """Complete books last, because a player looks for the incomplete ones."""
    return sorted(melds, key=lambda meld: (meld.is_book, meld.name))


def show_meld(state: Position, meld: Meld) -> str:
    """A meld: its name, size, kind and cards."""
    name = MELD_NAMES[meld.name]
    if meld.name == GARBAGE:
        size = f"{len(meld.cards)} cards"
    else:
        kind = "" if meld.name == len(RANKS) else book_kind(state.rules, meld)
        size = f"{kind} book".lstrip() if meld.is_book else f"{len(meld.cards)} of {BOOK}{' ' + kind if kind else ''}"
        if meld.is_book and len(meld.cards) > BOOK:
            size += f" of {len(meld.cards)}"
    natural = bytes([card for card in meld.cards if card not in WILD_CARDS])
    wild = bytes([card for card in meld.cards if card in WILD_CARDS])
    return wrap(write_cards(natural + wild), f"  {name:>7}  {size:<14} ")


def contract_words(state: Position, team: int) -> str:
    """The contract as a checklist; empty where there is none."""
    need = {kind: count for kind, count in state.rules.needed.items() if count}
    have = count_books(state.rules, state.melds[team])
    parts = [f"{kind} {min(have[kind], count)}/{count}" for kind, count in need.items()]
    lacking = red_threes_missing(state)
    if lacking > 0:
        parts.append(f"red threes: {lacking} to come")
    if not parts:
        return ""
    fulfilled = not contract_missing(state, team, state.melds[team]) and lacking <= 0
    return f"to go out: {', '.join(parts)}" + (" - fulfilled" if fulfilled else "")


def show_hand(view: View) -> str:
    """The seat's own hand by rank with counts, and its foot where it is looking at it."""
    state, hand = view.position, view.hand
    lines = [f"Your hand, {number_words(len(hand), 'card', 'cards')}:", hand_words(hand)]
    foot = state.feet[view.seat or 0]
    if foot and BLANK not in foot:
        lines += ["Your foot, which you have seen:", hand_words(foot)]
    return "\n".join(lines)


_GLUE = "\u00a0"


def hand_words(hand: Cards) -> str:
    """The cards by rank, each rank with its count: threes, four to ace, then twos and jokers."""
    spans = sorted(spans_of(bytes(sorted(hand))).items(), key=lambda span: _PLACE[RANKS[span[0]]])
    ranks = [f"{len(cards)}×{RANKS[rank]}: {write_cards(cards)}".replace(" ", _GLUE) for rank, cards in spans]
    return wrap("   ".join(ranks), "  ").replace(_GLUE, " ")


_PLACE = {rank: place for place, rank in enumerate("3456789TJQKA2X")}
