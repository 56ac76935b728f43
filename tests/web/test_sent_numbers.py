"""Whole numbers that a form or an address sends as text."""

import pytest

from web.sent_numbers import read_ids, read_whole


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("007", 7), ("0", 0), ("999999999", 999_999_999)])
def test_a_whole_number_is_read(text, number):
    assert read_whole(text) == number


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.5", " 7", "1_000", "٣", "²", "1234567890"])
def test_other_text_is_no_number(text):
    assert read_whole(text) is None


def test_a_page_says_how_long_a_number_may_be():
    assert (read_whole("12345", digits=5), read_whole("123456", digits=5)) == (12345, None)


def test_ids_come_in_their_order_without_what_is_none():
    assert read_ids(["12", "x", "", "3", "12"]) == [12, 3, 12]
