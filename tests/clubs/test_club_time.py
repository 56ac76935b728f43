"""Times of clubs in three zones: face to face by the club’s clock for everyone, online deadlines by the reader’s."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from accounts.languages import as_read_by
from accounts.models import User
from clubs.coming import letters, occasions
from clubs.coming.occasions import Occasion
from clubs.league import fixtures as reading
from clubs.models import Club, Reply, ReplyLetter, Season
from clubs.personal_messages import next_matches, topics
from clubs.services.leagues import fixture_scheduling
from clubs.statistics import matchday_words
from tests.clubs import leagues
from tests.makers import make_person
from tests.security.clubs import club_addresses, make_full_club
from tests.security.site_map import body_of
from tournaments import notification_text
from tournaments.models import Pairing, Result, Tournament

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

ZONES = ["", "Asia/Kolkata", "America/Toronto"]
"""What a browser or an account says of its zone: nothing at a first visit."""
CHANGING = re.compile(rb'nonce-[^"\';]+|csrf-?\w+" (content|value)="\w+"|name="key" value="[^"]+"')


@pytest.fixture(scope="module")
def full(module_db):
    """A club in Amsterdam with one of everything, and its owner."""
    with leagues.september():
        owner, asker = make_person("Olive"), make_person("Asker")
        place = make_full_club(owner, asker)
        Club.objects.filter(pk=place.club.pk).update(time_zone="Europe/Amsterdam")
        Tournament.objects.update(time_zone="Europe/Amsterdam")
        return place


def pages_of(place, skip=()):
    for name, address in sorted(club_addresses().items()):
        if name not in skip:
            yield name, address.path(place.filled(address))


def read(client, path):
    answer = client.get(path)
    return answer.status_code, CHANGING.sub(b"", body_of(answer))


def visitor(zone):
    client = Client()
    if zone:
        client.cookies["zone"] = zone
    return client


def signed_in(user, zone):
    User.objects.filter(pk=user.pk).update(time_zone=zone or "UTC")
    client = Client()
    client.force_login(user)
    return client


OWN_CLOCK = {
    "clubs": "is of many clubs, and names the zones of those with another one",
    "new_club": "asks for the zone of a club that is not there yet",
    "player": "is of no club",
}
"""Pages that go by the reader's clock, with the reason."""
STAMPS = {"house_rules", "rules", "rules_version", "league_embed", "news", "newsletter", "newsletters"}
"""Pages whose only times say when something was written."""


@pytest.mark.parametrize("reader", ["visitor", "owner"])
def test_every_page_file_and_feed_of_a_club_reads_alike_everywhere_and_names_the_zone(full, in_september, reader):
    answers = {}
    for zone in ZONES:
        client = visitor(zone) if reader == "visitor" else signed_in(full.owner, zone)
        for name, path in pages_of(full, skip=OWN_CLOCK):
            answers.setdefault(name, []).append(read(client, path))
    assert [name for name, each in answers.items() if any(answer != each[0] for answer in each)] == []
    nameless = {name for name, ((_, page), *_) in answers.items() if is_nameless(page)}
    assert nameless - STAMPS == set()
    assert sum(status == 200 for (status, _), *_ in answers.values()) > (80 if reader == "owner" else 40)


def is_nameless(page):
    """Whether a page shows a time of day without its zone."""
    if not page.startswith(b"<!DOCTYPE html>") and b"<html" not in page[:400]:
        return False
    text = re.sub(r"<head>.*?</head>|<script.*?</script>|<[^>]*>", " ", page.decode(), flags=re.DOTALL)
    return bool(re.search(r"\b[0-2]\d:[0-5]\d\b", text)) and "Amsterdam" not in text


# Letters and notifications


def match_of(full):
    return Pairing.objects.get(pk=full.arguments["match"])


def match_words_of(full):
    pairing = match_of(full)
    places = list(pairing.places.select_related("entry"))
    reader = User.objects.get(pk=full.owner.pk)
    result = Result(pairing=pairing, confirms_at=timezone.now(), lines=[])
    return (
        notification_text.match_words(pairing, places, places[0], reader),
        notification_text.result_words(result, places, reader),
    )


def question_letter(full):
    question = occasions.questions().get(pk=full.arguments["question"])
    reply = Reply.objects.filter(question=question, membership__isnull=False).first()
    letter = ReplyLetter(pk=1, reply=reply, kind=ReplyLetter.Kind.ASK, created_at=timezone.now())
    return letters.email_of(letter, Occasion(question), reply.membership).body


def personal_messages(full):
    club = Club.objects.get(pk=full.club.pk)
    return [topic.message(topic.people()[0]).text for topic in topics.topics(club, timezone.now())]


def newsletter(full):
    season = Season.objects.get(pk=full.rows["season"].pk)
    return matchday_words.describe_matchday(season, 1, site="", now=timezone.now()).body


def proposed(full):
    pairing = reading.match(full.arguments["match"])
    return fixture_scheduling.as_text(pairing, pairing.starts_at or timezone.now(), "The Anchor", False)


LETTERS = {
    "a match to play": (lambda full: match_words_of(full)[0], "Amsterdam (CEST)"),
    "a result to confirm": (lambda full: match_words_of(full)[1], "Amsterdam (CEST)"),
    "a question who comes, by email": (question_letter, "14:00"),
    "what members are told": (personal_messages, "14:00"),
    "the newsletter of a matchday": (newsletter, "Harbour league"),
    "a match moved": (proposed, "Amsterdam (CEST)"),
}
"""What is sent, as its reader reads it, and words that it has in every zone."""


@pytest.mark.parametrize("name", LETTERS)
def test_every_letter_and_notification_reads_alike_everywhere(full, in_september, name):
    write, words = LETTERS[name]
    texts = []
    for zone in ZONES:
        User.objects.filter(pk=full.owner.pk).update(time_zone=zone or "UTC")
        with timezone.override(zone or "UTC"):
            texts.append(str(write(full)))
    assert texts == [texts[0]] * len(ZONES)
    assert words in texts[0]


def test_members_abroad_are_told_whose_clock_it_is(full, in_september):
    club = Club.objects.get(pk=full.club.pk)
    topic = next(topic for topic in topics.topics(club, timezone.now()) if isinstance(topic, topics.MeetingTopic))
    member = topic.people()[0]
    member.user = User(time_zone="Asia/Kolkata")
    assert "14:00 Amsterdam (CEST)" in topic.message(member).text
    member.user = User(time_zone="Europe/Paris")
    assert "Amsterdam" not in topic.message(member).text


def test_what_is_online_is_by_the_readers_clock(full, in_september):
    club, match = Club.objects.get(pk=full.club.pk), reading.match(full.arguments["match"])
    match = replace(match, is_online=True, starts_at=datetime(2026, 9, 7, 20, tzinfo=UTC))
    with timezone.override("Asia/Kolkata"):
        assert "Tuesday 8 September, 01:30, online" in next_matches.match_line(club, match)
    with timezone.override("America/Toronto"):
        assert "Monday 7 September, 16:00, online" in next_matches.match_line(club, match)


@pytest.mark.parametrize(("zone", "has_zone"), [("", True), ("Asia/Kolkata", True), ("Europe/Paris", False)])
def test_the_list_of_clubs_names_the_zone_of_those_with_another_clock(full, in_september, zone, has_zone):
    _, page = read(visitor(zone), "/clubs/")
    assert b"14:00" in page
    assert (b"14:00 Amsterdam (CEST)" in page) == has_zone


@pytest.fixture
def online_match(full):
    """A match of the season face to face that is played online, at 20:00 in Amsterdam."""
    pairing = match_of(full)
    before = pairing.is_online, pairing.starts_at
    pairing.is_online, pairing.starts_at = True, datetime(2026, 9, 7, 18, tzinfo=UTC)
    pairing.save()
    Club.objects.get(pk=full.club.pk).save()
    yield pairing
    pairing.is_online, pairing.starts_at = before
    pairing.save()


@pytest.mark.parametrize(
    ("zone", "words"), [("Asia/Kolkata", b"Mon 7 Sep 23:30 Kolkata (IST)"), ("Europe/Amsterdam", b"Mon 7 Sep 20:00")]
)
def test_an_online_match_of_a_season_face_to_face_is_listed_by_the_readers_clock(
    online_match, full, in_september, zone, words
):
    address = club_addresses()["fixtures"]
    _, page = read(visitor(zone), address.path(full.filled(address)))
    shown = re.sub(rb"\s+", b" ", page)
    assert words in shown
    assert (words + b" Amsterdam") not in shown
    assert b"Times in Amsterdam (CEST)" in shown


def test_an_online_match_in_a_newsletter_names_the_zone(full, in_september):
    match = replace(reading.match(full.arguments["match"]), starts_at=datetime(2026, 9, 7, 18, tzinfo=UTC))
    zone = Club.objects.get(pk=full.club.pk).zone
    assert "20:00 Amsterdam (CEST), online" in matchday_words.when_words(replace(match, is_online=True), zone)
    assert "Amsterdam" not in matchday_words.when_words(replace(match, is_online=False), zone)


def test_emails_without_account_name_the_zone_and_notifications_where_it_differs(full, in_september):
    assert "14:00 Amsterdam (CEST)" in question_letter(full)
    question = occasions.questions().get(pk=full.arguments["question"])
    letter = ReplyLetter(reply=Reply(question=question), kind=ReplyLetter.Kind.REMINDER)
    for zone, has_zone in (("Asia/Kolkata", True), ("Europe/Paris", False)):
        with as_read_by(User(time_zone=zone)):
            assert ("14:00 Amsterdam (CEST)" in letters.words_of(letter, Occasion(question)).subject) == has_zone


def test_templates_show_when_something_is_by_one_filter_only():
    time = r"(?<!clock\.)\b(starts|closes|deadline|ends|until|opens)(_at)?\|"
    when = re.compile(time + r"(date_and_time|moment|time:|date:\S{0,3}\"[^\"]*H)")
    others = {"gameplay", "operating", "accounts"}
    pages = [path for path in Path("templates").rglob("*.*") if path.parts[1] not in others]
    assert [str(path) for path in pages if when.search(path.read_text())] == []
