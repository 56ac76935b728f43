"""A round of a division is its matchday, wherever it is named."""

import re
from datetime import UTC, datetime, time, timedelta
from html import unescape

import pytest
import time_machine
from django.core import mail
from django.urls import reverse

from accounts.models import Notice
from clubs.models import Act as ClubAct
from clubs.models import Newsletter
from clubs.services.publications import newsletters
from tests.clubs import leagues
from tournaments.models import Act, Pairing, Round
from tournaments.services.entries import withdrawal
from tournaments.services.matches import match_scheduling, results
from tournaments.services.stages import progress
from web.paper import Paper

EVENING = datetime(2026, 9, 7, 18, 30, tzinfo=UTC)
NAMED = re.compile(r".{0,60}\b(?:[Rr]ounds?|Runden?) \d.{0,30}")
OTHER = re.compile(r"/(?:help|accounts|static|pictures|rules|operator)/|logout")


@pytest.fixture
def played(club, staff, in_club, in_september):
    """A division whose first matchday was played, corrected and put off in part, and lost a team."""
    owner = staff["owner"]
    season = leagues.make_season(club, owner, (6,), plays_at=time(20))
    leagues.sign_in(club, in_club, "Ann 1", "Ann")
    season = leagues.draw(season, owner)
    event = season.divisions.get().tournament
    with time_machine.travel(EVENING, tick=False):
        progress.advance(event.pk)
        first, second, third = Pairing.objects.filter(round__stage__tournament=event, round__number=1)
        names = [place.entry.name for place in first.places.all()]
        leagues.decide(first, owner, {names[0]: 6000, names[1]: 5000})
        leagues.decide(first, owner, {names[0]: 6100, names[1]: 5000}, reason="A slip of the pen")
        names = [place.entry.name for place in second.places.all()]
        leagues.decide(second, owner, {names[0]: 6000, names[1]: 5000})
        results.remove_result(second.pk, by=owner, reason="Wrong table")
        late = EVENING + timedelta(days=20)
        match_scheduling.set_match_times(third.pk, owner, starts_at=None, deadline_at=late)
        newsletters.draft(club.pk, owner, about=[(season.pk, 1)])
    with time_machine.travel(EVENING + timedelta(days=7, hours=1), tick=False):
        progress.advance(event.pk)
        withdrawal.withdraw(leagues.entry(season, "Pair 6").pk, owner)
        yield season


def crawled(reader, start, within):
    """Every answer that a reader reaches by links, by its path, as text."""
    todo, texts = list(start), {}
    while todo:
        path = todo.pop()
        if path in texts or OTHER.search(path):
            continue
        answer = reader.client.get(path)
        kind = answer.get("Content-Type", "")
        if answer.status_code != 200 or not kind.startswith(("text/", "application/json", "application/atom")):
            texts[path] = ""
            continue
        texts[path] = b"".join(answer).decode()
        if kind.startswith("text/html"):
            links = re.findall(r'href="(/[^"#]*)', texts[path])
            todo += [link for link in map(unescape, links) if link.startswith(within)]
    return texts


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_or_file_of_a_division_calls_a_matchday_a_round(played, staff, browser_of, monkeypatch, language):
    drawn = []
    monkeypatch.setattr(Paper, "put", recorded(Paper.put, drawn))
    event, season = played.divisions.get().tournament, played
    reader = browser_of(staff["owner"])
    reader.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    staff["owner"].language = language
    staff["owner"].save()
    base, club = f"/events/{event.slug}/", season.league.club.get_absolute_url()
    start = [base, reverse("tournaments:organise", args=[event.slug]), season.get_absolute_url(), club]
    start += [f"/api/v1{base}", f"/api/v1{base}history/", f"/api/v1{base}matches/", f"/api/v1{base}stages/1/rounds/1/"]
    texts = crawled(reader, start, (base, season.league.get_absolute_url(), f"{club}history/", f"{club}tonight/"))
    word = {"en": "Matchday 1", "de": "Spieltag 1"}[language]
    assert sum(word in text for text in texts.values()) > 20
    for path, text in texts.items():
        assert NAMED.findall(text) == [], path
    assert [text for text in drawn if NAMED.search(text)] == []


def recorded(put, drawn):
    def do(paper, x, y, width, text, *args, **how):
        drawn.append(str(text))
        return put(paper, x, y, width, text, *args, **how)

    return do


@pytest.mark.django_db
def test_no_history_letter_or_notice_of_a_division_calls_a_matchday_a_round(played):
    texts = [act.sentence for act in [*Act.objects.all(), *ClubAct.objects.all()]]
    texts += [f"{notice.title} {notice.body}" for notice in Notice.objects.all()]
    texts += [f"{letter.subject} {letter.body}" for letter in mail.outbox]
    texts += [newsletter.body for newsletter in Newsletter.objects.all()]
    assert any("atchday 1" in text for text in texts)
    assert [text for text in texts if NAMED.search(text)] == []


@pytest.mark.django_db
def test_rounds_of_other_events_stay_rounds(played, new_event):
    assert set(Round.objects.filter(stage__tournament__has_matchdays=True).values_list("name", flat=True)) == {
        f"Matchday {number}" for number in range(1, 6)
    }
