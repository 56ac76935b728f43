"""Names and explanations of options in the editor of house rules."""

from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from engine.play.cards import RANKS, rank_words
from engine.play.options import BookBonus, BooksGrow, Contract, PenaltyPoints, RedThreePoints, RedThreeSets, StackSizes


class OptionWords(NamedTuple):
    """An option's name for people, its meaning, and words for its values if the general ones do not fit."""

    title: str
    hint: str = ""
    words: dict[str, str] = {}


def title_of(name: str) -> str:
    """The name of an option."""
    return gettext(OPTIONS[name].title)


def word_of(word: str, option: str = "") -> str:
    """The name of a value that is a word, of an option that may have words of its own."""
    words = OPTIONS[option].words if option else {}
    return gettext(words.get(word) or WORDS.get(word) or word.replace("_", " "))


def rank_name(rank: str) -> str:
    """The name of a rank's cards, by its letter."""
    words = rank_words(RANKS.index(rank))
    return words[:1].upper() + words[1:]


WORDS = {
    "all": gettext_noop("the whole pile"),
    "always": gettext_noop("always"),
    "any": gettext_noop("any cards"),
    "at_once": gettext_noop("at once"),
    "black_three": gettext_noop("threes of clubs and spades"),
    "books": gettext_noop("bonuses of books count"),
    "by_seats": gettext_noop("by the number of seats"),
    "by_deal": gettext_noop("the number of the deal"),
    "by_score": gettext_noop("the score so far"),
    "dealer": gettext_noop("the dealer, for everyone"),
    "deals": gettext_noop("after this many deals"),
    "discard": gettext_noop("must be discarded"),
    "each": gettext_noop("every player"),
    "each_player": gettext_noop("every player must open"),
    "either": gettext_noop("melded or discarded"),
    "empty_hand": gettext_noop("none for a move that empties the hand"),
    "end": gettext_noop("the deal ends"),
    "fixed": gettext_noop("that many"),
    "going_out": gettext_noop("when going out"),
    "keeps": gettext_noop("any cards, and it stays clean"),
    "left": gettext_noop("to the left"),
    "meld": gettext_noop("must be melded"),
    "natural": gettext_noop("natural cards"),
    "naturals": gettext_noop("wild cards count nothing"),
    "never": gettext_noop("never"),
    "next_turn": gettext_noop("in the next turn"),
    "no": gettext_noop("no"),
    "none": gettext_noop("none"),
    "number": gettext_noop("this many cards"),
    "play_on": gettext_noop("play continues without"),
    "points": gettext_noop("cost points"),
    "red_three": gettext_noop("red threes"),
    "reshuffle": gettext_noop("the discards are shuffled"),
    "right": gettext_noop("to the right"),
    "seats": gettext_noop("and one for each seat"),
    "target": gettext_noop("at this many points"),
    "wild": gettext_noop("wild cards"),
    "yes": gettext_noop("yes"),
}

NAMED: dict[type, dict[str, str]] = {
    Contract: {"clean": gettext_noop("Clean"), "dirty": gettext_noop("Dirty"), "wild": gettext_noop("Wild")},
    BookBonus: {"clean": gettext_noop("Clean"), "dirty": gettext_noop("Dirty"), "wild": gettext_noop("Wild")},
    BooksGrow: {"clean": gettext_noop("Clean"), "dirty": gettext_noop("Dirty"), "wild": gettext_noop("Wild")},
    StackSizes: {"hand": gettext_noop("Hand"), "knee": gettext_noop("Knee (optional)"), "foot": gettext_noop("Foot")},
    RedThreeSets: {"size": gettext_noop("Red threes in a set"), "points": gettext_noop("Points for a set")},
    RedThreePoints: {"laid": gettext_noop("On the table"), "held": gettext_noop("In hand or foot")},
    PenaltyPoints: {
        "out_refused": gettext_noop("Went out after a no"),
        "asked_not_out": gettext_noop("Asked, not gone out"),
        "wrong_claim": gettext_noop("Pile taken wrongly"),
    },
}
"""The parts of options that have several, by the kind of the option."""

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        gettext_noop("Players, pack and deal"),
        (
            "shapes",
            "decks",
            "jokers_per_deck",
            "stacks",
            "lift",
            "pass_stack",
            "hand_choice",
            "foot_seen",
            "upcard",
            "upcard_bury",
        ),
    ),
    (
        gettext_noop("Drawing and the pile"),
        (
            "draw_count",
            "draw_top",
            "pile_take",
            "pile_claim",
            "pile_to_meld",
            "wild_on_top",
            "wild_freezes",
            "take_needs_open",
            "stock_out",
            "last_red_three_ends",
        ),
    ),
    (
        gettext_noop("Melding"),
        (
            "opening",
            "opening_terms",
            "wild_limits",
            "wild_beyond",
            "wild_melds",
            "pure_ranks",
            "kept_ranks",
            "kept_until",
            "books_grow",
            "melds_per_rank",
            "garbage",
            "black_three_meld",
            "red_three_meld",
            "book_lock",
        ),
    ),
    (gettext_noop("The foot"), ("foot_when", "foot_after_discard")),
    (
        gettext_noop("Going out"),
        (
            "contract",
            "contract_red_threes",
            "partner_foot",
            "permission",
            "ask_wilds",
            "last_card",
            "final_turns",
            "out_bonus",
        ),
    ),
    (
        gettext_noop("Points and bonuses"),
        (
            "values",
            "book_bonus",
            "special_books",
            "red_threes",
            "red_three",
            "red_three_all",
            "red_three_sets",
            "red_three_sevens",
            "red_three_replaced",
            "wild_unfinished",
            "wild_needs_clean",
            "held_counts",
        ),
    ),
    (gettext_noop("The match"), ("length", "tie", "penalties")),
)
"""Every option once, in the order of the game."""

OPTIONS = {
    "shapes": OptionWords(gettext_noop("Tables"), gettext_noop("Numbers of seats and team sizes these rules allow.")),
    "decks": OptionWords(gettext_noop("Decks of 52"), gettext_noop("Number of decks shuffled together.")),
    "jokers_per_deck": OptionWords(gettext_noop("Jokers in each deck")),
    "stacks": OptionWords(
        gettext_noop("Cards in each stack"), gettext_noop("A game with a knee has three stacks: hand, knee and foot.")
    ),
    "lift": OptionWords(
        gettext_noop("Points for lifting"),
        gettext_noop("By the distance from the right number of cards. Without it the cards are dealt."),
        {"none": gettext_noop("nobody lifts")},
    ),
    "pass_stack": OptionWords(
        gettext_noop("A stack is passed on"),
        gettext_noop("Which neighbour gets which of the two stacks."),
        {
            "none": gettext_noop("not passed on"),
            "both": gettext_noop("the first to the right, the second to the left"),
            "both_left": gettext_noop("both to the left"),
            "both_right": gettext_noop("both to the right"),
            "first_left": gettext_noop("the first to the left"),
            "partner": gettext_noop("the second to the partner"),
        },
    ),
    "hand_choice": OptionWords(
        gettext_noop("Which stack is the hand"),
        "",
        {
            "dealt": gettext_noop("the first one dealt"),
            "choose": gettext_noop("the player chooses"),
            "higher_bottom": gettext_noop("the one with the higher bottom card"),
            "lower_bottom": gettext_noop("the one with the lower bottom card"),
        },
    ),
    "foot_seen": OptionWords(gettext_noop("You can look at the foot"), gettext_noop("Once, before your first turn.")),
    "upcard": OptionWords(gettext_noop("Cards turned up"), gettext_noop("They start the discard pile.")),
    "upcard_bury": OptionWords(
        gettext_noop("Turned up and replaced"), gettext_noop("Cards of these kinds go back into the stock.")
    ),
    "draw_count": OptionWords(gettext_noop("Cards drawn from the stock")),
    "draw_top": OptionWords(
        gettext_noop("Draw the top card of the pile"),
        gettext_noop("As one of the cards drawn."),
        {"first": gettext_noop("into the hand"), "melded": gettext_noop("if it is melded at once")},
    ),
    "pile_take": OptionWords(
        gettext_noop("Taken from the pile"),
        gettext_noop("Number of cards, counted from the top."),
        {"none": gettext_noop("nothing: it is never taken")},
    ),
    "pile_claim": OptionWords(
        gettext_noop("To take the pile"),
        gettext_noop("Cards from the hand that must go with the top card."),
        {
            "natural_pair": gettext_noop("two natural cards of its rank"),
            "none": gettext_noop("nothing"),
            "legal_meld": gettext_noop("any two that make a legal meld"),
            "one_match": gettext_noop("one natural card of its rank"),
            "naturals": gettext_noop("two natural cards of its rank, none wild"),
            "new_meld": gettext_noop("two natural cards of its rank, as a new meld"),
        },
    ),
    "pile_to_meld": OptionWords(
        gettext_noop("Top card onto your own meld"),
        gettext_noop("Taking the pile by adding to a meld."),
        {"unfrozen": gettext_noop("unless it is frozen")},
    ),
    "wild_on_top": OptionWords(
        gettext_noop("A wild card on top"),
        "",
        {"matching_pair": gettext_noop("is taken with a matching pair"), "never": gettext_noop("blocks the pile")},
    ),
    "wild_freezes": OptionWords(gettext_noop("A wild card freezes the pile"), gettext_noop("Until someone takes it.")),
    "take_needs_open": OptionWords(gettext_noop("Take the pile only after opening")),
    "stock_out": OptionWords(gettext_noop("When the stock runs out")),
    "last_red_three_ends": OptionWords(gettext_noop("A red three as the last stock card ends the deal")),
    "opening": OptionWords(
        gettext_noop("Opening minimum"), gettext_noop("Minimum value a team needs to open in a deal.")
    ),
    "opening_terms": OptionWords(gettext_noop("Terms of opening"), gettext_noop("Exceptions to the usual count.")),
    "wild_beyond": OptionWords(
        gettext_noop("Wild cards in a larger book"),
        gettext_noop("In a book of more than seven cards."),
        {
            "limit": gettext_noop("as many as in seven cards"),
            "fewer": gettext_noop("fewer than natural cards"),
            "equal": gettext_noop("as many as natural cards"),
        },
    ),
    "wild_limits": OptionWords(
        gettext_noop("Most wild cards in a meld"),
        gettext_noop("By the number of cards in it. The last value also applies beyond 7."),
    ),
    "wild_melds": OptionWords(gettext_noop("Melds of wild cards only")),
    "pure_ranks": OptionWords(gettext_noop("Ranks melded without wild cards")),
    "kept_ranks": OptionWords(gettext_noop("Ranks that cannot be discarded")),
    "kept_until": OptionWords(
        gettext_noop("Until when"),
        "",
        {
            "never": gettext_noop("for the whole deal"),
            "own_sevens": gettext_noop("until the team has a book of sevens"),
            "any_sevens": gettext_noop("until any team has a book of sevens"),
            "every_sevens": gettext_noop("until every team has a book of sevens"),
        },
    ),
    "books_grow": OptionWords(gettext_noop("A complete book can grow"), gettext_noop("Cards that can be added to it.")),
    "melds_per_rank": OptionWords(
        gettext_noop("A second meld of a rank"),
        gettext_noop("Time at which you can start another."),
        {
            "one": gettext_noop("never"),
            "after_book": gettext_noop("when the first is a complete book"),
            "clean_and_dirty": gettext_noop("one natural and one with wild cards"),
            "free": gettext_noop("at any time"),
        },
    ),
    "garbage": OptionWords(
        gettext_noop("Garbage pile"), gettext_noop("After a book of sevens, cards of complete ranks can be laid aside.")
    ),
    "black_three_meld": OptionWords(gettext_noop("Threes of clubs and spades can be melded")),
    "red_three_meld": OptionWords(
        gettext_noop("Red threes can be melded"),
        gettext_noop("With threes of clubs and spades, as cards of the same rank."),
    ),
    "book_lock": OptionWords(
        gettext_noop("A locked book"),
        gettext_noop("A complete book that must wait for something."),
        {"opener_waits": gettext_noop("the opener waits"), "second_waits": gettext_noop("the second book waits")},
    ),
    "foot_when": OptionWords(
        gettext_noop("The foot is picked up"),
        "",
        {
            "hand_empty": gettext_noop("when the hand is played"),
            "own_book": gettext_noop("when the player has completed a book"),
        },
    ),
    "foot_after_discard": OptionWords(gettext_noop("After a discard that empties the hand")),
    "contract": OptionWords(gettext_noop("Books needed to go out")),
    "contract_red_threes": OptionWords(
        gettext_noop("Red threes needed to go out"), "", {"all": gettext_noop("all of the pack must be on the table")}
    ),
    "partner_foot": OptionWords(
        gettext_noop("Partners’ feet before going out"),
        "",
        {
            "played": gettext_noop("each has played from it"),
            "none": gettext_noop("do not matter"),
            "picked_up": gettext_noop("each foot is picked up"),
        },
    ),
    "permission": OptionWords(
        gettext_noop("“May I go out?”"),
        "",
        {
            "required": gettext_noop("must be asked"),
            "none": gettext_noop("is not asked"),
            "optional": gettext_noop("can be asked and binds"),
        },
    ),
    "ask_wilds": OptionWords(gettext_noop("Partners can ask how many wild cards the other has")),
    "last_card": OptionWords(gettext_noop("The last card")),
    "final_turns": OptionWords(
        gettext_noop("One more turn for the others"), gettext_noop("After someone went out: with a discard, or always.")
    ),
    "out_bonus": OptionWords(gettext_noop("Bonus for going out")),
    "values": OptionWords(
        gettext_noop("Points of the cards"), gettext_noop("The three here is the black one. Red threes count below.")
    ),
    "book_bonus": OptionWords(gettext_noop("Bonus for a book")),
    "special_books": OptionWords(
        gettext_noop("Books that count separately"),
        gettext_noop("By rank: points, how many are needed to go out, and “mixed” if wild cards do not matter."),
    ),
    "red_threes": OptionWords(
        gettext_noop("Red threes"),
        gettext_noop("Red threes that are held are cards like others and only cost points."),
        {"laid": gettext_noop("are laid"), "held": gettext_noop("are held")},
    ),
    "red_three": OptionWords(gettext_noop("A red three")),
    "red_three_all": OptionWords(
        gettext_noop("All red threes together"), gettext_noop("Points instead of the single ones. Empty means none.")
    ),
    "red_three_sets": OptionWords(
        gettext_noop("Sets of red threes"), gettext_noop("Points instead of the single ones. Empty means none.")
    ),
    "red_three_sevens": OptionWords(
        gettext_noop("Red threes need a book of sevens"),
        gettext_noop("Without one, those on the table count against the team."),
    ),
    "red_three_replaced": OptionWords(
        gettext_noop("A laid red three is replaced"),
        gettext_noop("By another card from the stock."),
        {
            "always": gettext_noop("always"),
            "not_from_pile": gettext_noop("unless it came with the pile"),
            "natural": gettext_noop("natural cards"),
            "naturals": gettext_noop("wild cards count nothing"),
            "never": gettext_noop("never"),
        },
    ),
    "wild_unfinished": OptionWords(
        gettext_noop("An unfinished meld of wild cards"), gettext_noop("Points at the end of the deal.")
    ),
    "wild_needs_clean": OptionWords(gettext_noop("A wild book counts only with a clean one")),
    "held_counts": OptionWords(
        gettext_noop("Cards left count"),
        gettext_noop("In hands and feet at the end of a deal."),
        {"all": gettext_noop("for every team"), "others": gettext_noop("not for the team that went out")},
    ),
    "length": OptionWords(gettext_noop("The match ends")),
    "tie": OptionWords(
        gettext_noop("On a tie"),
        "",
        {"shared": gettext_noop("the win is shared"), "extra_deals": gettext_noop("extra deals until a team leads")},
    ),
    "penalties": OptionWords(gettext_noop("Penalties"), gettext_noop("At tables without assist.")),
}
