"""Whether cards may be taken, melded or discarded, and why not: `legal` asks it in the phases of these moves."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import BLACK_THREES, NAMES, RANK_OF, WILD_CARDS, Cards, rank_word, rank_words, without
from engine.play.legality.going_out import keeps_ranks, why_not_out
from engine.play.legality.laying import Laid, lay, lay_unquestioned
from engine.play.melds import BOOK, wild_of
from engine.play.moves import GARBAGE, WILD, Group, Move
from engine.play.refusals import Code, Refusal
from engine.play.state import Position
from engine.words import later, say


class WrongClaim(NamedTuple):
    """A claim that the rules refuse and the table accepts at a price (ruling 19)."""

    refusal: Refusal


Verdict = Refusal | Laid | WrongClaim | None
"""Verdict of `judge`: a refusal, or the result of the move if it had to be worked out."""


def _cards_of(move: Move) -> Cards:
    """The cards from the hand, group after group."""
    groups = move.groups
    return groups[0].cards if len(groups) == 1 else b"".join([group.cards for group in groups])


# Taking


def judge_take(state: Position, move: Move) -> Verdict:
    """The verdict on taking the pile, where the phase is right."""
    verdict = _judge_claim(state, move)
    if type(verdict) is Refusal and not state.assist and state.rules.penalties is not None:
        cards = _cards_of(move)
        if cards and state.pile and without(state.hands[state.turn], cards) is not None:
            return WrongClaim(verdict)
    return verdict


def why_pile_shut(state: Position) -> Refusal | None:
    """Reason why nobody of the team to act can take the pile, with any cards."""
    rules = state.rules
    if rules.pile_take == "none":
        return Refusal(Code.PILE_NEVER_TAKEN, say("The discard pile is never taken in this ruleset."))
    if not state.pile:
        return Refusal(Code.PILE_EMPTY, say("The discard pile is empty."))
    top = state.pile[0]
    if blocked := _why_blocked(state, top):
        return blocked
    if rules.take_needs_open and not state.has_opened:
        sentence = say("Your team must have melded before it can take the discard pile.")
        if rules.each_opens:
            sentence = say("You must have melded before you can take the discard pile.")
        return Refusal(Code.PILE_NEEDS_OPEN, sentence)
    if top in WILD_CARDS and (rules.wild_on_top == "never" or state.frozen):
        return Refusal(Code.WILD_ON_TOP, say("You cannot take the discard pile while a wild card is on top."))
    return None


def _while_on_top(top: int) -> str:
    return say("You cannot take the discard pile while %(card)s is on top.", card=NAMES[top])


def _why_blocked(state: Position, top: int) -> Refusal | None:
    """Whether a three on top that cannot be melded blocks the pile (rulings 29 and 37)."""
    if top in BLACK_THREES and state.rules.black_three_meld != "always":
        return Refusal(Code.PILE_BLOCKED, _while_on_top(top))
    if top in state.rules.never_melded:
        return Refusal(Code.PILE_BLOCKED, _while_on_top(top))
    return None


def _judge_claim(state: Position, move: Move) -> Refusal | Laid:
    if shut := why_pile_shut(state):
        return shut
    top = state.pile[0]
    hand = state.hands[state.turn]
    cards = _cards_of(move)
    rest = without(hand, cards)
    if rest is None:
        return _not_held(hand, cards)
    if not move.groups:
        if fault := _why_not_bare(state, top):
            return fault
        return lay_unquestioned(state, _BARE, rest, top) or lay(state, (_BARE,), rest, top)
    if fault := _why_claim_weak(state, move.groups[0], top):
        return fault
    laid = lay_unquestioned(state, move.groups[0], rest, top) if len(move.groups) == 1 else None
    return laid or lay(state, move.groups, rest, top)


_BARE = Group(None, b"")
"""No card of the hand: the top card of the pile goes alone."""


def _why_not_bare(state: Position, top: int) -> Refusal | None:
    """Ruling 4: the top card alone is added to the team's own incomplete meld."""
    if state.rules.pile_to_meld == "never":
        return Refusal(Code.CLAIM_TOO_WEAK, say("Select the cards from your hand that take the top card."))
    if state.frozen:
        return Refusal(
            Code.PILE_FROZEN, say("The discard pile is frozen. You need a natural pair from your hand to take it.")
        )
    if not has_meld_for(state, top):
        sentence = say("Your team has no incomplete meld that %(card)s could join.", card=NAMES[top])
        return Refusal(Code.NO_MELD_FOR_TOP, sentence)
    return None


def has_meld_for(state: Position, top: int) -> bool:
    """Whether the team has an incomplete meld of the rank of the pile's top card."""
    return top // 4 in [meld.name for meld in state.melds[state.team] if len(meld.cards) < BOOK]


def _why_claim_weak(state: Position, group: Group, top: int) -> Refusal | None:
    """Ruling 3: whether the claiming group has what `pile_claim` or `wild_on_top` asks for."""
    rules, rank = state.rules, top // 4
    if group.name == GARBAGE:
        return Refusal(
            Code.GARBAGE,
            say("The top card of the discard pile can only join a meld, not the garbage pile."),
            group.cards,
        )
    if top in WILD_CARDS:
        if group.name not in (None, WILD) or group.cards.translate(None, WILD_CARDS):
            return Refusal(
                Code.WILD_ON_TOP,
                say("A wild card on top of the discard pile can only join a meld of wild cards."),
                group.cards,
            )
        if group.cards.translate(RANK_OF).count(rank) >= 2:
            return None
        sentence = say(
            "You need two %(ranks)s from your hand to take %(card)s.", card=NAMES[top], ranks=rank_words(rank)
        )
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    natural = group.cards.translate(RANK_OF).count(rank)
    if state.frozen and natural < 2:
        sentence = say(
            "The discard pile is frozen. You need two natural %(ranks)s from your hand to take it.",
            ranks=rank_words(rank),
        )
        return Refusal(Code.PILE_FROZEN, sentence, group.cards)
    if rules.pile_claim == "none":
        return Refusal(
            Code.CLAIM_TOO_WEAK,
            say("In this ruleset you cannot take the discard pile with cards from your hand."),
            group.cards,
        )
    if rules.pile_claim in ("natural_pair", "naturals", "new_meld") and natural < 2:
        sentence = say(
            "You need two natural %(ranks)s from your hand to take %(card)s.", ranks=rank_words(rank), card=NAMES[top]
        )
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    if rules.pile_claim == "naturals" and natural < len(group.cards):
        sentence = say("No wild card may go with the cards that take the discard pile.")
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, wild_of(group.cards))
    if rules.pile_claim == "one_match" and natural < 1:
        sentence = say(
            "You need a natural %(rank)s from your hand to take %(card)s.", rank=rank_word(rank), card=NAMES[top]
        )
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    if rules.pile_claim == "legal_meld" and len(group.cards) < 2:
        sentence = say("You need two cards from your hand that go with %(card)s.", card=NAMES[top])
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    return None


# Drawing the top card


def judge_draw_top(state: Position, move: Move) -> Verdict:
    """The verdict on drawing the top card of the pile (ruling 44), where the phase is right."""
    if closed := why_top_undrawn(state):
        return closed
    top = state.pile[0]
    if state.rules.draw_top == "first":
        if move.groups:
            cards = move.groups[0].cards
            return Refusal(Code.NOT_IN_RULES, say("The top card goes to your hand, without other cards."), cards)
        return None
    if not move.groups:
        return lay(state, (_BARE,), state.hands[state.turn], top, is_drawn=True)
    hand, group = state.hands[state.turn], move.groups[0]
    cards = _cards_of(move)
    rest = without(hand, cards)
    if rest is None:
        return _not_held(hand, cards)
    if group.name == GARBAGE or not any(card // 4 == top // 4 for card in group.cards):
        sentence = say(
            "You need a natural %(rank)s from your hand to draw %(card)s.", rank=rank_word(top // 4), card=NAMES[top]
        )
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    return lay(state, move.groups, rest, top, is_drawn=True)


def why_top_undrawn(state: Position) -> Refusal | None:
    """Reason why the top card of the pile cannot be drawn, whatever goes with it."""
    rules = state.rules
    if rules.draw_top == "never":
        return Refusal(Code.NOT_IN_RULES, say("Cards are drawn from the stock only in this ruleset."))
    if not state.pile:
        return Refusal(Code.PILE_EMPTY, say("The discard pile is empty."))
    top = state.pile[0]
    if blocked := _why_blocked(state, top):
        return blocked
    if state.frozen:
        return Refusal(Code.PILE_FROZEN, say("The discard pile is frozen. Its top card cannot be drawn."))
    if top in WILD_CARDS and rules.draw_top == "melded":
        return Refusal(Code.WILD_ON_TOP, say("You cannot draw a wild card from the discard pile."))
    stock = len(state.stock)
    if stock < rules.draw_count - 1 and state.can_reshuffle:
        stock += max(len(state.pile) - 2, 0)
    if stock < rules.draw_count - 1:
        return Refusal(Code.STOCK_OUT, say("The stock has too few cards to draw the rest."))
    return None


# Melding


def judge_meld(state: Position, move: Move) -> Refusal | Laid:
    """The verdict on melding, where the phase is right."""
    hand, groups = state.hands[state.turn], move.groups
    is_single = len(groups) == 1
    cards = _cards_of(move)
    if not cards:
        return Refusal(Code.TOO_FEW_CARDS, say("Select the cards to meld."))
    rest = without(hand, cards)
    if rest is None:
        return _not_held(hand, cards)
    return (lay_unquestioned(state, groups[0], rest) if is_single else None) or lay(state, groups, rest)


def _not_held(hand: Cards, cards: Cards) -> Refusal:
    missing = next(card for card in cards if cards.count(card) > hand.count(card))
    many = cards.count(missing)
    text = NAMES[missing] if many == 1 else f"{many} × {NAMES[missing]}"
    return Refusal(Code.NOT_HELD, say("You do not have %(cards)s.", cards=text), bytes([missing]))


# Discarding


def judge_discard(state: Position, move: Move) -> Refusal | None:
    """The verdict on a discard, where the phase is right."""
    seat, card = state.turn, move.card
    hand = state.hands[seat]
    if card not in hand:
        return Refusal(Code.NOT_HELD, say("You do not have %(cards)s.", cards=NAMES[card]), bytes([card]))
    if state.last_red_three:
        return Refusal(
            Code.NO_DISCARD,
            say("The stock ended with a red three. Meld the cards you can, then end your turn without a discard."),
        )
    if card in state.rules.laid_threes:
        return Refusal(Code.RED_THREE, say("You cannot discard a red three. It is laid automatically."), bytes([card]))
    if card in state.rules.kept_cards and keeps_ranks(state, state.melds[state.team]):
        return Refusal(Code.KEPT_RANK, _kept_sentence(state, card), bytes([card]))
    if len(hand) > 1 or (state.feet[seat] is not None and (state.rules.foot_when == "hand_empty" or state.foot_due)):
        return None
    if state.feet[seat] is not None:
        sentence = say("You cannot discard your last card before you have laid the seventh card of a book yourself.")
        return Refusal(Code.KEEP_CARDS, sentence, bytes([card]))
    if forbidden := why_not_out(state, state.melds[state.team]):
        sentence = forbidden.sentence + " " + say("You must keep your last card.")
        return forbidden._replace(sentence=sentence, cards=bytes([card]))
    if state.rules.last_card == "meld":
        return Refusal(
            Code.LAST_CARD, say("You go out by melding your last card, not by discarding it."), bytes([card])
        )
    return None


def _kept_sentence(state: Position, card: int) -> str:
    sentence = {
        "never": later("%(ranks)s cannot be discarded in this ruleset."),
        "own_sevens": later("%(ranks)s cannot be discarded until your team has a book of sevens."),
        "any_sevens": later("%(ranks)s cannot be discarded until a team has a book of sevens."),
        "every_sevens": later("%(ranks)s cannot be discarded until every team has a book of sevens."),
    }[state.rules.kept_until]
    return say(sentence, ranks=rank_words(card // 4).capitalize())
