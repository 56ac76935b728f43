"""Anonymise people whose accounts are deleted. Their results stay, their names do not."""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts.person_names import forgotten
from acts.kinds import Site
from tournaments.models import Act, Member, Organiser, Remark, Tournament
from tournaments.services import person_names
from tournaments.services.entries import entry_members, invitation_emails
from tournaments.services.history import declare, perform
from tournaments.services.records import Record

LEAVE = declare(
    "members",
    needs=Site("People who delete their account leave what has not begun."),
    undo=invitation_emails.UNDO_PEOPLE,
)


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
            _anonymise_in(tournament, user_id)


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


def _anonymise_in(tournament: Tournament, user_id: int) -> None:
    members = Member.objects.filter(tournament=tournament, user=user_id)
    names = set(members.values_list("name", flat=True))
    names |= set(Act.objects.filter(tournament=tournament, by=user_id).values_list("name", flat=True))
    other_names = Member.objects.filter(tournament=tournament).exclude(user=user_id).values_list("name", flat=True)
    new = forgotten(names, set(other_names) - names)
    person_names.replace([tournament], list(members.values_list("pk", flat=True)), new, user_id=user_id)
