"""The form that starts a score sheet: rules, number of players, names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext

from accounts.models import User
from engine.errors import BadInput
from engine.play.options import Shape
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_sources import Start

STANDARD = "standard"


@dataclass(frozen=True)
class Seat:
    """A player's place on the form."""

    number: int
    name: str

    @property
    def words(self) -> str:
        return gettext("Seat %(number)s") % {"number": self.number + 1}

    @property
    def field(self) -> str:
        """The end of its field's name."""
        return str(self.number)


@dataclass(frozen=True)
class StartForm:
    """The choices so far; missing or invalid ones are the first possible."""

    start: Start
    shape: Shape
    groups: list[tuple[str, list[tuple[str, str]]]]
    """The rules to choose from, by keeper."""
    names: tuple[str, ...]
    title: str
    dealer: int
    """The seat that deals first, from 0."""

    @property
    def shapes(self) -> list[tuple[str, str, bool]]:
        """The sizes that the rules allow: value, words, whether it is chosen."""
        return [(_value(shape), shape_words(shape), shape == self.shape) for shape in self.start.rules.shapes]

    @property
    def sides(self) -> list[tuple[str, list[Seat]]]:
        """The seats of each side; of players who play alone, all in one."""
        seats = [Seat(number, self.names[number]) for number in range(self.shape.seats)]
        if self.shape.team_size == 1:
            return [(gettext("Players in seat order"), seats)]
        unnamed = gettext("Side %(number)s")
        return [(unnamed % {"number": side + 1}, seats[side :: self.shape.teams]) for side in range(self.shape.teams)]

    @property
    def seats(self) -> list[Seat]:
        """All seats, to choose the first dealer."""
        return [Seat(number, self.names[number]) for number in range(self.shape.seats)]


def read(data: Mapping[str, Any], player: User | AnonymousUser) -> StartForm:
    """The form of a request, or the one to start with."""
    chosen = str(data.get("rules") or STANDARD)
    try:
        start = rule_sources.start(chosen)
    except BadInput:
        start = rule_sources.start(STANDARD)
    shapes = {_value(shape): shape for shape in start.rules.shapes}
    shape = shapes.get(str(data.get("shape", "")), start.rules.shapes[0])
    dealer = str(data.get("dealer", ""))
    return StartForm(
        start,
        shape,
        rule_sources.choices(player, start.value),
        names_of(data, shape.seats),
        str(data.get("title", ""))[:60],
        int(dealer) - 1 if dealer in {str(seat) for seat in range(1, shape.seats + 1)} else shape.seats - 1,
    )


def names_of(data: Mapping[str, Any], seats: int) -> tuple[str, ...]:
    """The names of a form by seat."""
    return tuple(str(data.get(f"seat-{seat}", ""))[:200] for seat in range(seats))


def _value(shape: Shape) -> str:
    return f"{shape.seats}x{shape.team_size}"


def shape_words(shape: Shape) -> str:
    """A size of table: `4 players in pairs`, `6 players in 2 teams of 3`, `3 players, each for themselves`."""
    if shape.team_size == 1:
        return gettext("%(seats)s players, each for themselves") % {"seats": shape.seats}
    if shape.team_size == 2:
        return gettext("%(seats)s players in pairs") % {"seats": shape.seats}
    sizes = {"seats": shape.seats, "teams": shape.teams, "size": shape.team_size}
    return gettext("%(seats)s players in %(teams)s teams of %(size)s") % sizes
