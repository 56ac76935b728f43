"""Blocks: nothing of a blocked person arrives, and they are not told."""

from functools import partial

import pytest

from accounts import privacy
from accounts.models import Block, Friendship, Notice, User
from accounts.services import blocks, friends
from tests.at_once import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(person):
    return person("Ann"), person("Ben")


def test_a_block_is_one_however_often_it_is_sent(people):
    ann, ben = people
    assert blocks.block(ann, "BEN") == blocks.block(ann, " ben ")
    assert (blocks.has_blocked(ann, ben), blocks.has_blocked(ben, ann)) == (True, False)
    for _ in range(2):
        blocks.unblock(ann, "ben")
    assert not blocks.has_blocked(ann, ben)


@pytest.mark.django_db(transaction=True)
def test_a_block_and_a_request_at_the_same_instant_leave_no_friendship(people):
    ann, ben = people
    friends.ask(ann, "ben")
    at_once(partial(blocks.block, ann, "ben"), partial(friends.ask, ben, "ann"))
    assert not friends.are_friends(ann, ben)
    assert list(friends.friendships_of(ann)) == []


@pytest.mark.parametrize(("who", "code"), [("nobody", "nobody"), ("ann", "oneself"), ("guest-1", "nobody")])
def test_nobody_blocks_themselves_or_a_name_that_is_none(people, refuses, who, code):
    User.objects.create(username="guest-1", is_guest=True)
    with refuses(code):
        blocks.block(people[0], who)


def test_no_more_than_the_limit_can_be_blocked(people, refuses, monkeypatch):
    monkeypatch.setattr(blocks, "MOST", 0)
    with refuses("too_many"):
        blocks.block(people[0], "ben")


def test_a_block_ends_a_friendship_and_an_own_request(people, person):
    ann, ben = people
    friends.ask(ann, "ben")
    friends.accept(ben, "ann")
    friends.ask(ann, person("Cem").username)
    blocks.block(ann, "ben")
    blocks.block(ann, "cem")
    assert not Friendship.objects.exists()


def test_a_request_of_a_blocked_person_looks_sent_to_them_and_arrives_nowhere(people, refuses):
    ann, ben = people
    blocks.block(ann, "ben")
    friends.ask(ben, "ann")
    assert [row.second for row in friends.friendships_of(ben)] == [ann]
    assert list(friends.friendships_of(ann)) == []
    assert not Notice.objects.filter(user=ann).exists()
    with refuses("no_request"):
        friends.accept(ann, "ben")
    with refuses("blocked"):
        friends.ask(ann, "ben")


def test_a_request_that_was_there_is_hidden_and_comes_back_with_the_unblocking(people):
    ann, ben = people
    friends.ask(ben, "ann")
    blocks.block(ann, "ben")
    assert list(friends.friendships_of(ann)) == []
    assert not Notice.objects.filter(user=ann).exists()
    assert [row.second for row in friends.friendships_of(ben)] == [ann]
    blocks.unblock(ann, "ben")
    assert [row.first for row in friends.friendships_of(ann)] == [ben]


def test_the_download_tells_whom_one_blocked_and_not_by_whom_one_is(people):
    ann, ben = people
    blocks.block(ann, "ben")
    assert [row["name"] for row in privacy.export(ann)["blocked"]] == ["Ben"]
    assert privacy.export(ben)["blocked"] == []


@pytest.mark.parametrize("who", [0, 1])
def test_blocks_go_with_either_account(people, gone, who):
    ann, ben = people
    blocks.block(ann, "ben")
    gone([ann, ben][who])
    assert not Block.objects.exists()
