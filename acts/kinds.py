"""Declarations of acts: the rights to do and to undo them, and how. Nothing has a default."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accounts.models import User


class Wrong(TypeError):
    """An impossible declaration, raised when the code is loaded; or an act that skipped its check of rights."""


@dataclass(frozen=True)
class ByRow:
    """The right depends on a row, checked under the lock (`record.ask(row)`): `check` raises `NotAllowed`."""

    check: Callable[[User, Any], None]


@dataclass(frozen=True)
class ByCase:
    """The act needs one of these rights, chosen under the lock (`record.ask(right)`)."""

    rights: tuple[str, ...]


@dataclass(frozen=True)
class Anybody:
    """Anyone with an account may; `why` is for readers of the table of rights."""

    why: str


@dataclass(frozen=True)
class Itself:
    """The act checks more than an account: the token of an email, the card of a table; `why` is for readers."""

    why: str


@dataclass(frozen=True)
class Site:
    """Nobody may, because the site does it automatically; `why` is for readers."""

    why: str


Needs = str | ByRow | ByCase | Anybody | Itself | Site
"""A right of the history's own, or another rule of access."""


@dataclass(frozen=True)
class ByAct:
    """Undoing takes one of these rights, picked by what the act changed."""

    rights: tuple[str, ...]
    pick: Callable[[Any], str]


@dataclass(frozen=True)
class Rows:
    """Undone by restoring the rows. `needs` is the right, if doing it needs none by name; `first` checks under the lock
    whether it can be undone, and may raise `Refused`.
    """

    needs: str | ByAct = ""
    first: Callable[[Any, Any], None] | None = None


@dataclass(frozen=True)
class Again:
    """For undone acts: undone in turn, which does the act again and needs the same right."""


@dataclass(frozen=True)
class Never:
    """Cannot be undone; `why` is for readers."""

    why: str


Undo = Rows | Again | Never


@dataclass(frozen=True)
class Kind:
    """A kind of act in a history."""

    name: str
    needs: Needs
    undo: Undo
    archived: bool = False
    """Allowed also in an archived home."""

    def __post_init__(self) -> None:
        for rule in (self.needs, self.undo):
            if isinstance(rule, Anybody | Itself | Site | Never) and not rule.why.strip():
                raise Wrong(f"{self.name}: say why")
        if isinstance(self.undo, Rows) and not self.undo_rights:
            raise Wrong(f"{self.name}: say who may undo it")

    @property
    def rights(self) -> tuple[str, ...]:
        """Rights by name, of which it needs one."""
        if isinstance(self.needs, str):
            return (self.needs,)
        return self.needs.rights if isinstance(self.needs, ByCase) else ()

    @property
    def undo_rights(self) -> tuple[str, ...]:
        """Rights by name, of which undoing needs one."""
        if not isinstance(self.undo, Rows):
            return ()
        if isinstance(self.undo.needs, ByAct):
            return self.undo.needs.rights
        right = self.undo.needs or (self.needs if isinstance(self.needs, str) else "")
        return (right,) if right else ()

    def undone(self) -> tuple[object, ...]:
        """Everything that decides how it is undone, for comparison."""
        return type(self.undo), self.undo_rights, getattr(self.undo, "first", None)
