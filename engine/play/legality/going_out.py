"""Going out: whether a player may, and how many cards a move must leave if not."""

from __future__ import annotations

from collections.abc import Callable

from engine.play.cards import RED_THREES, Cards, arrange
from engine.play.melds import Meld, count_books, has_sevens, number_word
from engine.play.refusals import Code, Refusal
from engine.play.state import Position
from engine.words import join_words, say, say_several


def contract_missing(state: Position, team: int, melds: tuple[Meld, ...]) -> dict[str, int]:
    """Books that the contract still asks of the team, by kind; empty when it is fulfilled."""
    have = count_books(state.rules, melds)
    return {kind: count - have[kind] for kind, count in state.rules.needed.items() if count > have[kind]}


def red_threes_missing(state: Position) -> int:
    """Number of red threes on the table that the contract still needs (ruling 13)."""
    if state.rules.contract_red_threes == "none":
        return 0
    laid = sum(map(len, state.red_threes))
    return len(RED_THREES) * state.rules.deck_count(state.seats) - laid


def why_not_out(state: Position, melds: tuple[Meld, ...]) -> Refusal | None:
    """Reason why the player of the turn may not go out with these melds of the team; `None` if that is allowed.

    The rule for the last card (`last_card`) is not checked here, nor whether the hand is empty.
    """
    seat, rules = state.turn, state.rules
    if state.feet[seat] is not None:
        return Refusal(Code.NOT_ON_FOOT, say("You can go out only from your foot, and it is still face down."))
    if state.out_by is not None:
        return None
    if any(rules.needed.values()) and (missing := contract_missing(state, state.team, melds)):
        word = rules.book_words[0]
        books = join_words([books_words(count, kind, word) for kind, count in missing.items()])
        return Refusal(Code.CONTRACT, say("Your team cannot go out yet. It still needs %(books)s.", books=books))
    if (lacking := red_threes_missing(state)) > 0:
        sentence = say_several(
            "Nobody can go out before all red threes are on the table. There is still %(missing)s missing.",
            "Nobody can go out before all red threes are on the table. There are still %(missing)s missing.",
            lacking,
            missing=number_word(lacking),
        )
        return Refusal(Code.RED_THREES_MISSING, sentence)
    if state.team_size > 1:
        return _why_partners_forbid(state)
    return None


_BOOKS: dict[tuple[str, str], Callable[[int], str]] = {
    ("clean", "book"): lambda n: say_several("clean book", "clean books", n),
    ("dirty", "book"): lambda n: say_several("dirty book", "dirty books", n),
    ("wild", "book"): lambda n: say_several("wild book", "wild books", n),
    ("clean", "pile"): lambda n: say_several("clean book", "clean books", n),
    ("dirty", "pile"): lambda n: say_several("dirty book", "dirty books", n),
    ("wild", "pile"): lambda n: say_several("wild book", "wild books", n),
    ("clean", "canasta"): lambda n: say_several("clean canasta", "clean canastas", n),
    ("dirty", "canasta"): lambda n: say_several("dirty canasta", "dirty canastas", n),
    ("wild", "canasta"): lambda n: say_several("wild canasta", "wild canastas", n),
}


def book_noun(count: int, kind: str, word: str = "book") -> str:
    """Words for so many books of a kind; `word` is the ruleset's own: book, pile or canasta."""
    if (kind, word) in _BOOKS:
        return _BOOKS[kind, word](count)
    return say_several("book of %(cards)s", "books of %(cards)s", count, cards=say(kind))


def books_words(count: int, kind: str, word: str = "book") -> str:
    """So many books of a kind: two clean books."""
    return f"{number_word(count)} {book_noun(count, kind, word)}"


def _why_partners_forbid(state: Position) -> Refusal | None:
    rules = state.rules
    if rules.partner_foot != "none":
        for partner in state.partners(state.turn):
            if state.feet[partner] is not None:
                sentence = say("You cannot go out before your partner has picked up the foot.")
                return Refusal(Code.PARTNER_FOOT, sentence)
            if rules.partner_foot == "played" and not state.foot_turns[partner]:
                sentence = say("You cannot go out before your partner has played from the foot.")
                return Refusal(Code.PARTNER_FOOT, sentence)
    if state.refused and rules.permission != "none":
        if not state.assist and rules.penalties is not None:
            return None  # accepted at the price of a penalty, ruling 19
        return Refusal(Code.PERMISSION, say("Your partner said no. You cannot go out in this turn."))
    if rules.permission == "required" and not state.allowed:
        return Refusal(Code.PERMISSION, say("Ask your partner first. You can go out only with permission."))
    return None


def is_out_barred(state: Position) -> bool:
    """Whether the player on the foot may not go out in this turn as it stands, whatever the team has on the table."""
    if state.out_by is not None:
        return False
    return red_threes_missing(state) > 0 or (state.team_size > 1 and _why_partners_forbid(state) is not None)


def keeps_ranks(state: Position, melds: tuple[Meld, ...]) -> bool:
    """Whether `kept_ranks` applies to the team that owns these melds."""
    rules = state.rules
    if not rules.kept_cards or rules.kept_until == "never":
        return bool(rules.kept_cards)
    if rules.kept_until == "own_sevens":
        return not has_sevens(rules, melds)
    team = state.team
    have = [has_sevens(rules, melds if each == team else state.melds[each]) for each in range(state.teams)]
    return not (any(have) if rules.kept_until == "any_sevens" else all(have))


def all_kept(state: Position, melds: tuple[Meld, ...], cards: Cards) -> bool:
    """Whether there are cards and none of them may be discarded."""
    if not state.rules.kept_cards:
        return False
    return bool(cards) and not cards.translate(None, state.rules.kept_cards) and keeps_ranks(state, melds)


def why_not_left(
    state: Position, remaining: Cards, melds: tuple[Meld, ...], *, foot_due: bool, unseen: int = 0
) -> Refusal | None:
    """Reason against a meld or a claim that leaves `remaining` in the hand, with `unseen` cards to come (ruling 15).

    `melds` are the team's after the move, and `foot_due` is as it is then.
    """
    discarding = not state.last_red_three
    count = len(remaining) + unseen
    if count < 2 and (few := _why_not_few(state, count, melds, foot_due=foot_due, discarding=discarding)):
        return few
    if discarding and not unseen and all_kept(state, melds, remaining):
        return Refusal(Code.KEEP_DISCARD, say("You would have no card you can discard."), arrange(remaining))
    return None


def _why_not_few(
    state: Position, count: int, melds: tuple[Meld, ...], *, foot_due: bool, discarding: bool
) -> Refusal | None:
    """The same for a move that leaves one card or none."""
    if state.feet[state.turn] is None:
        return _why_not_nearly_out(state, count, melds, discarding=discarding)
    if state.rules.foot_when == "hand_empty":
        return None
    if count < foot_due and discarding:
        return Refusal(Code.KEEP_CARDS, say("Keep a card to discard. The foot joins your hand after that."))
    if not foot_due and count < 1 + discarding:
        if discarding:
            sentence = say(
                "Until you have laid the seventh card of a book yourself, you need two cards: one to "
                "discard and one to keep."
            )
        else:
            sentence = say("Until you have laid the seventh card of a book yourself, keep a card.")
        return Refusal(Code.KEEP_CARDS, sentence)
    return None


def _why_not_nearly_out(state: Position, count: int, melds: tuple[Meld, ...], *, discarding: bool) -> Refusal | None:
    """The same for a player on the foot."""
    if forbidden := why_not_out(state, melds):
        if count and not discarding:
            return None
        if discarding:
            until = say("Until then you need two cards: one to discard and one to keep.")
        else:
            until = say("Until then you must keep a card.")
        return forbidden._replace(sentence=f"{forbidden.sentence} {until}")
    if count == 0 and state.rules.last_card == "discard" and discarding and state.out_by is None:
        return Refusal(Code.LAST_CARD, say("You must discard your last card. Keep one for it."))
    return None
