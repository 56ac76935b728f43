"""Files that are made once for as long as nothing changes."""

from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from web.files import CSV, kept_file


@pytest.fixture
def fetch(rf):
    """Asks for a file; `fetch.made` is how often one was made, and in which zones."""

    def ask(name="table.csv", follows="league|1", *, cookie="", saved=False, **headers):
        def make():
            ask.made.append(timezone.get_current_timezone_name())
            return b"1,2"

        request = rf.get("/", headers=headers)
        if cookie:
            request.COOKIES[settings.SESSION_COOKIE_NAME] = cookie
        return kept_file(request, name, CSV, make, follows=follows, zone=ZoneInfo("Asia/Kolkata"), saved=saved)

    ask.made = []
    return ask


def test_a_file_is_made_once_with_times_of_its_zone(fetch):
    answers = [fetch(), fetch()]
    assert [answer.content for answer in answers] == [b"1,2", b"1,2"]
    assert fetch.made == ["Asia/Kolkata"]
    assert answers[0]["Content-Type"] == CSV
    assert answers[0]["Content-Disposition"] == 'inline; filename="table.csv"'
    assert fetch(saved=True)["Content-Disposition"] == 'attachment; filename="table.csv"'


def test_what_it_follows_from_and_its_name_tell_files_apart(fetch):
    tags = {fetch()["ETag"], fetch(follows="league|2")["ETag"], fetch(name="games.csv")["ETag"]}
    assert len(tags) == len(fetch.made) == 3


def test_who_has_it_is_not_sent_it_and_it_is_not_made(fetch):
    tag = fetch()["ETag"]
    answer = fetch(**{"if-none-match": tag})
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
    assert fetch(follows="league|2", **{"if-none-match": tag}).status_code == 200
    fetch.made.clear()
    cache.clear()
    assert fetch(**{"if-none-match": tag}).status_code == 304
    assert fetch.made == []


def test_what_members_are_shown_is_stored_nowhere(fetch):
    tag = fetch()["ETag"]
    answer = fetch(cookie="x", **{"if-none-match": tag})
    assert (answer.status_code, answer.content) == (200, b"1,2")
    assert "ETag" not in answer
    assert "Cookie" in answer["Vary"]
