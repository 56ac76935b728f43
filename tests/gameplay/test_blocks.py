"""A blocked person reaches the one who blocked them by no door of the tables, and their own pages tell them nothing."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import Notice
from accounts.scopes import SCOPES
from accounts.services import blocks, friends, notices, tokens
from gameplay import queries, recent_partners
from gameplay.access import invitations_of
from gameplay.conversation import services as conversation
from gameplay.models import Invitation, Reserve
from gameplay.services import invitations, leaving, quick_matches, seating
from gameplay.services.partners import change_partners
from gameplay.services.sitting import Sitting
from tests.makers import finish_match, make_table
from tests.pages import squeezed
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(four):
    """Ann, who has blocked Ben; and Ben."""
    blocks.block(four[0], "ben")
    return four[0], four[1]


def program(user):
    client = APIClient()
    _, text = tokens.create(user, name="bot", scopes=list(SCOPES), days=None)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def play(user):
    return quick_matches.play_now(user, ruleset="standard", pace="day", wait=timedelta(minutes=5))


def text_of(client, user, address):
    client.force_login(user)
    return squeezed(client.get(address))


# Invitations


def test_an_invitation_looks_sent_and_arrives_nowhere(pair, client):
    ann, ben = pair
    table = make_table([ben], begun=False, joining="invited", watching="nobody")
    sent = invitations.invite(table.pk, ben, "Ann")
    assert "Ann" in text_of(client, ben, table.get_absolute_url())
    assert queries.sent_from(table) == [sent]
    assert queries.invitations_of(ann) == []
    assert not invitations_of(ann).exists()
    assert not Notice.objects.filter(user=ann).exists()
    client.force_login(ann)
    assert client.get(table.get_absolute_url()).status_code == 404
    assert table.name not in squeezed(client.get("/tables/")) + squeezed(client.get("/play/"))
    assert program(ann).get("/api/v1/invitations/").json() == {"invitations": []}


def test_an_invitation_from_before_the_block_is_no_news_any_more(four):
    ann, ben = four[:2]
    table = make_table([ben], begun=False, joining="invited")
    invitations.invite(table.pk, ben, "Ann")
    notice = Notice.objects.get(user=ann)
    assert notices.is_wanted(notice)
    blocks.block(ann, "ben")
    assert not notices.is_wanted(notice)
    assert queries.invitations_of(ann) == []


def test_an_email_to_an_address_of_hers_is_not_sent(pair):
    ann, ben = pair
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    table = make_table([ben], begun=False, joining="invited")
    sent = invitations.invite(table.pk, ben, "Ann@example.org")
    assert not invitations.send_letter(sent.pk)
    invitations.send_due_letters()
    assert mail.outbox == []
    assert Invitation.objects.get().letter_due_at is None


def test_whoever_blocked_somebody_unblocks_them_before_an_invitation(pair, refuses):
    ann, _ = pair
    table = make_table([ann], begun=False)
    with refuses("blocked"):
        invitations.invite(table.pk, ann, "Ben")


# Seats


@pytest.mark.parametrize("joining", ["open", "link"])
def test_no_seat_at_her_table_by_page_or_program(pair, client, joining):
    ann, ben = pair
    table = make_table([ann], begun=False, joining=joining)
    with pytest.raises(NotAllowed, match="Only invited players"):
        seating.join(table.pk, ben)
    page = text_of(client, ben, table.get_absolute_url())
    assert "Only invited players can join this table." in page
    assert "block" not in page.lower().replace("blockquote", "")
    client.post(reverse("gameplay:join", args=[table.slug]))
    assert program(ben).post(f"/api/v1/tables/{table.slug}/join/", {}, format="json").status_code == 403
    assert not table.seats.filter(user=ben).exists()


def test_no_seat_at_her_table_by_the_link_of_an_email(pair, client, refuses):
    ann, ben = pair
    table = make_table([ann], begun=False, joining="invited")
    sent = invitations.invite(table.pk, ann, "somebody@example.org")
    with refuses("no_invitation"):
        invitations.accept(sent, ben)
    client.force_login(ben)
    answer = client.post(reverse("gameplay:invitation", args=[table.slug, sent.token]), {"answer": "yes"})
    assert "This invitation was cancelled." in squeezed(answer)


def test_the_lists_of_open_tables_leave_out_hers_and_his(pair, client):
    ann, ben = pair
    hers = make_table([ann], begun=False, joining="open", name="Harbour")
    his = make_table([ben], begun=False, joining="open", name="Meadow")
    for reader, shown, hidden in ((ben, his, hers), (ann, hers, his)):
        page = text_of(client, reader, "/tables/")
        assert shown.name in page
        assert hidden.name not in page
        rows = program(reader).get("/api/v1/tables/?which=open").json()["tables"]
        assert hidden.slug not in {row["slug"] for row in rows}


def test_play_now_seats_the_two_at_two_tables_and_a_third_with_either(pair, four, client):
    ann, ben = pair
    first, second = play(ann), play(ben)
    assert first != second
    assert play(four[2]) == first
    for reader in (ann, ben):
        assert quick_matches.open_ones(reader) == [first if reader == ann else second]
    with pytest.raises(NotAllowed):
        seating.join(first.pk, ben)
    with pytest.raises(NotAllowed):
        seating.join(second.pk, ann)


def test_a_reserve_whom_a_player_has_blocked_takes_no_seat(pair, four, person):
    ann, ben = pair
    table = make_table([ann, four[2], four[3], person("Eve")])
    Reserve.objects.create(table=table, user=ben)
    assert leaving.first_reserve(Sitting(table, list(table.seats.all()), table.started_at)) is None
    blocks.unblock(ann, "ben")
    assert leaving.first_reserve(Sitting(table, list(table.seats.all()), table.started_at)).user == ben


def test_another_partner_is_asked_of_everyone_else(pair, four):
    ann, ben = pair
    match = finish_match(make_table([four[2], ben, four[3], ann], clock_hours=24), [900, 500], [0])
    table = change_partners(match.pk, ann)
    assert {str(sent.user) for sent in Invitation.objects.filter(table=table)} == {"Cem", "Dee"}


def test_past_players_leave_out_whom_one_has_blocked(pair, four):
    ann, ben = pair
    make_table([four[2], ben, four[3], ann])
    assert ben not in recent_partners.played_with(ann)
    assert ann in recent_partners.played_with(ben)


# Conversation


def chat_of(client, table, reader):
    return text_of(client, reader, reverse("gameplay:chat", args=[table.slug]))


def test_she_does_not_see_his_lines_and_they_are_not_unread(pair, four, client):
    ann, ben = pair
    table = make_table([four[2], ben, ann], begun=False)
    conversation.say(table.pk, ben, text="Only for the others")
    conversation.say(table.pk, four[2], text="For everyone")
    assert table.seats.get(user=ann).unread == 1
    assert "Only for the others" not in chat_of(client, table, ann)
    assert "For everyone" in chat_of(client, table, ann)
    for reader in (ben, four[2]):
        assert "Only for the others" in chat_of(client, table, reader)
    lines = program(ann).get(f"/api/v1/tables/{table.slug}/chat/").json()["lines"]
    assert [line["text"] for line in lines] == ["For everyone"]


def test_she_does_not_see_his_lines_while_watching_either(pair, four, client, person):
    ann, ben = pair
    table = make_table([ben, *four[2:], person("Eve")], begun=False)
    conversation.say(table.pk, ben, text="Only for the others")
    assert "Only for the others" not in chat_of(client, table, ann)


# Pages


def test_people_are_blocked_and_unblocked_on_a_page(four, client):
    ann, ben = four[:2]
    client.force_login(ann)
    answer = client.post("/friends/", {"act": "block", "who": "Ben"}, follow=True)
    assert "Blocked. We do not tell them." in squeezed(answer)
    assert 'value="unblock"' in squeezed(answer)
    client.post("/friends/", {"act": "unblock", "who": "ben"})
    assert not blocks.has_blocked(ann, ben)


def test_a_name_that_cannot_be_blocked_stays_in_its_field(four, client):
    client.force_login(four[0])
    answer = client.post("/friends/", {"act": "block", "who": "nobody"})
    assert answer.status_code == 422
    page = squeezed(answer)
    assert 'id="block-error"' in page
    assert 'id="who-error"' not in page


def test_the_page_of_a_player_blocks_and_unblocks(four, client):
    make_table(four)
    assert 'value="block"' in text_of(client, four[0], "/players/ben/")
    blocks.block(four[0], "ben")
    page = text_of(client, four[0], "/players/ben/")
    assert 'value="unblock"' in page
    assert 'value="ask"' not in page
    assert 'value="ask"' in text_of(client, four[1], "/players/ann/")


def test_a_report_offers_to_block_its_writer(seated, four, client):
    table = seated(begun=False)
    message = conversation.say(table.pk, four[1], text="Rude words")
    address = reverse("gameplay:report", args=[table.slug])
    page = text_of(client, four[0], f"{address}?message={message.pk}")
    assert "Block Ben" in page
    assert 'value="block"' not in text_of(client, four[1], f"{address}?message={message.pk}")


def test_the_friends_page_of_the_blocked_person_looks_as_before(four, client):
    ann, ben = four[:2]
    friends.ask(ben, "ann")
    client.force_login(ben)
    before = client.get("/friends/").context
    blocks.block(ann, "ben")
    after = client.get("/friends/").context
    for name in ("friends", "received", "asked", "blocked"):
        assert after[name] == before[name]
