"""Moves: what each does to a table, turn by turn. `play` is the whole of the rules of play in one call.

Each act changes a copy of the table and raises `Illegal` where the rules refuse it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.play.cards import parse_cards, write_cards
from engine.play.deal import reshuffled
from tests.engine.reference.dealing import deal_out, grab, keep
from tests.engine.reference.melding import (
    Group,
    Meld,
    book_points,
    has_contract,
    has_special,
    lay_group,
    may_be_melded,
    meld_name,
)
from tests.engine.reference.moves import Move, read_move
from tests.engine.reference.table import (
    BLACK_THREES,
    RED_THREES,
    Illegal,
    Table,
    is_wild,
    names_of_melds,
    naturals_of,
    wild_of,
)


def play(table: Table, text: str) -> Table:
    """The table after the move that a line of notation says. Raises `Illegal` where the rules refuse it."""
    move = read_move(text)
    after = table.copy()
    if table.phase == "over" or move.kind not in ACTS:
        raise Illegal("the deal is over, or this is no move")
    try:
        ACTS[move.kind](after, move)
    except Illegal:
        if not is_paid_claim(table, move):
            raise
        after = table.copy()
        after.penalties[after.team] += after.options["penalties"]["wrong_claim"]
    return after


def new_deal(ruleset: dict[str, Any], cards: list[str], *, seats: int, team_size: int, deal: int, dealer: int) -> Table:
    """A deal at its first move, from shuffled cards; `ruleset` is every option in JSON."""
    table = deal_out(ruleset, cards, seats=seats, team_size=team_size, deal=deal, dealer=dealer)
    if table.phase == "draw":
        begin_turn(table, table.turn)
    return table


def is_legal(table: Table, text: str) -> bool:
    try:
        play(table, text)
    except Illegal:
        return False
    return True


def is_paid_claim(table: Table, move: Move) -> bool:
    """A wrong claim with cards that the player holds is accepted and paid for where assist is off (r19)."""
    if not is_paid_for(table) or move.kind != "take" or table.phase != "draw" or not move.groups or not table.pile:
        return False
    return holds(table.hand, [card for group in move.groups for card in group.cards])


def is_paid_for(table: Table) -> bool:
    """Whether acts against the rules are accepted at the price of a penalty (r19)."""
    return bool(table.options["penalties"]) and not table.assist


# Cards in hand


def holds(hand: list[str], cards: list[str]) -> bool:
    return all(hand.count(card) >= cards.count(card) for card in cards)


def remove(hand: list[str], cards: list[str]) -> None:
    if not holds(hand, cards):
        raise Illegal("not in the hand")
    for card in cards:
        hand.remove(card)


def may_be_discarded(table: Table, card: str) -> bool:
    """Any card but a red three that should be laid and the ranks that are still to be kept (r24, r29)."""
    if card in RED_THREES and table.red_threes_laid:
        return False
    return card[0] not in table.options["kept_ranks"] or is_ban_lifted(table)


def is_ban_lifted(table: Table) -> bool:
    """Whether the ranks that may not be discarded may be by now."""
    have_sevens = [has_special(table, melds, "7") for melds in table.melds]
    match table.options["kept_until"]:
        case "own_sevens":
            return have_sevens[table.team]
        case "any_sevens":
            return any(have_sevens)
        case "every_sevens":
            return all(have_sevens)
        case _:
            return False


# Drawing, red threes and stacks


def draw_card(table: Table, seat: int) -> None:
    """Take the top card of the stock, and lay it at once where it is a red three (r18)."""
    card = table.stock.pop(0)
    table.hands[seat].append(card)
    if not table.stock and card in RED_THREES and table.options["last_red_three_ends"]:
        table.last_red_three = True
    lay_red_threes(table, seat)


def lay_red_threes(table: Table, seat: int, *, from_pile: bool = False) -> None:
    """Lay the red threes of a hand; the stock replaces them as far as it goes and as the rules say (r6, r18)."""
    if not table.red_threes_laid:
        return
    hand, replaced = table.hands[seat], table.options["red_three_replaced"]
    threes = [card for card in hand if card in RED_THREES]
    hand[:] = [card for card in hand if card not in RED_THREES]
    table.red_threes[seat % table.teams] += threes
    for _ in threes:
        if table.stock and (replaced == "always" or (replaced == "not_from_pile" and not from_pile)):
            draw_card(table, seat)


MOST_RESHUFFLES = 20
"""A bound of the engine, not of the rules, so that every deal ends."""


def can_draw(table: Table, count: int) -> bool:
    """Whether the stock has so many cards, the discards included that may become a stock (r6)."""
    return len(table.stock) + (len(table.pile) - 1 if can_reshuffle(table) else 0) >= count


def can_reshuffle(table: Table) -> bool:
    """Whether discards may become the stock."""
    is_allowed = table.options["stock_out"] == "reshuffle" and table.reshuffles < MOST_RESHUFFLES
    return is_allowed and len(table.pile) > 1


def draw_from_stock(table: Table, count: int) -> None:
    if not can_draw(table, count):
        raise Illegal("the stock is too small (r6)")
    if len(table.stock) < count:
        reshuffle(table)
    for _ in range(count):
        if table.stock:
            draw_card(table, table.turn)


def reshuffle(table: Table) -> None:
    """All but the top discard become the stock under what is left of it, and the pile is frozen no more (r6)."""
    seed = None if table.seed is None else bytes.fromhex(table.seed)
    cards = parse_cards(" ".join(table.pile[1:]))
    table.reshuffles += 1
    table.stock += write_cards(reshuffled(seed, table.reshuffles, cards)).split()
    table.pile = table.pile[:1]
    table.frozen = False


def pick_up_stack(table: Table, seat: int) -> None:
    """The next stack joins the hand; its red threes are laid (r18, r36)."""
    table.hands[seat] += table.feet[seat].pop(0)
    lay_red_threes(table, seat)


def pick_up_if_empty(table: Table) -> bool:
    """With hand_empty, a hand emptied in the turn brings the next stack at once. Returns whether it did."""
    has_picked_up = False
    while not table.hand and table.feet[table.turn] and table.options["foot_when"] == "hand_empty":
        pick_up_stack(table, table.turn)
        has_picked_up = True
    return has_picked_up


def settle(table: Table) -> None:
    """What comes before a seat's first move in a turn: red threes are laid, and a stack that waits is picked up."""
    lay_red_threes(table, table.turn)
    while not table.hand and table.feet[table.turn]:
        pick_up_stack(table, table.turn)


def count_foot_turn(table: Table) -> None:
    """A turn from the foot counts with the first act in it after the foot was picked up (r14)."""
    if table.on_foot and not table.foot_acted:
        table.foot_turns[table.turn] += 1
        table.foot_acted = True


# Going out


def is_final_turn(table: Table) -> bool:
    return table.out_by is not None


def may_go_out(table: Table) -> bool:
    """Whether the player whose turn it is may go out: foot, contract, partners and permission (r12 to r15, r19)."""
    options, partners = table.options, table.partners(table.turn)
    if not table.on_foot or not has_contract(table, table.melds[table.team]):
        return False
    if options["contract_red_threes"] == "all" and sum(map(len, table.red_threes)) < table.all_red_threes():
        return False
    if partners and options["partner_foot"] != "none" and any(table.feet[seat] for seat in partners):
        return False
    has_played = all(table.foot_turns[seat] for seat in [table.turn, *partners])
    if partners and options["partner_foot"] == "played" and not has_played:
        return False
    if not partners or options["permission"] == "none" or table.allowed:
        return True
    if table.refused:
        return is_paid_for(table)
    return bool(options["permission"] == "optional")


def may_be_left_without(table: Table) -> bool:
    """Whether the player may have no card any more: by going out, or in a final turn (r22)."""
    return is_final_turn(table) or may_go_out(table)


def may_end_without_discard(table: Table) -> bool:
    """Whether the last card may be a melded one: after the last red three there is no discard to end with (r6)."""
    if is_final_turn(table):
        return True
    return may_go_out(table) and (table.options["last_card"] != "discard" or table.last_red_three)


def check_rest(table: Table, unseen: int = 0) -> None:
    """What a meld or claim leaves in the hand is judged after it (r11, r15); `unseen` cards are still to come.

    After the last red three there is no discard to keep a card for (r6).
    """
    hand, to_discard = table.hand, 0 if table.last_red_three else 1
    if hand and to_discard and not unseen and not any(may_be_discarded(table, card) for card in hand):
        raise Illegal("only cards that may not be discarded would be left")
    if table.feet[table.turn]:
        if table.options["foot_when"] == "hand_empty":
            return
        enough = to_discard if table.foot_due else 1 + to_discard
    elif may_end_without_discard(table):
        enough = 0
    else:
        enough = 1 if may_go_out(table) else 1 + to_discard
    if len(hand) + unseen < enough:
        raise Illegal("too few cards would be left (r15)")


def go_out(table: Table, *, by_discard: bool) -> None:
    """The player whose turn it is has no card any more, and may."""
    if not is_final_turn(table):
        table.went_out = table.team
        if table.refused and is_paid_for(table):
            table.penalties[table.team] += table.options["penalties"]["out_refused"]
        final = table.options["final_turns"]
        if final == "always" or (final and by_discard):
            table.out_by = table.turn
        else:
            end_deal(table)
            return
    pass_turn(table)


# The end of a turn


def end_turn(table: Table) -> None:
    """End the turn of a player who has not gone out: the foot that is due, a question for nothing, the next seat."""
    pay_for_question(table)
    if table.foot_due if table.hand else is_stack_due(table) and table.options["foot_after_discard"] == "at_once":
        pick_up_stack(table, table.turn)
    table.foot_due = False
    pass_turn(table)


def pay_for_question(table: Table) -> None:
    """A turn that ends without going out after all partners said yes costs points where assist is off (r19)."""
    if table.allowed and is_paid_for(table):
        table.penalties[table.team] += table.options["penalties"]["asked_not_out"]


def end_deal(table: Table) -> None:
    """The deal is over without anybody going out now (r21)."""
    table.phase = "over"
    table.undo = []


def pass_turn(table: Table) -> None:
    """The next seat's turn; or the end of the deal, after the final turns or where the stock is too small (r6, r22)."""
    seat = (table.turn + 1) % table.seats
    too_few = len(table.stock) < table.options["draw_count"]
    if seat == table.out_by or (table.options["stock_out"] == "end" and too_few):
        end_deal(table)
        return
    begin_turn(table, seat)


def begin_turn(table: Table, seat: int) -> None:
    table.turn, table.phase = seat, "draw"
    table.foot_acted = table.foot_due = table.allowed = table.refused = table.wilds_asked = False
    table.answers = 0
    table.undo = []
    settle(table)


# Melding


def lay_groups(
    table: Table, groups: list[Group], top: str | None = None, *, may_fill: bool = False, coming: int = 0
) -> None:
    """Lay the groups of a move in the order written, from the hand and the card on top of the pile (r9).

    `coming` cards come with the pile or are still to be drawn.
    """
    seat, team = table.turn, table.team
    remove(table.hand, [card for group in groups for card in group.cards])
    must_open = not has_opened(table)
    opener = table.opener[team] if table.opened[team] else seat
    melds = table.melds[team]
    melded: list[str] = []
    books: list[int] = []
    for index, group in enumerate(groups):
        claimed = top if index == 0 else None
        completed = lay_group(table, melds, group, claimed, may_fill=may_fill and index == 0)
        books += completed
        for _ in completed:
            check_book_lock(table, opener)
            table.books_by[seat] += 1
            table.foot_due = table.options["foot_when"] == "own_book" and bool(table.feet[seat])
        if group.name != "garbage":
            melded += group.cards + ([claimed] if claimed else [])
    if must_open:
        # Garbage opens nothing (r8), and waits for the opening as melds do.
        check_opening(table, melded, [melds[place] for place in books], len(table.hand) + coming)
    if melded:
        table.opener[team] = opener
        table.opened[team] = table.opened_by[seat] = True


def has_opened(table: Table) -> bool:
    """Whether the opening minimum is reached: by the team, or where each opens, by the player (r40)."""
    return table.opened_by[table.turn] if table.each_opens else table.opened[table.team]


def check_book_lock(table: Table, opener: int | None) -> None:
    """Whether the player may lay the seventh card of a book now (r10)."""
    seat, partners = table.turn, table.partners(table.turn)
    match table.options["book_lock"]:
        case "opener_waits":
            is_free = any(table.books_by[partner] and not table.feet[partner] for partner in partners)
            is_locked = bool(partners) and opener == seat and not is_free
        case "second_waits":
            is_locked = table.books_by[seat] > 0 and any(table.books_by[partner] == 0 for partner in partners)
        case _:
            is_locked = False
    if is_locked:
        raise Illegal("this book waits for a partner's (r10)")


def check_opening(table: Table, cards: list[str], books: list[Meld], cards_left: int) -> None:
    """The opening minimum, by the cards of the move (r9) and the terms (r40)."""
    options = table.options
    if "empty_hand" in options["opening_terms"] and cards_left == 0:
        return
    minimum = opening_minimum(table)
    if minimum == "clean_book":
        if not any(not wild_of(book.cards) for book in books):
            raise Illegal("the move has to lay a clean book (r40)")
        return
    if "naturals" in options["opening_terms"]:
        cards = naturals_of(cards)
    points = sum(value_in_meld(table, card) for card in cards)
    if "books" in options["opening_terms"]:
        points += sum(book_points(table, table.melds[table.team], book) for book in books)
    if points < minimum:
        raise Illegal(f"{points} points do not open, {minimum} do")


def opening_minimum(table: Table) -> int | str:
    """Points for the team's first meld in this deal, or clean_book (r9, r40)."""
    opening = table.options["opening"]
    if opening == "none":
        return 0
    if "by_deal" in opening:
        return opening["by_deal"][min(table.deal, len(opening["by_deal"])) - 1]
    score = table.scores[table.team]
    return next((points for start, points in reversed(opening["by_score"]) if start is None or score >= start), 0)


def value_in_meld(table: Table, card: str) -> int:
    """Points of a card in a meld; a red three counts there only where it may be melded (r37)."""
    if card in RED_THREES and not may_be_melded(table, card):
        return 0
    return table.options["values"][card[0]]


def check_black_threes(table: Table, groups: list[Group]) -> None:
    """Black threes that are melded in going out leave at most one card, to a player who may go out (r26)."""
    melded = [card for group in groups if group.name != "garbage" for card in group.cards]
    if table.options["black_three_meld"] != "going_out" or not set(BLACK_THREES) & set(melded):
        return
    if len(table.hand) > 1 or table.feet[table.turn] or not may_be_left_without(table):
        raise Illegal("black threes only when going out")


def meld(table: Table, move: Move) -> None:
    """Start melds or add to the team's (r25)."""
    if table.phase != "play" or not move.groups:
        raise Illegal("melds come after drawing")
    step = undo_step(table)
    count_foot_turn(table)
    lay_groups(table, move.groups)
    check_black_threes(table, move.groups)
    check_rest(table)
    table.undo.append(step)
    if pick_up_if_empty(table):
        table.undo = []


def undo_step(table: Table) -> dict[str, Any]:
    """What a meld changes, as positions hold it."""
    return {
        "hand": " ".join(table.hand),
        "melds": [meld.write() for meld in table.melds[table.team]],
        "opened": table.opened[table.team],
        "opener": table.opener[table.team],
        "books_by": table.books_by[table.turn],
        "foot_due": table.foot_due,
        "opened_by": table.opened_by[table.turn],
    }


def undo(table: Table, move: Move) -> None:
    """Take back the last meld of the turn, as long as nothing hidden has been shown since it."""
    if table.phase != "play" or not table.undo:
        raise Illegal("nothing to take back")
    step, team, seat = table.undo.pop(), table.team, table.turn
    table.hands[seat] = step["hand"].split()
    table.melds[team] = [Meld.read(text) for text in step["melds"]]
    table.opened[team], table.opener[team] = step["opened"], step["opener"]
    table.books_by[seat], table.foot_due = step["books_by"], step["foot_due"]
    table.opened_by[seat] = step.get("opened_by", False)


# Drawing and taking


def draw(table: Table, move: Move) -> None:
    """Draw from the stock."""
    if table.phase != "draw" or move.rest:
        raise Illegal("drawn already")
    count_foot_turn(table)
    draw_from_stock(table, table.options["draw_count"])
    begin_play(table)


def begin_play(table: Table) -> None:
    """The player has drawn or taken: what the turn began with is over."""
    table.phase = "play"
    table.first_turn[table.turn] = False
    table.undo = []
    pick_up_if_empty(table)


def is_blocked(table: Table) -> bool:
    """Whether the top card of the pile can never be taken: threes that are not melded like others (r29, r37)."""
    top = table.pile[0]
    if top in RED_THREES:
        return not table.options["red_three_meld"]
    return top in BLACK_THREES and table.options["black_three_meld"] != "always"


def take(table: Table, move: Move) -> None:
    """Take from the pile by melding its top card (r3 to r5, r46)."""
    options = table.options
    if table.phase != "draw" or options["pile_take"] == "none" or not table.pile:
        raise Illegal("no pile to take now")
    if is_blocked(table):
        raise Illegal("the top card blocks the pile")
    if options["take_needs_open"] and not has_opened(table):
        raise Illegal("who has not opened does not take the pile")
    top = table.pile[0]
    count = len(table.pile) if options["pile_take"] == "all" else min(options["pile_take"], len(table.pile))
    groups = move.groups
    if groups:
        check_claim(table, groups[0], top)
        if options["pile_claim"] == "new_meld":
            groups = [Group(groups[0].cards, groups[0].name, is_new=True, is_mixed=groups[0].is_mixed), *groups[1:]]
    else:
        check_top_to_meld(table, top)
        groups = [Group([])]
    count_foot_turn(table)
    lay_groups(table, groups, top, may_fill=bool(move.groups), coming=count - 1)
    rest, table.pile = table.pile[1:count], table.pile[count:]
    table.frozen = False
    table.hand.extend(rest)
    lay_red_threes(table, table.turn, from_pile=True)
    check_black_threes(table, groups)
    check_rest(table)
    begin_play(table)


def check_claim(table: Table, group: Group, top: str) -> None:
    """Whether the cards of the claiming group are such as claim the top card (r3, r5, r46)."""
    claim = table.options["pile_claim"]
    name = meld_name(table, group, top)
    if is_wild(top) and name != "wild":
        raise Illegal("a wild card on top joins a wild meld")
    if is_wild(top):
        matching = [card for card in group.cards if card[0] == top[0]]
        if table.options["wild_on_top"] != "matching_pair" or len(matching) < 2 or table.frozen:
            raise Illegal("a wild card on top asks for a matching pair")
        return
    naturals = naturals_of(group.cards)
    if claim == "none":
        raise Illegal("nothing claims the pile")
    if len(naturals) >= 2:
        if claim == "naturals" and wild_of(group.cards):
            raise Illegal("no wild card with the pair")
        return
    if table.frozen or claim in ("natural_pair", "naturals", "new_meld"):
        raise Illegal("a natural pair claims the pile")
    if claim == "legal_meld" and len(group.cards) < 2:
        raise Illegal("two cards claim the pile")
    if claim == "one_match" and not naturals:
        raise Illegal("a natural card claims the pile")


def check_top_to_meld(table: Table, top: str) -> None:
    """The top card alone may be played on the team's own incomplete meld while the pile is not frozen (r4)."""
    if table.options["pile_to_meld"] != "unfrozen" or table.frozen or is_wild(top):
        raise Illegal("cards of the hand claim the pile")
    if not any(meld.name == top[0] and meld.is_open for meld in table.melds[table.team]):
        raise Illegal("no open meld for the top card")


def draw_top(table: Table, move: Move) -> None:
    """One of the cards drawn is the top card of the pile, kept in hand or melded (r44)."""
    how = table.options["draw_top"]
    if table.phase != "draw" or how == "never" or not table.pile or table.frozen or is_blocked(table):
        raise Illegal("the top card is not drawn")
    top, table.pile = table.pile[0], table.pile[1:]
    count = table.options["draw_count"] - 1
    if not can_draw(table, count):
        raise Illegal("the stock is too small (r6)")
    count_foot_turn(table)
    if how == "first":
        if move.groups:
            raise Illegal("no cards go with it")
        table.hand.append(top)
    else:
        meld_drawn(table, top, move.groups, count)
    draw_from_stock(table, count)
    begin_play(table)


def meld_drawn(table: Table, top: str, groups: list[Group], count: int) -> None:
    """Meld the drawn top card with cards of the hand, or add it alone to a meld or book that may take it (r44)."""
    if is_wild(top):
        raise Illegal("a wild card is not drawn so")
    if groups and not naturals_of(groups[0].cards):
        raise Illegal("a natural card of the hand goes with it")
    lay_groups(table, groups or [Group([])], top, may_fill=bool(groups), coming=count)
    check_black_threes(table, groups)
    check_rest(table, unseen=count)


# Discarding and ending


def discard(table: Table, move: Move) -> None:
    """Discard and end the turn (r15, r24)."""
    card = move.rest
    if table.phase != "play" or table.last_red_three:
        raise Illegal("no discard now")
    if card not in table.hand or not may_be_discarded(table, card):
        raise Illegal("this card is not discarded")
    count_foot_turn(table)
    table.hand.remove(card)
    table.pile.insert(0, card)
    if is_wild(card) and table.options["wild_freezes"]:
        table.frozen = True
    if table.hand or is_stack_due(table):
        end_turn(table)
    elif table.on_foot:
        if not may_be_left_without(table) or table.options["last_card"] == "meld":
            raise Illegal("a player who may not go out keeps a card (r15)")
        go_out(table, by_discard=True)
    else:
        raise Illegal("a player who picks up no foot keeps a card (r11)")


def is_stack_due(table: Table) -> bool:
    """Whether a hand emptied by the discard brings another stack (r11)."""
    return bool(table.feet[table.turn]) and (table.options["foot_when"] == "hand_empty" or table.foot_due)


def end(table: Table, move: Move) -> None:
    """End the turn without a discard, where the rules allow it."""
    if table.phase == "draw" and not can_draw(table, table.options["draw_count"]):
        pay_for_question(table)
        end_deal(table)
    elif table.phase != "play":
        raise Illegal("draw first")
    elif not table.hand and table.on_foot and may_end_without_discard(table):
        go_out(table, by_discard=False)
    elif table.last_red_three:
        pay_for_question(table)
        end_deal(table)
    elif table.hand and not any(may_be_discarded(table, card) for card in table.hand):
        # All sevens (r20).
        pay_for_question(table)
        table.laid_sevens[table.team] += table.hand
        table.hands[table.turn] = []
        end_deal(table)
    elif is_stuck(table):
        end_turn(table)
    else:
        raise Illegal("the turn ends with a discard")


def is_stuck(table: Table) -> bool:
    """Whether no card can be melded or discarded, not even with leave to go out that could still be asked (r15).

    With two cards that is never so: one of them may be discarded.
    """
    if len(table.hand) > 1 or has_card_moves(table):
        return False
    if table.options["permission"] != "required" or not is_legal(table, "ask"):
        return True
    permitted = table.copy()
    permitted.allowed = True
    return not has_card_moves(permitted)


def has_card_moves(table: Table) -> bool:
    """Whether the only card of the hand can be discarded or melded."""
    heads = ["discard ", "meld ", "meld new "]
    heads += [f"meld {name}{star}: " for name in names_of_melds() for star in ("", "*")]
    return any(is_legal(table, head + card) for card in table.hand for head in heads)


# Questions


def ask(table: Table, move: Move) -> None:
    """May I go out? In phase play, from the foot, once a turn (r15)."""
    if table.phase != "play" or not table.on_foot or not table.hand or not table.partners(table.turn):
        raise Illegal("not now, or nobody to ask")
    if table.options["permission"] == "none" or table.allowed or table.refused:
        raise Illegal("no question, or asked already")
    table.phase = "answer"


def answer(table: Table, move: Move) -> None:
    """A partner's answer: all must say yes, the first no closes the question."""
    if table.phase != "answer" or move.rest not in ("yes", "no"):
        raise Illegal("nobody is asked")
    table.answers += 1
    if move.rest == "no" or table.answers == len(table.partners(table.turn)):
        table.allowed, table.refused = move.rest == "yes", move.rest == "no"
        table.answers, table.phase = 0, "play"
    table.undo = []


def wilds(table: Table, move: Move) -> None:
    """Ask the partner how many wild cards he or she holds, in phase draw or play."""
    if not table.options["ask_wilds"] or table.phase not in ("draw", "play") or not table.partners(table.turn):
        raise Illegal("no such question")
    table.wilds_asked = True
    table.undo = []


def peek(table: Table, move: Move) -> None:
    """Look at the foot once, in the first turn, before drawing or taking."""
    seat = table.turn
    if not table.options["foot_seen"] or table.phase != "draw" or not table.first_turn[seat] or table.peeked[seat]:
        raise Illegal("not now")
    if not table.feet[seat]:
        raise Illegal("the foot is in the hand")
    table.peeked[seat] = True


def grab_cards(table: Table, move: Move) -> None:
    grab(table, move.rest)
    if table.phase == "draw":
        begin_turn(table, table.turn)


def keep_stack(table: Table, move: Move) -> None:
    keep(table, move.rest)
    if table.phase == "draw":
        begin_turn(table, table.turn)


ACTS: dict[str, Callable[[Table, Move], None]] = {
    **{"draw": draw, "take": take, "draw top": draw_top, "meld": meld, "undo": undo, "discard": discard, "end": end},
    **{"ask": ask, "answer": answer, "wilds": wilds, "peek": peek, "grab": grab_cards, "keep": keep_stack},
}
"""What each word of notation does."""
