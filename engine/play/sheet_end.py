"""Sentences of the rule sheet about how a deal goes to its end: the foot, going out, scores and the match."""

from __future__ import annotations

from engine.play.melds import number_words
from engine.play.sheet_turn import kept_words
from engine.play.sheet_words import NOBODY, Chapter, Sheet, cards, costs, earns, listed, points, start

FOOT, OUT, END = "The foot", "Going out", "The end of the deal"
SCORING, MATCH, PENALTIES = "Scoring", "The match", "Penalties"

ENDING = Chapter()
says = ENDING.says


# The foot


@says(FOOT, "foot_when")
def _foot_when(s: Sheet) -> str:
    if s.rules.foot_when == "hand_empty":
        return (
            "You pick up your foot when your hand is empty; if you empty it by melding, pick up the foot at once and "
            "go on with your turn."
        )
    return (
        "You pick up your foot after the discard of the turn in which you yourself laid the seventh card of a book; it "
        "joins the cards in your hand."
    )


@says(FOOT, on=("foot_when",))
def _foot_earned(s: Sheet) -> str:
    if s.rules.foot_when == "hand_empty":
        return ""
    return (
        "Until you have laid the seventh card of a book you must keep two cards before you discard, one to discard and "
        "one to hold; in the turn in which you lay it, keep one to discard."
    )


@says(FOOT, "foot_after_discard")
def _foot_after_discard(s: Sheet) -> str:
    if s.rules.foot_after_discard == "at_once":
        return (
            "If your discard empties your hand, you pick up your foot at once, but play from it only in your next turn."
        )
    return "If your discard empties your hand, you pick up your foot when your next turn begins."


# Going out


@says(OUT)
def _going_out(s: Sheet) -> str:
    return "You go out by playing the last of your cards, after you have picked up your foot."


@says(OUT, "contract")
def _contract(s: Sheet) -> str:
    clean, dirty, wild, sevens = s.rules.contract
    parts = [
        number_words(count, f"{kind} book", f"{kind} books")
        for kind, count in (("clean", clean), ("dirty", dirty), ("wild", wild))
        if count
    ]
    if sevens:
        parts.append(number_words(sevens, "book of sevens", "books of sevens"))
    if not parts:
        return "No book is needed to go out."
    return start(f"you may go out only if {s.we_have} {listed(parts)}; more books do no harm.")


@says(OUT, "contract_red_threes")
def _contract_red_threes(s: Sheet) -> str:
    if s.rules.contract_red_threes == "none":
        return "Red threes do not matter for going out."
    return f"Nobody may go out before {s.red_threes} lie on the table, whoever laid them."


@says(OUT, "partner_foot", partners=True)
def _partner_foot(s: Sheet) -> str:
    if s.rules.partner_foot == "none":
        return "Nobody else's foot matters when you go out."
    done = "picked up the foot"
    if s.rules.partner_foot == "played":
        done = "played at least part of a turn from the foot"
    return start(f"{s.with_partners}you may go out only if {s.each_partner} has {done}.")


@says(OUT, "permission", partners=True)
def _permission(s: Sheet) -> str:
    if s.rules.permission == "none":
        return "Nobody is asked for permission to go out."
    ask = f"ask {s.each_partner} “May I go out?”"
    if s.rules.permission == "required":
        return start(f"{s.with_partners}you must {ask}, and may go out only after a yes from {s.each_partner}.")
    return start(
        f"{s.with_partners}you may {ask}, but need not; if {s.a_partner} says no, you may not go out in that turn."
    )


@says(OUT, on=("permission", "pile_take"), partners=True)
def _asking(s: Sheet) -> str:
    if s.rules.permission == "none":
        return ""
    no = "" if s.one_partner else "partners answer in turn, the first no closes the question; "
    return start(
        f"{s.with_partners}you may ask for permission once a turn, from the foot, after {s.drawn} and while you still "
        f"hold a card; {no}the answer holds for that turn only, and nothing else may be said."
    )


@says(OUT, "last_card")
def _last_card(s: Sheet) -> str:
    return {
        "either": "Your last card may be discarded, or melded, which ends the turn without a discard.",
        "discard": "To go out you must discard your last card; you may not meld it.",
        "meld": "To go out you must meld your last card; you may not discard it.",
    }[s.rules.last_card]


@says(OUT)
def _keep_two(s: Sheet) -> str:
    return (
        "If you play from your foot and may not go out, your last card must stay: keep two cards before you discard, "
        "one to discard and one to hold. What counts is the table after your meld, so the meld that makes going out "
        "possible may also be the one with which you go out."
    )


# The end of the deal


@says(END, "final_turns")
def _final_turns(s: Sheet) -> str:
    if not s.rules.final_turns:
        return "The deal is over as soon as a player goes out."
    return (
        "When a player goes out by a discard, every other player has one more turn, in which hand and foot may be "
        "played to the last card whatever is otherwise needed to go out, without a bonus for it; when a player goes "
        "out by a meld, the deal is over at once."
    )


@says(END, "stock_out", on=("draw_count", "pile_take", "wild_freezes"))
def _stock_out(s: Sheet) -> str:
    r = s.rules
    few = "no card" if r.draw_count == 1 else f"fewer than {cards(r.draw_count)}"
    ends = "the deal ends with the next player who would have to draw"
    if r.pile_take != "none":
        ends = "the discard pile can still be taken, and the deal ends when a player cannot or does not want to take it"
    if r.stock_out == "play_on":
        return f"When the stock has {few}, {ends}."
    if r.stock_out == "end":
        return f"The deal ends with the turn after which the stock has {few}."
    frozen = ", which unfreezes the pile" if r.wild_freezes else ""
    return (
        f"When the stock has {few}, a player who draws takes what there is, all of the discard pile but its top card "
        f"is shuffled into a new stock{frozen}, and the player draws the rest; if that would be too little, {ends}."
    )


@says(END, "last_red_three_ends")
def _last_red_three(s: Sheet) -> str:
    if not s.rules.last_red_three_ends:
        return "If the last card of the stock is a red three, it is laid without a replacement and the turn goes on."
    return (
        "If the last card of the stock is a red three, the player who draws it lays it and may still meld, and go out "
        "by melding, but does not discard; then the deal is over."
    )


@says(END, on=("kept_ranks", "pile_take"))
def _all_kept(s: Sheet) -> str:
    if not s.rules.kept_ranks:
        return ""
    return (
        f"If after {s.drawn} you hold nothing but {kept_words(s.rules)} that may not be discarded, you "
        f"may end the deal: you lay them all on the table, where they count their value but belong to no meld."
    )


@says(END)
def _scored_alike(s: Sheet) -> str:
    return "However the deal ends, it is scored in the same way; if nobody went out, nobody scores for going out."


# Scoring


@says(SCORING, on=("garbage",))
def _cards(s: Sheet) -> str:
    where = (
        "in books, in incomplete melds and on the garbage pile" if s.rules.garbage else "in books and incomplete melds"
    )
    return f"The values of cards on the table, {where}, count for {s.we}; those in hand or foot count against {s.we}."


@says(SCORING, "book_bonus", on=("wild_melds",))
def _book_bonus(s: Sheet) -> str:
    clean, dirty, wild, sevens = s.rules.book_bonus
    parts = [f"a clean book {earns(clean)}", f"a dirty book {earns(dirty)}"]
    if s.rules.wild_melds:
        parts.append(f"a wild book {earns(wild)}")
    elif wild:
        parts.append(f"a wild book, if there were any, {earns(wild)}")
    parts.append(f"a book of sevens {'counts like any other' if sevens is None else earns(sevens)}")
    return f"Besides the values of its cards, {listed(parts)}."


@says(SCORING, "wild_needs_clean", on=("wild_melds",))
def _wild_needs_clean(s: Sheet) -> str:
    if not s.rules.wild_needs_clean:
        return f"What a book earns does not depend on {s.our} other books."
    aside = "" if s.rules.wild_melds else ", but there are no wild books here"
    return f"A wild book earns its bonus only if {s.we_have} a clean book too{aside}."


@says(SCORING, "wild_unfinished")
def _wild_unfinished(s: Sheet) -> str:
    if not s.rules.wild_unfinished:
        return "An incomplete meld costs nothing extra."
    return f"A meld of wild cards that is incomplete at the end of the deal {earns(s.rules.wild_unfinished)}."


@says(SCORING, "red_three")
def _red_three(s: Sheet) -> str:
    laid, held = s.rules.red_three
    return f"Each red three on the table {earns(laid)}, and each one still in a hand or foot {earns(held)}."


@says(SCORING, "red_three_all")
def _red_three_all(s: Sheet) -> str:
    together = s.rules.red_three_all
    if together is None:
        return f"Laying {s.red_threes} earns nothing extra."
    return f"If one {s.side} has laid {s.red_threes}, they count {points(together)} together instead."


@says(SCORING, "red_three_sevens")
def _red_three_sevens(s: Sheet) -> str:
    if not s.rules.red_three_sevens:
        return "What red threes on the table count does not depend on books."
    return f"For a {s.side} without a book of sevens, the points for red threes on the table are taken off, not added."


@says(SCORING, "out_bonus")
def _out_bonus(s: Sheet) -> str:
    return f"Going out {earns(s.rules.out_bonus)}."


# The match


@says(MATCH)
def _totals(s: Sheet) -> str:
    return "The scores of all deals of a match are added up."


@says(MATCH, "length")
def _length(s: Sheet) -> str:
    by, figure = s.rules.length
    if by == "deals":
        return f"A match is {number_words(figure, 'deal', 'deals')}; the {s.side} with the highest total wins."
    return (
        f"A match ends with the first deal after which a {s.side} has {points(figure)} or more; the highest total wins."
    )


@says(MATCH, "tie")
def _tie(s: Sheet) -> str:
    if s.rules.tie == "shared":
        return f"If {s.side}s have the same highest total, they share the win."
    return f"If {s.side}s have the same highest total, more deals are played until one is ahead."


# Penalties


@says(PENALTIES, "penalties")
def _penalties(s: Sheet) -> str:
    penalties = s.rules.penalties
    if penalties is None:
        return "There are no penalties: a move against the rules is refused and costs nothing."
    parts = [f"trying to take the discard pile against the rules {costs(penalties.wrong_claim)}"]
    if s.partners != NOBODY or s.shape is None:
        parts += [
            f"going out after a partner said no {costs(penalties.out_refused)}",
            f"getting permission to go out and then not going out in that turn {costs(penalties.asked_not_out)}",
        ]
    return (
        f"Where a table lets wrong moves stand (assist is off), {listed(parts)}, and nothing else comes of it; "
        f"elsewhere wrong moves are refused and nothing of this costs points."
    )
