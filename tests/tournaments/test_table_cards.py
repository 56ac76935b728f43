"""The code on a table card: the score sheet of one match without signing in, until its result counts."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.budgets import GUESSES
from tests.tournaments.reading import ONE_DEAL
from tests.tournaments.scoring import LOST, WON, entries_of, form, matches, totals
from tournaments.models import Act, Answer, Pairing, Result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


@pytest.fixture
def card(new_event):
    """A match of two pairs, its entries, and the address that its card carries."""

    def make(**choices):
        choices = {"kind": "partnership", "setting": "face", "rules_json": ONE_DEAL} | choices
        pairing = matches(new_event("swiss", 4, started=True, **choices))[0]
        return pairing, entries_of(pairing), f"/events/card/{pairing.token}/"

    return make


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_anybody_with_the_card_fills_in_a_sheet_and_another_side_confirms(card, client):
    pairing, (first, second), url = card()
    page = text(client.get(url))
    assert "Which side are you?" in page
    assert str(first) in page
    assert str(second) in page
    assert client.post(f"{url}0/", form(WON, LOST)).status_code == 302
    assert client.post(f"{url}0/", {"act": "send", "key": "k"})["Location"] == f"{url}0/answer/"
    result = Result.objects.get()
    assert (result.origin, result.by_entry, result.by) == ("card", first, None)
    assert "has not answered" in text(client.get(url))
    assert "4,715" in text(client.get(f"{url}1/answer/"))
    client.post(f"{url}1/answer/", {"result": result.pk, "answer": "yes"})
    pairing.refresh_from_db()
    assert pairing.result == result
    assert Answer.objects.get().entry == second


def test_a_card_is_of_no_use_from_the_moment_of_the_confirmation(card, client):
    _, _, url = card()
    client.post(f"{url}0/", totals(1250, 980))
    client.post(f"{url}0/", {"act": "send", "key": "k"})
    back = client.post(f"{url}1/answer/", {"result": Result.objects.get().pk, "answer": "yes"})["Location"]
    page = client.get(back)
    assert (back, page.status_code) == (url, 410)
    assert "The result is final." in text(page)
    assert "confirmed result" in text(page)


def test_a_card_offers_an_answer_to_sides_that_can_give_one(new_event, client):
    event = new_event("rotating_partners", 4, started=True, kind="person", setting="face", rules_json=ONE_DEAL)
    url = f"/events/card/{matches(event)[0].token}/"
    client.post(f"{url}0/", totals(1250, 980))
    client.post(f"{url}0/", {"act": "send", "key": "k"})
    page = client.get(url).content.decode()
    assert re.findall(rf'href="{url}(\d)/answer/"', page) == ["1", "3"]


def test_the_sheet_of_a_side_leads_to_a_result_that_waits_for_its_answer(card, client):
    _, (first, _), url = card()
    client.post(f"{url}0/", totals(1250, 980))
    client.post(f"{url}0/", {"act": "send", "key": "k"})
    sender, reader = (client.get(f"{url}{place}/").content.decode() for place in (0, 1))
    answer = 'href="{}{}/answer/"'
    assert answer.format(url, 1) in reader
    assert f"{first} entered 1,250 for {first}" in text(client.get(f"{url}1/"))
    assert answer.format(url, 0) not in sender
    assert "it replaces this one" in sender
    assert "it replaces this one" not in reader


def test_one_side_cannot_confirm_what_it_entered_itself(card, client):
    _, _, url = card()
    client.post(f"{url}0/", totals(1, 2))
    client.post(f"{url}0/", {"act": "send"})
    page = client.post(f"{url}0/answer/", {"result": Result.objects.get().pk, "answer": "yes"})
    assert page.status_code == 422
    assert Answer.objects.count() == 0


def test_who_is_signed_in_and_plays_acts_for_no_other_side(card, user_of):
    _, (entry, _), url = card()
    browser = Client()
    browser.force_login(user_of(entry))
    page = text(browser.get(url))
    assert "You play here" in page
    assert browser.get(f"{url}0/").status_code == 200
    assert browser.get(f"{url}1/").status_code == 403
    assert browser.post(f"{url}1/", totals(1, 2)).status_code == 403
    browser.post(f"{url}0/", totals(1, 2))
    browser.post(f"{url}0/", {"act": "send"})
    assert Result.objects.get().by == user_of(entry)


def test_partners_of_one_match_have_one_score_in_its_sentences(new_event, client):
    event = new_event("rotating_partners", 4, started=True, kind="person", setting="face", rules_json=ONE_DEAL)
    pairing = matches(event)[0]
    client.post(
        f"/events/card/{pairing.token}/0/", {"act": "send", "by": "final", "s0-final": "1250", "s1-final": "980"}
    )
    sides = [[str(place.entry) for place in pairing.places.filter(side=side)] for side in (0, 1)]
    names = " – ".join(map(" / ".join, sides))
    sentence = Act.objects.filter(tournament=event).latest("pk").sentence
    assert sentence == f"{sides[0][0]} entered a result for round 1, table 1 ({names}): 1,250 to 980."
    page = text(client.get(pairing.get_absolute_url()))
    assert f"{names} · " in page
    assert "1,250 – 980 waiting" in page


def test_a_card_asks_partners_of_one_match_who_they_are(new_event, client):
    event = new_event("rotating_partners", 4, started=True, kind="person", setting="face", rules_json=ONE_DEAL)
    page = text(client.get(f"/events/card/{matches(event)[0].token}/"))
    assert "Who are you?" in page
    assert "Which side are you?" not in page


def test_a_card_opens_its_own_match_only(card, client):
    pairing, _, url = card()
    other = matches(pairing.round.stage.tournament)[1]
    client.post(f"{url}0/", totals(1, 2))
    other.refresh_from_db()
    assert other.begun_at is None
    client.post(f"/events/card/{other.token}/0/", totals(1, 2))
    client.post(f"/events/card/{other.token}/0/", {"act": "send"})
    stolen = client.post(f"{url}1/answer/", {"result": Result.objects.get().pk, "answer": "yes"})
    assert stolen.status_code == 422
    assert client.get(f"{url}7/").status_code == 404
    assert client.get(other.get_absolute_url() + "score/").status_code == 302


def test_a_card_is_of_no_use_once_the_result_counts(card, client, olga):
    from tournaments.services.matches import results
    from tournaments.services.stages import progress

    pairing, (first, second), url = card()
    results.decide(pairing.pk, [{"entry": first.pk, "score": 2}, {"entry": second.pk, "score": 1}], by=olga)
    progress.advance(pairing.tournament_id)
    for path in (url, f"{url}0/", f"{url}0/answer/"):
        page = client.get(path)
        assert page.status_code == 410
        assert "confirmed result" in text(page)
        assert str(first) not in text(page)
    assert client.post(f"{url}0/", totals(9, 9)).status_code == 410
    assert Pairing.objects.get(pk=pairing.pk).result.lines[0]["score"] == 2


def test_a_closed_card_of_a_club_event_leads_nowhere(card, client, olga):
    from tournaments.services.matches import results
    from tournaments.services.stages import progress

    pairing, (first, second), url = card(visibility="circle", circle="club:1")
    assert client.get(url).status_code == 200
    results.decide(pairing.pk, [{"entry": first.pk, "score": 2}, {"entry": second.pk, "score": 1}], by=olga)
    progress.advance(pairing.tournament_id)
    assert "See the match" not in text(client.get(url))


def test_unknown_cards_are_not_found_and_few_can_be_tried(card, client, limited):
    limited(GUESSES, address=3)
    _, _, url = card()
    answers = [client.get(f"/events/card/nothing-{number}/").status_code for number in range(4)]
    assert answers == [404, 404, 404, 429]
    assert client.get(url).status_code == 429
    assert client.get(url, REMOTE_ADDR="203.0.113.9").status_code == 200


def test_the_card_of_a_match_online_is_refused(card, client):
    pairing, _, url = card(setting="online")
    assert pairing.table_id is not None
    assert client.get(url).status_code == 410
    assert client.post(f"{url}0/", totals(1, 2)).status_code == 410


def test_forms_of_a_card_carry_a_token_of_their_own(card):
    _, _, url = card()
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(f"{url}0/", totals(1, 2)).status_code == 403
    match = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get(f"{url}0/").content.decode())[1]
    assert browser.post(f"{url}0/", totals(1, 2, csrfmiddlewaretoken=match)).status_code == 302


def test_a_card_takes_no_other_methods(card, client):
    _, _, url = card()
    assert client.put(f"{url}0/").status_code == 405
    assert client.delete(url).status_code == 405
    assert client.post(url).status_code == 405
