"""Life cycle of an event: create from a template, copy, publish, start, cancel."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from django.db import transaction
from django.utils.translation import gettext, ngettext

from accounts.budgets import EVENTS, spend
from accounts.models import User
from acts.kinds import Anybody, Never, Rows
from tournaments import access, plan_checks
from tournaments.duplicate import fixed_boards
from tournaments.event_templates import STARTERS
from tournaments.models import Act, Entry, Organiser, Stage, Tournament
from tournaments.plan import Plan
from tournaments.services.action_context import check_alive, check_not_begun
from tournaments.services.entries import check_ins, person_lookup, waiting_list
from tournaments.services.entries.check_ins import moment
from tournaments.services.events import addresses, event_settings, naming
from tournaments.services.history import declare, note, perform
from tournaments.services.matches import online_tables
from tournaments.services.records import ActionRequest, BaseRequest, Record
from web.errors import Refused

MAKE = declare("make", needs=Anybody("Anyone with an account makes events."), undo=Never("Cancel the event instead."))
SETTINGS = declare("settings", needs="prepare", undo=Rows())
PUBLISH = declare("announce", needs="prepare", undo=Rows())
ENTRIES = declare("entries", needs="entries", undo=Rows())
START = declare("start", needs="play", undo=Rows())
CANCEL = declare("cancel", needs="cancel", undo=Rows())

Status = Tournament.Status
Planned = Plan | tuple[str, Plan]
"""A stage to create: its plan, or its name and plan."""


# Making


def make_event(
    by: User,
    *,
    name: str,
    starter: str = "",
    settings: Mapping[str, Any] | None = None,
    plans: Sequence[Planned] = (),
    has_matchdays: bool = False,
    request_key: str | None = None,
) -> Tournament:
    """Create an event that only its organisers see, with `by` as its owner.

    `starter` is a template (`tournaments.event_templates`). `settings` (fields of `event_settings.LABELS`, and
    `rules`) and `plans` override it. The rounds of a league are its matchdays (`has_matchdays`). Raises `Refused` with a sentence for each problem.
    """
    if starter and starter not in STARTERS:
        raise Refused("no_such_starter", gettext("Template not found."))
    chosen = STARTERS.get(starter)
    values = {"time_zone": by.time_zone, **(chosen.settings if chosen else {}), **(settings or {}), "name": name}
    stages = [_name_and_plan(plan) for plan in plans or (chosen.stages if chosen else ())]
    return _make(by, {**event_settings.read(values), "has_matchdays": has_matchdays}, stages, request_key)


def copy_event(
    tournament_id: int, by: User, *, name: str, starts_at: datetime | None = None, request_key: str | None = None
) -> Tournament:
    """Copy an event with its settings, stages and organisers, without entries.

    With `starts_at` its other times keep their distance from the start, otherwise it has none. Raises `Refused`.
    """
    old = Tournament.objects.filter(pk=tournament_id).first()
    if old is None:
        raise Refused("no_such_event", gettext("Event not found."))
    access.check(by, old, "prepare")
    values = {field: getattr(old, field) for field in event_settings.LABELS} | {"name": name, "starts_at": starts_at}
    for field in ("entries_close_at", "check_in_from", "check_in_until"):
        at = values[field]
        is_known = at is not None and old.starts_at is not None and starts_at is not None
        values[field] = starts_at + (at - old.starts_at) if is_known else None
    # Listed fixtures are of the old entries.
    stages = [(stage.name, Plan.read(stage.plan_json).but(fixtures=())) for stage in old.stages.all()]
    helpers = [(each.user, each.role) for each in old.organisers.filter(user__is_active=True).select_related("user")]
    return _make(by, event_settings.read(values), stages, request_key, helpers)


def _make(
    by: User,
    values: Mapping[str, Any],
    stages: Sequence[tuple[str, Plan]],
    request_key: str | None,
    helpers: Sequence[tuple[User, str]] = (),
) -> Tournament:
    if by.is_guest:
        raise Refused("guest", gettext("Sign up first. An event needs an organiser with an account."))
    if "rules_json" not in values:
        raise Refused("no_rules", gettext("Choose the rules."))
    tournament = Tournament(created_by=by, **values)
    event_settings.check(tournament, by)
    if wrong := plan_checks.plan_problems(tournament, [plan for _, plan in stages]):
        raise Refused("cannot_work", " ".join(wrong))
    with transaction.atomic():
        # The row of the person, so that the same form sent twice makes one event.
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        if request_key and (act := Act.objects.filter(by=by, kind="make", request_key=request_key).first()):
            return act.tournament
        spend(EVENTS, by)
        addresses.save_under_free_one(tournament)
        roles = {user.pk: role for user, role in helpers} | {by.pk: Organiser.Role.OWNER}
        Organiser.objects.bulk_create(
            Organiser(tournament=tournament, user_id=user, role=role)
            for user, role in sorted(roles.items(), key=lambda item: item[0] != by.pk)
        )
        Stage.objects.bulk_create(
            Stage(tournament=tournament, number=number, name=title[:60], plan_json=plan.write())
            for number, (title, plan) in enumerate(stages, 1)
        )
        note(
            tournament,
            MAKE,
            gettext("%(name)s created %(event)s.") % {"name": by, "event": tournament},
            by=by,
            request_key=request_key,
        )
        return tournament


def _name_and_plan(stage: Planned) -> tuple[str, Plan]:
    if isinstance(stage, Plan):
        return stage.title, stage
    return naming.clean(stage[0] or stage[1].title, 60), stage[1]


# Preparing


def change_settings(tournament_id: int, by: User, *, changes: Mapping[str, Any], **how: Unpack[ActionRequest]) -> Act:
    """Change settings (fields of `event_settings.LABELS`, and `rules`). Raises `Refused` for those fixed by play."""
    wished = event_settings.read(changes)

    def do(record: Record) -> str:
        tournament = record.tournament
        check_alive(record)
        values = event_settings.without_old_ref(tournament, wished)
        event_settings.check_not_fixed(tournament, values)
        is_new_club = "circle" in values and values["circle"] != tournament.circle
        changed = [field for field, value in values.items() if getattr(tournament, field) != value]
        with fixed_boards.keep(tournament):
            is_changed = record.change(tournament, **values)
        if not is_changed:
            raise Refused("same", gettext("You have not changed anything."))
        event_settings.check(tournament, by if is_new_club else None)
        if tournament.status != Status.DRAFT:  # while it is being prepared its parts may be at odds for a while
            _check_works(tournament)
        moved = waiting_list.move_up(record) if "entry_limit" in changed else []
        labels = ", ".join(gettext(event_settings.LABELS[field]) for field in changed)
        return gettext("Changed: %(settings)s.") % {"settings": labels} + waiting_list.moved_up(moved)

    return perform(tournament_id, do, SETTINGS, by=by, **how)


def event_problems(tournament: Tournament, entries: int | None = None) -> list[str]:
    """Problems of an event’s plan, optionally with so many entries: a sentence each."""
    return plan_checks.plan_problems(tournament, plan_checks.plans_of(tournament), entries)


def publish(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Publish the event and open entries. Raises `Refused` with its problems."""

    def do(record: Record) -> str:
        _check_status(record, (Status.DRAFT,), gettext("The event is already published."))
        _check_works(record.tournament)
        record.change(record.tournament, status=Status.OPEN)
        return gettext("The event was published. Entries are open.")

    return perform(tournament_id, do, PUBLISH, by=by, **how)


def close_entries(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Close entries."""

    def do(record: Record) -> str:
        _check_status(record, (Status.OPEN,), gettext("Entries are not open."))
        record.change(record.tournament, status=Status.CLOSED)
        return gettext("Entries were closed.")

    return perform(tournament_id, do, ENTRIES, by=by, **how)


def reopen_entries(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Reopen entries. A closing time that has passed is removed."""

    def do(record: Record) -> str:
        tournament = record.tournament
        closes_at = tournament.entries_close_at
        is_past = closes_at is not None and closes_at <= record.now
        _check_status(
            record, (Status.CLOSED, Status.OPEN) if is_past else (Status.CLOSED,), gettext("Entries are not closed.")
        )
        record.change(tournament, status=Status.OPEN, entries_close_at=None if is_past else closes_at)
        return gettext("Entries were opened again.")

    return perform(tournament_id, do, ENTRIES, by=by, **how)


# Starting and stopping


def start(
    tournament_id: int,
    by: User,
    *,
    anyway: bool = False,
    absent: Collection[int] | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Start play with the entries that take part; with check-in, absent ones are left out.

    With `absent` (ids of entries) all others are here, checked in or not. During check-in it is refused unless
    `anyway`. Places of absent entries go to the waiting list. Raises `Refused`
    if the first stage cannot be played with so many entries or cannot be drawn.
    """

    def do(record: Record) -> str:
        tournament = record.tournament
        check_not_begun(record)
        until = tournament.check_in_until
        if tournament.has_check_in and until is not None and record.now < until and not anyway:
            raise Refused(
                "check_in_open",
                gettext("Check-in is open until %(moment)s. If you start anyway, entries not checked in are left out.")
                % {"moment": moment(tournament, until)},
            )
        if absent is not None:
            check_ins.call_roll(record, absent)
        left_out = _leave_out(record)
        moved = waiting_list.fill_at_start(record)
        count = sum(entry.is_in for entry in Entry.objects.filter(tournament=tournament))
        if wrong := event_problems(tournament, count):
            raise Refused("cannot_work", " ".join(wrong))
        record.change(tournament, status=Status.RUNNING, started_at=record.now)
        words = gettext("The event started with %(entries)s entries.")
        if left_out:
            words = ngettext(
                "The event started with %(entries)s entries. %(absent)s absent entry was left out.",
                "The event started with %(entries)s entries. %(absent)s absent entries were left out.",
                left_out,
            )
        return words % {"entries": count, "absent": left_out} + waiting_list.moved_up(moved)

    return perform(tournament_id, do, START, by=by, strict=True, **how)


def _leave_out(record: Record) -> int:
    """Mark entries absent that have not checked in, if there is check-in. Returns the number of absent entries."""
    entered = list(Entry.objects.filter(tournament=record.tournament, status=Entry.Status.ENTERED))
    for entry in entered:
        if record.tournament.has_check_in and entry.is_here is None:
            record.change(entry, is_here=False)
    return sum(entry.is_here is False for entry in entered)


def cancel(tournament_id: int, by: User, *, reason: str, **how: Unpack[BaseRequest]) -> Act:
    """Cancel the event and tell everyone in it. Raises `Refused` without a reason, or if it is over."""

    def do(record: Record) -> str:
        tournament = record.tournament
        check_alive(record)
        if not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason. Players will see it."))
        record.change(tournament, status=Status.CANCELLED, ended_at=record.now)
        online_tables.stop_all_tables(
            tournament, record.now, gettext("The event was cancelled: %(reason)s") % {"reason": reason.strip()}
        )
        members = access.accepted(tournament).filter(user__is_active=True).exclude(user=by).select_related("user")
        for user in {member.user for member in members if member.user is not None}:
            person_lookup.tell(
                record,
                user,
                lambda: gettext("the event was cancelled: %(reason)s") % {"reason": reason.strip()},
                key="cancelled",
            )
        return gettext("The event was cancelled.")

    return perform(tournament_id, do, CANCEL, by=by, reason=reason.strip(), **how)


def _check_status(record: Record, allowed: Sequence[Tournament.Status], sentence: str) -> None:
    check_not_begun(record)
    if record.tournament.status not in allowed:
        raise Refused("wrong_status", sentence)


def _check_works(tournament: Tournament) -> None:
    """Raise `Refused` if the event’s plan has problems."""
    if wrong := event_problems(tournament):
        raise Refused("cannot_work", " ".join(wrong))
