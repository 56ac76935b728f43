import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from accounts.display_names import clean_display_name, initials, name_text


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("  Ann  ", "Ann"),
        ("Ann   Lee", "Ann Lee"),
        ("Ann\u00a0Lee", "Ann Lee"),
        ("A\u030angstro\u0308m", "Ångström"),
        ("<b>Ann</b>", "<b>Ann</b>"),
        ("李小龍", "李小龍"),
        ("♠ Queen", "♠ Queen"),
        ("x" * 50, "x" * 50),
    ],
)
def test_names_that_can_be_read_are_kept(typed, expected):
    assert clean_display_name(typed) == expected


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("Ann\r\nBcc: all@example.org", "invisible"),
        ("Ann\x00", "invisible"),
        ("\u202eAnn", "invisible"),
        ("An\u200bn", "invisible"),
        ("\u3164", "invisible"),
        ("\ufeffAnn", "invisible"),
        ("\U000e0041nn", "invisible"),
        ("   ", "empty"),
        ("\u0301", "empty"),
        ("a" + "\u0335" * 3, "marks"),
        ("x" * 51, "long"),
        ("Former  Member", "reserved"),
    ],
)
def test_names_that_deceive_are_refused(typed, code):
    with pytest.raises(ValidationError) as refused:
        clean_display_name(typed)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Ann", "A"),
        ("Ann Lee", "AL"),
        ("ann van der lee", "AL"),
        ("李小龍", "李"),
        ("<script>", "<"),
        ("ß", "S"),
        ("", "?"),
    ],
)
def test_initials(name, letters):
    assert initials(name) == letters


def test_people_who_left_are_named_in_the_readers_language():
    names = ["former member", "former member / Bo Lund", "Bo Lund", "The former members"]
    with translation.override("de"):
        german = [name_text(name) for name in names]
    assert german == ["ehemaliges Mitglied", "ehemaliges Mitglied / Bo Lund", "Bo Lund", "The former members"]
    assert [name_text(name) for name in names] == names
