"""What an act changes in the database, noted row by row, so that it can be read later and set back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext

from web.database.rows import Row, unwritten, written
from web.errors import Refused

Added = TypeVar("Added", bound=models.Model)


class RecordedAct(models.Model):
    """A line of a history: one thing that was done, by whom and when. Rows are only ever added.

    Each history has a model of its own, which says of what it is one, and which of its acts undoes which.
    """

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=60, blank=True)
    """How whoever did it was called then; empty for the site itself."""
    kind = models.CharField(max_length=30)
    sentence = models.CharField(max_length=300)
    """What was done, in words."""
    reason = models.CharField(max_length=200, blank=True)
    changes = models.JSONField(default=list)
    """What it changed by decision, as `Recording` notes it. What follows from decisions by arithmetic is not in it: it is
    worked out again."""
    request_key = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  unset must not collide

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.sentence


class Recording:
    """Changes rows and notes what they were: {"model", "pk", "was": fields or null, "is": fields or null} each."""

    def __init__(self) -> None:
        self.changes: list[dict[str, Any]] = []

    def change(self, row: Row, **values: Any) -> bool:
        """Set fields of a row; whether that changed anything."""
        new = {name: value for name, value in values.items() if getattr(row, name) != value}
        if not new:
            return False
        was = written(row, new)
        for name, value in new.items():
            setattr(row, name, value)
        row.save(update_fields=list(new))
        self._note(row, was, written(row, new))
        return True

    def create(self, row: Row) -> None:
        """Add a row."""
        row.save(force_insert=True)
        self._note(row, None, written(row))

    def create_all(self, rows: Sequence[Row]) -> None:
        """Add rows of one model at once."""
        if rows:
            type(rows[0])._default_manager.bulk_create(rows)
        for row in rows:
            self._note(row, None, written(row))

    def delete(self, row: Row) -> None:
        """Remove a row, which setting back brings again. Its dependants must be gone, or not matter."""
        self._note(row, written(row), None)
        row.delete()

    def set_back(self, app: str, change: dict[str, Any], *, locked: Row | None = None) -> None:
        """Take one noted change of an app's row back, and note that in turn.

        `locked` is a row that is held already and takes the change itself. Raises `Refused` where the row is no longer
        as the change left it.
        """
        model = apps.get_model(app, change["model"])
        row = model._default_manager.filter(pk=change["pk"]).first()
        if row is not None and locked is not None and row == locked:
            row = locked
        was, became = change["was"], change["is"]
        if became is not None and (row is None or written(row, became) != became):
            raise Refused("changed_since", gettext("This was changed again later. Undo that first."))
        if became is None and row is not None:
            raise Refused("changed_since", gettext("This was added again later. Undo that first."))
        try:
            with transaction.atomic():
                if was is None:
                    self.delete(_there(row))
                elif became is None:
                    self.create(unwritten(model, was))
                else:
                    self.change(_there(row), **{name: getattr(unwritten(model, was), name) for name in was})
        except IntegrityError:
            raise Refused("changed_since", gettext("Something else has taken its place. Undo that first.")) from None

    def _note(self, row: Row, was: dict[str, Any] | None, now: dict[str, Any] | None) -> None:
        pk = row.pk if now is not None or was is None else was["id"]
        self.changes.append({"model": row._meta.model_name, "pk": pk, "was": was, "is": now})


def made(act: RecordedAct, model: type[Added]) -> Added:
    """The first row of a model that an act added; the same when the act was asked for twice.

    Raises `Refused` where it was taken back meanwhile.
    """
    added = [one["pk"] for one in act.changes if one["model"] == model._meta.model_name and one["was"] is None]
    row = model._default_manager.filter(pk=added[0]).first() if added else None
    if row is None:
        raise Refused("taken_back", gettext("This was done before, and has been undone since then."))
    return row


@contextmanager
def thrown_away() -> Iterator[None]:
    """A transaction whose changes are thrown away at its end, and with them what was to be done after it: for previews."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def _there(row: Row | None) -> Row:
    assert row is not None  # noqa: S101  a change that left fields found its row
    return row
