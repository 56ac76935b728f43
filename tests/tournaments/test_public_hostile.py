"""Hostile names of entries, events and organisers stay text on public pages."""

from html import unescape

import pytest

from accounts.models import User
from tests.security.site_map import Page
from tests.security.test_hostile_text import HOSTILE, signs_of_injection
from tests.tournaments import driving
from tournaments.models import Entry, Member, Pairing, Stage, Tournament
from tournaments.services.matches import results

FORMATS = {
    "double_elimination": {},
    "swiss": {"rounds": 2},
    "pod_knockout": {"seats": 4, "advance": 2},
    "rotating_partners": {},
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("format", FORMATS)
def test_hostile_text_stays_text(new_event, olga, client, text, format):
    event = new_event(format, 8, started=True, about=text * 3, venue=text, **FORMATS[format])
    Tournament.objects.filter(pk=event.pk).update(name=text[:80])
    Stage.objects.filter(tournament=event).update(name=text[:60])
    for entry in Entry.objects.filter(tournament=event):
        Entry.objects.filter(pk=entry.pk).update(name=f"{text[:70]}{entry.number}")
    Member.objects.filter(tournament=event).update(name=text[:60])
    User.objects.update(display_name=text[:50])

    def level_by_place(names):
        return [5000 + place for place, _ in enumerate(names)]

    driving.play_round(event, olga, level_by_place)
    pairing = Pairing.objects.filter(round__stage__tournament=event, status="done").first()
    lines = driving.lines_of(pairing, level_by_place)
    results.decide(pairing.pk, lines, by=User.objects.get(pk=olga.pk), reason=text[:200])
    client.force_login(User.objects.get(username="player1"))
    base, count = f"/events/{event.slug}/", 0
    paths = [
        "",
        "1/",
        "1/crosstable/",
        "schedule/",
        "results/",
        "entries/",
        "entries/1/",
        "rules/",
        "embed/1/",
        f"1/{pairing.name}/",
    ]
    for path in ["/events/", "/events/mine/", f"/events/?name={'%3Czz%3E'}", *(base + each for each in paths)]:
        answer = client.get(path)
        markup = answer.content.decode()
        if answer.status_code == 200:
            assert signs_of_injection(Page(markup)) == [], path
            count += text[:20] in unescape(markup)
    assert count >= 10


def test_names_of_either_direction_are_kept_apart_from_what_stands_around_them(new_event, olga, client):
    event = new_event("double_elimination", 4, started=True)
    Entry.objects.filter(tournament=event, number=1).update(name="مريم الخطيب / يوسف")
    driving.play_round(event, olga, lambda names: [5000 + place for place, _ in enumerate(names)])
    for path in ("", "1/", "schedule/", "results/", "entries/", "entries/1/"):
        markup = client.get(f"/events/{event.slug}/{path}").content.decode()
        if "مريم" in markup:
            assert "<bdi>مريم الخطيب / يوسف</bdi>" in markup, path
