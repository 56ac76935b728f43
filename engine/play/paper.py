"""Score sheets kept by hand: figures of a deal with real cards, scored as the engine scores its own.

    {"rules": "standard", "seats": 4, "team_size": 2, "deal": 2, "scores": [1200, -35],
     "teams": [{"books": {"clean": 2, "dirty": 2, "wild": 1}, "melded": 640, "left": 25, "red_threes_laid": 3,
                "out": true},
               {"books": {"dirty": 1}, "melded": {"K": 8, "9": 4, "2": 1}, "left": "Xr 4c 4d 9h",
                "red_threes_held": 1, "lifts": 0, "penalties": -50, "unfinished_wild": 0}]}

Only `rules` and `teams` are required, and of a team nothing. `books` counts complete books by kind. `melded` is all
cards on the table, those of books too; `left` all in hands and feet; each as points, as cards in notation, or as
cards by rank (`X` jokers, `2` twos, `3` black threes). Red threes are counted apart; those named in `left` are held.
"""

from __future__ import annotations

from collections import Counter
from math import gcd
from typing import Any, NamedTuple

from engine.errors import BadInput
from engine.play import scoring
from engine.play.cards import FOUR, JOKER, RANK_WORDS, RANKS, RED_THREES, THREE, TWO, parse_cards
from engine.play.melds import BOOK
from engine.play.options import Shape
from engine.play.rules import Rules
from engine.play.scoring import Item, Outcome, add_up, match_winners
from engine.words import later, say

KINDS_OF_BOOK = ("clean", "dirty", "wild", *(plural for _, plural in (RANK_WORDS[rank] for rank in RANKS[1:JOKER])))
"""Every kind of book in any ruleset: the ordinary ones, and those of ranks that may count apart."""
_NUMBERS = ("red_threes_laid", "red_threes_held", "lifts", "unfinished_wild")
_MOST = 1000
"""No table has more of anything that is counted."""
_MOST_POINTS = 10**9


class CardCount(NamedTuple):
    """Cards on a sheet: their points, and counts by rank if the sheet has them."""

    points: int
    ranks: Counter[str] | None


class Tally(NamedTuple):
    """A team's part of a sheet."""

    books: dict[str, int]
    melded: CardCount
    left: CardCount
    red_threes_laid: int
    red_threes_held: int
    out: bool
    lifts: int
    lift_points: int
    penalties: int
    unfinished_wild: int


class Paper(NamedTuple):
    """A sheet without contradictions: every figure is possible alone and with the others."""

    rules: Rules
    shape: Shape
    deal: int
    scores: tuple[int, ...]
    """By team: totals before the deal."""
    tallies: tuple[Tally, ...]


def read_paper(data: Any) -> Paper:
    """The sheet that JSON describes. Raises `BadInput` that names the team and the item."""
    if not isinstance(data, dict) or "rules" not in data or not isinstance(data.get("teams"), list):
        raise BadInput("A score sheet is a JSON object with at least `rules` and a list of `teams`.")
    keys = ("rules", "seats", "team_size", "deal", "scores", "teams")
    if unknown := [key for key in data if key not in keys]:
        raise BadInput(f"A score sheet has no key {unknown[0]!r:.40}.")
    rules = Rules.read(data["rules"])
    seats, team_size = (_integer(data.get(key), f"`{key}`", 1, 12) for key in ("seats", "team_size"))
    shape = rules.shape(seats or None, team_size or None)
    deal = _integer(data.get("deal", 1), "`deal`", 1, 10_000)
    scores = data.get("scores", [0] * shape.teams)
    if not isinstance(scores, list) or len(scores) != shape.teams:
        raise BadInput(f"`scores` must list a total for each of the {shape.teams} teams.")
    totals = tuple(_integer(score, "`scores`", -_MOST_POINTS, _MOST_POINTS) for score in scores)
    if deal > 1 and match_winners(rules, deal - 1, totals) is not None:
        raise BadInput(f"By `deal` and `scores` the match was over before deal {deal}.")
    if len(data["teams"]) != shape.teams:
        raise BadInput(f"`teams` must have an entry for each of the {shape.teams} teams, not {len(data['teams'])}.")
    rules = rules.in_deal(deal)
    tallies = tuple(_tally(rules, entry, f"Team {team}") for team, entry in enumerate(data["teams"]))
    paper = Paper(rules, shape, deal, totals, tallies)
    for team, tally in enumerate(tallies):
        _check_team(paper, tally, f"Team {team}")
    _check_table(paper)
    return paper


def score_paper(paper: Paper) -> Outcome:
    """The scores that follow from the sheet."""
    sheets = tuple(_sheet(paper, tally) for tally in paper.tallies)
    return add_up(paper.rules, paper.deal, paper.scores, sheets)


def _sheet(paper: Paper, tally: Tally) -> tuple[Item, ...]:
    team_tally = scoring.Tally(
        books={kind: tally.books[kind] for kind in paper.rules.bonus_of},
        wild_unfinished=tally.unfinished_wild,
        red_threes_laid=tally.red_threes_laid,
        red_threes_held=tally.red_threes_held,
        out=tally.out,
        lifts=lifts(paper.rules, tally.lifts, tally.lift_points),
        melded=(_number(tally.melded), tally.melded.points),
        left=(_number(tally.left), tally.left.points),
        penalties=tally.penalties,
    )
    return scoring.score_items(paper.rules, paper.shape.seats, team_tally)


def lifts(rules: Rules, count: int, points: int) -> tuple[int, int]:
    """Lifts that score and their points: by the number of exact ones, or as points where they go by distance."""
    if rules.lift is not None and rules.lift.exact is not None:
        return count, count * rules.lift.exact
    return int(points != 0), points


def _number(cards: CardCount) -> int:
    """Number of cards, 0 if only their points are known."""
    return cards.ranks.total() if cards.ranks else 0


# Reading one team


def _integer(value: Any, where: str, low: int, high: int) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        if where.endswith(": it"):
            why = say("it must be a whole number from %(low)s to %(high)s.", low=low, high=high)
            raise BadInput(where.removesuffix("it") + why)
        raise BadInput(
            say("%(where)s must be a whole number from %(low)s to %(high)s.", where=where, low=low, high=high)
        )
    return value


def _tally(rules: Rules, entry: Any, team: str) -> Tally:
    if not isinstance(entry, dict):
        raise BadInput(f"{team} must be an object with what the team has.")
    if unknown := [key for key in entry if key not in Tally._fields]:
        raise BadInput(f"{team} has no item {unknown[0]!r:.40}; there are {', '.join(Tally._fields)}.")
    books = entry.get("books") or {}
    if not isinstance(books, dict) or set(books) - set(KINDS_OF_BOOK):
        kinds = ", ".join(dict.fromkeys((*rules.bonus_of, "sevens")))
        raise BadInput(f"{team}, `books`: it must be an object with some of {kinds}.")
    if not isinstance(entry.get("out"), bool | None):
        raise BadInput(f"{team}, `out`: it must be true or false.")
    numbers = {key: _integer(entry.get(key), f"{team}, `{key}`: it", 0, _MOST) for key in _NUMBERS}
    left, held = _read_cards(rules, entry.get("left"), f"{team}, `left`")
    if held and entry.get("red_threes_held") not in (None, held):
        why = say("it says %(told)s, but `left` names %(held)s.", told=numbers["red_threes_held"], held=held)
        raise BadInput(f"{team}, `red_threes_held`: {why}")
    numbers["red_threes_held"] = held or numbers["red_threes_held"]
    melded, red = _read_cards(rules, entry.get("melded"), f"{team}, `melded`", rules.never_melded)
    if red:
        why = say("red threes are counted in `red_threes_laid`.")
        raise BadInput(f"{team}, `melded`: {why}")
    return Tally(
        books={kind: _integer(books.get(kind), f"{team}, `books`, {kind}: it", 0, _MOST) for kind in KINDS_OF_BOOK},
        melded=melded,
        left=left,
        out=bool(entry.get("out")),
        lift_points=_integer(entry.get("lift_points"), f"{team}, `lift_points`: it", -_MOST_POINTS, _MOST_POINTS),
        penalties=_integer(entry.get("penalties"), f"{team}, `penalties`: it", -_MOST_POINTS, 0),
        **numbers,
    )


def _read_cards(rules: Rules, value: Any, where: str, apart: bytes = RED_THREES) -> tuple[CardCount, int]:
    """Cards in any of the three forms, and how many red threes counted `apart` are among them."""
    if isinstance(value, str):
        try:
            cards = parse_cards(value)
        except BadInput as error:
            raise BadInput(f"{where}: {error.sentence}") from None
        plain = cards.translate(None, apart)
        ranks = Counter(RANKS[card // 4] for card in plain)
        return CardCount(sum(rules.values[card // 4] for card in plain), ranks), len(cards) - len(plain)
    if isinstance(value, dict):
        if unknown := [key for key in value if len(key) != 1 or key not in RANKS]:
            raise BadInput(f"{where}: {unknown[0]!r:.40} is no rank; write one of {RANKS}.")
        ranks = Counter({rank: _integer(count, f"{where}, {rank}: it", 0, _MOST) for rank, count in value.items()})
        return CardCount(sum(rules.values[RANKS.index(rank)] * count for rank, count in ranks.items()), ranks), 0
    points = _integer(value, f"{where}: if it is neither cards nor cards by rank, it", 0, _MOST_POINTS)
    unit = gcd(*rules.values)
    if unit and points % unit:
        why = say(
            "%(points)s points are not possible, because every card is worth a multiple of %(unit)s.",
            points=points,
            unit=unit,
        )
        raise BadInput(f"{where}: {why}")
    return CardCount(points, Counter() if not points and value is not None else None), 0


# Contradictions


def _check_team(paper: Paper, tally: Tally, team: str) -> None:
    rules, books = paper.rules, tally.books
    wild = later("melds of wild cards are not played in this ruleset.")
    checks = [
        (books["wild"] and not rules.wild_melds, "books", wild),
        (tally.unfinished_wild and not rules.wild_melds, "unfinished_wild", wild),
        *[
            (
                books[kind] and kind not in rules.bonus_of,
                "books",
                later("a book of %(cards)s is a clean book in this ruleset."),
            )
            for kind in KINDS_OF_BOOK
        ],
        (books["dirty"] and not max(rules.wild_limits), "books", later("no book can have wild cards in this ruleset.")),
        (
            tally.red_threes_laid and not rules.laid_threes,
            "red_threes_laid",
            later("red threes are never laid in this ruleset."),
        ),
        (
            tally.unfinished_wild > 1 and rules.melds_per_rank != "free",
            "unfinished_wild",
            later("a team has at most one unfinished meld of a rank."),
        ),
        (tally.lifts and rules.lift is None, "lifts", later("nobody lifts the cards in this ruleset.")),
        (tally.lift_points and rules.lift is None, "lift_points", later("nobody lifts the cards in this ruleset.")),
        (
            tally.lifts and rules.lift is not None and rules.lift.exact is None,
            "lifts",
            later("lifting scores by distance in this ruleset, so its points are written as `lift_points`."),
        ),
        (
            tally.lift_points and rules.lift is not None and rules.lift.exact is not None,
            "lift_points",
            later("only exact lifts score in this ruleset, and they are counted."),
        ),
        (tally.lifts > paper.shape.team_size, "lifts", later("each player in a team of %(size)s lifts only once.")),
    ]
    for wrong, item, sentence in checks:
        if wrong:
            apart = next((kind for kind in KINDS_OF_BOOK if books[kind] and kind not in rules.bonus_of), "")
            text = say(sentence, size=paper.shape.team_size, cards=say(apart) if apart else "")
            raise BadInput(f"{team}, `{item}`: {text}")
    _check_melded(rules, tally, team)
    if tally.out:
        _check_out(paper, tally, team)


def _check_melded(rules: Rules, tally: Tally, team: str) -> None:
    """The books must be among the cards on the table."""
    natural = sum(count for kind, count in tally.books.items() if kind != "wild")
    values = rules.values
    wild_worth = min(values[TWO], values[JOKER]) if rules.jokers_per_deck else values[TWO]
    least = min(*values[THREE if rules.black_three_meld == "always" else FOUR : JOKER], wild_worth) * BOOK * natural
    least += wild_worth * (BOOK * tally.books["wild"] + 3 * tally.unfinished_wild)
    cards = BOOK * sum(tally.books.values()) + 3 * tally.unfinished_wild
    ranks = tally.melded.ranks
    if ranks is not None and ranks.total() < cards:
        why = say(
            "its books and wild melds alone are %(cards)s cards, not %(count)s.", cards=cards, count=ranks.total()
        )
        raise BadInput(f"{team}, `melded`: {why}")
    if tally.melded.points < least:
        sentence = say(
            "its books alone are worth %(least)s or more in cards, not %(points)s.",
            least=least,
            points=tally.melded.points,
        )
        raise BadInput(f"{team}, `melded`: {sentence}")


def _check_out(paper: Paper, tally: Tally, team: str) -> None:
    """Check that the team that went out had fulfilled the contract, and had no card left."""
    need = paper.rules.needed
    missing = {kind: count - tally.books[kind] for kind, count in need.items() if count > tally.books[kind]}
    if missing:
        words = ", ".join(f"{count} {kind}" for kind, count in missing.items())
        raise BadInput(f"{team}, `out`: it cannot have gone out, since its contract still wants {words}.")
    if paper.shape.team_size == 1 and (tally.left.points or tally.red_threes_held or _number(tally.left)):
        why = say("a player who goes out has no card left.")
        raise BadInput(f"{team}, `left`: {why}")
    if paper.rules.contract_red_threes == "all":
        laid = sum(tally.red_threes_laid for tally in paper.tallies)
        if laid < (every := len(RED_THREES) * paper.rules.deck_count(paper.shape.seats)):
            why = say(
                "all %(every)s red threes must be on the table before anyone goes out, not %(laid)s.",
                every=every,
                laid=laid,
            )
            raise BadInput(f"{team}, `out`: {why}")


def _check_table(paper: Paper) -> None:
    """Check all teams together."""
    rules, tallies = paper.rules, paper.tallies
    pack = rules.pack(paper.shape.seats)
    out = [team for team, tally in enumerate(tallies) if tally.out]
    if len(out) > 1:
        why = say("team %(other)s has already gone out, and only one team can.", other=out[0])
        raise BadInput(f"Team {out[1]}, `out`: {why}")
    there = Counter(RANKS[card // 4] for card in pack if card not in rules.never_melded)
    red, counts = 0, Counter[str]()
    most_red = sum(1 for card in pack if card in RED_THREES)
    for team, tally in enumerate(tallies):
        red += tally.red_threes_laid + tally.red_threes_held
        if red > most_red:
            item = "red_threes_laid" if tally.red_threes_laid else "red_threes_held"
            why = say("that makes %(count)s red threes, but the pack has only %(most)s.", count=red, most=most_red)
            raise BadInput(f"Team {team}, `{item}`: {why}")
        for item, cards in (("melded", tally.melded), ("left", tally.left)):
            counts += cards.ranks or Counter()
            for rank in RANKS:
                if counts[rank] > there[rank]:
                    sentence = say(
                        "that makes %(count)s × %(rank)s, but the pack has only %(most)s.",
                        count=counts[rank],
                        rank=rank,
                        most=there[rank],
                    )
                    raise BadInput(f"Team {team}, `{item}`: {sentence}")
    _check_books(paper, there)
    worth = sum(tally.melded.points + tally.left.points for tally in tallies)
    if worth > (total := sum(rules.meld_values[card] for card in pack)):
        raise BadInput(
            say(
                "The cards of all teams are worth %(worth)s together, but the whole pack is worth %(whole)s.",
                worth=worth,
                whole=total,
            )
        )


def _check_books(paper: Paper, there: Counter[str]) -> None:
    """All books must be made of one pack."""
    wild_there = there["2"] + there["X"]
    rules = paper.rules
    first = THREE if rules.black_three_meld == "always" else FOUR
    natural_there = sum(there[rank] for rank in RANKS[first:JOKER])
    wild = natural = 0
    limit = rules.wild_limits[-1]
    mixed = {kind for rank, kind in rules.special_kinds.items() if rules.special[rank].mixed}
    for team, tally in enumerate(paper.tallies):
        books = tally.books
        wild += BOOK * books["wild"] + 3 * tally.unfinished_wild + books["dirty"]
        may_be_wild = books["dirty"] + sum(books[kind] for kind in mixed)
        natural += BOOK * (sum(books.values()) - books["wild"] - may_be_wild) + (BOOK - limit) * may_be_wild
        for kind, needed, most in (("wild", wild, wild_there), ("natural", natural, natural_there)):
            if needed > most:
                sentence = later("so many books take %(needed)s natural cards, but the pack has only %(most)s.")
                if kind == "wild":
                    sentence = later("so many books take %(needed)s wild cards, but the pack has only %(most)s.")
                raise BadInput(f"Team {team}, `books`: {say(sentence, needed=needed, most=most)}")
