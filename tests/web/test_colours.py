"""Contrast of the colours that pages are drawn in, worked out from their tokens, in every choice of a player."""

import re
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from accounts.models import User
from clubs.models import Club
from gameplay.models import Table
from tests.pages import squeezed

CSS = (Path(settings.BASE_DIR) / "static" / "css" / "tokens.css").read_text()
DARK = "@media (prefers-color-scheme: dark)"
SUITS = ("suit-s", "suit-h", "suit-d", "suit-c", "wild")
CHOICES = list(product(("light", "dark"), User.Deck.values, User.CardBack.values, User.TableColour.values))

READ = [
    *product(("ink", "ink-2", "accent"), ("paper", "surface", "sunken", "table")),
    *product(SUITS, ("card",)),
    ("accent-ink", "accent"),
    ("ink", "accent-soft"),
    ("ink", "warn-soft"),
    ("accent", "accent-soft"),
    ("ink-2", "accent-soft"),
    *product(("warn", "bad"), ("surface",)),
    ("warn", "warn-soft"),
    ("bad", "bad-soft"),
    ("ink", "bad-soft"),
    ("warn", "paper"),
    ("bad", "paper"),
    ("bad", "table"),
]
"""Text and the ground it is read on: 4.5 to 1."""
SEEN = [("card-back", "card"), ("card-back", "surface"), ("ink-3", "surface"), ("accent", "sunken")]
"""Shapes to be told from their ground: 3 to 1."""


def blocks(text):
    """Tokens of each selector at the top level of a stylesheet."""
    return {
        name.strip(): dict(re.findall(r"--([\w-]+): ([^;]+);", body))
        for name, body in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    }


def dark_parts():
    """The parts of the stylesheet for dark, and the rest."""
    dark = re.findall(re.escape(DARK) + r" \{\n(.*?)\n\}", CSS, flags=re.S)
    rest = CSS
    for part in dark:
        rest = rest.replace(DARK + " {\n" + part + "\n}", "")
    return blocks("\n".join(dark)), blocks(rest)


def tokens(scheme, deck, back, table):
    dark, light = dark_parts()
    chosen = (":root", f'[data-deck="{deck}"]', f'[data-back="{back}"]', f'[data-table="{table}"]')
    values = {}
    for sheet in (light, dark) if scheme == "dark" else (light,):
        for selector in chosen:
            values |= sheet.get(selector, {})
    return values


def colour(values, name):
    value = values[name]
    if reference := re.fullmatch(r"var\(--([\w-]+)\)", value):
        return colour(values, reference[1])
    return value


def luminance(value):
    """Relative luminance of a colour such as #1f6b4f, by WCAG 2."""
    parts = [int(value[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    light, dark = sorted([luminance(first), luminance(second)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_white_is_legible_on_every_colour_that_a_club_can_choose():
    css = (Path(settings.BASE_DIR) / "static" / "css" / "clubs.css").read_text()
    colours = dict(re.findall(r"\.club-(\w+) \{ --club: (#\w{6}); \}", css))
    assert set(colours) == set(Club.Colour.values)
    assert {name: value for name, value in colours.items() if contrast("#ffffff", value) < 4.5} == {}


def test_contrast_is_that_of_the_guidelines():
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize(("scheme", "deck", "back", "table"), CHOICES, ids=["-".join(choice) for choice in CHOICES])
def test_every_choice_of_colours_can_be_read(scheme, deck, back, table):
    values = tokens(scheme, deck, back, table)

    def weak(pairs, least):
        ratios = {pair: round(contrast(*(colour(values, name) for name in pair)), 2) for pair in pairs}
        return {pair: ratio for pair, ratio in ratios.items() if ratio < least}

    assert weak(READ, 4.5) == {}
    assert weak(SEEN, 3) == {}


def test_a_deck_of_two_colours_draws_clubs_black_and_diamonds_red():
    values = tokens("light", "two", "blue", "paper")
    assert [colour(values, name) for name in SUITS[:4]] == ["#1b1f23", "#c8322b", "#c8322b", "#1b1f23"]


def test_a_deck_of_four_colours_has_one_for_each_suit():
    values = tokens("light", "four", "blue", "paper")
    assert len({colour(values, name) for name in SUITS[:4]}) == 4


def test_each_choice_has_its_colour():
    drawn = {tokens("light", "four", back, table)["card-back"] for back in User.CardBack for table in User.TableColour}
    assert len(drawn) == 3
    assert len({tokens("dark", "four", "blue", table)["table"] for table in User.TableColour}) == 3


def test_pages_are_drawn_in_the_colours_that_a_player_saved(client, seated):
    table = seated("standard")
    user = table.seats.get(number=0).user
    client.force_login(user)
    profile = {"display_name": "Ann", "time_zone": "UTC", "language": "en", "hand_order": "rank"}
    client.post(reverse("accounts:profile"), {**profile, "deck": "two", "card_back": "red", "table_colour": "green"})
    words = 'data-deck="two" data-back="red" data-table="green"'
    for address in (table.get_absolute_url(), reverse("gameplay:turns")):
        assert words in squeezed(client.get(address).content.decode())
    client.post(reverse("accounts:profile"), profile)
    user.refresh_from_db()
    assert (user.deck, user.card_back, user.table_colour) == ("two", "red", "green")


# Without an account

COLOURS = {"deck": "two", "card_back": "red", "table_colour": "green"}
CHOSEN, USUAL = (
    'data-deck="two" data-back="red" data-table="green"',
    'data-deck="four" data-back="blue" data-table="paper"',
)


@pytest.mark.django_db
def test_people_without_an_account_choose_colours_for_their_browser(client):
    assert 'href="/you/colours/?next=%2Fhelp%2F"' in squeezed(client.get("/help/"))
    page = squeezed(client.get("/you/colours/?next=/help/"))
    assert (USUAL in page, 'name="next" value="/help/"' in page) == (True, True)
    assert client.post("/you/colours/", {**COLOURS, "next": "/help/"})["Location"] == "/help/"
    client.post("/practice/")
    for address in ("/help/", Table.objects.get().get_absolute_url(), "/you/colours/"):
        assert CHOSEN in squeezed(client.get(address)), address
    assert re.search(r'<input [^>]*value="two"[^>]*checked', squeezed(client.get("/you/colours/")))
    assert client.cookies["colours"]["max-age"] == 365 * 24 * 60 * 60


@pytest.mark.django_db
@pytest.mark.parametrize("cookie", ["", "two", "two.red.pink", "two.red.green.x", '".."', "x" * 3000])
def test_an_odd_cookie_gives_the_usual_colours(client, cookie):
    client.cookies["colours"] = cookie
    assert USUAL in squeezed(client.get("/help/"))


@pytest.mark.django_db
def test_colours_that_do_not_exist_are_refused(client):
    answer = client.post("/you/colours/", {**COLOURS, "deck": "five"})
    assert (answer.status_code, "colours" in answer.cookies) == (422, False)
    assert client.post("/you/colours/", {**COLOURS, "next": "https://evil.example/"})["Location"] == "/"


def test_members_choose_in_their_profile_whatever_their_browser_remembers(client, four):
    client.cookies["colours"] = "two.red.green"
    client.force_login(four[0])
    assert USUAL in squeezed(client.get("/help/"))
    for answer in (client.get("/you/colours/"), client.post("/you/colours/", COLOURS)):
        assert answer["Location"] == "/you/#at-the-table"
        assert "colours" not in answer.cookies


@pytest.mark.django_db
@pytest.mark.parametrize(("deck", "is_said"), [("four", True), ("two", False)])
def test_rules_say_which_threes_are_called_red_where_a_deck_has_four_colours(client, deck, is_said):
    client.cookies["colours"] = f"{deck}.blue.paper"
    client.post("/practice/")
    table = Table.objects.get()
    for address in ("/rules/", "/rules/standard/", reverse("gameplay:rules", args=[table.slug])):
        _, _, note = squeezed(client.get(address)).partition('id="threes"')
        cards = re.findall('class="ic ([shdc])"', note.partition("</p>")[0])
        assert cards == (["h", "d", "s", "c"] if is_said else []), address
