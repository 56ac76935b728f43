"""The personal download has everything that the site keeps of a person: compared with the models, field by field."""

import json

import pytest
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import ForeignKey

from accounts import privacy
from accounts.models import User
from tests.security.erased import known_everywhere
from tests.security.test_erased_everywhere import naming

pytestmark = pytest.mark.django_db

ACT = "told among the acts, in the sentence that the history keeps"
REMARK = "what an organiser noted about two people at once, which is neither’s alone; it goes with either account"
TOLD = {
    "account.EmailAddress.user": "email_addresses", "accounts.Absence.user": "absences",
    "accounts.ApiToken.user": "api_tokens", "accounts.KnownClient.user": "known_clients", "accounts.Notice.user": "notices",
    "accounts.Friendship.first": "friends", "accounts.Friendship.second": "friends",
    "accounts.Block.by": "blocked",
    "accounts.OperatorAct.by": "operator_acts", "accounts.PushSubscription.user": "push_subscriptions",
    "accounts.NoticePlace.user": "notice_places",
    "usersessions.UserSession.user": "sessions", "mfa.Authenticator.user": "second_steps",
    "socialaccount.SocialAccount.user": "accounts_elsewhere",
    "gameplay.ChatMessage.user": "tables.chat", "gameplay.Invitation.invited_by": "tables.invitations",
    "gameplay.Invitation.user": "tables.invitations", "gameplay.Look.user": "tables.looks", "gameplay.Report.reporter": "tables.reports",
    "gameplay.Reserve.user": "tables.reserve_offers", "gameplay.ScoreSheet.owner": "score_sheets",
    "gameplay.Seat.former_user": "tables.seats", "gameplay.Seat.user": "tables.seats",
    "gameplay.SheetPhoto.added_by": "photos", "gameplay.Table.creator": "tables.tables_made",
    "tournaments.Act.by": "events.acts", "tournaments.Answer.user": "events.answers",
    "tournaments.Member.user": "events.entries", "tournaments.Organiser.user": "events.organises",
    "tournaments.Result.by": "events.results", "tournaments.Rating.user": "ratings",
    "tournaments.Rating.partner": "ratings",
    "clubs.Act.by": "clubs.acts", "clubs.JoinRequest.user": "clubs.requests",
    "clubs.Membership.user": "clubs.memberships", "clubs.News.by": "clubs.news",
    "clubs.PersonalMessage.by": "clubs.messages_passed_on",
    "clubs.Reply.by": "clubs.answers_for_others", "clubs.RepeatingMeeting.by": "clubs.repeating_meetings",
    "clubs.Newsletter.by": "clubs.newsletters_written", "clubs.Proposal.by": "clubs.proposals",
    "clubs.Proposal.answered_by": "clubs.answers", "clubs.RulesVersion.by": "clubs.house_rules",
}  # fmt: skip
"""Fields that name a person, and the part of the download with such rows."""
NOT_TOLD = {
    "accounts.Erasure.user": "nobody can ask any more",
    "accounts.Block.person": "a person who is blocked is not told",
    "tournaments.Adjustment.by": ACT,
    "tournaments.Entry.entered_by": ACT,
    "tournaments.Result.confirmed_by": ACT,
    "tournaments.Tournament.created_by": ACT,
    **{f"{app}.Remark.{name}": REMARK for app in ("clubs", "tournaments") for name in ("one", "other")},
    "clubs.Remark.by": ACT,
    "tournaments.Remark.by": ACT,
    "tournaments.TypedScores.by": "scores of others, which count once they are entered",
    "tournaments.Letter.by": "how many letters were sent, with no address",
    "clubs.Club.created_by": ACT,
    "clubs.Invitation.by": ACT,
    "clubs.JoinRequest.answered_by": ACT,
}
"""Fields that name a person and are not told, and why."""
OWN_FIELDS = {
    "id": "a number of the database", "password": "a secret", "is_superuser": "rights of staff",
    "is_staff": "rights of staff", "is_active": "always so for who can ask", "is_guest": "guests have no account",
    "time_zone_is_guess": "whether they chose it", "digest_on": "of the last daily letter, which is told as sent",
    "date_joined": "told as `joined`", "last_login": "told as `last_sign_in`",
}  # fmt: skip


def people_fields():
    """`app.Model.field` of everything that names a person."""
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if isinstance(field, ForeignKey) and field.related_model is User:
                yield f"{model._meta.label}.{field.name}", model, field


def part(data, path):
    for name in path.split("."):
        data = data[name]
    return data


def test_every_field_that_names_a_person_is_told_or_has_a_reason():
    fields = {name for name, _, _ in people_fields()}
    assert fields - set(TOLD) - set(NOT_TOLD) == set(), "Say in this file where it is told"
    assert {*TOLD, *NOT_TOLD} <= fields


def test_every_field_of_an_account_is_told_or_has_a_reason(person):
    profile = privacy.export(person("Ann"))["profile"]
    assert {field.name for field in User._meta.concrete_fields} - set(profile) == set(OWN_FIELDS)


def test_as_many_rows_are_told_as_there_are(person, driver, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        zora, *_ = known_everywhere(person, driver)
    data, with_rows, count = privacy.export(zora), 0, {}
    for name, model, field in people_fields():
        if name in TOLD:
            rows = set(model._default_manager.filter(**{field.name: zora}).values_list("pk", flat=True))
            count.setdefault(TOLD[name], set()).update(rows)
            with_rows += bool(rows)
    for path, rows in count.items():
        assert len(part(data, path)) >= len(rows), (path, len(part(data, path)), len(rows))
    assert with_rows > 12


OF_OTHERS = {
    "accounts.User.last_name", "accounts.Notice.title", "accounts.Notice.body", "accounts.Notice.url", "clubs.Act.changes",
    "clubs.Act.sentence", "clubs.Act.name", "clubs.Act.reason", "tournaments.Act.changes", "tournaments.Act.sentence",
    "tournaments.Act.name", "tournaments.Act.reason", "gameplay.Happening.sentence", "gameplay.ChatMessage.text",
    "clubs.Newsletter.subject", "clubs.Newsletter.body", "clubs.Club.about", "clubs.Club.line", "clubs.Club.venue",
    "clubs.Meeting.title", "clubs.Meeting.words", "clubs.HouseRules.about", "clubs.League.about",
    "clubs.RulesVersion.note", "clubs.Blackout.reason", "clubs.Team.venue", "tournaments.Result.reason",
    "tournaments.Adjustment.reason", "tournaments.Tournament.about", "gameplay.Deal.phrases",
}  # fmt: skip
"""Texts of others with their names in it; their own rows of these are in the download: see the test above."""


def test_what_is_stored_with_their_name_is_told(person, driver, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        zora, *_ = known_everywhere(person, driver)
    data = json.dumps(privacy.export(zora), cls=DjangoJSONEncoder, ensure_ascii=False)
    missing = {
        (f"{model}.{field}", value)
        for model, field, value in naming()
        if f"{model}.{field}" not in OF_OTHERS and value.strip("[]'\"") not in data and "', '" not in value
    }
    assert not missing
