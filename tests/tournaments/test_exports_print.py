"""Printouts: their content, and access to the cards that allow entering results."""

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
from tests.pages import squeezed
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
def test_every_sheet_of_every_format_is_there_from_the_start_to_the_end(
    new_event, olga, client, format, entries, choices
):
    event = new_event(format, entries, started=True, **choices)
    client.force_login(olga)
    for play in (driving.play_round, driving.play_out):
        for path in paths(event):
            assert client.get(path).status_code == 200, path
        play(event, olga, driving.by_lot)
    for path in paths(event):
        assert client.get(path).status_code == 200, path


def test_an_event_that_is_to_come_has_its_sheets(new_event, olga, client):
    event = new_event("swiss", 4)
    client.force_login(olga)
    for path in paths(event):
        assert client.get(path).status_code == 200, path
    assert "No draw yet" in text_of(client.get(paths(event, ["pairings/"])[0]))


def test_nothing_can_be_sent_and_what_is_not_there_is_not_found(new_event, olga, client):
    event = new_event("swiss", 4, started=True)
    client.force_login(olga)
    for path in paths(event):
        assert client.post(path).status_code == 405, path
    for query in ("?round=x", "?stage=-1", "?round=999999", "?round=²"):
        assert client.get(paths(event, ["pairings/"])[0] + query).status_code == 404, query
    assert client.get(paths(event, ["9/"])[0]).status_code == 404
    # A round that there is not shows the current one.
    assert "Round 1, by name" in text_of(client.get(paths(event, ["pairings/"])[0] + "?round=7"))


def test_table_cards_are_for_organisers_alone(new_event, olga, person, client):
    event = new_event("swiss", 4, started=True)
    (cards,) = paths(event, ["cards/"])
    eve, scorer, player = person("Eve"), person("Sam"), Entry.objects.get(tournament=event, number=1).members.get().user
    Organiser.objects.create(tournament=event, user=scorer, role="scorer")
    tokens = list(Pairing.objects.values_list("token", flat=True))
    for user, status in ((None, 403), (eve, 403), (player, 403), (scorer, 200), (olga, 200)):
        browser = Client()
        if user is not None:
            browser.force_login(user)
        answer = browser.get(cards)
        assert answer.status_code == status, user
        has_tokens = [token in answer.content.decode() for token in tokens]
        assert all(has_tokens) if status == 200 else not any(has_tokens), user
        other_pages = "".join(browser.get(path).content.decode() for path in paths(event, PAGES))
        assert not any(token in other_pages for token in tokens), user
        assert (cards in other_pages) == (status == 200), user
    client.force_login(olga)
    assert "no-store" in client.get(cards)["Cache-Control"]


def test_sheets_of_a_draft_are_for_its_organisers(new_event, client, olga):
    event = new_event("swiss", 4, status="draft")
    assert {client.get(path).status_code for path in paths(event)} == {404}
    client.force_login(olga)
    assert {client.get(path).status_code for path in paths(event)} == {200}


def test_the_code_of_a_card_leads_to_its_score_sheet(new_event, olga, client, settings):
    settings.SITE_URL = "https://foothold.example"
    event = new_event("swiss", 4, started=True)
    client.force_login(olga)
    page = text_of(client.get(paths(event, ["cards/"])[0]))
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


def test_cards_and_score_sheets_are_for_matches_that_can_still_be_played_there(new_event, olga):
    event = new_event("swiss", 8, started=True)
    stages = list(Stage.objects.filter(tournament=event))
    first, second, *_ = Pairing.objects.order_by("number")
    driving.decide(first, olga)
    Pairing.objects.filter(pk=second.pk).update(is_online=True)
    assert [match.name for match in sheets.choose(event, stages, None, None).matches] == ["R1.3", "R1.4"]
    assert [match.name for match in sheets.choose(event, stages, 1, 1, is_all=True).matches] == [
        "R1.1", "R1.2", "R1.3", "R1.4",
    ]  # fmt: skip


def test_the_list_for_the_wall_goes_by_name_whatever_the_accents(new_event, client):
    event = new_event("swiss", 6, started=True)
    names = ["Zoë", "Émile", "eva", "Özil", "Otto", "<b>Ann</b>"]
    for entry, name in zip(Entry.objects.filter(tournament=event), names, strict=True):
        entry.name = name
        entry.save()
    page = client.get(paths(event, ["pairings/"])[0]).content.decode()
    by_name = page.partition("by table")[0]
    order = ["&lt;b&gt;Ann&lt;/b&gt;", "Émile", "eva", "Otto", "Özil", "Zoë"]
    at = [by_name.index(f"<bdi>{name}</bdi>") for name in order]
    assert at == sorted(at)
    assert "<b>Ann</b>" not in page


def blank_of(event):
    chosen = sheets.choose(event, list(Stage.objects.filter(tournament=event)), None, None)
    return sheets.blanks(event, chosen)


def test_a_blank_sheet_has_the_lines_of_the_ruleset_and_its_deals(new_event):
    event = new_event("swiss", 4, started=True)
    sheet, _ = blank_of(event)
    assert sheet.sides == ("Player 1", "Player 3")
    assert [row.name for row in sheet.rows][:4] == ["clean", "dirty", "wild", "red_threes_laid"]
    assert [[(deal.number, deal.opening) for deal in block] for block in sheet.blocks] == [
        [(1, "50"), (2, "90"), (3, "120"), (4, "150")]
    ]


def test_bigger_tables_get_a_block_for_each_deal_or_two(new_event):
    event = new_event("swiss_pods", 12, started=True, seats=6, least=6, most=6, rounds=2)
    sheet, _ = blank_of(event)
    assert len(sheet.sides) == 6
    assert [len(block) for block in sheet.blocks] == [1, 1, 1, 1]


def test_a_sheet_of_a_match_to_a_number_of_points(new_event):
    rules = Rules.make("standard", {"length": {"target": 8500}, "opening": {"by_score": [[None, 50], [1500, 90]]}})
    event = new_event("swiss", 2, started=True, rules_json=rules.write())
    (sheet,) = blank_of(event)
    assert [len(block) for block in sheet.blocks] == [4, 2]
    assert sheet.opening == "at first: 50; from 1,500: 90"


def test_everybody_who_is_in_has_a_name_card(new_event):
    event = new_event("swiss", 3, kind="partnership")
    Entry.objects.filter(tournament=event, number=3).update(status="withdrawn")
    Entry.objects.create(tournament=event, number=4, name="Walk-in")
    cards = [(card.name, card.entry) for card in sheets.name_cards(event)]
    pairs = [(f"Player {at}", f"Pair {(at + 1) // 2}") for at in range(1, 5)]
    assert cards == [*pairs, ("Walk-in", "")]


def test_the_page_names_what_can_be_printed_for_a_round(new_event, olga, client):
    event = new_event("double_elimination", 4, started=True)
    client.force_login(olga)
    page = squeezed(client.get(paths(event, [""])[0]))
    assert [page.count(words) for words in (">Seating list<", ">Score sheets<", ">Table cards<")] == [1, 1, 1]
    driving.play_round(event, olga)
    page = squeezed(client.get(paths(event, [""])[0]))
    assert ">Seating list<" in page
    assert "<b>Second chance, round 1</b>" in page


def queries(client, path):
    cache.clear()
    with CaptureQueriesContext(connection) as context:
        assert client.get(path).status_code == 200
    return len(context)


def test_the_number_of_queries_does_not_depend_on_entries_or_rounds(new_event, olga, client):
    first, second = new_event("swiss", 4, started=True, rounds=3), new_event("swiss", 16, started=True, rounds=3)
    driving.play_round(second, olga)
    client.force_login(olga)
    client.get(paths(first)[0])
    for a, b in zip(paths(first), paths(second), strict=True):
        assert queries(client, a) == queries(client, b), a
