"""Operators: made and unmade by a command, which is written down."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts import privacy
from accounts.models import OperatorAct, User

pytestmark = pytest.mark.django_db


def say(*arguments):
    """The output of the command."""
    out = StringIO()
    call_command("operator", *arguments, stdout=out)
    return out.getvalue().strip()


def test_a_person_is_made_an_operator_and_unmade(ann):
    assert say() == ""
    assert say("ANN@example.org") == f"Account {ann.pk} is now an operator."
    assert say() == f"Ann (account {ann.pk})"
    assert User.objects.get(pk=ann.pk).is_staff
    assert say(str(ann.pk), "--remove") == f"Account {ann.pk} is no longer an operator."
    assert not User.objects.get(pk=ann.pk).is_staff
    acts = OperatorAct.objects.order_by("pk")
    assert [(act.by, act.subject, act.before, act.after) for act in acts] == [
        (None, f"account:{ann.pk}", {"operator": False}, {"operator": True}),
        (None, f"account:{ann.pk}", {"operator": True}, {"operator": False}),
    ]


def test_twice_is_written_down_once(ann):
    say("ann@example.org")
    say("ann@example.org")
    assert OperatorAct.objects.count() == 1


@pytest.mark.parametrize("name", ["nobody@example.org", "0", "", "gil@example.org"])
def test_nobody_else_is_made_one(person, name):
    person("Gil", is_guest=True)
    with pytest.raises(CommandError, match="No accounts"):
        say(name)


def test_two_of_one_address_are_told_apart_by_number(person):
    first, second = person("Ann"), person("Ben")
    User.objects.update(email="ann@example.org")
    with pytest.raises(CommandError, match="2 accounts"):
        say("ann@example.org")
    say(str(second.pk))
    assert list(User.objects.filter(is_staff=True)) == [second]
    assert not User.objects.get(pk=first.pk).is_staff


def test_what_one_did_as_an_operator_is_in_what_one_takes_away(ann):
    OperatorAct.objects.create(by=ann, kind="wake", subject="worker", sentence="The worker was woken.")
    assert [act["sentence"] for act in privacy.export(ann)["operator_acts"]] == ["The worker was woken."]
