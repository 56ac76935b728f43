"""Score sheets of matches by program: for their players, and for anyone with the table card."""

import io

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from accounts.budgets import GUESSES
from tests.tournaments.programs import BASE
from tests.tournaments.reading import ONE_DEAL, TWO_DEALS
from tests.tournaments.scoring import entries_of, matches
from tournaments.models import Act, Answer, Pairing, Place, Result
from tournaments.services.matches import results
from tournaments.services.stages import progress

pytestmark = pytest.mark.django_db


BOTH = {
    "teams": [
        {"books": {"clean": 2, "dirty": 2, "wild": 1}, "red_threes_laid": 4, "melded": 1115, "out": True},
        {"books": {"clean": 1, "dirty": 1}, "red_threes_laid": 2, "melded": 540, "left": 185},
    ]
}
"""By the standard rules 4,715 and 1,355."""
TOTALS = {"points": [100, 250]}
ACTS = {
    "deal": {"deal": TOTALS, "seen": 0},
    "replace": {"deals": [TOTALS], "seen": 0},
    "take-away": {"number": 1, "seen": 0},
    "stop": {"is_stopped": True, "seen": 0},
    "send": {"final": [1, 2], "seen": 0},
    "answer": {"result": 1, "agrees": True},
}


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


@pytest.fixture
def played(new_event):
    """A match of two pairs at a real table, and its two entries."""

    def make(rules=TWO_DEALS, **choices):
        chosen = {"kind": "partnership", "setting": "face", "rules_json": rules} | choices
        pairing = matches(new_event("swiss", 4, started=True, **chosen))[0]
        return pairing, *entries_of(pairing)

    return make


def match_path(pairing, part="sheet/"):
    stage = pairing.round.stage
    return f"events/{stage.tournament.slug}/stages/{stage.number}/matches/{pairing.name}/{part}"


def card(pairing, part=""):
    return f"table-cards/{pairing.token}/{part}"


def photo():
    buffer = io.BytesIO()
    Image.effect_noise((90, 60), 90).convert("RGB").save(buffer, "JPEG")
    return SimpleUploadedFile("sheet.jpg", buffer.getvalue())


def decide(pairing, first, second, olga):
    results.decide(pairing.pk, [{"entry": first.pk, "score": 2}, {"entry": second.pk, "score": 1}], by=olga)
    progress.advance(pairing.tournament_id)


def test_who_plays_writes_the_sheet_and_sends_it(program, played, user_of):
    pairing, first, second = played()
    ann, ben = program(user_of(first)), program(user_of(second))
    empty = ann.get(match_path(pairing))
    assert (empty["version"], empty["entry"], empty["side"], empty["sides"]) == (
        0,
        first.number,
        0,
        [str(first), str(second)],
    )
    assert empty["coming"]["openings"] == [50, 50]
    sheet = ann.post(match_path(pairing, "sheet/deal/"), deal=BOTH, seen=0)
    assert (sheet["totals"], sheet["version"]) == ([4715, 1355], 1)
    assert Pairing.objects.get(pk=pairing.pk).begun_at is not None
    assert ben.get(match_path(pairing))["deals"] == []
    assert ann.post(match_path(pairing, "sheet/send/"), 422, seen=1)["code"] == "not_over"
    sheet = ann.post(match_path(pairing, "sheet/deal/"), deal=TOTALS, seen=1)
    assert sheet["is_over"]
    sheet = ann.post(match_path(pairing, "sheet/deal/"), deal={"points": [0, 0]}, number=2, seen=2)
    assert sheet["totals"] == [4715, 1355]
    for _ in range(2):
        sent = ann.post(match_path(pairing, "sheet/send/"), seen=3, key="k")
    (report,) = sent["reports"]
    assert (report["scores"], report["may_answer"]) == (["4,715", "1,355"], False)
    assert ann.post(match_path(pairing, "sheet/send/"), 422, seen=3, key="k", final=[1, 2])["code"] == "key_used"
    assert Act.objects.filter(kind="report").count() == 1
    (received,) = ben.get(match_path(pairing))["reports"]
    assert received["may_answer"]
    ben.post(match_path(pairing, "answer/"), result=received["id"], agrees=True)
    assert Pairing.objects.get(pk=pairing.pk).result_id == received["id"]
    assert len(Result.objects.get().sheet["deals"]) == 2


def test_stopping_taking_away_and_replacing(program, played, user_of):
    pairing, first, _ = played()
    ann = program(user_of(first))
    assert ann.post(match_path(pairing, "sheet/stop/"), 422, is_stopped=True, seen=0)["code"] == "nothing"
    ann.post(match_path(pairing, "sheet/deal/"), deal=BOTH, seen=0)
    sheet = ann.post(match_path(pairing, "sheet/stop/"), is_stopped=True, seen=1)
    assert (sheet["is_over"], sheet["is_stopped"]) == (True, True)
    sheet = ann.post(match_path(pairing, "sheet/stop/"), is_stopped=False, seen=2)
    assert not sheet["is_over"]
    sheet = ann.post(match_path(pairing, "sheet/take-away/"), number=1, seen=3)
    assert sheet["deals"] == []
    sheet = ann.post(match_path(pairing, "sheet/replace/"), deals=[TOTALS], is_stopped=True, seen=4)
    assert sheet["totals"] == [100, 250]
    ann.post(match_path(pairing, "sheet/send/"), seen=5)
    assert [line["score"] for line in Result.objects.get().lines] == [100, 250]


def test_only_the_final_score(program, played, user_of):
    pairing, first, _ = played()
    ann = program(user_of(first))
    assert ann.post(match_path(pairing, "sheet/send/"), 422, seen=0, final=[1])["code"] == "bad_sides"
    ann.post(match_path(pairing, "sheet/send/"), seen=0, final=[5980, -120])
    assert [line["score"] for line in Result.objects.get().lines] == [5980, -120]


@pytest.mark.parametrize("by_card", [False, True], ids=["own", "card"])
def test_what_is_sent_again_is_not_done_again(program, played, user_of, by_card):
    pairing, first, _ = played()
    bot = program() if by_card else program(user_of(first))
    path = card(pairing, "0/") if by_card else match_path(pairing)
    for _ in range(2):
        assert bot.post(f"{path}deal/", deal=TOTALS, seen=0, key="a")["version"] == 1
    assert len(bot.post(f"{path}deal/", deal=TOTALS, seen=1, key="b")["deals"]) == 2
    assert bot.post(f"{path}deal/", 422, deal=BOTH, seen=1, key="b")["code"] == "key_used"
    for _ in range(2):
        assert bot.post(f"{path}take-away/", number=2, seen=2, key="c")["version"] == 3
    for _ in range(2):
        assert bot.post(f"{path}replace/", deals=[BOTH], seen=3, key="d")["version"] == 4
    for name, data in ACTS.items():
        if name != "answer":
            refused = bot.post(f"{path}{name}/", 409, **{**data, "seen": 2})
            assert (refused["code"], refused["version"]) == ("stale", 4), name
    assert Place.objects.get(pairing=pairing, entry=first).sheet["version"] == 4
    assert Result.objects.count() == 0


def test_a_deal_that_cannot_be_is_refused_with_who_is_to_blame(program, played, user_of):
    pairing, first, _ = played()
    ann = program(user_of(first))
    two_out = {"teams": [{"out": True}, {"out": True}]}
    refused = ann.post(match_path(pairing, "sheet/deal/"), 422, deal=two_out, seen=0)
    assert (refused["code"], refused["side"], refused["row"]) == ("two_out", 1, "out")
    refused = ann.post(match_path(pairing, "sheet/replace/"), 422, deals=[TOTALS, two_out], seen=0)
    assert (refused["deal"], refused["side"]) == (2, 1)
    assert ann.post(match_path(pairing, "sheet/deal/"), 422, deal=TOTALS, number=2, seen=0)["code"] == "no_such_deal"
    assert ann.get(match_path(pairing))["version"] == 0


def test_a_decided_match_takes_nothing(program, played, user_of, olga):
    pairing, first, second = played()
    decide(pairing, first, second, olga)
    ann = program(user_of(first))
    for name, data in ACTS.items():
        if name != "answer":
            refused = ann.post(match_path(pairing, f"sheet/{name}/"), 422, **data)
            assert refused["code"] in ("closed", "done")
            assert "confirmed result" in refused["sentence"]


def test_strangers_and_other_pairs_neither_see_nor_write(program, played, person, user_of):
    pairing, first, second = played()
    third = first.tournament.entries.exclude(pk__in=[first.pk, second.pk]).first()
    for user in (person("Eve"), user_of(third)):
        assert program(user).get(match_path(pairing), 403)["code"] == "not_yours"
    assert program().get(match_path(pairing), 401)["code"] == "not_authenticated"
    assert program(user_of(first), "events_read").get(match_path(pairing), 403)["code"] == "permission_denied"


# The card of a table


def test_who_holds_the_card_scores_the_match_without_a_token(program, played):
    pairing, first, second = played(ONE_DEAL)
    bot = program()
    table_card = bot.get(card(pairing))
    assert table_card["places"] == [{"place": 0, "name": str(first)}, {"place": 1, "name": str(second)}]
    assert table_card["reports"] == []
    bot.post(card(pairing, "0/deal/"), deal=BOTH, seen=0)
    assert bot.get(card(pairing, "0/"))["totals"] == [4715, 1355]
    bot.post(card(pairing, "0/send/"), seen=1)
    result = Result.objects.get()
    assert (result.origin, result.by, result.by_entry) == ("card", None, first)
    assert bot.post(card(pairing, "0/answer/"), 422, result=result.pk, agrees=True)["code"] == "own_result"
    assert bot.post(card(pairing, "1/answer/"), 422, result=result.pk, agrees=False)["code"] == "no_words"
    assert bot.post(card(pairing, "1/answer/"), 404, result=result.pk + 1, agrees=True)["code"] == "not_found"
    bot.post(card(pairing, "1/answer/"), result=result.pk, agrees=True)
    assert Pairing.objects.get(pk=pairing.pk).result == result
    assert Answer.objects.get().entry == second


def test_who_plays_acts_for_no_other_side(program, played, user_of):
    pairing, first, _ = played()
    ann = program(user_of(first))
    assert [place["place"] for place in ann.get(card(pairing))["places"]] == [0]
    for name, data in ACTS.items():
        assert ann.post(card(pairing, f"1/{name}/"), 403, **data)["code"] == "not_yours"
    assert ann.get(card(pairing, "1/"), 403)["code"] == "not_yours"
    # Whatever the token is for, it is hers.
    assert program(user_of(first), "read").get(card(pairing, "1/"), 403)["code"] == "not_yours"
    assert Place.objects.filter(sheet__isnull=False).count() == 0


def test_a_card_is_of_no_use_once_the_result_counts(program, played, olga):
    pairing, first, second = played()
    program().post(card(pairing, "0/deal/"), deal=BOTH, seen=0)
    decide(pairing, first, second, olga)
    bot = program()
    answers = [bot.get(card(pairing), 410), bot.get(card(pairing, "0/"), 410)]
    answers += [bot.post(card(pairing, f"0/{name}/"), 410, **data) for name, data in ACTS.items()]
    for answer in answers:
        assert (answer["code"], set(answer)) == ("closed", {"code", "sentence"})
        assert "confirmed result" in answer["sentence"]


def test_unknown_cards_are_not_found_and_few_can_be_tried(program, played, limited):
    pairing, *_ = played()
    bot = program()
    bot.get(card(pairing, "7/"), 404)
    limited(GUESSES, address=2)
    for expected in (404, 404, 429):
        bot.get("table-cards/nothing/", expected)
    bot.get(f"table-cards/{'9' * 300}/", 429)


def test_no_door_takes_more_than_it_asks_for_nor_another_method(program, played):
    pairing, *_ = played()
    bot = program()
    for name, data in ACTS.items():
        refused = bot.post(card(pairing, f"0/{name}/"), 400, **data, surprise=1)
        assert refused["fields"]["surprise"] == ["There is no such field here."], name
        for method in ("get", "put", "delete"):
            assert getattr(bot.client, method)(f"{BASE}/{card(pairing, f'0/{name}/')}").status_code == 405
    for path in (card(pairing), card(pairing, "0/")):
        assert bot.client.post(f"{BASE}/{path}").status_code == 405
    assert Place.objects.filter(sheet__isnull=False).count() == 0


# Photographs


def test_photos_of_a_match_by_its_players_its_card_and_its_organisers(program, played, user_of, olga, person):
    pairing, first, _ = played()

    def attach(bot, path):
        return bot.client.post(f"{BASE}/{path}", {"photo": photo()}, format="multipart")

    added = attach(program(user_of(first)), match_path(pairing, "photos/"))
    assert added.status_code == 201
    picture = added.json()["url"]
    assert program().client.get(picture[picture.index("/events/") :])["Content-Type"] == "image/jpeg"
    assert attach(program(olga), match_path(pairing, "photos/")).status_code == 201
    assert attach(program(), card(pairing, "0/photos/")).status_code == 201
    assert len(program(user_of(first)).get(match_path(pairing))["photos"]) == 3
    for bot, status in ((program(person("Eve")), 403), (program(), 401)):
        assert attach(bot, match_path(pairing, "photos/")).status_code == status
    refused = program().client.post(f"{BASE}/{card(pairing, '0/photos/')}", {}, format="multipart")
    assert (refused.status_code, refused.json()["code"]) == (422, "no_photo")
