"""A declared act: a function with a row, fields by name, and its kind."""

import inspect
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_type_hints

from django.db.models import Model
from django.utils.translation import gettext, gettext_noop
from rest_framework import serializers

from accounts.models import User
from acts.history import Actor, History, Home, Noting, Record, Recorded
from acts.kinds import ByRow, Kind, Needs, Undo, Wrong
from web.errors import Refused

Row = TypeVar("Row", bound=Model)
P = ParamSpec("P")
Field = serializers.Field[Any, Any, Any, Any]

GONE = gettext_noop("This no longer exists.")


@dataclass(frozen=True)
class On(Generic[Row]):
    """The model of an act, and the way from a row to its home (`league__club`; empty for the home itself)."""

    model: type[Row]
    home: str = ""
    along: tuple[str, ...] = ()
    """Relations read with the row."""

    def home_of(self, pk: int) -> int:
        """The id of the row's home. Raises `Refused` if the row does not exist."""
        if not self.home:
            return pk
        home_id = self.model._default_manager.filter(pk=pk).values_list(f"{self.home}_id", flat=True).first()
        if home_id is None:
            raise Refused("no_such_row", gettext(GONE))
        return int(home_id)

    def find(self, record: Record[Any, Any], pk: int) -> Row:
        """The row under the lock. Raises `Refused` if it does not exist or belongs to another home."""
        if not self.home:
            home: Row = record.home
            return home
        rows = self.model._default_manager.filter(**{self.home: record.home})
        row = (rows.select_related(*self.along) if self.along else rows).filter(pk=pk).first()
        if row is None:
            raise Refused("no_such_row", gettext(GONE))
        return row


class Declared(Generic[Noting, Row, P, Recorded]):
    """An act. A call with a row (or its id), the actor and the fields by name does it and records it."""

    def __init__(
        self,
        history: History[Any, Recorded, Noting],
        kind: Kind,
        on: On[Row],
        do: Callable[Concatenate[Noting, Row, P], str],
    ) -> None:
        self.history, self.kind, self.on, self.do = history, kind, on, do
        self.__name__, self.__module__, self.__doc__ = do.__name__, do.__module__, do.__doc__
        if not do.__doc__:
            raise Wrong(f"{do.__name__}: say in a docstring what it does")
        self._fields: dict[str, Field] | None = None

    def __call__(self, row: Row | int, by: User | Actor | None, /, *args: P.args, **kwargs: P.kwargs) -> Recorded:
        actor = by if isinstance(by, Actor) else Actor(by)
        pk = row if isinstance(row, int) else row.pk
        home_id = self.on.home_of(pk)

        def do(record: Noting) -> str:
            locked = self.on.find(record, pk)
            if isinstance(self.kind.needs, ByRow):
                record.ask(locked)
            return self.do(record, locked, *args, **kwargs)

        return self.history.perform(home_id, do, self.kind, actor)

    @property
    def fields(self) -> dict[str, Field]:
        """Fields of the request by name: the keywords of the function that are annotated with one."""
        if self._fields is None:
            self._fields = dict(_fields_of(self.do))
        return self._fields

    @property
    def rest(self) -> list[str]:
        """Keywords without a field, which the view reads itself."""
        return [name for name in _keywords(self.do) if name not in self.fields]


class Acts(History[Home, Recorded, Noting]):
    """A history whose acts are declared functions, by the names of their modules."""

    def __init__(self) -> None:
        super().__init__()
        self.declared: dict[str, Declared[Any, Any, Any, Any]] = {}

    def act(
        self, name: str, *, on: On[Row], needs: Needs, undo: Undo, archived: bool = False
    ) -> Callable[[Callable[Concatenate[Noting, Row, P], str]], Declared[Noting, Row, P, Recorded]]:
        """Declare an act: a function that changes a row through the record and returns a sentence for the history."""
        kind = self.declare(name, needs=needs, undo=undo, archived=archived)

        def wrap(do: Callable[Concatenate[Noting, Row, P], str]) -> Declared[Noting, Row, P, Recorded]:
            declared: Declared[Noting, Row, P, Recorded] = Declared(self, kind, on, do)
            self.declared[f"{do.__module__}.{do.__name__}"] = declared
            return declared

        return wrap


def _keywords(do: Callable[..., str]) -> dict[str, inspect.Parameter]:
    params = inspect.signature(do).parameters
    return {name: param for name, param in params.items() if param.kind is inspect.Parameter.KEYWORD_ONLY}


def _fields_of(do: Callable[..., str]) -> Iterator[tuple[str, Field]]:
    hints = get_type_hints(do, include_extras=True)
    for name, parameter in _keywords(do).items():
        for note in getattr(hints[name], "__metadata__", ()):
            if isinstance(note, serializers.Field):
                options: dict[str, Any] = {}
                if parameter.default is not inspect.Parameter.empty:
                    options = {"required": False} if parameter.default is None else {"default": parameter.default}
                # A copy, because a list binds its child once.
                kwargs = {key: deepcopy(value) for key, value in note._kwargs.items()}  # type: ignore[attr-defined]
                yield name, type(note)(*note._args, **{**kwargs, **options})  # type: ignore[attr-defined]
