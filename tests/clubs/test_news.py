"""News of a club: written, changed, kept on top, deleted, undone; and its feed."""

import pytest
from defusedxml import ElementTree

from clubs.models import News
from clubs.services import history
from clubs.services.publications import news
from tests.tournaments.organising import refusal

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def summer_news(club, staff):
    news.write(club.pk, staff["owner"], title="Summer break", body="We are back\r\n\r\nin September.")
    return News.objects.get()


def test_news_are_written_and_read(club, staff, browser_of, client):
    page = browser_of(staff["organiser"])
    to = page.submit("/clubs/harbour/news/write/", "publish", title=" New  hall ", body="See you <b>there</b>")
    assert to == "/clubs/harbour/news/"
    item = News.objects.get()
    assert (item.title, item.by, item.name) == ("New hall", staff["organiser"], "Organiser")
    for path in ("/clubs/harbour/", to, f"{to}{item.pk}/"):
        markup = client.get(path).content.decode()
        assert "New hall" in markup
        assert "See you &lt;b&gt;there&lt;/b&gt;" in markup


@pytest.mark.parametrize(
    ("title", "body", "code"), [("", "x", "no_title"), ("x", " ", "no_words"), ("x" * 121, "x", "too_long")]
)
def test_news_that_cannot_be(club, staff, refuses, title, body, code):
    with refuses(code):
        news.write(club.pk, staff["owner"], title=title, body=body)


def test_a_refused_form_keeps_what_was_typed(club, staff, browser_of):
    answer = browser_of(staff["owner"]).press("/clubs/harbour/news/write/", "publish", title="", body="Long text")
    assert (answer.status_code, refusal(answer)) == (422, "Enter a heading.")
    assert "Long text</textarea>" in answer.content.decode()


def test_the_same_form_sent_twice_tells_once(club, staff):
    for _ in range(2):
        news.write(club.pk, staff["owner"], title="x", body="y", request_key="k")
    assert News.objects.count() == 1


def test_news_are_changed_kept_on_top_and_deleted(club, staff, summer_news, browser_of):
    page = browser_of(staff["owner"])
    path = f"/clubs/harbour/news/{summer_news.pk}/"
    page.submit(f"{path}edit/", "publish", title="Summer", body="Back soon")
    page.submit(path, "pin")
    summer_news.refresh_from_db()
    assert (summer_news.title, summer_news.is_pinned) == ("Summer", True)
    page.submit(path, "delete")
    assert not News.objects.exists()
    page.submit("/clubs/harbour/history/", f"undo-{club.acts.first().pk}")
    assert News.objects.get().title == "Summer"


def test_a_change_by_another_is_not_overwritten_unseen(club, staff, summer_news, browser_of, refuses):
    with refuses("stale"):
        news.edit(summer_news.pk, staff["owner"], title="x", body="y", seen=0)


def test_undoing_what_was_changed_again_is_refused(club, staff, summer_news, refuses):
    act = news.edit(summer_news.pk, staff["owner"], title="x", body="y")
    news.edit(summer_news.pk, staff["organiser"], title="z", body="y")
    with refuses("changed_since"):
        history.undo(act.pk, by=staff["owner"])


def test_few_are_kept_on_top(club, staff, refuses):
    for number in range(news.MOST_PINNED):
        news.write(club.pk, staff["owner"], title=str(number), body="x", is_pinned=True)
    with refuses("too_many"):
        news.write(club.pk, staff["owner"], title="one more", body="x", is_pinned=True)


def test_the_feed_can_be_read(club, staff, summer_news, client, settings):
    news.write(club.pk, staff["owner"], title="Tom & <Jerry>\u202e", body="x < y")
    answer = client.get("/clubs/harbour/news.atom")
    feed = ElementTree.fromstring(answer.content)
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == ["Tom & <Jerry>", "Summer break"]
    assert entries[0].findtext(f"{ATOM}summary") == "<p>x &lt; y</p>"
    assert entries[1].findtext(f"{ATOM}id") == f"{settings.SITE_URL}/clubs/harbour/news/{summer_news.pk}/"
    repeat = client.get("/clubs/harbour/news.atom", headers={"If-None-Match": answer["ETag"]})
    assert repeat.status_code == 304
