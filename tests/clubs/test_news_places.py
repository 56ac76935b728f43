"""Where a club's news goes: places added after a test, messages written after what they tell about and sent once."""

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.core import mail
from django.utils import timezone

from accounts.models import Notice
from clubs import tasks
from clubs.models import Act, Club, Meeting, NewsAddress, NewsChange, NewsDelivery, NewsPlace
from clubs.news_places import addresses, changes, corrections, following, messages, quiet_hours, sending, services
from clubs.services import history
from clubs.tonight import running
from tests.clubs import leagues
from tests.makers import make_event
from tests.tournaments.driving import by_lot, lines_of, open_pairings
from tournaments.models import Tournament
from tournaments.plan import standard
from tournaments.services import history as event_history
from tournaments.services.matches import results
from web import public_requests
from web.channels import retries
from web.channels.known import CHANNELS
from web.channels.retries import GAPS
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db

EVERY = tuple(services.KINDS)


@pytest.fixture(autouse=True)
def by_day():
    """A morning in December, when news goes out at once."""
    with time_machine.travel(at(10)):
        yield


@pytest.fixture
def place(club, owner, local):
    """A webhook at the receiver, which gets everything."""
    return add(club, owner, local)


def add(club, by, local, path="hook", kinds=EVERY, **fields):
    services.add(club.pk, by, typed=f"{local.url}/{path}", kinds=kinds, **fields)
    local.requests.clear()
    return NewsPlace.objects.filter(club=club).latest("pk")


def evening(club, owner, **fields):
    """An evening of one round and two matches, begun."""
    plan = standard("round_robin")
    event = make_event(owner, plan, name="Club night", entries=3, circle=club.circle, started=True, **fields)
    changes.follow_due()
    return event


def play(event, owner, most=10):
    while most and (pairings := open_pairings(event)[:most]):
        for pairing in pairings:
            results.decide(pairing.pk, lines_of(pairing), by=owner)
        most -= len(pairings)
    event.refresh_from_db()
    changes.follow_due()


def send():
    """What the sweeper does about events."""
    changes.follow_due()
    sending.OUTBOX.send_due()


def kinds_of(place):
    changes.follow_due()
    return sorted(NewsDelivery.objects.filter(place=place).values_list("kind", flat=True))


def words(local):
    return [body["data"]["words"] for body in local.bodies]


def at(hour, minute=0, day=1):
    """A time by the clock of Harbour, in December."""
    return datetime(2026, 12, day, hour - 1, minute, tzinfo=UTC)


# Adding


def test_a_place_is_tested_and_added_in_one_act(club, owner, local):
    act, secret = services.add(club.pk, owner, typed=f"{local.url}/hook", kinds=["standings"])
    place = NewsPlace.objects.get()
    assert (place.channel, place.name, place.ending, list(place.since)) == ("webhook", "Webhook", "hook", ["standings"])
    assert secret.startswith("whsec_")
    assert len(local.requests) == 1
    assert act.sentence == "News now goes to Webhook."


def test_its_address_is_stored_encrypted_and_shown_nowhere(club, owner, local, client):
    place = add(club, owner, local, path="secret-path-1234")
    assert addresses.read(place)["url"].endswith("secret-path-1234")
    assert "secret-path" not in NewsAddress.objects.get().sealed
    assert "secret-path" not in json.dumps(list(Act.objects.values("changes", "sentence")))
    client.force_login(owner)
    page = client.get(f"/clubs/{club.slug}/news/places/").content.decode()
    assert "1234" in page
    assert "secret-path" not in page


@pytest.mark.parametrize("status", [404, 429, 500, 302])
def test_a_place_that_fails_its_test_is_not_added(club, owner, local, status):
    local.answer((status, {"Location": "http://10.0.0.1/"}, b""))
    with pytest.raises(Refused) as refused:
        services.add(club.pk, owner, typed=f"{local.url}/hook")
    assert refused.value.details["field"] == "typed"
    assert not NewsPlace.objects.exists()
    assert not NewsAddress.objects.exists()


def test_what_was_typed_stays(club, owner, local, client):
    local.answer((404, {}, b""))
    client.force_login(owner)
    form = {"act": "add", "typed": f"{local.url}/hook", "name": "Hall", "kinds": ["drawn"]}
    answer = client.post(f"/clubs/{club.slug}/news/places/", form)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f'value="{local.url}/hook"' in page
    assert 'value="Hall"' in page
    assert "It does not know this address." in page


def test_a_secret_is_shown_once(club, owner, local, client):
    client.force_login(owner)
    form = {"act": "add", "typed": f"{local.url}/hook", "key": "k1"}
    assert b"whsec_" in client.post(f"/clubs/{club.slug}/news/places/", form).content
    assert client.post(f"/clubs/{club.slug}/news/places/", form).status_code == 302
    assert b"whsec_" not in client.get(f"/clubs/{club.slug}/news/places/").content
    assert NewsPlace.objects.count() == 1
    assert len(local.requests) == 1


def test_an_address_is_added_once(club, owner, place, local):
    with pytest.raises(Refused) as refused:
        add(club, owner, local)
    assert refused.value.code == "known"
    assert local.requests == []


def test_an_address_that_is_none_is_refused(club, owner):
    with pytest.raises(Refused) as refused:
        services.add(club.pk, owner, typed="https://10.0.0.1/hook")
    assert refused.value.code == "no_channel"


def test_nothing_leaves_an_archived_club(club, owner, place, local, due):
    due(place)
    Club.objects.update(archived_at=timezone.now())
    place = NewsPlace.objects.get()
    for do in (
        lambda: services.add(club.pk, owner, typed=f"{local.url}/other"),
        lambda: services.test(place, owner),
        send,
    ):
        with suppress(Refused):
            do()
    assert local.requests == []


def test_only_people_who_publish_may(club, staff, place, local):
    for role in ("scorer", "member", "guest"):
        with pytest.raises(NotAllowed):
            services.add(club.pk, staff[role], typed=f"{local.url}/other")
        with pytest.raises(NotAllowed):
            services.test(place, staff[role])
    assert local.requests == []


def test_adding_pausing_and_removing_can_be_undone(club, owner, local):
    place = add(club, owner, local)
    services.pause(place.pk, owner, rests=True)
    history.undo(Act.objects.first().pk, by=owner)
    act = services.remove(place.pk, owner)
    assert services.places_of(club) == []
    history.undo(act.pk, by=owner)
    assert services.places_of(club) == [place]
    added = Act.objects.get(kind="place_added")
    place.refresh_from_db()
    history.undo(added.pk, by=owner)
    assert not NewsPlace.objects.exists()
    assert not NewsAddress.objects.exists()


# What is written


def test_results_standings_and_winners_are_written_with_the_result(club, owner, place):
    event = evening(club, owner)
    play(event, owner)
    assert event.status == Tournament.Status.OVER
    assert set(kinds_of(place)) >= {"results", "standings", "champion"}


def test_each_is_written_once(club, owner, place):
    event = evening(club, owner)
    play(event, owner)
    before = list(NewsDelivery.objects.values_list("kind", "key"))
    for _ in range(2):
        changes.mark(event, timezone.now())
        changes.follow(event.pk)
    assert list(NewsDelivery.objects.values_list("kind", "key")) == before


def test_nothing_is_written_where_nothing_is_ticked(club, owner, local):
    place = add(club, owner, local, kinds=["evening"])
    play(evening(club, owner), owner)
    assert kinds_of(place) == []


@pytest.mark.parametrize("visibility", ["link", "circle"])
def test_nothing_private_leaves(club, owner, place, local, visibility):
    event = evening(club, owner, visibility=visibility)
    play(event, owner)
    assert kinds_of(place) == []


def test_what_became_private_before_it_was_sent_is_dropped(club, owner, place, local):
    event = evening(club, owner)
    play(event, owner)
    Tournament.objects.update(visibility="circle")
    send()
    assert local.requests == []
    assert kinds_of(place) == []


def test_news_before_a_place_was_added_is_none(club, owner, local):
    event = evening(club, owner)
    play(event, owner, most=1)
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        place = add(club, owner, local, kinds=["results"])
        play(event, owner, most=1)
    assert [len(row.about) for row in NewsDelivery.objects.filter(place=place)] == [1]


def test_a_result_that_is_undone_before_it_was_sent_is_not(club, owner, local):
    place = add(club, owner, local, kinds=["results"])
    event = evening(club, owner)
    (pairing, *_) = open_pairings(event)
    act = results.decide(pairing.pk, lines_of(pairing), by=owner)
    event_history.undo(act.pk, by=owner)
    send()
    assert local.requests == []
    assert kinds_of(place) == []


def test_a_preview_writes_nothing(club, owner, place):
    event = evening(club, owner)
    before = NewsDelivery.objects.count(), NewsChange.objects.count()
    (pairing, *_) = open_pairings(event)
    do = results.decision(pairing.pk, lines_of(pairing))
    event_history.try_out(event.pk, do, results.DECIDE, lambda event: None, by=owner)
    assert (NewsDelivery.objects.count(), NewsChange.objects.count()) == before


def test_a_matchday_is_told_when_it_is_complete(club, owner, local, in_september):
    leagues.draw(leagues.make_season(club, owner), owner)
    place = add(club, owner, local, kinds=["standings"])
    day = list(leagues.Pairing.objects.filter(round__number=1))
    for pairing in day:
        assert kinds_of(place) == []
        names = [each.entry.name for each in pairing.places.select_related("entry")]
        leagues.decide(pairing, owner, {names[0]: 3000, names[1]: 2000})
    assert kinds_of(place) == ["standings"]
    send()
    (text,) = words(local)
    assert text.startswith("Monday League, Autumn 2026: matchday 1\n\n")
    assert "3,000 – 2,000" in text
    assert "Standings:\n1" in text
    assert text.endswith(f"/clubs/{club.slug}/leagues/monday-league/autumn-2026/")


def test_a_meeting_is_told_on_the_evening_before(club, place, local):
    Meeting.objects.create(club=club, title="Club night", starts_at=at(19, day=5), venue="Town hall")
    following.add_evenings(at(17, 59, day=4))
    assert kinds_of(place) == []
    with time_machine.travel(at(18, day=4)):
        following.add_evenings(timezone.now())
        following.add_evenings(timezone.now())
        send()
    (text,) = words(local)
    assert text.startswith("Club night: Saturday 5 December, 19:00\n\nTown hall\n\n")


def test_a_result_that_was_undone_and_decided_again_is_told(club, owner, local):
    with time_machine.travel(at(23), tick=False):
        place = add(club, owner, local, kinds=["results"])
        event = evening(club, owner)
        first = open_pairings(event)[0]
        results.decide(first.pk, lines_of(first), by=owner)
        changes.follow_due()
        delivery = NewsDelivery.objects.get(place=place)
        second = open_pairings(event)[0]
        act = results.decide(second.pk, lines_of(second), by=owner)
        NewsDelivery.objects.exclude(pk=delivery.pk).delete()
        NewsDelivery.objects.update(about=[first.pk, second.pk])
    event_history.undo(act.pk, by=owner)
    with time_machine.travel(at(9, day=2)):
        send()
        second.refresh_from_db()
        results.decide(second.pk, lines_of(second), by=owner)
        send()
    assert [row.about for row in NewsDelivery.objects.order_by("pk")] == [[first.pk], [second.pk]]
    assert len(local.requests) == 2


def test_the_picture_of_the_link_goes_with_it(club, owner, place, local, client):
    Meeting.objects.create(club=club, title="Club night", starts_at=at(19, day=5))
    event = evening(club, owner)
    play(event, owner)
    with time_machine.travel(at(18, day=4)):
        following.add_evenings(timezone.now())
        send()
        pictures = {body["type"]: body["data"]["picture"] for body in local.bodies}
        assert pictures["standings"].startswith(f"{settings.SITE_URL}/pictures/event/{event.slug}/")
        assert pictures["evening"].startswith(f"{settings.SITE_URL}/pictures/meeting/{club.slug}/")
        for picture in pictures.values():
            assert client.get(picture.removeprefix(settings.SITE_URL)).status_code == 200


# Marks: what a task writes after the act


def marked_event(club, owner):
    """An event whose news is still to be written."""
    event = make_event(owner, standard("round_robin"), entries=3, circle=club.circle, started=True)
    assert NewsChange.objects.get().event == event
    return event


def test_an_act_marks_its_event_and_a_task_writes_the_news(club, owner, place):
    event = marked_event(club, owner)
    assert not NewsDelivery.objects.exists()
    tasks.follow_event(event.pk)
    assert kinds_of(place) == ["drawn"]
    assert not NewsChange.objects.exists()


def test_a_club_without_places_marks_nothing_with_one_query(club, owner, place, django_assert_num_queries):
    services.pause(place.pk, owner, rests=True)
    event = evening(club, owner)
    with django_assert_num_queries(1):
        changes.mark(event, timezone.now())
    assert not NewsChange.objects.exists()


def test_a_writing_that_broke_off_is_done_again(club, owner, place, monkeypatch):
    event = marked_event(club, owner)
    with monkeypatch.context() as broken:
        broken.setattr(following, "_correct", lambda *args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            changes.follow(event.pk)
    assert not NewsDelivery.objects.exists()
    assert kinds_of(place) == ["drawn"]


def test_the_trouble_of_one_event_stops_no_other(club, owner, place, monkeypatch, caplog):
    broken = marked_event(club, owner)
    with time_machine.travel(at(11)):
        other = make_event(owner, standard("round_robin"), entries=3, circle=club.circle, started=True)
        monkeypatch.setattr(messages, "is_public", lambda event: 1 / 0 if event == broken else True)
        changes.follow_due()
    assert [row.event for row in NewsDelivery.objects.all()] == [other]
    assert NewsChange.objects.get().event == broken
    assert "ZeroDivisionError" in caplog.text


def test_news_is_as_old_as_its_change_however_late_it_is_written(club, owner, place):
    marked_event(club, owner)
    with time_machine.travel(at(10, day=4)):
        assert kinds_of(place) == ["drawn"]


@pytest.mark.parametrize("first", ["publish", "change"])
def test_what_somebody_published_goes_at_once_however_it_was_marked(club, owner, place, first):
    event = marked_event(club, owner)
    NewsChange.objects.all().delete()
    with time_machine.travel(at(23), tick=False):
        for is_pressed in (first == "publish", first != "publish"):
            with quiet_hours.pressed(is_pressed):
                changes.mark(event, timezone.now())
        changes.follow(event.pk)
        assert NewsDelivery.objects.get().due_at == at(23)


# Corrections


@pytest.fixture
def sent(club, owner, local):
    """A place with each result, and a match whose result it got."""
    place, event = add(club, owner, local, kinds=["results"]), evening(club, owner)
    return place, event, decided(owner, open_pairings(event)[0])


def decided(owner, pairing):
    act = results.decide(pairing.pk, lines_of(pairing), by=owner)
    send()
    pairing.refresh_from_db()
    return pairing, act


def later(local, **time):
    """What is sent after a while."""
    changes.follow_due()
    local.requests.clear()
    with time_machine.travel(timezone.now() + (timedelta(**time) if time else corrections.DELAY)):
        following.add_evenings(timezone.now())
        send()
    return words(local)


def test_a_corrected_result_is_told_once(owner, local, sent):
    _, event, (pairing, _) = sent
    results.decide(pairing.pk, lines_of(pairing, by_lot), by=owner, reason="Typing error.")
    (text,) = later(local)
    assert text.startswith(f"Corrected: {event.name}\n\n")
    assert text.count(" – ") == 1
    changes.mark(event, timezone.now())
    assert later(local, hours=1) == []


def test_a_result_that_was_removed_is_told_once_and_played_again_it_is_news(owner, local, sent):
    _, _, (pairing, act) = sent
    event_history.undo(act.pk, by=owner)
    (text,) = later(local)
    assert "no result yet" in text
    assert later(local, hours=1) == []
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        local.requests.clear()
        pairing.refresh_from_db()
        decided(owner, pairing)
        assert [body["type"] for body in local.bodies] == ["results"]
        assert later(local) == []


def test_a_result_that_is_removed_and_entered_again_as_it_was_is_not_told(owner, local, sent):
    _, _, (pairing, act) = sent
    event_history.undo(act.pk, by=owner)
    pairing.refresh_from_db()
    decided(owner, pairing)
    assert later(local) == []


def test_a_correction_shows_the_standings_that_were_sent(club, owner, place, local):
    event = evening(club, owner)
    play(event, owner)
    send()
    pairing = event.stages.get().rounds.last().pairings.last()
    results.decide(pairing.pk, lines_of(pairing, by_lot), by=owner, reason="Typing error.")
    texts = later(local)
    assert [text.partition("\n")[0] for text in texts] == [f"Corrected: {event.name}"]
    assert "\n1. " in texts[0]


def test_a_meeting_that_is_moved_or_cancelled_is_told_once(club, owner, place, local):
    meeting = Meeting.objects.create(club=club, title="Club night", starts_at=at(19, day=5))
    with time_machine.travel(at(18, day=4), tick=False) as clock:
        following.add_evenings(timezone.now())
        send()
        Meeting.objects.update(starts_at=at(19, day=12))
        following.add_evenings(timezone.now())
        (text,) = later(local)
        assert text.startswith("Changed: Club night: Saturday 12 December, 19:00")
        clock.move_to(at(18, day=11))
        assert later(local) == []
        Meeting.objects.filter(pk=meeting.pk).update(is_called_off=True)
        following.add_evenings(timezone.now())
        (text,) = later(local)
        assert text.startswith("Cancelled: Club night: Saturday 12 December, 19:00")


def test_a_meeting_that_is_moved_before_it_was_sent_is_told_once(club, place, local):
    Meeting.objects.create(club=club, title="Club night", starts_at=at(19, day=5))
    with time_machine.travel(at(18, day=4), tick=False):
        following.add_evenings(timezone.now())
        Meeting.objects.update(starts_at=at(20, day=5))
        following.add_evenings(timezone.now())
        send()
        assert len(words(local)) == 1
        assert later(local) == []


# One league, one event


def test_a_place_of_an_event_gets_its_news_only(club, owner, local):
    event, other = evening(club, owner), evening(club, owner)
    place = add(club, owner, local, kinds=["results", "evening"], about=f"event:{event.pk}")
    Meeting.objects.create(club=club, title="Club night", starts_at=timezone.now() + timedelta(hours=3))
    play(other, owner, most=1)
    following.add_evenings(timezone.now())
    assert kinds_of(place) == []
    play(event, owner, most=1)
    assert kinds_of(place) == ["results"]


def test_a_place_of_a_league_gets_its_news_only(club, owner, local, in_september):
    season = leagues.make_season(club, owner)
    leagues.draw(season, owner)
    place = add(club, owner, local, kinds=["results"], about=f"league:{season.league_id}")
    play(evening(club, owner), owner, most=1)
    assert kinds_of(place) == []
    pairing = leagues.Pairing.objects.filter(round__number=1, round__stage__tournament__division__season=season).first()
    names = [each.entry.name for each in pairing.places.select_related("entry")]
    leagues.decide(pairing, owner, {names[0]: 3000, names[1]: 2000})
    assert kinds_of(place) == ["results"]


@pytest.mark.parametrize("about", ["league:0", "event:0", "nonsense", "event:x"])
def test_a_place_is_about_something_of_its_club(club, quay, owner, place, local, about):
    foreign = evening(quay, owner)
    for topic in (about, f"event:{foreign.pk}"):
        with pytest.raises(Refused) as refused:
            add(club, owner, local, path="other", about=topic)
        assert refused.value.code == "no_topic"
    assert local.requests == []


def test_an_address_has_several_places_if_each_is_about_something_else(club, owner, local):
    event, other = evening(club, owner), evening(club, owner)
    first = add(club, owner, local, about=f"event:{event.pk}")
    add(club, owner, local, about=f"event:{other.pk}")
    for about in ("", f"event:{event.pk}"):
        with pytest.raises(Refused) as refused:
            add(club, owner, local, about=about)
        assert refused.value.code == "known"
    with pytest.raises(Refused):
        services.change(first.pk, owner, name="", kinds=[], about=f"event:{other.pk}")


# Another address, another secret


def test_a_place_gets_another_address_after_a_test_and_is_resumed(club, owner, place, local):
    sending.let_rest(place, "gone")
    act, secret = services.change_address(place.pk, owner, typed=f"{local.url}/next-5678")
    place.refresh_from_db()
    assert (place.ending, place.rest) == ("5678", "")
    assert addresses.read(place)["secret"] == secret
    assert "next-5678" not in json.dumps(act.changes)
    assert len(local.requests) == 1


def test_an_address_whose_test_fails_is_not_taken(club, owner, place, local):
    local.answer((404, {}, b""))
    with pytest.raises(Refused):
        services.change_address(place.pk, owner, typed=f"{local.url}/next")
    assert addresses.read(place)["url"].endswith("/hook")


def test_a_secret_is_renewed_and_shown_once(club, owner, place, client):
    before = addresses.read(place)["secret"]
    client.force_login(owner)
    page = client.post(f"/clubs/{club.slug}/news/places/", {"act": f"secret:{place.pk}"}).content.decode()
    after = addresses.read(place)["secret"]
    assert before != after
    assert after in page
    assert after not in json.dumps(Act.objects.latest("pk").changes)


def test_an_error_that_nobody_thought_of_counts_as_a_failure(club, local, due, monkeypatch):
    place = place_of(club, local, "webhook")
    monkeypatch.setattr(type(CHANNELS["webhook"]), "_send", lambda *args: 1 / 0)
    with time_machine.travel(at(10), tick=False) as clock:
        delivery = due(place)
        fails_with_gaps(delivery, GAPS, clock)
        Meeting.objects.update(starts_at=timezone.now() + timedelta(days=1))
        send()
    place.refresh_from_db()
    assert place.rest == "failed"
    act = Act.objects.get(kind="place_failed")
    assert act.sentence.startswith("webhook was paused because it failed.")


# Sending


@pytest.fixture
def due(club, owner, local):
    """A function that makes a message that is due for a place."""

    def make(place, key="1"):
        meeting = Meeting.objects.create(
            club=place.club, title="Club night", starts_at=timezone.now() + timedelta(days=1)
        )
        return NewsDelivery.objects.create(
            place=place, kind="evening", key=key, meeting=meeting, due_at=timezone.now() - timedelta(seconds=1)
        )

    return make


def place_of(club, local, channel):
    """A place of any channel, at the receiver."""
    from tests.web.test_channels import where

    place = NewsPlace.objects.create(
        club=club,
        channel=channel,
        name=channel,
        ending="0000",
        language="en",
        since={"evening": "2026-01-01T00:00:00Z"},
    )
    addresses.store(place, where(channel, local.url))
    return place


def fails_with_gaps(delivery, gaps, clock):
    """A message is tried whenever it is due, and waits so long each time; then it is due once more."""
    for gap in gaps:
        send()
        delivery.refresh_from_db()
        assert (delivery.status, delivery.due_at - timezone.now()) == ("waiting", gap)
        clock.move_to(delivery.due_at + timedelta(seconds=1))


every_channel = pytest.mark.parametrize("channel", sorted(CHANNELS))


@every_channel
def test_each_message_is_sent_once(club, local, due, channel):
    delivery = due(place_of(club, local, channel))
    assert sending.OUTBOX.send(delivery.pk)
    assert not sending.OUTBOX.send(delivery.pk)
    send()
    assert len(local.requests) == 1
    delivery.refresh_from_db()
    assert (delivery.status, delivery.due_at) == ("sent", None)


@every_channel
def test_a_failure_is_tried_again_with_growing_gaps_then_the_place_rests(club, owner, local, due, channel):
    local.answer((500, {}, b""))
    place, now = place_of(club, local, channel), at(10)
    with time_machine.travel(now, tick=False) as clock:
        delivery = due(place)
        fails_with_gaps(delivery, (timedelta(minutes=6), timedelta(hours=1), timedelta(days=1)), clock)
        Meeting.objects.update(starts_at=timezone.now() + timedelta(days=1))
        send()
        send()
    assert len(local.requests) == 4
    place.refresh_from_db()
    delivery.refresh_from_db()
    assert (place.rest, delivery.status, delivery.trouble) == ("failed", "failed", "server_error")
    notice = Notice.objects.get(user=owner)
    assert notice.title == f"Harbour Hand and Foot: {channel} gets no more news"


def test_the_organisers_are_told_by_email(club, owner, local, due, client):
    local.answer((410, {}, b""))
    place = place_of(club, local, "discord")
    due(place)
    due(place, key="2")
    send()
    from accounts.services import notices

    notices.send_due()
    to_owner = [message for message in mail.outbox if owner.email in message.to]
    assert len(to_owner) == 1
    assert "discord gets no more news" in to_owner[0].subject


def test_it_waits_as_long_as_the_other_side_wants(club, local, due):
    local.answer((429, {"Retry-After": "1800"}, b""))
    with time_machine.travel(at(10), tick=False):
        delivery = due(place_of(club, local, "discord"))
        send()
        delivery.refresh_from_db()
        assert delivery.due_at - timezone.now() == timedelta(minutes=30)


def test_a_place_that_is_gone_rests_at_once(club, local, due):
    local.answer((404, {}, b""))
    place = place_of(club, local, "slack")
    due(place)
    send()
    place.refresh_from_db()
    assert (place.rest, len(local.requests)) == ("failed", 1)


@every_channel
def test_without_an_answer_it_is_sent_again_only_where_that_cannot_double_it(club, local, due, channel, monkeypatch):
    monkeypatch.setattr(public_requests, "TIMEOUT", 0.05)
    local.answer(lambda connection: connection.recv(1))
    with time_machine.travel(at(10)):
        delivery = due(place_of(club, local, channel))
        send()
    delivery.refresh_from_db()
    expected = "waiting" if CHANNELS[channel].knows_again else "unsure"
    assert (delivery.status, delivery.trouble) == (expected, "no_answer")


@every_channel
def test_a_sending_that_broke_off_is_sent_again_only_where_that_cannot_double_it(club, local, due, channel):
    delivery = due(place_of(club, local, channel))
    NewsDelivery.objects.update(status="sending")
    send()
    delivery.refresh_from_db()
    knows_again = CHANNELS[channel].knows_again
    assert (delivery.status, len(local.requests)) == (("sent", 1) if knows_again else ("unsure", 0))


def test_a_redirect_into_our_network_is_not_followed(club, local, due):
    local.answer((302, {"Location": f"{local.url}/inner"}, b""))
    delivery = due(place_of(club, local, "webhook"))
    send()
    delivery.refresh_from_db()
    assert delivery.trouble == "redirect"
    assert [path for _, path, _, _ in local.requests] == ["/hook"]


def test_a_place_without_its_address_rests_and_says_so(club, owner, local, due):
    place = place_of(club, local, "slack")
    NewsAddress.objects.all().delete()
    delivery = due(place)
    send()
    delivery.refresh_from_db()
    place.refresh_from_db()
    assert (delivery.status, delivery.trouble, place.rest) == ("failed", "no_address", "failed")
    assert Notice.objects.get(user=owner).body.endswith("Remove it and add it again.")


def test_a_meeting_that_has_started_is_not_told(club, place, local, due):
    due(place)
    Meeting.objects.update(starts_at=timezone.now())
    send()
    assert local.requests == []
    assert kinds_of(place) == []


def test_one_failing_place_stops_no_other(club, local, due):
    broken, fine = place_of(club, local, "slack"), place_of(club, local, "discord")
    NewsAddress.objects.filter(place=broken).update(sealed="nonsense")
    due(broken)
    due(fine)
    send()
    assert list(NewsDelivery.objects.order_by("pk").values_list("status", flat=True)) == ["failed", "sent"]


def test_a_paused_or_removed_place_gets_nothing(club, owner, place, local, due):
    due(place)
    services.pause(place.pk, owner, rests=True)
    send()
    services.pause(place.pk, owner, rests=False)
    due(place, key="2")
    services.remove(place.pk, owner)
    send()
    assert local.requests == []


@pytest.mark.parametrize(
    ("hour", "day", "expected"), [(21, 1, at(21)), (22, 1, at(8, day=2)), (7, 1, at(8)), (8, 1, at(8))]
)
def test_at_night_it_waits_for_the_morning(club, owner, local, hour, day, expected):
    with time_machine.travel(at(hour, day=day), tick=False):
        place = add(club, owner, local, kinds=["drawn"])
        evening(club, owner)
    assert NewsDelivery.objects.get(place=place).due_at == expected


def test_results_of_the_night_are_one_message_in_the_morning(club, owner, local):
    with time_machine.travel(at(22, 30), tick=False):
        place = add(club, owner, local, kinds=["results"])
        event = evening(club, owner)
        play(event, owner)
    with time_machine.travel(at(8, 1, day=2)):
        send()
    delivery = NewsDelivery.objects.get(place=place)
    assert len(delivery.about) == 3
    assert len(local.requests) == 1


def test_what_is_late_at_night_waits_for_the_morning(club, local, due):
    delivery = due(place_of(club, local, "ntfy"))
    with time_machine.travel(at(22), tick=False):
        send()
    delivery.refresh_from_db()
    assert local.requests == []
    assert (delivery.status, delivery.due_at) == ("waiting", at(8, day=2))


def test_what_somebody_publishes_at_night_is_sent_at_night(club, owner, local):
    with time_machine.travel(at(23), tick=False):
        add(club, owner, local, kinds=["drawn"])
        with quiet_hours.pressed():
            evening(club, owner)
        send()
    assert len(local.requests) == 1


@pytest.mark.parametrize("trouble", ["busy", "slow"])
def test_a_place_that_is_busy_or_slow_gets_the_next_message_in_the_next_minute(club, local, due, monkeypatch, trouble):
    place = place_of(club, local, "discord")
    due(place), due(place, key="2")
    if trouble == "busy":
        local.answer((429, {}, b""))
    else:
        monkeypatch.setattr(retries, "SLOW", -1)
    send()
    assert len(local.requests) == 1


def test_what_somebody_publishes_goes_at_once(club, owner, local):
    assert running.quiet_hours is quiet_hours
    with time_machine.travel(at(23), tick=False):
        place = add(club, owner, local, kinds=["drawn"])
        with quiet_hours.pressed():
            evening(club, owner)
        assert NewsDelivery.objects.get(place=place).due_at == at(23)


def test_a_message_is_sent_again_by_hand(club, owner, place, local, due):
    delivery = due(place)
    send()
    services.send_again(delivery.pk, owner)
    with pytest.raises(Refused):
        services.send_again(delivery.pk, owner)
    send()
    keys = [headers["webhook-id"] for _, _, headers, _ in local.requests]
    assert keys == [f"foothold-{delivery.pk}-1", f"foothold-{delivery.pk}-2"]


def test_words_are_in_the_language_of_the_place(club, owner, local, due):
    place_of(club, local, "telegram")
    NewsPlace.objects.update(language="de")
    Meeting.objects.create(club=club, title="Clubabend", starts_at=at(19, day=5))
    with time_machine.travel(at(18, day=4)):
        following.add_evenings(timezone.now())
        send()
    assert local.bodies[0]["text"].startswith("Clubabend: Samstag, 5. Dezember")


def test_nothing_of_an_address_is_logged(club, local, due, caplog):
    local.answer((500, {}, b""))
    due(place_of(club, local, "telegram"))
    send()
    from tests.web.test_channels import BOT

    assert "was not taken by telegram" in caplog.text
    assert BOT not in caplog.text
    assert local.url not in caplog.text


@pytest.mark.parametrize("entries", [4, 12])
def test_pairings_need_as_many_queries_for_many_tables(club, owner, place, entries, django_assert_num_queries):
    event = make_event(owner, standard("round_robin"), name="Night", entries=entries, circle=club.circle, started=True)
    changes.follow_due()
    delivery = NewsDelivery.objects.filter(kind="drawn", event=event).select_related("place__club", "event").first()
    with django_assert_num_queries(9):
        assert messages.message_of(delivery).text.count("Table ") == entries // 2


# The page


def test_the_preview_shows_the_words_as_they_are_sent(club, owner, place, local, client):
    event = evening(club, owner)
    play(event, owner)
    send()
    client.force_login(owner)
    page = client.get(f"/clubs/{club.slug}/news/places/?show=standings")
    sent = next(body["data"]["words"] for body in local.bodies if body["type"] == "standings")
    assert page.context["page"].text == sent


def test_the_page_shows_the_last_message_of_each_place(club, owner, place, due, client):
    due(place)
    send()
    NewsDelivery.objects.create(place=place, kind="evening", key="x", status="failed", trouble="gone")
    NewsDelivery.objects.create(place=place, kind="evening", key="y", due_at=timezone.now())
    client.force_login(owner)
    (row,) = client.get(f"/clubs/{club.slug}/news/places/").context["page"].places
    assert (row.last.key, row.state) == ("x", "bad")


def test_the_page_is_for_people_who_publish(club, staff, client):
    for role, status in (("organiser", 200), ("scorer", 403), ("member", 403)):
        client.force_login(staff[role])
        assert client.get(f"/clubs/{club.slug}/news/places/").status_code == status


def test_the_buttons_of_the_page(club, owner, place, local, due, client):
    client.force_login(owner)
    url = f"/clubs/{club.slug}/news/places/"
    delivery = due(place)
    send()

    def press(act, **fields):
        return client.post(url, {"act": act, **fields}).status_code

    assert press(f"save:{place.pk}", name="Hall", kinds=["drawn"]) == 302
    place.refresh_from_db()
    assert (place.name, list(place.since)) == ("Hall", ["drawn"])
    assert press(f"test:{place.pk}") == 302
    assert press(f"again:{delivery.pk}") == 302
    assert press(f"pause:{place.pk}") == 302
    assert press(f"pause:{place.pk}") == 422
    assert press(f"resume:{place.pk}") == 302
    assert press(f"save:{place.pk}", name="Hall", kinds=["nonsense"]) == 422
    assert press(f"fly:{place.pk}") == 422
    assert press("save:0") == 404
    assert press(f"remove:{place.pk}") == 302
    assert press(f"remove:{place.pk}") == 404


@pytest.mark.parametrize(
    ("act", "fields"), [("test", {}), ("save", {"name": "x" * 61}), ("save", {"name": "x", "kinds": ["nonsense"]})]
)
def test_a_refusal_is_shown_once_at_its_place(club, owner, place, local, client, act, fields):
    local.answer((404, {}, b""))
    client.force_login(owner)
    page = client.post(f"/clubs/{club.slug}/news/places/", {"act": f"{act}:{place.pk}", **fields}).content.decode()
    start, end = page.index(f'id="place-{place.pk}"'), page.index('id="add-h"')
    assert page.count('id="refused"') == 1
    assert start < page.index('id="refused"') < end


def test_places_of_other_clubs_cannot_be_touched(quay, owner, place, in_club, client, due, local):
    delivery = due(place)
    client.force_login(in_club(quay, "Mia", "owner"))
    for act in (f"remove:{place.pk}", f"test:{place.pk}", f"again:{delivery.pk}"):
        assert client.post("/clubs/quay/news/places/", {"act": act}).status_code in (403, 404, 422)
    place.refresh_from_db()
    assert place.removed_at is None
    assert local.requests == []
