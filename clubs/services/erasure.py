"""Anonymise people whose accounts are deleted: their results stay, their names do not."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone

from accounts import privacy
from accounts.display_names import FORMER
from clubs.models import (
    Act,
    Appearance,
    Blackout,
    Club,
    Fixture,
    HouseRules,
    Invitation,
    JoinRequest,
    League,
    Meeting,
    Membership,
    News,
    Newsletter,
    Proposal,
    Remark,
    RepeatingMeeting,
    Reply,
    RulesVersion,
    Series,
    Team,
)
from clubs.models.people import new_token
from clubs.services import lookups
from clubs.services.leagues import event_roles
from tournaments.services import erasure as events

Clean = Callable[[str], str]
_PRIVATE = ("email", "contact")
WRITTEN: tuple[tuple[type[Model], str, tuple[str, ...]], ...] = (
    (Club, "pk", ("line", "about", "venue")),
    (News, "club", ("title", "body")),
    (Newsletter, "club", ("subject", "body")),
    (Meeting, "club", ("title", "words", "venue")),
    (RepeatingMeeting, "club", ("title", "words", "venue")),
    (Reply, "question__club", ("name",)),
    (JoinRequest, "club", ("words",)),
    (HouseRules, "club", ("about",)),
    (Remark, "club", ("note",)),
    (RulesVersion, "house_rules__club", ("note",)),
    (League, "club", ("about",)),
    (Series, "club", ("name",)),
    (Team, "league__club", ("venue",)),
    (Blackout, "season__league__club", ("reason",)),
    (Proposal, "team__league__club", ("venue", "words", "answer")),
    (Fixture, "pairing__round__stage__tournament__division__season__league__club", ("venue",)),
)
"""Texts of a club by the path to it: others may mention a person who has left."""


def forget(user_id: int, addresses: Collection[str] = ()) -> None:
    """Remove a person from their clubs, their name from texts, their addresses from invitations. Twice does no harm."""
    Remark.objects.filter(Q(one=user_id) | Q(other=user_id)).delete()
    letters = Invitation.objects.annotate(address=Lower("email")).filter(address__in=addresses)
    open_ones = letters.filter(accepted_at=None, revoked_at=None)
    open_ones.update(revoked_at=timezone.now(), due_at=None)
    letters.update(email="")
    clubs = {
        *Membership.objects.filter(user=user_id).values_list("club_id", flat=True),
        *JoinRequest.objects.filter(user=user_id).values_list("club_id", flat=True),
        *Act.objects.filter(by=user_id).values_list("club_id", flat=True),
        *News.objects.filter(by=user_id).values_list("club_id", flat=True),
    }
    for club_id in sorted(clubs):
        with transaction.atomic():
            club = Club.objects.locked(club_id)
            _forget_in(club, user_id)
            club.version += 1
            club.save(update_fields=["version"])


def _forget_in(club: Club, user_id: int) -> None:
    memberships = list(Membership.objects.filter(club=club, user=user_id))
    acts = list(Act.objects.filter(club=club))
    names = {membership.name for membership in memberships} | {act.name for act in acts if act.by_id == user_id}
    names |= set(News.objects.filter(club=club, by=user_id).values_list("name", flat=True))
    # The person may have played under another name that the club has linked to them.
    played = Appearance.objects.filter(membership__in=memberships)
    names |= set(played.values_list("member__name", flat=True))
    events.anonymise_members(played.values_list("member", flat=True))
    names -= {"", FORMER}
    _anonymise(memberships)
    _ensure_owner(club)
    event_roles.sync(club)
    JoinRequest.objects.filter(club=club, user=user_id).update(words="")
    open_ones = JoinRequest.objects.filter(club=club, user=user_id, status=JoinRequest.Status.OPEN)
    open_ones.update(status=JoinRequest.Status.WITHDRAWN, answered_at=timezone.now())
    Invitation.objects.filter(membership__in=memberships).update(email="")
    if names:
        other_names = set(Membership.objects.filter(club=club).values_list("name", flat=True)) - names
        _clean(club, user_id, acts, {membership.pk for membership in memberships}, privacy.cleaner(names, other_names))


def _anonymise(memberships: list[Membership]) -> None:
    for membership in memberships:
        membership.name, membership.email, membership.contact = FORMER, "", ""
        membership.is_listed = membership.wants_letters = False
        membership.claim_token, membership.letters_token = new_token(), new_token()
        membership.left_at = membership.left_at or timezone.now()
        membership.role = Membership.Role.MEMBER
        membership.save()


def _ensure_owner(club: Club) -> None:
    """Give the club a new owner if it has none, from its members with accounts."""
    here = Membership.objects.filter(club=club, left_at=None, user__is_active=True)
    if not here.exists() or lookups.organisers(club).filter(role=Membership.Role.OWNER).exists():
        return
    ranks: tuple[QuerySet[Membership], ...] = (
        here.filter(role=Membership.Role.ORGANISER),
        here.filter(role=Membership.Role.SCORER),
        here,
    )
    heir = next(rows for rows in ranks if rows.exists()).order_by("joined_at", "pk")[0]
    Membership.objects.filter(pk=heir.pk).update(role=Membership.Role.OWNER)


def _clean(club: Club, user_id: int, acts: list[Act], membership_ids: set[int], clean: Clean) -> None:
    """Replace the person's name by the common one in all texts of the club."""
    for act in acts:
        act.sentence, act.reason = clean(act.sentence)[:300], clean(act.reason)[:200]
        act.name = FORMER if act.by_id == user_id else act.name
        act.changes = [_clean_change(change, membership_ids, clean) for change in act.changes]
    Act.objects.bulk_update(acts, ["sentence", "reason", "name", "changes"], batch_size=200)
    News.objects.filter(club=club, by=user_id).update(name=FORMER)
    for news in News.objects.filter(club=club):
        News.objects.filter(pk=news.pk).update(title=clean(news.title)[:120], body=clean(news.body)[:4000])
    for letter in Newsletter.objects.filter(club=club):
        words = {"subject": clean(letter.subject)[:120], "body": clean(letter.body)[:20_000]}
        Newsletter.objects.filter(pk=letter.pk).update(**words)
    for team in Team.objects.filter(roster__membership__in=membership_ids).distinct():
        Team.objects.filter(pk=team.pk).update(name=clean(team.name)[:80])
    for model, path, fields in WRITTEN:
        _clean_rows(model._default_manager.filter(**{path: club.pk}), fields, clean)
    club.refresh_from_db(fields=["line", "about", "venue"])
    privacy.forget_in_notices([f"club:{club.pk}"], clean)


def _clean_rows(rows: QuerySet[Any], fields: Sequence[str], clean: Clean) -> None:
    for row in rows.only("pk", *fields):
        cleaned = {name: clean(getattr(row, name))[: row._meta.get_field(name).max_length] for name in fields}
        if any(cleaned[name] != getattr(row, name) for name in fields):
            rows.model._default_manager.filter(pk=row.pk).update(**cleaned)


def _clean_change(change: dict[str, Any], membership_ids: set[int], clean: Clean) -> dict[str, Any]:
    """A change of the history with the common name in place of the person's."""
    both = {side: _side(change["model"], change["pk"] in membership_ids, change[side], clean) for side in ("was", "is")}
    return change | both


def _side(model: str, is_own: bool, fields: Any, clean: Clean) -> Any:
    if not isinstance(fields, dict):
        return fields
    if model == "membership" and is_own:
        blank = {name: "" for name in _PRIVATE if name in fields}
        return fields | blank | ({"name": FORMER} if "name" in fields else {})
    own_words = ("line", "about", "venue")
    texts = ("name", "title", "body", "words", "answer", "reason", "note", *own_words) if model != "club" else own_words
    return fields | {name: clean(fields[name]) for name in texts if isinstance(fields.get(name), str)}
