import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import OperatorAct
from gameplay.conversation import services as conversation
from gameplay.models import ChatMessage, Report, Table
from tests.pages import squeezed
from web.errors import NotAllowed, Refused

HTMX = {"HX-Request": "true"}


def place(name, table):
    return reverse(f"gameplay:{name}", args=[table.slug])


def chat_texts(table):
    return list(ChatMessage.objects.filter(table=table).values_list("text", flat=True))


def later(minutes=2):
    """Move all messages into the past."""
    for message in ChatMessage.objects.all():
        ChatMessage.objects.filter(pk=message.pk).update(at=message.at - timedelta(minutes=minutes))


def test_a_serious_table_has_set_phrases_only_while_it_plays(seated, four):
    table = seated()
    with pytest.raises(Refused) as refused:
        conversation.say(table.pk, four[0], text="I hold three aces")
    assert refused.value.code == "presets_only"
    conversation.say(table.pk, four[0], phrase="luck")
    assert chat_texts(table) == ["Good luck, everyone."]
    Table.objects.filter(pk=table.pk).update(status="over")
    conversation.say(table.pk, four[0], text="I held three aces")
    assert chat_texts(table)[1:] == ["I held three aces"]


def test_own_words_are_welcome_before_the_match_and_at_practice(seated, four):
    conversation.say(seated(begun=False).pk, four[1], text="Hello there")
    conversation.say(seated(is_practice=True).pk, four[1], text="Which suit?")
    assert set(ChatMessage.objects.values_list("text", flat=True)) == {"Hello there", "Which suit?"}


def test_a_message_makes_pages_new_but_no_move_stale(seated, four):
    table = seated()
    conversation.say(table.pk, four[0], phrase="played")
    after = Table.objects.get(pk=table.pk)
    assert (after.version, after.move_count) == (table.version + 1, table.move_count)


def unread(table):
    return list(table.seats.order_by("number").values_list("unread", flat=True))


def test_messages_of_others_are_unread_until_the_chat_is_opened(seated, four, client):
    table = seated()
    mine = table.seats.get(user=four[1]).number
    conversation.say(table.pk, four[0], phrase="luck")
    conversation.say(table.pk, four[2], phrase="luck")
    assert sorted(unread(table)) == [1, 1, 2, 2]
    client.force_login(four[1])
    page = squeezed(client.get(table.get_absolute_url()))
    assert re.search(r"<b class=\"badge\">2</b><span class=\"vh\">\s*unread messages", page)
    part = squeezed(client.get(place("chat", table), headers=HTMX))
    assert 'id="chat-link"' in part
    assert unread(table)[mine] == 0
    assert "badge" not in squeezed(client.get(table.get_absolute_url())).partition("</header>")[0]
    assert 'id="chat-link"' not in squeezed(client.get(place("chat", table), headers=HTMX))


def test_a_muted_chat_has_nothing_unread(seated, four, client):
    table = seated()
    conversation.mute(table.pk, four[1], is_muted=True)
    conversation.say(table.pk, four[0], phrase="luck")
    client.force_login(four[1])
    assert "unread" not in squeezed(client.get(table.get_absolute_url()))


def test_words_are_cleaned_and_bounded(seated, four):
    table = seated(begun=False)
    conversation.say(table.pk, four[0], text="a\x00b\u202ec\n\n d\u200de")
    assert chat_texts(table) == ["abc d\u200de"]
    for text, code in (("", "nothing_said"), ("\u202e \x07", "nothing_said"), ("x" * 301, "too_long")):
        with pytest.raises(Refused) as refused:
            conversation.say(table.pk, four[0], text=text)
        assert refused.value.code == code
    with pytest.raises(Refused):
        conversation.say(table.pk, four[0], phrase="aces")


def test_ten_messages_a_minute_and_a_double_click_is_one(seated, four, refuses):
    table = seated(begun=False)
    for number in range(10):
        conversation.say(table.pk, four[0], text=f"line {number}")
    conversation.say(table.pk, four[0], text="line 9")
    assert len(chat_texts(table)) == 10
    with refuses("too_much"):
        conversation.say(table.pk, four[0], text="one more")
    conversation.say(table.pk, four[1], text="I may")


def test_spectators_read_and_do_not_write(seated, client, four, person):
    table = seated()
    conversation.say(table.pk, four[0], phrase="luck")
    client.force_login(person("Eve"))
    assert "Good luck" in client.get(place("chat", table)).content.decode()
    assert client.post(place("chat", table), {"phrase": "luck"}).status_code == 403
    with pytest.raises(NotAllowed):
        conversation.say(table.pk, person("Fay"), phrase="luck")
    for name in ("notes", "standing", "resign", "report"):
        assert client.get(place(name, table)).status_code == 403
    for name in ("mute", "pause"):
        assert client.post(place(name, table)).status_code == 403


def test_strangers_do_not_know_of_a_closed_table(seated, client, person):
    table = seated(watching="nobody")
    client.force_login(person("Eve"))
    for name in ("chat", "notes", "standing", "resign", "report"):
        assert client.get(place(name, table)).status_code == 404
    assert client.post(place("take_back", table)).status_code == 404


def test_the_chat_answers_with_and_without_htmx(seated, client, four):
    table = seated()
    client.force_login(four[0])
    assert client.post(place("chat", table), {"phrase": "luck"}).status_code == 302
    part = client.post(place("chat", table), {"phrase": "played"}, headers=HTMX)
    assert (part.status_code, b"Well played" in part.content, b"<html" in part.content) == (200, True, False)
    refused = client.post(place("chat", table), {"text": "I have <b>aces</b>"}, headers=HTMX)
    assert refused.status_code == 422
    assert "you can only send set phrases" in refused.content.decode()
    assert client.put(place("chat", table)).status_code == 405
    assert client.get(place("mute", table)).status_code == 405


def test_what_was_typed_comes_back_escaped(seated, client, four):
    table = seated(begun=False)
    client.force_login(four[0])
    conversation.say(table.pk, four[1], text="<script>alert(1)</script>")
    page = client.post(place("chat", table), {"text": '"><script>' + "x" * 300}).content.decode()
    assert "<script>alert" not in page
    assert "&quot;&gt;&lt;script&gt;xxx" in page


def test_muting_hides_the_chat_for_oneself(seated, client, four):
    table = seated()
    conversation.say(table.pk, four[1], phrase="luck")
    client.force_login(four[0])
    client.post(place("mute", table), {"mute": "yes"})
    assert "Good luck, everyone.</p>" not in squeezed(client.get(place("chat", table)))
    client.post(place("mute", table), {"mute": "no"})
    assert "Good luck, everyone.</p>" in squeezed(client.get(place("chat", table)))


def test_reports_are_listed_and_settled_by_command(seated, client, four):
    table = seated(begun=False)
    message = conversation.say(table.pk, four[1], text="Something rude")
    client.force_login(four[0])
    assert "Something rude" in client.get(place("report", table), {"message": message.pk}).content.decode()
    for _ in range(2):
        assert client.post(place("report", table), {"message": message.pk, "reason": "rude"}).status_code == 302
    report = Report.objects.get()
    out = StringIO()
    call_command("reports", stdout=out)
    assert "'Something rude'" in out.getvalue()
    assert "'rude'" in out.getvalue()
    for _ in range(2):
        call_command("reports", uphold=report.pk, stdout=out)
    assert [act.sentence for act in OperatorAct.objects.all()] == [f"Report {report.pk} was upheld."]
    page = client.get(place("chat", table)).content.decode()
    assert "Something rude" not in page
    assert "Removed after a report." in page
    empty = StringIO()
    call_command("reports", stdout=empty)
    assert empty.getvalue() == ""
    with pytest.raises(CommandError):
        call_command("reports", dismiss=report.pk + 1)


def test_reports_need_a_reason_or_another_persons_message(seated, client, four):
    table, other = seated(begun=False), seated(begun=False)
    own_message = conversation.say(table.pk, four[0], text="mine")
    elsewhere = conversation.say(other.pk, four[1], text="elsewhere")
    client.force_login(four[0])
    for data in ({}, {"reason": " "}, {"message": own_message.pk}, {"message": elsewhere.pk}):
        assert client.post(place("report", table), data).status_code == 422
    assert client.post(place("report", table), {"reason": "slow play"}).status_code == 302


def test_notes_are_kept_and_nobody_else_sees_them(seated, client, four):
    table = seated()
    client.force_login(four[0])
    part = client.post(place("notes", table), {"note": "Tom keeps kings\r\n<b>"}, headers=HTMX)
    assert part.content == b"Saved."
    assert client.post(place("notes", table), {"note": "Tom keeps kings\r\n<b>"}).status_code == 302
    assert "Tom keeps kings\n&lt;b&gt;" in client.get(place("notes", table)).content.decode()
    long = client.post(place("notes", table), {"note": "x" * 5001})
    assert (long.status_code, "x" * 5001 in long.content.decode()) == (422, True)
    client.force_login(four[1])
    for name in ("notes", "chat", "log", "standing"):
        assert "Tom keeps kings" not in client.get(place(name, table)).content.decode()


def test_standing_orders_are_kept_and_a_wrong_one_gets_a_sentence(seated, client, four):
    table = seated()
    client.force_login(four[1])
    assert client.post(place("standing", table), {"answer": "points", "points": "60", "draw": "on"}).status_code == 302
    assert table.seats.get(number=1).standing == {"answer": "points", "points": 60, "draw": True}
    wrong = client.post(place("standing", table), {"answer": "points", "points": "lots"}, headers=HTMX)
    assert wrong.status_code == 422
    assert 'value="lots"' in wrong.content.decode()
    page = client.get(place("standing", table)).content.decode()
    assert 'value="60"' in page


def test_a_pause_is_proposed_agreed_and_ended(seated, client, four):
    table = seated()
    for number, act in ((0, "pause"), (1, "agree-pause"), (2, "agree-pause"), (3, "agree-pause")):
        client.force_login(four[number])
        assert client.post(place("pause", table), {"act": act}).status_code == 302
    assert Table.objects.get(pk=table.pk).paused_at is not None
    assert "The match is paused" in client.get(place("standing", table)).content.decode()
    client.post(place("pause", table), {"act": "resume"})
    assert Table.objects.get(pk=table.pk).paused_at is None
    assert client.post(place("pause", table), {"act": "agree-pause"}).status_code == 422
    assert client.post(place("pause", table), {"act": "nonsense"}).status_code == 422


def test_a_proposal_is_shown_and_declined(seated, client, four):
    table = seated()
    client.force_login(four[0])
    client.post(place("pause", table), {"act": "abandon"})
    client.force_login(four[1])
    assert "Ann</b> wants to abandon the match" in client.get(place("standing", table)).content.decode()
    part = client.post(place("pause", table), {"act": "decline"}, headers=HTMX)
    assert (part.status_code, b"Propose a pause" in part.content) == (200, True)


def test_leaving_is_confirmed_and_can_be_undone_once(seated, client, four):
    table = seated()
    client.force_login(four[2])
    assert client.get(place("resign", table)).status_code == 200
    assert client.post(place("resign", table)).status_code == 302
    assert table.seats.get(number=2).bot
    client.post(place("take_back", table))
    assert table.seats.get(number=2).user == four[2]
