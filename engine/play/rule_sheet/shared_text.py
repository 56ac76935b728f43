"""Shared parts of the rule sheet: its readers, the list of its sentences, and a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.play.cards import RED_THREES
from engine.play.melds import cards_words, number_word
from engine.play.options import Shape
from engine.play.rules import Rules
from engine.words import later, say, say_as, say_several

ALL, SOME, NOBODY = "all", "some", "nobody"
"""At which of the tables that a sheet is written for there are partners."""


class Sheet(NamedTuple):
    """Input of a sentence. `shape` is `None` if the sheet is for every shape the ruleset allows."""

    rules: Rules
    shape: Shape | None
    partners: str
    """`ALL`, `SOME` or `NOBODY`; it decides whether a side is called a team or is simply you."""
    one_partner: bool = False
    """Whether nobody ever has more than one partner."""

    def of_us(self, you: str, team: str, /, **values: object) -> str:
        """Choose a sentence: for players who own melds and meet minimums alone, or for those who do so as a team."""
        return say(you if self.partners == NOBODY else team, **values)

    def with_partners(self, singular: str, plural: str = "") -> str:
        """A sentence about a partner, or about partners if there may be several, if those take another.

        Its beginning is different if not everyone has a partner.
        """
        text = say(singular if self.one_partner else plural or singular)
        begin = _WITH_PARTNERS[self.partners]
        return start(say(begin) + text if begin else text)

    @property
    def red_threes(self) -> str:
        """All the red threes of the pack, with their number where it is known."""
        if self.shape is None:
            return say("all the red threes of the pack")
        count = len(RED_THREES) * self.rules.deck_count(self.shape.seats)
        return say("all %(count)s red threes of the pack", count=number(count))


_WITH_PARTNERS = {
    ALL: "",
    SOME: later("where there are partners, "),
    NOBODY: later("in a game with partners, which this ruleset does not have, "),
}


def sheet_for(rules: Rules, shape: Shape | None = None) -> Sheet:
    """The sheet of a ruleset for one shape of table, or for all it allows. Raises `BadInput` for any other shape."""
    shapes = rules.shapes if shape is None else (rules.shape(shape.seats, shape.team_size),)
    sizes = [size for _, size in shapes if size > 1]
    partners = NOBODY if not sizes else ALL if len(sizes) == len(shapes) else SOME
    return Sheet(rules, shape, partners, one_partner=set(sizes) == {2})


class Writer(NamedTuple):
    """A sentence of every rule sheet."""

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


def number(count: int) -> str:
    """A count without a noun, in words if it is small."""
    return number_word(count)


cards = cards_words
"""So many cards."""


def figure(value: int) -> str:
    """A figure with a mark between thousands."""
    return f"{value:,}".replace(",", say_as("between thousands", ","))


def signed(value: int) -> str:
    """A figure with a minus in words."""
    text = figure(abs(value))
    return say("minus %(figure)s", figure=text) if value < 0 else text


def points(value: int) -> str:
    """So many points, with a minus in words."""
    return say_several("%(points)s point", "%(points)s points", abs(value), points=signed(value))


def earns(value: int) -> str:
    """Bonus of something: the verb and the points."""
    if value < 0:
        return costs(value)
    return say("earns %(points)s", points=points(value)) if value else say("earns nothing")


def costs(value: int) -> str:
    """Cost of something that is 0 or negative: the verb and the points."""
    return say("costs %(points)s", points=points(-value)) if value else say("costs nothing")


def turned_up(rules: Rules, kind: str) -> bool:
    """Whether a wild card or a red three can lie on the discard pile when the first turn begins."""
    ranks = {"wild": {"2", "X"}, "red_three": {"3"}}[kind]
    return rules.upcard > 0 and kind not in rules.upcard_bury and not ranks <= set(rules.upcard_bury)


_NTH = (
    later("the first deal"),
    later("the second deal"),
    later("the third deal"),
    later("the fourth deal"),
    later("the fifth deal"),
    later("the sixth deal"),
    later("the seventh deal"),
    later("the eighth deal"),
    later("the ninth deal"),
    later("the tenth deal"),
)


def nth_deal(number: int) -> str:
    """Words for the deal of a number: the second deal."""
    return say(_NTH[number - 1]) if number <= len(_NTH) else say("deal %(number)s", number=number)


def runs(values: Sequence[object]) -> list[tuple[int, int]]:
    """Runs of equal neighbours, as slices."""
    starts = [i for i, value in enumerate(values) if i == 0 or value != values[i - 1]]
    return list(zip(starts, [*starts[1:], len(values)], strict=True))


def stacks_and(rules: Rules) -> str:
    """The stacks of a player, all of them."""
    return say("hand, knee and foot") if rules.has_knee else say("hand and foot")


def stacks_or(rules: Rules) -> str:
    """The stacks of a player, any of them."""
    return say("hand, knee or foot") if rules.has_knee else say("hand or foot")
