"""Tags by which other sites show a link, and the files that programs expect at the root of the site."""

import io
import json
import re

import pytest
from PIL import Image

from tests.web.crawl import tags
from web import oembed, sitemap
from web.templatetags.links import facts_script

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def elsewhere(settings, tmp_path):
    settings.SITE_URL = "https://foothold.example"
    settings.PICTURES_DIR = tmp_path / "pictures"


def test_every_page_has_the_picture_of_the_site_unless_it_has_another(client):
    page = client.get("/help/")
    shown = tags(page)
    assert shown["title"] == "Help"
    assert shown["url"] == "https://foothold.example/help/"
    assert shown["image"].startswith("https://foothold.example/pictures/site/foothold/")
    assert re.findall(r'<link rel="canonical" href="([^"]*)">', page.content.decode()) == [shown["url"]]
    picture = client.get(shown["image"].removeprefix("https://foothold.example"))
    assert picture["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(picture.content)).size == (1200, 630)


def test_the_picture_speaks_the_language_of_the_page(client):
    assert tags(client.get("/help/"))["image"].endswith(".en.png")
    page = client.get("/help/", headers={"accept-language": "de"})
    assert tags(page)["image"].endswith(".de.png")
    assert tags(page)["locale"] == "de_DE"


def test_canonical_addresses_leave_out_the_query(client):
    assert tags(client.get("/events/", {"page": "2"}))["url"] == "https://foothold.example/events/"


def test_pages_of_accounts_say_no_address_because_some_hold_a_secret(client):
    assert "url" not in tags(client.get("/accounts/login/"))


def test_facts_in_a_page_cannot_end_their_element():
    text = facts_script({"name": "</script><script>alert(1)</script>&"})
    inner = text.removeprefix('<script type="application/ld+json">').removesuffix("</script>")
    assert not re.search("[<>&]", inner)
    assert json.loads(inner) == {"name": "</script><script>alert(1)</script>&"}


def test_robots_find_the_sitemap_and_leave_private_parts_alone(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Sitemap: https://foothold.example/sitemap.xml" in lines
    assert "Disallow: /you/" in lines
    assert not any(line.startswith(("Disallow: /pictures", "Disallow: /tables", "Disallow: /events")) for line in lines)


def test_programs_find_pages_that_are_there(client):
    text = client.get("/llms.txt").content.decode()
    assert text.startswith("# Foothold\n\n> ")
    links = re.findall(r"\]\(https://foothold\.example(/.*?)\)", text)
    assert len(links) == 11
    assert {path: client.get(path).status_code for path in links} == dict.fromkeys(links, 200) | {"/oembed": 404}


def test_the_sitemap_has_no_more_addresses_than_allowed(client, monkeypatch):
    monkeypatch.setattr(sitemap, "MOST", 3)
    content = client.get("/sitemap.xml").content
    assert content.count(b"<loc>https://foothold.example/") <= 3


@pytest.mark.parametrize(("path", "size"), [("/favicon.ico", (48, 48)), ("/apple-touch-icon.png", (180, 180))])
def test_icons_are_where_browsers_look_for_them(client, path, size):
    assert Image.open(io.BytesIO(client.get(path).content)).size == size


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://other.example/help/",
        "https://foothold.example/nowhere",
        "https://foothold.example/help/",
        "http://[",
    ],
)
def test_oembed_knows_only_pages_of_this_site_that_can_be_shown(client, url):
    assert client.get("/oembed", {"url": url}).status_code == 404


def test_oembed_answers_in_json_alone(client):
    assert client.get("/oembed", {"url": "", "format": "xml"}).status_code == 501


def test_oembed_frames_are_no_larger_than_the_other_site_allows():
    embed = oembed.Embed('Cup "1"', "/pictures/x.png", "/frame/")
    answer = oembed._answer(embed, {"maxwidth": "300", "maxheight": "0"})
    assert (answer["width"], answer["height"]) == (300, 520)
    assert 'title="Cup &quot;1&quot;"' in answer["html"]
    assert 'src="https://foothold.example/frame/"' in answer["html"]
