"""Stages, rounds and matches by program: planned, drawn, paired by hand, played, decided, and what came of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments.driving import play_round
from tournaments.services.stages import progress

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(program, olga):
    """The organiser's program at an event: `desk(event)` posts, `desk.see(event, part)` looks."""
    bot = program(olga)

    def at(event):
        return lambda part, expected=200, **data: bot.post(f"events/{event.slug}/{part}", expected, **data)

    at.see = lambda event, part, expected=200, **query: bot.get(f"events/{event.slug}/{part}", expected, **query)
    return at


def at_tables(desk, event, number=1):
    """Entries of a round by table: their numbers."""
    matches = desk.see(event, f"stages/1/rounds/{number}/")["matches"]
    return [[place["entry"] for place in match["places"]] for match in matches]


def lines(*scores):
    return [{"entry": entry, "score": score} for entry, score in scores]


# Stages


def test_stages_are_planned(desk, new_event):
    do = desk(event := new_event("groups", 8, groups=2, status="draft"))
    assert do("stages/", format="single_elimination", choices={"take": 4}, preview=True)["act"] is None
    added = do("stages/", 201, format="single_elimination", choices={"take": 4}, name="Finals")
    assert (added["number"], added["name"], added["plan"]["take"]) == (2, "Finals", 4)
    do("stages/2/change/", choices={"third_place": True}, name="Final four")
    stages = desk.see(event, "")["stages"]
    assert (stages[1]["name"], stages[1]["plan"]["third_place"], stages[1]["plan"]["take"]) == ("Final four", True, 4)
    assert do("stages/2/change/", 422, choices={"nonsense": 1})["code"] == "bad_plan"
    do("stages/2/remove/")
    assert do("stages/1/remove/", 422)["code"] == "last_stage"


def test_rounds_wait_for_a_go_and_have_one(desk, new_event, olga):
    do = desk(event := new_event("swiss", 4, rounds=3, waits_for_go=True, started=True))
    assert do("stages/1/go/", 422, round=2)["code"] == "too_early"
    do("stages/1/go/", round=1, key="g")
    do("stages/1/go/", round=1, key="g")
    assert do("stages/1/go/", 422, round=1)["code"] == "has_go"
    assert desk.see(event, "stages/1/rounds/")["rounds"] == [
        {
            "number": 1,
            "name": "Round 1",
            "status": "open",
            "is_fixed": False,
            "starts_at": None,
            "deadline_at": None,
            "tables": 2,
            "open": 2,
        }
    ]
    play_round(event, olga)
    tried = do("stages/1/go/", round=2, preview=True)
    assert [line["sign"] for line in tried["preview"]["lines"]] == ["redrawn", "falls"]
    assert len(desk.see(event, "stages/1/rounds/")["rounds"]) == 1


def test_a_round_is_paired_by_hand_and_drawn_anew(desk, new_event):
    do = desk(event := new_event("swiss", 8, started=True))
    drawn = at_tables(desk, event)
    assert drawn == [[1, 5], [6, 2], [3, 7], [8, 4]]
    first, second = drawn[0][1], drawn[1][1]
    version = desk.see(event, "")["version"]
    answer = do("stages/1/rounds/1/swap/", one=first, other=second, seen=version)
    swapped = at_tables(desk, event)
    assert {frozenset(swapped[0]), frozenset(swapped[1])} == {
        frozenset({drawn[0][0], second}),
        frozenset({drawn[1][0], first}),
    }
    assert do("stages/1/rounds/1/swap/", 409, one=first, other=second, seen=version)["version"] == answer["version"]
    assert desk.see(event, "stages/1/rounds/1/")["is_fixed"] is True
    do("stages/1/rounds/1/redraw/")
    assert at_tables(desk, event) == drawn
    assert do("stages/1/rounds/1/move/", 422, entry=1, table=2)["code"] == "fixed_size"
    until = timezone.now() + timedelta(days=2)
    do("stages/1/rounds/1/times/", starts_at=None, deadline_at=until.isoformat())
    assert desk.see(event, "stages/1/rounds/1/")["deadline_at"] is not None


def test_an_entry_is_moved_to_another_table(desk, new_event):
    do = desk(event := new_event("swiss_pods", 9, seats=4, least=3, most=6, rounds=2, started=True))
    drawn = at_tables(desk, event)
    entry = drawn[0][0]
    tables = [match["table"] for match in desk.see(event, "stages/1/rounds/1/")["matches"]]
    do("stages/1/rounds/1/move/", entry=entry, table=tables[1])
    assert entry in at_tables(desk, event)[1]
    do("stages/1/rounds/1/move/", entry=entry, table=None, kind="half_bye")
    assert [(sit_out["entry"], sit_out["kind"]) for sit_out in desk.see(event, "stages/1/rounds/1/")["sit_outs"]] == [
        (entry, "half_bye")
    ]


def test_points_are_given_and_taken_back(desk, new_event):
    do = desk(event := new_event("swiss", 4, started=True))
    assert do("stages/1/adjustments/", 400, entry=1, points="1e99999999", reason="x")["code"] == "invalid"
    adjustment = do("stages/1/adjustments/", 201, entry=1, points="-1/2", reason="Came late.", key="p")
    assert do("stages/1/adjustments/", 201, entry=1, points="-1/2", reason="Came late.", key="p") == adjustment
    assert (adjustment["entry"], adjustment["points"], adjustment["reason"]) == (1, "-1/2", "Came late.")
    assert desk.see(event, "stages/1/adjustments/") == {"adjustments": [adjustment]}
    do(f"stages/1/adjustments/{adjustment['id']}/take-back/")
    assert desk.see(event, "stages/1/adjustments/") == {"adjustments": []}


def test_who_goes_on_is_named(desk, new_event, olga):
    from tournaments.plan import standard

    plans = [standard("round_robin"), standard("single_elimination", by_hand=True)]
    do = desk(event := new_event(entries=4, plans=plans, started=True))
    while play_round(event, olga):
        pass
    assert desk.see(event, "")["stages"][1]["trouble"] != ""
    do("stages/2/admit/", entries=[3, 1])
    (match,) = desk.see(event, "matches/", stage=2)["matches"]
    assert [place["entry"] for place in match["places"]] == [3, 1]


def test_a_ladder_is_challenged_and_closed(desk, program, new_event, players):
    do = desk(event := new_event("ladder", 4, started=True))
    second = program(players(4)[1])
    path = f"events/{event.slug}/stages/1"
    answer = second.post(f"{path}/challenge/", entry=1, key="c")
    assert second.post(f"{path}/challenge/", entry=1, key="c") == answer
    assert answer["sentence"] == "Player 2 challenged Player 1."
    assert second.post(f"{path}/challenge/", 422, entry=4)["code"] == "no_challenge"
    standings = desk.see(event, "stages/1/standings/")
    assert ([line["rank"] for line in standings["tables"][0]["lines"]], standings["tiebreaks"]) == ([1, 2, 3, 4], [])
    do("stages/1/matches/C1/call-off/")
    do("stages/1/end/")
    assert desk.see(event, "")["status"] == "over"


def test_an_arena_seats_who_is_free(desk, program, new_event, players):
    event = new_event("arena", 4, started=True)
    path = f"events/{event.slug}/stages/1"
    for user in players(4)[:2]:
        assert program(user).post(f"{path}/free/")["sentence"].endswith("waits for a table.")
    (match,) = program(players(4)[0]).get("competing/matches/")["matches"]
    assert sorted(place["entry"] for place in match["places"]) == [1, 2]
    assert program(players(4)[2]).post(f"{path}/free/", is_free=False)["sentence"].endswith("takes a break.")


# Results


def test_a_result_is_reported_and_confirmed_by_the_other_side(program, new_event, players):
    event = new_event("swiss", 4, started=True)
    first, second = program(players(4)[0]), program(players(4)[2])
    (match,) = first.get("competing/matches/")["matches"]
    assert [place["entry"] for place in match["places"]] == [1, 3]
    path = f"events/{event.slug}/stages/1/matches/{match['name']}"
    sent = lines((1, 4000), (3, 3500))
    assert first.post(f"{path}/report/", 422, lines=lines((1, 4000), (2, 1)))["code"] == "bad_lines"
    assert first.post(f"{path}/report/", 422, lines=[{"entry": 1}, {"entry": 3, "score": 5}])["code"] == "no_score"
    tried = first.post(f"{path}/report/", lines=sent, key="r", preview=True)
    assert [line["sentence"] for line in tried["preview"]["lines"]] == ["No result is lost."]
    assert first.get(f"{path}/")["results"] == []
    answer = first.post(f"{path}/report/", lines=sent, key="r")
    assert tried["sentence"] == answer["sentence"]
    assert first.post(f"{path}/report/", lines=sent, key="r") == answer
    shown_match = second.get(f"{path}/")
    result = shown_match["results"][0]
    assert (shown_match["status"], result["for_entry"], result["counts"]) == ("reported", 1, False)
    newest = shown_match["newest"]
    assert first.post(f"{path}/answer/", 422, result=newest, agrees=True)["code"] == "own_result"
    assert second.post(f"{path}/answer/", 422, result=newest, agrees=False)["code"] == "no_words"
    second.post(f"{path}/answer/", result=newest, agrees=True)
    progress.advance(event.pk)  # as the worker does
    shown_match = second.get(f"{path}/")
    assert (shown_match["status"], shown_match["results"][0]["counts"]) == ("done", True)
    assert [(place["points"], place["score"], place["rank"]) for place in shown_match["places"]] == [
        ("2", 4000, 1),
        ("0", 3500, 2),
    ]


def test_a_dispute_is_decided_by_an_organiser(desk, program, new_event, players):
    do = desk(event := new_event("swiss", 4, started=True))
    other = program(players(4)[2])
    path = "stages/1/matches/R1.1"
    program(players(4)[0]).post(f"events/{event.slug}/{path}/report/", lines=lines((1, 4000), (3, 3500)))
    newest = desk.see(event, f"{path}/")["newest"]
    other.post(f"events/{event.slug}/{path}/answer/", result=newest, agrees=False, words="I had 4500.")
    match = program().get(f"events/{event.slug}/{path}/")
    assert match["status"] == "disputed"
    assert "4500" not in str(match)
    assert do(f"{path}/confirm/", 404, result=newest + 1)["code"] == "not_found"
    do(f"{path}/confirm/", result=newest, key="c")
    do(f"{path}/confirm/", result=newest, key="c")
    assert desk.see(event, f"{path}/")["status"] == "done"


def test_taking_back_walkovers_and_previews(desk, new_event):
    do = desk(event := new_event("single_elimination", 4, started=True))
    first = "stages/1/matches/WB1.1"
    do(f"{first}/walkover/", 422, absent=[2])
    answer = do(f"{first}/walkover/", absent=[4], key="w")
    assert do(f"{first}/walkover/", absent=[4], key="w") == answer
    do("stages/1/matches/WB1.2/decide/", lines=lines((2, 100), (3, 50)))
    final = "stages/1/matches/WB2.1"
    assert [place["entry"] for place in desk.see(event, f"{final}/")["places"]] == [1, 2]
    tried = do(f"{first}/take-back/", reason="They came.", preview=True)
    assert tried["preview"]["lines"][-1]["sign"] == "falls"
    do(f"{final}/decide/", lines=lines((1, 70), (2, 30)))
    assert desk.see(event, "")["status"] == "over"
    tried = do(f"{first}/decide/", lines=lines((1, 10), (4, 20)), preview=True, reason="They came.")
    assert tried["preview"]["has_choice"] is True
    assert [line["sign"] for line in tried["preview"]["lines"]][-2:] == ["kept", "falls"]
    do(f"{first}/decide/", lines=lines((1, 10), (4, 20)), reason="They came.", pair_again=True)
    assert [place["entry"] for place in desk.see(event, f"{final}/")["places"]] == [4, 2]
    assert do("stages/1/matches/WB2.1/decide/", 422, lines=lines((4, 5), (2, 5)))["code"] == "level"
    do("stages/1/matches/WB2.1/decide/", lines=lines((4, 5), (2, 5)), winner=2)
    assert desk.see(event, "")["champions"] == ["Player 2"]


def test_when_where_and_by_whom_a_match_is_played(desk, program, new_event, players):
    do = desk(event := new_event("swiss", 4, kind="team", started=True))
    path = "stages/1/matches/R1.1"
    until = (timezone.now() + timedelta(days=1)).isoformat()
    do(f"{path}/times/", starts_at=None, deadline_at=until)
    assert do(f"{path}/times/", 400, deadline_at=until)["code"] == "invalid"
    assert desk.see(event, f"{path}/")["deadline_at"] is not None
    assert do(f"{path}/where/", 422, online=False)["code"] == "same"
    do(f"{path}/where/", online=True)
    assert desk.see(event, f"{path}/")["is_online"] is True
    assert do(f"{path}/where/", online=False)["sentence"].endswith("is played face to face.")
    do(f"{path}/ask/")
    assert do(f"{path}/call-off/", 422)["code"] == "not_begun"
    ids = [member["id"] for member in desk.see(event, "entries/1/")["members"]]
    captain = program(players(8)[0])
    captain.post(f"events/{event.slug}/{path}/own-substitute/", members=ids[::-1])
    do(f"{path}/substitute/", entry=1, members=[])
    assert do(f"{path}/substitute/", 422, members=[])["code"] == "not_in_match"


# What has come out


def test_standings_with_tiebreaks_reasons_and_ranges(desk, new_event, olga):
    event = new_event("swiss", 4, rounds=2, started=True)
    play_round(event, olga)
    standings = desk.see(event, "stages/1/standings/")
    assert [tiebreak["name"] for tiebreak in standings["tiebreaks"]] == [
        "direct_encounter",
        "buchholz",
        "sonneborn_berger",
        "spread",
    ]
    assert standings["tiebreaks"][1]["title"] == "Buchholz"
    (table,) = standings["tables"]
    lines = [(line["entry"], line["points"], line["won"], line["best"], line["worst"]) for line in table["lines"]]
    assert lines == [(1, "2", 1, 1, 3), (2, "2", 1, 1, 3), (3, "0", 0, 1, 4), (4, "0", 0, 1, 4)]
    assert [value["name"] for value in table["lines"][0]["values"]] == [rule["name"] for rule in standings["tiebreaks"]]
    assert [(why["upper"], why["lower"]) for why in table["whys"]] == [
        (table["lines"][0]["entry"], table["lines"][1]["entry"]),
        (table["lines"][2]["entry"], table["lines"][3]["entry"]),
    ]
    assert all(why["sentence"].endswith("points and are tied on every tie-break.") for why in table["whys"])


def test_groups_have_a_table_each(desk, new_event):
    event = new_event("groups", 8, groups=2, started=True)
    tables = desk.see(event, "stages/1/standings/")["tables"]
    assert [(table["group"], len(table["lines"])) for table in tables] == [(1, 4), (2, 4)]
    assert {line["rank"] for table in tables for line in table["lines"]} == {None}


def test_a_bracket_and_its_places(desk, new_event, olga):
    event = new_event("double_elimination", 4, started=True)
    play_round(event, olga)
    bracket = desk.see(event, "stages/1/bracket/")
    assert [half["name"] for half in bracket["halves"]] == ["winners", "second"]
    assert bracket["halves"][0]["columns"][0]["matches"] == ["WB1.1", "WB1.2"]
    by_name = {match["name"]: match for match in bracket["matches"]}
    assert [place["entry"] for place in by_name["WB2.1"]["places"]] == [1, 2]
    assert by_name["GF1.1"]["places"][0]["source"] == "winner WB2.1"
    places = desk.see(event, "stages/1/standings/")["tables"][0]["lines"]
    assert sorted((place["entry"], place["best"], place["worst"]) for place in places) == [
        (1, 1, 3),
        (2, 1, 3),
        (3, 1, 4),
        (4, 1, 4),
    ]
    desk.see(new_event("swiss", 2, started=True), "stages/1/bracket/", 404)


def test_matches_are_found_by_stage_round_entry_and_status(desk, new_event, olga):
    event = new_event("swiss", 8, rounds=3, started=True)
    play_round(event, olga)
    assert len(desk.see(event, "matches/")["matches"]) == 8
    assert {match["round"] for match in desk.see(event, "matches/", round=2)["matches"]} == {2}
    assert len(desk.see(event, "matches/", entry=1)["matches"]) == 2
    assert len(desk.see(event, "matches/", status="ready", stage=1)["matches"]) == 4
    first = desk.see(event, "matches/", limit=5)
    assert first["more"] is True
    rest = desk.see(event, "matches/", since=first["matches"][-1]["id"])
    assert (len(rest["matches"]), rest["more"]) == (3, False)


# Knockout at bigger tables


def test_a_table_is_played_without_who_does_not_come(desk, new_event):
    """Twelve at three tables of four, two of each and two others go through: one is absent, and the other three
    play.
    """
    do = desk(event := new_event("pod_knockout", 12, seats=4, most=4, advance=2, scoring="by_place", started=True))
    assert at_tables(desk, event) == [[1, 6, 7, 12], [2, 5, 8, 11], [3, 4, 9, 10]]
    absent = {"entry": 7, "forfeit": True}
    do("stages/1/matches/R1.1/decide/", lines=[*lines((1, 10), (6, 30)), absent, *lines((12, 20))])
    match = desk.see(event, "stages/1/matches/R1.1/")
    places = {place["entry"]: (place["points"], place["score"], place["rank"]) for place in match["places"]}
    assert places == {6: ("3", 30, 1), 12: ("2", 20, 2), 1: ("1", 10, 3), 7: ("0", None, 4)}
    (table,) = desk.see(event, "stages/1/standings/")["tables"]
    spans = {line["entry"]: (line["best"], line["worst"]) for line in table["lines"]}
    assert [spans[entry] for entry in (6, 12)] == [(1, 8)] * 2
    assert spans[7][0] > 8
    do("stages/1/matches/R1.2/decide/", lines=lines((2, 40), (5, 30), (8, 20), (11, 10)))
    do("stages/1/matches/R1.3/decide/", lines=lines((3, 40), (4, 30), (9, 20), (10, 10)))
    assert sorted(entry for table in at_tables(desk, event, 2) for entry in table) == [2, 3, 4, 5, 6, 8, 9, 12]


def test_who_came_to_a_table_that_was_not_played_can_go_on(desk, new_event):
    do = desk(event := new_event("pod_knockout", 12, seats=4, most=4, advance=2, scoring="by_place", started=True))
    do("stages/1/matches/R1.1/walkover/", absent=[7, 12])
    do("stages/1/matches/R1.2/walkover/", absent=[2])
    do("stages/1/matches/R1.3/decide/", lines=lines((3, 40), (4, 30), (9, 20), (10, 10)))
    assert sorted(entry for table in at_tables(desk, event, 2) for entry in table) == [1, 3, 4, 5, 6, 8, 9, 11]


def test_in_a_swiss_at_bigger_tables_who_does_not_come_loses_and_the_others_play(desk, new_event):
    do = desk(event := new_event("swiss_pods", 8, seats=4, rounds=2, scoring="by_place", started=True))
    here = at_tables(desk, event)[0]
    do("stages/1/matches/R1.1/decide/", lines=[
        {"entry": here[0], "forfeit": True}, *lines((here[1], 5), (here[2], 9), (here[3], 7)),
    ])  # fmt: skip
    (table,) = desk.see(event, "stages/1/standings/")["tables"]
    points = {line["entry"]: line["points"] for line in table["lines"]}
    assert [points[entry] for entry in here] == ["0", "1", "3", "2"]
