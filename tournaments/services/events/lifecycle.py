"""An event from its making to its start: made from a template, announced, started, cancelled, held again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from django.db import transaction
from django.utils.translation import gettext, ngettext

from accounts.models import User
from acts.kinds import Anybody, Never, Rows
from tournaments import access, plan_checks
from tournaments.event_templates import STARTERS
from tournaments.models import Act, Entry, Organiser, Stage, Tournament
from tournaments.plan import Plan
from tournaments.services.action_context import check_alive, check_not_begun
from tournaments.services.entries import person_lookup, waiting_list
from tournaments.services.entries.check_ins import moment
from tournaments.services.events import addresses, event_settings, naming
from tournaments.services.history import declare, note, perform
from tournaments.services.matches import online_tables
from tournaments.services.records import Asked, How, Record
from web.errors import Refused

MAKE = declare("make", needs=Anybody("Anyone with an account makes events."), undo=Never("Cancel the event instead."))
SETTINGS = declare("settings", needs="prepare", undo=Rows())
ANNOUNCE = declare("announce", needs="prepare", undo=Rows())
ENTRIES = declare("entries", needs="entries", undo=Rows())
START = declare("start", needs="play", undo=Rows())
CANCEL = declare("cancel", needs="cancel", undo=Rows())

Status = Tournament.Status
Planned = Plan | tuple[str, Plan]
"""A stage to be made: its plan, or its name and plan."""


# Making


def make_event(
    by: User,
    *,
    name: str,
    starter: str = "",
    settings: Mapping[str, Any] | None = None,
    plans: Sequence[Planned] = (),
    request_key: str | None = None,
) -> Tournament:
    """Make an event that only its organisers see; whoever makes it owns it.

    `starter` names a template (`tournaments.event_templates`); `settings` (fields of `event_settings.LABELS`, and `rules`) and
    `plans` go before what it says. Raises `Refused` with a sentence for each thing that cannot work.
    """
    if starter and starter not in STARTERS:
        raise Refused("no_such_starter", gettext("Template not found."))
    chosen = STARTERS.get(starter)
    values = {"time_zone": by.time_zone, **(chosen.settings if chosen else {}), **(settings or {}), "name": name}
    stages = [_named(one) for one in plans or (chosen.stages if chosen else ())]
    return _make(by, event_settings.read(values), stages, request_key)


def copy_event(
    tournament_id: int,
    by: User,
    *,
    name: str,
    starts_at: datetime | None = None,
    request_key: str | None = None,
) -> Tournament:
    """The next edition: the same settings, stages and organisers, without entries.

    With `starts_at` its other times lie as they did around the start; without, it has none yet. Raises `Refused`.
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
    stages = [(stage.name, Plan.read(stage.plan_json)) for stage in old.stages.all()]
    helpers = [(one.user, one.role) for one in old.organisers.filter(user__is_active=True).select_related("user")]
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
    if wrong := plan_checks.wrong_with(tournament, [plan for _, plan in stages]):
        raise Refused("cannot_work", " ".join(wrong))
    with transaction.atomic():
        # The row of the person, so that the same form sent twice makes one event.
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        if request_key and (done := Act.objects.filter(by=by, kind="make", request_key=request_key).first()):
            return done.tournament
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


def _named(stage: Planned) -> tuple[str, Plan]:
    if isinstance(stage, Plan):
        return stage.title, stage
    return naming.clean(stage[0] or stage[1].title, 60), stage[1]


# Preparing


def change_settings(tournament_id: int, by: User, *, changes: Mapping[str, Any], **how: Unpack[How]) -> Act:
    """Change settings (fields of `event_settings.LABELS`, and `rules`). Raises `Refused` for what play has fixed."""
    wished = event_settings.read(changes)

    def do(record: Record) -> str:
        tournament = record.tournament
        check_alive(record)
        values = event_settings.without_old_ref(tournament, wished)
        event_settings.check_not_fixed(tournament, values)
        is_new_club = "circle" in values and values["circle"] != tournament.circle
        changed = [field for field, value in values.items() if getattr(tournament, field) != value]
        if not record.change(tournament, **values):
            raise Refused("same", gettext("You have not changed anything."))
        event_settings.check(tournament, by if is_new_club else None)
        if tournament.status != Status.DRAFT:  # while it is being prepared its parts may be at odds for a while
            _check_works(tournament)
        moved = waiting_list.move_up(record) if "entry_limit" in changed else []
        labels = ", ".join(gettext(event_settings.LABELS[field]) for field in changed)
        return gettext("Changed: %(settings)s.") % {"settings": labels} + waiting_list.in_words(moved)

    return perform(tournament_id, do, SETTINGS, by=by, **how)


def wrong_with(tournament: Tournament, entries: int | None = None) -> list[str]:
    """What cannot work in an event as it is planned, with so many entries if that is asked: a sentence each."""
    return plan_checks.wrong_with(tournament, plan_checks.plans_of(tournament), entries)


def announce(tournament_id: int, by: User, **how: Unpack[How]) -> Act:
    """Show the event to those it is for, and open entries. Raises `Refused` with what cannot work."""

    def do(record: Record) -> str:
        _check_status(record, (Status.DRAFT,), gettext("The event is already published."))
        _check_works(record.tournament)
        record.change(record.tournament, status=Status.OPEN)
        return gettext("The event was published. Entries are open.")

    return perform(tournament_id, do, ANNOUNCE, by=by, **how)


def close_entries(tournament_id: int, by: User, **how: Unpack[How]) -> Act:
    """Let nobody enter by themselves any more."""

    def do(record: Record) -> str:
        _check_status(record, (Status.OPEN,), gettext("Entries are not open."))
        record.change(record.tournament, status=Status.CLOSED)
        return gettext("Entries were closed.")

    return perform(tournament_id, do, ENTRIES, by=by, **how)


def reopen_entries(tournament_id: int, by: User, **how: Unpack[How]) -> Act:
    """Let people enter again; a closing time that has passed is taken away."""

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


def start(tournament_id: int, by: User, *, anyway: bool = False, **how: Unpack[How]) -> Act:
    """Begin play with the entries that take part. Where there is check-in, who is not here is left out.

    While check-in goes on it is refused, unless `anyway`. Places of who is not here go to the waiting list. Raises
    `Refused` where so many entries cannot play the first stage, or it cannot be drawn.
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
        absent = _leave_out(record)
        moved = waiting_list.fill_at_start(record)
        count = sum(entry.is_in for entry in Entry.objects.filter(tournament=tournament))
        if wrong := wrong_with(tournament, count):
            raise Refused("cannot_work", " ".join(wrong))
        record.change(tournament, status=Status.RUNNING, started_at=record.now)
        words = gettext("The event started with %(entries)s entries.")
        if absent:
            words = ngettext(
                "The event started with %(entries)s entries. %(absent)s absent entry was left out.",
                "The event started with %(entries)s entries. %(absent)s absent entries were left out.",
                absent,
            )
        return words % {"entries": count, "absent": absent} + waiting_list.in_words(moved)

    return perform(tournament_id, do, START, by=by, strict=True, **how)


def _leave_out(record: Record) -> int:
    """Mark everybody absent who has not checked in, where there is check-in; how many entries are absent."""
    entered = list(Entry.objects.filter(tournament=record.tournament, status=Entry.Status.ENTERED))
    for entry in entered:
        if record.tournament.has_check_in and entry.is_here is None:
            record.change(entry, is_here=False)
    return sum(entry.is_here is False for entry in entered)


def cancel(tournament_id: int, by: User, *, reason: str, **how: Unpack[Asked]) -> Act:
    """Call the event off; everybody who is in it is told. Raises `Refused` without a reason, or where it is over."""

    def do(record: Record) -> str:
        tournament = record.tournament
        check_alive(record)
        if not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason. Players will see it."))
        record.change(tournament, status=Status.CANCELLED, ended_at=record.now)
        online_tables.call_off_all(
            tournament, record.now, gettext("The event was cancelled: %(reason)s") % {"reason": reason.strip()}
        )
        told = access.accepted(tournament).filter(user__is_active=True).exclude(user=by).select_related("user")
        for user in {member.user for member in told if member.user is not None}:
            person_lookup.tell(
                record,
                user,
                lambda: gettext("the event was cancelled: %(reason)s") % {"reason": reason.strip()},
                what="cancelled",
            )
        return gettext("The event was cancelled.")

    return perform(tournament_id, do, CANCEL, by=by, reason=reason.strip(), **how)


def _check_status(record: Record, wanted: Sequence[Tournament.Status], sentence: str) -> None:
    check_not_begun(record)
    if record.tournament.status not in wanted:
        raise Refused("wrong_status", sentence)


def _check_works(tournament: Tournament) -> None:
    """Raise where the event cannot work, whoever enters."""
    if wrong := wrong_with(tournament):
        raise Refused("cannot_work", " ".join(wrong))
