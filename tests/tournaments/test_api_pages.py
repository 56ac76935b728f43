"""Public pages by program: crosstables, results, paths, rules, files, forecasts, ratings."""

import csv
import io
import json

import pytest

from engine.compete.movements.whist_designs import design
from tests.tournaments.driving import decide, open_pairings, play_out, play_round
from tests.tournaments.programs import BASE
from tournaments.event_templates import STARTERS
from tournaments.models import RatedGame, Rating, RatingStep, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def anybody(program):
    """The public view of an event: `anybody(event, part)`."""
    client = program()
    return lambda event, part, expected=200, **query: client.get(f"events/{event.slug}/{part}", expected, **query)


def of_entry(rows, number):
    (line,) = [line for line in rows if line["entry"] == number]
    return line


# Crosstables


def test_a_crosstable_has_everybody_against_everybody(anybody, new_event, olga):
    event = new_event("round_robin", 4, started=True)
    play_out(event, olga)
    (table,) = anybody(event, "stages/1/crosstable/")["tables"]
    assert (table["by_round"], [head["text"] for head in table["heads"]]) == (False, ["1", "2", "3", "4"])
    assert [line["entry"] for line in table["lines"]] == [1, 2, 3, 4]
    best = table["lines"][0]
    assert [[cell["kind"] for cell in cells] for cells in best["cells"]] == [["self"], ["w"], ["w"], ["w"]]
    assert best["cells"][1][0]["words"] == "Round 2: 2 against Player 2, 4,990 card points"
    assert best["points"] == "6"


def test_a_swiss_has_its_crosstable_by_rounds_and_groups_have_one_each(anybody, new_event, olga):
    swiss = new_event("swiss", 4, rounds=2, started=True)
    play_round(swiss, olga)
    (table,) = anybody(swiss, "stages/1/crosstable/")["tables"]
    assert (table["by_round"], len(table["heads"])) == (True, 2)
    groups = new_event("groups", 8, groups=2, started=True)
    assert [each["title"] for each in anybody(groups, "stages/1/crosstable/")["tables"]] == ["Group A", "Group B"]
    bracket = new_event("single_elimination", 4, started=True)
    assert anybody(bracket, "stages/1/crosstable/", 404)["code"] == "not_found"


# Results and paths


def test_results_come_the_latest_first_and_in_pages(anybody, new_event, olga):
    event = new_event("swiss", 8, rounds=2, started=True)
    assert anybody(event, "results/") == {"matches": [], "more": False, "version": event.version}
    for pairing in reversed(open_pairings(event)):
        decide(pairing, olga)
    first = anybody(event, "results/", limit=3)
    assert ([match["name"] for match in first["matches"]], first["more"]) == (["R1.1", "R1.2", "R1.3"], True)
    rest = anybody(event, "results/", limit=3, before=first["matches"][-1]["id"])
    assert ([match["name"] for match in rest["matches"]], rest["more"]) == (["R1.4"], False)
    assert anybody(event, "results/", 404, before=2**40)["code"] == "not_found"


def test_an_entrys_path_says_what_was_and_what_comes(anybody, new_event, olga):
    event = new_event("swiss", 8, rounds=3, started=True)
    play_round(event, olga)
    path = anybody(event, "entries/1/path/")
    assert (path["name"], path["next"]) == ("Player 1", "R2.1")
    (stage,) = path["stages"]
    assert (stage["stage"], stage["rank"], stage["points"]) == (1, "1", "2")
    assert stage["sentence"] == "Can still finish in any place."
    won, to_come = stage["steps"]
    assert (won["match"], won["outcome"], won["against"], won["points"]) == ("R1.1", "won", "Player 5", "2")
    assert (to_come["match"], to_come["outcome"], to_come["score"]) == ("R2.1", "", "")
    waiting = new_event("swiss", 8)
    assert anybody(waiting, "entries/1/path/")["stages"] == []
    assert anybody(waiting, "entries/1/path/")["next"] is None


def test_between_two_levels_who_is_out_has_a_place_and_the_others_those_before(anybody, new_event, olga):
    """54 at nine tables of six, two of each go through; the second round waits for its start."""
    plan = {"seats": 6, "most": 6, "advance": 2, "scoring": "by_place", "waits_for_go": True}
    event = new_event("pod_knockout", 54, **plan, status="open")
    from tournaments.services.events import lifecycle
    from tournaments.services.stages import stage_decisions

    lifecycle.start(event.pk, olga, anyway=True)
    stage_decisions.start_round(event.stages.get().pk, 1, by=olga)

    def places():
        (table,) = anybody(event, "stages/1/standings/")["tables"]
        return {line["entry"]: (line["best"], line["worst"]) for line in table["lines"]}

    assert set(places().values()) == {(1, 54)}
    first, *undecided = open_pairings(event)
    decide(first, olga)
    spans = places()
    order = [place.entry.number for place in first.places.order_by("rank")]
    assert [spans[entry] for entry in order] == [(1, 18), (1, 18), (19, 51), (28, 52), (37, 53), (46, 54)]
    for pairing in undecided:
        decide(pairing, olga)
    assert len(anybody(event, "stages/1/rounds/")["rounds"]) == 1
    spans = places()
    assert [spans[entry] for entry in (1, 18)] == [(1, 18)] * 2
    assert [spans[entry] for entry in (19, 54)] == [(19, 19), (54, 54)]


# Rules


def test_the_rules_are_in_sentences(anybody, new_event):
    event = new_event("swiss", 8, plans=None)
    rules = anybody(event, "rules/")
    assert rules["title"].startswith("Standard")
    assert all(section["sentences"] for section in rules["sections"])
    (stage,) = rules["stages"]
    assert stage["sentences"][0] == "In each round entries with equal points meet, never twice."
    assert rules["matches"]


# Files


def test_files_are_those_of_the_pages(program, new_event, olga, client):
    event = new_event("swiss", 4, rounds=1, started=True)
    play_round(event, olga)
    bot = program().client
    for name in ("event.json", "entries.csv", "results.csv", "schedule.csv", "calendar.ics"):
        got = bot.get(f"{BASE}/events/{event.slug}/files/{name}")
        assert (got.status_code, got.content) == (200, client.get(f"/events/{event.slug}/{name}").content), name
    data = bot.get(f"{BASE}/events/{event.slug}/files/event.json").json()
    assert (data["format"], len(data["entries"])) == ("foothold.event", 4)
    rows = bot.get(f"{BASE}/events/{event.slug}/stages/1/files/standings.csv").content.decode()
    assert len(list(csv.reader(io.StringIO(rows)))) == 5
    for name in ("standings.pdf", "crosstable.pdf"):
        got = bot.get(f"{BASE}/events/{event.slug}/stages/1/files/{name}")
        assert got.content.startswith(b"%PDF")
    got = bot.get(f"{BASE}/events/{event.slug}/entries/1/calendar.ics")
    assert got.content.startswith(b"BEGIN:VCALENDAR")
    for path in ("files/nothing.csv", "files/standings.csv", "stages/1/files/bracket.pdf", "stages/9/files/standings.csv",
                 "stages/1/files/event.json", "entries/9/calendar.ics"):  # fmt: skip
        assert bot.get(f"{BASE}/events/{event.slug}/{path}").status_code == 404, path


def test_files_of_a_private_event_are_for_its_people_and_stored_nowhere_else(program, new_event, olga):
    event = new_event("swiss", 4)
    Tournament.objects.update(visibility="circle", circle="club:none")
    path = f"{BASE}/events/{event.slug}/files/event.json"
    assert program().client.get(path).status_code == 404
    got = program(olga).client.get(path)
    assert (got.status_code, got["Cache-Control"]) == (200, "private, no-cache")
    assert json.loads(got.content)["event"]["name"] == "Harbour Cup"
    assert program(olga, "read").client.get(path).status_code == 403
    assert program(olga).client.post(path).status_code == 405


def test_ones_own_calendar_is_where_it_says(program, olga, client, new_event):
    address = program(olga).get("competing/calendar/")["url"]
    assert client.get("/" + address.split("/", 3)[3]).content.startswith(b"BEGIN:VCALENDAR")


# Forecasts


def test_a_championship_is_foreseen_before_it_is_made(program, olga):
    bot = program(olga)
    forecast = bot.post("forecast/", starter="championship", entries=54)
    (stage,) = forecast["stages"]
    assert [len(round_["tables"]) for round_ in stage["rounds"]] == [9, 3, 1]
    assert [round_["through"] for round_ in stage["rounds"]] == [18, 6, 1]
    assert (stage["format"], stage["at_once"], stage["matches"], stage["byes"]) == ("pod_knockout", 9, 13, 0)
    assert forecast["minutes"] == stage["minutes"] == 25 * 4 * 3
    shorter = bot.post("forecast/", starter="championship", entries=54, minutes=10, tables=3)
    assert shorter["minutes"] == 10 * 4 * 3 * 3  # every level takes as many sittings as the biggest
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("starter", STARTERS)
def test_every_template_is_foreseen_with_its_usual_number(program, olga, starter):
    forecast = program(olga).post("forecast/", starter=starter, entries=STARTERS[starter].entries)
    assert [stage["format"] for stage in forecast["stages"]] == [plan.format for _, plan in STARTERS[starter].stages]


def test_stages_of_ones_own_are_foreseen_or_refused_in_a_sentence(program, olga):
    bot = program(olga)
    stages = [{"format": "groups", "choices": {"groups": 4}}, {"format": "single_elimination", "choices": {"take": 8}}]
    forecast = bot.post("forecast/", stages=stages, entries=16, entry_kind="partnership")
    assert [(stage["name"], stage["entries"]) for stage in forecast["stages"]] == [("Groups", 16), ("Knockout", 8)]
    assert bot.post("forecast/", 422, entries=16)["sentence"] == "An event needs at least one stage."
    refused = bot.post("forecast/", 422, stages=[{"format": "howell"}], entries=40, entry_kind="partnership")
    assert refused["code"] == "cannot_work"
    assert refused["sentence"].endswith(".")
    assert bot.post("forecast/", 400, starter="championship")["fields"] == {"entries": ["This field is required."]}
    assert (
        bot.post("forecast/", 422, stages=[{"format": "swiss", "choices": {"x": 1}}], entries=8)["code"] == "bad_plan"
    )
    whist = bot.post("forecast/", stages=[{"format": "rotating_partners"}], entries=44)["stages"][0]
    assert len(whist["rounds"]) == len(design(44))


def test_an_organiser_foresees_an_event_as_it_is_planned(program, new_event, olga, person):
    event = new_event("swiss", 8, rounds=3)
    forecast = program(olga).get(f"events/{event.slug}/forecast/", entries=9)
    assert [round_["byes"] for round_ in forecast["stages"][0]["rounds"]] == [1, 1, 1]
    program(olga).get(f"events/{event.slug}/forecast/", 400)
    assert program(person("Eve")).get(f"events/{event.slug}/forecast/", 403, entries=9)["code"] == "not_organiser"


# What comes next


def test_an_organiser_hears_what_comes_next(program, new_event, olga, person):
    event = new_event("swiss", 4, rounds=2, waits_for_go=True, status="draft")
    bot = program(olga)

    def following():
        answer = bot.get(f"events/{event.slug}/next/")
        return answer["act"], answer["stage"], answer["round"], answer["why_not"]

    assert following() == ("announce", None, None, "")
    bot.post(f"events/{event.slug}/announce/")
    assert following() == ("start", None, None, "")
    bot.post(f"events/{event.slug}/start/")
    assert following() == ("go", 1, 1, "")
    assert bot.get(f"events/{event.slug}/next/")["sentence"] == "Round 1 is ready. 2 tables, nobody meets again."
    bot.post(f"events/{event.slug}/stages/1/go/", round=1)
    assert following() == ("go", 1, 2, "Round 2 waits for tables 1 and 2.")
    play_round(event, olga)
    bot.post(f"events/{event.slug}/stages/1/go/", round=2)
    play_round(event, olga)
    assert bot.get(f"events/{event.slug}/next/")["sentence"] == ""
    assert following() == (None, None, None, "")
    assert program(person("Eve")).get(f"events/{event.slug}/next/", 403)["code"] == "not_organiser"
    ladder = new_event("ladder", 4, started=True)
    assert bot.get(f"events/{ladder.slug}/next/")["act"] == "end"


# Ladders and arenas, for entries without an account


def test_an_organiser_challenges_for_an_entry(program, new_event, olga):
    event = new_event("ladder", 6, started=True)
    bot = program(olga)
    path = f"events/{event.slug}/entries/4/challenge/"
    bot.post(path, stage=1, entry=2, key="c")
    bot.post(path, stage=1, entry=2, key="c")
    (match,) = bot.get(f"events/{event.slug}/matches/")["matches"]
    assert {place["entry"] for place in match["places"]} == {2, 4}
    assert bot.post(f"events/{event.slug}/entries/1/challenge/", 422, stage=1, entry=5)["code"] == "no_challenge"
    bot.post(f"events/{event.slug}/entries/1/challenge/", 404, stage=2, entry=5)


def test_an_organiser_says_who_is_free(program, new_event, olga):
    event = new_event("arena", 4, seats=2, started=True)
    bot = program(olga)
    for entry in (1, 2):
        bot.post(f"events/{event.slug}/entries/{entry}/free/", stage=1)
    assert bot.post(f"events/{event.slug}/entries/3/free/", stage=1, is_free=False)["sentence"].endswith("a break.")


# Ratings


@pytest.fixture
def rated(person):
    """Two people with ratings, one of them listed, and a partnership of both."""
    ann, ben = sorted((person("Ann"), person("Ben")), key=lambda user: user.pk)
    single = Rating.objects.create(user=ann, pool="standard", mu=30, sigma=2, matches=6)
    Rating.objects.create(user=ben, pool="standard", mu=20, sigma=2, matches=2)
    both = Rating.objects.create(user=ann, partner=ben, pool="standard", mu=26, sigma=3, matches=5)
    for number in (1, 2):
        game = RatedGame.objects.create(
            kind="table", source=10_000 + number, pool="standard", ended_at=f"2026-05-0{number}T10:00Z",
            sides=[[ann.pk], [ben.pk]], ranks=[1, 2],
        )  # fmt: skip
        for rating in (single, both):
            RatingStep.objects.create(
                rating=rating, game=game, number=number, mu_before=25, sigma_before=3, mu=26, sigma=3
            )
    return ann, ben


def test_ladders_list_who_played_enough(program, rated):
    ann, ben = rated
    ladder = program().get("ratings/standard/")
    (line,) = ladder["ratings"]
    assert (line["username"], line["rating"], line["partner"]) == (ann.username, 1960, None)
    assert ladder["more"] is False
    (pair,) = program().get("ratings/standard/partnerships/")["ratings"]
    assert (pair["username"], pair["partner"], pair["matches"]) == (ann.username, ben.username, 5)
    assert program().get("ratings/standard/", after=1)["ratings"] == []
    program().get("ratings/nothing/", 404)
    program(ann, "read").get("ratings/standard/", 403)


def test_a_person_sees_all_of_their_own_and_others_what_is_listed(program, rated):
    ann, ben = rated
    program().get(f"people/{ben.username}/ratings/", 404)
    own_page = program(ben).get(f"people/{ben.username}/ratings/")
    assert [(rating["rating"], rating["matches"]) for rating in own_page["ratings"]] == [(1560, 2)]
    assert [pair["partner"] for pair in own_page["partnerships"]] == [ann.username]
    assert [rating["rating"] for rating in program().get(f"people/{ann.username}/ratings/")["ratings"]] == [1960]
    program().get("people/nobody/ratings/", 404)


def test_histories_are_read_in_pages_the_latest_first(program, rated):
    ann, ben = rated
    page = program().get(f"people/{ann.username}/ratings/standard/", limit=1)
    assert [(step["number"], step["by"], step["match"]) for step in page["steps"]] == [(2, 40, "A match")]
    assert (page["more"], page["rating"]["rating"]) == (True, 1960)
    rest = program().get(f"people/{ann.username}/ratings/standard/", after=1)
    assert ([step["number"] for step in rest["steps"]], rest["more"]) == ([1], False)
    pair = program().get(f"people/{ben.username}/with/{ann.username}/ratings/standard/")
    assert (pair["rating"]["partner"], len(pair["steps"])) == (ann.username, 2)
    program().get(f"people/{ben.username}/ratings/standard/", 404)
    program().get(f"people/{ann.username}/ratings/pennies/", 404)
    program().get(f"people/{ann.username}/with/{ann.username}/ratings/standard/", 404)
