"""Sentences of the rule sheet about how a deal goes to its end: the foot, going out, scores and the match."""

from __future__ import annotations

from engine.play.cards import rank_words
from engine.play.legality.going_out import books_words
from engine.play.rule_sheet.shared_text import (
    NOBODY,
    Chapter,
    Sheet,
    cards,
    costs,
    earns,
    number,
    points,
    stacks_and,
    stacks_or,
)
from engine.play.rule_sheet.turn_text import kept_words
from engine.play.scoring import MOST_DEALS
from engine.play.state import MOST_RESHUFFLES
from engine.words import join_words, later, say, say_several

FOOT, OUT, END = later("The foot"), later("Going out"), later("The end of the deal")
SCORING, MATCH, PENALTIES = later("Scoring"), later("The match"), later("Penalties")

ENDING = Chapter()
says = ENDING.says


# The foot


@says(FOOT, "foot_when", on=("stacks",))
def _foot_when(s: Sheet) -> str:
    if s.rules.foot_when == "hand_empty" and s.rules.has_knee:
        return say(
            "You pick up your knee when your hand is empty, and your foot when you have played the knee too. If you "
            "empty a stack by melding, pick up the next at once and continue your turn."
        )
    if s.rules.foot_when == "hand_empty":
        return say(
            "You pick up your foot when your hand is empty. If you empty it by melding, pick up the "
            "foot at once and continue your turn."
        )
    if s.rules.has_knee:
        return say(
            "You pick up your knee, and in a later turn your foot, after the discard of a turn in which you yourself "
            "laid the seventh card of a book. Each turn gives you one stack, which joins the cards in your hand."
        )
    return say(
        "You pick up your foot after the discard of the turn in which you yourself laid the "
        "seventh card of a book. It joins the cards in your hand."
    )


@says(FOOT, on=("foot_when",))
def _foot_earned(s: Sheet) -> str:
    if s.rules.foot_when == "hand_empty":
        return ""
    return say(
        "Until you have laid the seventh card of a book, you need two cards before you discard, "
        "one to discard and one to keep. In the turn in which you lay it, keep one to discard."
    )


@says(FOOT, "foot_after_discard", on=("stacks",))
def _foot_after_discard(s: Sheet) -> str:
    if s.rules.foot_after_discard == "at_once":
        if s.rules.has_knee:
            return say(
                "If your discard empties your hand or your knee, you pick up the next stack at once, but play from it "
                "only in your next turn."
            )
        return say(
            "If your discard empties your hand, you pick up your foot at once, but play from it only in your next turn."
        )
    if s.rules.has_knee:
        return say(
            "If your discard empties your hand or your knee, you pick up the next stack when your next turn starts."
        )
    return say("If your discard empties your hand, you pick up your foot when your next turn starts.")


# Going out


@says(OUT)
def _going_out(s: Sheet) -> str:
    return say("You go out by playing the last of your cards, after you have picked up your foot.")


@says(OUT, "contract", on=("special_books",))
def _contract(s: Sheet) -> str:
    parts = [books_words(count, kind) for kind, count in s.rules.needed.items() if count]
    if not parts:
        return say("No book is needed to go out.")
    return s.of_us(
        later("You may go out only if you have %(books)s. More books do no harm."),
        later("You may go out only if your team has %(books)s. More books do no harm."),
        books=join_words(parts),
    )


@says(OUT, "contract_red_threes")
def _contract_red_threes(s: Sheet) -> str:
    if s.rules.contract_red_threes == "none":
        return say("Red threes do not matter for going out.")
    return say("Nobody may go out before %(red_threes)s are on the table, laid by any player.", red_threes=s.red_threes)


@says(OUT, "partner_foot", partners=True)
def _partner_foot(s: Sheet) -> str:
    if s.rules.partner_foot == "none":
        return say("Nobody else’s foot matters when you go out.")
    if s.rules.partner_foot == "played":
        return s.with_partners(
            later("you may go out only if your partner has played at least part of a turn from the foot."),
            later("you may go out only if every partner has played at least part of a turn from the foot."),
        )
    return s.with_partners(
        later("you may go out only if your partner has picked up the foot."),
        later("you may go out only if every partner has picked up the foot."),
    )


@says(OUT, "permission", partners=True)
def _permission(s: Sheet) -> str:
    if s.rules.permission == "none":
        return say("Nobody is asked for permission to go out.")
    if s.rules.permission == "required":
        return s.with_partners(
            later("you must ask your partner “May I go out?”, and may go out only after a yes from your partner."),
            later("you must ask every partner “May I go out?”, and may go out only after a yes from every partner."),
        )
    return s.with_partners(
        later(
            "you may ask your partner “May I go out?”, but you do not have to. If your partner says "
            "no, you may not go out in that turn."
        ),
        later(
            "you may ask every partner “May I go out?”, but you do not have to. If one of them says "
            "no, you may not go out in that turn."
        ),
    )


_ASKING = {
    (True, True): later(
        "you may ask for permission once a turn, from the foot, after drawing and while you "
        "still have a card. The answer is valid for that turn only, and nothing else may be said."
    ),
    (True, False): later(
        "you may ask for permission once a turn, from the foot, after drawing or taking the pile "
        "and while you still have a card. The answer is valid for that turn only, and nothing "
        "else may be said."
    ),
    (False, True): later(
        "you may ask for permission once a turn, from the foot, after drawing and while you "
        "still have a card. Partners answer in turn, and the first no closes the question. The "
        "answer is valid for that turn only, and nothing else may be said."
    ),
    (False, False): later(
        "you may ask for permission once a turn, from the foot, after drawing or taking the pile "
        "and while you still have a card. Partners answer in turn, and the first no closes the "
        "question. The answer is valid for that turn only, and nothing else may be said."
    ),
}
"""By whether there is one partner only, and whether turns always begin with drawing."""


@says(OUT, on=("permission", "pile_take"), partners=True)
def _asking(s: Sheet) -> str:
    if s.rules.permission == "none":
        return ""
    return s.with_partners(_ASKING[s.one_partner, s.rules.pile_take == "none"])


@says(OUT, "last_card")
def _last_card(s: Sheet) -> str:
    if s.rules.last_card == "discard":
        return say("To go out you must discard your last card. You may not meld it.")
    if s.rules.last_card == "meld":
        return say("To go out you must meld your last card. You may not discard it.")
    return say("Your last card may be discarded, or melded, which ends the turn without a discard.")


@says(OUT)
def _keep_two(s: Sheet) -> str:
    return say(
        "If you play from your foot and may not go out, your last card must stay in your hand. "
        "You need two cards before you discard, one to discard and one to keep. The table after "
        "your meld counts, so the meld that makes going out possible may also be the one with "
        "which you go out."
    )


# The end of the deal


@says(END, "final_turns", on=("stacks",))
def _final_turns(s: Sheet) -> str:
    if s.rules.final_turns == "no":
        return say("The deal is over as soon as a player goes out.")
    if s.rules.final_turns == "always":
        return say(
            "When a player goes out, every other player has one more turn. In that turn, %(stacks)s may be "
            "played to the last card, regardless of the conditions for going out and without a bonus for it.",
            stacks=stacks_and(s.rules),
        )
    return say(
        "When a player goes out by a discard, every other player has one more turn. In that "
        "turn, %(stacks)s may be played to the last card, regardless of the conditions for "
        "going out and without a bonus for it. When a player goes out by a meld, the deal is "
        "over at once.",
        stacks=stacks_and(s.rules),
    )


@says(END, "stock_out", on=("draw_count", "pile_take", "wild_freezes"))
def _stock_out(s: Sheet) -> str:
    r = s.rules
    few = say("no card")
    if r.draw_count > 1:
        few = say("fewer than %(cards)s", cards=cards(r.draw_count))
    if r.stock_out == "end":
        return say("The deal ends with the turn after which the stock has %(few)s.", few=few)
    ends = say("the deal ends with the next player who would have to draw")
    if r.pile_take != "none":
        ends = say(
            "the discard pile can still be taken, and the deal ends when a player cannot or does not want to take it"
        )
    if r.stock_out == "play_on":
        return say("When the stock has %(few)s, %(ends)s.", few=few, ends=ends)
    reshuffles = _reshuffles(s, few, ends)
    if r.draw_count > 1:
        return reshuffles
    return f"{reshuffles} " + say("That happens at most %(most)s times in a deal.", most=MOST_RESHUFFLES)


def _reshuffles(s: Sheet, few: str, ends: str) -> str:
    if s.rules.wild_freezes:
        return say(
            "When the stock has %(few)s, a player who draws takes the cards that are left. All of "
            "the discard pile but its top card is shuffled into a new stock, which unfreezes the "
            "pile, and the player draws the missing cards from it. If that would be too few, "
            "%(ends)s.",
            few=few,
            ends=ends,
        )
    return say(
        "When the stock has %(few)s, a player who draws takes the cards that are left. All of "
        "the discard pile but its top card is shuffled into a new stock, and the player draws "
        "the missing cards from it. If that would be too few, %(ends)s.",
        few=few,
        ends=ends,
    )


@says(END, "last_red_three_ends")
def _last_red_three(s: Sheet) -> str:
    if not s.rules.last_red_three_ends:
        return say(
            "If the last card of the stock is a red three, it is laid without a replacement and the turn continues."
        )
    return say(
        "If the last card of the stock is a red three, the player who draws it lays it. That "
        "player may still meld, and go out by melding, but does not discard. Then the deal is "
        "over."
    )


@says(END, on=("kept_ranks", "pile_take", "red_threes"))
def _all_kept(s: Sheet) -> str:
    if not s.rules.kept_ranks:
        return ""
    if s.rules.pile_take == "none":
        return say(
            "If after drawing you have nothing but %(cards)s that may not be discarded, you may end "
            "the deal. You lay them all on the table, where they count their value but belong to no "
            "meld.",
            cards=kept_words(s.rules),
        )
    return say(
        "If after drawing or taking the pile you have nothing but %(cards)s that may not be "
        "discarded, you may end the deal. You lay them all on the table, where they count their "
        "value but belong to no meld.",
        cards=kept_words(s.rules),
    )


@says(END)
def _scored_alike(s: Sheet) -> str:
    return say("However the deal ends, it is scored in the same way. If nobody went out, nobody scores for going out.")


# Scoring


@says(SCORING, on=("garbage", "stacks"))
def _cards(s: Sheet) -> str:
    stacks = stacks_or(s.rules)
    if s.rules.garbage:
        return s.of_us(
            later(
                "The values of cards on the table, in books, in incomplete melds and on the garbage "
                "pile, count for you. Those in %(stacks)s count against you."
            ),
            later(
                "The values of cards on the table, in books, in incomplete melds and on the garbage "
                "pile, count for your team. Those in %(stacks)s count against your team."
            ),
            stacks=stacks,
        )
    return s.of_us(
        later(
            "The values of cards on the table, in books and incomplete melds, count for you. Those "
            "in %(stacks)s count against you."
        ),
        later(
            "The values of cards on the table, in books and incomplete melds, count for your team. "
            "Those in %(stacks)s count against your team."
        ),
        stacks=stacks,
    )


@says(SCORING, "held_counts", on=("stacks",))
def _held_counts(s: Sheet) -> str:
    if s.rules.held_counts == "all":
        return s.of_us(
            later("Cards left in %(stacks)s count even if you go out."),
            later("Cards that partners have left in %(stacks)s count even if you go out."),
            stacks=stacks_and(s.rules),
        )
    if s.rules.has_knee:
        return s.of_us(
            later("Nothing left in hand, knee and foot counts for or against the player who went out first."),
            later("Nothing left in hands, knees and feet counts for or against the team that went out first."),
        )
    return s.of_us(
        later("Nothing left in hand and foot counts for or against the player who went out first."),
        later("Nothing left in hands and feet counts for or against the team that went out first."),
    )


@says(SCORING, "book_bonus", on=("wild_melds", "special_books"))
def _book_bonus(s: Sheet) -> str:
    clean, dirty, wild = s.rules.book_bonus
    parts = [say("a clean book %(earns)s", earns=earns(clean)), say("a dirty book %(earns)s", earns=earns(dirty))]
    if s.rules.wild_melds:
        parts.append(say("a wild book %(earns)s", earns=earns(wild)))
    elif wild:
        parts.append(say("a wild book, if there were any, %(earns)s", earns=earns(wild)))
    parts += [
        say("a book of %(cards)s %(earns)s", cards=rank_words(rank), earns=earns(special.points))
        for rank, special in s.rules.special.items()
    ]
    return say("In addition to the values of its cards, %(bonuses)s.", bonuses=join_words(parts))


@says(SCORING, "wild_needs_clean", on=("wild_melds",))
def _wild_needs_clean(s: Sheet) -> str:
    if not s.rules.wild_needs_clean:
        return s.of_us(
            later("The bonus of a book does not depend on your other books."),
            later("The bonus of a book does not depend on your team’s other books."),
        )
    if s.rules.wild_melds:
        return s.of_us(
            later("A wild book earns its bonus only if you have a clean book too."),
            later("A wild book earns its bonus only if your team has a clean book too."),
        )
    return s.of_us(
        later("A wild book earns its bonus only if you have a clean book too, but there are no wild books here."),
        later("A wild book earns its bonus only if your team has a clean book too, but there are no wild books here."),
    )


@says(SCORING, "wild_unfinished")
def _wild_unfinished(s: Sheet) -> str:
    if not s.rules.wild_unfinished:
        return say("An incomplete meld costs nothing extra.")
    return say(
        "A meld of wild cards that is incomplete at the end of the deal %(earns)s.",
        earns=earns(s.rules.wild_unfinished),
    )


@says(SCORING, "red_three", on=("red_threes", "stacks"))
def _red_three(s: Sheet) -> str:
    laid, held = s.rules.red_three
    if not s.rules.laid_threes:
        sentence = later("Each red three still in a %(stacks)s %(held)s.")
        if laid:
            sentence = later("Each red three still in a %(stacks)s %(held)s, and one on the table, if any, %(laid)s.")
        return say(sentence, laid=earns(laid), held=earns(held), stacks=stacks_or(s.rules))
    return say(
        "Each red three on the table %(laid)s, and each one still in a %(stacks)s %(held)s.",
        laid=earns(laid),
        held=earns(held),
        stacks=stacks_or(s.rules),
    )


@says(SCORING, "red_three_all")
def _red_three_all(s: Sheet) -> str:
    together = s.rules.red_three_all
    if together is None:
        return say("Laying %(red_threes)s earns nothing extra.", red_threes=s.red_threes)
    return s.of_us(
        later("If one player has laid %(red_threes)s, they count %(points)s together instead."),
        later("If one team has laid %(red_threes)s, they count %(points)s together instead."),
        red_threes=s.red_threes,
        points=points(together),
    )


@says(SCORING, "red_three_sets")
def _red_three_sets(s: Sheet) -> str:
    sets = s.rules.red_three_sets
    if sets is None:
        return say("Red threes do not count in sets.")
    return s.of_us(
        later("Every %(size)s red threes that one player has laid count %(points)s together instead."),
        later("Every %(size)s red threes that one team has laid count %(points)s together instead."),
        size=number(sets.size),
        points=points(sets.points),
    )


@says(SCORING, "red_three_sevens")
def _red_three_sevens(s: Sheet) -> str:
    if not s.rules.red_three_sevens:
        return say("The points for red threes on the table do not depend on books.")
    return s.of_us(
        later(
            "For a player without a book of sevens, the points for red threes on the table are taken off, whether they "
            "would add or cost points."
        ),
        later(
            "For a team without a book of sevens, the points for red threes on the table are taken off, whether they "
            "would add or cost points."
        ),
    )


@says(SCORING, "out_bonus")
def _out_bonus(s: Sheet) -> str:
    return say("Going out %(earns)s.", earns=earns(s.rules.out_bonus))


# The match


@says(MATCH)
def _totals(s: Sheet) -> str:
    return say("The scores of all deals of a match are added up.")


@says(MATCH, "length")
def _length(s: Sheet) -> str:
    by, most = s.rules.length
    if by == "deals":
        deals = f"{number(most)} {say_several('deal', 'deals', most)}"
        return s.of_us(
            later("A match is %(deals)s. The player with the highest total wins."),
            later("A match is %(deals)s. The team with the highest total wins."),
            deals=deals,
        )
    return s.of_us(
        later(
            "A match ends with the first deal after which a player has %(points)s or more, "
            "at the latest with deal %(deal)s. The player with the highest total wins."
        ),
        later(
            "A match ends with the first deal after which a team has %(points)s or more, "
            "at the latest with deal %(deal)s. The team with the highest total wins."
        ),
        points=points(most),
        deal=MOST_DEALS,
    )


@says(MATCH, "tie")
def _tie(s: Sheet) -> str:
    if s.rules.tie == "shared":
        return s.of_us(
            later("If players have the same highest total, they share the win."),
            later("If teams have the same highest total, they share the win."),
        )
    return s.of_us(
        later("If players have the same highest total, more deals follow until one is ahead, %(most)s at most in all."),
        later("If teams have the same highest total, more deals follow until one is ahead, %(most)s at most in all."),
        most=MOST_DEALS,
    )


# Penalties


@says(PENALTIES, "penalties")
def _penalties(s: Sheet) -> str:
    penalties = s.rules.penalties
    if penalties is None:
        return say("There are no penalties: a move against the rules is refused and costs nothing.")
    parts = [say("trying to take the discard pile against the rules %(costs)s", costs=costs(penalties.wrong_claim))]
    if s.partners != NOBODY or s.shape is None:
        parts += [
            say("going out after a partner said no %(costs)s", costs=costs(penalties.out_refused)),
            say(
                "getting permission to go out and then not going out in that turn %(costs)s",
                costs=costs(penalties.asked_not_out),
            ),
        ]
    return say(
        "If a table accepts wrong moves (assist is off), %(penalties)s, with no other effect. At "
        "other tables wrong moves are refused and none of this costs points.",
        penalties=join_words(parts),
    )
