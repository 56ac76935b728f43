"""Anonymise people whose accounts are deleted. Their results stay, their names do not."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts import privacy
from accounts.display_names import FORMER
from acts.kinds import Site
from tournaments import live_updates
from tournaments.models import Act, Adjustment, Answer, Entry, Member, Organiser, Remark, Result, Tournament
from tournaments.services.entries import entry_members, invitation_emails
from tournaments.services.history import declare, perform
from tournaments.services.records import Record

LEAVE = declare(
    "members",
    needs=Site("People who delete their account leave what has not begun."),
    undo=invitation_emails.UNDO_PEOPLE,
)

NOBODY = 0
"""Id of no account."""
Clean = Callable[[str], str]


def anonymise(user_id: int) -> None:
    """Remove a person from events not started, and anonymise them in all others. Running it twice is harmless."""
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
            _anonymise_in(tournament, user_id, list(Member.objects.filter(tournament=tournament, user=user_id)))
            tournament.bump()
            tournament.save(update_fields=["version"])
            live_updates.tell(tournament)


def anonymise_members(member_ids: Iterable[int]) -> None:
    """Anonymise these members (ids), for an app above that knows who they are."""
    members = Member.objects.filter(pk__in=list(member_ids)).exclude(name=FORMER)
    for tournament_id in sorted(set(members.values_list("tournament_id", flat=True))):
        with transaction.atomic():
            tournament = Tournament.objects.locked(tournament_id)
            _anonymise_in(tournament, NOBODY, list(members.filter(tournament=tournament)))
            tournament.bump()
            tournament.save(update_fields=["version"])
            live_updates.tell(tournament)


def _leave(tournament_id: int, user_id: int) -> None:
    """Leave entries of an event that has not started, and decline open invitations."""
    begun = (Tournament.Status.RUNNING, Tournament.Status.OVER)
    members = Member.objects.filter(tournament=tournament_id, user=user_id, left_at=None).exclude(
        answer=Member.Answer.DECLINED
    )
    if not members.exclude(answer=Member.Answer.ACCEPTED, tournament__status__in=begun).exists():
        return

    def do(record: Record) -> str:
        for member in members.select_related("entry"):
            if member.answer == Member.Answer.INVITED:
                record.change(member, answer=Member.Answer.DECLINED)
            elif not record.tournament.has_begun:
                entry_members.take_out(record, member)
        return gettext("Someone deleted their account.")

    perform(tournament_id, do, LEAVE, by=None)


def _hand_over(tournament: Tournament, user_id: int) -> None:
    """Give the event another owner if there is another organiser."""
    organiser = Organiser.objects.filter(tournament=tournament, user=user_id).first()
    rest = Organiser.objects.filter(tournament=tournament, user__is_active=True).exclude(user=user_id)
    if organiser is None or not rest.exists():
        return
    if not rest.filter(role=Organiser.Role.OWNER).exists():
        directors = rest.filter(role=Organiser.Role.DIRECTOR)
        heirs = (directors if directors.exists() else rest).values("pk")[:1]
        Organiser.objects.filter(pk__in=list(heirs.values_list("pk", flat=True))).update(role=Organiser.Role.OWNER)
    organiser.delete()


def _anonymise_in(tournament: Tournament, user_id: int, members: list[Member]) -> None:
    acts = list(Act.objects.filter(tournament=tournament))
    names = {member.name for member in members} | {act.name for act in acts if act.by_id == user_id}
    names -= {"", FORMER}
    if not names:
        return
    other_names = set(Member.objects.filter(tournament=tournament).values_list("name", flat=True)) - names
    clean = privacy.cleaner(names, other_names)
    entries = {member.entry_id for member in members}
    for entry in Entry.objects.filter(pk__in=entries):
        Entry.objects.filter(pk=entry.pk).update(name=clean(entry.name)[:80])
    Member.objects.filter(pk__in=[member.pk for member in members]).update(name=FORMER, email="")
    if tournament.created_by_id == user_id:
        Tournament.objects.filter(pk=tournament.pk).update(name=clean(tournament.name)[:80])
    fields = {"about": clean(tournament.about)[:4000], "venue": clean(tournament.venue)[:200]}
    Tournament.objects.filter(pk=tournament.pk).update(**fields)
    tournament.refresh_from_db(fields=["name", *fields])
    privacy.forget_in_notices([f"event:{tournament.pk}"], clean)
    rows = {"entry": entries, "member": {member.pk for member in members}}
    for act in acts:
        act.sentence, act.reason = clean(act.sentence)[:300], clean(act.reason)[:200]
        act.name = FORMER if act.by_id == user_id else act.name
        act.changes = [_cleaned(change, rows, clean) for change in act.changes]
    Act.objects.bulk_update(acts, ["sentence", "reason", "name", "changes"], batch_size=200)
    for adjustment in Adjustment.objects.filter(stage__tournament=tournament):
        Adjustment.objects.filter(pk=adjustment.pk).update(reason=clean(adjustment.reason)[:200])
    for result in Result.objects.filter(pairing__round__stage__tournament=tournament).exclude(reason=""):
        Result.objects.filter(pk=result.pk).update(reason=clean(result.reason)[:200])
    for remark in Remark.objects.filter(tournament=tournament).exclude(note=""):
        Remark.objects.filter(pk=remark.pk).update(note=clean(remark.note)[:500])
    for answer in Answer.objects.filter(result__pairing__round__stage__tournament=tournament).exclude(words=""):
        Answer.objects.filter(pk=answer.pk).update(words=clean(answer.words)[:300])


def _cleaned(change: dict[str, Any], rows: dict[str, set[int]], clean: Clean) -> dict[str, Any]:
    """A change of the history with the person’s name replaced. It can still be undone."""
    if change["model"] == "tournament":
        fields = ("name", "about", "venue")
        return change | {key: _with_all(change[key], fields, clean) for key in ("was", "is")}
    if change["model"] in ("adjustment", "result"):
        return change | {key: _with(change[key], "reason", clean) for key in ("was", "is")}
    if change["model"] == "remark":
        return change | {key: _with(change[key], "note", clean) for key in ("was", "is")}
    if change["pk"] not in rows.get(change["model"], ()):
        return change
    if change["model"] == "entry":
        return change | {key: _with(change[key], "name", clean) for key in ("was", "is")}
    renamed = {key: _with(change[key], "name", lambda _: FORMER) for key in ("was", "is")}
    return change | {key: _with(value, "email", lambda _: "") for key, value in renamed.items()}


def _with_all(fields: Any, names: Iterable[str], clean: Clean) -> Any:
    for name in names:
        fields = _with(fields, name, clean)
    return fields


def _with(fields: Any, name: str, clean: Clean) -> Any:
    """Stored fields of a row with one of them cleaned, if it is there."""
    if not isinstance(fields, dict) or not isinstance(fields.get(name), str):
        return fields
    return fields | {name: clean(fields[name])}
