"""Live updates of events over a real server: sent with the commit, to readers with access, without content."""

import http.client

import pytest
from django.db import transaction

from gameplay import live
from gameplay.models import Table
from tests.gameplay.test_live import check_one_listens, readers, server, session_of, token_of, until  # noqa: F401
from tests.gameplay.test_live import next_event as next_of_table
from tests.makers import make_club, make_member
from tests.pages import squeezed
from tests.tournaments import driving
from tournaments.models import Tournament
from tournaments.services.stages import progress

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def listen(server):  # noqa: F811
    """Opens streams; they are closed at the end."""
    opened = []

    def start(path, headers=None):
        stream = http.client.HTTPConnection("127.0.0.1", server, timeout=20)
        stream.request("GET", path, headers=headers or {})
        opened.append(stream)
        return stream.getresponse()

    yield start
    for stream in opened:
        stream.close()


def address(*events):
    return "/live/events/?events=" + ",".join(event if isinstance(event, str) else event.slug for event in events)


def next_event(stream):
    """The slug and version of the next event of a stream, which says nothing else."""
    lines = iter(stream.readline, b"")
    for line in lines:
        if line.startswith(b"event:"):
            assert line == b"event: event\n"
            word, slug, version = next(lines).split()
            assert (word, next(lines)) == (b"data:", b"\n")
            return slug.decode(), int(version)
    raise EOFError


def version(event):
    return Tournament.objects.values_list("version", flat=True).get(pk=event.pk)


def test_a_visitor_hears_of_each_result(new_event, olga, listen):
    event = new_event("swiss", 4, started=True)
    stream = listen(address(event))
    assert (stream.status, stream.headers["Content-Type"]) == (200, "text/event-stream")
    assert next_event(stream) == (event.slug, version(event))
    for pairing in driving.open_pairings(event):
        driving.decide(pairing, olga)
        assert next_event(stream) == (event.slug, version(event))


def test_what_the_site_does_by_itself_is_told(new_event, olga, listen):
    event = new_event("swiss", 4)
    stream = listen(address(event))
    assert next_event(stream) == (event.slug, version(event))
    Tournament.objects.filter(pk=event.pk).update(status="running")
    assert progress.advance(event.pk)
    assert next_event(stream) == (event.slug, version(event))


def test_several_events_come_in_one_stream_beside_those_of_tables(new_event, olga, seated, listen):
    event, other, table = new_event("swiss", 4, started=True), new_event("swiss", 4, started=True), seated()
    stream, of_table = listen(address(event, other, "no-such-event")), listen(f"/live/?tables={table.slug}")
    assert {next_event(stream), next_event(stream)} == {(event.slug, version(event)), (other.slug, version(other))}
    assert next_of_table(of_table) == (table.slug, table.version)
    assert sorted(readers()) == sorted([event.pk, other.pk, table.pk])
    driving.play_round(other, olga)
    slug, _ = next_event(stream)
    assert slug == other.slug


def test_a_row_of_another_kind_with_the_same_number_is_not_told(new_event, olga, listen):
    event = new_event("swiss", 4, started=True)
    table = Table.objects.create(
        pk=event.pk, name="Other", rules_json=event.rules_json, seat_count=4, team_size=2, version=900
    )
    stream = listen(address(event))
    assert next_event(stream) == (event.slug, version(event))
    with transaction.atomic():
        live.call_out(live.TABLES, table.pk, 901)
    driving.decide(driving.open_pairings(event)[0], olga)
    assert next_event(stream) == (event.slug, version(event))


@pytest.mark.parametrize("query", ["", "no-such-event", ",,,", "x" * 3000])
def test_where_nothing_can_be_seen_there_is_no_stream(listen, query):
    answer = listen(address(query))
    assert answer.status == 404
    assert b"Event not found." in answer.read()


def test_drafts_and_events_of_a_club_are_heard_by_those_who_may_see_them(new_event, olga, person, listen):
    draft = new_event("swiss", 4, status="draft")
    club = make_club("Lakeside")
    closed = new_event("swiss", 4, started=True, circle=f"club:{club.pk}", visibility="circle")
    mia, eve = person("Mia"), person("Eve")
    make_member(club, mia)
    heard = {user: listen(address(draft, closed), session_of(user) if user else {}) for user in (None, eve, mia, olga)}
    assert {user: stream.status for user, stream in heard.items()} == {None: 404, eve: 404, mia: 200, olga: 200}
    assert next_event(heard[mia]) == (closed.slug, version(closed))
    assert {next_event(heard[olga])[0], next_event(heard[olga])[0]} == {draft.slug, closed.slug}
    assert listen(address(closed), token_of(mia, "read")).status == 200
    assert listen(address(closed), token_of(mia, "play")).status == 403


def test_many_readers_hold_no_connection_of_their_own(new_event, olga, listen):
    event = new_event("swiss", 4, started=True)
    streams = [listen(address(event)) for _ in range(30)]
    now = version(event)
    assert [next_event(stream) for stream in streams] == [(event.slug, now)] * 30
    check_one_listens()
    for stream in streams:
        stream.close()


def test_what_is_taken_back_is_told_to_nobody(new_event, listen):
    event = new_event("swiss", 4, started=True)
    before = version(event)
    stream = listen(address(event))
    assert next_event(stream) == (event.slug, before)
    with transaction.atomic():
        locked = Tournament.objects.locked(event.pk)
        locked.bump()
        locked.save(update_fields=["version"])
        live.call_out(live.Topic("event", Tournament), locked.pk, locked.version)
        transaction.set_rollback(True)
    locked = Tournament.objects.get(pk=event.pk)
    locked.version = before + 7
    with transaction.atomic():
        locked.save(update_fields=["version"])
        live.call_out(live.Topic("event", Tournament), locked.pk, locked.version)
    assert next_event(stream) == (event.slug, before + 7)


def test_a_server_without_streams_says_so(client, new_event):
    answer = client.get(address(new_event("swiss", 4)))
    assert (answer.status_code, answer.json()["code"]) == (503, "no_stream")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "head"])
def test_a_stream_is_only_read(client, method):
    assert getattr(client, method)("/live/events/").status_code == 405


# The pages


@pytest.mark.parametrize(
    ("status", "listens", "looks"),
    [("open", True, False), ("running", True, True), ("over", False, False), ("cancelled", False, False)],
)
def test_pages_listen_until_the_event_is_over(new_event, client, status, listens, looks):
    event = new_event("swiss", 4, started=True)
    Tournament.objects.filter(pk=event.pk).update(status=status)
    page = squeezed(client.get(f"/events/{event.slug}/1/"))
    assert (f'data-live="{address(event)}" data-seen="{event.slug}:{version(event)}"' in page) == listens
    assert ("every 25s" in page) == looks


def test_ones_own_page_listens_to_ones_own_events_that_are_not_over(new_event, user_of, entry, person, client):
    running, ended = (new_event("swiss", 4, started=True) for _ in range(2))
    Tournament.objects.filter(pk=ended.pk).update(status="over")
    user = user_of(entry(running, 1))
    client.force_login(user)
    page = client.get("/events/mine/").content.decode()
    assert f'data-live="{address(running)}" data-seen="{running.slug}:{version(running)}"' in page
    client.force_login(person("Eve"))
    assert "data-live" not in client.get("/events/mine/").content.decode()
