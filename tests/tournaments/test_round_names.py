"""A round has one name: on pages, in files, feeds and letters, and in the API."""

import csv
import io
import json

import pytest
from django.test import Client

from tests.tournaments import driving
from tournaments import notification_text
from tournaments.exports import feed, json_export, source, tabular
from tournaments.lookups import stages_of
from tournaments.plan import standard


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
    assert notification_text.match_words(pairing, places, places[0], olga).startswith(f"{names[0]}, table")
    assert names[0] in client.get(f"{event.get_absolute_url()}schedule/").content.decode()
