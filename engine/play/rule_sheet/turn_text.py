"""Sentences of the rule sheet about a turn: drawing, taking the discard pile, melds and books."""

from __future__ import annotations

from engine.play.cards import RANKS, THREE, rank_words
from engine.play.melds import BOOK, wild_cards_words
from engine.play.options import CLEAN_BOOK, Opening
from engine.play.rule_sheet.shared_text import (
    Chapter,
    Sheet,
    cards,
    figure,
    nth_deal,
    number,
    points,
    runs,
    signed,
    start,
    turned_up,
)
from engine.play.rules import Rules
from engine.words import either, join_words, later, say

TURN, PILE, MELDS, OPENING = (
    later("Your turn"),
    later("Taking the discard pile"),
    later("Melds and books"),
    later("The opening"),
)

TURNS = Chapter()
says = TURNS.says


# Your turn


@says(TURN, on=("pile_take",))
def _turn(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return say(
            "In your turn you first draw from the stock, then meld if you like, and end by discarding a card face up."
        )
    return say(
        "In your turn you first draw from the stock or take the discard pile, then meld if you like, and end by "
        "discarding a card face up."
    )


@says(TURN, "draw_count")
def _draw(s: Sheet) -> str:
    return say("When you draw, you take %(cards)s from the stock.", cards=cards(s.rules.draw_count))


@says(TURN, "draw_top")
def _draw_top(s: Sheet) -> str:
    if s.rules.draw_top == "never":
        return say("Cards are drawn from the stock only.")
    if s.rules.draw_top == "first":
        return say(
            "One of the cards you draw may be the top card of the discard pile, which goes to your hand, unless the "
            "pile is frozen or a three blocks it."
        )
    return s.of_us(
        later(
            "One of the cards you draw may be the top card of the discard pile, if it is natural, the pile is not "
            "frozen and you meld it at once: with at least one natural card of its rank from your hand, or on a meld "
            "or book of yours that takes it."
        ),
        later(
            "One of the cards you draw may be the top card of the discard pile, if it is natural, the pile is not "
            "frozen and you meld it at once: with at least one natural card of its rank from your hand, or on a meld "
            "or book of your team that takes it."
        ),
    )


def kept_words(rules: Rules) -> str:
    """The cards that may not be discarded: sevens, or twos and jokers."""
    threes = rank_words(THREE) if not rules.laid_threes else say("threes of clubs and spades")
    return join_words([threes if rank == "3" else rank_words(RANKS.index(rank)) for rank in rules.kept_ranks])


@says(TURN, "kept_ranks", "kept_until", on=("red_threes",))
def _kept_ranks(s: Sheet) -> str:
    until, laid = s.rules.kept_until, bool(s.rules.laid_threes)
    if not s.rules.kept_ranks:
        text = say("You may discard any card but a red three.") if laid else say("You may discard any card.")
        return text if until == "never" else f"{text} {_kept_aside(s)}"
    cards = start(kept_words(s.rules))
    if until == "never" and laid:
        return say("%(cards)s may never be discarded, nor may red threes. Any other card may.", cards=cards)
    if until == "never":
        return say("%(cards)s may never be discarded. Any other card may.", cards=cards)
    if until == "own_sevens" and laid:
        return s.of_us(
            later(
                "%(cards)s may not be discarded until you have a book of sevens, and red threes never. Any other card "
                "may."
            ),
            later(
                "%(cards)s may not be discarded until your team has a book of sevens, and red threes "
                "never. Any other card may."
            ),
            cards=cards,
        )
    text = say(
        "%(cards)s may not be discarded before %(book)s. Any other card may.", cards=cards, book=_lifting_book(s)
    )
    return f"{text} {say('Red threes are never discarded.')}" if laid else text


def _lifting_book(s: Sheet) -> str:
    """Whose book of sevens lets the kept ranks be discarded."""
    if s.rules.kept_until == "own_sevens":
        return s.of_us(later("you have a book of sevens"), later("your team has a book of sevens"))
    if s.rules.kept_until == "any_sevens":
        return s.of_us(later("any player has a book of sevens"), later("any team has a book of sevens"))
    return s.of_us(later("every player has a book of sevens"), later("every team has a book of sevens"))


def _kept_aside(s: Sheet) -> str:
    if s.rules.kept_until == "own_sevens":
        return say("(This would change with a book of sevens, if some cards could not be discarded before it.)")
    return say("(This would change once %(book)s, if some cards could not be discarded before.)", book=_lifting_book(s))


@says(TURN, on=("kept_ranks", "pile_take", "red_threes"))
def _kept_left(s: Sheet) -> str:
    if not s.rules.kept_ranks:
        return ""
    if s.rules.pile_take == "none":
        return say(
            "While %(cards)s may not be discarded, you may not meld so that you are left with nothing else.",
            cards=kept_words(s.rules),
        )
    return say(
        "While %(cards)s may not be discarded, you may not meld or take the pile so that you are "
        "left with nothing else.",
        cards=kept_words(s.rules),
    )


@says(TURN, "ask_wilds", partners=True)
def _ask_wilds(s: Sheet) -> str:
    if not s.rules.ask_wilds:
        return say("Players tell each other nothing about the cards they have.")
    return s.with_partners(
        later("you may ask your partner in your turn how many wild cards he or she has in hand."),
        later("you may ask every partner in your turn how many wild cards he or she has in hand."),
    )


@says(TURN)
def _stuck(s: Sheet) -> str:
    return say("If there is no card that you may meld or discard, your turn ends without a discard.")


@says(TURN)
def _undo(s: Sheet) -> str:
    return say("You may undo your melds of the same turn, the last one first, until something hidden has been shown.")


# Taking the discard pile

_OF_THE_PILE = ("pile_take", "pile_claim", "pile_to_meld", "wild_on_top", "wild_freezes", "take_needs_open")


@says(PILE, on=_OF_THE_PILE)
def _never_taken(s: Sheet) -> str:
    if s.rules.pile_take != "none":
        return ""
    return say("The discard pile is never taken, neither with cards from a hand nor with a meld on the table.")


@says(PILE, "pile_claim", on=("pile_take",))
def _claim(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.pile_claim == "none":
        return say("You cannot take the pile with cards from your hand if its top card is a natural card.")
    if s.rules.pile_claim == "natural_pair":
        return say(
            "To take the pile instead of drawing, meld its top card at once with at least two "
            "natural cards of the same rank from your hand. More natural or wild cards from your "
            "hand may go with them if the meld is legal."
        )
    if s.rules.pile_claim == "naturals":
        return say(
            "To take the pile instead of drawing, meld its top card at once with at least two natural cards of the "
            "same rank from your hand. More natural cards may go with them, but no wild card."
        )
    if s.rules.pile_claim == "new_meld":
        return say(
            "To take the pile instead of drawing, start a meld with its top card and at least two natural cards of the "
            "same rank from your hand. More cards from your hand may go with them if the meld is legal. If that "
            "rank may have no new meld, you cannot take the pile."
        )
    if s.rules.pile_claim == "legal_meld":
        return s.of_us(
            later(
                "To take the pile instead of drawing, meld its top card at once with two or more cards "
                "from your hand, natural or wild. They make a new meld with it or join your own, and the "
                "meld must be legal."
            ),
            later(
                "To take the pile instead of drawing, meld its top card at once with two or more cards "
                "from your hand, natural or wild. They make a new meld with it or join one of your "
                "team’s, and the meld must be legal."
            ),
        )
    return s.of_us(
        later(
            "To take the pile instead of drawing, meld its top card at once with at least one "
            "natural card of the same rank from your hand. More cards from your hand may go with "
            "them. They make a new meld or join your own, and the meld must be legal."
        ),
        later(
            "To take the pile instead of drawing, meld its top card at once with at least one "
            "natural card of the same rank from your hand. More cards from your hand may go with "
            "them. They make a new meld or join one of your team’s, and the meld must be legal."
        ),
    )


@says(PILE, "pile_take")
def _take(s: Sheet) -> str:
    take = s.rules.pile_take
    if take == "none":
        return ""
    if take == "all":
        return say(
            "When the top card is melded, you take the whole pile. Look at the other cards only "
            "then, and take them into your hand."
        )
    if take == 1:
        return say("You take only the top card that you meld. The rest of the pile stays.")
    return say(
        "When the top card is melded, you take the top %(count)s cards of the pile, itself among "
        "them, or the whole pile if it is smaller. Look at the other cards only then, and take "
        "them into your hand.",
        count=number(int(take)),
    )


@says(PILE, on=("pile_take", "pile_claim", "wild_on_top", "books_grow", "melds_per_rank"))
def _joins(s: Sheet) -> str:
    r = s.rules
    if r.pile_take == "none" or (r.pile_claim == "none" and r.wild_on_top == "never") or r.pile_claim == "new_meld":
        return ""
    if r.melds_per_rank in ("clean_and_dirty", "free") or (r.grows and r.melds_per_rank != "one"):
        return say(
            "The cards with which you take the pile join a meld as other cards do, or start one. If they complete a "
            "book and cannot all stay on it, the top card comes first, then natural cards, then wild ones, and the "
            "rest must make a new meld of three or more."
        )
    meld = say("meld of the top card’s rank")
    if r.wild_on_top == "matching_pair":
        meld = say("meld of the top card’s rank (or of wild cards, for a wild card)")
    if r.grows:
        return s.of_us(
            later("If you have a %(meld)s, complete or not, the cards with which you take the pile join it."),
            later("If your team has a %(meld)s, complete or not, the cards with which you take the pile join it."),
            meld=meld,
        )
    if r.melds_per_rank == "one":
        return s.of_us(
            later(
                "If you have an incomplete %(meld)s, the cards with which you take the pile join it. You "
                "cannot take the pile with cards that would carry it past %(book)s."
            ),
            later(
                "If your team has an incomplete %(meld)s, the cards with which you take the pile join "
                "it. You cannot take the pile with cards that would carry it past %(book)s."
            ),
            meld=meld,
            book=number(BOOK),
        )
    return s.of_us(
        later(
            "If you have an incomplete %(meld)s, the cards with which you take the pile join it "
            "until it has %(book)s. The top card comes first, then natural cards, then wild ones. "
            "Cards that are over must make a new meld of three or more, or you cannot take the pile."
        ),
        later(
            "If your team has an incomplete %(meld)s, the cards with which you take the pile join it "
            "until it has %(book)s. The top card comes first, then natural cards, then wild ones. "
            "Cards that are over must make a new meld of three or more, or you cannot take the pile."
        ),
        meld=meld,
        book=number(BOOK),
    )


@says(PILE, "pile_to_meld", on=("pile_take", "wild_freezes"))
def _to_meld(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.pile_to_meld == "never":
        return say("The top card alone, without a card from your hand, cannot be put on a meld to take the pile.")
    if s.rules.wild_freezes:
        return s.of_us(
            later(
                "While the pile is not frozen, you may also take it by playing its top card alone on your own "
                "incomplete meld of that rank."
            ),
            later(
                "While the pile is not frozen, you may also take it by playing its top card alone on your team’s "
                "own incomplete meld of that rank."
            ),
        )
    return s.of_us(
        later("You may also take the pile by playing its top card alone on your own incomplete meld of that rank."),
        later(
            "You may also take the pile by playing its top card alone on your team’s own incomplete meld of that rank."
        ),
    )


@says(PILE, "wild_on_top", on=("pile_take",))
def _wild_on_top(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.wild_on_top == "never":
        return say("Nobody can take the pile while a wild card lies on top.")
    return say(
        "If a wild card lies on top, you take the pile only with two of the same from your hand: "
        "two twos for a two, or two jokers for a joker. Lay them with it in a meld of wild "
        "cards. More wild cards from your hand may go with them."
    )


@says(PILE, "wild_freezes", on=("pile_take", "pile_claim", "upcard", "upcard_bury", "red_threes"))
def _freezes(s: Sheet) -> str:
    r = s.rules
    if r.pile_take == "none":
        return ""
    if not r.wild_freezes:
        return say("The pile is never frozen: a wild card in it does nothing once it is covered.")
    freezes = {
        (False, False): later("A wild card that is discarded freezes the pile (lay it sideways)."),
        (True, False): later(
            "A wild card that is discarded freezes the pile (lay it sideways), and so does a wild "
            "card turned up at the start."
        ),
        (False, True): later(
            "A wild card that is discarded freezes the pile (lay it sideways), and so does a red "
            "three turned up at the start."
        ),
        (True, True): later(
            "A wild card that is discarded freezes the pile (lay it sideways), and so does a wild "
            "card or a red three turned up at the start."
        ),
    }[turned_up(r, "wild"), turned_up(r, "red_three") and bool(r.laid_threes)]
    then = say(
        "From then on it can be taken only with two or more natural cards of the top card’s rank "
        "from the hand, until someone does."
    )
    if r.pile_claim == "none":
        then = say("From then on it cannot be taken.")
    return f"{say(freezes)} {then}"


@says(PILE, on=("pile_take", "upcard", "upcard_bury", "red_threes", "red_three_meld", "black_three_meld"))
def _blocked(s: Sheet) -> str:
    r = s.rules
    black = r.black_three_meld != "always"
    if r.pile_take == "none" or (not black and r.red_three_meld):
        return ""
    if r.laid_threes and not turned_up(r, "red_three"):
        return say("Nobody can take the pile while a three of clubs or spades lies on top.") if black else ""
    if r.laid_threes and black:
        return say(
            "Nobody can take the pile while a three of clubs or spades, or a red three turned up at the start, lies on top."
        )
    if r.laid_threes:
        return say("Nobody can take the pile while a red three turned up at the start lies on top.")
    return (
        say("Nobody can take the pile while a three lies on top.")
        if black
        else say("Nobody can take the pile while a red three lies on top.")
    )


@says(PILE, "take_needs_open", on=("pile_take", "opening_terms"))
def _needs_open(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.take_needs_open and s.rules.each_opens:
        return say("You yourself must have melded in this deal before you may take the pile.")
    if s.rules.take_needs_open:
        return s.of_us(
            later("You must have melded in this deal before you may take the pile."),
            later("Your team must have melded in this deal before you may take the pile."),
        )
    return s.of_us(
        later("You may take the pile even when you open, and lay other melds together with it."),
        later("You may take the pile even when you open for your team, and lay other melds together with it."),
    )


# Melds and books


@says(MELDS, on=("black_three_meld",))
def _meld(s: Sheet) -> str:
    if s.rules.black_three_meld == "always":
        return say("A meld is at least three cards of one rank, from threes to aces, of which some may be wild cards.")
    return say("A meld is at least three cards of one rank, from fours to aces, of which some may be wild cards.")


@says(MELDS)
def _owners(s: Sheet) -> str:
    return s.of_us(
        later(
            "Your melds lie in front of you, and you may add to them in later turns. Nobody adds to "
            "another player’s melds, and cards never move from one meld to another."
        ),
        later(
            "Your team’s melds lie in front of you, and you may add to them in later turns. Nobody "
            "adds to another team’s melds, and cards never move from one meld to another."
        ),
    )


_BEYOND = {
    "fewer": later("A book of more than seven cards must have fewer wild cards than natural ones."),
    "equal": later("A book of more than seven cards may have as many wild cards as natural ones."),
}


@says(MELDS, "wild_limits", "wild_beyond", on=("books_grow",))
def _limits(s: Sheet) -> str:
    limits = s.rules.wild_limits
    parts = []
    for begin, end in runs(limits):
        sizes = [number(size) for size in range(begin + 3, end + 3)]
        if s.rules.grows and end == len(limits) and s.rules.wild_beyond == "limit":
            sizes.append(say("more"))
        values = {"sizes": either(sizes), "wild": wild_cards_words(limits[begin])}
        if limits[begin]:
            parts.append(say("%(sizes)s cards may have at most %(wild)s", **values))
        else:
            parts.append(say("%(sizes)s cards may have %(wild)s", **values))
    text = say("A meld of %(limits)s.", limits=say("; one of ").join(parts))
    return text if s.rules.wild_beyond == "limit" else f"{text} {say(_BEYOND[s.rules.wild_beyond])}"


@says(MELDS, "pure_ranks")
def _pure(s: Sheet) -> str:
    if not s.rules.pure_ranks:
        return say("Wild cards may go into melds of every rank from fours to aces.")
    ranks = either([rank_words(RANKS.index(rank)) for rank in s.rules.pure_ranks])
    return say("A meld of %(ranks)s never has a wild card.", ranks=ranks)


@says(MELDS, "wild_melds")
def _wild_melds(s: Sheet) -> str:
    if s.rules.wild_melds:
        return say("Three or more wild cards may also be a meld of their own, which takes wild cards only.")
    return say("Wild cards alone are not a meld.")


_KINDS = {
    (False, False): later("A meld of %(book)s cards is a book: clean without wild cards, dirty with some."),
    (True, False): later("A meld of %(book)s cards or more is a book: clean without wild cards, dirty with some."),
    (False, True): later(
        "A meld of %(book)s cards is a book: clean without wild cards, dirty with some, wild "
        "(and not clean) with nothing else."
    ),
    (True, True): later(
        "A meld of %(book)s cards or more is a book: clean without wild cards, dirty with some, "
        "wild (and not clean) with nothing else."
    ),
}
"""By whether books grow, and whether there are wild ones."""


@says(MELDS, on=("wild_melds", "books_grow"))
def _kinds(s: Sheet) -> str:
    return say(_KINDS[s.rules.grows, s.rules.wild_melds], book=number(BOOK))


@says(MELDS, "special_books", on=("pure_ranks",))
def _special(s: Sheet) -> str:
    if not s.rules.special:
        return say("Books of all ranks count alike.")
    texts = []
    for rank, special in s.rules.special.items():
        text = later(
            "A clean book of %(cards)s is called a book of %(cards)s and does not count as a clean book. A "
            "dirty one is an ordinary dirty book."
        )
        if special.mixed:
            text = later("Any book of %(cards)s, clean or dirty, is called a book of %(cards)s and counts as no other.")
        elif rank in s.rules.pure:
            text = later("A clean book of %(cards)s is called a book of %(cards)s and does not count as a clean book.")
        texts.append(say(text, cards=rank_words(rank)))
    return " ".join(texts)


_CLEAN_TAKES = {
    "no": later("Nothing is added to a clean book."),
    "natural": later("A clean book takes more natural cards of its rank, but no wild ones."),
    "any": later("A clean book takes more cards of its rank, and wild cards, which make it dirty."),
    "keeps": later("A clean book takes more cards of its rank, and wild cards, with which it stays clean."),
}
_DIRTY_TAKES = {
    "no": later("Nothing is added to a dirty book."),
    "natural": later("A dirty book takes more natural cards of its rank, but no wild ones."),
    "any": later("A dirty book takes more cards of its rank, and wild cards."),
}
_WILD_TAKES = {"no": later("Nothing is added to a wild book."), "any": later("A wild book takes more wild cards.")}


@says(MELDS, "books_grow", on=("wild_melds",))
def _grow(s: Sheet) -> str:
    growth = s.rules.books_grow
    if not s.rules.grows:
        return say("A book is closed: nothing is added to it.")
    if set(growth) == {"any"} and s.rules.wild_melds:
        return say(
            "You may still add natural cards of its rank to a book, and wild cards within the limit "
            "(to a wild book, only wild cards). A wild card makes a clean book dirty."
        )
    if set(growth) == {"any"}:
        return say(
            "You may still add natural cards of its rank to a book, and wild cards within the limit. "
            "A wild card makes a clean book dirty."
        )
    parts = [_CLEAN_TAKES[growth.clean], _DIRTY_TAKES[growth.dirty], _WILD_TAKES[growth.wild]]
    return " ".join(map(say, parts))


@says(MELDS, "melds_per_rank", on=("books_grow", "wild_melds"))
def _second(s: Sheet) -> str:
    alike = say("of one rank, or of wild cards") if s.rules.wild_melds else say("of one rank")
    if s.rules.melds_per_rank == "free":
        return say(
            "There may be any number of melds %(alike)s at a time. Cards join the oldest incomplete one that takes "
            "them all, unless you start another with them.",
            alike=alike,
        )
    if s.rules.melds_per_rank == "clean_and_dirty":
        return say(
            "There may be two incomplete melds of one rank at a time, a natural one and one with wild cards. Cards "
            "join the one of their own sort, or else the other, unless you start another with them."
        )
    if s.rules.grows and s.rules.melds_per_rank == "after_book":
        return s.of_us(
            later(
                "You never have two incomplete melds %(alike)s. When the first is a book, cards join it if it takes "
                "them, unless you start another with them."
            ),
            later(
                "Your team never has two incomplete melds %(alike)s. When the first is a book, cards join it if it "
                "takes them, unless you start another with them."
            ),
            alike=alike,
        )
    if s.rules.grows:
        return s.of_us(
            later("You never have two melds %(alike)s, because books grow."),
            later("Your team never has two melds %(alike)s, because books grow."),
            alike=alike,
        )
    if s.rules.melds_per_rank == "after_book":
        return s.of_us(
            later("You never have two incomplete melds %(alike)s, but may start another when the first is a book."),
            later(
                "Your team never has two incomplete melds %(alike)s, but may start another when the first is a book."
            ),
            alike=alike,
        )
    return s.of_us(
        later("You never have two incomplete melds %(alike)s, and you may not start another when the first is a book."),
        later(
            "Your team never has two incomplete melds %(alike)s, and it may not start another when the first is a book."
        ),
        alike=alike,
    )


@says(MELDS, "garbage")
def _garbage(s: Sheet) -> str:
    if not s.rules.garbage:
        return say("There is no garbage pile for cards that no longer fit a meld.")
    return s.of_us(
        later(
            "Once you have a book of sevens, you may put natural cards of every rank in which you "
            "have a book, but not sevens, on a garbage pile. There they count their value, but they "
            "are not a meld."
        ),
        later(
            "Once your team has a book of sevens, you may put natural cards of every rank in which "
            "your team has a book, but not sevens, on a garbage pile. There they count their value, "
            "but they are not a meld."
        ),
    )


@says(MELDS, "book_lock", partners=True)
def _lock(s: Sheet) -> str:
    if s.rules.book_lock == "none":
        return say("Any player may complete any number of books.")
    if s.rules.book_lock == "opener_waits":
        return s.with_partners(
            later(
                "the player who opened for the team may not lay the seventh card of a book, even when "
                "opening, until a partner has laid one and picked up the foot."
            )
        )
    return s.with_partners(
        later(
            "a player who has laid the seventh card of a book may not lay that of another before every partner has laid "
            "one."
        )
    )


# The first meld


@says(OPENING, "opening")
def _opening(s: Sheet) -> str:
    opening = s.rules.opening
    if opening.kind == "none":
        return s.of_us(
            later("To open, the melds that you lay first in a deal may be worth any number of points."),
            later("To open, the melds that your team lays first in a deal may be worth any number of points."),
        )
    return _by_deal(opening, s) if opening.kind == "by_deal" else _by_score(opening, s)


def _by_deal(opening: Opening, s: Sheet) -> str:
    figures = [worth for _, worth in opening.steps]
    if CLEAN_BOOK in figures:
        return _by_deal_with_books(figures, s)
    least = say("%(points)s in every deal", points=points(figures[0]))
    if len(figures) > 1:
        parts = [
            say("%(points)s in %(deal)s", points=points(worth) if i == 0 else figure(worth), deal=nth_deal(i + 1))
            for i, worth in enumerate(figures[:-1])
        ]
        least = join_words([*parts, say("%(points)s in all later deals", points=figure(figures[-1]))])
    return s.of_us(
        later("To open, the melds that you lay first in a deal must together be worth at least %(least)s."),
        later("To open, the melds that your team lays first in a deal must together be worth at least %(least)s."),
        least=least,
    )


def _by_deal_with_books(figures: list[int], s: Sheet) -> str:
    if set(figures) == {CLEAN_BOOK}:
        return say("To open, you must lay a complete book without wild cards, regardless of its points.")
    parts = [
        say(
            "%(least)s in %(deals)s",
            least=say("a complete book without wild cards")
            if worth == CLEAN_BOOK
            else say("melds worth at least %(points)s", points=points(worth)),
            deals=say("all later deals") if i == len(figures) - 1 else nth_deal(i + 1),
        )
        for i, worth in enumerate(figures)
    ]
    return s.of_us(
        later("To open, you must lay %(parts)s."),
        later("To open, your team must lay %(parts)s."),
        parts=join_words(parts),
    )


def _by_score(opening: Opening, s: Sheet) -> str:
    (lowest, least), *rest = opening.steps
    if lowest is None and not rest:
        return s.of_us(
            later(
                "To open, the melds that you lay first in a deal must together be worth at least "
                "%(points)s, regardless of your total."
            ),
            later(
                "To open, the melds that your team lays first in a deal must together be worth at least "
                "%(points)s, regardless of your team’s total."
            ),
            points=points(least),
        )
    parts = [] if lowest is None else [say("nothing below %(total)s", total=signed(lowest))]
    for begin, worth in opening.steps:
        if begin is None:
            parts.append(say("%(points)s below %(total)s", points=points(worth), total=signed(rest[0][0] or 0)))
        else:
            parts.append(say("%(points)s from %(total)s", points=points(worth), total=signed(begin)))
    return s.of_us(
        later(
            "To open, the melds that you lay first in a deal must together be worth a minimum that "
            "depends on your total before the deal: %(steps)s upwards."
        ),
        later(
            "To open, the melds that your team lays first in a deal must together be worth a minimum "
            "that depends on your team’s total before the deal: %(steps)s upwards."
        ),
        steps=join_words(parts),
    )


_COUNTS = {
    (False, False): later(
        "All melds laid at one time count together towards the opening minimum, by the values of their cards."
    ),
    (True, False): later(
        "All melds laid at one time count together towards the opening minimum, melds of wild "
        "cards too, by the values of their cards."
    ),
    (False, True): later(
        "All melds laid at one time count together towards the opening minimum, by the values of "
        "their cards. If you take the discard pile with them, its top card counts too, but no "
        "other card of the pile."
    ),
    (True, True): later(
        "All melds laid at one time count together towards the opening minimum, melds of wild "
        "cards too, by the values of their cards. If you take the discard pile with them, its "
        "top card counts too, but no other card of the pile."
    ),
}
"""By whether there are melds of wild cards, and whether the pile can be taken."""


@says(OPENING, on=("opening", "pile_take", "wild_melds", "opening_terms", "red_three_meld"))
def _opening_cards(s: Sheet) -> str:
    if s.rules.opening.kind == "none":
        return ""
    text = say(_COUNTS[s.rules.wild_melds, s.rules.pile_take != "none"])
    if "books" in s.rules.opening_terms:
        return text
    if s.rules.red_three_meld:
        return f"{text} {say('Bonuses do not count.')}"
    return f"{text} {say('Bonuses and red threes do not count.')}"


_TERMS = {
    "books": later("The bonus of a book completed in the same move counts too."),
    "naturals": later("Wild cards count nothing towards the minimum."),
    "empty_hand": later("A move that leaves no card in your hand needs no minimum."),
    "each_player": later(
        "Every player must reach the minimum once in a deal with the cards of one move, additions to melds among them, "
        "before he or she melds, adds or takes the pile otherwise."
    ),
}


@says(OPENING, "opening_terms")
def _opening_terms(s: Sheet) -> str:
    terms = [say(_TERMS[term]) for term in s.rules.opening_terms]
    if not s.rules.each_opens:
        terms.append(s.of_us(later("Nothing else opens."), later("One player opens for the whole team.")))
    return " ".join(terms)


@says(OPENING, on=("opening", "opening_terms"))
def _opened(s: Sheet) -> str:
    if s.rules.opening.kind == "none" or s.rules.each_opens:
        return ""
    return s.of_us(
        later("After opening, a player melds freely for the rest of the deal."),
        later("After opening, a team melds freely for the rest of the deal."),
    )
