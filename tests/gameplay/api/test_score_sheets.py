"""Score sheets by program: begun, written by their link, kept in an account, and refused in sentences."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import get_resolver
from PIL import Image

from accounts.budgets import SCORE_SHEETS
from engine.play.rules import Rules
from gameplay.score_sheets.models import ScoreSheet, SheetPhoto

pytestmark = pytest.mark.django_db
BOTH = {
    "teams": [
        {"books": {"clean": 2, "dirty": 2, "wild": 1}, "red_threes_laid": 4, "melded": 1115, "out": True},
        {"books": {"clean": 1, "dirty": 1}, "red_threes_laid": 2, "melded": 540, "left": 185},
    ]
}
"""By the standard rules 4,715 and 1,355."""
SHEETS = "/api/v1/score-sheets/"
TOTALS = {"points": [100, 250]}
ACTS = {
    "deal": {"deal": TOTALS, "seen": 0},
    "replace": {"deals": [TOTALS], "seen": 0},
    "take-away": {"number": 1, "seen": 0},
    "stop": {"is_stopped": False, "seen": 0},
    "rename": {"names": ["Ann"], "title": "", "first_dealer": 1, "seen": 0},
    "keep": {},
    "delete": {},
}
"""Acts on a sheet, with the data for an empty one."""


@pytest.fixture
def paper(program):
    """A sheet that was begun without any token, as the answer tells it."""
    return call(program(), "", 201, names=["Ann", "Ben", "Cem", "Dee"], title="Friday")


def call(client, path, expected=200, **data):
    response = client.post(f"{SHEETS}{path}", data, format="json")
    assert response.status_code == expected, response.content[:400]
    return response.json() if response.content else None


def act(client, sheet, name, expected=200, **data):
    return call(client, f"edit/{sheet['key']}/{name}/", expected, **data)


def fetch(client, path, expected=200, **query):
    response = client.get(f"{SHEETS}{path}", query)
    assert response.status_code == expected, response.content[:400]
    return response.json()


def photo():
    buffer = io.BytesIO()
    Image.effect_noise((90, 60), 90).convert("RGB").save(buffer, "JPEG")
    return SimpleUploadedFile("sheet.jpg", buffer.getvalue())


def test_every_address_is_in_these_tests():
    patterns = get_resolver("gameplay.api.urls").url_patterns
    routes = {str(route.pattern) for route in patterns if "score-sheets" in str(route.pattern)}
    edit = "score-sheets/edit/<slug:key>/"
    acts = {f"{edit}{name}/" for name in ACTS}
    photos = {f"{edit}photos/", f"{edit}photos/<slug:photo>/remove/"}
    assert routes == {"score-sheets/", "score-sheets/<slug:slug>/", edit} | acts | photos


# Beginning and reading


def test_a_sheet_is_begun_without_a_token(program, paper, settings):
    sheet = ScoreSheet.objects.get()
    assert (paper["slug"], paper["key"], paper["title"], paper["is_kept"]) == (sheet.slug, sheet.key, "Friday", False)
    assert paper["sides"] == ["Ann / Cem", "Ben / Dee"]
    assert paper["edit_url"] == f"{settings.SITE_URL}/score/edit/{sheet.key}/"
    assert paper["rules"] == Rules.make("standard").write()
    assert paper["coming"] == {"number": 1, "dealer": "Dee", "beginner": "Ann", "openings": [50, 50]}
    assert (paper["version"], paper["deals"], paper["totals"], paper["is_over"]) == (0, [], [0, 0], False)


def test_the_link_to_look_does_not_tell_the_link_to_write(program, paper):
    sheet = fetch(program(), f"{paper['slug']}/")
    assert "key" not in sheet
    assert paper["key"] not in str(sheet)
    assert fetch(program(), f"edit/{paper['key']}/")["key"] == paper["key"]
    for path in (f"{paper['key']}/", f"edit/{paper['slug']}/", "edit/x/"):
        assert fetch(program(), path, 404)["code"] == "not_found"


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"rules": "poker"}, 422, None),
        ({"seat_count": 5, "team_size": 2}, 422, "no_shape"),
        ({"options": {"no_such": 1}}, 422, None),
        ({"names": ["Ann", "Ann"]}, 422, "same_name"),
        ({"names": ["x" * 31]}, 400, "invalid"),
        ({"first_dealer": 9}, 422, "no_seat"),
        ({"title": "a\0b"}, 400, None),
        ({"owner": 1}, 400, "invalid"),
        ({"is_kept": True}, 403, "no_account"),
        ({"key": "short"}, 422, "short_key"),
        ({"key": "no spaces are allowed"}, 400, "invalid"),
    ],
)
def test_what_no_sheet_can_be_begun_with(program, fields, status, code):
    refused = call(program(), "", status, **fields)
    assert refused["code"] == (code or refused["code"])
    assert refused["sentence"]
    assert ScoreSheet.objects.count() == 0


def test_house_rules_and_any_size_of_table(program):
    sheet = call(program(), "", 201, rules="bga", options={"length": {"deals": 2}}, seat_count=6, team_size=1)
    assert len(sheet["sides"]) == 6
    assert sheet["rules"] == Rules.make("bga", {"length": {"deals": 2}}).write()


def test_begun_twice_with_one_key_it_is_one(program, person):
    fields = {"key": "k" * 16, "title": "Friday"}
    assert call(program(), "", 201, **fields)["key"] == call(program(), "", 201, **fields)["key"]
    assert call(program(), "", 422, **{**fields, "title": "Monday"})["code"] == "key_used"
    # Another's key is another's, whatever it is.
    ann, eve = program(person("Ann")), program(person("Eve"))
    assert call(ann, "", 201, key="1")["key"] != call(eve, "", 201, key="1")["key"]
    assert ScoreSheet.objects.count() == 3


def test_sheets_are_begun_so_often_and_no_oftener(program, limited):
    limited(SCORE_SHEETS, address=2)
    assert [program().post(SHEETS, {}, format="json").status_code for _ in range(3)] == [201, 201, 429]


# Writing


def test_a_match_from_its_first_deal_to_its_last(program, paper):
    bot = program()
    sheet = act(bot, paper, "deal", deal=BOTH, seen=0)
    assert (sheet["version"], sheet["totals"]) == (1, [4715, 1355])
    assert sheet["deals"][0]["items"][0]["melded"] == 1115
    assert (sheet["coming"]["number"], sheet["coming"]["dealer"]) == (2, "Ann")
    for version in (1, 2, 3):
        sheet = act(bot, paper, "deal", deal=TOTALS, seen=version)
    assert (sheet["is_over"], sheet["coming"]) == (True, None)
    assert act(bot, paper, "deal", 422, deal=TOTALS, seen=4)["code"] == "over"
    sheet = act(bot, paper, "deal", deal={"points": [0, 5000]}, number=2, seen=4)
    assert sheet["totals"] == [4915, 6855]
    sheet = act(bot, paper, "take-away", number=4, seen=5)
    assert (len(sheet["deals"]), sheet["is_over"]) == (3, False)
    sheet = act(bot, paper, "stop", is_stopped=True, seen=6)
    assert (sheet["is_over"], sheet["is_stopped"]) == (True, True)
    sheet = act(bot, paper, "replace", deals=[BOTH], seen=7)
    assert (sheet["totals"], sheet["is_stopped"]) == ([4715, 1355], False)
    sheet = act(bot, paper, "rename", names=["Eva", "", "Cem", "Dee"], title="Final", first_dealer=2, seen=8)
    assert (sheet["sides"], sheet["title"], sheet["first_dealer"]) == (["Eva / Cem", "Dee"], "Final", 2)
    assert fetch(program(), f"{paper['slug']}/")["version"] == 9


def test_what_is_sent_again_is_not_done_again(program, paper):
    bot = program()
    for _ in range(2):
        assert act(bot, paper, "deal", deal=TOTALS, seen=0, key="a")["version"] == 1
    # The same figures twice are two deals, as long as they have keys of their own.
    assert len(act(bot, paper, "deal", deal=TOTALS, seen=1, key="b")["deals"]) == 2
    assert act(bot, paper, "deal", 422, deal=BOTH, seen=1, key="b")["code"] == "key_used"
    for _ in range(2):
        assert len(act(bot, paper, "take-away", number=2, seen=2, key="c")["deals"]) == 1
    for _ in range(2):
        assert act(bot, paper, "replace", deals=[BOTH, TOTALS], seen=3, key="d")["version"] == 4


def test_who_saw_an_older_sheet_changes_nothing(program, paper):
    bot = program()
    act(bot, paper, "deal", deal=TOTALS, seen=0)
    act(bot, paper, "replace", deals=[BOTH], seen=1)
    before = ScoreSheet.objects.values().get()
    for name, data in {**ACTS, "stop": {"is_stopped": True, "seen": 0}}.items():
        if "seen" in data:
            refused = act(bot, paper, name, 409, **data)
            assert (refused["code"], refused["version"]) == ("stale", 2)
    assert act(bot, paper, "replace", 409, deals=[], seen=1)["code"] == "stale"
    assert ScoreSheet.objects.values().get() == before


@pytest.mark.parametrize(
    ("deal", "status", "blamed"),
    [
        ({"points": [1]}, 422, {"code": "bad_sides"}),
        ({"points": [1, 2.5]}, 400, {"code": "invalid"}),
        ({"points": [1, 2], "teams": [{}, {}]}, 400, {"code": "invalid"}),
        ({}, 400, {"code": "invalid"}),
        ({"teams": [{}, {"cards": 1}]}, 400, {"code": "invalid"}),
        ({"teams": [{}, {"books": {"sevens": 1}}]}, 422, {"code": "no_such_row", "side": 1}),
        ({"teams": [{"melded": {"Z": 1}, "left": "x"}, {}]}, 422, {"code": "bad_sheet"}),
        ({"teams": [{"out": True}, {"out": True}]}, 422, {"code": "two_out", "side": 1, "row": "out"}),
        ({"teams": [{"books": {"clean": 2}, "melded": 10}, {}]}, 422, {"side": 0, "row": "melded"}),
        ({"teams": [{"melded": 2**63}, {}]}, 422, {"code": "bad_sheet"}),
        ([], 400, {"code": "invalid"}),
        ("deal", 400, {"code": "invalid"}),
    ],
)
def test_a_deal_that_cannot_be_is_refused_with_who_is_to_blame(program, paper, deal, status, blamed):
    refused = act(program(), paper, "deal", status, deal=deal, seen=0)
    assert {name: refused.get(name) for name in blamed} == blamed
    assert refused["sentence"]
    assert ScoreSheet.objects.get().deals == []


def test_of_several_deals_the_wrong_one_is_named(program, paper):
    wrong = {"teams": [{"out": True}, {"out": True}]}
    refused = act(program(), paper, "replace", 422, deals=[TOTALS, wrong], seen=0)
    assert (refused["deal"], refused["side"]) == (2, 1)
    assert act(program(), paper, "deal", 422, deal=TOTALS, number=3, seen=0)["code"] == "no_such_deal"


def test_no_door_takes_more_than_it_asks_for(program, paper, person):
    ann = program(person("Ann"))
    for name, data in ACTS.items():
        refused = act(ann, paper, name, 400, **data, surprise=1)
        assert refused["fields"]["surprise"] == ["There is no such field here."], name
    assert ScoreSheet.objects.get().version == 0


def test_other_methods_are_refused(program, paper):
    for path, right in {"": {"get", "post"}, f"{paper['slug']}/": {"get"}, f"edit/{paper['key']}/": {"get"}}.items():
        for method in {"get", "post", "put", "patch", "delete"} - right:
            assert getattr(program(), method)(f"{SHEETS}{path}").status_code in (401, 405)
    for name in ACTS:
        for method in ("get", "put", "patch", "delete"):
            assert getattr(program(), method)(f"{SHEETS}edit/{paper['key']}/{name}/").status_code in (401, 405)
    assert ScoreSheet.objects.count() == 1


# Accounts


def test_a_sheet_is_kept_in_an_account_and_listed_there(program, paper, person):
    ann = program(person("Ann"))
    assert act(program(), paper, "keep", 401)["code"] == "not_authenticated"
    assert act(program(person("Ben"), "read"), paper, "keep", 403)["code"] == "permission_denied"
    assert fetch(ann, "") == {"sheets": [], "more": False}
    for _ in range(2):
        assert act(ann, paper, "keep")["is_kept"]
    monday = call(ann, "", 201, title="Monday", is_kept=True)
    sheets = fetch(ann, "")["sheets"]
    assert [line["title"] for line in sheets] == ["Monday", "Friday"]
    assert [line["key"] for line in sheets] == [monday["key"], paper["key"]]
    first = fetch(ann, "", limit=1)
    assert (len(first["sheets"]), first["more"]) == (1, True)
    rest = fetch(ann, "", before=monday["slug"])
    assert [line["title"] for line in rest["sheets"]] == ["Friday"]
    eve = program(person("Eve"))
    assert fetch(eve, "")["sheets"] == []
    assert fetch(eve, "", 422, before=monday["slug"])["code"] == "no_such_sheet"
    assert act(eve, paper, "keep", 422)["code"] == "kept"
    assert fetch(program(), "", 401)["code"] == "not_authenticated"


def test_the_list_takes_as_many_queries_for_three_sheets_as_for_one(program, person, django_assert_max_num_queries):
    ann = program(person("Ann"))
    call(ann, "", 201, is_kept=True)
    with django_assert_max_num_queries(12) as before:
        fetch(ann, "")
    for _ in range(2):
        call(ann, "", 201, is_kept=True)
    with django_assert_max_num_queries(12) as three:
        fetch(ann, "")
    assert len(before) == len(three)


def test_what_is_in_an_account_is_deleted_by_its_owner_only(program, paper, person):
    ann = person("Ann")
    act(program(ann), paper, "keep")
    assert act(program(), paper, "delete", 403)["code"] == "not_yours"
    assert act(program(ann, "read"), paper, "delete", 403)["code"] == "not_yours"
    act(program(ann), paper, "delete", 204)
    assert fetch(program(), f"{paper['slug']}/", 404)["code"] == "not_found"
    free = call(program(), "", 201)
    act(program(), free, "delete", 204)
    assert ScoreSheet.objects.count() == 0


# Photographs


def test_a_photo_is_attached_seen_and_taken_away(program, paper):
    path = f"{SHEETS}edit/{paper['key']}/photos/"
    answer = program().post(path, {"photo": photo()}, format="multipart")
    assert (answer.status_code, answer.json()["width"]) == (201, 90)
    (stored,) = fetch(program(), f"{paper['slug']}/")["photos"]
    assert stored == answer.json()
    served = program().get(stored["url"][stored["url"].index("/score/") :])
    assert served["Content-Type"] == "image/jpeg"
    for _ in range(2):
        act(program(), paper, f"photos/{stored['slug']}/remove", 204)
    assert SheetPhoto.objects.count() == 0


def test_what_is_no_photo_is_refused(program, paper):
    path = f"{SHEETS}edit/{paper['key']}/photos/"
    text = SimpleUploadedFile("sheet.jpg", b"no photo")
    refused = program().post(path, {"photo": text}, format="multipart")
    assert (refused.status_code, refused.json()["code"]) == (422, "no_photo")
    assert program().post(path, {}, format="multipart").json()["code"] == "no_photo"
    assert program().post(path, {"photo": "x"}, format="json").status_code == 415
    assert (
        program().post(f"{SHEETS}edit/no-such-key/photos/", {"photo": photo()}, format="multipart").status_code == 404
    )
