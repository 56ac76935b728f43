"""Changes of an act in the database, recorded row by row, so that they can be read later and undone."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext

from web.database.rows import Row, row_from_values, row_values
from web.errors import Refused

Added = TypeVar("Added", bound=models.Model)


class RecordedAct(models.Model):
    """A line of a history: one act, with actor and time. Rows are only ever added.

    Each history has a model of its own, with the home and the act that it undoes.
    """

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=60, blank=True)
    """The actor's name at that time; empty for the site itself."""
    kind = models.CharField(max_length=30)
    sentence = models.CharField(max_length=300)
    """The act in words."""
    reason = models.CharField(max_length=200, blank=True)
    changes = models.JSONField(default=list)
    """Its decisions, as `Recording` notes them. Consequences by arithmetic are not in it: they are worked out again."""
    request_key = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  unset must not collide

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.sentence


class Recording:
    """Changes rows and records them: {"model", "pk", "was": fields or null, "is": fields or null} each."""

    def __init__(self) -> None:
        self.changes: list[dict[str, Any]] = []

    def change(self, row: Row, **values: Any) -> bool:
        """Set fields of a row; whether that changed any."""
        new = {name: value for name, value in values.items() if getattr(row, name) != value}
        if not new:
            return False
        was = row_values(row, new)
        for name, value in new.items():
            setattr(row, name, value)
        row.save(update_fields=list(new))
        self._note(row, was, row_values(row, new))
        return True

    def create(self, row: Row) -> None:
        """Add a row."""
        row.save(force_insert=True)
        self._note(row, None, row_values(row))

    def create_all(self, rows: Sequence[Row]) -> None:
        """Add rows of one model at once."""
        if rows:
            type(rows[0])._default_manager.bulk_create(rows)
        for row in rows:
            self._note(row, None, row_values(row))

    def delete(self, row: Row) -> None:
        """Delete a row, which undo restores. Its dependants must be gone, or not matter."""
        self._note(row, row_values(row), None)
        row.delete()

    def note_added(self, row: Row) -> None:
        """Record a row that another service added."""
        self._note(row, None, row_values(row))

    def note_changed(self, was: Row, row: Row) -> None:
        """Record what another service changed: the row before, and as it is."""
        before, now = row_values(was), row_values(row)
        if changed := [name for name, value in now.items() if before[name] != value]:
            self._note(row, {name: before[name] for name in changed}, {name: now[name] for name in changed})

    def set_back(self, app: str, change: dict[str, Any], *, locked: Row | None = None) -> None:
        """Undo one recorded change of an app's row, and record that in turn.

        `locked` is a row that is locked already and takes the change itself. Raises `Refused` if the row is no
        longer as the change left it, but for fields that the model names in `RENEWED`, such as the token of a link.
        """
        model = apps.get_model(app, change["model"])
        row = model._default_manager.filter(pk=change["pk"]).first()
        if row is not None and locked is not None and row == locked:
            row = locked
        was, became = change["was"], change["is"]
        if became is not None and (row is None or not _is_as_left(row, became)):
            raise Refused("changed_since", gettext("This was changed again later. Undo that first."))
        if became is None and row is not None:
            raise Refused("changed_since", gettext("This was added again later. Undo that first."))
        try:
            with transaction.atomic():
                if was is None:
                    self.delete(existing(row))
                elif became is None:
                    self.create(row_from_values(model, was))
                else:
                    self.change(existing(row), **{name: getattr(row_from_values(model, was), name) for name in was})
        except IntegrityError:
            raise Refused("changed_since", gettext("Something else has taken its place. Undo that first.")) from None

    def _note(self, row: Row, was: dict[str, Any] | None, now: dict[str, Any] | None) -> None:
        pk = row.pk if now is not None or was is None else was["id"]
        self.changes.append({"model": row._meta.model_name, "pk": pk, "was": was, "is": now})


def _is_as_left(row: Row, became: dict[str, Any]) -> bool:
    """Whether a row has the values that a change left, whatever was renewed since."""
    renewed = getattr(row, "RENEWED", ())
    now = row_values(row, became)
    return all(now[name] == value for name, value in became.items() if name not in renewed)


def added_row(act: RecordedAct, model: type[Added]) -> Added:
    """The first row of a model that an act added; the same for a repeated request.

    Raises `Refused` if it was undone since then.
    """
    added = [
        change["pk"] for change in act.changes if change["model"] == model._meta.model_name and change["was"] is None
    ]
    row = model._default_manager.filter(pk=added[0]).first() if added else None
    if row is None:
        raise Refused("taken_back", gettext("This was done before, and has been undone since then."))
    return row


@contextmanager
def rollback() -> Iterator[None]:
    """A transaction that is rolled back at its end, with everything queued for after commit: for previews."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def existing(row: Row | None) -> Row:
    assert row is not None  # noqa: S101  a change that left fields found its row
    return row
