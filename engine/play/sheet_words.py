"""What the sentences of a rule sheet share: whom they are written for, how they are collected, and a few words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engine.play.cards import RED_THREES
from engine.play.melds import number_words
from engine.play.options import Shape
from engine.play.rules import Rules

ALL, SOME, NOBODY = "all", "some", "nobody"
"""At which of the tables that a sheet is written for there are partners."""


class Sheet(NamedTuple):
    """What a sentence is written from. `shape` is `None` where the sheet is for every shape the ruleset allows."""

    rules: Rules
    shape: Shape | None
    partners: str
    """`ALL`, `SOME` or `NOBODY`; it decides whether a side is called a team or is simply you."""
    one_partner: bool = False
    """Whether nobody ever has more than one partner."""

    @property
    def we(self) -> str:
        """Who owns melds and meets minimums: your team, or you."""
        return "you" if self.partners == NOBODY else "your team"

    @property
    def we_have(self) -> str:
        """The same with its verb."""
        return "you have" if self.partners == NOBODY else "your team has"

    @property
    def our(self) -> str:
        """The same as a possessive."""
        return "your" if self.partners == NOBODY else "your team's"

    @property
    def side(self) -> str:
        """Who scores, seen from outside: a team or a player."""
        return "player" if self.partners == NOBODY else "team"

    @property
    def each_partner(self) -> str:
        """All of one's partners, with a verb in the singular."""
        return "your partner" if self.one_partner else "every partner"

    @property
    def a_partner(self) -> str:
        """Any one of them."""
        return "your partner" if self.one_partner else "one of them"

    @property
    def with_partners(self) -> str:
        """How a sentence about partners begins."""
        return {
            ALL: "",
            SOME: "where there are partners, ",
            NOBODY: "in a game with partners, which this ruleset does not have, ",
        }[self.partners]

    @property
    def drawn(self) -> str:
        """How a turn begins."""
        return "drawing" if self.rules.pile_take == "none" else "drawing or taking the pile"

    @property
    def red_threes(self) -> str:
        """All the red threes of the pack, with their number where it is known."""
        if self.shape is None:
            return "all the red threes of the pack"
        count = len(RED_THREES) * self.rules.deck_count(self.shape.seats)
        return f"all {number(count)} red threes of the pack"


def sheet_for(rules: Rules, shape: Shape | None = None) -> Sheet:
    """The sheet of a ruleset for one shape of table, or for all it allows. Raises `BadInput` for any other shape."""
    shapes = rules.shapes if shape is None else (rules.shape(shape.seats, shape.team_size),)
    sizes = [size for _, size in shapes if size > 1]
    partners = NOBODY if not sizes else ALL if len(sizes) == len(shapes) else SOME
    return Sheet(rules, shape, partners, one_partner=set(sizes) == {2})


class Writer(NamedTuple):
    """One sentence of every rule sheet."""

    section: str
    options: tuple[str, ...]
    """The options of which this is the sentence; no other sentence is."""
    on: tuple[str, ...]
    """Further options on which its words depend."""
    partners: bool
    """Whether it means nothing where nobody has a partner."""
    write: Callable[[Sheet], str]
    """The words, or nothing where a ruleset has no use for the sentence."""


class Chapter(list[Writer]):
    """Some of the sentences, in the order in which they are read."""

    def says(
        self, section: str, *options: str, on: tuple[str, ...] = (), partners: bool = False
    ) -> Callable[[Callable[[Sheet], str]], Callable[[Sheet], str]]:
        """Make the function below a sentence of `section`: the one for `options`, and dependent on those of `on`."""

        def add(write: Callable[[Sheet], str]) -> Callable[[Sheet], str]:
            self.append(Writer(section, options, on, partners, write))
            return write

        return add


def start(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def listed(parts: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    *most, end = parts
    return f"{', '.join(most)} {last} {end}" if most else end


def number(count: int) -> str:
    """A count by itself, in words where it is small."""
    return number_words(count, "", "").strip()


def cards(count: int) -> str:
    """So many cards."""
    return number_words(count, "card", "cards")


def points(figure: int) -> str:
    """So many points, with a minus in words."""
    return f"{'minus ' if figure < 0 else ''}{abs(figure):,} {'point' if abs(figure) == 1 else 'points'}"


def earns(figure: int) -> str:
    """What something brings in: the verb and the points."""
    return costs(figure) if figure < 0 else f"earns {points(figure)}" if figure else "earns nothing"


def costs(figure: int) -> str:
    """What something that is 0 or negative costs: the verb and the points."""
    return f"costs {points(-figure)}" if figure else "costs nothing"


def turned_up(rules: Rules, kind: str) -> bool:
    """Whether a card of this kind of `upcard_bury` can lie on the discard pile when the first turn begins."""
    return rules.upcard and kind not in rules.upcard_bury


def runs(values: Sequence[int]) -> list[tuple[int, int]]:
    """Where equal neighbours begin and end, as slices."""
    starts = [i for i, value in enumerate(values) if i == 0 or value != values[i - 1]]
    return list(zip(starts, [*starts[1:], len(values)], strict=True))
