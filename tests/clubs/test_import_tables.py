"""Tables as secretaries have them."""

import pytest

from clubs.imports.tables import MOST_BYTES, columns_of, read_table
from web.errors import Refused

TITLES = {"name": ["member", "full name"], "email": ["e-mail", "mail"]}


def cells(data):
    return [row.cells for row in read_table(data).rows]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_any_usual_delimiter(delimiter):
    text = f"Name{delimiter}Mail\nAnn Lee{delimiter}ann@example.org\n"
    assert cells(text.encode()) == [("Name", "Mail"), ("Ann Lee", "ann@example.org")]


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1252", "windows-1252"), ("utf-16", "utf-16")],
)
def test_any_usual_encoding(encoding, expected):
    table = read_table("Name;Mail\r\nZoë Müller–Åberg;zoe@example.org\r\n".encode(encoding))
    assert table.encoding == expected
    assert table.rows[1].cells == ("Zoë Müller–Åberg", "zoe@example.org")


def test_accents_that_are_typed_apart_are_put_together():
    assert cells("Name\nZoe\u0308\n".encode())[1] == ("Zo\u00eb",)


def test_lines_are_told_as_the_file_has_them():
    data = b'name,words\r\n\r\n"Lee, Ann","two\r\nlines"\r\n ,\r\nBen,\r\n'
    assert [(row.line, row.cells) for row in read_table(data).rows] == [
        (1, ("name", "words")),
        (3, ("Lee, Ann", "two lines")),
        (6, ("Ben", "")),
    ]


def test_old_macs_end_their_lines_otherwise():
    assert cells(b"Name;Mail\rAnn;a@example.org\r") == [("Name", "Mail"), ("Ann", "a@example.org")]


def test_commas_in_numbers_part_nothing():
    assert cells("Ann;1,5;2,5\nBen;1,0;3,5") == [("Ann", "1,5", "2,5"), ("Ben", "1,0", "3,5")]


def test_quotes_within():
    assert cells('name;nick\n"Ann ""Ace"" Lee";x\n"Bud" Lee;y\n') == [
        ("name", "nick"),
        ('Ann "Ace" Lee', "x"),
        ("Bud Lee", "y"),
    ]


def test_a_spreadsheet_may_say_its_delimiter():
    table = read_table("sep=;\r\nName;Town, land\r\nAnn;Bath, UK\r\n")
    assert [(row.line, row.cells) for row in table.rows] == [(2, ("Name", "Town, land")), (3, ("Ann", "Bath, UK"))]


def test_what_was_made_harmless_comes_back():
    assert cells("name\n'=Ann\n'Ann")[1:] == [("=Ann",), ("'Ann",)]


def test_one_column():
    assert cells("Ann Lee\n\nBen Ross\n") == [("Ann Lee",), ("Ben Ross",)]


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "empty", "The file is empty"),
        (b"\n ; ;\n", "empty", "The file is empty"),
        (b"PK\x03\x04rest", "no_text", "Save it as CSV"),
        (b"name\0x", "no_text", "Save it as CSV"),
        (b"\x81\x8d\x8f", "no_text", "UTF-8"),
        (b'name;x\nAnn;"never closed\nBen;y\n', "bad_row", "Line 2: A closing quotation mark is missing"),
        (b"x" * (MOST_BYTES + 1), "too_large", "too large"),
        (b"name\n" + b"x" * 140_000, "bad_row", "Line 2: A cell is too long."),
    ],
)
def test_what_is_no_table_is_refused_in_words(data, code, words):
    with pytest.raises(Refused, match=words) as refusal:
        read_table(data)
    assert refusal.value.code == code


def test_too_many_rows():
    with pytest.raises(Refused, match="The limit is 2"):
        read_table("a\nb\nc\n", most_rows=2)


def test_titles_in_any_order():
    columns = columns_of(read_table("Town;E-Mail;MEMBER\nBath;ann@example.org;Ann\n"), TITLES)
    (row,) = columns.rows
    assert (columns.cell(row, "name"), columns.cell(row, "email")) == ("Ann", "ann@example.org")
    assert (columns.unknown, columns.has_titles) == (("Town",), True)


def test_a_title_twice_counts_once():
    columns = columns_of(read_table("Name;Full name\nAnn;Ann Lee\n"), TITLES)
    assert (columns.at, columns.unknown) == ({"name": 0}, ("Full name",))


def test_without_titles_the_order_says_it():
    columns = columns_of(read_table("Ann Lee;ann@example.org\nBen\n"), TITLES, ["name", "email"])
    assert [(columns.cell(row, "name"), columns.cell(row, "email")) for row in columns.rows] == [
        ("Ann Lee", "ann@example.org"),
        ("Ben", ""),
    ]
    assert not columns.has_titles
