"""The engine of every history: an act runs in a transaction under its home's lock, is recorded, and can be undone."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext

from accounts.budgets import ACTIONS, spend
from accounts.models import User
from acts.kinds import Again, ByAct, ByCase, ByRow, Kind, Needs, Rows, Site, Undo, Wrong
from acts.recording import RecordedAct, Recording, rollback
from web.errors import NotAllowed, Refused, Stale

Home = TypeVar("Home", bound=Model)
Recorded = TypeVar("Recorded", bound=RecordedAct)


@dataclass(frozen=True)
class Actor:
    """The person who acts, with the details of the request."""

    user: User | None
    """`None` for the site itself, which needs no right."""
    request_key: str | None = None
    """An act with a known key is not done again."""
    seen: int | None = None
    """The version that the page showed: `Stale` if the home has changed since."""
    reason: str = ""
    now: datetime | None = None
    within: Recording | None = None
    """The act of which this is a part, and which has checked the rights."""


class Record(Recording, Generic[Home, Recorded]):
    """Changes of one act in its home, and its actor."""

    def __init__(self, home: Home, by: User | None, now: datetime, asks: Callable[[Any], None] | None = None) -> None:
        super().__init__()
        self.home, self.by, self.now = home, by, now
        self.undoes: Recorded | None = None
        self._asks, self.has_asked = asks, False

    def ask(self, about: Any) -> None:
        """Raise `NotAllowed` unless the actor may do it: `about` is the row, or the right, that its kind depends on."""
        self.has_asked = True
        if self._asks is not None:
            self._asks(about)


Noting = TypeVar("Noting", bound=Record[Any, Any])


class History(Generic[Home, Recorded, Noting]):
    """Acts in the homes of one kind (clubs, events). An app with a history subclasses it once."""

    app: str
    home: str
    """The field of an act that leads to its home."""
    act_model: type[Recorded]
    record: type[Noting]
    rights: Collection[str]

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.declarations: list[Kind] = []
        """Every kind as often as it is declared: acts that share a name may need different rights."""

    # What the app says

    def lock(self, home_id: int) -> Home:
        """The home, held until the end of the transaction."""
        raise NotImplementedError

    def check(self, by: User, home: Home, right: str) -> None:
        """Raise `NotAllowed` unless the user has this right."""
        raise NotImplementedError

    def check_open(self, home: Home, kind: Kind) -> None:
        """Raise `Refused` if the home is closed for acts of this kind."""

    def follow(self, record: Noting) -> None:
        """Apply consequences that are part of the act, before it is recorded."""

    def settle(self, record: Noting, **how: Any) -> None:
        """Apply consequences after it is recorded, and raise the home's version."""
        raise NotImplementedError

    def set_back(self, record: Noting, change: dict[str, Any]) -> None:
        """Undo one recorded change."""
        record.set_back(self.app, change, locked=record.home)

    def undone_words(self, act: Recorded) -> str:
        """The sentence of an undone act."""
        return gettext("Undone: %(act)s") % {"act": act.sentence}

    def cannot_undo(self) -> Refused:
        """The refusal to undo an act that decided nothing or never can be undone."""
        return Refused("cannot_undo", gettext("This cannot be undone here."))

    # Declaring

    def declare(self, name: str, *, needs: Needs, undo: Undo, archived: bool = False) -> Kind:
        """Declare a kind of act. Acts that share one must agree on the right to undo it, and how."""
        declared = Kind(name, needs, undo, archived)
        for right in (*declared.rights, *declared.undo_rights):
            if right not in self.rights:
                raise Wrong(f"{name}: there is no right {right!r}")
        first = self.kinds.setdefault(name, declared)
        if first.undone() != declared.undone():
            raise Wrong(f"{name} is declared twice, otherwise undone")
        self.declarations.append(declared)
        return declared

    # Doing

    def perform(self, home_id: int, do: Callable[[Noting], str], kind: Kind, by: Actor, **how: Any) -> Recorded:
        """Do an act, unless its key is known, and record it. `how` is for `settle`. Raises what `do` raises."""
        with transaction.atomic():
            home = self.lock(home_id)
            record = self.recorded(home, kind, by)
            acts = self.act_model._default_manager.filter(**{self.home: home})
            if by.request_key and (earlier := acts.filter(request_key=by.request_key).first()):
                return earlier
            self.check_open(home, kind)
            version = home.version  # type: ignore[attr-defined]  # every home has one
            if by.seen is not None and by.seen != version:
                raise Stale(
                    "stale",
                    gettext("Something has changed since you opened this page. Check it again."),
                    version=version,
                )
            if by.within is None:
                spend(ACTIONS, by.user)
            sentence = self.run(record, do, kind)
            self.follow(record)
            act = self.note(record, kind, sentence, reason=by.reason, request_key=by.request_key)
            self.settle(record, **how)
            return act

    def recorded(self, home: Home, kind: Kind, by: Actor) -> Noting:
        """A record for an act in a locked home, after the check of rights that its kind names."""
        now = by.now or timezone.now()
        if by.user is None or by.within is not None:
            return self.record(home, by.user, now)
        if isinstance(kind.needs, Site):
            raise NotAllowed("not_yours", gettext("The site does this automatically."))
        if isinstance(kind.needs, str):
            self.check(by.user, home, kind.needs)
        return self.record(home, by.user, now, partial(self._ask, kind.needs, by.user, home))

    def run(self, record: Noting, do: Callable[[Noting], str], kind: Kind) -> str:
        """Run an act; returns its sentence. Raises `Wrong` if it skipped a check that its kind leaves to it."""
        sentence = do(record)
        if record.by is not None and isinstance(kind.needs, ByRow | ByCase) and not record.has_asked:
            raise Wrong(f"{kind.name}: the act did not ask who may do it")
        return sentence

    def _ask(self, needs: Needs, by: User, home: Home, about: Any) -> None:
        if isinstance(needs, ByRow):
            needs.check(by, about)
        elif about in (needs.rights if isinstance(needs, ByCase) else (needs,)):
            self.check(by, home, about)
        else:
            raise Wrong(f"{about!r} is no right that this act may ask for")

    def note(
        self, record: Noting, kind: Kind, sentence: str, *, reason: str = "", request_key: str | None = None
    ) -> Recorded:
        """Write a line of the history."""
        return self.act_model._default_manager.create(
            **{self.home: record.home},
            at=record.now,
            by=record.by,
            name=str(record.by)[:60] if record.by else "",
            kind=kind.name,
            sentence=sentence[:300],
            reason=reason.strip()[:200],
            changes=record.changes,
            undoes=record.undoes,
            request_key=request_key,
        )

    @contextmanager
    def rolled_back(self, home_id: int) -> Iterator[Home]:
        """A transaction under the home's lock whose changes are rolled back at its end: for previews."""
        with rollback():
            yield self.lock(home_id)

    # Undoing

    def undo_right(self, act: Recorded) -> str | None:
        """The right needed to undo an act; `None` if it cannot be undone, or its kind is not declared."""
        kind = self.kinds.get(act.kind)
        if kind is not None and isinstance(kind.undo, Again):
            undone: Recorded | None = act.undoes  # type: ignore[attr-defined]  # every history has it
            return self.undo_right(undone) if undone is not None else None
        if kind is None or not isinstance(kind.undo, Rows) or not act.changes:
            return None
        return kind.undo.needs.pick(act) if isinstance(kind.undo.needs, ByAct) else kind.undo_rights[0]

    def may_be_undone(self, act: Recorded, *, may: Collection[str], is_own: bool) -> bool:
        """Whether these rights allow undoing an act: acts that they allow to do; those of others only with `undo`."""
        right = self.undo_right(act)
        return right is not None and right in may and (is_own or "undo" in may)

    def undoing(self, act: Recorded, by: User, *, within: Recording | None = None) -> Callable[[Noting], str]:
        """The act of undoing another. Raises `Refused` if it is impossible or a later act changed the same thing.

        An act `within` which it is undone has checked the rights.
        """

        def do(record: Noting) -> str:
            right = self.undo_right(act)
            if right is not None and within is None:
                self.check(by, record.home, right)
            if act.by_id != by.pk and within is None:
                self.check(by, record.home, "undo")
            if self.act_model._default_manager.filter(undoes=act).exists():
                raise Refused("undone", gettext("This was already undone."))
            if right is None:
                raise self.cannot_undo()
            record.undoes = act
            undo = self.kinds[act.kind].undo
            if isinstance(undo, Rows) and undo.first is not None:
                undo.first(record, act)
            for change in reversed(act.changes):
                self.set_back(record, change)
            return self.undone_words(act)

        return do

    def unknown_kinds(self) -> list[str]:
        """Kinds of acts in stored rows that no code declares: their rights to undo are unknown."""
        stored = self.act_model._default_manager.order_by("kind").values_list("kind", flat=True).distinct()
        return [name for name in stored if name not in self.kinds]
