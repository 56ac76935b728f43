"""Events by program: found, made, changed, announced, started, cancelled, held again; their organisers and history."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.tournaments.driving import play_round
from tournaments.models import Member, Tournament
from tournaments.services.entries import partners
from tournaments.services.events import lifecycle

pytestmark = pytest.mark.django_db


def test_templates_need_no_token(program):
    starters = {starter["name"]: starter for starter in program().get("starters/")["starters"]}
    assert starters["championship"]["formats"] == ["pod_knockout"]
    assert (starters["championship"]["entries"], starters["championship"]["entry_kind"]) == (54, "person")


def test_events_are_listed_newest_first_in_pages(program, new_event, olga, person):
    events = [new_event("swiss", 2, name=f"Cup {number}") for number in range(3)]
    hidden = new_event("swiss", 2, status="draft")
    bot, eve = program(olga), program(person("Eve"))
    first = bot.get("events/", limit=2)
    assert [event["slug"] for event in first["events"]] == [hidden.slug, events[2].slug]
    assert first["more"] is True
    rest = bot.get("events/", limit=2, before=events[2].slug)
    assert ([event["name"] for event in rest["events"]], rest["more"]) == (["Cup 1", "Cup 0"], False)
    assert [event["name"] for event in program().get("events/")["events"]] == ["Cup 2", "Cup 1", "Cup 0"]
    assert [event["name"] for event in eve.get("events/", name="cup 1")["events"]] == ["Cup 1"]
    assert eve.get("events/", which="mine")["events"] == []
    assert program().get("events/", which="mine")["events"] == []
    assert len(bot.get("events/", which="mine", status="open")["events"]) == 3
    assert first["events"][1]["entered"] == 2
    assert first["events"][1]["formats"].startswith("Swiss")


def test_an_event_from_full_settings(program, olga):
    starts = timezone.now() + timedelta(days=3)
    bot = program(olga)
    created = bot.post(
        "events/",
        201,
        name="Two Stages",
        entry_kind="partnership",
        side_size=2,
        setting="face",
        starts_at=starts.isoformat(),
        ruleset="standard",
        options={"length": {"deals": 2}},
        stages=[
            {"name": "Groups", "format": "groups", "choices": {"groups": 2}},
            {"format": "single_elimination", "choices": {"take": 4, "take_each": 2}},
        ],
    )
    assert [(stage["name"], stage["format"]) for stage in created["stages"]] == [
        ("Groups", "groups"),
        ("Knockout", "single_elimination"),
    ]
    assert created["rules"]["options"]["length"]["deals"] == 2
    assert (created["ruleset"], created["lots"], created["your_role"]) == ("standard", "", "owner")
    assert created["organisers"] == ["Olga"]
    assert bot.get(f"events/{created['slug']}/") == created


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({}, 422, "no_rules"),
        ({"starter": "no_such"}, 400, "invalid"),
        ({"ruleset": "standard"}, 422, "cannot_work"),
        ({"options": {}}, 422, "bad_input"),
        ({"starter": "swiss_weekend", "side_size": 3}, 422, "bad_settings"),
        ({"starter": "swiss_weekend", "time_zone": "Mars/Base"}, 422, "bad_settings"),
        ({"starter": "swiss_weekend", "stages": [{"format": "swiss", "choices": {"nonsense": 1}}]}, 422, "bad_plan"),
        ({"starter": "swiss_weekend", "stages": [{"format": "swiss", "choices": {"format": "x"}}]}, 422, "bad_plan"),
        (
            {"starter": "swiss_weekend", "stages": [{"format": "swiss", "choices": {"win": "1e999999"}}]},
            422,
            "bad_plan",
        ),
        ({"starter": "mixer", "stages": [{"format": "social", "choices": {"place_points": ["x"]}}]}, 422, "bad_plan"),
        ({"starter": "swiss_weekend", "terms": {"clock": 7}}, 422, "bad_settings"),
    ],
)
def test_events_that_cannot_be(program, olga, sent, status, code):
    assert program(olga).post("events/", status, name="Harbour", **sent)["code"] == code
    assert not Tournament.objects.exists()


def test_from_a_draft_to_its_start(program, olga, person):
    bot, eve = program(olga), program(person("Eve"))
    slug = bot.post("events/", 201, name="Weekend", starter="swiss_weekend", has_check_in=False)["slug"]
    path = f"events/{slug}"
    eve.get(f"{path}/", 404)
    answer = bot.post(f"{path}/settings/", venue="Harbour Hall", seen=0)
    assert (answer["sentence"], answer["version"]) == ("Changed: venue.", 1)
    assert bot.post(f"{path}/settings/", 409, venue="Elsewhere", seen=0) == {
        "code": "stale",
        "sentence": "Something has changed since you opened this page. Check it again.",
        "version": 1,
    }
    assert bot.post(f"{path}/settings/", 422, venue="Harbour Hall")["code"] == "same"
    assert bot.post(f"{path}/announce/", key="a")["status"] == "open"
    assert bot.post(f"{path}/announce/", key="a")["status"] == "open"
    assert bot.post(f"{path}/announce/", 422)["code"] == "wrong_status"
    assert eve.get(f"{path}/")["venue"] == "Harbour Hall"
    assert bot.post(f"{path}/close/")["status"] == "closed"
    assert bot.post(f"{path}/reopen/")["status"] == "open"
    bot.post(f"{path}/name-list/", 201, entries=[{"members": [f"A{at}", f"B{at}"]} for at in range(8)])
    assert bot.post(f"{path}/tell/", text="Bring a pen.")["sentence"] == "To all: Bring a pen."
    assert bot.post(f"{path}/seeds/", by="lot")["sentence"] == "8 entries were seeded by lot."
    assert bot.post(f"{path}/seeds/", by="rating")["sentence"] == "8 entries were seeded by rating."
    tried = bot.post(f"{path}/start/", preview=True)
    assert (tried["act"], tried["status"]) == (None, "open")
    assert bot.post(f"{path}/start/", anyway=True)["status"] == "running"
    assert len(bot.get(f"{path}/")["lots"]) == 16


def test_calling_off_needs_a_reason_and_the_next_edition_is_made_once(program, new_event, olga):
    event = new_event("swiss", 4)
    bot = program(olga)
    path = f"events/{event.slug}"
    bot.post(f"{path}/cancel/", 400)
    assert bot.post(f"{path}/cancel/", reason="Flood.", preview=True)["status"] == "open"
    assert bot.post(f"{path}/cancel/", reason="Flood.")["status"] == "cancelled"
    copies = [bot.post(f"{path}/copy/", 201, name="Next year", key="c")["slug"] for _ in range(2)]
    assert copies == ["next-year"] * 2
    assert bot.post(f"{path}/copy/", 422, name="Other", key="c")["code"] == "key_used"


# Keys


def test_a_key_is_for_one_request_of_one_person(program, new_event, olga, person):
    event = new_event("swiss", 4)
    path = f"events/{event.slug}"
    bot = program(olga)
    first = bot.post(f"{path}/tell/", text="One.", key="k")
    assert bot.post(f"{path}/tell/", text="One.", key="k") == first
    assert bot.post(f"{path}/tell/", 422, text="Two.", key="k")["code"] == "key_used"
    assert bot.post(f"{path}/close/", 422, key="k")["code"] == "key_used"
    eve = person("Eve")
    event.organisers.create(user=eve, role="director")
    assert program(eve).post(f"{path}/tell/", text="One.", key="k")["act"] != first["act"]


# Organisers


def test_organisers_come_and_go(program, new_event, olga, person):
    event, eve = new_event("swiss", 4), person("Eve")
    path = f"events/{event.slug}/organisers"
    bot = program(olga)
    tried = bot.post(f"{path}/", who="Eve", preview=True)
    assert tried["sentence"] == "Eve became a director."
    added = bot.post(f"{path}/", 201, who="Eve", role="scorer")
    assert (added["name"], added["role"]) == ("Eve", "scorer")
    assert bot.get(f"{path}/")["organisers"][1] == added
    assert bot.post(f"{path}/{added['id']}/role/", role="director")["sentence"] == (
        "Eve became a director, no longer a scorer."
    )
    own_role = event.organisers.get(user=olga).pk
    assert program(eve).post(f"{path}/{own_role}/remove/", 403)["code"] == "not_your_part"
    assert bot.post(f"{path}/{own_role}/remove/", 422)["code"] == "last_owner"
    program(eve).post(f"{path}/{added['id']}/remove/")
    assert len(bot.get(f"{path}/")["organisers"]) == 1


# History


def test_organisers_see_the_history_and_others_what_changed_the_draw(program, new_event, olga, person):
    event = new_event("swiss", 4, entry_limit=10)
    path = f"events/{event.slug}"
    bot = program(olga)
    bot.post(f"{path}/tell/", text="A private word.")
    bot.post(f"{path}/entries/1/rename/", name="The Firsts", reason="They asked.")
    bot.post(f"{path}/start/")
    bot.post(f"{path}/entries/2/disqualify/", reason="A private matter.")
    acts = bot.get(f"{path}/history/")["acts"]
    assert [act["kind"] for act in acts] == ["disqualify", "start", "rename", "told"]
    assert (acts[0]["by"], acts[0]["reason"], acts[0]["can_undo"]) == ("Olga", "A private matter.", True)
    assert acts[2]["changes"] == [{"what": "The Firsts: name", "was": "Player 1", "became": "The Firsts"}]
    for client in (program(), program(person("Eve"))):
        public_acts = client.get(f"{path}/history/")["acts"]
        assert [act["kind"] for act in public_acts] == ["disqualify", "start"]
        assert {(act["by"], act["reason"], act["can_undo"], len(act["changes"])) for act in public_acts} == {
            ("", "", False, 0)
        }
    page = bot.get(f"{path}/history/", limit=1, before=acts[0]["id"])
    assert ([act["kind"] for act in page["acts"]], page["more"]) == (["start"], True)


def test_no_token_or_address_is_ever_sent(program, new_event, olga, players):
    event = new_event("swiss", 2, kind="partnership")
    path = f"events/{event.slug}"
    bot = program(olga)
    bot.post(f"{path}/own/invite/", 403, who="x")
    lifecycle.cancel(new_event("swiss", 2).pk, olga, reason="Other.")
    entered = program(players(6)[5])
    entered.post(f"{path}/enter/", 201, partners=["secret@example.org"])
    member = Member.objects.get(email="secret@example.org")
    for part in ("", "history/", "entries/", "entries/3/", "matches/", "organisers/"):
        body = bot.client.get(f"/api/v1/{path}/{part}").content.decode()
        assert member.token not in body
        assert "secret@example.org" not in body


def test_undoing_with_its_preview(program, new_event, olga, person):
    event = new_event("swiss", 4, started=True)
    path = f"events/{event.slug}"
    bot = program(olga)
    act = bot.post(f"{path}/entries/4/withdraw/", at_once=True)
    undo = f"{path}/history/{act['act']}/undo/"
    tried = bot.post(undo, preview=True)
    assert tried["preview"]["lines"][-1]["sign"] == "falls"
    assert bot.get(f"{path}/entries/4/")["status"] == "withdrawn"
    answer = bot.post(undo, key="u")
    assert bot.post(undo, key="u") == answer
    assert bot.post(undo, 422)["code"] == "undone"
    assert bot.get(f"{path}/entries/4/")["status"] == "entered"
    acts = bot.get(f"{path}/history/")["acts"]
    assert (acts[0]["undoes"], acts[1]["is_undone"], acts[1]["can_undo"]) == (act["act"], True, False)
    assert bot.post(f"{path}/history/1234567/undo/", 404)["code"] == "not_found"
    scorer = person("Sam")
    event.organisers.create(user=scorer, role="scorer")
    assert program(scorer).post(undo, 403)["code"] == "not_your_part"


# Queries


def queries(bot, path, **query):
    bot.get("starters/")  # which notes when the token was used
    with CaptureQueriesContext(connection) as context:
        bot.get(path, **query)
    return len(context)


@pytest.mark.slow
def test_doors_take_as_many_queries_however_big_the_event(program, new_event, olga):
    small, big = new_event("swiss", 4, rounds=3, started=True), new_event("swiss", 16, rounds=3, started=True)
    play_round(small, olga)
    for _ in range(2):
        play_round(big, olga)
    bot = program(olga)
    for part in (
        "", "entries/", "entries/1/", "history/", "matches/", "stages/1/rounds/", "stages/1/rounds/1/",
        "stages/1/standings/", "stages/1/matches/R1.1/", "stages/1/adjustments/", "organisers/",
    ):  # fmt: skip
        counts = {queries(bot, f"events/{event.slug}/{part}") for event in (small, big, small)}
        assert len(counts) == 1, part
        assert max(counts) < 25, part


def test_a_bracket_takes_as_many_queries_however_big(program, new_event, olga):
    small, big = (new_event("double_elimination", count, started=True) for count in (4, 16))
    play_round(big, olga)
    bot = program(olga)
    for part in ("stages/1/bracket/", "stages/1/standings/"):
        assert len({queries(bot, f"events/{event.slug}/{part}") for event in (small, big)}) == 1


def test_lists_take_as_many_queries_however_long(program, new_event, olga):
    new_event("swiss", 2)
    bot = program(olga)
    few = queries(bot, "events/"), queries(bot, "events/", which="mine")
    for _ in range(3):
        new_event("swiss", 2)
    assert (queries(bot, "events/"), queries(bot, "events/", which="mine")) == few


def test_a_long_list_of_names_takes_as_many_queries_as_a_short_one(program, new_event, olga):
    bot, counts = program(olga), []
    bot.get("starters/")  # which notes when the token was used
    for size in (3, 512):
        path = f"events/{new_event('swiss', 0).slug}/name-list/"
        with CaptureQueriesContext(connection) as context:
            bot.post(path, 201, entries=[{"members": [f"Name {at}"]} for at in range(size)])
        counts.append(sum(not query["sql"].startswith(("INSERT", "SAVEPOINT", "RELEASE")) for query in context))
    assert counts[0] == counts[1]


def test_invitations_are_answered(program, new_event, players):
    event = new_event("swiss", 0, kind="partnership")
    ann, ben = players(2)
    by_ann, by_ben = program(ann), program(ben)
    entered = by_ann.post(f"events/{event.slug}/enter/", 201, partners=["player2"], key="e")
    assert by_ann.post(f"events/{event.slug}/enter/", 201, partners=["player2"], key="e") == entered
    assert (entered["status"], entered["members"][1]["answer"]) == ("forming", "invited")
    (invitation,) = by_ben.get("competing/invitations/")["invitations"]
    assert (invitation["event"], invitation["entry"]) == (event.slug, 1)
    assert by_ann.post(f"competing/invitations/{invitation['id']}/accept/", 404)["code"] == "not_found"
    path = f"competing/invitations/{invitation['id']}"
    by_ben.post(f"{path}/decline/")
    assert by_ben.get("competing/invitations/")["invitations"] == []
    repeated = partners.invite(event.entries.get().pk, ann, person=ben)
    path = f"competing/invitations/{repeated.pk}"
    by_ben.post(f"{path}/accept/")
    by_ben.post(f"{path}/accept/")
    assert by_ben.get(f"events/{event.slug}/own/")["status"] == "entered"
    assert by_ben.get(f"events/{event.slug}/")["your_entry"] == 1
