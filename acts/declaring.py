"""An act as it is declared: a function with a row, fields by name, and what is said of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_type_hints

from django.db.models import Model
from django.utils.translation import gettext, gettext_noop
from rest_framework import serializers

from accounts.models import User
from acts.history import By, History, Home, Kept, Noting, Record
from acts.kinds import ByRow, Kind, Needs, Undo, Wrong
from web.errors import Refused

Row = TypeVar("Row", bound=Model)
P = ParamSpec("P")
Field = serializers.Field[Any, Any, Any, Any]

GONE = gettext_noop("This no longer exists.")


@dataclass(frozen=True)
class On(Generic[Row]):
    """Which rows an act is about, and how they lead to their home (`league__club`; empty for the home itself)."""

    model: type[Row]
    home: str = ""
    along: tuple[str, ...] = ()
    """What is read with the row."""

    def home_of(self, pk: int) -> int:
        """The id of the row's home. Raises `Refused` where there is no such row."""
        if not self.home:
            return pk
        found = self.model._default_manager.filter(pk=pk).values_list(f"{self.home}_id", flat=True).first()
        if found is None:
            raise Refused("no_such_row", gettext(GONE))
        return int(found)

    def find(self, record: Record[Any, Any], pk: int) -> Row:
        """The row as it is under the lock. Raises `Refused` where it is not there, or of another home."""
        if not self.home:
            home: Row = record.home
            return home
        rows = self.model._default_manager.filter(**{self.home: record.home})
        found = (rows.select_related(*self.along) if self.along else rows).filter(pk=pk).first()
        if found is None:
            raise Refused("no_such_row", gettext(GONE))
        return found


class Declared(Generic[Noting, Row, P, Kept]):
    """An act. Called with a row (or its id), who asks, and the fields by name, it is done and kept."""

    def __init__(
        self,
        history: History[Any, Kept, Noting],
        kind: Kind,
        on: On[Row],
        do: Callable[Concatenate[Noting, Row, P], str],
    ) -> None:
        self.history, self.kind, self.on, self.do = history, kind, on, do
        self.__name__, self.__module__, self.__doc__ = do.__name__, do.__module__, do.__doc__
        if not do.__doc__:
            raise Wrong(f"{do.__name__}: say in a docstring what it does")
        self._fields: dict[str, Field] | None = None

    def __call__(self, row: Row | int, by: User | By | None, /, *args: P.args, **kwargs: P.kwargs) -> Kept:
        asked = by if isinstance(by, By) else By(by)
        pk = row if isinstance(row, int) else row.pk
        home_id = self.on.home_of(pk)

        def do(record: Noting) -> str:
            found = self.on.find(record, pk)
            if isinstance(self.kind.needs, ByRow):
                record.ask(found)
            return self.do(record, found, *args, **kwargs)

        return self.history.perform(home_id, do, self.kind, asked)

    @property
    def fields(self) -> dict[str, Field]:
        """The fields that whoever asks sends, by name: the keywords of the function that are annotated with one."""
        if self._fields is None:
            self._fields = dict(_fields_of(self.do))
        return self._fields

    @property
    def rest(self) -> list[str]:
        """Keywords that no field says how to read: the door reads them by itself."""
        return [name for name in _keywords(self.do) if name not in self.fields]


class Acts(History[Home, Kept, Noting]):
    """A history whose acts are declared functions, by the names of their modules."""

    def __init__(self) -> None:
        super().__init__()
        self.declared: dict[str, Declared[Any, Any, Any, Any]] = {}

    def act(
        self, name: str, *, on: On[Row], needs: Needs, undo: Undo, archived: bool = False
    ) -> Callable[[Callable[Concatenate[Noting, Row, P], str]], Declared[Noting, Row, P, Kept]]:
        """Declare an act: a function that changes a row through the record, and says in a sentence what was done."""
        kind = self.declare(name, needs=needs, undo=undo, archived=archived)

        def wrap(do: Callable[Concatenate[Noting, Row, P], str]) -> Declared[Noting, Row, P, Kept]:
            declared: Declared[Noting, Row, P, Kept] = Declared(self, kind, on, do)
            self.declared[f"{do.__module__}.{do.__name__}"] = declared
            return declared

        return wrap


def _keywords(do: Callable[..., str]) -> dict[str, inspect.Parameter]:
    found = inspect.signature(do).parameters
    return {name: one for name, one in found.items() if one.kind is inspect.Parameter.KEYWORD_ONLY}


def _fields_of(do: Callable[..., str]) -> Iterator[tuple[str, Field]]:
    hints = get_type_hints(do, include_extras=True)
    for name, parameter in _keywords(do).items():
        for said in getattr(hints[name], "__metadata__", ()):
            if isinstance(said, serializers.Field):
                options: dict[str, Any] = {}
                if parameter.default is not inspect.Parameter.empty:
                    options = {"required": False} if parameter.default is None else {"default": parameter.default}
                yield name, type(said)(*said._args, **{**said._kwargs, **options})  # type: ignore[attr-defined]
