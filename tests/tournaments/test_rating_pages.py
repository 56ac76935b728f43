"""Pages of ratings: rating lists, pairs, a person’s own page with its plot, and access."""

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import privacy
from gameplay.models import Seat, Table
from tests.pages import squeezed
from tests.tournaments import driving
from tests.web.crawl import SITE, picture_of, tags
from tournaments.models import Member, Rating, Tournament
from tournaments.ratings import queries as rating_queries
from tournaments.ratings import services as ratings

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(seated, four):
    """Makes so many rated matches of Ann and Cem against Ben and Dee that are over, the winners in turn."""

    def make(count, *, preset="standard", **terms):
        first = seated(preset, is_rated=True, **terms)
        tables = [first]
        for _ in range(count - 1):
            table = Table.objects.get(pk=first.pk)
            table.pk, table.slug = None, f"copy{Table.objects.count():06}"
            table.save(force_insert=True)
            Seat.objects.bulk_create(
                Seat(table=table, number=number, user=user, name=str(user)) for number, user in enumerate(four)
            )
            tables.append(table)
        for number, table in enumerate(tables):
            totals = [9000, 7000] if number % 2 == 0 else [100, 200]
            result = {"totals": totals, "winners": [number % 2], "reason": "played"}
            ended_at = first.started_at + timedelta(days=number)
            Table.objects.filter(pk=table.pk).update(
                status="over", result=result, ended_at=ended_at, name=f"Harbour {number + 1}"
            )
            ratings.sync_table(table.pk)
        ratings.sweep()
        return tables

    return make


def read(client, name, *arguments, **query):
    answer = client.get(reverse(f"tournaments:{name}", args=arguments), query)
    return answer.status_code, answer.content.decode()


def test_rulesets_stand_under_their_headings_those_played_most_first(played):
    played(2, preset="bain")
    played(3, preset="denexa")
    groups = rating_queries.grouped_pools()
    assert [heading for heading, _ in groups][:2] == ["The usual game", "Books of sevens"]
    assert [name for name, _ in groups[0][1]] == ["denexa", "standard", "bga", "saskatchewan"]
    assert sorted(pool for _, pools in groups for pool in pools) == sorted(rating_queries.pools())


def test_the_ladder_links_to_people_and_shows_own_changes(played, client, four):
    played(5)
    client.force_login(four[0])
    status, page = read(client, "ratings")
    assert status == 200
    assert page.index(">Ann<") < page.index(">Ben<")
    assert reverse("tournaments:ratings_person", args=["ann"]) in page
    assert "Harbour 5" in page
    assert read(client, "ratings_of", "bain")[0] == 200


def test_a_pool_that_is_none_is_not_found(client):
    for name in ("ratings_of", "partnerships_of"):
        assert client.get(reverse(f"tournaments:{name}", args=["poker"])).status_code == 404
    for name in ("ratings", "partnerships"):
        assert client.post(reverse(f"tournaments:{name}")).status_code == 405


def test_partnerships_are_listed_after_enough_matches(played, client, four):
    played(4)
    assert "Pairs appear here after 5" in read(client, "partnerships")[1]
    client.force_login(four[2])
    words = '</b>with<a href="/ratings/of/cem/with/ann/?rules=standard"><bdi>Ann</bdi></a>, Standard, 4 matches'
    assert words in squeezed(read(client, "partnerships")[1])
    Rating.objects.update(matches=5)
    Rating.objects.filter(user=four[0]).update(mu=40)
    page = read(client, "partnerships_of", "standard")[1]
    assert page.index("<bdi>Ann</bdi> and <bdi>Cem</bdi>") < page.index("<bdi>Ben</bdi> and <bdi>Dee</bdi>")
    assert '<tr class="mine"><td class="num">1</td>' in squeezed(page)


# Two partners


def test_partners_have_a_page_with_a_plot_and_their_history(played, client, four):
    played(5, watching="anybody")
    assert reverse("tournaments:ratings_pair", args=["ann", "cem"]) in read(client, "partnerships")[1]
    assert reverse("tournaments:ratings_pair", args=["ann", "cem"]) in read(client, "ratings_person", "ann")[1]
    status, page = read(client, "ratings_pair", "ann", "cem")
    assert status == 200
    together, alone = (Rating.objects.get(user=four[0], partner=partner) for partner in (four[2], None))
    assert together.value != alone.value
    assert f"Over 5 matches from 1000 to {together.value}." in page
    assert squeezed(page).count("<tr><td>") == 5
    assert "against <bdi>Ben</bdi>, <bdi>Dee</bdi>" in page
    assert "with <bdi>" not in page
    swapped = read(client, "ratings_pair", "cem", "ann")[1]
    assert f"Over 5 matches from 1000 to {together.value}." in swapped
    assert "against <bdi>Ben</bdi>, <bdi>Dee</bdi>" in swapped


def test_others_see_partners_when_they_are_listed_and_the_partners_always(played, client, four):
    played(4, watching="anybody")
    expected = {None: 404, four[1]: 404, four[0]: 200, four[2]: 200}
    for reader, status in expected.items():
        if reader is not None:
            client.force_login(reader)
        assert read(client, "ratings_pair", "ann", "cem")[0] == status, reader
    Rating.objects.update(matches=rating_queries.LISTED_FROM)
    client.logout()
    assert read(client, "ratings_pair", "ann", "cem")[0] == 200


def test_a_link_to_partners_is_shown_with_their_rating_once_it_is_listed(played, client, four, settings, tmp_path):
    settings.SITE_URL, settings.PICTURES_DIR = SITE, tmp_path / "pictures"
    played(4, watching="anybody")
    client.force_login(four[0])
    path = reverse("tournaments:ratings_pair", args=["ann", "cem"])
    assert "/pictures/site/" in tags(client.get(path))["image"]
    assert client.get("/pictures/pair/ann/cem/v.en.png").status_code == 404
    Rating.objects.update(matches=rating_queries.LISTED_FROM)
    rating = Rating.objects.get(user=four[0], partner=four[2])
    page = client.get(path)
    assert tags(page)["title"] == f"Ann and Cem: {rating.value:,} in Standard"
    assert picture_of(client, page)
    assert picture_of(client, client.get(reverse("tournaments:partnerships")))


def test_the_picture_of_partners_with_several_ratings_is_the_current_one(played, client, four, settings, tmp_path):
    settings.SITE_URL, settings.PICTURES_DIR = SITE, tmp_path / "pictures"
    played(4, watching="anybody")
    Rating.objects.update(matches=rating_queries.LISTED_FROM)
    most = Rating.objects.get(user=four[0], partner=four[2])
    most.pk, most.pool, most.matches = None, "vegas", most.matches + 1
    most.save()
    page = client.get(reverse("tournaments:ratings_pair", args=["ann", "cem"]))
    assert client.get(tags(page)["image"].removeprefix(SITE)).status_code == 200


def test_matches_of_partners_that_are_not_open_are_not_told_of(played, client, four):
    tables = played(5)
    Table.objects.update(watching="nobody")
    status, page = read(client, "ratings_pair", "ann", "cem")
    assert (status, squeezed(page).count(rating_queries.SOMEWHERE + "<")) == (200, 5)
    assert not any(words in page for words in ("Harbour", "Ben", "Dee", tables[0].slug))
    client.force_login(four[2])
    assert tables[0].slug in read(client, "ratings_pair", "ann", "cem")[1]


def test_who_is_no_pair_has_no_page(played, client, four):
    played(5, watching="anybody")
    for names in (("ann", "ben"), ("ann", "ann"), ("ann", "nobody"), ("nobody", "x" * 300)):
        assert read(client, "ratings_pair", *names)[0] == 404, names
    assert client.post(reverse("tournaments:ratings_pair", args=["ann", "cem"])).status_code == 405
    privacy.delete_account(four[0])
    four[0].refresh_from_db()
    assert read(client, "ratings_pair", "ann", "cem")[0] == 404
    assert read(client, "ratings_pair", four[0].username, "cem")[0] == 404
    client.force_login(four[2])
    assert "/with/" not in read(client, "ratings_person", "cem")[1]


# One person


def test_others_see_ratings_when_they_are_listed_and_oneself_always(played, client, four):
    played(4, watching="anybody")
    assert read(client, "ratings_person", "ann")[0] == 404
    client.force_login(four[1])
    assert read(client, "ratings_person", "ann")[0] == 404
    status, page = read(client, "ratings_person", "ben")
    assert (status, "Harbour 4" in page) == (200, True)
    Rating.objects.of_people().update(matches=rating_queries.LISTED_FROM)
    assert read(client, "ratings_person", "ann")[0] == 200
    client.logout()
    assert read(client, "ratings_person", "ann")[0] == 200


def test_only_the_ladders_that_list_a_person_are_shown_to_others(played, client, four):
    played(5)
    played(1, preset="bain")
    assert "Bain" not in read(client, "ratings_person", "ann")[1]
    client.force_login(four[0])
    page = read(client, "ratings_person", "ann")[1]
    assert "?rules=bain" in page
    own_page = read(client, "ratings_person", "ann", rules="bain")[1]
    assert own_page.count('class="grid"') > 0
    assert "Over 1 match from 1000" in own_page


@pytest.mark.parametrize("watching", ["link", "nobody", "club"])
def test_matches_that_are_not_open_to_everybody_are_not_told_of(played, client, four, person, watching):
    tables = played(5)
    Table.objects.update(watching=watching)
    for reader in (None, person("Eve")):
        if reader is not None:
            client.force_login(reader)
        status, page = read(client, "ratings_person", "ann")
        assert status == 200
        assert squeezed(page).count(rating_queries.SOMEWHERE + "<") == 5
        assert not any(words in page for words in ("Harbour", "Ben", "Dee", tables[0].slug))
    client.force_login(four[3])
    page = read(client, "ratings_person", "ann")[1]
    assert "against <bdi>Ben</bdi>, <bdi>Dee</bdi>" in page
    assert tables[0].slug in page


def test_a_sealed_table_is_told_of_to_nobody_but_its_players(played, client):
    tables = played(5, watching="anybody")
    Table.objects.filter(pk=tables[0].pk).update(is_sealed=True)
    page = read(client, "ratings_person", "ann")[1]
    assert (tables[0].slug in page, tables[1].slug in page) == (False, True)


@pytest.mark.parametrize(("visibility", "is_told"), [("public", True), ("link", False), ("circle", False)])
def test_matches_of_events_are_told_of_as_events_are_listed(new_event, olga, client, visibility, is_told):
    cup = new_event("round_robin", 6, started=True, all_at_once=True, visibility=visibility, circle="club:1")
    driving.play_out(cup, olga)
    ratings.rate_tournament(cup.pk)
    user = Member.objects.filter(tournament=cup).first().user
    status, page = read(client, "ratings_person", user.username)
    assert status == 200
    assert ("Harbour Cup" in page, cup.slug in page) == (is_told, is_told)
    client.force_login(user)
    assert "Harbour Cup" in read(client, "ratings_person", user.username)[1]
    Tournament.objects.filter(pk=cup.pk).update(status="draft")
    client.logout()
    assert "Harbour Cup" not in read(client, "ratings_person", user.username)[1]


def test_who_is_gone_a_guest_or_nobody_has_no_page(played, client, four, person):
    played(5)
    person("Guest", is_guest=True)
    former = four[0]
    privacy.delete_account(former)
    former.refresh_from_db()
    for username in ("ann", former.username, "guest", "nobody", "x" * 300):
        assert read(client, "ratings_person", username)[0] == 404
    assert client.post(reverse("tournaments:ratings_person", args=["ben"])).status_code == 405
    page = read(client, "ratings_person", "cem")[1]
    assert "Ann" not in page


def test_the_plot_is_a_picture_with_words_and_a_table_beside_it(played, client):
    played(6, watching="anybody")
    page = read(client, "ratings_person", "ann")[1]
    svg = re.search(r"<svg class=\"rating-plot\".*?</svg>", page, re.DOTALL)[0]
    picture = ElementTree.fromstring(svg)
    assert picture.get("role") == "img"
    ids = {element.get("id") for element in picture.iter()}
    assert set(picture.get("aria-labelledby").split()) <= ids
    words = [element.text for element in picture.iter("text")]
    assert words[0] == "Rating"
    assert len(picture.find("polyline").get("points").split()) == 7
    assert "style=" not in svg
    assert squeezed(page).count("<tr><td>") == 6
    assert "Over 6 matches from 1000 to " in svg


def test_a_long_history_has_pages_and_the_plot_shows_all_of_it(played, client, monkeypatch):
    monkeypatch.setattr("tournaments.ratings.views.A_PAGE", 2)
    played(5, watching="anybody")
    first, last = (read(client, "ratings_person", "ann", rules="standard", page=page)[1] for page in (1, 3))
    assert "?rules=standard&amp;page=2" in first
    assert ("Harbour 5" in first, "Harbour 1<" in first, "Harbour 1<" in last) == (True, False, True)
    assert "Over 5 matches" in last


def test_the_page_asks_as_many_queries_for_more_matches(played, client):
    counts = []
    for count in (5, 3):
        played(count, watching="anybody")
        with CaptureQueriesContext(connection) as context:
            assert read(client, "ratings_person", "ann")[0] == 200
        counts.append(len(context))
    assert counts[0] == counts[1]


def test_names_are_text(played, client, four):
    played(5, watching="anybody")
    type(four[0]).objects.filter(pk=four[0].pk).update(display_name="<b>Ann</b>")
    for name, arguments in (
        ("ratings", ()),
        ("partnerships", ()),
        ("ratings_person", ("ann",)),
        ("ratings_person", ("ben",)),
        ("ratings_pair", ("ann", "cem")),
    ):
        page = read(client, name, *arguments)[1]
        assert "<b>Ann" not in page
        assert "&lt;b&gt;Ann" in page
