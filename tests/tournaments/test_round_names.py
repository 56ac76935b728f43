"""A round has one name: on pages, in files, feeds and letters, and in the API."""

import csv
import io
import json

import pytest
from django.test import Client

from engine.compete.pairing import knockout
from tests.tournaments import driving
from tournaments import notification_text
from tournaments.exports import feed, json_export, source, tabular
from tournaments.lookups import stages_of
from tournaments.plan import standard
from tournaments.round_names import match_words, round_before


@pytest.mark.parametrize(
    ("format", "names"),
    [
        ("single_elimination", ["Quarter-finals", "Semi-finals", "Final"]),
        ("double_elimination", ["Round 1", "Second chance, round 1", "Semi-finals"]),
        ("swiss", ["Round 1"]),
        ("pod_knockout", ["Round 1"]),
    ],
)
def test_a_round_has_one_name_everywhere(make, olga, format, names):
    event = make(8, standard(format))
    pairing = driving.open_pairings(event)[0]
    parts, client = source.parts(event, stages_of(event)), Client()
    data = json.loads(json_export.write(event, parts, source.entries(event)))
    head, lines = tabular.schedule(event, parts)
    rows = list(csv.DictReader(io.StringIO(tabular.write(event, head, lines).decode())))
    in_files = list(dict.fromkeys(row["round"] for row in rows))
    assert [name for name in names if name not in in_files] == []
    assert [each["name"] for each in data["stages"][0]["rounds"]] == in_files
    rounds = client.get(f"/api/v1/events/{event.slug}/stages/1/rounds/").json()["rounds"]
    assert [each["name"] for each in rounds] == in_files
    match = client.get(f"/api/v1/events/{event.slug}/stages/1/matches/{pairing.name}/").json()
    assert match["round_name"] == names[0]
    assert any(item.title == f"{names[0]} is drawn" for item in feed.items(event, False))
    places = list(pairing.places.select_related("entry"))
    assert notification_text.match_words(pairing, places, places[0], olga).startswith(names[0].removesuffix("s"))
    assert names[0] in client.get(f"{event.get_absolute_url()}schedule/").content.decode()


@pytest.mark.parametrize(
    ("round_", "name", "number", "words"),
    [
        ("Round 2", "R2.3", 3, "round 2, table 3"),
        ("Semi-finals", "WB2.1", 1, "semi-final 1"),
        ("Round of 16", "WB1.3", 3, "round of 16, match 3"),
        ("WB2", "WB2.1", 1, "round 2, match 1"),
        ("Final", "GF1.1", 1, "final"),
        ("Level 1", "R1.2", 2, "round 1, table 2"),
        ("Round 1", "C4", 1, "challenge 4"),
        ("Round 1", "A5", 2, "table 5"),
    ],
)
def test_a_match_is_called_by_its_round_and_table(round_, name, number, words):
    assert match_words(round_, name, number) == words


def test_a_match_that_waits_knows_the_round_of_the_one_before():
    brackets = [
        *(knockout.single(entries, third_place=True) for entries in (2, 3, 5, 9, 33)),
        *(knockout.double(entries) for entries in (2, 3, 5, 9, 33)),
    ]
    for bracket in brackets:
        titles = {name: knockout.english_round_title(bracket, name) for name in bracket.rounds}
        for number, name in enumerate(bracket.rounds, 1):
            for match in (match for match in bracket.matches if match.round == name and name != "GF2"):
                for slot in (slot for slot in match.slots if isinstance(slot, knockout.Winner | knockout.Loser)):
                    is_double = bracket.kind == "double"
                    title = round_before(slot.match, match.name, titles[name], number, is_double=is_double)
                    assert title == titles[slot.match.partition(".")[0]], (bracket.entries, match, title)
