"""Every public page of the sample site has a title, a sentence and a picture that can be read in a chat."""

import io
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.core.management import call_command
from django.test import Client
from PIL import Image

from clubs.models import Club, News
from tests.web.crawl import SITE, letters, picture_of, read, tags

NOW = datetime(2026, 12, 1, 19, tzinfo=UTC)
PRIVATE = ("/accounts/", "/you/", "/operator/", "/api/", "/pictures/", "/static/")
KINDS = {"site", "club", "season", "fixture", "event", "stage", "match", "table", "ruleset", "ratings", "pairs"}
"""Kinds of pictures that the sample has."""


@pytest.fixture
def sample(db, settings):
    settings.SITE_URL = SITE
    call_command("demo", verbosity=0)


def pages(client):
    """Every page that a stranger reaches from the sitemap, by its path."""
    sitemap = client.get("/sitemap.xml").content.decode()
    todo, visited = [path.removeprefix(SITE) for path in re.findall(r"<loc>(.*?)</loc>", sitemap)], {}
    assert f"{SITE}/clubs/harbour/leagues/harbour-league/" in sitemap
    while todo:
        path = todo.pop(0)
        if path in visited or path.startswith(PRIVATE):
            continue
        page = client.get(path)
        if page.status_code != 200 or not page["Content-Type"].startswith("text/html"):
            visited[path] = None
            continue
        visited[path] = page
        links = re.findall(r'<a\b[^>]*href="(/[^"#?]*)', page.content.decode())
        todo += [unescape(link) for link in dict.fromkeys(links)]
    return {path: page for path, page in visited.items() if page and "og:title" in page.content.decode()}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_public_page_shows_well_where_its_link_is_shown(sample, language):
    client = Client(headers={"accept-language": language})
    every = pages(client)
    assert len(every) > 60
    pictures = {}
    for path, page in every.items():
        shown = tags(page)
        markup = page.content.decode()
        assert shown["title"].strip(), path
        assert len(shown["description"]) > 3, path
        assert re.search(r'<meta name="description" content="[^"]', markup), path
        assert markup.count('<link rel="canonical"') == 1, path
        assert shown["url"] == f"{SITE}{path}"
        assert shown["image"].endswith(f".{language}.png"), path
        pictures.setdefault(shown["image"], page)
    ours = tags(every["/"])["description"]
    assert [path for path, page in every.items() if path != "/" and tags(page)["description"] == ours] == []
    assert {address.removeprefix(f"{SITE}/pictures/").partition("/")[0] for address in pictures} == KINDS
    for address, page in pictures.items():
        content = picture_of(client, page)
        image = Image.open(io.BytesIO(content))
        image.load()
        assert (image.format, image.size) == ("PNG", (1200, 630)), address
        assert len(content) < 200_000, address


LEAGUE = "/clubs/harbour/leagues/harbour-league/season-2026/"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", ["Foothold", "Hand"]),
        ("/clubs/harbour/", ["Harbour Hand and Foot"]),
        (LEAGUE, ["Harbour League", "Vermeer", "Brandt"]),
        ("/events/harbour-cup/1/", ["Harbour Cup", "Castellano", "Lund"]),
        ("/events/harbour-cup/1/WB2.1/", ["Harbour Cup", "8,340", "7,480"]),
        ("/rules/standard/", ["Standard"]),
    ],
)
def test_pictures_of_the_sample_can_be_read_at_300_pixels(sample, client, path, expected):
    seen = letters(read(picture_of(client, client.get(path))))
    assert [word for word in expected if letters(word) not in seen] == []


def test_a_league_is_shown_by_its_newest_season(sample, client):
    league = tags(client.get("/clubs/harbour/leagues/harbour-league/"))
    assert league["title"] == "Harbour League, Season 2026"
    assert league["image"] == tags(client.get(LEAGUE))["image"]


def test_news_are_shown_by_their_title(sample, client):
    club = Club.objects.get(slug="harbour")
    title = "The hall is closed on Thursday because the heating is broken"
    news = News.objects.create(club=club, title=title, body="We meet at the Anchor.\n\nBring cards.", published_at=NOW)
    page = client.get(f"/clubs/harbour/news/{news.pk}/")
    assert (tags(page)["title"], tags(page)["description"]) == (title, "We meet at the Anchor. Bring cards.")
    seen = letters(read(picture_of(client, page)))
    assert [word for word in ("Harbour", "hall", "Thursday", "heating") if letters(word) not in seen] == []


def test_a_league_says_who_leads(sample, client):
    shown = tags(client.get(LEAGUE))
    assert shown["title"] == "Harbour League: Tilde Brandt / Hugh Penrose lead"
    assert shown["description"].startswith("Standings after matchday 2 of 3.")
    assert '"@type": "SportsOrganization"' in client.get(LEAGUE).content.decode()


def test_pages_that_can_be_framed_say_so_by_oembed(sample, client):
    for path, frame in [(LEAGUE, f"{LEAGUE}1/embed/"), ("/events/harbour-cup/1/", "/events/harbour-cup/embed/1/")]:
        address = re.search(r'json\+oembed" href="([^"]*)"', client.get(path).content.decode())[1]
        answer = client.get(unescape(address).removeprefix(SITE)).json()
        assert answer["type"] == "rich"
        assert f'src="{SITE}{frame}"' in answer["html"]
        assert client.get(frame).status_code == 200
        assert client.get(answer["thumbnail_url"].removeprefix(SITE)).status_code == 200
