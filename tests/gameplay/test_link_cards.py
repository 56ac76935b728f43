"""Titles and pictures of links to tables: an invitation, who plays, how it ended; and never what is hidden."""

import pytest

from gameplay import link_cards
from gameplay.models import Seat, Table
from tests.makers import finish_match, make_person, make_table
from tests.web.crawl import SITE, picture_of, tags

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def elsewhere(settings, tmp_path):
    settings.SITE_URL, settings.PICTURES_DIR = SITE, tmp_path / "pictures"


def words(table):
    """The texts of a table's picture."""
    table = Table.objects.get(pk=table.pk)
    return [word.text for word in link_cards._draw_table(table, list(Seat.objects.filter(table=table))).words]


def test_a_table_that_waits_asks_to_play(client):
    table = make_table([make_person("Maeve Doyle")], begun=False, joining="link")
    page = client.get(table.get_absolute_url())
    card = tags(page)
    assert (card["title"], card["description"]) == (
        "Maeve Doyle asks you to play",
        "3 seats are free. You need no account.",
    )
    assert {"Play with Maeve?", "Maeve Doyle", "Your seat", "free"} <= set(words(table))
    picture_of(client, page)


def test_the_picture_changes_when_a_seat_is_taken(client):
    table = make_table([make_person("Maeve Doyle")], begun=False, joining="link")
    before = tags(client.get(table.get_absolute_url()))["image"]
    seat = Seat.objects.filter(table=table, user=None).first()
    Seat.objects.filter(pk=seat.pk).update(user=make_person("Tom Averill"), name="Tom Averill")
    assert tags(client.get(table.get_absolute_url()))["image"] != before
    assert client.get(before.removeprefix(SITE)).status_code == 302


def test_a_match_that_is_over_says_by_how_much_it_was_won(seated, client):
    table = seated(watching="link")
    finish_match(table, [7240, 6000], [0])
    assert any("1,240 after the last card" in text for text in words(table))
    page = client.get(f"{table.get_absolute_url()}replay/")
    assert tags(page)["title"].endswith(" won by 1,240 after the last card")


@pytest.mark.parametrize("hidden", [{"watching": "nobody"}, {"watching": "club"}, {"is_sealed": True}])
def test_nothing_of_a_hidden_table_is_in_a_picture(seated, four, client, hidden):
    table = seated(watching="link")
    assert client.get(f"/pictures/table/{table.slug}/v.en.png").status_code == 302
    Table.objects.filter(pk=table.pk).update(**hidden)
    assert client.get(f"/pictures/table/{table.slug}/v.en.png").status_code == 404
    assert client.get("/oembed", {"url": f"{SITE}{table.get_absolute_url()}replay/"}).status_code == 404
    client.force_login(four[0])
    assert "/pictures/site/" in tags(client.get(table.get_absolute_url()))["image"]


def test_a_replay_is_shown_elsewhere_as_its_picture(seated, client):
    table = seated(watching="link")
    answer = client.get("/oembed", {"url": f"{SITE}{table.get_absolute_url()}replay/"}).json()
    assert (answer["type"], answer["width"], answer["height"]) == ("photo", 1200, 630)
    assert client.get(answer["url"].removeprefix(SITE)).status_code == 200
