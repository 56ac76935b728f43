"""What is said of an act where it is declared: who may do it, and who may undo it and how. Nothing of it has a default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accounts.models import User


class Wrong(TypeError):
    """A declaration that cannot be, raised when the code is loaded; or an act that did not ask who may do it."""


@dataclass(frozen=True)
class ByRow:
    """Who may depends on a row, of which the act asks under the lock (`record.ask(row)`): `check` raises `NotAllowed`."""

    check: Callable[[User, Any], None]


@dataclass(frozen=True)
class ByCase:
    """Which of these rights it takes depends on what is found under the lock: the act asks for one (`record.ask(right)`)."""

    rights: tuple[str, ...]


@dataclass(frozen=True)
class Anybody:
    """Whoever has an account may; `why` is for readers of the table of rights."""

    why: str


@dataclass(frozen=True)
class Itself:
    """The act looks by itself, by more than an account: a letter's token, a table's card; `why` is for readers."""

    why: str


@dataclass(frozen=True)
class Site:
    """Nobody may: the site does it by itself; `why` is for readers."""

    why: str


Needs = str | ByRow | ByCase | Anybody | Itself | Site
"""A right of the history's own, or how else it is known who may."""


@dataclass(frozen=True)
class ByAct:
    """Which of these rights undoing takes depends on what the act changed: `pick` says which."""

    rights: tuple[str, ...]
    pick: Callable[[Any], str]


@dataclass(frozen=True)
class Rows:
    """Undone by setting the rows back. `needs` is the right, where doing it needs none by name; `first` looks, under the
    lock, whether it can be, and may raise `Refused`."""

    needs: str | ByAct = ""
    first: Callable[[Any, Any], None] | None = None


@dataclass(frozen=True)
class Again:
    """For the undoing of acts: undone in turn, which does the act again and needs what undoing the act needs."""


@dataclass(frozen=True)
class Never:
    """Cannot be undone; `why` is for readers."""

    why: str


Undo = Rows | Again | Never


@dataclass(frozen=True)
class Kind:
    """A kind of act as the history keeps it."""

    name: str
    needs: Needs
    undo: Undo
    archived: bool = False
    """Done also where the home is archived."""

    def __post_init__(self) -> None:
        for said in (self.needs, self.undo):
            if isinstance(said, Anybody | Itself | Site | Never) and not said.why.strip():
                raise Wrong(f"{self.name}: say why")
        if isinstance(self.undo, Rows) and not self.undo_rights:
            raise Wrong(f"{self.name}: say who may undo it")

    @property
    def rights(self) -> tuple[str, ...]:
        """The rights by name of which it takes one."""
        if isinstance(self.needs, str):
            return (self.needs,)
        return self.needs.rights if isinstance(self.needs, ByCase) else ()

    @property
    def undo_rights(self) -> tuple[str, ...]:
        """The rights by name of which undoing it takes one."""
        if not isinstance(self.undo, Rows):
            return ()
        if isinstance(self.undo.needs, ByAct):
            return self.undo.needs.rights
        named = self.undo.needs or (self.needs if isinstance(self.needs, str) else "")
        return (named,) if named else ()

    def undone(self) -> tuple[object, ...]:
        """All that is said of undoing it."""
        return type(self.undo), self.undo_rights, getattr(self.undo, "first", None)
