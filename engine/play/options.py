"""The kinds of value that an option of a ruleset can have: how each is read from JSON, written and bounded.

Every kind has `read(value, base)` (JSON in, plain immutable value out; `base` is the value it replaces, for
options of which a part may be named) and `write(value)` (the JSON again). `read` raises `ValueError` with the
second half of a sentence: "must be ...".
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from engine.play.cards import RANKS
from engine.words import later, say

_MOST_DEALS = 100
POINTS_LIMIT = 1_000_000
"""No single figure in points is larger, so that sums stay readable."""


CLEAN_BOOK = -1
"""In the place of an opening minimum: the move must lay a clean book, whatever its points."""


class Kind(Protocol):
    """Reader and writer for the values of an option."""

    def read(self, value: Any, base: Any) -> Any: ...
    def write(self, value: Any) -> Any: ...


class Shape(NamedTuple):
    """A size of table: how many seats, and how many of them play together."""

    seats: int
    team_size: int

    @property
    def teams(self) -> int:
        """Number of teams."""
        return self.seats // self.team_size


class Decks(NamedTuple):
    """Number of decks of 52: `number`, seats + `number`, or pairs of seats and decks."""

    number: int
    plus_seats: bool
    by_seats: tuple[tuple[int, int], ...] = ()

    def at(self, seats: int) -> int:
        """Number of decks for that many seats; 0 if none is named."""
        if self.by_seats:
            return dict(self.by_seats).get(seats, 0)
        return self.number + (seats if self.plus_seats else 0)


class Opening(NamedTuple):
    """The opening minimum. `kind` is none, by_deal (steps of `(None, points)`) or by_score (`(from total, points)`)."""

    kind: str
    steps: tuple[tuple[int | None, int], ...] = ()

    def minimum(self, deal: int, score: int) -> int:
        """Least value in points of a team's first meld in this deal, given its total before the deal.

        `CLEAN_BOOK` where the move must lay a clean book, whatever its points.
        """
        if self.kind == "by_deal":
            return self.steps[min(deal, len(self.steps)) - 1][1]
        reached = [points for start, points in self.steps if start is None or score >= start]
        return reached[-1] if reached else 0


class Books(NamedTuple):
    """A number for each ordinary kind of book: how many, or how many points."""

    clean: int
    dirty: int
    wild: int


class Special(NamedTuple):
    """What books of a rank that counts apart earn, how many the contract needs, and whether dirty ones are such too."""

    points: int
    needed: int
    mixed: bool


class Growth(NamedTuple):
    """What may be added to a complete book, by its kind: no, natural, any; keeps for clean ones that stay clean."""

    clean: str
    dirty: str
    wild: str


class Lift(NamedTuple):
    """Points for lifting: `by` each or dealer, and pairs of distance from the cards needed and points."""

    by: str
    within: tuple[tuple[int, int], ...]

    @property
    def exact(self) -> int | None:
        """Points for an exact lift where nothing else scores; `None` where points go by distance."""
        return self.within[0][1] if len(self.within) == 1 and self.within[0][0] == 0 else None

    def points(self, distance: int) -> int | None:
        """Points for a lift at this distance from the cards needed; `None` beyond the last."""
        return next((points for most, points in self.within if distance <= most), None)


class RedThreeSet(NamedTuple):
    """Laid red threes that count together: how many make a set, and its points."""

    size: int
    points: int


class Deals(NamedTuple):
    """A value for each deal, the last one for all later deals."""

    values: tuple[Any, ...]


class RedThree(NamedTuple):
    """Points for a red three laid on the table, and for one held in hand or foot."""

    laid: int
    held: int


class Length(NamedTuple):
    """Length of a match: `number` deals, or a total of `number` points (`by` is deals or target)."""

    by: str
    number: int


class Penalties(NamedTuple):
    """Points for acts that are accepted at a cost where assist is off; each is 0 or negative."""

    out_refused: int
    asked_not_out: int
    wrong_claim: int


def _integer(value: Any, low: int, high: int, rule: str) -> int:
    """The value, where it is such a number; else `what` begins the reason, in English."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(say("%(what)s a whole number from %(low)s to %(high)s", what=say(rule), low=low, high=high))
    return value


class Whole(NamedTuple):
    """A whole number within bounds."""

    low: int
    high: int

    def read(self, value: Any, base: Any) -> int:
        return _integer(value, self.low, self.high, later("must be"))

    def write(self, value: int) -> int:
        return value


class YesNo(NamedTuple):
    """True or false."""

    def read(self, value: Any, base: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(say("must be true or false"))
        return value

    def write(self, value: bool) -> bool:
        return value


class Word(NamedTuple):
    """A word out of several."""

    words: tuple[str, ...]

    def read(self, value: Any, base: Any) -> str:
        if value not in self.words or not isinstance(value, str):
            raise ValueError(say("must be one of %(words)s", words=", ".join(self.words)))
        return value

    def write(self, value: str) -> str:
        return value


class YesNoOr(NamedTuple):
    """False, true or a further word; as a value `no`, `yes` or that word."""

    word: str

    def read(self, value: Any, base: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value != self.word:
            raise ValueError(say("must be true, false or %(word)s", word=self.word))
        return self.word

    def write(self, value: str) -> bool | str:
        return value if value == self.word else value == "yes"


class YesNoCount(NamedTuple):
    """A number from 0; 0 and 1 are written as false and true."""

    high: int

    def read(self, value: Any, base: Any) -> int:
        return int(value) if isinstance(value, bool) else _integer(value, 0, self.high, later("must be true, false or"))

    def write(self, value: int) -> bool | int:
        return bool(value) if value < 2 else value


class WordOrWhole(NamedTuple):
    """A word out of several, or a whole number within bounds."""

    words: tuple[str, ...]
    low: int
    high: int

    def read(self, value: Any, base: Any) -> str | int:
        if isinstance(value, str) and value in self.words:
            return value
        return _integer(value, self.low, self.high, f"must be {', '.join(self.words)} or")

    def write(self, value: str | int) -> str | int:
        return value


class WordSet(NamedTuple):
    """Any number of some words, each once; kept in the order of `words`."""

    words: tuple[str, ...]

    def read(self, value: Any, base: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or any(not isinstance(v, str) or v not in self.words for v in value):
            raise ValueError(say("must be a list of some of %(words)s", words=", ".join(self.words)))
        return tuple(word for word in self.words if word in value)

    def write(self, value: tuple[str, ...]) -> list[str]:
        return list(value)


class Shapes(NamedTuple):
    """A list of pairs: seats, team size."""

    def read(self, value: Any, base: Any) -> tuple[Shape, ...]:
        if not isinstance(value, list) or not value:
            raise ValueError(say("must be a list of pairs: seats, team size"))
        shapes = []
        for pair in value:
            if not isinstance(pair, list) or len(pair) != 2:
                raise ValueError(say("must be a list of pairs: seats, team size"))
            shapes.append(
                Shape(
                    _integer(pair[0], 2, 12, later("must have seats:")),
                    _integer(pair[1], 1, 12, later("must have teams of")),
                )
            )
        return tuple(dict.fromkeys(shapes))

    def write(self, value: tuple[Shape, ...]) -> list[list[int]]:
        return [list(shape) for shape in value]


class DeckCount(NamedTuple):
    """A number of decks, `{"seats_plus": n}` or `{"by_seats": {"4": n, "6": n}}`."""

    def read(self, value: Any, base: Any) -> Decks:
        if isinstance(value, dict) and list(value) == ["seats_plus"]:
            return Decks(_integer(value["seats_plus"], -10, 20, later("must have seats_plus:")), True)
        if isinstance(value, dict) and list(value) == ["by_seats"]:
            return Decks(0, False, self._by_seats(value["by_seats"]))
        return Decks(_integer(value, 1, 30, later('must be {"seats_plus": n}, {"by_seats": {"4": n}} or')), False)

    @staticmethod
    def _by_seats(value: Any) -> tuple[tuple[int, int], ...]:
        if not isinstance(value, dict) or not value or not set(value) <= {str(seats) for seats in range(2, 13)}:
            raise ValueError(say("must name decks by numbers of seats from 2 to 12"))
        decks = {int(seats): _integer(count, 1, 30, later("must have decks:")) for seats, count in value.items()}
        return tuple(sorted(decks.items()))

    def write(self, value: Decks) -> Any:
        if value.by_seats:
            return {"by_seats": {str(seats): decks for seats, decks in value.by_seats}}
        return {"seats_plus": value.number} if value.plus_seats else value.number


class StackSizes(NamedTuple):
    """Two or three sizes: hand and foot, or hand, knee and foot."""

    def read(self, value: Any, base: Any) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) not in (2, 3):
            raise ValueError(say("must be two or three numbers of cards: hand and foot, or hand, knee and foot"))
        return tuple(_integer(size, 1, 40, later("must hold")) for size in value)

    def write(self, value: tuple[int, ...]) -> list[int]:
        return list(value)


GROWTH = {"clean": ("no", "natural", "any", "keeps"), "dirty": ("no", "natural", "any"), "wild": ("no", "any")}
"""What each kind of book may take."""


class BooksGrow(NamedTuple):
    """An object from kinds of book to what they take; a kind that is not named takes nothing.

    The old form, true or false, is any or no for all three.
    """

    def read(self, value: Any, base: Any) -> Growth:
        if isinstance(value, bool):
            return Growth(*["any" if value else "no"] * 3)
        if not isinstance(value, dict) or not set(value) <= set(GROWTH):
            raise ValueError(say("must be an object with some of %(words)s", words=", ".join(GROWTH)))
        for kind, word in value.items():
            if not isinstance(word, str) or word not in GROWTH[kind]:
                words = ", ".join(GROWTH[kind])
                raise ValueError(say("must have as %(kind)s one of %(words)s", kind=kind, words=words))
        return Growth(**{kind: value.get(kind, "no") for kind in GROWTH})

    def write(self, value: Growth) -> dict[str, str]:
        return dict(value._asdict())


class SpecialBooks(NamedTuple):
    """An object from ranks to points, books needed (0 unless named) and whether dirty ones count (false)."""

    def read(self, value: Any, base: Any) -> tuple[tuple[str, Special], ...]:
        if not isinstance(value, dict) or any(not isinstance(k, str) or len(k) != 1 or k not in RANKS for k in value):
            raise ValueError(say("must be an object from ranks to points, needed and mixed"))
        return tuple((rank, self._special(value[rank])) for rank in RANKS if rank in value)

    @staticmethod
    def _special(value: Any) -> Special:
        if not isinstance(value, dict) or "points" not in value or not set(value) <= set(Special._fields):
            raise ValueError(say("must have for each rank points, and if they differ needed (0) and mixed (false)"))
        mixed = value.get("mixed", False)
        if not isinstance(mixed, bool):
            raise ValueError(say("must have as mixed true or false"))
        return Special(
            _integer(value["points"], -POINTS_LIMIT, POINTS_LIMIT, later("must have as points")),
            _integer(value.get("needed", 0), 0, 20, later("must have as needed")),
            mixed,
        )

    def write(self, value: tuple[tuple[str, Special], ...]) -> dict[str, dict[str, Any]]:
        return {rank: special._asdict() for rank, special in value}


class LiftPoints(NamedTuple):
    """`null`, or by whom the cards are lifted, and pairs of distance and points."""

    def read(self, value: Any, base: Any) -> Lift | None:
        if value is None:
            return None
        if not isinstance(value, dict) or set(value) != {"by", "within"} or value["by"] not in ("each", "dealer"):
            raise ValueError(say('must be null or {"by": "each" or "dealer", "within": [[distance, points], ...]}'))
        pairs = value["within"]
        if not isinstance(pairs, list) or any(not isinstance(pair, list) or len(pair) != 2 for pair in pairs):
            raise ValueError(say("must have as within a list of pairs: distance, points"))
        within = tuple(
            (
                _integer(distance, 0, 1000, later("must have distances:")),
                _integer(points, -POINTS_LIMIT, POINTS_LIMIT, later("must have points:")),
            )
            for distance, points in pairs
        )
        return Lift(str(value["by"]), within)

    def write(self, value: Lift | None) -> dict[str, Any] | None:
        return value and {"by": value.by, "within": [list(pair) for pair in value.within]}


class RedThreeSets(NamedTuple):
    """`null`, or `{"size": n, "points": points}`."""

    def read(self, value: Any, base: Any) -> RedThreeSet | None:
        if value is None:
            return None
        if not isinstance(value, dict) or set(value) != {"size", "points"}:
            raise ValueError(say('must be null or {"size": n, "points": points}'))
        return RedThreeSet(
            _integer(value["size"], 2, 60, later("must have as size")),
            _integer(value["points"], -POINTS_LIMIT, POINTS_LIMIT, later("must have as points")),
        )

    def write(self, value: RedThreeSet | None) -> dict[str, int] | None:
        return value and dict(value._asdict())


class ByDeal(NamedTuple):
    """A value of another kind, or `{"by_deal": [...]}` with one for each deal."""

    plain: Any

    def read(self, value: Any, base: Any) -> Any:
        if not isinstance(value, dict) or "by_deal" not in value:
            return self.plain.read(value, base)
        entries = value["by_deal"]
        if len(value) > 1 or not isinstance(entries, list) or not 1 <= len(entries) <= _MOST_DEALS:
            raise ValueError(say('must be a value, or {"by_deal": [...]} with a value for each deal'))
        read = [self.plain.read(entry, base) for entry in entries]
        while len(read) > 1 and read[-1] == read[-2]:
            read.pop()
        return read[0] if len(read) == 1 else Deals(tuple(read))

    def write(self, value: Any) -> Any:
        if isinstance(value, Deals):
            return {"by_deal": [self.plain.write(entry) for entry in value.values]}
        return self.plain.write(value)


class Limits(NamedTuple):
    """Five numbers: the most wild cards in a meld of 3, 4, 5, 6, 7 cards."""

    def read(self, value: Any, base: Any) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) != 5:
            raise ValueError(say("must be five whole numbers, for melds of 3, 4, 5, 6 and 7 cards"))
        return tuple(_integer(limit, 0, 7, later("must hold")) for limit in value)

    def write(self, value: tuple[int, ...]) -> list[int]:
        return list(value)


class OpeningSteps(NamedTuple):
    """`"none"`, `{"by_deal": [points or "clean_book", ...]}` or `{"by_score": [[from, points], ...]}`."""

    def read(self, value: Any, base: Any) -> Opening:
        if value == "none":
            return Opening("none")
        kind, steps = next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else (None, None)
        if kind not in ("by_deal", "by_score") or not isinstance(steps, list) or not steps:
            raise ValueError(
                say('must be "none", {"by_deal": [points, ...]} or {"by_score": [[from total, points], ...]}')
            )
        if kind == "by_deal":
            return Opening(kind, tuple((None, self._figure(step)) for step in steps))
        read: list[tuple[int | None, int]] = []
        for step in steps:
            if not isinstance(step, list) or len(step) != 2:
                raise ValueError(say("must list pairs: from which total, points"))
            start = None if step[0] is None else _integer(step[0], -POINTS_LIMIT, POINTS_LIMIT, later("must start at"))
            read.append((start, _integer(step[1], 0, POINTS_LIMIT, later("must list"))))
        read.sort(key=lambda step: (step[0] is not None, step[0] or 0))
        if len({start for start, _ in read}) < len(read):
            raise ValueError(say("must name each total once"))
        return Opening(kind, tuple(read))

    @staticmethod
    def _figure(step: Any) -> int:
        return CLEAN_BOOK if step == "clean_book" else _integer(step, 0, POINTS_LIMIT, later("must list clean_book or"))

    def write(self, value: Opening) -> Any:
        if value.kind == "none":
            return "none"
        if value.kind == "by_deal":
            return {"by_deal": ["clean_book" if points == CLEAN_BOOK else points for _, points in value.steps]}
        return {"by_score": [list(step) for step in value.steps]}


def _read_numbers(value: Any, names: tuple[str, ...], low: int, base: Any) -> dict[str, int]:
    """A mapping of some of `names` to numbers; a name that is missing keeps the value it has in `base`."""
    if not isinstance(value, dict) or not set(value) <= set(names):
        raise ValueError(say("must be an object with some of %(words)s", words=", ".join(names)))
    read = {name: getattr(base, name) for name in names} if base is not None else {}
    read |= {name: _integer(value[name], low, POINTS_LIMIT, f"must have as {name}") for name in value}
    if len(read) < len(names):
        raise ValueError(say("must be an object with %(words)s", words=", ".join(names)))
    return read


class Contract(NamedTuple):
    """Number of books of each ordinary kind that a team needs to go out."""

    def read(self, value: Any, base: Any) -> Books:
        books = Books(**_read_numbers(value, Books._fields, 0, base))
        if max(books) > 20:
            raise ValueError(say("must ask for at most 20 books of a kind"))
        return books

    def write(self, value: Books) -> dict[str, int]:
        return dict(value._asdict())


class BookBonus(NamedTuple):
    """Points for each ordinary kind of book."""

    def read(self, value: Any, base: Any) -> Books:
        return Books(**_read_numbers(value, Books._fields, -POINTS_LIMIT, base))

    def write(self, value: Books) -> dict[str, int]:
        return dict(value._asdict())


class RankPoints(NamedTuple):
    """Points by rank in notation; other ranks keep the base's."""

    def read(self, value: Any, base: Any) -> tuple[int, ...]:
        if not isinstance(value, dict) or any(not isinstance(k, str) or len(k) != 1 or k not in RANKS for k in value):
            raise ValueError(say("must be an object from rank letters (%(ranks)s) to points", ranks=RANKS))
        if base is None and len(value) < len(RANKS):
            raise ValueError(say("must name every rank"))
        points = dict(zip(RANKS, base or (), strict=False))
        points |= {rank: _integer(value[rank], 0, 10_000, f"must give {rank}") for rank in value}
        return tuple(points[rank] for rank in RANKS)

    def write(self, value: tuple[int, ...]) -> dict[str, int]:
        return dict(zip(RANKS, value, strict=True))


class RedThreePoints(NamedTuple):
    """`{"laid": points, "held": points}`."""

    def read(self, value: Any, base: Any) -> RedThree:
        return RedThree(**_read_numbers(value, RedThree._fields, -POINTS_LIMIT, base))

    def write(self, value: RedThree) -> dict[str, int]:
        return dict(value._asdict())


class PointsOrNull(NamedTuple):
    """Points, or null."""

    def read(self, value: Any, base: Any) -> int | None:
        return None if value is None else _integer(value, -POINTS_LIMIT, POINTS_LIMIT, later("must be null or"))

    def write(self, value: int | None) -> int | None:
        return value


class MatchLength(NamedTuple):
    """`{"deals": n}` or `{"target": points}`."""

    def read(self, value: Any, base: Any) -> Length:
        if not isinstance(value, dict) or list(value) not in (["deals"], ["target"]):
            raise ValueError(say('must be {"deals": n} or {"target": points}'))
        (by, number), high = *value.items(), POINTS_LIMIT
        return Length(by, _integer(number, 1, 100 if by == "deals" else high, f"must have as {by}"))

    def write(self, value: Length) -> dict[str, int]:
        return {value.by: value.number}


class PenaltyPoints(NamedTuple):
    """`null`, or points for each of the three penalties."""

    def read(self, value: Any, base: Any) -> Penalties | None:
        if value is None:
            return None
        read = Penalties(**_read_numbers(value, Penalties._fields, -POINTS_LIMIT, base))
        if max(read) > 0:
            raise ValueError(say("must not be above 0: a penalty costs points"))
        return read

    def write(self, value: Penalties | None) -> dict[str, int] | None:
        return None if value is None else dict(value._asdict())
