"""Sentences of the rule sheet about the time before the first turn: players, pack, deal, and cards."""

from __future__ import annotations

from engine.play.cards import RANKS, rank_words
from engine.play.melds import BOOK
from engine.play.options import Shape
from engine.play.rule_sheet.shared_text import (
    NOBODY,
    SOME,
    Chapter,
    Sheet,
    cards,
    earns,
    figure,
    number,
    points,
    runs,
    turned_up,
)
from engine.words import either, join_words, later, say, say_several

GAME, DEAL, CARDS = later("The game"), later("The pack and the deal"), later("The cards")

BEFORE_PLAY = Chapter()
says = BEFORE_PLAY.says


# The game


@says(GAME, "shapes")
def _shapes(s: Sheet) -> str:
    if s.shape is not None:
        return say("This game is played by %(players)s.", players=_players(s.shape))
    alone: list[int] = []
    tables: list[str] = []
    for shape in (*s.rules.shapes, None):
        if shape is not None and shape.team_size == 1:
            alone.append(shape.seats)
            continue
        if alone:
            tables.append(say("%(count)s players, each for themselves", count=either(map(number, alone))))
            alone = []
        if shape is not None:
            tables.append(_players(shape))
    sentences = [say("This game is for %(tables)s.", tables=say("; or for ").join(tables))]
    if len(s.rules.shapes) > 1:
        sentences.append(say("The usual table is %(players)s.", players=_players(s.rules.shapes[0])))
    if s.partners == SOME:
        sentences.append(say("A player without partners is a team of one."))
    return " ".join(sentences)


def _players(shape: Shape) -> str:
    if shape.team_size == 1:
        return say("%(count)s players, each for themselves", count=number(shape.seats))
    return say(
        "%(count)s players in %(teams)s teams of %(size)s",
        count=number(shape.seats),
        teams=number(shape.teams),
        size=number(shape.team_size),
    )


@says(GAME, partners=True)
def _seating(s: Sheet) -> str:
    if s.partners == NOBODY:
        return ""
    return s.with_partners(later("the teams follow one another in turn round the table, so partners sit apart."))


@says(GAME)
def _aim(s: Sheet) -> str:
    return say(
        "You score by laying cards face up in melds (sets of one rank), and above all by "
        "completing books, which are melds of %(book)s. Cards that you are left with count "
        "against you.",
        book=number(BOOK),
    )


@says(GAME, on=("stacks",))
def _sets(s: Sheet) -> str:
    if s.rules.has_knee:
        return say(
            "Each player has a hand, which is played first, and two more sets of cards that wait face down: a knee, "
            "and then a foot."
        )
    return say("Each player has a hand, which is played first, and a foot, a second set of cards that waits face down.")


@says(GAME)
def _book_words(s: Sheet) -> str:
    return {
        "book": "",
        "pile": say(
            "Many players of this ruleset call a book a pile. In these rules, “pile” always means the discard pile."
        ),
        "canasta": say("Many players of this ruleset call a book a canasta."),
    }[s.rules.book_words[0]]


# The pack and the deal


@says(DEAL, "decks", "jokers_per_deck")
def _decks(s: Sheet) -> str:
    count, plus_seats, by_seats = s.rules.decks
    jokers = s.rules.jokers_per_deck
    each = say("without jokers")
    if jokers:
        each = say_several(
            "with %(number)s joker added to each", "with %(number)s jokers added to each", jokers, number=number(jokers)
        )
    if s.shape is not None:
        return say(
            "The pack is %(decks)s, %(jokers)s: %(count)s cards in all.",
            decks=_deck_words(s.rules.deck_count(s.shape.seats)),
            jokers=each,
            count=len(s.rules.pack(s.shape.seats)),
        )
    if by_seats:
        tables = [
            say("%(decks)s for %(seats)s players", decks=_deck_words(decks), seats=number(seats))
            for seats, decks in by_seats
        ]
        return say("The pack is %(tables)s, %(jokers)s, shuffled together.", tables=join_words(tables), jokers=each)
    decks = _deck_words(abs(count))
    if not plus_seats:
        return say("The pack is %(decks)s, %(jokers)s, shuffled together.", decks=decks, jokers=each)
    if count == 0:
        return say(
            "The pack is as many decks of 52 cards as there are players, %(jokers)s, shuffled together.", jokers=each
        )
    if count > 0:
        return say(
            "The pack is %(decks)s more than there are players, %(jokers)s, shuffled together.",
            decks=decks,
            jokers=each,
        )
    return say(
        "The pack is %(decks)s fewer than there are players, %(jokers)s, shuffled together.", decks=decks, jokers=each
    )


def _deck_words(count: int) -> str:
    return say_several("%(number)s deck of 52 cards", "%(number)s decks of 52 cards", count, number=number(count))


@says(DEAL, "stacks")
def _stack_sizes(s: Sheet) -> str:
    sizes = [cards(size) for size in s.rules.stacks]
    if len(sizes) == 3:
        return say(
            "Each player gets three face-down stacks, the first of %(hand)s, the second of %(knee)s and the third of "
            "%(foot)s.",
            hand=sizes[0],
            knee=sizes[1],
            foot=sizes[2],
        )
    return say(
        "Each player gets two face-down stacks, the first of %(hand)s and the second of %(foot)s.",
        hand=sizes[0],
        foot=sizes[1],
    )


@says(DEAL, "lift", on=("stacks", "upcard"))
def _lift(s: Sheet) -> str:
    lift = s.rules.lift
    if lift is None or not lift.within:
        return say("The dealer deals the stacks, which earns no points.")
    exact = figure(s.rules.cards_lifted(s.shape.seats if s.shape else 0))
    who = say("Each player lifts a block of cards off the pack without counting and makes the stacks from it.")
    if lift.by == "dealer":
        who = say(
            "The dealer lifts a block of cards off the pack without counting. It makes the stacks of all players and the "
            "cards turned up."
        )
        if s.shape is None:
            exact = say("the cards needed")
    results = [
        say("exactly %(exact)s %(earns)s", exact=exact, earns=earns(worth))
        if distance == 0
        else say("up to %(distance)s more or fewer %(earns)s", distance=number(distance), earns=earns(worth))
        for distance, worth in lift.within
    ]
    if lift.within[0][0]:
        results[0] = say("%(exact)s or %(result)s", exact=exact, result=results[0])
    scores = say("Lifting %(results)s.", results=join_words(results))
    return f"{who} {scores} {say('Extra cards go back and missing cards are added.')}"


_DEALT = {
    "none": later("Your first stack is your hand, and your second is your foot."),
    "left": later("Your first stack is your hand. Your second becomes the foot of your left-hand neighbour."),
    "right": later("Your first stack is your hand. Your second becomes the foot of your right-hand neighbour."),
}
_CHOSEN = {
    "none": later(
        "You choose, without looking at the cards, which of your two stacks is your hand. The other is your foot."
    ),
    "left": later(
        "You pass your second stack to your left-hand neighbour. Then you choose, without "
        "looking at the cards, which of the two stacks before you is your hand. The other is "
        "your foot."
    ),
    "right": later(
        "You choose, without looking at the cards, which of your two stacks is your hand. The "
        "other becomes the foot of your right-hand neighbour."
    ),
}
_BY_BOTTOM = {
    ("none", True): later(
        "The one of your two stacks whose bottom card is worth more points is your hand, and the other is your foot"
    ),
    ("left", True): later(
        "You pass your second stack to your left-hand neighbour. Then the one of the two stacks "
        "before you whose bottom card is worth more points is your hand, and the other is your "
        "foot"
    ),
    ("right", True): later(
        "The one of your two stacks whose bottom card is worth more points is your hand, and the other becomes the foot "
        "of your right-hand neighbour"
    ),
    ("none", False): later(
        "The one of your two stacks whose bottom card is worth fewer points is your hand, and the other is your foot"
    ),
    ("left", False): later(
        "You pass your second stack to your left-hand neighbour. Then the one of the two stacks "
        "before you whose bottom card is worth fewer points is your hand, and the other is your "
        "foot"
    ),
    ("right", False): later(
        "The one of your two stacks whose bottom card is worth fewer points is your hand, and the other becomes the "
        "foot of your right-hand neighbour"
    ),
}


_PASSED = {
    "both": later(
        "You pass your first stack to your right-hand neighbour and your second to your left-hand neighbour. Of the "
        "two you receive, the one from your left-hand neighbour is your first."
    ),
    "both_left": later("You pass both stacks to your left-hand neighbour."),
    "both_right": later("You pass both stacks to your right-hand neighbour."),
    "first_left": later("You pass your first stack to your left-hand neighbour and keep your second."),
    "partner": later("You pass your second stack to the next player of your team. Without partners nothing is passed."),
}
_AFTER_PASSING = {
    "dealt": later("Then your first stack is your hand, and your second is your foot."),
    "choose": later(
        "Then you choose, without looking at the cards, which of the two stacks before you is your hand. The other is "
        "your foot."
    ),
    "higher_bottom": later(
        "Then the one of the two stacks before you whose bottom card is worth more points is your hand, and the other "
        "is your foot"
    ),
    "lower_bottom": later(
        "Then the one of the two stacks before you whose bottom card is worth fewer points is your hand, and the other "
        "is your foot"
    ),
}


@says(DEAL, "pass_stack", "hand_choice", on=("stacks",))
def _stacks(s: Sheet) -> str:
    side, choice = s.rules.pass_stack, s.rules.hand_choice
    # No option has the value of a red three here; the deal itself does (ruling 2).
    aside = say("(here a red three counts 100, and on a tie your own first stack is the hand).")
    if s.rules.has_knee:
        return say("Your first stack is your hand, your second is your knee, and your third is your foot.")
    if side in _PASSED:
        text = f"{say(_PASSED[side])} {say(_AFTER_PASSING[choice])}"
        return text if choice in ("dealt", "choose") else f"{text} {aside}"
    if choice == "dealt":
        return say(_DEALT[side])
    if choice == "choose":
        return say(_CHOSEN[side])
    return say(_BY_BOTTOM[side, choice == "higher_bottom"]) + " " + aside


@says(DEAL, "foot_seen", on=("stacks",))
def _foot_seen(s: Sheet) -> str:
    if s.rules.foot_seen:
        return say("At the very start of your first turn you may look once at your foot.")
    if s.rules.has_knee:
        return say("Nobody looks at a knee or a foot before it is picked up.")
    return say("Nobody looks at a foot before it is picked up.")


_BURIED = {
    "red_three": later("red three"),
    "wild": later("wild card"),
    "black_three": later("three of clubs or spades"),
}
_ALL_BURIED = {
    "red_three": later("red threes"),
    "wild": later("wild cards"),
    "black_three": later("threes of clubs and spades"),
}


@says(DEAL, "upcard", "upcard_bury")
def _upcard(s: Sheet) -> str:
    count, kinds = s.rules.upcard, s.rules.upcard_bury
    if not count:
        return say(
            "The rest of the pack is the stock, face down. No card is turned up, so the discard pile starts empty."
        )
    if count > 1 or not set(kinds) <= set(_BURIED):
        return _several_upcards(count, kinds)
    if not kinds:
        return say(
            "The rest of the pack is the stock, face down. Its top card, of any kind, is turned up "
            "to start the discard pile."
        )
    return say(
        "The rest of the pack is the stock, face down. Its top card is turned up to start the "
        "discard pile, but a %(buried)s turned up goes under the stock and the next card is "
        "turned up instead.",
        buried=either([say(_BURIED[kind]) for kind in kinds]),
    )


def _several_upcards(count: int, kinds: tuple[str, ...]) -> str:
    text = say("The rest of the pack is the stock, face down. Its top card is turned up to start the discard pile.")
    if count > 1:
        text = say(
            "The rest of the pack is the stock, face down. Its top %(cards)s are turned up one after another to start "
            "the discard pile, the last one on top.",
            cards=cards(count),
        )
    if not kinds:
        return text
    buried = [say(_ALL_BURIED[kind]) if kind in _ALL_BURIED else rank_words(RANKS.index(kind)) for kind in kinds]
    return (
        text
        + " "
        + say(
            "Of these cards, each one turned up goes under the stock and the next card is turned up instead: %(buried)s.",
            buried=join_words(buried),
        )
    )


@says(DEAL)
def _order(s: Sheet) -> str:
    return say("The player to the dealer’s left starts. Turns pass to the left, and so does the deal.")


# The cards


@says(CARDS, on=("jokers_per_deck",))
def _wild_cards(s: Sheet) -> str:
    if s.rules.jokers_per_deck:
        return say(
            "Twos and jokers are wild cards, which can replace others in a meld. All other cards are called natural."
        )
    return say("Twos are wild cards, which can replace others in a meld. All other cards are called natural.")


_VALUE_ORDER = "X2AKQJT987654"


@says(CARDS, "values")
def _values(s: Sheet) -> str:
    values = [s.rules.values[RANKS.index(rank)] for rank in _VALUE_ORDER]
    several = [rank_words(RANKS.index(rank)) for rank in _VALUE_ORDER]
    parts = []
    for begin, end in runs(values):
        names = several[begin:end]
        ranks = say("%(first)s to %(last)s", first=names[0], last=names[-1]) if len(names) > 2 else join_words(names)
        parts.append(f"{ranks} {points(values[begin]) if begin == 0 else figure(values[begin])}")
    parts.append(say("threes of clubs and spades %(points)s", points=figure(s.rules.values[RANKS.index("3")])))
    return say("Each card has a value: %(values)s.", values=join_words(parts))


@says(CARDS, "red_threes", "red_three_replaced", "red_three_meld", on=("pile_take", "upcard", "upcard_bury"))
def _red_threes(s: Sheet) -> str:
    if not s.rules.laid_threes:
        return _held_red_threes(s)
    if s.rules.red_three_replaced == "never":
        return say(
            "Red threes are never melded or discarded. Lay each one face up in front of you and draw "
            "nothing in its place."
        )
    if s.rules.red_three_replaced == "not_from_pile":
        return say(
            "Red threes are never melded or discarded. Lay each one face up in front of you and draw "
            "a card from the stock in its place, unless it came with the discard pile."
        )
    if s.rules.pile_take != "none" and turned_up(s.rules, "red_three"):
        return say(
            "Red threes are never melded or discarded. Lay each one face up in front of you and draw "
            "a card from the stock in its place, even if it came with the discard pile."
        )
    return say(
        "Red threes are never melded or discarded. Lay each one face up in front of you and draw "
        "a card from the stock in its place."
    )


_IF_LAID = {
    "always": "",
    "not_from_pile": later("(If one were laid, it would be replaced, unless it came with the discard pile.)"),
    "never": later("(If one were laid, it would not be replaced.)"),
}


def _held_red_threes(s: Sheet) -> str:
    text = say(
        "Red threes stay in the hand. They are never laid or replaced and nobody can meld them, but they may be "
        "discarded."
    )
    if s.rules.red_three_meld:
        text = say(
            "Red threes stay in the hand and are never laid or replaced. They may be discarded, or melded with black "
            "threes as cards of the same rank."
        )
    aside = _IF_LAID[s.rules.red_three_replaced]
    return f"{text} {say(aside)}" if aside else text


@says(CARDS, on=("red_three_replaced", "red_threes", "stacks"))
def _red_three_moments(s: Sheet) -> str:
    if not s.rules.laid_threes:
        return ""
    if s.rules.red_three_replaced == "never":
        if s.rules.has_knee:
            return say(
                "You lay the red threes you were dealt when your first turn starts, those in your knee or your foot "
                "when you pick it up, and others as soon as you get them."
            )
        return say(
            "You lay the red threes you were dealt when your first turn starts, those in your foot "
            "when you pick it up, and others as soon as you get them."
        )
    if s.rules.has_knee:
        return say(
            "You lay the red threes you were dealt when your first turn starts, those in your knee or your foot "
            "when you pick it up, and others as soon as you get them. A red three drawn as a replacement is "
            "replaced in turn, while the stock lasts."
        )
    return say(
        "You lay the red threes you were dealt when your first turn starts, those in your foot "
        "when you pick it up, and others as soon as you get them. A red three drawn as a "
        "replacement is replaced in turn, while the stock lasts."
    )


@says(CARDS, "black_three_meld")
def _black_threes(s: Sheet) -> str:
    if s.rules.black_three_meld == "never":
        return say("Threes of clubs and spades are never part of a meld.")
    if s.rules.black_three_meld == "always":
        return say("Threes of clubs and spades are melded like any other rank, but never with a wild card.")
    return say(
        "Threes of clubs and spades are melded only by a player who may go out: three or more, without a wild card, in a move that "
        "leaves at most one card in the hand."
    )
