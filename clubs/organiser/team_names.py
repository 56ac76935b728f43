"""Names of people in typed teams, compared with the members of a club: known, new, or meant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.bring_in import names
from clubs.organiser.league import TeamLine

NEW = "new"
"""The answer that a name is that of a new person."""


@dataclass(frozen=True)
class TypedName:
    """A name of a typed team."""

    name: str
    key: str = ""
    """Of its question; empty if the name is a member’s."""
    near: tuple[str, ...] = ()
    """Names of members, or earlier ones of the text, that it may be meant for."""
    answer: str = NEW
    """One of these, or `NEW`."""

    @property
    def is_known(self) -> bool:
        return not self.key


def compare(lines: Sequence[TeamLine], members: Sequence[str], answers: Mapping[str, str]) -> dict[str, TypedName]:
    """What each name of the lines is, by the name without case. Without an answer the guess counts: the only name that it
    may be meant for, unless that stands in the same team."""
    known = {name.casefold(): name for name in members}
    used = [name for line in lines for name in {*line.players, *line.reserves}]
    last_names = names.LastNames(members, str, used)
    compared: dict[str, TypedName] = {}
    new: list[str] = []
    for line in lines:
        together = {name.casefold() for name in (*line.players, *line.reserves)}
        for name in (*line.players, *line.reserves):
            if name.casefold() in compared:
                continue
            if name.casefold() in known:
                compared[name.casefold()] = TypedName(known[name.casefold()])
                continue
            if meant := last_names.meant(name):
                compared[name.casefold()] = TypedName(meant)
                continue
            key = f"n-{len(new) + 1}"
            near = tuple(last_names.of(name)) or tuple(
                other for other in dict.fromkeys([*members, *new]) if names.may_be_same(name, other)
            )
            free = [other for other in near if other.casefold() not in together and other not in last_names.taken]
            guess = free[0] if len(near) == len(free) == 1 else NEW
            answer = answers.get(key, guess)
            compared[name.casefold()] = TypedName(name, key, near, answer if answer in near else NEW)
            new.append(name)
    return compared


def corrected(lines: Sequence[TeamLine], compared: Mapping[str, TypedName]) -> list[TeamLine]:
    """The lines with the names that are meant."""

    def meant(name: str) -> str:
        chosen = compared[name.casefold()]
        while not chosen.is_known and chosen.answer != NEW:
            after = compared.get(chosen.answer.casefold())
            if after is None:
                return chosen.answer
            chosen = after
        return chosen.name

    return [
        replace(line, players=tuple(map(meant, line.players)), reserves=tuple(map(meant, line.reserves)))
        for line in lines
    ]
