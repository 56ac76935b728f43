"""The chat and the pause by program."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.budgets import MESSAGES
from gameplay.conversation import services as conversation
from gameplay.models import ChatMessage, Table
from gameplay.services import leaving, pauses

pytestmark = pytest.mark.django_db


def url(table, part="chat/"):
    return f"/api/v1/tables/{table.slug}/{part}"


def post(client, path, data):
    return client.post(path, data, format="json")


def read_chat(client, table, query=""):
    return client.get(url(table) + query).json()


# The chat


def test_who_has_no_token_or_another_scope_neither_reads_nor_writes(program, seated):
    table = seated()
    assert program().get(url(table)).status_code == post(program(), url(table), {"phrase": "luck"}).status_code == 401
    assert program(table.creator, "play").get(url(table)).status_code == 403
    refused = post(program(table.creator, "read", "tables"), url(table), {"phrase": "luck"})
    assert (refused.status_code, refused.json()["sentence"]) == (403, "This needs a token with the scope “play”.")
    assert ChatMessage.objects.count() == 0


def test_a_stranger_does_not_learn_of_the_table(program, seated, person):
    table, eve = seated(watching=Table.Watching.NOBODY), program(person("Eve"))
    assert eve.get(url(table)).status_code == post(eve, url(table), {"phrase": "luck"}).status_code == 404


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(program, seated, method):
    table = seated()
    assert getattr(program(table.creator), method)(url(table)).status_code == 405


def test_what_is_said_comes_in_order_and_in_pages(program, four, seated):
    table = seated(begun=False)
    for user in four[:3]:
        assert post(program(user), url(table), {"text": f"I am {user}."}).status_code == 201
    page = read_chat(program(four[3]), table, "?limit=2")
    assert [(line["seat"], line["name"], line["text"], line["is_taken_off"]) for line in page["lines"]] == [
        (0, "Ann", "I am Ann.", False),
        (1, "Ben", "I am Ben.", False),
    ]
    assert (page["more"], page["is_free"]) == (True, True)
    assert {"phrase": "luck", "text": "Good luck, everyone."} in page["phrases"]
    rest = read_chat(program(four[3]), table, f"?since={page['lines'][-1]['id']}")
    assert ([line["text"] for line in rest["lines"]], rest["more"]) == (["I am Cem."], False)


def test_who_watches_reads_and_does_not_write(program, four, seated, person):
    table, eve = seated(), program(person("Eve"))
    post(program(four[0]), url(table), {"phrase": "luck"})
    assert [line["text"] for line in read_chat(eve, table)["lines"]] == ["Good luck, everyone."]
    assert post(eve, url(table), {"phrase": "luck"}).json()["code"] == "no_seat"


def test_while_a_match_is_played_only_set_phrases_are_said(program, four, seated):
    table = seated()
    refused = post(program(four[0]), url(table), {"text": "Discard sevens!"})
    assert (refused.status_code, refused.json()["code"]) == (422, "presets_only")
    assert read_chat(program(four[0]), table)["is_free"] is False
    assert post(program(four[0]), url(table), {"phrase": "luck"}).json()["text"] == "Good luck, everyone."


@pytest.mark.parametrize(
    "data",
    [{}, {"text": "a", "phrase": "luck"}, {"phrase": "cheat"}, {"text": ""}, {"text": "a", "seat": 2}, {"text": []}],
)
def test_what_is_neither_words_nor_a_phrase_is_not_read(program, seated, data):
    table = seated(begun=False)
    assert post(program(table.creator), url(table), data).status_code == 400
    assert ChatMessage.objects.count() == 0


def test_the_same_words_twice_are_one_message_and_too_many_are_refused(program, seated, limited):
    limited(MESSAGES, person=2)
    table = seated(begun=False)
    ann = program(table.creator)
    first, second = (post(ann, url(table), {"text": "Hello"}).json() for _ in range(2))
    assert first["id"] == second["id"]
    assert [post(ann, url(table), {"text": f"Hello {n}"}).status_code for n in range(2)] == [201, 429]


def test_what_was_taken_off_is_not_sent(program, four, seated):
    table = seated(begun=False)
    line = post(program(four[0]), url(table), {"text": "Something foul"}).json()
    report = conversation.report(table.pk, four[1], reason="", message_id=line["id"])
    conversation.close_report(report.pk, is_upheld=True)
    (removed,) = read_chat(program(four[1]), table)["lines"]
    assert (removed["id"], removed["text"], removed["is_taken_off"]) == (line["id"], "", True)


def test_who_has_switched_the_chat_off_gets_nothing(program, four, seated):
    table = seated()
    post(program(four[0]), url(table), {"phrase": "luck"})
    conversation.mute(table.pk, four[1], is_muted=True)
    assert read_chat(program(four[1]), table)["lines"] == []


def test_reading_takes_as_many_queries_however_much_was_said(program, seated, django_assert_max_num_queries):
    table = seated()
    ann = program(table.creator)
    ChatMessage.objects.bulk_create(
        ChatMessage(table=table, seat=n % 4, name="x", text=f"{n}", at=timezone.now()) for n in range(60)
    )
    ann.get("/api/v1/me/")
    with django_assert_max_num_queries(5):
        assert len(read_chat(ann, table)["lines"]) == 60


# Pausing


def test_a_pause_starts_when_all_agree_and_ends_when_one_continues(program, four, seated):
    table = seated()
    pause = post(program(four[0]), url(table, "pause/"), {"act": "propose"}).json()
    assert (pause["proposal"], pause["paused_at"]) == ({"what": "pause", "agreed": [0]}, None)
    for user in four[1:]:
        now = post(program(user), url(table, "pause/"), {"act": "agree"}).json()
    assert now["proposal"] is None
    assert now["paused_at"] is not None
    assert post(program(four[2]), url(table, "pause/"), {"act": "resume"}).json()["paused_at"] is None


def test_one_no_ends_a_proposal_whatever_it_is(program, four, seated):
    table = seated()
    for propose in (pauses.propose_pause, pauses.offer_abandon):
        propose(table.pk, four[0])
        assert post(program(four[1]), url(table, "pause/"), {"act": "decline"}).json()["proposal"] is None


def test_what_is_not_proposed_cannot_be_agreed_to(program, four, seated):
    table = seated()
    refused = post(program(four[0]), url(table, "pause/"), {"act": "agree"})
    assert (refused.status_code, refused.json()["code"]) == (422, "no_proposal")
    assert post(program(four[0]), url(table, "pause/"), {"act": "abandon"}).status_code == 400


def test_a_match_that_is_over_is_not_paused(program, four, seated):
    table = seated()
    pauses.offer_abandon(table.pk, four[0])
    for user in four[1:]:
        pauses.agree_abandon(table.pk, user)
    assert post(program(four[0]), url(table, "pause/"), {"act": "propose"}).status_code == 422


def test_what_players_propose_is_theirs_to_know(program, four, seated, person):
    table = seated()
    pauses.propose_pause(table.pk, four[0])
    assert program(four[3]).get(url(table, "")).json()["proposal"] == {"what": "pause", "agreed": [0]}
    assert program(person("Eve")).get(url(table, "")).json()["proposal"] is None


def test_a_player_who_left_has_no_voice(program, four, seated):
    table = seated()
    leaving.resign(table.pk, four[1], now=timezone.now() + timedelta(seconds=1))
    assert post(program(four[1]), url(table, "pause/"), {"act": "propose"}).status_code == 403
