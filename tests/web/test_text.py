"""Words of pages: names as parts of addresses."""

import pytest

from web.text import as_address


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Harbour Hand & Foot", "harbour-hand-foot"),
        ("Weiße Rose Öhringen", "weisse-rose-ohringen"),
        ("Øresund Ærø", "oresund-aero"),
        ("Łódź", "lodz"),
        ("東京", ""),
    ],
)
def test_a_name_keeps_its_letters_in_an_address(name, address):
    assert as_address(name) == address
