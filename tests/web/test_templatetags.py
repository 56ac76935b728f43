"""Numbers and times in words, in the reader's own zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.template import Context, Template
from django.utils import timezone, translation

from web import text

NOW = datetime(2026, 11, 21, 18, 44, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"), [(0, "0"), (950, "950"), (6420, "6,420"), (-1250, "−1,250"), (1_000_000, "1,000,000")]
)
def test_numbers_have_commas_and_a_real_minus_sign(value, expected):
    assert text.number(value) == expected


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (timedelta(seconds=-5), "under 1 min"),
        (timedelta(seconds=59), "under 1 min"),
        (timedelta(minutes=41), "41 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(hours=3, minutes=10), "3 h 10 min"),
        (timedelta(hours=9, minutes=59), "9 h 59 min"),
        (timedelta(hours=19, minutes=29), "19 h"),
        (timedelta(hours=9, minutes=59, seconds=40), "10 h"),
        (timedelta(days=2, seconds=-1), "2 d"),
        (timedelta(days=1), "1 d"),
        (timedelta(days=1, hours=14, minutes=29), "1 d 14 h"),
        (timedelta(days=30), "30 d"),
    ],
)
def test_durations_have_at_most_two_units(length, expected):
    assert text.duration(length) == expected


@pytest.mark.parametrize(
    ("zone", "at", "expected"),
    [
        ("America/Toronto", datetime(2026, 11, 21, 19, 25, tzinfo=UTC), "14:25 today"),
        ("Asia/Kolkata", datetime(2026, 11, 21, 19, 25, tzinfo=UTC), "00:55 today"),
        ("America/St_Johns", datetime(2026, 11, 21, 19, 25, tzinfo=UTC), "15:55 today"),
        ("Asia/Kolkata", datetime(2026, 11, 21, 18, 25, tzinfo=UTC), "23:55 yesterday"),
        ("America/St_Johns", datetime(2026, 11, 22, 3, 30, tzinfo=UTC), "00:00 tomorrow"),
        ("America/Toronto", datetime(2026, 11, 24, 15, 0, tzinfo=UTC), "Tue 10:00"),
        ("UTC", datetime(2026, 11, 28, 10, 0, tzinfo=UTC), "28 Nov 10:00"),
        ("UTC", datetime(2027, 1, 2, 9, 5, tzinfo=UTC), "2 Jan 2027 09:05"),
    ],
)
def test_moments_are_told_by_the_readers_own_calendar(zone, at, expected):
    with timezone.override(ZoneInfo(zone)):
        assert text.moment(at, NOW) == expected


@pytest.mark.parametrize(
    ("zone", "before", "after", "hours"),
    [
        # The clocks go back on 1 November 2026 and forward on 14 March 2027 in Canada.
        ("America/St_Johns", (2026, 10, 31, 20, 0), "20:00 tomorrow", 25),
        ("America/Toronto", (2027, 3, 13, 20, 0), "20:00 tomorrow", 23),
        ("Asia/Kolkata", (2026, 10, 31, 20, 0), "20:00 tomorrow", 24),
    ],
)
def test_the_same_hour_next_day_across_a_change_of_daylight_saving(zone, before, after, hours):
    now = datetime(*before, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    with timezone.override(ZoneInfo(zone)):
        assert text.moment(now + timedelta(hours=hours), now) == after


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("America/Toronto", "Toronto (EST)"),
        ("Asia/Kolkata", "Kolkata (IST)"),
        ("America/St_Johns", "St Johns (NST)"),
        ("America/Sao_Paulo", "Sao Paulo"),
        ("UTC", "UTC"),
    ],
)
def test_the_zone_is_named_by_its_place(zone, expected):
    with timezone.override(ZoneInfo(zone)):
        assert text.zone_name(NOW) == expected


def render(source, **context):
    return Template(source).render(Context(context))


def test_filters():
    assert render("{{ n|number }} {{ none|number }}", n=-1250, none=None) == "−1,250 "
    assert render("{{ d|duration }}", d=timedelta(days=2, hours=6)) == "2 d 6 h"
    assert render("{{ share|per_cent }}", share=40) == "40%"
    assert render("{{ a|full_stop }} {{ b|full_stop }}", a="Doppel-K.-o.", b="Mixer") == "Doppel-K.-o. Mixer."
    assert render("{{ a|several:'table' }}, {{ b|several:'match,matches' }}", a=1, b=1200) == "1 table, 1,200 matches"


def test_lists_in_a_sentence():
    names = ["Ann", "Ben", "Cem"]
    assert [text.join_words(names[:count]) for count in range(4)] == ["", "Ann", "Ann and Ben", "Ann, Ben and Cem"]
    assert [text.either(names[:count]) for count in range(4)] == ["", "Ann", "Ann or Ben", "Ann, Ben or Cem"]
    assert [text.joined(names[:count]) for count in range(4)] == ["", "Ann", "Ann and Ben", "Ann, Ben and Cem"]
    assert text.joined(["Ann, Lady", "Ben", "Cem"]) == "Ann, Lady and Ben and Cem", "the comma is a name’s own"
    with translation.override("de"):
        assert text.join_words(names) == "Ann, Ben und Cem"
        assert text.per_cent(40) == "40\N{NO-BREAK SPACE}%"
        assert text.either(names) == "Ann, Ben oder Cem"


def test_places():
    ordinals = "0th 1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 23rd 100th 101st 111th 112th 121st"
    for ordinal in ordinals.split():
        assert text.ordinal(int(ordinal[:-2])) == ordinal
    with translation.override("de"):
        assert text.ordinal(21) == "21."


def test_titles_within_a_sentence():
    titles = ["Matchday 3", "Table of Ann", "WB1.1", "Sonneborn–Berger", ""]
    small = ["matchday 3", "table of Ann", "WB1.1", "Sonneborn–Berger", ""]
    assert [text.in_sentence(title) for title in titles] == small
    assert render("{{ title|in_sentence }}", title="Matchday 3") == "matchday 3"
    with translation.override("de"):
        assert [text.in_sentence(title) for title in titles] == titles


def test_no_line_breaks_within_a_span_of_times():
    assert render("{{ times|unbroken }}", times="18:30–21:30") == '<span class="nowrap">18:30–21:30</span>'
    assert render("{{ times|unbroken }}", times="18:30") == "18:30"


class Names(forms.Form):
    first = forms.CharField(required=False)
    second = forms.IntegerField()
    third = forms.IntegerField()


@pytest.mark.parametrize(
    ("data", "expected"), [(None, []), ({"second": "x"}, ["second"]), ({"second": "1"}, ["third"])]
)
def test_the_first_field_that_was_refused_has_the_focus(data, expected):
    fields = Names(data)
    focused = [each.name for each in fields if " autofocus" in render("{% field field %}", field=each)]
    assert focused == expected


def test_time_left_is_an_element_that_the_page_can_count_down():
    html = render("{% time_left at %}", at=timezone.now() + timedelta(days=2, minutes=1))
    assert html.startswith('<time datetime="')
    assert html.endswith(" data-left>2 d</time>")


def test_the_navigation_marks_the_page_and_its_part_of_the_site(rf):
    link = "{% nav_link 'gameplay:rulesets' 'Rules' %}"
    assert render(link, request=rf.get("/rules/")) == '<a href="/rules/" aria-current="page">Rules</a>'
    assert render(link, request=rf.get("/rules/bain/")) == '<a href="/rules/" aria-current="true">Rules</a>'
    assert render(link, request=rf.get("/about/")) == '<a href="/rules/">Rules</a>'


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("UTC", "Sat 21 Nov 18:44"), ("Asia/Kolkata", "Sun 22 Nov 00:14"), ("America/Toronto", "Sat 21 Nov 13:44")],
)
def test_a_date_with_its_time_says_the_same_on_any_day(zone, expected):
    with timezone.override(ZoneInfo(zone)):
        assert text.date_and_time(NOW) == expected
        assert Template("{{ at|date_and_time }}").render(Context({"at": NOW})) == expected
