"""One engine for every history: an act is done in one transaction under its home's lock, kept, tried out, and undone."""

from __future__ import annotations

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

from accounts.models import User
from acts.kinds import Again, ByAct, ByCase, ByRow, Kind, Needs, Rows, Site, Undo, Wrong
from acts.recording import RecordedAct, Recording, thrown_away
from web.errors import NotAllowed, Refused, Stale

Home = TypeVar("Home", bound=Model)
Kept = TypeVar("Kept", bound=RecordedAct)


@dataclass(frozen=True)
class By:
    """Who asks for an act, and how."""

    user: User | None
    """`None` for the site itself, of which no right is asked."""
    request_key: str | None = None
    """What is done under a key that is known is not done again."""
    seen: int | None = None
    """The version that the page showed: `Stale` where the home has moved on since."""
    reason: str = ""
    now: datetime | None = None
    within: Recording | None = None
    """The act of which this is a part; who may was asked there."""


class Record(Recording, Generic[Home, Kept]):
    """What one act changes in its home, and who asked for it."""

    def __init__(self, home: Home, by: User | None, now: datetime, asks: Callable[[Any], None] | None = None) -> None:
        super().__init__()
        self.home, self.by, self.now = home, by, now
        self.undoes: Kept | None = None
        self._asks, self.has_asked = asks, False

    def ask(self, about: Any) -> None:
        """Raise `NotAllowed` unless whoever does the act may: `about` is the row, or the right, that its kind asks of."""
        self.has_asked = True
        if self._asks is not None:
            self._asks(about)


Noting = TypeVar("Noting", bound=Record[Any, Any])


class History(Generic[Home, Kept, Noting]):
    """What is done in the homes of one kind (clubs, events). An app that keeps a history has one, and says the rest."""

    app: str
    home: str
    """The field of an act that leads to its home."""
    kept: type[Kept]
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
        """Raise `NotAllowed` unless somebody has this right."""
        raise NotImplementedError

    def check_open(self, home: Home, kind: Kind) -> None:
        """Raise `Refused` where nothing may be done in the home any more."""

    def follow(self, record: Noting) -> None:
        """Do what follows within the act, before it is kept."""

    def settle(self, record: Noting, **how: Any) -> None:
        """Do what follows once it is kept, and let the home's version grow."""
        raise NotImplementedError

    def set_back(self, record: Noting, change: dict[str, Any]) -> None:
        """Take one noted change back."""
        record.set_back(self.app, change, locked=record.home)

    def undone_words(self, act: Kept) -> str:
        """What the history says of undoing an act."""
        return gettext("Undone: %(act)s") % {"act": act.sentence}

    def cannot_undo(self) -> Refused:
        """The refusal of undoing what decided nothing, or never can be."""
        return Refused("cannot_undo", gettext("This cannot be undone here."))

    # Declaring

    def declare(self, name: str, *, needs: Needs, undo: Undo, archived: bool = False) -> Kind:
        """Declare a kind of act. Acts that share one must agree on who may undo it, and how."""
        declared = Kind(name, needs, undo, archived)
        for right in (*declared.rights, *declared.undo_rights):
            if right not in self.rights:
                raise Wrong(f"{name}: there is no right {right!r}")
        known = self.kinds.setdefault(name, declared)
        if known.undone() != declared.undone():
            raise Wrong(f"{name} is declared twice, otherwise undone")
        self.declarations.append(declared)
        return declared

    # Doing

    def perform(self, home_id: int, do: Callable[[Noting], str], kind: Kind, by: By, **how: Any) -> Kept:
        """Do an act, unless its key is known, and keep it. `how` is for `settle`. Raises what `do` raises."""
        with transaction.atomic():
            home = self.lock(home_id)
            record = self.recorded(home, kind, by)
            acts = self.kept._default_manager.filter(**{self.home: home})
            if by.request_key and (done := acts.filter(request_key=by.request_key).first()):
                return done
            self.check_open(home, kind)
            version = home.version  # type: ignore[attr-defined]  # every home has one
            if by.seen is not None and by.seen != version:
                raise Stale(
                    "stale",
                    gettext("Something has changed since you opened this page. Check it again."),
                    version=version,
                )
            sentence = self.done(record, do, kind)
            self.follow(record)
            act = self.note(record, kind, sentence, reason=by.reason, request_key=by.request_key)
            self.settle(record, **how)
            return act

    def recorded(self, home: Home, kind: Kind, by: By) -> Noting:
        """A record for an act of a home that is held, for whom may do it so far as its kind says by itself."""
        now = by.now or timezone.now()
        if by.user is None or by.within is not None:
            return self.record(home, by.user, now)
        if isinstance(kind.needs, Site):
            raise NotAllowed("not_yours", gettext("The site does this automatically."))
        if isinstance(kind.needs, str):
            self.check(by.user, home, kind.needs)
        return self.record(home, by.user, now, partial(self._ask, kind.needs, by.user, home))

    def done(self, record: Noting, do: Callable[[Noting], str], kind: Kind) -> str:
        """The sentence of an act that is done. Raises `Wrong` where it did not ask what its kind leaves to it to ask."""
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
    ) -> Kept:
        """Write a line of the history."""
        return self.kept._default_manager.create(
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
        """A transaction under the home's lock whose changes are thrown away at its end: for previews."""
        with thrown_away():
            yield self.lock(home_id)

    # Undoing

    def undo_right(self, act: Kept) -> str | None:
        """The right that undoing an act takes; `None` where it cannot be undone, or no code declares its kind."""
        kind = self.kinds.get(act.kind)
        if kind is not None and isinstance(kind.undo, Again):
            undone: Kept | None = act.undoes  # type: ignore[attr-defined]  # every history has it
            return self.undo_right(undone) if undone is not None else None
        if kind is None or not isinstance(kind.undo, Rows) or not act.changes:
            return None
        return kind.undo.needs.pick(act) if isinstance(kind.undo.needs, ByAct) else kind.undo_rights[0]

    def may_be_undone(self, act: Kept, *, may: Collection[str], is_own: bool) -> bool:
        """Whether somebody with these rights may undo an act: what they may do themselves, of others only with `undo`."""
        right = self.undo_right(act)
        return right is not None and right in may and (is_own or "undo" in may)

    def undoing(self, act: Kept, by: User) -> Callable[[Noting], str]:
        """The act of undoing another. Raises `Refused` where a later one has changed the same thing, or it cannot be."""

        def do(record: Noting) -> str:
            right = self.undo_right(act)
            if right is not None:
                self.check(by, record.home, right)
            if act.by_id != by.pk:
                self.check(by, record.home, "undo")
            if self.kept._default_manager.filter(undoes=act).exists():
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
        """Kinds of acts in stored rows that no code declares: nobody could say who may undo them."""
        stored = self.kept._default_manager.order_by("kind").values_list("kind", flat=True).distinct()
        return [name for name in stored if name not in self.kinds]
