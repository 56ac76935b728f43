"""Invitations by program."""

import pytest
from allauth.account.models import EmailAddress

from accounts.budgets import INVITATIONS
from accounts.models import Notice
from gameplay.models import Invitation, Table
from gameplay.services import invitations
from tests.makers import make_table

pytestmark = pytest.mark.django_db
MINE = "/api/v1/invitations/"


def url(table, part="invitations/"):
    return f"/api/v1/tables/{table.slug}/{part}"


def post(client, path, data):
    return client.post(path, data, format="json")


@pytest.fixture
def table(four):
    """A table that waits for players: Ann made it and nobody else has joined."""
    return make_table(four[:1], begun=False, name="Quay", joining="invited", watching="nobody")


def test_who_has_no_token_or_another_scope_asks_nobody(program, four, table):
    assert program().get(url(table)).status_code == program().get(MINE).status_code == 401
    assert program(four[0], "tables").get(url(table)).status_code == 403
    assert program(four[0], "play").get(MINE).status_code == 403
    assert post(program(four[0], "read", "play"), url(table), {"who": "Ben"}).status_code == 403
    assert Invitation.objects.count() == 0


def test_a_stranger_does_not_learn_of_the_table(program, four, table):
    ben = program(four[1])
    assert ben.get(url(table)).status_code == post(ben, url(table), {"who": "Cem"}).status_code == 404


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(program, four, table, method):
    assert getattr(program(four[0]), method)(url(table)).status_code == 405


def test_asking_finding_and_accepting(program, four, table):
    answer = post(program(four[0]), url(table), {"who": "ben"})
    assert (answer.status_code, answer.json()["who"], answer.json()["is_declined"]) == (201, "Ben", False)
    assert Notice.objects.filter(user=four[1], kind="invitation").count() == 1
    (invitation,) = program(four[1]).get(MINE).json()["invitations"]
    assert (invitation["table"], invitation["table_name"], invitation["invited_by"]) == (table.slug, "Quay", "Ann")
    assert post(program(four[1]), url(table, "join/"), {"seat": 2}).json()["your_seat"] == 2
    assert program(four[1]).get(MINE).json() == program(four[0]).get(url(table)).json() == {"invitations": []}


def test_asking_twice_does_no_harm(program, four, table):
    first, second = (post(program(four[0]), url(table), {"who": "Ben"}).json() for _ in range(2))
    assert first == second
    assert Notice.objects.filter(user=four[1]).count() == 1


def test_an_address_gets_an_email_whether_or_not_someone_has_it(program, four, table):
    EmailAddress.objects.create(user=four[1], email="ben@example.org", verified=True)
    answers = [post(program(four[0]), url(table), {"who": f"{name}@example.org"}) for name in ("ben", "nobody")]
    assert [(a.status_code, sorted(a.json())) for a in answers] == [
        (201, ["created_at", "id", "is_declined", "who"])
    ] * 2
    assert [invitation["who"] for invitation in program(four[0]).get(url(table)).json()["invitations"]] == [
        "ben@example.org",
        "nobody@example.org",
    ]
    assert [invitation["table"] for invitation in program(four[1]).get(MINE).json()["invitations"]] == [table.slug]


def test_the_invitations_of_a_day_are_counted_here_too(program, four, table, limited):
    limited(INVITATIONS, person=1)
    answers = [post(program(four[0]), url(table), {"who": f"{name}@example.org"}) for name in ("a", "b")]
    assert [answer.status_code for answer in answers] == [201, 429]


@pytest.mark.parametrize(
    ("invitee", "code"), [("Nobody Here", "nobody"), ("a@", "bad_email"), ("Ann", "nobody"), ("x\u0000y", "nul")]
)
def test_who_cannot_be_asked(program, four, table, invitee, code):
    assert post(program(four[0]), url(table), {"who": invitee}).json()["code"] == code
    assert Invitation.objects.count() == 0


def test_saying_no_is_shown_to_who_asked_and_twice_does_no_harm(program, four, table):
    invitations.invite_person(table.pk, four[0], four[1])
    assert [post(program(four[1]), url(table, "decline/"), {}).status_code for _ in range(2)] == [204, 204]
    assert program(four[1]).get(MINE).json() == {"invitations": []}
    assert [item["is_declined"] for item in program(four[0]).get(url(table)).json()["invitations"]] == [True]


def test_only_who_was_asked_says_no(program, four, seated):
    table = seated(begun=False)
    refused = post(program(four[1]), url(table, "decline/"), {})
    assert (refused.status_code, refused.json()["code"]) == (422, "no_invitation")


def test_an_invitation_is_cancelled_by_the_creator_of_the_table(program, four, table):
    invitation = invitations.invite_person(table.pk, four[0], four[1])
    assert post(program(four[1]), url(table, "revoke/"), {"invitation": invitation.pk}).status_code == 403
    for _ in range(2):
        assert post(program(four[0]), url(table, "revoke/"), {"invitation": invitation.pk}).status_code == 204
    assert program(four[1]).get(MINE).json() == {"invitations": []}
    assert program(four[1]).get(url(table, "")).status_code == 404


def test_those_of_another_table_cannot_be_cancelled_here(program, four, table, seated):
    other = seated(begun=False)
    invitation = invitations.invite_person(table.pk, four[0], four[1])
    assert post(program(four[0]), url(other, "revoke/"), {"invitation": invitation.pk}).status_code == 204
    assert Invitation.objects.filter(revoked_at=None).count() == 1


def test_the_invited_people_are_shown_to_the_creator(program, four, seated):
    table = seated(begun=False, joining=Table.Joining.LINK)
    refused = program(four[1]).get(url(table))
    assert (refused.status_code, refused.json()["code"]) == (403, "not_creator")


def test_nobody_is_asked_to_a_match_that_has_begun(program, four, seated, person):
    person("Eve")
    table = seated()
    assert post(program(four[0]), url(table), {"who": "Eve"}).json()["code"] == "has_begun"


def test_the_list_takes_as_many_queries_however_long(program, four, table, person, django_assert_max_num_queries):
    ann = program(four[0])
    for n in range(8):
        invitations.invite_person(table.pk, four[0], person(f"Guest {n}"))
    ann.get("/api/v1/me/")
    with django_assert_max_num_queries(6):
        assert len(ann.get(url(table)).json()["invitations"]) == 8
