"""API views of events: access and refusals."""

import pytest
from django.urls import get_resolver, resolve

from accounts.scopes import SCOPES
from tests.tournaments.programs import BASE
from tournaments.models import Act, Member, Organiser, Tournament
from tournaments.services.matches import point_adjustments, results

pytestmark = pytest.mark.django_db

EVENT = "events/<slug:event>/"
ENTRY = f"{EVENT}entries/<int:entry>/"
STAGE = f"{EVENT}stages/<int:stage>/"
ROUND = f"{STAGE}rounds/<int:round>/"
MATCH = f"{STAGE}matches/<str:match>/"

PUBLIC = {
    EVENT, f"{EVENT}entries/", ENTRY, f"{EVENT}matches/", MATCH, f"{EVENT}history/", f"{STAGE}standings/",
    f"{STAGE}bracket/", f"{STAGE}rounds/", ROUND, f"{STAGE}adjustments/", f"{STAGE}crosstable/", f"{EVENT}results/",
    f"{EVENT}rules/", f"{ENTRY}path/", f"{STAGE}boards/", f"{STAGE}boards/<int:board>/",
}  # fmt: skip
"""Public API views of an event, for anyone with access to it."""
FILES = {
    f"{ENTRY}calendar.ics",
    *(f"{EVENT}files/{name}" for name in (
        "event.json", "entries.csv", "results.csv", "schedule.csv", "schedule.pdf", "calendar.ics", "feed.atom",
        "preview.png",
    )),
    *(f"{STAGE}files/{name}" for name in ("standings.csv", "standings.pdf", "crosstable.pdf", "bracket.pdf")),
}  # fmt: skip
"""The same, of files."""
RATINGS = {
    "ratings/<slug:pool>/", "ratings/<slug:pool>/partnerships/", "people/<str:username>/ratings/",
    "people/<str:username>/ratings/<slug:pool>/",
    "people/<str:username>/with/<str:partner>/ratings/<slug:pool>/",
}  # fmt: skip
FREE = {"starters/", "events/"}
"""Lists that need no token."""
OWN_LISTS = {"competing/matches/", "competing/invitations/", "competing/calendar/"}
LINES = {"lines": [{"entry": 2, "score": 100}, {"entry": 6, "score": 50}]}

ON_ENTRIES = ("withdraw", "check-in", "bye", "rename", "invite", "drop", "captain", "member-role", "order")
ORGANISE = {
    **{f"{EVENT}{act}/": {} for act in (
        "settings", "announce", "close", "reopen", "start", "cancel", "copy", "tell", "name-list", "late", "seeds",
        "apart", "draw", "organisers", "entries", "stages",
    )},
    **{f"{EVENT}organisers/<int:organiser>/{act}/": {} for act in ("role", "remove")},
    f"{EVENT}history/<int:act>/undo/": {},
    f"{EVENT}fair-play/remark/": {},
    **{f"{EVENT}hall/{act}/": {} for act in ("open", "close", "note", "start", "pause", "resume", "stop")},
    **{f"{ENTRY}{act}/": {} for act in (
        *ON_ENTRIES, "absent", "put-back", "disqualify", "reinstate", "accept", "wait", "replace", "challenge", "free",
    )},
    **{f"{STAGE}{act}/": {} for act in ("change", "remove", "go", "admit", "end", "tie", "adjustments")},
    f"{STAGE}adjustments/<int:adjustment>/take-back/": {},
    f"{STAGE}boards/deal/": {},
    **{f"{ROUND}{act}/": {} for act in ("redraw", "swap", "move", "times")},
    **{f"{MATCH}{act}/": {} for act in ("times", "where", "call-off", "ask", "substitute")},
}  # fmt: skip
"""API views for organisers, with a body: access is checked before the body is read."""
RESULTS = {
    **{f"{MATCH}{act}/": {} for act in ("confirm", "decide", "take-back", "walkover")},
    f"{STAGE}boards/<int:board>/results/": {},
    f"{MATCH}report/": LINES,
    f"{MATCH}answer/": {"result": 1, "agrees": True},
    f"{MATCH}sheet/deal/": {"deal": {"points": [1, 2]}, "seen": 0},
    f"{MATCH}sheet/replace/": {"deals": [], "seen": 0},
    f"{MATCH}sheet/take-away/": {"number": 1, "seen": 0},
    f"{MATCH}sheet/stop/": {"is_stopped": True, "seen": 0},
    f"{MATCH}sheet/send/": {"seen": 0},
}
ENTER = {
    f"{EVENT}enter/": {},
    **{f"{EVENT}own/{act}/": {} for act in ON_ENTRIES},
    f"{STAGE}challenge/": {"entry": 1},
    f"{STAGE}free/": {},
    f"{MATCH}own-substitute/": {"members": []},
    "competing/invitations/<int:invitation>/accept/": {},
    "competing/invitations/<int:invitation>/decline/": {},
}
WRITE = {
    **{door: ("events_organise", body) for door, body in ORGANISE.items()},
    **{door: ("events_results", body) for door, body in RESULTS.items()},
    **{door: ("events_enter", body) for door, body in ENTER.items()},
}
OWN = f"{EVENT}own/"
SHEETS = {f"{MATCH}sheet/", f"{MATCH}photos/", *(
    f"table-cards/<str:token>/{part}" for part in (
        "", "<int:place>/", *(f"<int:place>/{act}/" for act in (
            "deal", "replace", "take-away", "stop", "send", "answer", "photos",
        )),
    )
)}  # fmt: skip
"""Own score sheet of a match, and everything behind its table card: see test_api_score_sheets.py."""
FORECAST = "forecast/"
"""Calculates something for people who may create events, and stores nothing."""
LOOK_AND_ADD = {f"{EVENT}{name}/" for name in ("entries", "organisers", "apart", "draw")} | {f"{STAGE}adjustments/"}
"""Addresses with a list and a way to add to it."""
FOR_ORGANISERS = {
    f"{EVENT}organisers/",
    f"{EVENT}apart/",
    f"{EVENT}draw/",
    f"{EVENT}forecast/",
    f"{EVENT}next/",
    f"{EVENT}fair-play/",
    f"{EVENT}hall/",
}
"""Lists that only organisers see."""

STRANGER = {
    f"{EVENT}enter/": 422,  # it has begun
    f"{MATCH}answer/": 403,
    "competing/invitations/<int:invitation>/accept/": 404,
    "competing/invitations/<int:invitation>/decline/": 404,
}
"""Answers to someone who neither plays nor organises; all other API views answer 403."""


@pytest.fixture
def running(new_event, olga):
    """A Swiss under way with a result, a report, points by decision, and an entry whose partner has not answered."""
    event = new_event("swiss", 8, started=True)
    first, second = event.stages.get().rounds.get().pairings.order_by("number")[:2]
    lines = [{"entry": place.entry_id, "score": 100 + place.number} for place in first.places.all()]
    results.decide(first.pk, lines, by=olga)
    user = second.places.first().entry.members.get().user
    results.report(
        second.pk, [{"entry": place.entry_id, "score": 100 + place.number} for place in second.places.all()], by=user
    )
    entry = event.entries.first()
    point_adjustments.adjust(event.stages.get().pk, olga, entry_id=entry.pk, points=1, reason="For help.")
    Member.objects.create(entry=entry, tournament=event, name="Eve", answer="invited")
    return event


def at(event, door):
    """The path of an API view, filled with rows of the event."""
    from tournaments.models import Adjustment

    parts = {
        "<slug:event>": event.slug,
        "<int:entry>": 1,
        "<int:stage>": 1,
        "<int:round>": 1,
        "<int:board>": 1,
        "<str:match>": "R1.2",
        "<int:organiser>": Organiser.objects.get(tournament=event).pk,
        "<int:act>": Act.objects.filter(tournament=event).first().pk,
        "<int:adjustment>": Adjustment.objects.get(stage__tournament=event).pk,
        "<int:invitation>": Member.objects.get(tournament=event, answer="invited").pk,
    }
    for name, value in parts.items():
        door = door.replace(name, str(value))
    return door


def sent(event, door):
    """The body for an API view."""
    from tournaments.models import Result

    _, body = WRITE[door]
    return body | ({"result": Result.objects.latest("pk").pk} if "result" in body else {})


def stored(event):
    event.refresh_from_db()
    return event.version, event.status, Act.objects.count(), Tournament.objects.count(), Member.objects.count()


def test_every_address_is_in_these_tests():
    routes = {str(pattern.pattern) for pattern in get_resolver("tournaments.api.urls").url_patterns}
    assert routes == PUBLIC | FILES | RATINGS | FREE | OWN_LISTS | FOR_ORGANISERS | SHEETS | {OWN, FORECAST} | set(
        WRITE
    )


def test_who_has_no_token_sees_what_is_public(program, running):
    for door in sorted(PUBLIC - {f"{STAGE}bracket/", f"{STAGE}boards/<int:board>/"}):
        program().get(at(running, door))


def test_a_private_event_is_not_there_for_a_stranger(program, running, person, olga):
    Tournament.objects.update(visibility="circle", circle="club:none")
    for client in (program(), program(person("Eve"))):
        for door in sorted(PUBLIC):
            assert client.get(at(running, door), 404)["code"] == "not_found"
    program(olga).get(at(running, EVENT))


def test_no_door_to_a_draft_opens_for_a_stranger(program, running, person):
    eve = program(person("Eve"))
    Tournament.objects.update(status="draft")
    for door in sorted(set(WRITE) | {OWN}):
        response = eve.client.post(f"{BASE}/{at(running, door)}", {}, format="json")
        assert response.status_code == (405 if door == OWN else 404), door


def test_who_has_no_token_gets_nowhere(program, running):
    before, nobody = stored(running), program()
    for door in sorted(WRITE):
        assert nobody.post(at(running, door), 401)["code"] == "not_authenticated"
    for door in sorted({*FOR_ORGANISERS, *OWN_LISTS, OWN}):
        assert nobody.get(at(running, door), 401)["code"] == "not_authenticated"
    assert stored(running) == before


def test_a_token_does_only_what_it_is_for(program, running, olga):
    before = stored(running)
    without = {
        needed: program(olga, *(set(SCOPES) - {needed}))
        for needed in ("events_organise", "events_results", "events_enter")
    }
    for door, (needed, body) in WRITE.items():
        refused = without[needed].post(at(running, door), 403, **body)
        assert (refused["code"], needed in refused["sentence"]) == ("permission_denied", True), door
    assert stored(running) == before


def test_a_token_that_is_not_for_seeing_events_sees_none(program, running, olga):
    blind = program(olga, "read", "events_organise")
    for door in sorted((PUBLIC | FREE | OWN_LISTS | {OWN}) - LOOK_AND_ADD):
        assert blind.get(at(running, door), 403)["code"] == "permission_denied", door


@pytest.mark.slow
def test_a_stranger_does_nothing(program, running, person):
    eve = program(person("Eve"))
    before = stored(running)
    for door in sorted(WRITE):
        refused = eve.post(at(running, door), STRANGER.get(door, 403), **sent(running, door))
        assert refused["code"] in ("not_organiser", "not_in_it", "not_yours", "has_begun", "not_found"), door
        assert refused["sentence"].endswith(".")
    for door in sorted(FOR_ORGANISERS | {OWN}):
        assert eve.get(at(running, door), 403)["code"] in ("not_organiser", "not_in_it")
    assert stored(running) == before


def test_a_scorer_enters_results_and_organises_nothing(program, running, person):
    eve = person("Eve")
    Organiser.objects.create(tournament=running, user=eve, role="scorer")
    bot = program(eve)
    for door in ORGANISE:
        allowed = (f"{ENTRY}check-in/", f"{ENTRY}absent/", f"{ENTRY}put-back/", "organisers/<", "undo/", "hall/")
        if not door.endswith(allowed[:3]) and not any(part in door for part in allowed[3:]):
            path = f"events/{running.slug}/" + door.removeprefix(EVENT)
            parts = {"<int:entry>": "1", "<int:stage>": "1", "<int:round>": "1", "<str:match>": "R1.2"}
            for name, value in {**parts, "<int:adjustment>": "1"}.items():
                path = path.replace(name, value)
            assert bot.post(path, 403)["code"] == "not_your_part", door
    match = bot.get(f"events/{running.slug}/stages/1/matches/R1.2/")
    bot.post(f"events/{running.slug}/stages/1/matches/R1.2/confirm/", result=match["newest"])
    lines = [{"entry": place["entry"], "score": 7} for place in match["places"]]
    refused = bot.post(f"events/{running.slug}/stages/1/matches/R1.2/decide/", 403, lines=lines, reason="Wrong.")
    assert refused["code"] == "not_your_part"


@pytest.mark.slow
def test_other_methods_are_refused(program, running, olga):
    client = program(olga).client
    gets = PUBLIC | FREE | OWN_LISTS | FOR_ORGANISERS | {OWN}
    for door in sorted(set(WRITE) | gets):
        path = f"{BASE}/{at(running, door)}"
        right = ({"get"} if door in gets else set()) | ({"post"} if door in WRITE or door == "events/" else set())
        for method in {"get", "post", "put", "delete"} - right:
            assert getattr(client, method)(path).status_code == 405, (door, method)


def test_no_door_takes_more_than_it_asks_for(program, running, olga, user_of, entry):
    player = user_of(entry(running, 1))
    Member.objects.filter(answer="invited").update(user=player)
    by_player, organiser = program(player), program(olga)
    for door in sorted(WRITE):
        refused = (by_player if door in ENTER else organiser).post(at(running, door), 400, surprise=1)
        assert refused["fields"]["surprise"] == ["There is no such field here."], door


def test_what_is_not_there_is_not_found(program, running, olga):
    bot = program(olga)
    for part in (
        "entries/99/",
        "stages/9/standings/",
        "stages/1/rounds/9/",
        "stages/1/matches/X/",
        "stages/1/bracket/",
    ):
        assert bot.get(f"events/{running.slug}/{part}", 404)["code"] == "not_found"
    for part in ("entries/{}/", "stages/{}/standings/", "stages/1/rounds/{}/", "stages/{}/matches/R1.1/"):
        bot.get(f"events/{running.slug}/{part.format('9' * 30)}", 404)
    for part in ("history/{}/undo/", "organisers/{}/remove/", "stages/1/adjustments/{}/take-back/"):
        bot.post(f"events/{running.slug}/{part.format('9' * 30)}", 404)


def test_the_doors_are_where_the_schema_says(running):
    assert resolve(f"{BASE}/{at(running, EVENT)}").view_name == "events_api:event"


@pytest.mark.slow
def test_no_json_breaks_a_door(program, running, olga):
    """Values that fields of any kind cannot have are refused, and nothing else."""
    bot = program(olga)
    draft = bot.post("events/", 201, name="Draft", starter="swiss_weekend")["slug"]
    deep = {"a": {"a": [{"a": 1}]}}
    hostile = ["9" * 5000, 2**64, -1, 1e308, None, True, [], {}, [[]], deep, "1e999999999", "1/0", "Infinity", "٣"]
    fields = {
        f"events/{draft}/settings/": ("terms", "circle", "time_zone", "starts_at", "entry_limit", "options"),
        f"events/{draft}/stages/": ("choices", "at", "name"),
        f"events/{running.slug}/stages/1/adjustments/": ("points", "entry"),
        f"events/{running.slug}/stages/1/matches/R1.3/decide/": ("lines", "winner", "known"),
        f"events/{running.slug}/entries/": ("members", "name"),
        f"events/{running.slug}/seeds/": ("order", "by"),
    }
    right = {
        "ruleset": "standard", "format": "swiss", "reason": "x", "lines": LINES["lines"], "by": "hand", "entry": 1,
        "points": "1", "members": ["Ann"],
    }  # fmt: skip
    required = {"settings": ("ruleset",), "stages": ("format",), "adjustments": ("reason", "entry", "points"),
             "decide": ("lines", "reason"), "entries": ("members",), "seeds": ("by",)}  # fmt: skip
    for path, names in fields.items():
        base = {name: right[name] for name in required[path.split("/")[-2]]}
        for name in names:
            values = hostile + [dict.fromkeys(("clock", "win", "rounds", "tiebreaks"), value) for value in hostile]
            for value in values:
                sent = {**base, name: value, "preview": True}
                response = bot.client.post(f"{BASE}/{path}", sent, format="json")
                assert response.status_code in (200, 400, 422, 429), (path, name, str(value)[:60])
