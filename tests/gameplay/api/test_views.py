"""Every API view: its answer, its refusals and their codes."""

import gzip
import json
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from accounts.budgets import REQUESTS
from engine.play.cards import write_cards
from engine.play.record import replay
from engine.play.rules import Rules
from gameplay.models import Invitation, Move, Table
from gameplay.services import tables
from gameplay.snapshot import keep, state_of, view_of
from tests.at_once import at_once

pytestmark = pytest.mark.django_db
BASE = "/api/v1"
START = 1_800_000_000
"""The start of a minute."""

READ = ("", "view/", "legal-moves/", "log/", "happenings/", "record/")
WRITE = {
    "join/": ("tables", {}),
    "leave/": ("tables", {}),
    "bot/": ("tables", {"seat": 1, "level": "club"}),
    "start/": ("tables", {}),
    "moves/": ("play", {"moves": ["draw"], "seen": 0}),
    "hint/": ("play", {"seen": 0}),
    "next-deal/": ("play", {"deal": 1}),
    "pause/": ("play", {"act": "propose"}),
    "revoke/": ("tables", {"invitation": 1}),
    "decline/": ("tables", {}),
}
BOTH = ("chat/", "invitations/", "review/")
"""Read and added to at one address: see test_conversation.py, test_invitations.py and gameplay/test_reviews.py."""
FREE = {"schema/", "docs/", "rulesets/", "rulesets/<slug:name>/"}


def url(table, part=""):
    return f"{BASE}/tables/{table.slug}/{part}"


def post(client, path, data):
    return client.post(path, data, format="json")


def stored(table):
    return Table.objects.filter(pk=table.pk).values().get(), table.seats.count(), table.moves.count()


# Rights


def test_every_address_is_in_these_tests():
    routes = {str(pattern.pattern) for pattern in get_resolver("gameplay.api.urls").url_patterns}
    of_tables = {f"tables/<slug:slug>/{part}" for part in (*READ, *WRITE, *BOTH)}
    of_sheets = {name for name in routes if name.startswith("score-sheets/")}
    of_channels = {name for name in routes if name.startswith("channels/")}
    # Whoever has the link has the right: test_score_sheets.py. The own channels: test_channels.py.
    assert routes == of_tables | of_sheets | of_channels | FREE | {
        "me/",
        "turns/",
        "tables/",
        "play-now/",
        "invitations/",
    }


def answers(client, table, parts=(*READ, *WRITE)):
    """(part, answer) of every door of a table, each asked as it is meant."""
    for part in parts:
        yield part, post(client, url(table, part), WRITE[part][1]) if part in WRITE else client.get(url(table, part))


def test_who_has_no_token_gets_nowhere(program, seated):
    table = seated()
    before = stored(table)
    for part, answer in answers(program(), table):
        assert answer.status_code == 401, part
        assert answer.json()["code"] == "not_authenticated", part
        assert stored(table) == before, part


def test_a_token_does_only_what_it_is_for(program, seated):
    table = seated()
    before = stored(table)
    for needed in ("read", "play", "tables"):
        client = program(table.creator, *({"read", "play", "tables"} - {needed}))
        parts = READ if needed == "read" else [part for part, (scope, _) in WRITE.items() if scope == needed]
        for part, answer in answers(client, table, parts):
            assert answer.status_code == 403, part
            assert answer.json()["code"] == "permission_denied", part
            assert needed in answer.json()["sentence"], part
            assert stored(table) == before, part


def test_a_private_table_is_not_there_for_a_stranger(program, seated, person):
    table = seated(watching=Table.Watching.NOBODY)
    before = stored(table)
    for part, answer in answers(program(person("Eve")), table):
        assert answer.status_code == 404, part
        assert answer.json() == {"code": "not_found", "sentence": "Table not found."}, part
        assert stored(table) == before, part


SPECTATOR = {"": 200, "view/": 200, "legal-moves/": 403, "log/": 200, "happenings/": 200, "record/": 200} | {
    "join/": 403,
    "leave/": 422,
    "bot/": 403,
    "start/": 403,
    "moves/": 403,
    "hint/": 403,
    "next-deal/": 403,
    "pause/": 403,
    "revoke/": 403,
    "decline/": 422,
}


def test_who_watches_sees_and_does_nothing(program, seated, person):
    table = seated()
    before = stored(table)
    statuses = {}
    for part, answer in answers(program(person("Eve")), table):
        statuses[part] = answer.status_code
        assert stored(table) == before, part
    assert statuses == SPECTATOR


def test_other_methods_are_refused(program, seated):
    table = seated()
    client = program(table.creator)
    for part in (*READ, *WRITE):
        for method in {"get", "post", "put", "patch", "delete"} - {"post" if part in WRITE else "get"}:
            assert getattr(client, method)(url(table, part)).status_code == 405, (method, part)


def test_other_methods_are_refused_where_there_is_no_table(program, person):
    client = program(person("Ann"))
    for path in ("me/", "turns/", "rulesets/", "invitations/", "tables/"):
        for method in ("put", "patch", "delete", *(() if path == "tables/" else ("post",))):
            assert getattr(client, method)(f"{BASE}/{path}").status_code == 405


def test_a_session_needs_its_csrf_token_and_a_program_does_not(seated):
    table = seated()
    client = Client(enforce_csrf_checks=True)
    client.force_login(table.creator)
    response = client.post(url(table, "next-deal/"), {"deal": 1}, content_type="application/json")
    assert response.status_code == 403
    assert "CSRF" in response.json()["sentence"]
    assert client.get(url(table)).status_code == 200


def test_a_revoked_or_strange_token_is_refused(program):
    for text in ("0" * 64, "", "a b", "\xff"):
        client = program()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        response = client.get(f"{BASE}/me/")
        assert response.status_code == 401
        assert set(response.json()) == {"code", "sentence"}


# Reading


def test_me(program, person):
    ann = person("Ann", time_zone="Asia/Kolkata")
    response = program(ann, "read", "play").get(f"{BASE}/me/")
    assert response.json() == {"name": "Ann", "time_zone": "Asia/Kolkata", "scopes": ["read", "play"]}


def test_rulesets_need_no_token(program):
    names = [entry["name"] for entry in program().get(f"{BASE}/rulesets/").json()["rulesets"]]
    assert "standard" in names
    for name in names:
        entry = program().get(f"{BASE}/rulesets/{name}/").json()
        assert entry["options"] == Rules.preset(name).write_options()
        assert entry["sheet"]
    assert program().get(f"{BASE}/rulesets/poker/").json()["code"] == "not_found"


def test_tables_are_listed_newest_first_in_pages(program, four, seated):
    created = [seated(begun=False) for _ in range(3)]
    client = program(four[0])
    first = client.get(f"{BASE}/tables/", {"limit": 2}).json()
    assert [table["slug"] for table in first["tables"]] == [created[2].slug, created[1].slug]
    assert first["more"]
    rest = client.get(f"{BASE}/tables/", {"limit": 2, "before": created[1].slug}).json()
    assert [table["slug"] for table in rest["tables"]] == [created[0].slug]
    assert not rest["more"]


def test_open_tables_are_those_anyone_may_join(program, person, four, seated):
    seated(begun=False)
    rules = Rules.make("standard")
    terms = {"joining": Table.Joining.OPEN}
    table = tables.make_table(four[0], rules, name="Open", seat_count=4, team_size=2, terms=terms)
    client = program(person("Eve"))
    open_tables = client.get(f"{BASE}/tables/", {"which": "open"}).json()["tables"]
    assert [table["slug"] for table in open_tables] == [table.slug]
    assert client.get(f"{BASE}/tables/").json() == {"tables": [], "more": False}


def test_the_turns_of_a_person(program, seated, leader):
    table = seated()
    acting = program(leader(table)).get(f"{BASE}/turns/").json()["tables"]
    assert [(turn["slug"], turn["seat_to_act"]) for turn in acting] == [(table.slug, table.seat_to_act)]
    assert acting[0]["your_seat"] == table.seat_to_act
    other = table.seats.exclude(number=table.seat_to_act).first().user
    assert program(other).get(f"{BASE}/turns/").json() == {"tables": []}


def test_a_table_with_its_rules(program, seated, settings):
    table = seated()
    data = program(table.creator).get(url(table)).json()
    assert data["rules"] == table.rules.write()
    assert data["url"] == f"{settings.SITE_URL}/tables/{table.slug}/"
    assert data["your_seat"] == 0
    assert [seat["name"] for seat in data["seats"]] == ["Ann", "Ben", "Cem", "Dee"]
    assert "snapshot" not in data


def test_before_the_match_there_is_nothing_to_see(program, seated):
    table = seated(begun=False)
    client = program(table.creator)
    for part in ("view/", "legal-moves/", "record/"):
        response = client.get(url(table, part))
        assert (response.status_code, response.json()["code"]) == (422, "not_started")
    assert client.get(url(table, "log/")).json() == {"lines": [], "more": False}


def test_the_log_comes_in_pages(program, seated, driver):
    table = seated()
    for _ in range(5):
        driver.act(table)
    client = program(table.creator)
    first = client.get(url(table, "log/"), {"limit": 3}).json()
    assert ([line["number"] for line in first["lines"]], first["more"]) == ([1, 2, 3], True)
    rest = client.get(url(table, "log/"), {"since": 3}).json()
    assert ([line["number"] for line in rest["lines"]], rest["more"]) == ([4, 5], False)
    assert [line["move"] for line in first["lines"]] == [move.text for move in table.moves.all()[:3]]


def test_happenings_come_in_pages(program, seated):
    table = seated()
    client = program(table.creator)
    everything = client.get(url(table, "happenings/")).json()["lines"]
    assert [line["sentence"] for line in everything] == [h.sentence for h in table.happenings.all()]
    rest = client.get(url(table, "happenings/"), {"since": everything[0]["id"], "limit": 1}).json()
    assert rest == {"lines": everything[1:2], "more": True}


@pytest.mark.slow
def test_a_record_replays_and_keeps_the_key_of_a_running_deal(program, seated, driver):
    table = driver.until(seated(), lambda table: table.deal_number == 2 and table.move_count % 7 == 0)
    record = program(table.creator).get(url(table, "record/")).json()
    assert [deal["key"] is None for deal in record["deals"]] == [False, True]
    assert replay(record).game.state.deal == 1
    assert table.deals.get(number=2).key not in json.dumps(record)


# Making and joining


def new_table(**terms):
    return {"name": "By a bot", **terms}


def test_a_table_from_nothing_to_its_first_move(program, four, leader):
    ann, ben, *_ = [program(user) for user in four]
    answer = post(ann, f"{BASE}/tables/", new_table(ruleset="family", options={"pile_take": 5}, joining="open"))
    assert answer.status_code == 201
    table = Table.objects.get(slug=answer.json()["slug"])
    assert table.rules == Rules.make("family", {"pile_take": 5})
    assert post(ben, url(table, "join/"), {"seat": 2}).json()["your_seat"] == 2
    assert post(ann, url(table, "start/"), {}).json()["code"] == "seats_free"
    assert post(ann, url(table, "bot/"), {"seat": 1, "level": "novice"}).status_code == 200
    assert [seat["bot"] for seat in post(ann, url(table, "bot/"), {"level": "club"}).json()["seats"]][1::2] == [
        "novice",
        "club",
    ]
    assert post(ann, url(table, "start/"), {}).json()["status"] == "playing"
    assert post(ann, url(table, "start/"), {}).status_code == 200


def test_a_table_asked_for_twice_by_one_key_is_created_once(program, four):
    ann, ben = program(four[0]), program(four[1])
    answers = [post(ann, f"{BASE}/tables/", new_table(key="7")) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    other = post(ann, f"{BASE}/tables/", new_table(key="7", name="Another"))
    assert (other.status_code, other.json()["code"]) == (422, "key_used")
    assert Table.objects.count() == 1
    for client, key in ((ben, {"key": "7"}), (ann, {"key": "8"}), (ann, {}), (ann, {})):
        assert post(client, f"{BASE}/tables/", new_table(**key)).status_code == 201
    assert Table.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_one_key_sent_eight_times_at_once_creates_one_table(program, four):
    clients = [program(four[0]) for _ in range(8)]
    answers = at_once(*[partial(post, client, f"{BASE}/tables/", new_table(key="7")) for client in clients])
    assert [answer.status_code for answer in answers] == [201] * 8
    assert Table.objects.count() == 1
    assert all(answer.json() == answers[0].json() for answer in answers)


@pytest.mark.django_db(transaction=True)
def test_one_key_with_different_tables_at_once_creates_the_first(program, four):
    clients = [program(four[0]) for _ in range(8)]
    sent = [
        partial(post, client, f"{BASE}/tables/", new_table(key="7", name=f"T{n}")) for n, client in enumerate(clients)
    ]
    answers = at_once(*sent)
    assert sorted(answer.status_code for answer in answers) == [201] + [422] * 7
    assert {answer.json()["code"] for answer in answers if answer.status_code == 422} == {"key_used"}
    assert Table.objects.count() == 1


def test_joining_and_leaving_twice_do_no_harm(program, four, person):
    table = tables.make_table(four[0], Rules.make("standard"), name="T", seat_count=4, team_size=2)
    client = program(four[1])
    for _ in range(2):
        assert post(client, url(table, "join/"), {}).json()["your_seat"] == 1
    for _ in range(2):
        assert post(client, url(table, "leave/"), {}).status_code == 204
    assert table.seats.get(number=1).user is None


def test_a_table_for_those_invited_takes_nobody_else(program, four, person):
    terms = {"joining": Table.Joining.INVITED}
    table = tables.make_table(four[0], Rules.make("standard"), name="T", seat_count=4, team_size=2, terms=terms)
    Invitation.objects.create(table=table, user=four[1], token="t")
    assert post(program(person("Eve")), url(table, "join/"), {}).json()["code"] == "may_not_join"
    assert post(program(four[1]), url(table, "join/"), {}).json()["your_seat"] == 1
    assert Invitation.objects.get().is_accepted


def test_only_who_made_the_table_seats_bots_and_begins(program, seated, four):
    table = seated(begun=False)
    client = program(four[1])
    assert post(client, url(table, "start/"), {}).json()["code"] == "not_creator"
    assert post(client, url(table, "bot/"), {"seat": 0, "level": "club"}).json()["code"] == "not_creator"
    creator = program(four[0])
    assert post(creator, url(table, "bot/"), {"seat": 9, "level": "club"}).json()["code"] == "no_such_seat"
    assert post(creator, url(table, "bot/"), {"seat": 1, "level": "club"}).json()["code"] == "seat_taken"


@pytest.mark.parametrize(
    ("terms", "status"),
    [
        ({"name": ""}, 400),
        ({"name": "x" * 61}, 400),
        ({"name": "a\0b"}, 400),
        ({"ruleset": "poker"}, 400),
        ({"options": []}, 400),
        ({"clock_hours": 1}, 400),
        ({"joining": "club"}, 400),
        ({"options": {"no_such": 1}}, 422),
        ({"options": {"pile_take": "all\0"}}, 400),
        ({"seat_count": 5, "team_size": 2}, 422),
        ({"clock": "none"}, 422),
        ({"is_rated": True, "is_practice": True}, 422),
    ],
)
def test_terms_that_cannot_be(program, person, terms, status):
    response = post(program(person("Ann")), f"{BASE}/tables/", new_table(**terms))
    assert response.status_code == status
    assert {"code", "sentence"} <= set(response.json())
    assert Table.objects.count() == 0


def test_fields_that_are_not_to_be_set_are_refused(program, person):
    client = program(person("Ann"))
    for field in ("snapshot", "creator", "status", "slug", "version", "audience", "result", "id"):
        response = post(client, f"{BASE}/tables/", new_table(**{field: "over"}))
        assert (response.status_code, list(response.json()["fields"])) == (400, [field])
        assert Table.objects.count() == 0, field


def test_no_door_takes_more_than_it_asks_for(program, seated, leader):
    table = seated()
    before, client = stored(table), program(leader(table))
    for part, (_, data) in WRITE.items():
        response = post(client, url(table, part), {**data, "user": 1, "now": "2030-01-01"})
        assert response.status_code == 400, part
        assert set(response.json()["fields"]) == {"now", "user"}, part
        assert stored(table) == before, part


# Playing


def test_a_move_answers_with_the_new_view_and_what_happened(program, seated, leader):
    table = seated()
    client = program(leader(table))
    view = client.get(url(table, "view/")).json()
    choices = client.get(url(table, "legal-moves/")).json()
    assert choices == {"move_count": 0, "moves": view["view"]["legal_moves"]}
    response = post(client, url(table, "moves/"), {"moves": ["draw"], "seen": view["move_count"]})
    assert response.status_code == 200
    data = response.json()
    assert (data["move_count"], [line["move"] for line in data["log"]]) == (1, ["draw"])
    assert data["log"][0]["events"][0]["cards"]
    assert data["view"] == client.get(url(table, "view/")).json()["view"]


def test_a_stale_view_is_refused(program, seated, leader):
    table = seated()
    client = program(leader(table))
    post(client, url(table, "moves/"), {"moves": ["draw"], "seen": 0})
    before = stored(table)
    response = post(client, url(table, "moves/"), {"moves": ["draw"], "seen": 0})
    assert response.status_code == 409
    assert set(response.json()) == {"code", "sentence", "move_count"}
    assert (response.json()["code"], response.json()["move_count"]) == ("stale", 1)
    assert stored(table) == before


def test_a_refused_move_says_which_and_why_and_undoes_the_rest(program, seated, leader):
    table = seated()
    client = program(leader(table))
    post(client, url(table, "moves/"), {"moves": ["draw"], "seen": 0})
    moves = client.get(url(table, "legal-moves/")).json()["moves"]
    before = stored(table)
    discard = next(move for move in moves if move.startswith("discard"))
    response = post(client, url(table, "moves/"), {"moves": [discard, "draw"], "seen": 1})
    assert response.status_code == 422
    assert set(response.json()) == {"code", "sentence", "move", "cards"}
    assert (response.json()["code"], response.json()["move"]) == ("not_your_turn", 1)
    assert stored(table) == before


def test_who_is_not_to_act_is_refused(program, seated):
    table = seated()
    other = table.seats.exclude(number=table.seat_to_act).first().user
    client = program(other)
    assert client.get(url(table, "legal-moves/")).json() == {"move_count": 0, "moves": []}
    response = post(client, url(table, "moves/"), {"moves": ["draw"], "seen": 0})
    assert (response.status_code, response.json()["code"]) == (422, "not_your_turn")


def test_what_is_no_move_is_refused(program, seated, leader):
    table = seated()
    before, client = stored(table), program(leader(table))
    for text in ("", "dance", "discard", "meld", "meld 5h,", "draw draw", "grab 26", "lift", "lift 101", "lift ٣"):
        response = post(client, url(table, "moves/"), {"moves": [text], "seen": 0})
        outcome = response.status_code, response.json()["code"]
        assert outcome == ((422, "bad_input") if text else (400, "invalid")), text
        assert stored(table) == before, text


def test_the_same_request_again_answers_as_it_did(program, seated, leader):
    table = seated()
    client = program(leader(table))
    body = {"moves": ["draw"], "seen": 0, "key": "first"}
    first = post(client, url(table, "moves/"), body)
    after = stored(table)
    second = post(client, url(table, "moves/"), body)
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert stored(table) == after


def test_someone_elses_key_opens_nothing(program, seated, leader):
    table = seated()
    post(program(leader(table)), url(table, "moves/"), {"moves": ["draw"], "seen": 0, "key": "first"})
    other = table.seats.exclude(number=table.seat_to_act).first().user
    response = post(program(other), url(table, "moves/"), {"moves": ["draw"], "seen": 0, "key": "first"})
    assert (response.status_code, response.json()["code"]) == (409, "stale")


@pytest.mark.django_db(transaction=True)
def test_a_key_is_for_one_request(program, seated, leader):
    table = seated()
    client = program(leader(table))
    post(client, url(table, "moves/"), {"moves": ["draw"], "seen": 0, "key": "one"})
    choices = client.get(url(table, "legal-moves/")).json()["moves"]
    move = next(choice for choice in choices if choice.startswith("discard"))
    response = post(client, url(table, "moves/"), {"moves": [move], "seen": 1, "key": "one"})
    assert (response.status_code, response.json()["code"]) == (422, "key_used")
    assert table.moves.count() == 1


def test_a_lift_is_a_place_and_never_a_number_of_cards(program, seated, leader):
    table = seated("family")
    client = program(leader(table))
    offered = client.get(url(table, "legal-moves/")).json()["moves"]
    assert offered == ["lift 25", "lift 50", "lift 75"]
    assert client.get(url(table, "view/")).json()["view"]["legal_moves"] == offered
    assert post(client, url(table, "moves/"), {"moves": ["lift 50"], "seen": 0}).status_code == 200
    assert Move.objects.get(number=1).text.startswith("grab ")


@pytest.mark.slow
def test_the_next_deal_begins_when_all_have_asked(program, four, seated, driver):
    table = driver.until(seated(), lambda table: table.is_between_deals)
    for user in four:
        assert table.deal_number == 1
        assert post(program(user), url(table, "next-deal/"), {"deal": 1}).status_code == 200
        table.refresh_from_db()
    assert (table.deal_number, table.is_between_deals) == (2, False)
    assert post(program(four[0]), url(table, "next-deal/"), {"deal": 1}).status_code == 200
    response = post(program(four[0]), url(table, "moves/"), {"moves": ["draw"], "seen": 0})
    assert response.status_code == 409


def test_between_deals_nobody_moves(program, four, seated, driver):
    table = driver.until(seated(), lambda table: table.is_between_deals)
    client = program(four[0])
    assert client.get(url(table, "legal-moves/")).json()["moves"] == []
    response = post(client, url(table, "moves/"), {"moves": ["draw"], "seen": table.move_count})
    assert (response.status_code, response.json()["code"]) == (422, "between_deals")


# Unreadable requests

NESTED = "[" * 20_000 + "]" * 20_000
BODIES = [
    ("{", 400),
    ("", 400),
    ("[]", 400),
    ("null", 400),
    ('"draw"', 400),
    (NESTED, 400),
    ('{"moves": ' + NESTED + ', "seen": 0}', 400),
    ('{"moves": ["dr\\u0000aw"], "seen": 0}', 400),
    ('{"\\u0000": 1}', 400),
    ('{"moves": ["draw"], "seen": NaN}', 400),
    ('{"moves": ["draw"], "seen": 1e400}', 400),
    ('{"moves": ["draw"], "seen": 99999999999999999999}', 400),
    ('{"moves": ["draw"], "seen": -1}', 400),
    ('{"moves": ["draw"], "seen": null}', 400),
    ('{"moves": [], "seen": 0}', 400),
    ('{"moves": "draw", "seen": 0}', 400),
    ('{"moves": [{"a": 1}], "seen": 0}', 400),
    ('{"moves": ["draw"], "seen": 0, "key": ""}', 400),
    ('{"moves": ["draw"], "seen": 0, "key": "' + "k" * 65 + '"}', 400),
    ('{"moves": ["draw"], "seen": 0, "key": "' + "k" * 70_000 + '"}', 413),
    (b'{"moves": ["\xff"], "seen": 0}', 400),
]


def test_a_body_that_cannot_be_read(program, seated, leader):
    table = seated()
    before, client = stored(table), program(leader(table))
    for body, status in BODIES:
        response = client.post(url(table, "moves/"), body, content_type="application/json")
        assert response.status_code == status, body[:90]
        assert {"code", "sentence"} <= set(response.json()), body[:90]
        assert stored(table) == before, body[:90]


def test_a_packed_body_is_not_unpacked(program, seated, leader):
    table = seated()
    before = stored(table)
    packed = gzip.compress(b'{"moves": ["draw"], "seen": 0, "key": "' + b"k" * 50_000_000 + b'"}')
    send = program(leader(table)).post
    answer = send(url(table, "moves/"), packed, content_type="application/json", HTTP_CONTENT_ENCODING="gzip")
    assert (answer.status_code, stored(table)) == (400, before)


def test_only_json_is_read(program, seated, leader):
    table = seated()
    client = program(leader(table))
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        response = client.post(url(table, "moves/"), "moves=draw&seen=0", content_type=kind)
        assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type"), kind


def test_a_query_that_cannot_be_read(program, seated):
    table = seated()
    client = program(table.creator)
    for query in ("since=x", "since=-1", "limit=0", "limit=9999", "since=1e9", "since=%00"):
        response = client.get(f"{url(table, 'log/')}?{query}")
        assert (response.status_code, response.json()["code"]) == (400, "invalid"), query


# Limits


def test_tokens_of_one_person_are_counted_as_one_person(program, person, limited, time_machine):
    time_machine.move_to(START, tick=False)
    limited(REQUESTS, person=3)
    ann = person("Ann")
    hers, bens = [program(ann) for _ in range(3)], program(person("Ben"))
    answers = [hers[n % 3].get(f"{BASE}/me/", HTTP_X_FORWARDED_FOR=str(n)) for n in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    refused = answers[-1].json()
    assert (refused["code"], refused["budget"], refused["retry_after"]) == ("too_much", "requests", 80)
    assert refused["sentence"] == "There were too many requests. Try again in 2 min."
    assert answers[-1]["Retry-After"] == "80"
    assert bens.get(f"{BASE}/me/").status_code == 200


def test_a_page_and_the_api_share_a_budget(program, person, client, limited):
    limited(REQUESTS, person=3)
    ann = person("Ann")
    client.force_login(ann)
    assert [client.get("/play/").status_code, client.get(f"{BASE}/me/").status_code] == [200, 200]
    assert [program(ann).get(f"{BASE}/me/").status_code for _ in range(2)] == [200, 429]
    refused = client.get("/play/")
    assert refused.status_code == 429
    assert "There were too many requests. Try again in" in refused.content.decode()
    assert int(refused["Retry-After"]) > 0
    assert client.get(f"{BASE}/me/").json()["code"] == "too_much"


@pytest.mark.django_db
def test_a_token_that_nobody_has_is_counted_for_its_address(client, limited):
    limited(REQUESTS, address=2)
    answers = [client.get(f"{BASE}/me/", HTTP_AUTHORIZATION="Bearer x").status_code for _ in range(3)]
    assert answers == [401, 401, 429]


@pytest.mark.django_db
def test_monitors_are_not_counted(client, limited):
    limited(REQUESTS, address=0)
    answers = [client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics", "/")]
    assert [status == 429 for status in answers] == [False, False, False, True]


@pytest.mark.django_db
def test_behind_a_proxy_each_visitor_has_a_count(client, settings, limited):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    limited(REQUESTS, address=3)

    def ask(address, forged):
        return client.get(f"{BASE}/rulesets/", HTTP_X_FORWARDED_FOR=f"{forged}, {address}").status_code

    assert [ask("198.51.100.1", f"10.0.0.{n}") for n in range(4)] == [200, 200, 200, 429]
    assert ask("198.51.100.2", "10.0.0.1") == 200


# Number of queries


def queries(client, path):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


@pytest.mark.parametrize("path", ["tables/", "turns/"])
def test_lists_take_as_many_queries_however_long(program, four, seated, leader, path):
    table = seated()
    client = program(leader(table))
    client.get(f"{BASE}/me/")
    before = queries(client, f"{BASE}/{path}")
    for _ in range(2):
        seated()
    assert queries(client, f"{BASE}/{path}") == before <= 7


@pytest.mark.parametrize("part", READ)
def test_a_table_takes_as_many_queries_however_long_the_log(program, seated, driver, part):
    table = driver.act(seated())
    client = program(table.creator)
    client.get(f"{BASE}/me/")
    before = queries(client, url(table, part))
    for _ in range(8):
        driver.act(table)
    assert queries(client, url(table, part)) == before <= 8


def test_the_docs_hold_no_script_of_their_own(client):
    page = client.get(f"{BASE}/docs/")
    assert page.status_code == 200
    assert b"<script>" not in page.content
    assert b"<style" not in page.content
    script = client.get(f"{BASE}/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert client.get(f"{BASE}/schema/").status_code == 200


# Hidden cards


def readers_of(program, table, person):
    return [*[(seat.number, program(seat.user)) for seat in table.seats.all()], (None, program(person("Eve")))]


def everything_sent(client, table, seat):
    parts = [part for part in READ if seat is not None or part != "legal-moves/"]
    sent = [client.get(url(table, part)).content for part in parts]
    wrong = {"moves": ["discard 3h", "draw", "draw"], "seen": table.move_count}
    sent.append(post(client, url(table, "moves/"), wrong).content)
    return [*sent, client.get(f"{BASE}/tables/").content, client.get(f"{BASE}/turns/").content]


def test_nobody_is_sent_a_card_that_another_holds(program, seated, driver, person):
    table = seated()
    readers = readers_of(program, table, person)
    for _ in range(12):
        driver.act(table)
        for seat, client in readers:
            view = client.get(url(table, "view/")).json()["view"]
            assert ["cards" in hand for hand in view["hands"]] == [number == seat for number in range(4)]
            assert isinstance(view["stock"], int)
            for line in client.get(url(table, "log/")).json()["lines"]:
                for event in line["events"]:
                    assert event["event"] != "drew" or ("cards" in event) == (event["seat"] == seat)


def test_the_cards_of_a_refused_claim_stay_hidden(program, seated, driver, leader, person):
    table = driver.until(seated("denexa", assist=False), lambda table: state_of(table).phase == "draw")
    hand = view_of(table, table.seat_to_act).hand
    claim = f"take {write_cards(hand[:1])} {write_cards(hand[-1:])}"
    response = post(program(leader(table)), url(table, "moves/"), {"moves": [claim], "seen": table.move_count})
    line = response.json()["log"][-1]
    assert [event["event"] for event in line["events"]] == ["penalty"]
    assert line["move"] == claim
    for seat, client in readers_of(program, table, person):
        log_line = client.get(url(table, "log/")).json()["lines"][-1]
        assert log_line["move"] == (claim if seat == table.seat_to_act else "take")
        assert seat == table.seat_to_act or claim not in client.get(url(table, "record/")).content.decode()


@pytest.mark.slow
@pytest.mark.parametrize("acts", [3, 25])
def test_other_hidden_cards_change_nothing_that_is_sent(program, seated, driver, person, acts):
    table = seated()
    for _ in range(acts):
        driver.act(table)
    for seat, client in readers_of(program, table, person):
        before = everything_sent(client, table, seat)
        snapshot = Table.objects.values_list("snapshot", flat=True).get(pk=table.pk)
        logged = list(Move.objects.filter(table=table))
        exchange(table, seat)
        assert everything_sent(client, table, seat) == before
        Table.objects.filter(pk=table.pk).update(snapshot=snapshot)
        Move.objects.bulk_update(logged, ["events"])


def exchange(table, seat):
    """Give the other seats, and the stock, each other’s cards; and change the log likewise."""
    table.refresh_from_db()
    state = state_of(table)
    others = [number for number in range(4) if number != seat and number != state.actor]
    hidden = sorted(b"".join(state.hands[number] for number in others) + state.stock)[::-1]
    changed, hands, start = state.draft(), list(state.hands), 0
    for number in others:
        hands[number] = bytes(sorted(hidden[start : start + len(hands[number])]))
        start += len(hands[number])
    changed.hands, changed.stock = tuple(hands), bytes(hidden[start:])
    keep(table, changed.freeze())
    table.save()
    for move in Move.objects.filter(table=table).exclude(seat=seat):
        for event in move.events:
            if event.get("private"):
                event["cards"] = " ".join(["9h"] * len(event["cards"].split()))
        move.save()
