"""The stylesheets as one: a property that nobody sets makes a whole declaration void, and no browser says so."""

import re
from pathlib import Path

SHEETS = sorted((Path(__file__).parents[2] / "static" / "css").glob("*.css"))


def test_every_custom_property_is_set_somewhere():
    texts = {sheet.name: sheet.read_text() for sheet in SHEETS}
    known = {name for text in texts.values() for name in re.findall(r"(--[\w-]+)\s*:", text)}
    # What has a fallback may stay unset.
    unset = {
        (sheet, name)
        for sheet, text in texts.items()
        for name in re.findall(r"var\((--[\w-]+)\)", text)
        if name not in known
    }
    assert texts
    assert unset == set()
