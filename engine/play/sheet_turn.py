"""Sentences of the rule sheet about a turn: drawing, taking the discard pile, melds and books."""

from __future__ import annotations

from engine.play.cards import RANK_WORDS
from engine.play.melds import BOOK, number_words
from engine.play.options import Opening
from engine.play.rules import Rules
from engine.play.sheet_words import Chapter, Sheet, cards, listed, number, points, runs, start, turned_up

TURN, PILE, MELDS, OPENING = "Your turn", "Taking the discard pile", "Melds and books", "The first meld"

TURNS = Chapter()
says = TURNS.says


# Your turn


@says(TURN, on=("pile_take",))
def _turn(s: Sheet) -> str:
    begin = "draw from the stock" if s.rules.pile_take == "none" else "draw from the stock or take the discard pile"
    return f"In your turn you first {begin}, then meld if you like, and end by discarding a card face up."


@says(TURN, "draw_count")
def _draw(s: Sheet) -> str:
    return f"When you draw, you take {cards(s.rules.draw_count)} from the stock."


def kept_words(rules: Rules) -> str:
    """The cards that may not be discarded: sevens, or twos and jokers."""
    return listed(["black threes" if rank == "3" else RANK_WORDS[rank][1] for rank in rules.kept_ranks])


@says(TURN, "kept_ranks", "kept_until")
def _kept(s: Sheet) -> str:
    until = s.rules.kept_until == "own_sevens"
    if not s.rules.kept_ranks:
        aside = " (this would change with a book of sevens, if there were cards that must be kept)" if until else ""
        return f"You may discard any card but a red three{aside}."
    if until:
        until_when = f"until {s.we_have} a book of sevens, and red threes never"
        return start(f"{kept_words(s.rules)} may not be discarded {until_when}; any other card may.")
    return start(f"{kept_words(s.rules)} may never be discarded, nor may red threes; any other card may.")


@says(TURN, on=("kept_ranks", "pile_take"))
def _kept_left(s: Sheet) -> str:
    if not s.rules.kept_ranks:
        return ""
    act = "meld" if s.rules.pile_take == "none" else "meld, nor take the pile,"
    kept = kept_words(s.rules)
    return f"As long as {kept} may not be discarded, you may not {act} so that you are left with nothing else."


@says(TURN, "ask_wilds", partners=True)
def _ask_wilds(s: Sheet) -> str:
    if not s.rules.ask_wilds:
        return "Players tell each other nothing about the cards they hold."
    return start(
        f"{s.with_partners}you may ask {s.each_partner} in your turn how many wild cards he or she has in hand."
    )


@says(TURN)
def _stuck(s: Sheet) -> str:
    return "If there is no card that you may meld or discard, your turn ends without a discard."


@says(TURN)
def _undo(s: Sheet) -> str:
    return "You may take back your melds of the same turn, the last one first, until something hidden has been shown."


# Taking the discard pile

_OF_THE_PILE = ("pile_take", "pile_claim", "pile_to_meld", "wild_on_top", "wild_freezes", "take_needs_open")


@says(PILE, on=_OF_THE_PILE)
def _never_taken(s: Sheet) -> str:
    if s.rules.pile_take != "none":
        return ""
    return "The discard pile is never taken: no card from a hand claims it and no meld on the table does."


@says(PILE, "pile_claim", on=("pile_take",))
def _claim(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.pile_claim == "none":
        return "Cards from the hand do not take the pile when its top card is a natural card."
    what, how = {
        "natural_pair": (
            "at least two natural cards of the same rank from your hand",
            "more natural or wild cards from your hand may go with them as long as the meld is legal",
        ),
        "legal_meld": (
            "two or more cards from your hand, natural or wild",
            f"they make a new meld with it or go on {s.our} own, and the meld must be legal",
        ),
        "one_match": (
            "at least one natural card of the same rank from your hand",
            f"with others if you like it makes a new meld or goes on {s.our} own, and the meld must be legal",
        ),
    }[s.rules.pile_claim]
    return f"To take the pile, instead of drawing, meld its top card at once with {what}; {how}."


@says(PILE, "pile_take")
def _take(s: Sheet) -> str:
    take = s.rules.pile_take
    if take == "none":
        return ""
    rest = "look at the other cards only then, and take them into your hand"
    if take == "all":
        return f"When the top card is melded you take the whole pile: {rest}."
    if take == 1:
        return "You take only the top card that you meld; the rest of the pile stays."
    return (
        f"When the top card is melded you take the top {number(int(take))} cards of the pile, itself among them, or "
        f"the whole pile if it is smaller: {rest}."
    )


@says(PILE, on=("pile_take", "pile_claim", "wild_on_top", "books_grow", "second_meld"))
def _joins(s: Sheet) -> str:
    r = s.rules
    if r.pile_take == "none" or (r.pile_claim == "none" and r.wild_on_top == "never"):
        return ""
    book = number(BOOK)
    meld = "meld of the top card's rank"
    if r.wild_on_top == "matching_pair":
        meld += " (or of wild cards, for a wild card)"
    if r.books_grow:
        return f"If {s.we_have} a {meld}, complete or not, the cards with which you take the pile join it."
    joins = f"If {s.we_have} an incomplete {meld}, the cards with which you take the pile join it"
    if not r.second_meld:
        return f"{joins}, and you cannot take the pile with cards that would carry it past {book}."
    return (
        f"{joins} until it has {book}, the top card first, then natural cards, then wild ones; cards that are over "
        f"must make a new meld of three or more, or you cannot take the pile."
    )


@says(PILE, "pile_to_meld", on=("pile_take", "wild_freezes"))
def _to_meld(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.pile_to_meld == "never":
        return "The top card alone, without a card from your hand, cannot be put on a meld to take the pile."
    alone = f"by playing its top card alone on {s.our} own incomplete meld of that rank"
    if s.rules.wild_freezes:
        return f"While the pile is not frozen, you may also take it {alone}."
    return f"You may also take the pile {alone}."


@says(PILE, "wild_on_top", on=("pile_take",))
def _wild_on_top(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.wild_on_top == "never":
        return "Nobody can take the pile while a wild card lies on top."
    return (
        "When a wild card lies on top, you take the pile only with two of the same from your hand, two twos for a two "
        "or two jokers for a joker, laid with it in a meld of wild cards; more wild cards from your hand may go with "
        "them."
    )


@says(PILE, "wild_freezes", on=("pile_take", "pile_claim", "upcard", "upcard_bury"))
def _freezes(s: Sheet) -> str:
    r = s.rules
    if r.pile_take == "none":
        return ""
    if not r.wild_freezes:
        return "The pile is never frozen: a wild card in it does nothing once it is covered."
    upcards = [words for kind, words in (("wild", "a wild card"), ("red_three", "a red three")) if turned_up(r, kind)]
    also = f", and so does {listed(upcards, 'or')} turned up at the start" if upcards else ""
    taken = (
        "it can be taken only with two or more natural cards of the top card's rank from the hand, until somebody does"
    )
    if r.pile_claim == "none":
        taken = "it cannot be taken"
    return f"A wild card that is discarded freezes the pile (lay it sideways){also}: from then on {taken}."


@says(PILE, on=("pile_take", "upcard", "upcard_bury"))
def _blocked(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    red = ", or a red three turned up at the start," if turned_up(s.rules, "red_three") else ""
    return f"Nobody can take the pile while a black three{red} lies on top."


@says(PILE, "take_needs_open", on=("pile_take",))
def _needs_open(s: Sheet) -> str:
    if s.rules.pile_take == "none":
        return ""
    if s.rules.take_needs_open:
        return start(f"{s.we} must have melded in this deal before you may take the pile.")
    return f"You may take the pile even with {s.our} first meld of the deal, and lay other melds together with it."


# Melds and books


@says(MELDS)
def _meld(s: Sheet) -> str:
    return "A meld is at least three cards of one rank, from fours to aces, of which some may be wild cards."


@says(MELDS)
def _whose(s: Sheet) -> str:
    nobody = f"nobody adds to another {s.side}'s melds, and cards never move from one meld to another"
    return start(f"{s.our} melds lie in front of you, and you may add to them in later turns; {nobody}.")


@says(MELDS, "wild_limits", on=("books_grow",))
def _limits(s: Sheet) -> str:
    limits = s.rules.wild_limits
    parts = []
    for begin, end in runs(limits):
        sizes = [number(size) for size in range(begin + 3, end + 3)]
        if s.rules.books_grow and end == len(limits):
            sizes.append("more")
        most = number_words(limits[begin], "wild card", "wild cards")
        parts.append(f"{listed(sizes, 'or')} cards may hold {'at most ' if limits[begin] else ''}{most}")
    return f"A meld of {'; one of '.join(parts)}."


@says(MELDS, "pure_ranks")
def _pure(s: Sheet) -> str:
    if not s.rules.pure_ranks:
        return "Wild cards may go into melds of every rank from fours to aces."
    ranks = listed([RANK_WORDS[rank][1] for rank in s.rules.pure_ranks], "or")
    return f"A meld of {ranks} never holds a wild card."


@says(MELDS, "wild_melds")
def _wild_melds(s: Sheet) -> str:
    if s.rules.wild_melds:
        return "Three or more wild cards may also be a meld of their own, which takes wild cards only."
    return "Wild cards alone are no meld."


@says(MELDS, on=("wild_melds", "books_grow", "book_bonus", "pure_ranks"))
def _kinds(s: Sheet) -> str:
    wild = ", wild (and not clean) if it holds nothing else" if s.rules.wild_melds else ""
    sevens = ""
    if s.rules.sevens_apart:
        sevens = " A clean book of sevens is called a book of sevens and is no clean book"
        sevens += "." if "7" in s.rules.pure_ranks else "; a dirty one is an ordinary dirty book."
    more = " or more" if s.rules.books_grow else ""
    return f"A meld of {number(BOOK)} cards{more} is a book: clean without wild cards, dirty with some{wild}.{sevens}"


@says(MELDS, "books_grow", on=("wild_melds",))
def _grow(s: Sheet) -> str:
    if not s.rules.books_grow:
        return "A book is closed: nothing is added to it."
    wild = " (to a wild book, only wild cards)" if s.rules.wild_melds else ""
    return (
        f"You may go on adding to a book natural cards of its rank, and wild cards within the limit{wild}; a wild card "
        f"makes a clean book dirty."
    )


@says(MELDS, "second_meld", on=("books_grow", "wild_melds"))
def _second(s: Sheet) -> str:
    alike = "of one rank, or of wild cards" if s.rules.wild_melds else "of one rank"
    never = f"{s.we} never {'have' if s.we == 'you' else 'has'}"
    if s.rules.books_grow:
        text = start(f"{never} two melds {alike}, since books grow")
        return (
            f"{text} (that a second one may follow a book means nothing here)." if s.rules.second_meld else f"{text}."
        )
    one = start(f"{never} two incomplete melds {alike}")
    if s.rules.second_meld:
        return f"{one}, but may start another when the first is a book."
    return f"{one}, nor may start another when the first is a book."


@says(MELDS, "garbage")
def _garbage(s: Sheet) -> str:
    if not s.rules.garbage:
        return "There is no garbage pile for cards that no longer fit a meld."
    return start(
        f"once {s.we_have} a book of sevens, you may put natural cards of every rank in which {s.we_have} a book, but "
        f"not sevens, on a garbage pile; there they count their value, but they are no meld."
    )


@says(MELDS, "book_lock", partners=True)
def _lock(s: Sheet) -> str:
    seventh = "the seventh card of a book"
    if s.rules.book_lock == "none":
        return "Any player may complete any number of books."
    if s.rules.book_lock == "opener_waits":
        return start(
            f"{s.with_partners}the player who laid the team's first meld may not lay {seventh}, not even with that "
            f"meld, until a partner has laid one and picked up the foot."
        )
    return start(
        f"{s.with_partners}a player who has laid {seventh} may not lay that of another before every partner has laid "
        f"one."
    )


# The first meld

_NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@says(OPENING, "opening")
def _opening(s: Sheet) -> str:
    opening = s.rules.opening
    if opening.kind == "none":
        return start(f"{s.our} first meld in a deal may be worth any number of points.")
    return _by_deal(opening, s) if opening.kind == "by_deal" else _by_score(opening, s)


def _by_deal(opening: Opening, s: Sheet) -> str:
    first = start(f"{s.our} first meld in a deal, together with others laid at the same time, must be worth at least")
    figures = [figure for _, figure in opening.steps]
    if len(figures) == 1:
        return f"{first} {points(figures[0])} in every deal."
    deals = [f"the {_NTH[i]} deal" if i < len(_NTH) else f"deal {i + 1}" for i in range(len(figures) - 1)]
    parts = [f"{points(f) if i == 0 else f'{f:,}'} in {deals[i]}" for i, f in enumerate(figures[:-1])]
    return f"{first} {listed([*parts, f'{figures[-1]:,} in all later deals'])}."


def _by_score(opening: Opening, s: Sheet) -> str:
    first = f"The least value of {s.our} first meld in a deal, together with others laid at the same time,"
    (lowest, least), *later = opening.steps
    if lowest is None and not later:
        return f"{first} is {points(least)} whatever {s.our} total is."
    parts = [] if lowest is None else [f"nothing below {_total(lowest)}"]
    for begin, figure in opening.steps:
        where = f"below {_total(later[0][0])}" if begin is None else f"from {_total(begin)}"
        parts.append(f"{points(figure)} {where}")
    return f"{first} goes by {s.our} total before the deal: {listed(parts)} upwards."


def _total(figure: int | None) -> str:
    return f"{'minus ' if (figure or 0) < 0 else ''}{abs(figure or 0):,}"


@says(OPENING, on=("opening", "pile_take", "wild_melds"))
def _what_counts(s: Sheet) -> str:
    if s.rules.opening.kind == "none":
        return ""
    top = ", the top card of the discard pile if you take it with them but no other card of the pile"
    return (
        f"All melds laid at one time count together towards the least value of a first meld"
        f"{', melds of wild cards too' if s.rules.wild_melds else ''}, by the values of their cards"
        f"{'' if s.rules.pile_take == 'none' else top}; bonuses and red threes do not count."
    )


@says(OPENING, on=("opening",))
def _opened(s: Sheet) -> str:
    if s.rules.opening.kind == "none":
        return ""
    return start(f"after its first meld a {s.side} melds freely for the rest of the deal.")
