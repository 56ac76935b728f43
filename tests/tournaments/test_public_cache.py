"""What is kept of public pages: thrown away by a result and by whatever else they show, apart for each time zone."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from django.utils.safestring import SafeString

from tests.tournaments import driving
from tournaments.models import Pairing, Round, Tournament
from tournaments.public import live
from tournaments.public.fragment_cache import kept
from tournaments.services.matches import results


def page(client, event, path="1/", **headers):
    return client.get(f"/events/{event.slug}/{path}", headers=headers).content.decode()


@pytest.fixture
def made(event):
    return event("swiss", 4, started=True, rounds=2)


def test_a_result_is_seen_at_once(made, olga, client):
    paths = ["", "1/", "schedule/", "results/", "entries/1/", "1/crosstable/", "1/R1.1/"]
    before = {path: page(client, made, path) for path in paths}
    assert {path: page(client, made, path) for path in paths} == before
    pairing = Pairing.objects.get(name="R1.1")
    one, other = [place.entry_id for place in pairing.places.all()]
    results.decide(pairing.pk, [{"entry": one, "score": 7105}, {"entry": other, "score": 6400}], by=olga)
    after = {path: page(client, made, path) for path in paths}
    assert [path for path in paths if after[path] == before[path]] == []
    assert all("7,105" in after[path] for path in ("", "schedule/", "results/", "entries/1/", "1/R1.1/"))
    # The next correction as well.
    lines = [{"entry": one, "score": 6105}, {"entry": other, "score": 6400}]
    results.decide(pairing.pk, lines, by=olga, reason="Misread.")
    assert all("7,105" not in page(client, made, path) for path in ("", "schedule/", "results/", "entries/1/"))


def test_nothing_is_made_anew_while_nothing_happens(made, client, monkeypatch):
    page(client, made)
    monkeypatch.setattr("tournaments.views.stages._standings", None)
    page(client, made)
    Tournament.objects.filter(pk=made.pk).update(version=9)
    with pytest.raises(TypeError):
        page(client, made)


def test_what_shows_times_is_kept_for_each_zone(made, client):
    moment = timezone.now().replace(month=11, day=26, hour=20, minute=15)
    Round.objects.filter(stage__tournament=made).update(deadline_at=moment)
    for zone, clock in (("America/Toronto", "15:15"), ("Europe/Berlin", "21:15"), ("America/Toronto", "15:15")):
        client.cookies["zone"] = zone
        assert f"26 Nov {clock}" in page(client, made, "schedule/")
        assert f"26 Nov {clock}" in page(client, made, "1/R1.1/")


def test_parts_without_times_are_kept_once(made):
    made.refresh_from_db()
    asked = []

    def make():
        asked.append(1)
        return SafeString("<p>")

    for zone in ("America/Toronto", "Europe/Berlin"):
        with timezone.override(zone):
            kept(made, "1-a", "standings", make, timed=False)
            kept(made, "1-a", "schedule", make, timed=True)
    assert len(asked) == 3
    kept(made, "2-a", "standings", make, timed=False)
    kept(made, "2-a", "standings:2", make, timed=False)
    assert len(asked) == 5


def test_what_was_kept_is_still_markup(made):
    part = kept(made, "1", "x", lambda: SafeString("<p>"), timed=False)
    again = kept(made, "1", "x", lambda: SafeString("<b>"), timed=False)
    assert (part, again, type(again)) == ("<p>", "<p>", SafeString)


def test_deals_that_end_at_a_table_online_are_seen(made):
    quiet = live.stamp(made, {7: live.Live("deal 1 of 4", (0, 0))})
    assert live.stamp(made, {7: live.Live("deal 1 of 4", (0, 0))}) == quiet
    assert live.stamp(made, {7: live.Live("deal 2 of 4", (720, 450))}) != quiet
    assert live.stamp(made, {}) != quiet
    made.version += 1
    assert live.stamp(made, {7: live.Live("deal 1 of 4", (0, 0))}) != quiet


def test_times_stay_right_for_as_long_as_a_part_is_kept(made, client):
    """No part says `today` or how much time is left: both would be wrong later."""
    Round.objects.filter(stage__tournament=made).update(deadline_at=timezone.now() + timedelta(hours=2))
    cache.clear()
    for path in ("", "1/", "schedule/", "results/", "entries/1/", "1/R1.1/"):
        markup = page(client, made, path)
        assert "today" not in markup
        assert "tomorrow" not in markup
        assert "data-left" not in markup


def test_the_match_page_follows_an_online_table(made, olga, client):
    driving.play_round(made, olga)
    assert "Finished" in page(client, made, "1/R1.1/")
