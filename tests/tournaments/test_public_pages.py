"""The public pages of events: access, number of queries, and caching."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.makers import make_club, make_member
from tests.security.site_map import written
from tests.tournaments import driving
from tournaments.models import Entry, Pairing, Tournament
from tournaments.plan import standard

PAGES = ("", "schedule/", "results/", "entries/", "entries/1/", "rules/", "1/", "embed/1/")


def paths(event, pages=PAGES):
    return [f"/events/{event.slug}/{page}" for page in pages]


def text_of(response):
    return response.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(("format", "entries", "choices"), driving.FORMATS)
def test_every_page_of_every_format_is_there_from_the_start_to_the_end(
    new_event, olga, client, format, entries, choices
):
    event = new_event(format, entries, started=True, **choices)
    for _ in range(2):
        for path in paths(event):
            assert client.get(path).status_code == 200, path
        has_crosstable = format not in ("single_elimination", "double_elimination", "pod_knockout", "ladder", "arena")
        assert client.get(paths(event, ["1/crosstable/"])[0]).status_code == (200 if has_crosstable else 404)
        for pairing in Pairing.objects.filter(round__stage__tournament=event)[:5]:
            assert client.get(pairing.get_absolute_url()).status_code == 200, pairing
        driving.play_round(event, olga)
    driving.play_out(event, olga)
    for path in paths(event):
        assert client.get(path).status_code == 200, path


def test_an_event_that_is_to_come_has_all_its_pages(new_event, client):
    plans = [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]
    event = new_event("groups", 8, plans=plans)
    for path in paths(event, (*PAGES, "2/", "1/crosstable/")):
        assert client.get(path).status_code == 200, path
    assert "No draw yet" in text_of(client.get(paths(event, ["2/"])[0]))
    assert "No entries yet" in text_of(client.get(paths(event, ["1/"])[0]))


def test_what_is_not_there_is_not_found(new_event, client):
    event = new_event("swiss", 4, started=True)
    for page in ("9/", "9/crosstable/", "embed/9/", "entries/99/", "1/R1.99/", "1/nothing/"):
        assert client.get(paths(event, [page])[0]).status_code == 404, page
    assert client.get("/events/no-such-event/").status_code == 404


def test_nothing_can_be_sent_to_them(new_event, client):
    event = new_event("swiss", 4, started=True)
    for path in ["/events/", "/events/mine/", *paths(event, (*PAGES, "1/crosstable/", "1/R1.1/"))]:
        assert client.post(path).status_code == 405, path
        if path != "/events/mine/":
            assert client.head(path).status_code == 200, path


def test_a_draft_is_for_its_organisers(new_event, client, olga, person):
    event = new_event("swiss", 4, status="draft")
    for path in paths(event):
        assert client.get(path).status_code == 404, path
    client.force_login(person("Eve"))
    assert client.get(paths(event)[0]).status_code == 404
    client.force_login(olga)
    page = client.get(paths(event)[0])
    assert page.status_code == 200
    assert "Visible to organisers only" in text_of(page)


def test_a_clubs_own_event_is_for_its_members(new_event, client, person):
    club = make_club("Lakeside")
    event = new_event("swiss", 4, started=True, circle=f"club:{club.pk}", visibility="circle")
    member, stranger = person("Mia"), person("Eve")
    make_member(club, member)
    for user, status in ((None, 404), (stranger, 404), (member, 200)):
        browser = Client()
        if user is not None:
            browser.force_login(user)
        for path in paths(event):
            assert browser.get(path).status_code == status, (user, path)
        assert (event.name in text_of(browser.get("/events/"))) == (status == 200)


def test_an_event_with_a_link_only_is_not_listed_and_tells_search_engines_so(new_event, client):
    event = new_event("swiss", 4, visibility="link")
    assert event.name not in text_of(client.get("/events/"))
    assert '<meta name="robots" content="noindex">' in text_of(client.get(paths(event)[0]))


def queries(client, path):
    cache.clear()
    with CaptureQueriesContext(connection) as context:
        assert client.get(path).status_code == 200
    return len(context)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "small", "large"),
    [("swiss", 4, 16), ("double_elimination", 4, 16), ("round_robin", 4, 7), ("swiss_pods", 8, 16)],
)
def test_the_number_of_queries_does_not_depend_on_entries_or_rounds(new_event, olga, client, format, small, large):
    choices = {"rounds": 3} if format.startswith("swiss") else {}
    first, second = new_event(format, small, started=True, **choices), new_event(format, large, started=True, **choices)
    driving.play_round(first, olga)
    for _ in range(2):
        driving.play_round(second, olga)
    for a, b in zip(paths(first), paths(second), strict=True):
        assert queries(client, a) == queries(client, b), a
    assert queries(client, paths(first, ["1/"])[0]) <= 12


def test_what_is_kept_takes_three_queries(new_event, olga, client, django_assert_num_queries):
    event = new_event("swiss", 8, started=True)
    driving.play_round(event, olga)
    for path in paths(event, ["", "schedule/", "results/", "entries/", "rules/", "1/", "1/crosstable/", "embed/1/"]):
        client.get(path)
        with django_assert_num_queries(3):  # the event, what is being played, the stages
            client.get(path)


def test_the_list_of_events_takes_few_queries_however_many_there_are(new_event, client):
    new_event("swiss", 4, started=True)
    few = queries(client, "/events/")
    for _ in range(3):
        new_event("groups", 8, groups=2, started=True)
        new_event("swiss", 4)
    assert queries(client, "/events/") == few == 3  # under way and to come, finished, their stages


# What is sent again


def test_a_page_that_the_browser_has_is_not_sent_again(new_event, olga, client):
    event = new_event("swiss", 4, started=True)
    for path in paths(event):
        tag = client.get(path)["ETag"]
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 304, path
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200, path
    tag = client.get(paths(event, ["1/"])[0])["ETag"]
    driving.play_round(event, olga)
    answer = client.get(paths(event, ["1/"])[0], headers={"If-None-Match": tag})
    assert (answer.status_code, answer["ETag"] == tag) == (200, False)


def test_pages_of_members_are_stored_nowhere(new_event, client, olga):
    event = new_event("swiss", 4, started=True)
    client.force_login(olga)
    for path in paths(event):
        answer = client.get(path)
        assert "no-store" in answer["Cache-Control"]
        assert "ETag" not in answer


def again_of(page):
    """The address that an open page asks for news."""
    return re.search(r'hx-get="([^"]+)"', text_of(page))[1].replace("&amp;", "&")


def test_an_open_page_hears_nothing_until_there_is_something_new(new_event, olga, client):
    event = new_event("swiss", 4, started=True)
    path = paths(event, ["1/"])[0]
    address = again_of(client.get(path))
    assert address.startswith(f"{path}?seen=")
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 204
    driving.decide(driving.open_pairings(event)[0], olga)
    part = client.get(address, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert text_of(part).lstrip().startswith('<div id="part"')
    assert again_of(part) != address
    assert client.get(again_of(part), headers={"HX-Request": "true"}).status_code == 204


def test_an_open_page_keeps_what_it_was_asked_for(new_event, olga, client):
    event = new_event("swiss", 8, started=True)
    page = client.get(paths(event, ["schedule/"])[0], {"stage": "1", "round": "1"})
    assert "stage=1&round=1&seen=" in again_of(page)


def test_only_events_under_way_are_looked_at_again_and_none_that_is_over(new_event, olga, client):
    event = new_event("single_elimination", 4)
    assert "every 25s" not in text_of(client.get(paths(event)[0]))
    played = new_event("single_elimination", 4, started=True)
    driving.play_out(played, olga)
    assert "hx-get" not in text_of(client.get(paths(played)[0]))


# Previews for other sites


def test_previews_tell_what_the_event_is(new_event, client, settings):
    settings.SITE_URL = "https://foothold.example"
    event = new_event("swiss", 4, rounds=3, name="Harvest “Cup” <2026>", venue="Lakeside Hall")
    markup = text_of(client.get(paths(event, ["rules/"])[0]))
    preview = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', markup))
    image = preview.pop("image")
    assert re.fullmatch(rf"https://foothold.example/pictures/event/{event.slug}/\w+\.en\.png", image)
    assert preview == {
        "site_name": "Foothold",
        "type": "website",
        "locale": "en_GB",
        "title": "Rules · Harvest “Cup” &lt;2026&gt;",
        "description": "Swiss, 3 rounds, by the Standard rules of Hand and Foot, Lakeside Hall.",
        "url": f"https://foothold.example/events/{event.slug}/rules/",
    }
    assert f'<link rel="canonical" href="{preview["url"]}">' in markup


# Lists


def test_events_are_listed_by_how_they_stand(new_event, olga, client):
    over = new_event("single_elimination", 4, started=True, name="Old Cup")
    driving.play_out(over, olga)
    new_event("swiss", 4, started=True, name="Running Cup")
    new_event("swiss", 4, name="Coming Cup", entry_limit=16)
    new_event("swiss", 4, name="Secret Cup", status="draft")
    markup = text_of(client.get("/events/"))
    order = [
        markup.index(words) for words in ("Under way", "Running Cup", "Upcoming", "Coming Cup", "Finished", "Old Cup")
    ]
    assert order == sorted(order)
    assert "4 of 16 players" in markup
    assert "Secret Cup" not in markup
    text = text_of(client.get("/events/", {"name": " coming "}))
    assert "Coming Cup" in text
    assert "Running Cup" not in text


def test_ones_own_events_come_first(new_event, client, players):
    new_event("swiss", 4, started=True, name="Other Cup")
    own_event = new_event("swiss", 8, started=True, name="Own Cup")
    client.force_login(User.objects.get(username="player8"))
    markup = text_of(client.get("/events/"))
    assert markup.index("Own Cup") < markup.index("Other Cup")
    assert markup.count("yours") == 1
    assert Entry.objects.filter(tournament=own_event, members__user__username="player8").exists()


def test_a_cancelled_event_says_so(new_event, client):
    event = new_event("swiss", 4)
    Tournament.objects.filter(pk=event.pk).update(status="cancelled")
    assert "Cancelled" in text_of(client.get(paths(event)[0]))
    assert "cancelled" in text_of(client.get("/events/"))


def test_looking_stores_nothing(new_event, olga, client):
    event = new_event("double_elimination", 4, started=True)
    driving.play_round(event, olga)
    client.force_login(User.objects.get(username="player1"))
    with written() as tables:
        for path in ["/events/", "/events/mine/", *paths(event, (*PAGES, "1/WB1.1/"))]:
            assert client.get(path).status_code == 200, path
    assert tables <= {"django_session"}


def test_finished_events_come_page_by_page(new_event, olga, client, monkeypatch):
    monkeypatch.setattr("tournaments.views.lists.A_PAGE", 2)
    for number in range(5):
        Tournament.objects.filter(pk=new_event("swiss", 2, name=f"Cup {number}").pk).update(status="over")
    first, last = text_of(client.get("/events/")), text_of(client.get("/events/", {"page": "3"}))
    assert ("Cup 4" in first, "Cup 2" in first, "Earlier ones" in first, "Later ones" in first) == (
        True,
        False,
        True,
        False,
    )
    assert ("Cup 0" in last, "Cup 1" in last, "Earlier ones" in last, "Later ones" in last) == (
        True,
        False,
        False,
        True,
    )
    for page in ("0", "x", "-1", "99999", "²"):
        assert client.get("/events/", {"page": page}).status_code == 200


def test_a_list_that_is_too_long_says_so(new_event, client, monkeypatch):
    monkeypatch.setattr("tournaments.views.lists.MOST", 2)
    for number in range(3):
        new_event("swiss", 2, name=f"Cup {number}")
    assert "Showing the first events only" in text_of(client.get("/events/"))
    assert "Showing the first events only" not in text_of(client.get("/events/", {"name": "Cup 1"}))
