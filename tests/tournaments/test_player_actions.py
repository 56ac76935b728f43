"""Actions of players at a match: its score sheet, the other side’s answer, arenas and ladders."""

import re

import pytest
from django.core.cache import cache

from tests.pages import squeezed
from tests.tournaments.reading import ONE_DEAL, TWO_DEALS
from tests.tournaments.scoring import LOST, LOST_POINTS, WON, WON_POINTS, entries_of, form, matches, totals
from tournaments.models import Act, Answer, Pairing, Result, Stage, StageEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_(client, user_of):
    """A browser of a person, or of the first member of an entry."""
    from django.test import Client

    def open_for(user):
        browser = Client()
        browser.force_login(user_of(user) if hasattr(user, "members") else user)
        return browser

    return open_for


@pytest.fixture
def played(new_event):
    """A match of two pairs at a real table, with its entries and its address."""

    def make(rules=TWO_DEALS, format="swiss", entries=4, **choices):
        choices = {"kind": "partnership", "setting": "face"} | choices
        cup = new_event(format, entries, started=True, rules_json=rules, **choices)
        pairing = matches(cup)[0]
        return pairing, pairing.get_absolute_url(), entries_of(pairing)

    return make


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# The sheet


def test_a_sheet_is_filled_in_deal_by_deal_and_sent(played, as_):
    _, url, (first, _) = played()
    ann = as_(first)
    page = ann.get(f"{url}score/")
    assert page.status_code == 200
    assert "deal 1 of 2" in text(page)
    assert ann.post(f"{url}score/", form(WON, LOST)).status_code == 302
    page = text(ann.get(f"{url}score/"))
    assert "deal 2 of 2" in page
    assert "4,715" in page
    assert "1,355" in page
    assert ann.post(f"{url}score/", totals(100, 200, deal=2)).status_code == 302
    assert "all deals" in text(ann.get(f"{url}score/"))
    assert ann.post(f"{url}score/", {"act": "send", "key": "once"})["Location"] == url
    result = Result.objects.get()
    assert [line["score"] for line in result.lines] == [WON_POINTS + 100, LOST_POINTS + 200]
    assert result.by_entry == first
    # Sent twice is sent once.
    ann.post(f"{url}score/", {"act": "send", "key": "once"})
    assert Result.objects.count() == 1


def test_counting_stores_nothing_and_shows_what_it_comes_to(played, as_):
    pairing, url, (first, _) = played()
    page = as_(first).post(f"{url}score/", form(WON, LOST, act="count"))
    assert page.status_code == 200
    assert "+4,715" in text(page)
    assert Pairing.objects.get(pk=pairing.pk).begun_at is None


def test_plus_and_minus_work_without_a_script_and_minus_stops_at_nothing(played, as_):
    _, url, (first, _) = played()
    ann = as_(first)
    more = ann.post(f"{url}score/", form(WON, LOST, act="", step="s0-clean:1")).content.decode()
    assert 'name="s0-clean" value="3"' in more
    least = ann.post(f"{url}score/", form({}, {}, act="", step="s0-wild:-1")).content.decode()
    assert 'name="s0-wild" value="0"' in least or 'name="s0-wild" value=""' not in least
    assert 'value="s0-wild:-1" aria-label="one fewer" disabled' in squeezed(least)


def test_what_cannot_be_comes_back_with_a_sentence_and_all_that_was_typed(played, as_):
    _, url, (first, _) = played()
    page = as_(first).post(f"{url}score/", form({**WON, "melded": 12}, {**LOST, "penalties": "abc"}))
    assert page.status_code == 422
    markup = page.content.decode()
    assert "“abc” is not a whole number." in markup
    assert 'value="12"' in markup
    assert 'value="abc"' in markup
    page = as_(first).post(f"{url}score/", form({**WON, "melded": 100}, LOST))
    assert page.status_code == 422
    assert "cards melded: its books alone are worth" in text(page)
    assert 'id="s0-melded" name="s0-melded" value="100"' in page.content.decode()


def test_going_out_without_the_books_is_said_but_not_blocked(played, as_):
    _, url, (first, _) = played()
    ann = as_(first)
    lacking = {"clean": 1, "melded": 300, "out": 1}
    assert "Your entry is still counted" in text(ann.post(f"{url}score/", form(lacking, {}, act="count")))
    assert ann.post(f"{url}score/", form(lacking, {})).status_code == 302


def test_a_partner_keeps_the_same_sheet_and_is_not_overwritten_unseen(played, as_, user_of):
    _, url, (first, _) = played()
    partner = first.members.order_by("position")[1].user
    as_(first).post(f"{url}score/", totals(100, 200, seen=""))
    page = as_(partner).post(f"{url}score/", form(WON, LOST, seen=""))
    assert page.status_code == 409
    assert "has just been saved" in text(page)
    version = re.search(r'name="seen" value="(\w+)"', page.content.decode())[1]
    assert as_(partner).post(f"{url}score/", form(WON, LOST, seen=version)).status_code == 302


def test_a_match_that_stopped_early_is_sent_once_that_is_said(played, as_):
    _, url, (first, _) = played()
    ann = as_(first)
    ann.post(f"{url}score/", form(WON, LOST))
    page = ann.post(f"{url}score/", {"act": "send", "deal": "2", "by": "books"})
    assert page.status_code == 422
    assert "1 of 2 deals" in text(page)
    assert ann.post(f"{url}score/", {"act": "stop"}).status_code == 302
    markup = ann.get(f"{url}score/").content.decode()
    assert "Keep playing" in markup
    assert re.search(r'id="send">', markup)
    ann.post(f"{url}score/", {"act": "go_on"})
    assert ann.post(f"{url}score/", {"act": "send"}).status_code == 422
    ann.post(f"{url}score/", {"act": "stop"})
    assert ann.post(f"{url}score/", {"act": "send"}).status_code == 302
    assert Result.objects.count() == 1


def test_only_the_final_score_can_be_sent(played, as_):
    _, url, (first, _) = played()
    data = {"by": "final", "act": "send", "s0-final": "5,980", "s1-final": "−120"}
    assert as_(first).post(f"{url}score/", data).status_code == 302
    assert [line["score"] for line in Result.objects.get().lines] == [5980, -120]


def test_bigger_tables_have_a_column_for_each(played, as_):
    _, url, (first, *_) = played(ONE_DEAL, "swiss_pods", 4, kind="person")
    ann = as_(first)
    page = ann.get(f"{url}score/").content.decode()
    for way in ("books", "deals", "final"):
        assert len(re.findall(r'class="of-side', page.split(f'data-form="{way}"')[1].split("data-form")[0])) == 4
    assert ann.post(f"{url}score/", totals(4, 3, 2, 1)).status_code == 302
    ann.post(f"{url}score/", {"act": "send"})
    assert [line["score"] for line in Result.objects.get().lines] == [4, 3, 2, 1]


def test_the_number_of_queries_does_not_depend_on_deals(played, as_, django_assert_max_num_queries):
    _, url, (entry, _) = played(TWO_DEALS)
    ann = as_(entry)
    ann.get(f"{url}score/")
    with django_assert_max_num_queries(30) as first:
        ann.get(f"{url}score/")
    ann.post(f"{url}score/", form(WON, LOST))
    ann.get(f"{url}score/")
    with django_assert_max_num_queries(30) as second:
        ann.get(f"{url}score/")
    assert len(first) == len(second)


# Who may


def test_strangers_and_other_pairs_are_refused(played, as_, person, client):
    pairing, url, (first, second) = played()
    third = first.tournament.entries.exclude(pk__in=[first.pk, second.pk]).first()
    for user in (person("Eve"), third):
        for part in ("score", "answer"):
            assert as_(user).get(f"{url}{part}/").status_code == 403
            assert as_(user).post(f"{url}{part}/", form(WON, LOST)).status_code == 403
    for part in ("score", "answer"):
        assert "/accounts/login/" in client.get(f"{url}{part}/")["Location"]
        assert "/accounts/login/" in client.post(f"{url}{part}/")["Location"]
        assert as_(first).put(f"{url}{part}/").status_code == 405
    pairing.refresh_from_db()
    assert pairing.begun_at is None


def test_a_match_that_is_decided_sends_its_players_to_its_page(played, as_, olga):
    from tournaments.services.matches import results

    pairing, url, (first, second) = played()
    results.decide(pairing.pk, [{"entry": first.pk, "score": 2}, {"entry": second.pk, "score": 1}], by=olga)
    assert as_(first).get(f"{url}score/")["Location"] == url
    assert as_(first).post(f"{url}score/", form(WON, LOST)).status_code == 422


def test_forms_without_a_token_are_refused(played, user_of):
    from django.test import Client

    _, url, (first, _) = played()
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user_of(first))
    assert browser.post(f"{url}score/", form(WON, LOST)).status_code == 403


def test_names_are_shown_as_text(played, as_):
    _, url, (first, second) = played()
    second.name = "<b onclick=x>Bobby</b>"
    second.save()
    markup = as_(first).get(f"{url}score/").content.decode()
    assert "<b onclick" not in markup
    assert "&lt;b onclick=x&gt;Bobby" in markup


# The answer


@pytest.fixture
def reported(played, as_):
    """A match of which one side has sent a result."""
    pairing, url, (first, second) = played(ONE_DEAL)
    ann = as_(first)
    ann.post(f"{url}score/", form(WON, LOST))
    ann.post(f"{url}score/", {"act": "send", "key": "a"})
    return pairing, url, first, second


def test_the_other_side_confirms_from_the_page_of_the_match(reported, as_):
    pairing, url, first, second = reported
    page = text(as_(second).get(url))
    assert "Confirm" in page
    assert "has not answered" in page
    result = Result.objects.get()
    own_page = text(as_(first).get(url))
    assert "You entered" in own_page
    assert "If nobody objects" in own_page
    assert as_(second).post(f"{url}answer/", {"result": result.pk, "answer": "yes"}).status_code == 302
    pairing.refresh_from_db()
    assert pairing.result_id == result.pk
    # And once more, as a form that was sent twice.
    repeated = as_(second).post(f"{url}answer/", {"result": result.pk, "answer": "yes"})
    assert repeated.status_code == 302
    assert Answer.objects.count() == 1


def test_a_dispute_needs_words_and_shows_both_sheets(reported, as_):
    _, url, first, second = reported
    ben, result = as_(second), Result.objects.get()
    page = ben.post(f"{url}answer/", {"result": result.pk, "answer": "no", "words": " "})
    assert page.status_code == 422
    assert "Describe the problem in a few words." in text(page)
    ben.post(f"{url}answer/", {"result": result.pk, "answer": "no", "words": "We had <b>two</b> clean piles."})
    assert Result.objects.get().status == "disputed"
    markup = as_(first).get(url).content.decode()
    assert "We had &lt;b&gt;two&lt;/b&gt; clean piles." in markup
    ben.post(f"{url}score/", form(WON, {**LOST, "clean": 2, "melded": 640}))
    ben.post(f"{url}score/", {"act": "send", "key": "b"})
    markup = text(as_(first).get(url))
    assert "Deal 1" in markup
    assert "Clean books" in markup
    assert as_(first).get(url).content.decode().count('num diff"') == 8


def test_the_same_result_from_both_sides_counts(reported, as_):
    pairing, url, _, other = reported
    ben = as_(other)
    ben.post(f"{url}score/", totals(WON_POINTS, LOST_POINTS))
    ben.post(f"{url}score/", {"act": "send", "key": "b"})
    pairing.refresh_from_db()
    assert pairing.result == Result.objects.get()


def test_nobody_answers_their_own_result_or_one_that_was_replaced(reported, as_):
    _, url, first, second = reported
    result = Result.objects.get()
    page = as_(first).post(f"{url}answer/", {"result": result.pk, "answer": "yes"})
    assert page.status_code == 422
    assert "other side must answer" in text(page)
    as_(first).post(f"{url}score/", totals(1, 2, by="deals"))
    as_(first).post(f"{url}score/", {"act": "send", "key": "c"})
    page = as_(second).post(f"{url}answer/", {"result": result.pk, "answer": "yes"})
    assert page.status_code == 422
    assert "has just been replaced" in text(page)


def test_the_page_of_a_match_offers_nothing_to_others(reported, person, as_, client):
    _, url, first, second = reported
    third = first.tournament.entries.exclude(pk__in=[first.pk, second.pk]).first()
    for page in (client.get(url), as_(person("Eve")).get(url), as_(third).get(url)):
        assert "You play this match" not in page.content.decode()


# Online


def test_a_match_online_leads_to_its_table(new_event, as_):
    cup = new_event("swiss", 2, kind="partnership", setting="online", started=True, rules_json=ONE_DEAL)
    pairing = Pairing.objects.select_related("table", "round__stage__tournament").get()
    table = pairing.table
    assert table is not None
    for number, seat in enumerate(table.seats.order_by("number")):
        page = text(as_(seat.user).get(pairing.get_absolute_url()))
        assert ("It is your turn." in page) == (table.seat_to_act == number)
        assert "Enter the score" not in page
        assert "You can replay its deals" not in page
    Pairing.objects.update(status="done")
    page = as_(table.seats.first().user).get(pairing.get_absolute_url())
    assert "You can replay its deals" in text(page)
    assert f'href="{table.get_absolute_url()}"' in page.content.decode()
    assert cup.status == "running"


# Arenas and ladders


def test_in_an_arena_one_comes_free_and_takes_a_break(new_event, as_, entry, person, client):
    cup = new_event("arena", 4, setting="face", started=True)
    ann, url = as_(entry(cup, 1)), f"{cup.get_absolute_url()}1/free/"
    assert "I’m free" in text(ann.get(cup.get_absolute_url()))
    assert ann.post(url, {"free": "yes"}).status_code == 302
    assert StageEntry.objects.get(entry=entry(cup, 1)).waits_since is not None
    assert "Take a break" in text(ann.get(cup.get_absolute_url()))
    ann.post(url, {"free": "no"})
    assert StageEntry.objects.get(entry=entry(cup, 1)).waits_since is None
    assert as_(person("Eve")).post(url, {"free": "yes"}).status_code == 403
    assert client.post(url).status_code == 403
    assert ann.get(url).status_code == 405
    ann.post(url, {"free": "yes"})
    as_(entry(cup, 2)).post(url, {"free": "yes"})
    from tournaments.services.stages import progress

    progress.advance(cup.pk)
    assert "You have been called to a table" in text(ann.get(cup.get_absolute_url()))


def test_a_ladder_lists_whom_one_may_challenge_and_why_not_the_others(new_event, as_, entry, person, client):
    cup = new_event("ladder", 6, setting="face", started=True, reach=2)
    url = f"{cup.get_absolute_url()}1/challenge/"
    assert "Challenge someone" in text(as_(entry(cup, 5)).get(cup.get_absolute_url()))
    page = as_(entry(cup, 5)).get(url)
    assert page.content.decode().count('name="entry"') == 2
    assert "They are 4 places above you" in text(page)
    refused = as_(entry(cup, 5)).post(url, {"entry": "1", "key": "k"})
    assert refused.status_code == 422
    assert "4 places above" in text(refused)
    for _ in range(2):
        answer = as_(entry(cup, 5)).post(url, {"entry": "3", "key": "k-3"})
        assert answer["Location"] == f"{cup.get_absolute_url()}1/C1/"
    assert Act.objects.filter(kind="challenge").count() == 1
    assert "still open" in text(as_(entry(cup, 5)).get(url))
    assert as_(person("Eve")).get(url).status_code == 403
    assert "/accounts/login/" in client.get(url)["Location"]
    assert as_(entry(cup, 5)).post(url, {"entry": "99"}).status_code == 422


def test_there_is_nobody_to_challenge_where_there_is_no_ladder(new_event, as_, entry):
    cup = new_event("swiss", 4, setting="face", started=True)
    assert as_(entry(cup, 1)).get(f"{cup.get_absolute_url()}1/challenge/").status_code == 404
    assert as_(entry(cup, 1)).get(f"{cup.get_absolute_url()}9/challenge/").status_code == 404
    assert Stage.objects.count() == 1
    cache.clear()
