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
    found = {one["name"]: one for one in program().get("starters/")["starters"]}
    assert found["championship"]["formats"] == ["pod_knockout"]
    assert (found["championship"]["entries"], found["championship"]["entry_kind"]) == (54, "person")


def test_events_are_listed_newest_first_in_pages(program, event, olga, person):
    made = [event("swiss", 2, name=f"Cup {number}") for number in range(3)]
    hidden = event("swiss", 2, status="draft")
    bot, eve = program(olga), program(person("Eve"))
    first = bot.get("events/", limit=2)
    assert [one["slug"] for one in first["events"]] == [hidden.slug, made[2].slug]
    assert first["more"] is True
    rest = bot.get("events/", limit=2, before=made[2].slug)
    assert ([one["name"] for one in rest["events"]], rest["more"]) == (["Cup 1", "Cup 0"], False)
    assert [one["name"] for one in program().get("events/")["events"]] == ["Cup 2", "Cup 1", "Cup 0"]
    assert [one["name"] for one in eve.get("events/", name="cup 1")["events"]] == ["Cup 1"]
    assert eve.get("events/", which="mine")["events"] == []
    assert program().get("events/", which="mine")["events"] == []
    assert len(bot.get("events/", which="mine", status="open")["events"]) == 3
    assert first["events"][1]["entered"] == 2
    assert first["events"][1]["formats"].startswith("Swiss")


def test_an_event_from_full_settings(program, olga):
    starts = timezone.now() + timedelta(days=3)
    bot = program(olga)
    made = bot.post(
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
    assert [(one["name"], one["format"]) for one in made["stages"]] == [
        ("Groups", "groups"),
        ("Knockout", "single_elimination"),
    ]
    assert made["rules"]["options"]["length"]["deals"] == 2
    assert (made["ruleset"], made["lots"], made["your_role"]) == ("standard", "", "owner")
    assert made["organisers"] == ["Olga"]
    assert bot.get(f"events/{made['slug']}/") == made


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
    done = bot.post(f"{path}/settings/", venue="Harbour Hall", seen=0)
    assert (done["sentence"], done["version"]) == ("Changed: venue.", 1)
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


def test_calling_off_needs_a_reason_and_the_next_edition_is_made_once(program, event, olga):
    found = event("swiss", 4)
    bot = program(olga)
    path = f"events/{found.slug}"
    bot.post(f"{path}/cancel/", 400)
    assert bot.post(f"{path}/cancel/", reason="Flood.", preview=True)["status"] == "open"
    assert bot.post(f"{path}/cancel/", reason="Flood.")["status"] == "cancelled"
    copies = [bot.post(f"{path}/copy/", 201, name="Next year", key="c")["slug"] for _ in range(2)]
    assert copies == ["next-year"] * 2
    assert bot.post(f"{path}/copy/", 422, name="Other", key="c")["code"] == "key_used"


# Keys


def test_a_key_is_for_one_request_of_one_person(program, event, olga, person):
    found = event("swiss", 4)
    path = f"events/{found.slug}"
    bot = program(olga)
    first = bot.post(f"{path}/tell/", text="One.", key="k")
    assert bot.post(f"{path}/tell/", text="One.", key="k") == first
    assert bot.post(f"{path}/tell/", 422, text="Two.", key="k")["code"] == "key_used"
    assert bot.post(f"{path}/close/", 422, key="k")["code"] == "key_used"
    eve = person("Eve")
    found.organisers.create(user=eve, role="director")
    assert program(eve).post(f"{path}/tell/", text="One.", key="k")["act"] != first["act"]


# Organisers


def test_organisers_come_and_go(program, event, olga, person):
    found, eve = event("swiss", 4), person("Eve")
    path = f"events/{found.slug}/organisers"
    bot = program(olga)
    tried = bot.post(f"{path}/", who="Eve", preview=True)
    assert tried["sentence"] == "Eve became a director."
    added = bot.post(f"{path}/", 201, who="Eve", role="scorer")
    assert (added["name"], added["role"]) == ("Eve", "scorer")
    assert bot.get(f"{path}/")["organisers"][1] == added
    assert bot.post(f"{path}/{added['id']}/role/", role="director")["sentence"] == (
        "Eve became a director, no longer a scorer."
    )
    own = found.organisers.get(user=olga).pk
    assert program(eve).post(f"{path}/{own}/remove/", 403)["code"] == "not_your_part"
    assert bot.post(f"{path}/{own}/remove/", 422)["code"] == "last_owner"
    program(eve).post(f"{path}/{added['id']}/remove/")
    assert len(bot.get(f"{path}/")["organisers"]) == 1


# History


def test_organisers_see_the_history_and_others_what_changed_the_draw(program, event, olga, person):
    found = event("swiss", 4, entry_limit=10)
    path = f"events/{found.slug}"
    bot = program(olga)
    bot.post(f"{path}/tell/", text="A private word.")
    bot.post(f"{path}/entries/1/rename/", name="The Firsts", reason="They asked.")
    bot.post(f"{path}/start/")
    bot.post(f"{path}/entries/2/disqualify/", reason="A private matter.")
    told = bot.get(f"{path}/history/")["acts"]
    assert [one["kind"] for one in told] == ["disqualify", "start", "rename", "told"]
    assert (told[0]["by"], told[0]["reason"], told[0]["can_undo"]) == ("Olga", "A private matter.", True)
    assert told[2]["changes"] == [{"what": "The Firsts: name", "was": "Player 1", "became": "The Firsts"}]
    for client in (program(), program(person("Eve"))):
        shown = client.get(f"{path}/history/")["acts"]
        assert [one["kind"] for one in shown] == ["disqualify", "start"]
        assert {(one["by"], one["reason"], one["can_undo"], len(one["changes"])) for one in shown} == {
            ("", "", False, 0)
        }
    page = bot.get(f"{path}/history/", limit=1, before=told[0]["id"])
    assert ([one["kind"] for one in page["acts"]], page["more"]) == (["start"], True)


def test_no_token_or_address_is_ever_sent(program, event, olga, players):
    found = event("swiss", 2, kind="partnership")
    path = f"events/{found.slug}"
    bot = program(olga)
    bot.post(f"{path}/own/invite/", 403, who="x")
    lifecycle.cancel(event("swiss", 2).pk, olga, reason="Other.")
    entered = program(players(6)[5])
    entered.post(f"{path}/enter/", 201, partners=["secret@example.org"])
    member = Member.objects.get(email="secret@example.org")
    for part in ("", "history/", "entries/", "entries/3/", "matches/", "organisers/"):
        body = bot.client.get(f"/api/v1/{path}/{part}").content.decode()
        assert member.token not in body
        assert "secret@example.org" not in body


def test_undoing_with_its_preview(program, event, olga, person):
    found = event("swiss", 4, started=True)
    path = f"events/{found.slug}"
    bot = program(olga)
    act = bot.post(f"{path}/entries/4/withdraw/", at_once=True)
    undo = f"{path}/history/{act['act']}/undo/"
    tried = bot.post(undo, preview=True)
    assert tried["preview"]["lines"][-1]["sign"] == "falls"
    assert bot.get(f"{path}/entries/4/")["status"] == "withdrawn"
    done = bot.post(undo, key="u")
    assert bot.post(undo, key="u") == done
    assert bot.post(undo, 422)["code"] == "undone"
    assert bot.get(f"{path}/entries/4/")["status"] == "entered"
    told = bot.get(f"{path}/history/")["acts"]
    assert (told[0]["undoes"], told[1]["is_undone"], told[1]["can_undo"]) == (act["act"], True, False)
    assert bot.post(f"{path}/history/1234567/undo/", 404)["code"] == "not_found"
    scorer = person("Sam")
    found.organisers.create(user=scorer, role="scorer")
    assert program(scorer).post(undo, 403)["code"] == "not_your_part"


# Queries


def queries(bot, path, **query):
    bot.get("starters/")  # which notes when the token was used
    with CaptureQueriesContext(connection) as seen:
        bot.get(path, **query)
    return len(seen)


@pytest.mark.slow
def test_doors_take_as_many_queries_however_big_the_event(program, event, olga):
    small, big = event("swiss", 4, rounds=3, started=True), event("swiss", 16, rounds=3, started=True)
    play_round(small, olga)
    for _ in range(2):
        play_round(big, olga)
    bot = program(olga)
    for part in (
        "", "entries/", "entries/1/", "history/", "matches/", "stages/1/rounds/", "stages/1/rounds/1/",
        "stages/1/standings/", "stages/1/matches/R1.1/", "stages/1/adjustments/", "organisers/",
    ):  # fmt: skip
        counts = {queries(bot, f"events/{one.slug}/{part}") for one in (small, big, small)}
        assert len(counts) == 1, part
        assert max(counts) < 25, part


def test_a_bracket_takes_as_many_queries_however_big(program, event, olga):
    small, big = (event("double_elimination", count, started=True) for count in (4, 16))
    play_round(big, olga)
    bot = program(olga)
    for part in ("stages/1/bracket/", "stages/1/standings/"):
        assert len({queries(bot, f"events/{one.slug}/{part}") for one in (small, big)}) == 1


def test_lists_take_as_many_queries_however_long(program, event, olga):
    event("swiss", 2)
    bot = program(olga)
    one = queries(bot, "events/"), queries(bot, "events/", which="mine")
    for _ in range(3):
        event("swiss", 2)
    assert (queries(bot, "events/"), queries(bot, "events/", which="mine")) == one


def test_a_long_list_of_names_takes_as_many_queries_as_a_short_one(program, event, olga):
    bot, counts = program(olga), []
    bot.get("starters/")  # which notes when the token was used
    for size in (3, 512):
        path = f"events/{event('swiss', 0).slug}/name-list/"
        with CaptureQueriesContext(connection) as seen:
            bot.post(path, 201, entries=[{"members": [f"Name {at}"]} for at in range(size)])
        counts.append(len([one for one in seen if not one["sql"].startswith(("INSERT", "SAVEPOINT", "RELEASE"))]))
    assert counts[0] == counts[1]


def test_invitations_are_answered(program, event, players):
    found = event("swiss", 0, kind="partnership")
    ann, ben = players(2)
    own, asked = program(ann), program(ben)
    entered = own.post(f"events/{found.slug}/enter/", 201, partners=["player2"], key="e")
    assert own.post(f"events/{found.slug}/enter/", 201, partners=["player2"], key="e") == entered
    assert (entered["status"], entered["members"][1]["answer"]) == ("forming", "invited")
    (invitation,) = asked.get("competing/invitations/")["invitations"]
    assert (invitation["event"], invitation["entry"]) == (found.slug, 1)
    assert own.post(f"competing/invitations/{invitation['id']}/accept/", 404)["code"] == "not_found"
    path = f"competing/invitations/{invitation['id']}"
    asked.post(f"{path}/decline/")
    assert asked.get("competing/invitations/")["invitations"] == []
    row = partners.invite(found.entries.get().pk, ann, who=ben)
    path = f"competing/invitations/{row.pk}"
    asked.post(f"{path}/accept/")
    asked.post(f"{path}/accept/")
    assert asked.get(f"events/{found.slug}/own/")["status"] == "entered"
    assert asked.get(f"events/{found.slug}/")["your_entry"] == 1
