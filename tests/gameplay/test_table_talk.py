"""The conversation of a table: free, set phrases, or none, as its creator chose."""

import pytest
from django.urls import reverse

from engine.play.rules import Rules
from gameplay.conversation import services as conversation
from gameplay.models import Table
from gameplay.services import event_tables, rematch
from gameplay.services.partners import change_partners
from tests.makers import finish_match, make_table
from tests.pages import squeezed
from web.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("talk", "is_practice", "begun", "is_free"),
    [
        ("free", False, True, True),
        ("phrases", False, True, False),
        ("phrases", False, False, True),
        ("phrases", True, True, True),
        ("none", False, False, False),
        ("none", True, True, False),
    ],
)
def test_own_words_are_welcome_where_the_creator_and_the_match_let_them(four, talk, is_practice, begun, is_free):
    table = make_table(four, begun=begun, talk=talk, is_practice=is_practice)
    assert table.talks_freely is is_free


def test_free_chat_takes_own_words_while_the_match_is_played(seated, four):
    message = conversation.say(seated(talk="free").pk, four[0], text="Your turn, Ben")
    assert message.text == "Your turn, Ben"


@pytest.mark.parametrize("message", [{"text": "Hello"}, {"phrase": "hello"}])
def test_without_chat_nothing_can_be_said(seated, four, refuses, message):
    for begun in (True, False):
        with refuses("no_chat"):
            conversation.say(seated(talk="none", begun=begun).pk, four[0], **message)


def test_without_chat_the_pages_of_the_table_have_none(seated, four, client):
    client.force_login(four[0])
    table = seated(talk="none")
    page = squeezed(client.get(table.get_absolute_url()))
    assert 'id="chat' not in page
    chat = squeezed(client.get(reverse("gameplay:chat", args=[table.slug])))
    assert "This table has no chat." in chat
    assert 'name="phrase"' not in chat
    answer = client.post(reverse("gameplay:chat", args=[table.slug]), {"phrase": "hello"})
    assert "This table has no chat." in squeezed(answer)


def test_where_it_counts_partners_have_set_phrases_at_most(four):
    with pytest.raises(Refused, match="Partners must not signal"):
        make_table(four, talk="free", is_rated=True)
    assert make_table(four, talk="none", is_rated=True).talk == "none"


def test_a_table_of_an_event_has_set_phrases_as_before(four):
    rules = Rules.preset("standard")
    assert event_tables.create_event_table(rules, name="Cup", seats=four, team_size=2, terms={}).talk == "phrases"


@pytest.mark.parametrize(
    ("talk", "sentence"),
    [
        ("free", "You can chat freely."),
        ("phrases", "During play you can send set phrases only, because partners must not signal."),
        ("none", "There is no chat."),
    ],
)
def test_the_terms_of_the_table_say_it(four, client, talk, sentence):
    client.force_login(four[0])
    table = make_table(four[:1], begun=False, talk=talk)
    assert sentence in squeezed(client.get(table.get_absolute_url()))


def test_the_form_chooses_it_and_remembers_it(four, client):
    client.force_login(four[0])
    fields = {"name": "Quiet", "preset": "standard", "shape": "4x2", "pace": "day", "joining": "link"}
    fields |= {"watching": "link", "missed": "bot", "assist": "yes"}
    client.post("/tables/new/", {**fields, "talk": "none"})
    assert Table.objects.get().talk == "none"
    assert 'value="none" checked' in squeezed(client.get("/tables/new/"))
    answer = client.post("/tables/new/", {**fields, "talk": "free", "is_rated": "on"})
    assert "Partners must not signal where it counts." in squeezed(answer)


def test_a_rematch_and_another_partner_keep_it(four):
    match = finish_match(make_table(four, clock_hours=24, talk="free"), [900, 500], [0])
    assert change_partners(match.pk, four[0]).talk == "free"
    for user in four:
        rematch.ask_rematch(match.pk, user)
    assert Table.objects.get(rematch_of=match).talk == "free"
