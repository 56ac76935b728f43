"""The people in the names of sides, `Lund / Arai`: which members of the club are meant."""

import re
from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext
from rapidfuzz.distance import OSA

from clubs.bring_in import names, words
from clubs.bring_in.reading import TWO, Context, Desk, Known

_BETWEEN = re.compile(rf"{names.BETWEEN.pattern}|\s+[-–—]\s+", re.IGNORECASE)
_MOST = 2
"""Names of people in the name of a side; more are a team with a name of its own."""
_MOST_COMPARED = 200_000
"""Pairs of a side and a member; in longer lists nearly equal names are not looked for."""


def people_of(side: str) -> list[str]:
    """The names in the name of a side: two of a pair, else one."""
    parts = [part.strip() for part in _BETWEEN.split(side)]
    return [part for part in parts if part]


def meant(
    desks: Mapping[str, Desk], sides: Iterable[tuple[str, int, str]], context: Context
) -> Mapping[tuple[str, int], Known]:
    """Whom the names of sides (with their sheets, whose desks these are, and their rows, from 1) mean that are no
    member's whole name.

    A surname that one member has, and one side, means that member, who stands nowhere else in the list. What could mean
    several, or is nearly a name, is asked.
    """
    first_rows: dict[str, tuple[Desk, int]] = {}
    for sheet, row, side in sides:
        first_rows.setdefault(side, (desks[sheet], row))
    return _Reader(first_rows, context).meant()


def _differ_little(item: str, other: str) -> bool:
    return min(len(item), len(other)) > 3 and OSA.distance(item, other, score_cutoff=1) <= 1


class _Reader:
    def __init__(self, rows: Mapping[str, tuple[Desk, int]], context: Context) -> None:
        self.rows, self.members = rows, context.members
        self.known_sides = {words.folded(team) for team in context.teams}
        self.whole = {words.folded(member.name) for member in self.members}
        self.parts = {side: parts for side in rows if len(parts := people_of(side)) <= _MOST}
        used = [name for parts in self.parts.values() for name in set(parts)]
        self.last_names = names.LastNames(self.members, lambda member: member.name, used)
        self.is_short = len(rows) * len(self.members) <= _MOST_COMPARED

    def meant(self) -> Mapping[tuple[str, int], Known]:
        members: dict[tuple[str, int], Known] = {}
        for side, parts in self.parts.items():
            for at, member in enumerate(self._of_side(side, parts)):
                if member is not None:
                    members[side, at] = member
                    self.last_names.taken.add(member)
        return members

    def _of_side(self, side: str, parts: Sequence[str]) -> list[Known | None]:
        keys = [words.folded(part) for part in parts]
        couple = self.last_names.by_key.get(keys[0], []) if keys else []
        if len(set(keys)) == 1 and len(keys) == len(couple) == _MOST and self.last_names.uses[keys[0]] == 1:
            return [*couple]
        return [self._of_name(side, name) for name in parts]

    def _of_name(self, side: str, name: str) -> Known | None:
        name = names.read(name).full_name or name
        key = words.folded(name)
        if not key or key in self.whole:
            return None
        if member := self.last_names.meant(name):
            return member
        near = self.last_names.of(name) or self._near(name)
        if not near or words.folded(side) in self.known_sides:
            return None
        return self._ask(side, name, near)

    def _near(self, name: str) -> list[Known]:
        """Members of nearly this name; of a surname alone, those of nearly this surname."""
        if not self.is_short:
            return []
        key = words.folded(name)
        if " " not in key:
            near = [surname for surname in self.last_names.by_key if _differ_little(key, surname)]
            return [member for surname in near for member in self.last_names.by_key[surname]]
        return [member for member in self.members if names.may_be_same(name, member.name)]

    def _ask(self, side: str, name: str, near: Sequence[Known]) -> Known | None:
        guess = str(near[0].pk) if len(near) == 1 and near[0] not in self.last_names.taken else TWO
        desk, row = self.rows[side]
        answer = desk.ask(
            *(row - 1, "member"),
            gettext("%(name)s of %(side)s: which member?") % {"name": name, "side": side},
            guess,
            [*((str(member.pk), member.name) for member in near), (TWO, gettext("A new person"))],
            shown=side,
        )
        return next((member for member in near if str(member.pk) == answer), None)
