"""Names of a person in stored text, replaced when the person is forgotten or their name is corrected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import JSONField, Q, QuerySet, TextField
from django.db.models.functions import Cast

from accounts.display_names import FORMER

Clean = Callable[[str], str]


@dataclass(frozen=True)
class NewName:
    """The name that replaces others of one person."""

    name: str
    names: frozenset[str]
    """The names that it replaces."""
    own: Clean
    """Replaces them in the names of their own pairs and teams."""
    clean: Clean
    """The same in everything that the site wrote about others too, such as histories."""
    typed: Clean
    """The same in text that people typed."""
    titles: Clean
    """The same in names that people gave to other things, such as events."""

    @property
    def is_forgotten(self) -> bool:
        """Whether the person is forgotten, so that their addresses go too."""
        return self.name == FORMER

    @property
    def with_own_only(self) -> NewName:
        """The same in the person's own rows, and in the history of these, alone. For people who rename themselves, and
        for someone whose name another person has too."""
        return replace(self, clean=_unchanged, typed=_unchanged, titles=_unchanged)


def forgotten(names: Collection[str], other_names: Collection[str] = ()) -> NewName:
    """Replaces the names of a person by the common one, in everything; in titles only names of several words."""
    gone = frozenset(names) - {"", FORMER}
    clean = cleaner(gone, other_names)
    return NewName(FORMER, gone, clean, clean, clean, cleaner(_full(gone), other_names))


def corrected(name: str, names: Collection[str], other_names: Collection[str] = ()) -> NewName:
    """Replaces the names of a person by a new one. In typed text only names of several words, because others, such as
    “May”, could be a word."""
    gone, other_names = frozenset(names) - {"", name}, {*other_names, name}
    clean, typed = cleaner(gone, other_names, name), cleaner(_full(gone), other_names, name)
    return NewName(name, gone, clean, clean, typed, typed)


def _unchanged(text: str) -> str:
    return text


def _full(names: Iterable[str]) -> set[str]:
    return {name for name in names if " " in name}


def cleaner(names: Collection[str], other_names: Collection[str] = (), called: str = FORMER) -> Clean:
    """Puts another name, by default that of people who have left, in place of these, but not within others' longer
    names."""
    if not names:
        return _unchanged
    pattern, longer = _names_and_longer(names, other_names)
    return lambda text: pattern.sub(lambda match: match[0] if match[0] in longer else called, text)


def mention_finder(names: Collection[str], other_names: Collection[str] = ()) -> Callable[[Any], bool]:
    """Tells whether a text, or the texts within JSON, mention one of these names where `cleaner` would replace it: as
    words of their own, not within others' longer names."""
    if not names:
        return lambda stored: False
    pattern, longer = _names_and_longer(names, other_names)

    def is_mention(stored: Any) -> bool:
        if isinstance(stored, str):
            return any(match[0] not in longer for match in pattern.finditer(stored))
        parts = stored.values() if isinstance(stored, dict) else stored if isinstance(stored, list) else ()
        return any(is_mention(part) for part in parts)

    return is_mention


def _names_and_longer(names: Collection[str], other_names: Collection[str]) -> tuple[re.Pattern[str], set[str]]:
    """A pattern of these names as whole words, the longest first, and the longer names of others that it finds too."""
    longer = {other for other in other_names if any(name in other for name in names)} - set(names)
    words = sorted({*names, *longer}, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words)), longer


def mentioning(rows: QuerySet[Any], names: Iterable[str], *fields: str) -> QuerySet[Any]:
    """The rows that could hold one of these names in a field, as text or within JSON."""
    condition = Q()
    for field in fields:
        is_json = isinstance(rows.model._meta.get_field(field), JSONField)
        if is_json:
            rows = rows.alias(**{f"_{field}": Cast(field, TextField())})
        for name in names:
            condition |= Q(**{f"{f'_{field}' if is_json else field}__contains": name})
            if is_json:
                for stored in {json.dumps(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]}:
                    condition |= Q(**{f"_{field}__contains": stored})
    return rows.filter(condition) if condition else rows.none()


def clean_rows(rows: QuerySet[Any], fields: Sequence[str], names: Iterable[str], clean: Clean) -> list[Any]:
    """Clean these fields of rows that mention a name. Returns the changed rows."""
    changed = []
    for row in mentioning(rows, names, *fields).only("pk", *fields):
        new = {name: clean(getattr(row, name))[: row._meta.get_field(name).max_length] for name in fields}
        if any(new[name] != getattr(row, name) for name in fields):
            for name, value in new.items():
                setattr(row, name, value)
            changed.append(row)
    rows.model._default_manager.bulk_update(changed, fields, batch_size=200)
    return changed
