"""Advice from the brain of `expert`: the acts worth a thought, ranked, with what each is worth and why."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from engine.bots.discarding import ranked_discards
from engine.bots.ending import margin_out
from engine.bots.expert import DOUBT, Expert, Trial, best_of, bound, candidates, play_on
from engine.bots.imagining import Imagination
from engine.bots.knowledge import Sight
from engine.bots.melding import PATIENCE
from engine.bots.memory import Memory
from engine.play.cards import JOKER, NAMES, THREE, TWO, count_wild, rank_words
from engine.play.legality.going_out import book_noun
from engine.play.legality.laying import Laid
from engine.play.legality.legal import judge
from engine.play.melds import BOOK, Meld, book_kind, meld_words, number_word
from engine.play.moves import NO, WILD, Move
from engine.play.state import CHOOSE, LIFT, OVER, State
from engine.play.view import View
from engine.words import say, say_several

SECONDS = 0.3
"""Time for advice, unless another is given."""
DANGEROUS = 4
"""Cards in the pile from which a discard is judged by what the next player could do with it."""


class Advice(NamedTuple):
    """An act with what it is worth and why."""

    move: Move
    worth: float
    """Points by which the team should end ahead of the best other. A gain that is not beyond doubt counts nothing."""
    reason: str
    """A sentence, in the language of the reader."""


def advise(
    view: View, seconds: float = SECONDS, *, samples: int | None = None, seed: int | None = None
) -> list[Advice]:
    """The acts worth a thought for the seat to act, the best first; none where another seat has to act.

    Everything comes from the view: its position and its log. With `samples` (imagined deals) instead of time, `seed`
    and view give the same advice on any machine.
    """
    state = view.position
    if state.phase in (LIFT, CHOOSE, OVER) or view.seat != state.actor:
        return []
    bot = Expert(seed, seconds=seconds, samples=samples)
    memory = bot.memory.follow(view.log)
    moves = candidates(state, memory)
    trials = bot.search(state, moves)
    if not trials[0].margins:
        trials = _tried_once(state, moves, memory, seed)
    best = best_of(moves, trials)
    sight = Sight(state, memory)
    advice = [Advice(move, worth, why(sight, move)) for move, worth in zip(moves, worths(trials), strict=True)]
    return sorted(advice, key=lambda item: (item.move != best, -item.worth))


def reason(view: View, move: Move) -> str:
    """One sentence why a move is worth a thought to the seat of the view."""
    memory = Memory().follow(view.log)
    return why(Sight(view.position, memory), move)


def _tried_once(state: State, moves: list[Move], memory: Memory, seed: int | None) -> list[Trial]:
    """Each move played in one imagined deal, where there was no time or no choice."""
    team = state.actor % state.teams
    deal = Imagination(state, state.actor, Random(seed), memory).deal()
    return [Trial([play_on(deal, move, team)], []) for move in moves]


def worths(trials: list[Trial]) -> list[float]:
    """What each candidate is worth: the first by its deals, the others by how they did on the same cards."""
    usual = sum(trials[0].margins) / len(trials[0].margins)
    values = []
    for trial in trials:
        mean = sum(trial.gains) / len(trial.gains) if trial.gains else 0.0
        gain = min(mean, max(0.0, bound(trial.gains, -DOUBT))) if trial.gains else 0.0
        values.append(usual + gain)
    return values


# Reasons


def why(sight: Sight, move: Move) -> str:
    """One sentence why the move is worth a thought."""
    if isinstance(verdict := judge(sight.state, move), Laid):
        melded = _why_laid(sight, move, verdict.melds)
        return _why_taken(sight, melded) if move.kind == "take" else melded
    if move.kind == "discard":
        return _why_discarded(sight, move.card)
    if move.kind in ("ask", "answer"):
        return _why_ended(sight, is_yes=move != NO)
    if move.kind == "end":
        return say("There is nothing left to do in this turn.")
    return _why_drawn(sight)


def _why_taken(sight: Sight, melded: str) -> str:
    take = sight.rules.pile_take
    count = len(sight.state.pile) if take == "all" else min(len(sight.state.pile), int(take))
    cards = say_several("You get one card of the pile.", "You get %(count)s cards of the pile at once.", count)
    return f"{cards} {melded}"


def _why_drawn(sight: Sight) -> str:
    if sight.state.pile and sight.rules.pile_take != "none":
        return say("Two new cards are worth more than a small pile, or you cannot claim it.")
    return say("New cards come from the stock.")


def _why_laid(sight: Sight, move: Move, after: tuple[Meld, ...]) -> str:
    """What the melds of a move do for the contract."""
    before = sight.melds
    changed = [
        (before[i] if i < len(before) else None, meld)
        for i, meld in enumerate(after)
        if i >= len(before) or meld != before[i]
    ]
    missing = sight.missing()
    for old, meld in changed:
        if len(meld.cards) >= BOOK and (old is None or len(old.cards) < BOOK):
            kind = book_kind(sight.rules, meld)
            needed = missing.get(kind, 0)
            book = book_noun(1, kind, sight.rules.book_words[0])
            if needed:
                return say("Completes a %(book)s, which your team still needs to go out.", book=book)
            return say("Completes a %(book)s.", book=book)
    for old, meld in changed:
        if old and not old.wild and meld.wild and meld.name < JOKER:
            return say("Uses wild cards on the clean %(ranks)s, as little time is left.", ranks=rank_words(meld.name))
    if not sight.state.opened[sight.team]:
        return say("Opens for your team.")
    for old, meld in changed:
        if old is None and meld.wild and meld.name < JOKER and missing.get("dirty", 0):
            return say("Starts a dirty book, because %(missing)s.", missing=_still_missing(sight, "dirty"))
        if meld.name == WILD:
            return say("Wild cards in a meld of their own make the dearest book.")
    names = sorted({meld.name for _, meld in changed})
    if len(sight.hand) - sum(len(group.cards) for group in move.groups) < 2 and not sight.on_foot:
        return say("You reach your foot.")
    return say("The %(ranks)s come nearer to a book.", ranks=meld_words(names[0])) if names else say("Lays cards.")


def _still_missing(sight: Sight, kind: str) -> str:
    count = sight.missing().get(kind, 0)
    book = book_noun(count, kind, sight.rules.book_words[0])
    return say_several(
        "one %(book)s is still missing",
        "%(number)s %(book)s are still missing",
        count,
        number=number_word(count),
        book=book,
    )


def _why_discarded(sight: Sight, card: int) -> str:
    """What the hand or the table gains by throwing just this card."""
    name, rank, size = NAMES[card], card // 4, len(sight.state.pile)
    clean = [
        name for name, meld in sight.open.items() if name < JOKER and not meld.wild and len(meld.cards) >= BOOK - 2
    ]
    if rank == THREE and size >= DANGEROUS:
        return say_several("Blocks a pile of one card.", "Blocks a pile of %(count)s cards.", size)
    if rank in (TWO, JOKER):
        return say("Nothing else can be spared, though wild cards are dear.")
    if count_wild(sight.hand) and clean and len(sight.state.stock) > PATIENCE:
        ranks = rank_words(max(clean, key=lambda other: len(sight.open[other].cards)))
        if sight.missing().get("dirty", 0):
            missing = _still_missing(sight, "dirty")
            return say("Keeps the %(ranks)s clean, though %(missing)s.", ranks=ranks, missing=missing)
        return say("Keeps the %(ranks)s clean.", ranks=ranks)
    if sight.hoards() and sum(len(cards) >= 2 for cards in sight.spans.values()) > (len(sight.spans[rank]) >= 2):
        return say("Keeps pairs to take the pile with.")
    if (ranked := ranked_discards(sight)) and ranked[0].card == card:
        return say("Your hand misses %(card)s least, and the next player can hardly use it.", card=name)
    return say("%(card)s is a card that your hand can spare.", card=name)


def _why_ended(sight: Sight, *, is_yes: bool) -> str:
    lead = round(margin_out(sight.state, sight.seat), -1)
    if is_yes and lead >= 0:
        return say("If the deal ends now, your team should be about %(points)s points ahead.", points=int(lead))
    if is_yes:
        return say("The deal can end, though your team could be about %(points)s points behind.", points=int(-lead))
    if lead < 0:
        return say("Your team would be about %(points)s points behind, so play on.", points=int(-lead))
    return say("Your team can still gain more before the deal ends.")
