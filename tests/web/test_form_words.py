"""What forms say of missing numbers and of those out of bounds."""

import pytest
from django import forms
from django.utils import translation


class Tables(forms.Form):
    count = forms.IntegerField(min_value=2, max_value=9)


@pytest.mark.parametrize(
    ("typed", "english", "german"),
    [
        ("", "Fill in this field.", "Füll dieses Feld aus."),
        ("1", "Enter 2 or more.", "Gib 2 oder mehr ein."),
        ("10", "Enter 9 or less.", "Gib höchstens 9 ein."),
    ],
)
def test_a_field_says_what_to_enter(typed, english, german):
    assert Tables({"count": typed}).errors["count"] == [english]
    with translation.override("de"):
        assert Tables({"count": typed}).errors["count"] == [german]
