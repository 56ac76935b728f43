"""Files that anybody may have made: what is too large, or more than a table, is refused with a sentence."""

import io
import struct
import zipfile

import pytest

from clubs.bring_in import child
from clubs.bring_in.workbook import Unreadable, unpack
from tests.clubs.bring_in.workbooks import Tab, letters, ods, xlsx, zipped
from web.errors import Refused

SMALL = Tab("Members", [["Name"], ["Ann Lee"]])


def far_apart():
    """Two cells, and between them billions of empty ones."""
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    return xlsx(
        SMALL, parts={"xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>".encode()}
    )


def bomb():
    """Half a gigabyte of zeros, in half a megabyte."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/workbook.xml", "w") as part:
        for _ in range(100):
            part.write(b"\0" * 1_000_000)
    return out.getvalue()


def lying_bomb():
    """The same, which says that it is small."""
    data = bytearray(bomb())
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 1000)
    return bytes(data)


def entities():
    """A text that grows by entities in entities."""
    grown = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 12))
    head = f'<!DOCTYPE w [<!ENTITY e0 "ha">{grown}]>'
    return xlsx(SMALL, parts={"xl/workbook.xml": f"<?xml version='1.0'?>{head}<workbook>&e11;</workbook>".encode()})


REFUSED = {
    "bomb": (bomb, "This file unpacks to more than a club can have."),
    "macros": (lambda: xlsx(SMALL, parts={"xl/vbaProject.bin": b"x"}), "This workbook contains macros"),
    "macros of ods": (
        lambda: ods(SMALL, parts={"Basic/Standard/script-lc.xml": b"x"}),
        "This workbook contains macros",
    ),
    "links": (
        lambda: xlsx(SMALL, parts={"xl/externalLinks/externalLink1.xml": b"<x/>"}),
        "This workbook takes values from other files.",
    ),
    "sheets": (
        lambda: xlsx(*(Tab(f"Sheet {at}", [["Name"]]) for at in range(200))),
        "This workbook has more than 60 sheets.",
    ),
    "columns": (lambda: xlsx(Tab("Wide", [["x"] * 400])), "A sheet has more than 200 columns."),
    "rows": (lambda: ("Name\n" + "Ann Lee\n" * 6000).encode(), "A sheet has more than 5000 rows."),
    "far apart": (far_apart, "This file unpacks to more than a club can have."),
    "large": (lambda: b"a" * 5_000_001, "The file is too large. The limit is 5 MB."),
    "nothing": (lambda: b"  \n", "The file is empty."),
    "no cells": (lambda: xlsx(Tab("Empty", [])), "The file is empty."),
    "a letter": (lambda: zipped({"word/document.xml": "<w/>"}), "This is not a table."),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n", "This is not a table."),
    "a page": (lambda: b"<!DOCTYPE html><html>", "This is a web page, not a table."),
    "half a file": (lambda: xlsx(SMALL)[:300], "This file is damaged."),
    "an old file that is none": (lambda: b"\xd0\xcf\x11\xe0" + b"\0" * 600, "This is not a table."),
    "binary": (lambda: b"Name\0\0Ann\0", "This is not a table."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_is_refused_with_a_sentence(name):
    make, sentence = REFUSED[name]
    with pytest.raises(Refused) as caught:
        child.read_file(make())
    assert caught.value.sentence.startswith(sentence)


@pytest.mark.parametrize("make", [lying_bomb, entities])
def test_a_file_that_lies_does_no_harm(make):
    with pytest.raises(Refused):
        child.read_file(make())


def test_a_table_of_any_usual_kind_is_read():
    wide = xlsx(Tab("Wide", [[f"Column {letters(at)}" for at in range(200)]]))
    assert child.read_file(wide).sheets[0].width == 200
    assert child.read_file(ods(SMALL)).sheets[0].rows[1][0].text == "Ann Lee"


@pytest.mark.parametrize(
    "data", [None, 1, [], [["x"]], [["x", [[1]], False, []]], [["x", [["a"]], False, [[1]]]], [[1, [], 0, []]]]
)
def test_a_workbook_that_a_form_sends_is_not_believed(data):
    with pytest.raises(Unreadable):
        unpack(data)
