"""Forgetting people whose accounts are gone: results stay, names do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts import privacy
from accounts.display_names import FORMER
from acts.kinds import Rows, Site
from tournaments import live_updates
from tournaments.models import Act, Adjustment, Answer, Entry, Member, Organiser, Remark, Result, Tournament
from tournaments.services.entries import entry_members
from tournaments.services.history import declare, perform
from tournaments.services.records import Record

LEAVE = declare(
    "members", needs=Site("People who delete their account leave what has not begun."), undo=Rows("entries")
)

NOBODY = 0
"""The id of no account."""
Clean = Callable[[str], str]


def forget(user_id: int) -> None:
    """Take somebody out of events that have not begun, and their name off all others. Twice does no harm."""
    Remark.objects.filter(Q(one=user_id) | Q(other=user_id)).delete()
    events = {
        *Member.objects.filter(user=user_id).values_list("tournament_id", flat=True),
        *Organiser.objects.filter(user=user_id).values_list("tournament_id", flat=True),
        *Act.objects.filter(by=user_id).values_list("tournament_id", flat=True),
    }
    for tournament_id in sorted(events):
        _leave(tournament_id, user_id)
        with transaction.atomic():
            tournament = Tournament.objects.locked(tournament_id)
            _hand_over(tournament, user_id)
            _forget_in(tournament, user_id, list(Member.objects.filter(tournament=tournament, user=user_id)))
            tournament.bump()
            tournament.save(update_fields=["version"])
            live_updates.tell(tournament)


def forget_people(member_ids: Iterable[int]) -> None:
    """Take the names of these people of entries (ids) off their events: for an app above that knows whose they were."""
    own = Member.objects.filter(pk__in=list(member_ids)).exclude(name=FORMER)
    for tournament_id in sorted(set(own.values_list("tournament_id", flat=True))):
        with transaction.atomic():
            tournament = Tournament.objects.locked(tournament_id)
            _forget_in(tournament, NOBODY, list(own.filter(tournament=tournament)))
            tournament.bump()
            tournament.save(update_fields=["version"])
            live_updates.tell(tournament)


def _leave(tournament_id: int, user_id: int) -> None:
    """Leave entries of an event that has not begun, and say no to what is asked."""
    begun = (Tournament.Status.RUNNING, Tournament.Status.OVER)
    own = Member.objects.filter(tournament=tournament_id, user=user_id, left_at=None).exclude(
        answer=Member.Answer.DECLINED
    )
    if not own.exclude(answer=Member.Answer.ACCEPTED, tournament__status__in=begun).exists():
        return

    def do(record: Record) -> str:
        for member in own.select_related("entry"):
            if member.answer == Member.Answer.INVITED:
                record.change(member, answer=Member.Answer.DECLINED)
            elif not record.tournament.has_begun:
                entry_members.take_out(record, member)
        return gettext("Someone deleted their account.")

    perform(tournament_id, do, LEAVE, by=None)


def _hand_over(tournament: Tournament, user_id: int) -> None:
    """Let the event have another owner, where there is anybody else."""
    row = Organiser.objects.filter(tournament=tournament, user=user_id).first()
    others = Organiser.objects.filter(tournament=tournament, user__is_active=True).exclude(user=user_id)
    if row is None or not others.exists():
        return
    if not others.filter(role=Organiser.Role.OWNER).exists():
        directors = others.filter(role=Organiser.Role.DIRECTOR)
        heirs = (directors if directors.exists() else others).values("pk")[:1]
        Organiser.objects.filter(pk__in=list(heirs.values_list("pk", flat=True))).update(role=Organiser.Role.OWNER)
    row.delete()


def _forget_in(tournament: Tournament, user_id: int, own: list[Member]) -> None:
    acts = list(Act.objects.filter(tournament=tournament))
    names = {member.name for member in own} | {act.name for act in acts if act.by_id == user_id}
    names -= {"", FORMER}
    if not names:
        return
    others = set(Member.objects.filter(tournament=tournament).values_list("name", flat=True)) - names
    clean = privacy.cleaner(names, others)
    entries = {member.entry_id for member in own}
    for entry in Entry.objects.filter(pk__in=entries):
        Entry.objects.filter(pk=entry.pk).update(name=clean(entry.name)[:80])
    Member.objects.filter(pk__in=[member.pk for member in own]).update(name=FORMER, email="")
    if tournament.created_by_id == user_id:
        Tournament.objects.filter(pk=tournament.pk).update(name=clean(tournament.name)[:80])
    said = {"about": clean(tournament.about)[:4000], "venue": clean(tournament.venue)[:200]}
    Tournament.objects.filter(pk=tournament.pk).update(**said)
    tournament.refresh_from_db(fields=["name", *said])
    privacy.forget_in_notices([f"event:{tournament.pk}"], clean)
    rows = {"entry": entries, "member": {member.pk for member in own}}
    for act in acts:
        act.sentence, act.reason = clean(act.sentence)[:300], clean(act.reason)[:200]
        act.name = FORMER if act.by_id == user_id else act.name
        act.changes = [_cleaned(change, rows, clean) for change in act.changes]
    Act.objects.bulk_update(acts, ["sentence", "reason", "name", "changes"], batch_size=200)
    for row in Adjustment.objects.filter(stage__tournament=tournament):
        Adjustment.objects.filter(pk=row.pk).update(reason=clean(row.reason)[:200])
    for result in Result.objects.filter(pairing__round__stage__tournament=tournament).exclude(reason=""):
        Result.objects.filter(pk=result.pk).update(reason=clean(result.reason)[:200])
    for remark in Remark.objects.filter(tournament=tournament).exclude(note=""):
        Remark.objects.filter(pk=remark.pk).update(note=clean(remark.note)[:500])
    for answer in Answer.objects.filter(result__pairing__round__stage__tournament=tournament).exclude(words=""):
        Answer.objects.filter(pk=answer.pk).update(words=clean(answer.words)[:300])


def _cleaned(change: dict[str, Any], rows: dict[str, set[int]], clean: Clean) -> dict[str, Any]:
    """A change of the history as it would be had the person always been called so; it can still be undone."""
    if change["model"] == "tournament":
        said = ("name", "about", "venue")
        return change | {key: _with_all(change[key], said, clean) for key in ("was", "is")}
    if change["model"] in ("adjustment", "result"):
        return change | {key: _with(change[key], "reason", clean) for key in ("was", "is")}
    if change["model"] == "remark":
        return change | {key: _with(change[key], "note", clean) for key in ("was", "is")}
    if change["pk"] not in rows.get(change["model"], ()):
        return change
    if change["model"] == "entry":
        return change | {key: _with(change[key], "name", clean) for key in ("was", "is")}
    named = {key: _with(change[key], "name", lambda _: FORMER) for key in ("was", "is")}
    return change | {key: _with(value, "email", lambda _: "") for key, value in named.items()}


def _with_all(fields: Any, names: Iterable[str], clean: Clean) -> Any:
    for name in names:
        fields = _with(fields, name, clean)
    return fields


def _with(fields: Any, name: str, clean: Clean) -> Any:
    """Written fields of a row, one of them cleaned, if it is there."""
    if not isinstance(fields, dict) or not isinstance(fields.get(name), str):
        return fields
    return fields | {name: clean(fields[name])}
