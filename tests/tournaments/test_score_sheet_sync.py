"""Sync of a match from a phone: all deals at once, in order, once, never over another phone’s."""

import json
import re

import pytest
from django.core.cache import cache
from django.test import Client

from tests.tournaments.reading import ONE_DEAL, TWO_DEALS
from tests.tournaments.scoring import LOST, WON, entries_of, form, matches
from tournaments.models import Act, Pairing, Place, Result
from tournaments.score_sheets import services as score_sheets
from tournaments.services.matches import results
from tournaments.services.stages import progress

pytestmark = pytest.mark.django_db
BOTH = {
    "teams": [
        {"books": {"clean": 2, "dirty": 2, "wild": 1}, "red_threes_laid": 4, "melded": 1115, "out": True},
        {"books": {"clean": 1, "dirty": 1}, "red_threes_laid": 2, "melded": 540, "left": 185},
    ]
}
TOTALS = {"points": [100, 250]}


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


@pytest.fixture(params=["match", "card"])
def phone(request, new_event, user_of):
    """A phone at a match, opened from its page or by its card: the match, its entries, and the phone."""

    def make(rules=TWO_DEALS):
        cup = new_event("swiss", 4, kind="partnership", setting="face", rules_json=rules, started=True)
        pairing = matches(cup)[0]
        first, second = entries_of(pairing)
        browser = Client()
        if request.param == "match":
            browser.force_login(user_of(first))
            path = f"{pairing.get_absolute_url()}score/"
        else:
            path = f"/events/card/{pairing.token}/0/"
        return Phone(browser, path), pairing, first, second

    return make


class Phone:
    """A browser with a sheet open, which sends what its script would."""

    def __init__(self, browser, path):
        self.browser, self.path = browser, path
        match = re.search(r'<script id="sheet-data"[^>]*>(.*?)</script>', browser.get(path).content.decode())
        self.page = json.loads(match[1])

    def post(self, expected=200, **sent):
        about = {"drawn": self.page["drawn"], **sent}
        answer = self.browser.post(self.page["sync"], json.dumps(about), content_type="application/json")
        assert answer.status_code == expected, answer.content[:300]
        return answer.json()

    def sync(self, deals, version, key="k", expected=200, **more):
        about = {"deals": deals, "isStopped": False, "seen": version, "key": key, "earlier": []}
        return self.post(expected, **{**about, **more})

    def send(self, version, key="s", expected=200, **more):
        return self.post(expected, act="send", seen=version, key=key, **more)

    def read(self, expected=200):
        answer = self.browser.get(self.page["sync"])
        assert answer.status_code == expected
        return answer.json()


def kept_sheet(pairing, entry):
    fresh = Pairing.objects.select_related("round__stage__tournament").get(pk=pairing.pk)
    return score_sheets.saved_sheet(score_sheets.read(fresh), entry.pk)


def test_the_page_carries_what_the_script_begins_with(phone):
    at, _, first, second = phone()
    assert at.page["state"] == {"version": 0, "deals": [], "isStopped": False, "names": [str(first), str(second)]}
    assert at.page["numbers"]["ways"] == ["books", "deals", "final"]
    assert at.page["slug"] == f"match-{at.page['drawn']}"
    assert at.read()["state"] == at.page["state"]


def test_deals_of_a_phone_are_kept_once(phone):
    at, pairing, first, _ = phone()
    for _ in range(2):
        answer = at.sync([BOTH, TOTALS], 0)
        assert (answer["state"]["version"], len(answer["state"]["deals"])) == (1, 2)
    assert kept_sheet(pairing, first).deals[1] == TOTALS
    assert Pairing.objects.get(pk=pairing.pk).status == "playing"


def test_a_phone_that_had_no_answer_goes_on_from_what_it_sent(phone):
    at, pairing, first, _ = phone()
    at.sync([BOTH], 0, "a")
    # The answer was lost: to the phone the sheet is still empty, but it names what it sent.
    assert at.post(deals=[BOTH, TOTALS], isStopped=False, seen=0, key="b", earlier=["a"])["state"]["version"] == 2
    assert len(kept_sheet(pairing, first).deals) == 2


def test_another_phone_is_not_overwritten(phone):
    at, pairing, first, _ = phone()
    score_sheets.save(pairing.pk, first.pk, 1, TOTALS)
    answer = at.sync([BOTH], 0, expected=409)
    assert (answer["code"], answer["state"]["deals"]) == ("stale", [TOTALS])
    assert at.send(0, expected=409)["state"]["version"] == 1
    assert kept_sheet(pairing, first).deals == [TOTALS]
    assert Result.objects.count() == 0
    assert at.sync([BOTH], 1)["state"]["version"] == 2


def test_what_cannot_be_is_refused_with_the_deal_that_is_to_blame(phone):
    at, pairing, first, _ = phone()
    answer = at.sync([TOTALS, {"teams": [{"out": True}, {"out": True}]}], 0, expected=422)
    assert (answer["code"], answer["deal"], answer["side"], answer["row"]) == ("two_out", 2, 1, "out")
    for nonsense in (
        {"deals": "x", "seen": 0, "key": "k"},
        {"deals": [], "seen": "0", "key": "k"},
        {"deals": [], "seen": 0, "key": "k k"},
        {"deals": [], "seen": 0, "key": "k", "earlier": 5},
        {"deals": [{"points": [1]}], "seen": 0, "key": "k"},
        {"deals": [TOTALS] * 41, "seen": 0, "key": "k"},
        {"act": "send", "seen": None, "key": "k"},
        {"act": "send", "seen": 0, "key": "k", "final": ["a", 1]},
        {"act": "send", "seen": 0, "key": "k", "final": [1]},
        {},
    ):
        assert at.post(422, **nonsense)["sentence"].endswith(".")
    for raw in (b"", b"[]", b"{", b"[" * 100_000, b"\xff"):
        assert at.browser.post(at.page["sync"], raw, content_type="application/json").status_code == 422
    assert kept_sheet(pairing, first).version == 0


def test_the_result_goes_after_the_deals_once(phone):
    at, *_ = phone()
    assert at.send(0, expected=422)["code"] == "nothing"
    at.sync([BOTH, TOTALS], 0)
    first = at.send(1)
    assert at.send(1) == first
    assert at.browser.get(first["url"]).status_code == 200
    result = Result.objects.get()
    assert [line["score"] for line in result.lines] == [4815, 1605]
    assert Act.objects.filter(kind="report").count() == 1


def test_a_match_that_stopped_early_and_one_of_which_only_the_end_is_known(phone):
    at, *_ = phone()
    at.sync([BOTH], 0)
    assert at.send(1, expected=422)["code"] == "not_over"
    assert at.sync([BOTH], 1, "l", isStopped=True)["state"]["isStopped"] is True
    at.send(2, "t")
    assert [line["score"] for line in Result.objects.get().lines] == [4715, 1355]
    at.send(2, "u", final=[5980, -120])
    assert [line["score"] for line in Result.objects.latest("pk").lines] == [5980, -120]


def test_a_decided_match_says_so_and_tells_nothing_more(phone, olga):
    at, pairing, first, second = phone()
    at.sync([BOTH], 0)
    results.decide(pairing.pk, [{"entry": first.pk, "score": 2}, {"entry": second.pk, "score": 1}], by=olga)
    progress.advance(pairing.tournament_id)
    for answer in (
        at.read(410),
        at.sync([BOTH, TOTALS], 1, "l", 410),
        at.sync([TOTALS], 0, "m", 410),
        at.send(0, "s", 410),
    ):
        assert set(answer) == {"code", "sentence"}
        assert "confirmed result" in answer["sentence"]
    assert (len(kept_sheet(pairing, first).deals), kept_sheet(pairing, first).version) == (1, 1)
    assert Result.objects.get().lines[0]["score"] == 2


def test_a_result_that_was_sent_is_sent_though_the_answer_was_lost_and_the_match_decided(phone, user_of):
    at, pairing, _, other = phone(ONE_DEAL)
    at.sync([BOTH], 0)
    at.send(1)
    results.answer(Result.objects.get().pk, by=user_of(other), agrees=True)
    progress.advance(pairing.tournament_id)
    assert "url" in at.send(1)
    assert Result.objects.count() == 1


def test_deals_of_an_older_draw_are_not_taken(phone):
    at, pairing, first, second = phone()
    at.sync([BOTH], 0)
    third = first.tournament.entries.exclude(pk__in=[first.pk, second.pk]).first()
    Place.objects.filter(pairing=pairing, entry=second).update(entry=third)
    for answer in (at.sync([BOTH, TOTALS], 1, "l", 410), at.send(1, "s", 410)):
        assert answer["code"] == "redrawn"
        assert answer["sentence"].startswith("This match was redrawn")
    anew = Phone(at.browser, at.path)
    # The sheet begins again, but not its versions: what was kept of the older draw is never taken for newer.
    assert anew.page["drawn"] != at.page["drawn"]
    assert (anew.page["state"]["deals"], anew.page["state"]["version"]) == ([], 1)
    assert anew.sync([TOTALS], 1)["state"]["version"] == 2


def test_saving_without_a_script_and_from_a_phone_are_one_sheet(phone):
    at, *_ = phone()
    assert at.browser.post(at.path, form(WON, LOST)).status_code == 302
    assert at.read()["state"]["version"] == 1
    assert at.read()["state"]["deals"][0]["teams"][0]["melded"] == 1115
    at.sync([*at.read()["state"]["deals"], TOTALS], 1)
    assert "4,815" in at.browser.get(at.path).content.decode()


def test_strangers_and_who_is_signed_out_are_told_so(phone, person):
    _, pairing, first, _ = phone()
    path = f"{pairing.get_absolute_url()}score/sync/"
    signed_out = Client().post(path, "{}", content_type="application/json")
    assert signed_out.status_code == 401
    assert signed_out.json()["url"].startswith("/accounts/login/?next=")
    eve = Client()
    eve.force_login(person("Eve"))
    for answer in (eve.get(path), eve.post(path, "{}", content_type="application/json")):
        assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
    assert Client().get("/events/card/nothing/0/sync/").status_code == 404
    assert Client().get(f"/events/card/{pairing.token}/9/sync/").status_code == 404
    assert kept_sheet(pairing, first).version == 0


def test_a_phone_needs_the_token_of_its_page_and_hears_the_new_one(phone, user_of):
    at, _, first, _ = phone()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user_of(first))
    answer = strict.get(at.page["sync"]).json()
    sent = json.dumps({"deals": [BOTH], "seen": 0, "key": "k", "drawn": at.page["drawn"]})
    assert strict.post(at.page["sync"], sent, content_type="application/json").status_code == 403
    headers = {"X-CSRFToken": answer["token"]}
    assert strict.post(at.page["sync"], sent, content_type="application/json", headers=headers).status_code == 200
