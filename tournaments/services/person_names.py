"""Names of people in everything that events store, replaced by one new name."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Model

from accounts import privacy
from accounts.display_names import FORMER
from accounts.models import User
from accounts.person_names import Clean, NewName, clean_rows, corrected, mentioning
from tournaments import live_updates
from tournaments.models import Act, Adjustment, Answer, Entry, Hall, Member, Remark, Result, Tournament
from tournaments.services.events import naming

NOBODY = 0
"""Id of no account."""
TYPED: tuple[tuple[type[Model], str, tuple[str, ...]], ...] = (
    (Tournament, "pk", ("about", "venue")),
    (Adjustment, "stage__tournament", ("reason",)),
    (Result, "pairing__round__stage__tournament", ("reason",)),
    (Remark, "tournament", ("note",)),
    (Answer, "result__pairing__round__stage__tournament", ("words",)),
    (Hall, "tournament", ("note",)),
)
"""Texts of events by the path to their event: people may mention others in them."""


def lock(event_ids: Collection[int]) -> list[Tournament]:
    """These events, locked in the order of their ids."""
    return list(Tournament.objects.select_for_update().filter(pk__in=event_ids).order_by("pk"))


def replace(events: Sequence[Tournament], member_ids: Collection[int], new: NewName, *, user_id: int = NOBODY) -> None:
    """Replace a person's names in locked events: their rows (members, by id), and every mention of them.

    `user_id` is the account that is forgotten. A fixed number of queries, however many events there are.
    """
    ids = [event.pk for event in events]
    touched = (
        set(ids) if user_id else set(Member.objects.filter(pk__in=member_ids).values_list("tournament", flat=True))
    )
    _rename_members(member_ids, new)
    touched |= _clean_entries(ids, member_ids, new)
    touched |= _clean_history(ids, member_ids, new, user_id)
    for model, path, fields in TYPED:
        changed = clean_rows(model._default_manager.filter(**{f"{path}__in": ids}), fields, new.names, new.typed)
        if changed:
            rows = model._default_manager.filter(pk__in=[row.pk for row in changed])
            touched |= set(rows.values_list(path, flat=True))
    changed_events = clean_rows(Tournament.objects.filter(pk__in=ids), ("name",), new.names, new.titles)
    changed_events += clean_rows(
        Tournament.objects.filter(pk__in=ids, created_by=user_id), ("name",), new.names, new.clean
    )
    touched |= {event.pk for event in changed_events}
    privacy.replace_in_notices([f"event:{pk}" for pk in ids], new.clean)
    Tournament.objects.filter(pk__in=touched).update(version=F("version") + 1)
    for event in events:
        if event.pk in touched:
            event.bump()
            live_updates.tell(event)


def follow_account(user: User, was: str) -> None:
    """Show the new name of an account in its events, and in the history of its own rows there."""
    members = Member.objects.filter(user=user, name=was[:60])
    with transaction.atomic():
        events = lock(set(members.values_list("tournament", flat=True)))
        others = Member.objects.filter(tournament__in=events).exclude(user=user).values_list("name", flat=True)
        new = corrected(str(user)[:60], [was[:60]], set(others) - {was[:60]}).with_own_only
        replace(events, list(members.values_list("pk", flat=True)), new)


def _rename_members(member_ids: Collection[int], new: NewName) -> None:
    """Rename the person's rows, and their entries."""
    entries = Entry.objects.filter(members__in=member_ids).distinct().select_related("tournament")
    entries = entries.prefetch_related("members")
    for entry in entries:
        kind, here = entry.tournament.entry_kind, [member for member in entry.members.all() if _is_in(member)]
        automatic, is_automatic = naming.automatic(kind, here), naming.is_automatic(entry, kind, here)
        is_numbered = entry.name != automatic
        for member in entry.members.all():
            member.name = new.name if member.pk in member_ids else member.name
        name = naming.automatic(kind, here)
        if is_automatic:
            entry.name = naming.numbered(name, entry.number) if is_numbered else name
        else:
            entry.name = new.own(entry.name)[: naming.LONGEST]
    Entry.objects.bulk_update(entries, ["name"], batch_size=200)
    Member.objects.filter(pk__in=member_ids).update(name=new.name, **({"email": ""} if new.is_forgotten else {}))


def _is_in(member: Member) -> bool:
    return member.left_at is None and member.answer != Member.Answer.DECLINED


def _clean_entries(events: Sequence[int], member_ids: Collection[int], new: NewName) -> set[int]:
    """Replace the name in entries of others, which may be called after it. Returns the events (ids) of these."""
    others = Entry.objects.filter(tournament__in=events).exclude(members__in=member_ids)
    changed = clean_rows(others, ("name",), new.names, new.typed)
    entries = Entry.objects.filter(pk__in=[entry.pk for entry in changed])
    return set(entries.values_list("tournament", flat=True)) if changed else set()


# Histories


@dataclass(frozen=True)
class _Rows:
    """Rows of the person and of others, by id. Rows that no longer exist are in none of these."""

    members: frozenset[int]
    other_members: frozenset[int]
    entries: frozenset[int]


def _rows(events: Sequence[int], member_ids: Collection[int]) -> _Rows:
    members = Member.objects.filter(tournament__in=events).values_list("pk", "entry_id")
    person_rows = frozenset(member_ids)
    return _Rows(
        person_rows,
        frozenset(pk for pk, _ in members if pk not in person_rows),
        frozenset(entry for pk, entry in members if pk in person_rows),
    )


def _clean_history(events: Sequence[int], member_ids: Collection[int], new: NewName, user_id: int) -> set[int]:
    """Replace the name in the histories. Returns the events (ids) of the lines that mention it."""
    of_events = Act.objects.filter(tournament__in=events)
    mentions = mentioning(of_events, new.names, "sentence", "reason", "changes")
    acts = list(mentions)
    if user_id:
        acts += of_events.filter(by=user_id).exclude(pk__in=[act.pk for act in acts])
    rows = _rows(events, member_ids) if acts or member_ids else _Rows(frozenset(), frozenset(), frozenset())
    if new.is_forgotten and member_ids:  # an invitation has the address alone
        theirs = Member.objects.filter(pk__in=member_ids).values("tournament")
        rest = of_events.filter(tournament__in=theirs).exclude(pk__in=[act.pk for act in acts])
        acts += [act for act in mentioning(rest, ['"member"'], "changes") if _concerns(act, rows)]
    for act in acts:
        clean = new.own if _concerns(act, rows) else new.clean
        act.sentence, act.reason = clean(act.sentence)[:300], new.typed(act.reason)[:200]
        act.name = FORMER if user_id and act.by_id == user_id else act.name
        act.changes = [_cleaned(change, rows, new) for change in act.changes]
    Act.objects.bulk_update(acts, ["sentence", "reason", "name", "changes"], batch_size=200)
    return {act.tournament_id for act in acts}


def _concerns(act: Act, rows: _Rows) -> bool:
    """Whether an act changed the person's own rows."""
    changeable = {"member": rows.members, "entry": rows.entries}
    return any(change["pk"] in changeable.get(change["model"], ()) for change in act.changes)


_TYPED_IN_CHANGES = {
    "tournament": ("about", "venue"),
    "adjustment": ("reason",),
    "result": ("reason",),
    "remark": ("note",),
    "answer": ("words",),
}


def _cleaned(change: dict[str, Any], rows: _Rows, new: NewName) -> dict[str, Any]:
    """A change of the history with the person’s name replaced. It can still be undone."""
    return change | {side: _side(change, change[side], rows, new) for side in ("was", "is")}


def _side(change: dict[str, Any], fields: Any, rows: _Rows, new: NewName) -> Any:
    if not isinstance(fields, dict):
        return fields
    model, pk, cleaned = change["model"], change["pk"], {}
    if model == "member" and pk not in rows.other_members:
        # Rows that no longer exist are known by their name only.
        if pk in rows.members or fields.get("name") in new.names:
            cleaned = {"name": new.name} | ({"email": ""} if new.is_forgotten else {})
    elif model == "entry":
        cleaned = _with(fields, "name", new.own if pk in rows.entries else new.clean)
    elif model == "tournament":
        cleaned = _with(fields, "name", new.titles)
    for name in _TYPED_IN_CHANGES.get(model, ()):
        cleaned |= _with(fields, name, new.typed)
    return fields | {name: value for name, value in cleaned.items() if name in fields}


def _with(fields: dict[str, Any], name: str, clean: Clean) -> dict[str, Any]:
    """A stored field of a row, cleaned, if it is there."""
    return {name: clean(fields[name])} if isinstance(fields.get(name), str) else {}
