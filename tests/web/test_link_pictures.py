"""Pictures of links: their words stay inside, can be read small, are stored by version, and old ones go."""

import io
import os
import time

import pytest
from django.http import Http404
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, features

from tests.tries import tries
from tests.web.crawl import letters, read
from web.lettering import BOLD, HEAD, UNKNOWN
from web.link_pictures import canvas, kinds, layouts, store, tokens
from web.link_pictures import letters as letters_of_names
from web.link_pictures.canvas import EDGE, HEIGHT, LEAST, TOP, WIDTH, fit, surnames
from web.link_pictures.kinds import Picture
from web.link_pictures.layouts import Band, Row, Side

LONG = "Konstantin von Hohenlohe-Waldenburg / Anastasia Papadopoulou"


def every_layout(name="Vermeer / Falk"):
    """One picture of each kind, with this name in every place."""
    band = Band(name, name, CREST, "teal")
    won, lost = Side(name, "7,110", is_winner=True), Side(name, "−5,645")
    yield "table", layouts.table(band, [Row(f"{place}=", name, "11½", place == 1) for place in range(1, 7)])
    yield "short table", layouts.table(band, [Row("", name, "")])
    yield "match", layouts.match(band, [won, lost], name)
    yield "three sides", layouts.match(band, [won, lost, lost])
    yield "to come", layouts.match(band, [Side(name), Side(name)], "Tuesday 1 December, 19:00")
    yield "bracket", layouts.bracket(band, [[won, lost], [lost, won]], [name, ""], "against")
    yield "lines", layouts.lines(band, [name, name, name], name)
    yield "seats", layouts.seats(band, [name, name], 2, "Your seat", "free")
    yield "facts", layouts.facts(band, [("Open with", name)] * 4)
    yield "front", layouts.front("Foothold", [name, name, name])


CREST = (
    '<svg class="crest" viewBox="0 0 52 62"><path class="field" d="M3 3h46v30c0 14-9 21-23 26C12 54 3 47 3 33z"/></svg>'
)


def outside(drawn):
    """Words that leave the safe part of a picture, or are too small; the site's own mark is small."""
    return [
        word
        for word in drawn.words
        if word.box[0] < EDGE - 12
        or word.box[2] > WIDTH - EDGE + 24
        or word.box[1] < TOP
        or word.box[3] > HEIGHT - TOP
        or (word.size < LEAST and word.text != "Foothold")
    ]


@pytest.mark.parametrize("name", ["Vermeer / Falk", LONG, "W" * 80, "مريم 🃏", "Ж" * 40])
def test_words_stay_inside_and_large(name):
    assert [(kind, outside(drawn)) for kind, drawn in every_layout(name) if outside(drawn)] == []


@given(name=st.text(max_size=90))
@tries(10)
def test_any_name_can_be_drawn(name):
    for _, drawn in every_layout(name):
        assert outside(drawn) == []


def test_words_of_a_picture_do_not_cover_each_other():
    for kind, drawn in every_layout(LONG):
        boxes = [word.box for word in drawn.words]
        for at, first in enumerate(boxes):
            for other in boxes[at + 1 :]:
                apart = first[2] <= other[0] or other[2] <= first[0] or first[3] <= other[1] or other[3] <= first[1]
                assert apart, (kind, first, other)


@pytest.mark.parametrize("kind", ["table", "match", "to come", "bracket", "seats", "lines", "facts"])
def test_a_picture_can_be_read_at_300_pixels(kind):
    drawn = dict(every_layout())[kind]
    content = drawn.png()
    assert len(content) < 200_000
    assert Image.open(io.BytesIO(content)).size == (1200, 630)
    assert letters(read(content)).count("vermeer") >= 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna Vermeer / Bert Falk", "Vermeer / Falk"),
        ("The Fox & Hounds, Cambridge", "The Fox & Hounds, Cambridge"),
        ("Anna / Bert / Cem", "Anna / Bert / Cem"),
        ("The Quay Sharks", "The Quay Sharks"),
        ("Anna /", "Anna /"),
    ],
)
def test_pairs_are_shortened_to_their_last_names(text, expected):
    assert surnames(text) == expected


def test_texts_are_shortened_then_made_smaller_then_cut():
    assert fit("Anna Vermeer / Bert Falk", size=58, width=900, font=BOLD)[:2] == ("Anna Vermeer / Bert Falk", 58)
    assert fit("Anna Vermeer / Bert Falk", size=58, width=400, font=BOLD)[:2] == ("Vermeer / Falk", 58)
    text, size, _ = fit(LONG, size=58, width=400, font=BOLD)
    assert (text[-1], size) == ("…", LEAST)


def test_letters_that_the_serif_lacks_are_written_in_the_other_font():
    assert fit("Vermeer", size=58, width=900, font=HEAD)[2] == HEAD
    assert fit("Ŋaŋ", size=58, width=900, font=HEAD)[2] == BOLD


# Other writings


def make_font(path, **widths):
    """A font whose letters are black boxes of these widths, in thousandths of its size; 0 leaves it empty."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    names = {f"u{ord(sign)}": (ord(sign), width) for sign, width in widths.items()}
    glyphs, metrics = {}, {}
    for name, width in {".notdef": 0, **{name: width for name, (_, width) in names.items()}}.items():
        pen = TTGlyphPen(None)
        if width:
            for command, *points in (
                ("moveTo", (0, 0)),
                ("lineTo", (0, 700)),
                ("lineTo", (width, 700)),
                ("lineTo", (width, 0)),
            ):
                getattr(pen, command)(*points)
            pen.closePath()
        glyphs[name], metrics[name] = pen.glyph(), (max(width, 500), 0)
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({code: name for name, (code, _) in names.items()})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Bold"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


@pytest.fixture
def fonts(tmp_path, monkeypatch):
    """Say which fonts the machine has: `fonts("DejaVuSans-Bold.ttf", א=900)`."""

    def forget():
        for each in (letters_of_names._fonts, letters_of_names._file_of):
            each.cache_clear()

    def have(name="", **widths):
        if name:
            make_font(tmp_path / name, **widths)
        forget()

    monkeypatch.setattr(letters_of_names, "FOLDERS", (str(tmp_path),))
    forget()
    yield have
    forget()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("山田太郎", "…"),
        ("山田 太郎", "…"),
        ("山田 / Anna", "… / Anna"),
        ("Ann 🃏 Lee", "Ann Lee"),
        ("🃏", ""),
        ("מ1", "1"),
    ],
)
def test_without_a_font_signs_are_left_out(fonts, text, expected):
    fonts()
    assert letters_of_names.drawable(text) == expected


@pytest.mark.parametrize("name", ["山田太郎", "مريم الخطيب / يوسف", "משה כהן", "สมชาย", "अमित", "🃏"])
def test_no_name_is_shown_as_boxes(fonts, name):
    fonts()
    for _, drawn in every_layout(name):
        assert [word.text for word in drawn.words if UNKNOWN in word.text or ".notdef" in word.text] == []


def test_letters_come_from_fonts_of_the_machine(fonts):
    fonts("DroidSansFallbackFull.ttf", 山=900)
    assert letters_of_names.drawable("山 / Anna") == "山 / Anna"
    assert [run.text for run in letters_of_names.runs("山 / Anna", BOLD, 58)] == ["山", " / Anna"]


def test_the_space_within_a_name_is_of_its_font(fonts):
    fonts("DejaVuSans-Bold.ttf", **{"א": 900, "ב": 900, " ": 0})
    assert [run.text for run in letters_of_names.runs("Anna / א ב", BOLD, 58)] == ["Anna / ", "א ב"]


@pytest.mark.skipif(not features.check("fribidi"), reason="Pillow needs FriBiDi: apt-get install libfribidi0")
def test_hebrew_is_set_from_right_to_left(fonts):
    fonts("DejaVuSans-Bold.ttf", א=500, ב=0)
    drawn = canvas.Canvas()
    drawn.write("אב", (100, 300), size=100, width=900, font=BOLD)
    dark = [x for x in range(50, 300) if drawn.image.getpixel((x, 280)) != drawn.image.getpixel((5, 5))]
    assert (min(dark), max(dark)) == (150, 199)


def test_without_fribidi_only_letters_that_stand_alone_are_drawn(fonts, monkeypatch):
    monkeypatch.setattr(letters_of_names, "is_shaping", lambda: False)
    fonts("DejaVuSans-Bold.ttf", א=500, 山=900)
    assert letters_of_names.drawable("א / 山") == "… / 山"


def test_an_accent_goes_with_its_letter(fonts):
    fonts("DejaVuSans-Bold.ttf", **{"\u0360": 200})
    assert letters_of_names.drawable("x\u0360y") == "xy"


def test_pictures_are_drawn_again_when_the_machine_has_other_fonts(fonts):
    fonts()
    before = kinds.version_of("a")
    fonts("DroidSansFallbackFull.ttf", 山=900)
    assert kinds.version_of("a") != before


def test_white_can_be_read_on_every_colour_of_a_club():
    assert set(tokens.club_colours()) == {"blue", "green", "red", "plum", "amber", "teal", "slate", "rose"}
    for colour in [*tokens.club_colours().values(), tokens.colours()["accent"]]:
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def luminance(colour):
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# Stored pictures


@pytest.fixture
def versions(settings, tmp_path, monkeypatch):
    """A kind of picture whose version and words can be changed, and the words that were drawn."""
    settings.PICTURES_DIR = tmp_path / "pictures"
    drawn, now = [], {"version": "v1"}

    def draw():
        drawn.append(now["version"])
        return canvas.Canvas()

    def find(key):
        if key != "open":
            raise Http404
        return Picture(now["version"], draw)

    monkeypatch.setitem(kinds._kinds, "counted", find)
    return drawn, now


def files(settings):
    return sorted(path.name.partition(".")[2] for path in settings.PICTURES_DIR.iterdir())


def test_a_picture_is_drawn_once_for_each_version(client, db, versions, settings):
    drawn, now = versions
    first = client.get("/pictures/counted/open/v1.en.png")
    assert client.get("/pictures/counted/open/v1.en.png").content == first.content
    assert (drawn, files(settings)) == (["v1"], ["v1.png"])
    assert first["Cache-Control"] == "public, max-age=86400"
    now["version"] = "v2"
    old = client.get("/pictures/counted/open/v1.en.png")
    assert (old.status_code, old["Location"]) == (302, "/pictures/counted/open/v2.en.png")
    client.get(old["Location"])
    assert (drawn, files(settings)) == (["v1", "v2"], ["v2.png"])


def test_browsers_that_have_a_picture_do_not_get_it_again(client, db, versions):
    first = client.get("/pictures/counted/open/v1.en.png")
    again = client.get("/pictures/counted/open/v1.en.png", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["counted/shut/v1.en", "nothing/open/v1.en", "counted/open/v1.fr", "site/other/v1.en"])
def test_other_addresses_have_no_picture(client, db, versions, path):
    assert client.get(f"/pictures/{path}.png").status_code == 404


def test_pictures_are_drawn_ahead_in_every_language(db, versions, settings):
    drawn, _ = versions
    store.draw_ahead("counted", "open")
    store.draw_ahead("counted", "open")
    assert drawn == ["v1", "v1"]
    assert len(files(settings)) == len(settings.LANGUAGES)


def test_old_pictures_go_and_the_oldest_of_too_many(db, versions, settings, monkeypatch):
    store.draw_ahead("counted", "open")
    old, new = sorted(settings.PICTURES_DIR.iterdir())
    assert store.clear() == 0
    past = time.time() - store.AGE.total_seconds() - 60
    os.utime(old, (past, past))
    assert store.clear() == 1
    assert list(settings.PICTURES_DIR.iterdir()) == [new]
    monkeypatch.setattr(store, "MOST_BYTES", 10)
    assert store.clear() == 1
    assert store.clear() == 0


def test_a_disk_that_takes_nothing_is_no_error(client, db, versions, settings, tmp_path):
    (tmp_path / "file").write_text("")
    settings.PICTURES_DIR = tmp_path / "file" / "pictures"
    assert client.get("/pictures/counted/open/v1.en.png").status_code == 200
    assert client.get("/pictures/counted/open/v1.en.png").status_code == 200


def test_no_name_of_a_deleted_account_stays_in_a_picture(person, gone, versions, settings):
    store.draw_ahead("counted", "open")
    gone(person("Ann"))
    assert list(settings.PICTURES_DIR.iterdir()) == []
