"""Entering an event from its page: alone, with a partner, as a team; invitations; check-in; leaving."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from tournaments.models import Act, Entry, Member

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser():
    def open_for(user):
        client = Client()
        client.force_login(user)
        return client

    return open_for


@pytest.fixture
def ben(person):
    return person("Ben")


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def addresses(event):
    base = event.get_absolute_url()
    return base, f"{base}enter/", f"{base}you/"


def test_a_person_enters_from_the_page_of_the_event_once(new_event, ann, browser):
    cup = new_event(entries=0)
    base, enter, you = addresses(cup)
    page = browser(ann)
    assert f'href="{enter}"' in page.get(base).content.decode()
    assert page.get(enter).status_code == 200
    for _ in range(2):
        assert page.post(enter, {"key": "same"})["Location"] == you
    assert Entry.objects.get().status == "entered"
    assert "You have a place." in text(page.get(you))
    assert page.get(enter)["Location"] == you


def test_a_pair_enters_by_the_name_of_an_account_and_the_partner_agrees(new_event, ann, ben, browser):
    cup = new_event(entries=0, kind="partnership")
    base, enter, you = addresses(cup)
    assert browser(ann).post(enter, {"who1": "Ben", "key": "k"}).status_code == 302
    assert Entry.objects.get().status == "forming"
    assert "invited" in text(browser(ann).get(you))
    assert f'href="{you}"' in browser(ben).get(base).content.decode()
    assert "Play in Ann / Ben ?" in text(browser(ben).get(you))
    member = Member.objects.get(user=ben)
    assert browser(ben).post(you, {"act": "accept", "member": member.pk})["Location"] == you
    assert Entry.objects.get().status == "entered"
    assert Entry.objects.get().name == "Ann / Ben"


def test_an_invitation_that_is_declined_leaves_room_for_another(new_event, ann, ben, person, browser):
    cup = new_event(entries=0, kind="partnership")
    base, enter, you = addresses(cup)
    browser(ann).post(enter, {"who1": "Ben"})
    assert browser(ben).post(you, {"act": "decline", "member": Member.objects.get(user=ben).pk})["Location"] == base
    person("Cem")
    assert browser(ann).post(you, {"act": "invite", "who": "Cem", "key": "x"}).status_code == 302
    assert [member.name for member in Member.objects.filter(answer="invited")] == ["Cem"]
    refused = browser(ann).post(you, {"act": "invite", "who": "Nobody <at all>"})
    assert refused.status_code == 422
    assert "Nobody &lt;at all&gt;" in refused.content.decode()


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        ("partnership", {"name": "The Two"}, "Enter your partner’s username"),
        ("partnership", {"who1": "Nobody Known"}, "Nobody here is called"),
        ("partnership", {"who1": "not@an"}, "is not an email address"),
        ("partnership", {"who1": "Ann"}, "Ann is already in this event"),
        ("team", {"name": "Reds"}, "A team needs at least 2 players"),
    ],
)
def test_what_is_wrong_comes_back_with_a_sentence_and_as_it_was_typed(new_event, ann, browser, kind, data, sentence):
    _, enter, _ = addresses(new_event(entries=0, kind=kind))
    page = browser(ann).post(enter, data)
    assert page.status_code == 422
    assert sentence in text(page)
    assert all(f'value="{value}"' in page.content.decode() for value in data.values())
    assert Entry.objects.count() == 0


def test_a_team_enters_with_its_roster_and_its_captain_adds_a_reserve(new_event, ann, ben, person, browser):
    cup = new_event(entries=0, kind="team")
    _, enter, you = addresses(cup)
    person("Cem")
    assert browser(ann).post(enter, {"who1": "Ben", "who2": "Cem", "name": "Reds"}).status_code == 302
    for name in ("Ben", "Cem"):
        member = Member.objects.get(name=name)
        browser(member.user).post(you, {"act": "accept", "member": member.pk})
    assert (Entry.objects.get().name, Entry.objects.get().status) == ("Reds", "entered")
    person("Dee")
    browser(ann).post(you, {"act": "invite", "who": "Dee", "role": "reserve"})
    assert Member.objects.get(name="Dee").role == "reserve"
    assert browser(ben).post(you, {"act": "rename", "name": "Blues"}).status_code == 403
    browser(ann).post(you, {"act": "rename", "name": "Blues"})
    assert Entry.objects.get().name == "Blues"
    browser(ann).post(you, {"act": "captain", "member": Member.objects.get(user=ben).pk})
    assert Member.objects.get(user=ben).is_captain
    assert browser(ann).post(you, {"act": "drop", "member": Member.objects.get(user=ann).pk}).status_code == 302
    assert Member.objects.get(user=ann).left_at is not None


def test_the_place_in_the_waiting_list_is_told_and_moves_up(new_event, ann, ben, browser, entry, user_of):
    cup = new_event(entries=1, entry_limit=1)
    _, enter, you = addresses(cup)
    assert "full" in text(browser(ann).get(enter))
    browser(ann).post(enter)
    browser(ben).post(enter)
    assert "waiting list, number 2" in text(browser(ben).get(you))
    browser(ann).post(you, {"act": "withdraw", "sure": "yes"})
    assert "waiting list, number 1" in text(browser(ben).get(you))
    browser(user_of(entry(cup, 1))).post(you, {"act": "withdraw", "sure": "yes"})
    assert "You have a place." in text(browser(ben).get(you))


def test_withdrawing_wants_a_tick(new_event, entry, user_of, browser):
    cup = new_event(entries=2)
    base, _, you = addresses(cup)
    page = browser(user_of(entry(cup, 1)))
    refused = page.post(you, {"act": "withdraw"})
    assert refused.status_code == 422
    assert "Tick the box" in text(refused)
    assert page.post(you, {"act": "withdraw", "sure": "yes"})["Location"] == base
    assert entry(cup, 1).status == "withdrawn"


def test_withdrawing_during_play_is_at_once_or_after_the_round(new_event, entry, user_of, browser):
    cup = new_event(entries=4, setting="face", started=True)
    _, _, you = addresses(cup)
    for number, when in ((1, "after"), (2, "now")):
        page = browser(user_of(entry(cup, number)))
        assert "After this round" in text(page.get(you))
        assert page.post(you, {"act": "withdraw", "sure": "yes", "when": when}).status_code == 302
        assert entry(cup, number).status == "withdrawn"
    sentences = list(Act.objects.filter(kind="withdraw").order_by("pk").values_list("sentence", flat=True))
    assert sentences[0].endswith("after the round.")
    assert "at once" in sentences[1]


@pytest.mark.parametrize(
    ("opens", "closes", "status", "words"),
    [(-1, 1, 302, ""), (1, 2, 422, "Check-in opens"), (-2, -1, 422, "Check-in closed")],
    ids=["open", "too early", "too late"],
)
def test_check_in_is_within_its_window(new_event, entry, user_of, browser, opens, closes, status, words):
    now = timezone.now()
    cup = new_event(
        entries=2,
        has_check_in=True,
        check_in_from=now + timedelta(hours=opens),
        check_in_until=now + timedelta(hours=closes),
    )
    first = entry(cup, 1)
    first.is_here = None
    first.save()
    _, _, you = addresses(cup)
    page = browser(user_of(first))
    assert ('value="check_in">Check in<' in page.get(you).content.decode()) == (status == 302)
    answer = page.post(you, {"act": "check_in"})
    assert answer.status_code == status
    first.refresh_from_db()
    assert first.is_here is (True if status == 302 else None)
    if words:
        assert words in text(answer)
    else:
        assert "You are checked in." in text(page.get(you))


def test_a_letters_link_is_opened_signed_out_and_comes_back_after_signing_in(
    new_event, ann, ben, browser, client, django_capture_on_commit_callbacks
):
    cup = new_event(entries=0, kind="partnership")
    _, enter, you = addresses(cup)
    with django_capture_on_commit_callbacks(execute=True):
        browser(ann).post(enter, {"who1": "someone@example.org"})
    from tournaments.services.entries import invitation_emails

    invitation_emails.send_due()
    url = re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)[1]
    page = client.get(url)
    assert page.status_code == 200
    assert f"/accounts/signup/?next={url}" in page.content.decode()
    assert client.post(url, {"answer": "yes"})["Location"] == f"/accounts/login/?next={url}"
    assert "Agree to play" in text(browser(ben).get(url))
    assert browser(ben).post(url, {"answer": "yes"})["Location"] == you
    assert Entry.objects.get().status == "entered"
    # Nobody else can use the link now.
    assert "/accounts/login/" in client.get(url)["Location"]
    assert browser(ann).get(url).status_code == 403
    assert browser(ben).get(url)["Location"] == you


def test_a_letters_link_can_be_declined_without_an_account(new_event, ann, browser, client):
    cup = new_event(entries=0, kind="partnership")
    browser(ann).post(addresses(cup)[1], {"who1": "someone@example.org"})
    token = Member.objects.get(user=None).token
    url = f"{cup.get_absolute_url()}invitation/{token}/"
    assert client.post(url, {"answer": "no"}).status_code == 302
    assert Member.objects.get(token=token).answer == "declined"
    assert client.get(url).status_code == 422
    assert "new one" in text(client.get(url))
    assert client.get(f"{cup.get_absolute_url()}invitation/nothing/").status_code == 422


def test_nobody_answers_or_changes_what_is_not_theirs(new_event, ann, ben, person, browser):
    cup = new_event(entries=0, kind="partnership")
    _, enter, you = addresses(cup)
    browser(ann).post(enter, {"who1": "Ben"})
    eve, member = browser(person("Eve")), Member.objects.get(user=ben)
    assert eve.post(you, {"act": "accept", "member": member.pk}).status_code == 403
    assert eve.post(you, {"act": "decline", "member": member.pk}).status_code == 403
    assert eve.post(you, {"act": "drop", "member": member.pk}).status_code == 403
    assert eve.post(you, {"act": "withdraw", "sure": "yes"}).status_code == 403
    assert eve.post(you, {"act": "whatever"}).status_code == 422
    assert eve.post(you, {"act": "drop", "member": "x"}).status_code == 422
    assert eve.get(you)["Location"] == cup.get_absolute_url()
    member.refresh_from_db()
    assert (member.answer, member.left_at) == ("invited", None)


def test_signed_out_one_is_sent_to_sign_in_and_drafts_are_not_there(new_event, ann, browser, client):
    cup = new_event(entries=0)
    for path in addresses(cup)[1:]:
        assert client.get(path)["Location"] == f"/accounts/login/?next={path}"
        assert client.post(path)["Location"] == f"/accounts/login/?next={path}"
        assert client.put(path).status_code == 405
    draft = new_event(entries=0, status="draft")
    for path in addresses(draft)[1:]:
        assert browser(ann).get(path).status_code == 404


@pytest.mark.parametrize("status", ["closed", "running", "over", "cancelled"])
def test_entries_that_are_closed_are_refused_with_a_sentence(new_event, ann, browser, status):
    cup = new_event(entries=2, status=status)
    _, enter, _ = addresses(cup)
    page = browser(ann).get(enter)
    assert page.status_code == 200
    assert 'type="submit"' not in page.content.decode().split("<main")[1].split("</main")[0]
    assert browser(ann).post(enter).status_code == 422


def test_forms_without_a_token_are_refused(new_event, ann):
    cup = new_event(entries=0)
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    assert client.post(addresses(cup)[1]).status_code == 403


def test_an_organiser_changes_an_entry_of_others_at_its_own_page_only(new_event, browser, olga, user_of, entry):
    """The same as by API: this address is the reader’s own entry only."""
    cup = new_event(entries=2, kind="team")
    person = entry(cup, 1).members.last()
    for user, status in ((olga, 403), (user_of(entry(cup, 2)), 422)):
        for act in ("drop", "captain"):
            sent = {"act": act, "member": person.pk}
            answer = browser(user).post(f"/events/{cup.slug}/you/", sent)
            assert answer.status_code == status, (act, user)
    assert not Act.objects.filter(tournament=cup).exists()
