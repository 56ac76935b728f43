"""PDF and the preview picture: number of sheets, their content, and characters missing from the font."""

import io
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.tournaments import driving
from tests.tries import tries
from tournaments.exports import chart, source
from tournaments.models import Round, Stage
from tournaments.public import bracket
from tournaments.public.names import links_of
from web import lettering
from web.lettering import drawable, plain
from web.paper import Cover, Paper

COVER = Cover("Cup", "https://foothold.example/events/cup/", "As of today", datetime(2026, 7, 4, tzinfo=UTC))


@pytest.fixture
def written(monkeypatch):
    """Every text that is put on a sheet, in order."""
    texts = []
    put = Paper.put

    def record(self, x, y, width, text, **how):
        texts.append(text)
        put(self, x, y, width, text, **how)

    monkeypatch.setattr(Paper, "put", record)
    return texts


def sheets(content):
    assert content.startswith(b"%PDF-")
    return len(re.findall(rb"/Type /Page\b", content))


def fetched(client, event, file):
    answer = client.get(f"/events/{event.slug}/{file}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"].startswith("inline; ")
    return answer.content


@pytest.mark.parametrize(
    ("format", "entries", "count"),
    [
        ("single_elimination", 5, 1),
        ("single_elimination", 16, 1),
        ("double_elimination", 16, 1),
        ("single_elimination", 32, 1),
        ("double_elimination", 32, 2),
        # Two sections of the draw and the rounds in which they meet.
        ("single_elimination", 64, 3),
    ],
)
def test_a_bracket_takes_as_few_sheets_as_it_should(new_event, client, format, entries, count):
    event = new_event(format, entries, started=True)
    assert sheets(fetched(client, event, "1/bracket.pdf")) == count


@pytest.mark.parametrize(
    ("format", "entries"), [("double_elimination", 13), ("single_elimination", 70), ("double_elimination", 64)]
)
def test_every_match_of_a_bracket_is_drawn_once(new_event, format, entries):
    event = new_event(format, entries, started=True, **({"third_place": True} if format[0] == "s" else {}))
    part = source.part(event, Stage.objects.get(tournament=event))
    drawn = bracket.drawn(part.state, part.entrants, links_of(event), live={}, corrected=())
    names = [
        box.name
        for bands in chart.sheets(drawn)
        for band in bands
        for stack in band.stacks
        for box in stack.boxes
        if box is not None
    ]
    assert sorted(names) == sorted(table.row.name for each in part.state.rounds for table in each.tables)
    assert all(band.tall <= chart.MOST for bands in chart.sheets(drawn) for band in bands)


def test_what_stands_on_the_wall_chart(new_event, olga, client, written):
    event = new_event("single_elimination", 4, started=True, third_place=True, time_zone="America/Toronto")
    driving.play_round(event, olga)
    fetched(client, event, "1/bracket.pdf")
    for words in ("Harbour Cup", "Player 1", "4,990", "Final", "Third place"):
        assert words in written, words
    assert any("times in Toronto" in text for text in written)


def test_standings_have_every_column_and_say_why(new_event, olga, client, written):
    event = new_event("swiss", 6, started=True, rounds=3, tiebreaks=["buchholz", "spread"])
    for _ in range(2):
        driving.play_round(event, olga)
    assert sheets(fetched(client, event, "1/standings.pdf")) == 1
    for words in ("Name", "Buchholz", "Points difference", "Points", "Can finish", "Player 1", "Player 6"):
        assert words in written, words
    assert any(" is ahead of " in text for text in written)


def test_many_tie_breaks_turn_the_sheet(new_event, olga, client):
    ties = [
        "direct_encounter",
        "buchholz",
        "buchholz_cut1",
        "median_buchholz",
        "sonneborn_berger",
        "cumulative",
        "spread",
    ]
    event = new_event("swiss", 4, started=True, tiebreaks=[*ties, "points_scored", "wins"])
    content = fetched(client, event, "1/standings.pdf")
    assert re.search(rb"/MediaBox \[0 0 841\.\d+ 595\.\d+\]", content)


def test_long_tables_go_over_many_sheets_with_everybody_on_them(new_event, client, written):
    event = new_event("swiss", 120, started=True, rounds=3)
    assert sheets(fetched(client, event, "1/standings.pdf")) >= 3
    assert {f"Player {number}" for number in range(1, 121)} <= set(written)
    written.clear()
    assert sheets(fetched(client, event, "schedule.pdf")) == 2
    assert sum(" – Player " in text for text in written) == 60


def test_a_crosstable_has_everybody_against_everybody(new_event, olga, client, written):
    event = new_event("round_robin", 4, started=True, all_at_once=True)
    driving.play_round(event, olga)
    assert sheets(fetched(client, event, "1/crosstable.pdf")) == 1
    body = written[written.index("Points") + 1 :]
    rows = [body[at : at + 7] for at in range(0, 28, 7)]
    assert rows == [
        ["1", "Player 1", "■", "2", "2", "2", "6"],
        ["2", "Player 2", "0", "■", "2", "2", "4"],
        ["3", "Player 3", "0", "0", "■", "2", "2"],
        ["4", "Player 4", "0", "0", "0", "■", "0"],
    ]


def test_a_crosstable_of_a_swiss_goes_by_rounds_and_tells_who_sat_out(new_event, olga, client, written):
    event = new_event("swiss", 5, started=True, rounds=3)
    driving.play_round(event, olga)
    assert sheets(fetched(client, event, "1/crosstable.pdf")) == 1
    assert {"Player 1", "W3", "bye", "·", "No."} <= set(written)
    assert any("A letter says won" in text for text in written)


def test_each_group_has_a_crosstable(new_event, client, written):
    event = new_event("groups", 8, started=True, groups=2)
    assert sheets(fetched(client, event, "1/crosstable.pdf")) == 1
    assert {"Group A", "Group B"} <= set(written)
    assert {f"Player {number}" for number in range(1, 9)} <= set(written)


def test_a_crosstable_with_many_columns_is_turned_then_goes_on_on_further_sheets(new_event, client, written):
    small, wide = new_event("round_robin", 8, started=True), new_event("round_robin", 28, started=True)
    assert b"/MediaBox [0 0 595." in fetched(client, small, "1/crosstable.pdf")
    content = fetched(client, wide, "1/crosstable.pdf")
    assert re.search(rb"/MediaBox \[0 0 841\.\d+ 595\.\d+\]", content)
    written.clear()
    long = new_event("swiss", 60, started=True, rounds=6)
    stage = Stage.objects.get(tournament=long)
    Round.objects.bulk_create(
        Round(stage=stage, number=number, name=f"Round {number}", status="open") for number in range(2, 41)
    )
    fetched(client, long, "1/crosstable.pdf")
    assert [text for text in written if text.isdigit()].count("40") >= 1
    assert {str(number) for number in range(1, 61)} <= set(written)
    assert written.count("Player 60") > 1


def test_a_crosstable_before_the_draw_says_so(new_event, client, written):
    assert sheets(fetched(client, new_event("swiss", 4), "1/crosstable.pdf")) == 1
    assert "No draw yet." in written


def test_byes_are_told_in_the_schedule(new_event, client, written):
    event = new_event("swiss", 3, started=True)
    fetched(client, event, "schedule.pdf")
    assert "Bye: Player 3." in written


# Letters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Łukasz Żółć, Nguyễn Thị Ánh, Ελένη, Игорь", "Łukasz Żółć, Nguyễn Thị Ánh, Ελένη, Игорь"),
        ("مريم", "☐☐☐☐"),
        ("Ann 🃏", "Ann ☐"),
        ("👨‍👩‍👧", "☐☐☐"),
        ("e\u0301", "é"),
        ("Evil\u202eDrow", "EvilDrow"),
        ("a\r\nb\tc\x07", "a b c"),
        ("✎ corrected", "* corrected"),
    ],
)
def test_letters_that_the_font_lacks_are_seen_to_be_lacking(text, expected):
    assert drawable(text) == expected


@given(text=st.text(max_size=60))
@tries(60)
def test_any_text_can_be_put_on_a_sheet(text):
    assert plain(plain(text)) == plain(text)
    letters = lettering._glyphs(lettering.REGULAR)
    assert all(ord(sign) in letters for sign in drawable(text))


@given(names=st.lists(st.text(max_size=90), max_size=8))
@tries(10)
def test_no_text_breaks_a_document_or_leaves_its_place(names):
    paper = Paper(COVER, "Names")
    y = paper.sheet()
    for name in names:
        paper.put(20, y, 30, name)
        assert not drawable(name) or paper.get_x() <= 50.001
        y += 6
    assert sheets(paper.to_bytes()) == 1


def test_text_is_made_smaller_then_cut(monkeypatch):
    paper = Paper(COVER, "Names")
    paper.sheet()
    put = []
    monkeypatch.setattr(
        paper, "cell", lambda width, height, text, align: put.append((text, paper.get_string_width(text)))
    )
    for text in ("Ann", "Okafor / Bell and friends", "W" * 80):
        paper.put(10, 30, 40, text)
    assert [text for text, _ in put[:2]] == ["Ann", "Okafor / Bell and friends"]
    assert re.fullmatch("W+…", put[2][0])
    assert all(width <= 40 for _, width in put)


def test_a_sheet_says_that_letters_are_lacking_and_only_that_sheet(written):
    paper = Paper(COVER, "Names")
    for name in ("Ann", "مريم", "Ben"):
        paper.put(20, paper.sheet(), 60, name)
    paper.to_bytes()
    assert sum("replaces a character" in text for text in written) == 1


# The picture


def picture(client, event):
    answer = client.get(f"/events/{event.slug}/preview.png")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    image = Image.open(io.BytesIO(answer.content))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    return answer.content


def test_the_picture_changes_with_the_event(new_event, olga, client):
    event = new_event("single_elimination", 2, started=True)
    before = picture(client, event)
    assert picture(client, event) == before
    driving.play_out(event, olga)
    assert picture(client, event) != before


@pytest.mark.parametrize("name", ["W" * 80, "مريم 🃏", "\r\n", "a b " * 20])
def test_any_name_gives_a_picture(new_event, client, name):
    picture(client, new_event("swiss", 2, name=name))
