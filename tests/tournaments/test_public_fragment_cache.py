"""Cached parts of public pages: cleared by a result and by anything else they show, separate for each time zone."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from django.utils.safestring import SafeString

from tests.tournaments import driving
from tournaments.models import Pairing, Round, Tournament
from tournaments.public import live
from tournaments.public.fragment_cache import cached
from tournaments.services.matches import results


def page(client, event, path="1/", **headers):
    return client.get(f"/events/{event.slug}/{path}", headers=headers).content.decode()


@pytest.fixture
def event(new_event):
    return new_event("swiss", 4, started=True, rounds=2)


def test_a_result_is_seen_at_once(event, olga, client):
    paths = ["", "1/", "schedule/", "results/", "entries/1/", "1/crosstable/", "1/R1.1/"]
    before = {path: page(client, event, path) for path in paths}
    assert {path: page(client, event, path) for path in paths} == before
    pairing = Pairing.objects.get(name="R1.1")
    first, second = [place.entry_id for place in pairing.places.all()]
    results.decide(pairing.pk, [{"entry": first, "score": 7105}, {"entry": second, "score": 6400}], by=olga)
    after = {path: page(client, event, path) for path in paths}
    assert [path for path in paths if after[path] == before[path]] == []
    assert all("7,105" in after[path] for path in ("", "schedule/", "results/", "entries/1/", "1/R1.1/"))
    # The next correction as well.
    lines = [{"entry": first, "score": 6105}, {"entry": second, "score": 6400}]
    results.decide(pairing.pk, lines, by=olga, reason="Misread.")
    assert all("7,105" not in page(client, event, path) for path in ("", "schedule/", "results/", "entries/1/"))


def test_nothing_is_made_anew_while_nothing_happens(event, client, monkeypatch):
    page(client, event)
    monkeypatch.setattr("tournaments.views.stages._standings", None)
    page(client, event)
    Tournament.objects.filter(pk=event.pk).update(version=9)
    with pytest.raises(TypeError):
        page(client, event)


def test_what_shows_times_is_kept_for_each_zone(event, client):
    moment = timezone.now().replace(month=11, day=26, hour=20, minute=15)
    Round.objects.filter(stage__tournament=event).update(deadline_at=moment)
    Tournament.objects.filter(pk=event.pk).update(setting="online")
    for zone, clock in (("America/Toronto", "15:15"), ("Europe/Berlin", "21:15"), ("America/Toronto", "15:15")):
        client.cookies["zone"] = zone
        assert f"26 Nov {clock}" in page(client, event, "schedule/")
        assert f"26 Nov {clock}" in page(client, event, "1/R1.1/")


def test_parts_without_times_are_kept_once(event):
    event.refresh_from_db()
    calls = []

    def make():
        calls.append(1)
        return SafeString("<p>")

    for zone in ("America/Toronto", "Europe/Berlin"):
        with timezone.override(zone):
            cached(event, "1-a", "standings", make, timed=False)
            cached(event, "1-a", "schedule", make, timed=True)
    assert len(calls) == 3
    cached(event, "2-a", "standings", make, timed=False)
    cached(event, "2-a", "standings:2", make, timed=False)
    assert len(calls) == 5


def test_what_was_kept_is_still_markup(event):
    first = cached(event, "1", "x", lambda: SafeString("<p>"), timed=False)
    second = cached(event, "1", "x", lambda: SafeString("<b>"), timed=False)
    assert (first, second, type(second)) == ("<p>", "<p>", SafeString)


def test_deals_that_end_at_a_table_online_are_seen(event):
    quiet = live.stamp(event, {7: live.Live("deal 1 of 4", (0, 0))})
    assert live.stamp(event, {7: live.Live("deal 1 of 4", (0, 0))}) == quiet
    assert live.stamp(event, {7: live.Live("deal 2 of 4", (720, 450))}) != quiet
    assert live.stamp(event, {}) != quiet
    event.version += 1
    assert live.stamp(event, {7: live.Live("deal 1 of 4", (0, 0))}) != quiet


def test_times_stay_right_for_as_long_as_a_part_is_kept(event, client):
    """No part says `today` or how much time is left: both would be wrong later."""
    Round.objects.filter(stage__tournament=event).update(deadline_at=timezone.now() + timedelta(hours=2))
    cache.clear()
    for path in ("", "1/", "schedule/", "results/", "entries/1/", "1/R1.1/"):
        markup = page(client, event, path)
        assert "today" not in markup
        assert "tomorrow" not in markup
        assert "data-left" not in markup


def test_the_match_page_follows_an_online_table(event, olga, client):
    driving.play_round(event, olga)
    assert "Finished" in page(client, event, "1/R1.1/")
