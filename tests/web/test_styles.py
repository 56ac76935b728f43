"""The stylesheets as one: a property that is never set makes a whole declaration void, and no browser reports it."""

import re
from pathlib import Path

SHEETS = sorted((Path(__file__).parents[2] / "static" / "css").glob("*.css"))


def test_every_custom_property_is_set_somewhere():
    texts = {sheet.name: sheet.read_text() for sheet in SHEETS}
    names = {name for text in texts.values() for name in re.findall(r"(--[\w-]+)\s*:", text)}
    # A property with a fallback may stay unset.
    unset = {
        (sheet, name)
        for sheet, text in texts.items()
        for name in re.findall(r"var\((--[\w-]+)\)", text)
        if name not in names
    }
    assert texts
    assert unset == set()
