"""Sheets to print: what stands on them, and who may have the cards that let one enter results."""

import io
import re
from html import unescape

import pytest
import segno
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.play.rules import Rules
from tests.tournaments import driving
from tournaments.exports import sheets
from tournaments.models import Entry, Organiser, Pairing, Stage

PAGES = ("", "1/", "pairings/", "scores/", "names/")
ALL = (*PAGES, "cards/")


def paths(event, pages=ALL):
    return [f"/events/{event.slug}/print/{page}" for page in pages]


def text_of(response):
    assert response.status_code == 200
    return unescape(response.content.decode())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "entries", "choices"),
    [
        ("single_elimination", 6, {}),
        ("groups", 8, {"groups": 2}),
        ("swiss_pods", 12, {"rounds": 2}),
        ("pod_knockout", 12, {"seats": 4, "advance": 2}),
        ("rotating_partners", 8, {}),
        ("mitchell", 8, {"kind": "partnership"}),
        ("ladder", 5, {}),
    ],
)
def test_every_sheet_of_every_format_is_there_from_the_start_to_the_end(event, olga, client, format, entries, choices):
    made = event(format, entries, started=True, **choices)
    client.force_login(olga)
    for play in (driving.play_round, driving.play_out):
        for path in paths(made):
            assert client.get(path).status_code == 200, path
        play(made, olga, driving.by_lot)
    for path in paths(made):
        assert client.get(path).status_code == 200, path


def test_an_event_that_is_to_come_has_its_sheets(event, olga, client):
    made = event("swiss", 4)
    client.force_login(olga)
    for path in paths(made):
        assert client.get(path).status_code == 200, path
    assert "No draw yet" in text_of(client.get(paths(made, ["pairings/"])[0]))


def test_nothing_can_be_sent_and_what_is_not_there_is_not_found(event, olga, client):
    made = event("swiss", 4, started=True)
    client.force_login(olga)
    for path in paths(made):
        assert client.post(path).status_code == 405, path
    for query in ("?round=x", "?stage=-1", "?round=999999", "?round=²"):
        assert client.get(paths(made, ["pairings/"])[0] + query).status_code == 404, query
    assert client.get(paths(made, ["9/"])[0]).status_code == 404
    # A round that there is not shows the current one.
    assert "Round 1, by name" in text_of(client.get(paths(made, ["pairings/"])[0] + "?round=7"))


def test_table_cards_are_for_organisers_alone(event, olga, person, client):
    made = event("swiss", 4, started=True)
    (cards,) = paths(made, ["cards/"])
    eve, scorer, player = person("Eve"), person("Sam"), Entry.objects.get(tournament=made, number=1).members.get().user
    Organiser.objects.create(tournament=made, user=scorer, role="scorer")
    tokens = list(Pairing.objects.values_list("token", flat=True))
    for user, status in ((None, 403), (eve, 403), (player, 403), (scorer, 200), (olga, 200)):
        browser = Client()
        if user is not None:
            browser.force_login(user)
        answer = browser.get(cards)
        assert answer.status_code == status, user
        has_tokens = [token in answer.content.decode() for token in tokens]
        assert all(has_tokens) if status == 200 else not any(has_tokens), user
        others = "".join(browser.get(path).content.decode() for path in paths(made, PAGES))
        assert not any(token in others for token in tokens), user
        assert (cards in others) == (status == 200), user
    client.force_login(olga)
    assert "no-store" in client.get(cards)["Cache-Control"]


def test_sheets_of_a_draft_are_for_its_organisers(event, client, olga):
    made = event("swiss", 4, status="draft")
    assert {client.get(path).status_code for path in paths(made)} == {404}
    client.force_login(olga)
    assert {client.get(path).status_code for path in paths(made)} == {200}


def test_the_code_of_a_card_leads_to_its_score_sheet(event, olga, client, settings):
    settings.SITE_URL = "https://foothold.example"
    made = event("swiss", 4, started=True)
    client.force_login(olga)
    page = text_of(client.get(paths(made, ["cards/"])[0]))
    drawn = re.findall(r'<svg role="img".*?</svg>', page, re.DOTALL)
    for pairing in Pairing.objects.order_by("number"):
        address = f"https://foothold.example/events/card/{pairing.token}/"
        assert address in page
        expected = io.BytesIO()
        segno.make(address, error="m", micro=False).save(
            expected,
            kind="svg",
            border=2,
            omitsize=True,
            svgclass="qr",
            lineclass=None,
            xmldecl=False,
            svgns=False,
            nl=False,
        )
        line = re.search(rb' d="([^"]+)"', expected.getvalue())[1].decode()
        assert f'd="{line}"' in drawn[pairing.number - 1]
    assert not re.search(r"<svg[^>]*style=|<path[^>]*style=", page)


def test_cards_and_score_sheets_are_for_matches_that_can_still_be_played_there(event, olga):
    made = event("swiss", 8, started=True)
    stages = list(Stage.objects.filter(tournament=made))
    first, second, *_ = Pairing.objects.order_by("number")
    driving.decide(first, olga)
    Pairing.objects.filter(pk=second.pk).update(is_online=True)
    assert [match.name for match in sheets.choose(made, stages, None, None).matches] == ["R1.3", "R1.4"]
    assert [match.name for match in sheets.choose(made, stages, 1, 1, is_all=True).matches] == [
        "R1.1", "R1.2", "R1.3", "R1.4",
    ]  # fmt: skip


def test_the_list_for_the_wall_goes_by_name_whatever_the_accents(event, client):
    made = event("swiss", 6, started=True)
    names = ["Zoë", "Émile", "eva", "Özil", "Otto", "<b>Ann</b>"]
    for row, name in zip(Entry.objects.filter(tournament=made), names, strict=True):
        row.name = name
        row.save()
    page = client.get(paths(made, ["pairings/"])[0]).content.decode()
    by_name = page.partition("by table")[0]
    order = ["&lt;b&gt;Ann&lt;/b&gt;", "Émile", "eva", "Otto", "Özil", "Zoë"]
    at = [by_name.index(f"<bdi>{name}</bdi>") for name in order]
    assert at == sorted(at)
    assert "<b>Ann</b>" not in page


def blank_of(event):
    chosen = sheets.choose(event, list(Stage.objects.filter(tournament=event)), None, None)
    return sheets.blanks(event, chosen)


def test_a_blank_sheet_has_the_lines_of_the_ruleset_and_its_deals(event):
    made = event("swiss", 4, started=True)
    one, _ = blank_of(made)
    assert one.sides == ("Player 1", "Player 3")
    assert [row.name for row in one.rows][:4] == ["clean", "dirty", "wild", "red_threes_laid"]
    assert [[(deal.number, deal.opening) for deal in block] for block in one.blocks] == [
        [(1, "50"), (2, "90"), (3, "120"), (4, "150")]
    ]


def test_bigger_tables_get_a_block_for_each_deal_or_two(event):
    made = event("swiss_pods", 12, started=True, seats=6, least=6, most=6, rounds=2)
    one, _ = blank_of(made)
    assert len(one.sides) == 6
    assert [len(block) for block in one.blocks] == [1, 1, 1, 1]


def test_a_sheet_of_a_match_to_a_number_of_points(event):
    rules = Rules.make("standard", {"length": {"target": 8500}, "opening": {"by_score": [[None, 50], [1500, 90]]}})
    made = event("swiss", 2, started=True, rules_json=rules.write())
    (one,) = blank_of(made)
    assert [len(block) for block in one.blocks] == [4, 2]
    assert one.opening == "at first: 50; from 1,500: 90"


def test_everybody_who_is_in_has_a_name_card(event):
    made = event("swiss", 3, kind="partnership")
    Entry.objects.filter(tournament=made, number=3).update(status="withdrawn")
    Entry.objects.create(tournament=made, number=4, name="Walk-in")
    told = [(card.name, card.entry) for card in sheets.name_cards(made)]
    pairs = [(f"Player {at}", f"Pair {(at + 1) // 2}") for at in range(1, 5)]
    assert told == [*pairs, ("Walk-in", "")]


def test_the_page_names_what_can_be_printed_for_a_round(event, olga, client):
    made = event("double_elimination", 4, started=True)
    client.force_login(olga)
    page = text_of(client.get(paths(made, [""])[0]))
    assert [page.count(words) for words in (">Seating list<", ">Score sheets<", ">Table cards<")] == [1, 1, 1]
    driving.play_round(made, olga)
    page = text_of(client.get(paths(made, [""])[0]))
    assert ">Seating list<" in page
    assert "<b>Second chance, round 1</b>" in page


def queries(client, path):
    cache.clear()
    with CaptureQueriesContext(connection) as seen:
        assert client.get(path).status_code == 200
    return len(seen)


def test_the_number_of_queries_does_not_depend_on_entries_or_rounds(event, olga, client):
    one, other = event("swiss", 4, started=True, rounds=3), event("swiss", 16, started=True, rounds=3)
    driving.play_round(other, olga)
    client.force_login(olga)
    client.get(paths(one)[0])
    for a, b in zip(paths(one), paths(other), strict=True):
        assert queries(client, a) == queries(client, b), a
