"""Frames for other sites: with the one script that says their height, framed by anyone, unlike the rest of the site."""

import re
from html import unescape

import pytest

from tests.makers import make_club, make_member
from tests.security.site_map import Page
from tests.security.test_headers import inline_parts, policy_of
from tests.tournaments import driving


@pytest.mark.parametrize("format", ["swiss", "double_elimination", "pod_knockout"])
def test_any_site_may_frame_it_and_only_the_script_of_its_height_runs_in_it(new_event, olga, client, format):
    event = new_event(format, 8, started=True)
    driving.play_round(event, olga)
    answer = client.get(f"/events/{event.slug}/embed/1/")
    policy = policy_of(answer)
    assert policy["frame-ancestors"] == ["*"]
    assert policy["default-src"] == ["'self'"]
    assert policy["form-action"] == ["'none'"]
    assert "script-src" not in policy
    assert "X-Frame-Options" not in answer
    page = Page(answer.content.decode())
    assert [tag for tag, _ in page.elements if tag in ("form", "input", "button", "iframe")] == []
    assert [attributes["src"] for tag, attributes in page.elements if tag == "script"] == ["/embed.js"]
    assert not any(name.startswith("hx-") for _, attributes in page.elements for name in attributes)
    assert inline_parts(page) == []
    assert ("base", {"target": "_top"}) in page.elements


def test_nothing_else_of_the_event_may_be_framed(new_event, client):
    event = new_event("swiss", 4, started=True)
    for path in ("/events/", f"/events/{event.slug}/", f"/events/{event.slug}/1/", f"/events/{event.slug}/embed/9/"):
        answer = client.get(path)
        assert answer["X-Frame-Options"] == "DENY", path
        assert policy_of(answer)["frame-ancestors"] == ["'none'"], path


def test_it_leads_back_and_shows_the_same(new_event, olga, client, settings):
    settings.SITE_URL = "https://foothold.example"
    event = new_event("swiss", 4, started=True)
    driving.play_round(event, olga)
    framed, page = (client.get(f"/events/{event.slug}/{path}").content.decode() for path in ("embed/1/", "1/"))
    assert f'href="https://foothold.example/events/{event.slug}/1/"' in framed
    table = re.compile(r"<tbody role.*?</tbody>", re.DOTALL)
    assert table.search(framed)[0] == table.search(page)[0]


def test_the_page_offers_the_element_to_copy(new_event, client, settings):
    settings.SITE_URL = "https://foothold.example"
    event = new_event("swiss", 4, started=True, name='A "Cup"')
    markup = client.get(f"/events/{event.slug}/1/").content.decode()
    element = unescape(re.search(r"<code[^>]*>(.*?)</code>", markup, re.DOTALL)[1])
    assert element == (
        f'<iframe src="https://foothold.example/events/{event.slug}/embed/1/" title="A &quot;Cup&quot;: Swiss"'
        ' width="100%" height="520"></iframe>\n<script src="https://foothold.example/embed.js" async></script>'
    )


def test_a_clubs_own_event_is_not_framed_for_strangers(new_event, client, person):
    club = make_club("Lakeside")
    event = new_event("swiss", 4, started=True, circle=f"club:{club.pk}", visibility="circle")
    assert client.get(f"/events/{event.slug}/embed/1/").status_code == 404
    mia = person("Mia")
    make_member(club, mia)
    client.force_login(mia)
    assert "embed/1/" not in client.get(f"/events/{event.slug}/1/").content.decode()
