"""The names of sides in a list: `Lund / Arai` and `Arai / Lund` are one side."""

from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import gettext
from rapidfuzz.distance import OSA

from clubs.bring_in import names, words
from clubs.bring_in.reading import TWO, Desk


class SameNames:
    """One name for each side of a list: as the league has it, else as the list has it most."""

    def __init__(
        self, desk: Desk, known: Sequence[str], side_names: Iterable[str], *, are_apart: Callable[[str, str], bool]
    ) -> None:
        self.desk, self._are_apart = desk, are_apart
        self._by_key = {side_key(team): team for team in known}
        self._settled = list(self._by_key.values())
        for name in side_names:
            self._by_key.setdefault(side_key(name), name)
        self._chosen: dict[str, str] = {}

    def name(self, row: int, name: str) -> str:
        """The name of the side that is called so in a row (from 1)."""
        if name not in self._chosen:
            self._chosen[name] = self._settle(row, self._by_key[side_key(name)])
        return self._chosen[name]

    def _settle(self, row: int, name: str) -> str:
        if name in self._settled:
            return name
        near = [other for other in self._settled if _may_be_same(name, other)]
        if len(near) == 1:
            answer = self.desk.ask(
                *(row - 1, "near_name"),
                gettext("%(name)s: %(member)s?") % {"name": name, "member": near[0]},
                TWO if self._are_apart(name, near[0]) else near[0],
                [(near[0], gettext("Yes, %(name)s") % {"name": near[0]}), (TWO, gettext("No, another side"))],
                shown=name,
            )
            if answer != TWO:
                return answer
        self._settled.append(name)
        return name


def _may_be_same(item: str, other: str) -> bool:
    """Whether the names of two sides differ by a letter or two only."""
    left, right = side_key(item).split(), side_key(other).split()
    if len(left) != len(right) or "".join(left).isdecimal():
        return False
    different = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
    if len(different) != 1 or all(word in words.GIVEN for word in different[0]):
        return False
    a, b = different[0]
    is_long = min(len(a), len(b)) > 3 or (min(len(a), len(b)) == 3 and len(a) != len(b))
    return is_long and OSA.distance(a, b, score_cutoff=1) <= 1 and a.isalpha() and b.isalpha()


def side_key(name: str) -> str:
    """The name of a side for comparing: the two of a pair in either order."""
    return " ".join(sorted(filter(None, (words.folded(part) for part in names.BETWEEN.split(name)))))


def name_on_line(text: str) -> str:
    """The name of a side on one line."""
    plain = " / ".join(" ".join(line.split()) for line in text.split("\n") if line.strip())
    return "" if words.is_none(plain) else plain[:80]
