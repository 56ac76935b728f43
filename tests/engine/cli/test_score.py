import json

import pytest

from engine.play.paper import read_paper, score_paper
from engine.play.position import write_position
from engine.play.scoring import outcome

SHEET = {
    "rules": "standard",
    "seats": 4,
    "team_size": 2,
    "deal": 2,
    "scores": [1200, -35],
    "teams": [
        {"books": {"clean": 2, "dirty": 2, "wild": 1}, "melded": 640, "left": 25, "red_threes_laid": 3, "out": True},
        {"books": {"dirty": 1}, "melded": {"K": 8, "9": 4, "2": 1}, "left": "Xr 4c 4d 9h 3h", "penalties": -50},
    ],
}
TABLE = """\
Standard, 4 seats in teams of 2, 4 deals: deal 2
                                  Team 0      Team 1
Clean books                    2    1000
Dirty books                    2     600   1     300
Wild books                     1    1500
Red threes on the table        3     300
Red threes in hand or foot                 1    -100
Going out                      1     100
Cards on the table                   640  13     140
Cards left in hand and foot          -25   4     -70
Penalties                                  1     -50
This deal                           4115         220
Before                              1200         -35
Total                               5315         185
Deal 3 of 4 follows.
"""


def sheet(*teams, rules="standard", **keys):
    return {"rules": rules, "teams": [*teams, *[{}] * (2 - len(teams))], **keys}


def test_the_scores_as_a_table(run, write):
    assert run("score", write("sheet.json", SHEET)) == (0, TABLE, "")


def test_with_a_knee_its_cards_are_named_within_80_columns(run, write):
    table = run("score", write("sheet.json", {**SHEET, "rules": "knee"})).out
    assert "Red threes in hand, knee or foot                 1" in table
    assert "Cards left in hand, knee and foot" in table
    assert max(map(len, table.splitlines())) <= 80


def test_the_scores_as_json(run, write):
    data = json.loads(run("score", "--json", write("sheet.json", SHEET)).out)
    assert data["deal_score"] == [4115, 220]
    assert data["totals"] == [5315, 185]
    assert (data["deal"], data["before"], data["winners"]) == (2, [1200, -35], None)
    assert data["sheets"][1][0] == {"what": "dirty", "number": 1, "points": 300}


def test_the_last_deal_names_the_winner(run, write):
    last = {**SHEET, "deal": 4}
    assert run("score", write("sheet.json", last)).lines[-1] == "Team 0 won with 5315 points."


def test_a_tie_is_shared(run, write):
    ran = run("score", write("sheet.json", sheet({"melded": 50}, {"melded": 50}, deal=4)))
    assert ran.lines[-1] == "Team 0 and Team 1 won with 50 points."


def test_a_match_to_a_target_goes_on(run, write):
    ran = run("score", write("sheet.json", sheet({"melded": 50}, rules="bain", deal=7)))
    assert ran.lines[-1] == "Deal 8 follows, playing to 20000 points."


def test_seven_players_are_shown_four_abreast(run, write):
    data = {"rules": "bga", "seats": 7, "team_size": 1, "teams": [{"melded": 10 * seat} for seat in range(7)]}
    ran = run("score", write("sheet.json", data))
    assert max(map(len, ran.lines)) <= 80
    assert [line.split()[1:] for line in ran.lines if line.startswith("Total")] == [
        ["0", "10", "20", "30"],
        ["40", "50", "60"],
    ]


def test_a_position_that_is_over(run, write, finished_game):
    state = finished_game.state
    data = json.loads(run("score", "--json", write("position.json", write_position(state))).out)
    assert data["deal_score"] == list(outcome(state).deal_score)
    assert data["before"] == list(state.scores)


@pytest.mark.parametrize(
    ("rules", "team", "points"),
    [
        ("standard", {}, 0),
        ("standard", {"left": "3d 3h"}, -200),
        ("standard", {"red_threes_laid": 2}, 200),
        ("standard", {"left": {"X": 2, "3": 1}}, -105),
        ("solo", {"red_threes_laid": 1, "red_threes_held": 1}, -1000),
        ("denexa", {"lifts": 2}, 200),
        ("family", {"books": {"wild": 1}, "melded": "2c 2c 2c 2d 2d 2d 2h"}, 140),
        ("family", {"books": {"wild": 1, "clean": 1}, "melded": 240}, 1540),
        ("family", {"unfinished_wild": 1, "melded": "2c 2d Xr"}, -910),
        ("bain", {"red_threes_laid": 3}, -300),
        ("bain", {"red_threes_laid": 3, "books": {"sevens": 1}, "melded": {"7": 7}}, 1835),
        ("pennies", {"red_threes_laid": 8}, -1000),
        ("pennies", {"red_threes_laid": 8, "books": {"sevens": 1}, "melded": {"7": 7}}, 2535),
    ],
)
def test_what_a_team_scores(rules, team, points):
    teams = [team, {}, {}, {}] if rules == "solo" else [team, {}]
    result = score_paper(read_paper({"rules": rules, "teams": teams}))
    assert result.deal_score[0] == points


CANNOT_BE = [
    (sheet(seats=5, team_size=2), "Standard does not allow a table of 5 in teams of 2. Allowed: "),
    (sheet({}, {}, {}), "`teams` must have an entry for each of the 2 teams, not 3."),
    (sheet(deal=0), "`deal` must be a whole number from 1 to 10000."),
    (sheet(deal=1.5), "`deal` must be a whole number from 1 to 10000."),
    (sheet(deal=5, scores=[1, 0]), "By `deal` and `scores` the match was over before deal 5."),
    (sheet(scores=[0]), "`scores` must list a total for each of the 2 teams."),
    (sheet(scores=["a", 0]), "`scores` must be a whole number from "),
    (sheet(frob=1), "A score sheet has no key 'frob'."),
    (sheet([]), "Team 0 must be an object with what the team has."),
    (sheet({"frob": 1}), "Team 0 has no item 'frob'; there are books, melded, left, "),
    (sheet({"books": {"red": 1}}), "Team 0, `books`: it must be an object with some of clean, dirty, wild, sevens."),
    (sheet({"books": {"clean": -1}}), "Team 0, `books`, clean: it must be a whole number from 0 to 1000."),
    (sheet({"books": 3}), "Team 0, `books`: it must be an object"),
    (sheet({}, {"out": 1}), "Team 1, `out`: it must be true or false."),
    (sheet({"melded": 12}), "Team 0, `melded`: 12 points are not possible, because every card is worth a multiple of 5."),
    (sheet({"melded": -10}), "Team 0, `melded`: if it is neither cards nor cards by rank, it must be a whole number "),
    (sheet({"melded": "Kc K"}), "Team 0, `melded`: 'K' is not a card. "),
    (sheet({"melded": "Kc 3h"}), "Team 0, `melded`: red threes are counted in `red_threes_laid`."),
    (sheet({"left": {"king": 1}}), "Team 0, `left`: 'king' is no rank; write one of "),
    (sheet({"left": {"K": "two"}}), "Team 0, `left`, K: it must be a whole number from 0 to 1000."),
    (sheet({"left": "3h", "red_threes_held": 2}), "Team 0, `red_threes_held`: it says 2, but `left` names 1."),
    (sheet({"penalties": 50}), "Team 0, `penalties`: it must be a whole number from -1000000000 to 0."),
    (sheet({"unfinished_wild": 2}), "Team 0, `unfinished_wild`: a team has at most one unfinished meld of a rank."),
    (sheet({"lifts": 1}), "Team 0, `lifts`: nobody lifts the cards in this ruleset."),
    (sheet({"lifts": 3}, rules="denexa"), "Team 0, `lifts`: each player in a team of 2 lifts only once."),
    (sheet({"books": {"sevens": 1}}), "Team 0, `books`: a book of sevens is a clean book in this ruleset."),
    (sheet({"books": {"clean": 1}}), "Team 0, `melded`: its books alone are worth 35 or more in cards, not 0."),
    (
        sheet({"books": {"clean": 1}, "melded": "Kc Kd"}),
        "Team 0, `melded`: its books and wild melds alone are 7 cards, not 2.",
    ),
    (
        sheet({"red_threes_laid": 6}, {"red_threes_held": 5}),
        "Team 1, `red_threes_held`: that makes 11 red threes, but the pack has only 10.",
    ),
    (sheet({"red_threes_laid": 11}), "Team 0, `red_threes_laid`: that makes 11 red threes, but the pack has only 10."),
    (
        sheet({"out": True}),
        "Team 0, `out`: it cannot have gone out, since its contract still wants 2 clean, 2 dirty, 1 wild.",
    ),
    (sheet(SHEET["teams"][0], SHEET["teams"][0]), "Team 1, `out`: team 0 has already gone out, and only one team can."),
    (
        sheet({"left": "Xr Xr Xr Xr Xr Xr Xr Xr"}, {"left": {"X": 3}}),
        "Team 1, `left`: that makes 11 × X, but the pack has only 10.",
    ),
    (
        sheet({"books": {"wild": 4}, "melded": 2000}, {"books": {"dirty": 3}, "melded": 2000}),
        "Team 1, `books`: so many books take 31 wild cards, but the pack has only 30.",
    ),
    (
        sheet({"books": {"clean": 32}, "melded": 3000}),
        "Team 0, `books`: so many books take 224 natural cards, but the pack has only 220.",
    ),
    (
        sheet({"melded": 100_000}),
        "The cards of all teams are worth 100000 together, but the whole pack is worth 2950.",
    ),
    (sheet({"books": {"clean": 1, "dirty": 1, "wild": 1, "sevens": 1}, "melded": 500, "out": True}, rules="bain"),
     "Team 0, `out`: all 8 red threes must be on the table before anyone goes out, not 0."),
    ({"rules": "solo", "teams": [{"books": {"wild": 1}}, {}, {}, {}]},
     "Team 0, `books`: melds of wild cards are not played in this ruleset."),
    ({"rules": "solo", "teams": [{"books": {"clean": 1, "dirty": 1}, "melded": 200, "left": 5, "out": True}, {}, {}, {}]},
     "Team 0, `left`: a player who goes out has no card left."),
    ({"teams": []}, "A score sheet is a JSON object with at least `rules` and a list of `teams`."),
    ({"rules": "poker", "teams": []}, "Ruleset 'poker' not found. "),
    ({"rules": "solo"}, "this is neither a score sheet, which has `teams`, nor a position with the phase `over`."),
    ({"rules": "standard", "phase": "draw"}, "the deal is not over: the phase is 'draw'."),
    ({"rules": "standard", "phase": "over", "hands": {"0": "Xr Xr Xr Xr Xr Xr"}},
     "The position has 6 × Xr, but the pack has only 5."),
]  # fmt: skip


@pytest.mark.parametrize(("data", "sentence"), CANNOT_BE, ids=[sentence for _, sentence in CANNOT_BE])
def test_a_sheet_that_cannot_be(complaint, write, data, sentence):
    path = write("sheet.json", data)
    assert complaint("score", path).startswith(f"{path}: {sentence}")
