"""Personal data in clubs, to download: memberships, teams, matches, requests, emails, actions and texts."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from clubs.models import (
    Act,
    Appearance,
    Copy,
    Invitation,
    JoinRequest,
    Membership,
    News,
    Newsletter,
    PersonalMessage,
    Proposal,
    RepeatingMeeting,
    Reply,
    RulesVersion,
    TeamMember,
)

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "memberships": (
        *(
            "club__name",
            "name",
            "role",
            "email",
            "phone",
            "address",
            "hears_by",
            "shows_email",
            "shows_phone",
            "shows_address",
            "note",
            "contact",
            "is_listed",
            "wants_letters",
            "wants_questions",
            "joined_at",
            "left_at",
        ),
    ),
    "teams": ("team__league__club__name", "team__league__name", "team__name", "role", "joined_at", "left_at"),
    "events": ("member__tournament__name", "member__tournament__slug", "member__entry__name", "member__name"),
    "requests": ("club__name", "words", "status", "at", "answered_at"),
    "invitations": ("club__name", "email", "created_at", "accepted_at", "revoked_at"),
    "newsletters": ("newsletter__club__name", "newsletter__subject", "sent_at"),
    "messages": ("membership__club__name", "topic", "way", "at"),
    "messages_passed_on": ("membership__club__name", "topic", "way", "at"),
    "acts": ("club__name", "at", "kind", "sentence", "reason"),
    "news": ("club__name", "title", "body", "published_at"),
    "newsletters_written": ("club__name", "subject", "body", "created_at", "sent_at"),
    "house_rules": ("house_rules__club__name", "house_rules__name", "number", "note", "at"),
    "proposals": ("team__league__name", "team__name", "starts_at", "venue", "words", "status", "at"),
    "coming": (
        *("question__club__name", "answer", "way", "note", "comes_at", "leaves_at", "is_reserve", "answered_at"),
    ),
    "answers_for_others": ("question__club__name", "answer", "answered_at"),
    "repeating_meetings": ("club__name", "title", "words", "venue", "created_at"),
    "answers": ("team__league__name", "team__name", "answer", "status", "answered_at"),
}
"""Fields of each kind of row."""
_NAMES = {
    "is_listed": "in_directory",
    "wants_letters": "newsletter",
    "wants_questions": "emails_if_you_come",
    "member__tournament__name": "event",
    "member__tournament__slug": "address",
    "member__entry__name": "entry",
    "member__name": "name",
    "team__league__club__name": "club",
    "team__league__name": "league",
    "newsletter__club__name": "club",
    "membership__club__name": "club",
    "shows_email": "email_in_handbook",
    "shows_phone": "phone_in_handbook",
    "shows_address": "address_in_handbook",
    "newsletter__subject": "subject",
    "house_rules__club__name": "club",
    "house_rules__name": "rules",
    "club__name": "club",
    "team__name": "team",
    "question__club__name": "club",
}


def personal_data(user: User) -> dict[str, list[dict[str, Any]]]:
    """Ready for JSON, times in UTC; a fixed number of queries."""
    addresses = [user.email] if user.email else []
    rows_of: dict[str, QuerySet[Any]] = {
        "memberships": Membership.objects.filter(user=user),
        "teams": TeamMember.objects.filter(membership__user=user),
        "events": Appearance.objects.filter(membership__user=user),
        "requests": JoinRequest.objects.filter(user=user),
        "invitations": Invitation.objects.filter(email__in=addresses)
        | Invitation.objects.filter(membership__user=user),
        "newsletters": Copy.objects.filter(membership__user=user),
        "messages": PersonalMessage.objects.filter(membership__user=user),
        "messages_passed_on": PersonalMessage.objects.filter(by=user),
        "acts": Act.objects.filter(by=user),
        "news": News.objects.filter(by=user),
        "newsletters_written": Newsletter.objects.filter(by=user),
        "house_rules": RulesVersion.objects.filter(by=user),
        "proposals": Proposal.objects.filter(by=user),
        "coming": Reply.objects.filter(membership__user=user),
        "answers_for_others": Reply.objects.filter(by=user),
        "repeating_meetings": RepeatingMeeting.objects.filter(by=user),
        "answers": Proposal.objects.filter(answered_by=user),
    }
    return {kind: _with_names(rows_of[kind].order_by("pk").values(*fields)) for kind, fields in _FIELDS.items()}


def _with_names(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{_NAMES.get(name, name): value for name, value in row.items()} for row in rows]
