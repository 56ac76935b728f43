"""Telling members by hand: who is left, prepared texts with their links, slips, and what was done."""

import re
from datetime import timedelta
from html import unescape
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from clubs.coming import occasions, replies
from clubs.models import Act, Meeting, Membership, PersonalMessage, Question
from clubs.personal_messages import services, topics
from clubs.personal_messages.page import Telling
from clubs.personal_messages.ways import way_of
from clubs.services import erasure, history
from tests.clubs import leagues
from tests.clubs.test_coming import BEFORE, STARTS, make_question
from tests.clubs.test_coming import now as now
from tournaments.models import Pairing
from web import share_links
from web.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(club, now):
    return make_question(club)


@pytest.fixture
def people(club):
    """People without accounts who like to hear by each way."""
    rows = [
        ("Edith", {"hears_by": "slip", "email": "edith@example.org"}),
        ("Ken", {"hears_by": "text", "phone": "07700 900123"}),
        ("Luis", {"hears_by": "whatsapp", "phone": "+31 6 1234 5678"}),
        ("Gil", {}),
        ("Asha", {"email": "asha@example.org"}),
    ]
    return {name: Membership.objects.create(club=club, name=name, **fields) for name, fields in rows}


def meeting_topic(club):
    return topics.topics(club, BEFORE)[0]


def names(members):
    return [member.name for member in members]


@pytest.mark.parametrize(
    ("fields", "way"),
    [
        ({}, "slip"),
        ({"email": "a@example.org"}, "email"),
        ({"email": "a@example.org", "wants_questions": False}, "slip"),
        ({"email": "a@example.org", "hears_by": "slip"}, "slip"),
        ({"hears_by": "email"}, "slip"),
        ({"hears_by": "text"}, "slip"),
        ({"hears_by": "text", "phone": "1"}, "text"),
        ({"hears_by": "whatsapp", "phone": "1"}, "whatsapp"),
        ({"user": User(pk=1)}, "email"),
        ({"user": User(pk=1), "hears_by": "slip"}, "slip"),
    ],
)
def test_the_way_is_the_one_they_like_if_it_reaches_them(fields, way):
    assert way_of(Membership(**fields)) == way


def test_everyone_is_told_by_their_way(club, people, question):
    everyone = Telling(meeting_topic(club))
    assert names(everyone.slips) == ["Edith", "Gil"]
    assert [message.member.name for message in everyone.texts] == ["Ken"]
    assert [message.member.name for message in everyone.chats] == ["Luis"]
    assert (everyone.by_email, everyone.left) == (1, 4)


def test_a_text_has_day_time_and_their_own_link_by_the_clubs_clock(club, people, question):
    everyone = Telling(meeting_topic(club))
    sms, chat = everyone.texts[0].sms, everyone.chats[0].whatsapp
    assert sms.startswith("sms:07700900123?body=")
    assert chat.startswith("https://wa.me/31612345678?text=")
    text = unquote(sms)
    assert "Hello Ken. Club night: Tuesday 24 November, 19:00 to 22:00. Are you coming?" in text
    link = re.search(r"/clubs/coming/[^/]+/", text)[0]
    assert "Are you coming" in Client().get(link).content.decode() or "Ken" in Client().get(link).content.decode()


@pytest.mark.parametrize(
    ("phone", "number"),
    [
        ("07700 900123", "07700900123"),
        ("+44 (0)7700 900-123", "+447700900123"),
        ("0044 7700 900123", "+447700900123"),
        ("020 555 / 07700 900123", "020555"),
        ("0171 123456 (after 6 pm)", "0171123456"),
        ("0171 123456 after 6 pm", "0171123456"),
        ("0171 123456, 2nd floor", "0171123456"),
        ("020 1 and 06 2", "0201"),
        ("020 1 und 06 2", "0201"),
        ("020 1 & 06 2", "0201"),
        ("Tel. +31 6 1234-5678", "+31612345678"),
        ("Mobile: 0049 171.123456", "+49171123456"),
        ("(020) 555 1234", "0205551234"),
        ("+44 (20) 555 1234", "+44205551234"),
        ("(+31) 6 123", "+316123"),
        ("0171/123456", "0171123456"),
        ("none", ""),
        ("", ""),
    ],
)
def test_numbers_as_people_write_them(phone, number):
    assert share_links.number_of(phone) == number


def test_a_number_without_its_country_leaves_the_choice_to_whatsapp():
    assert share_links.whatsapp("Hello", "07700 900123") == "https://wa.me/?text=Hello"


def test_people_who_cannot_come_are_left_out_and_those_who_come_are_not_asked_again(club, people, question):
    replies.answer(question.pk, people["Ken"], "yes", way="own")
    replies.answer(question.pk, people["Luis"], "no", way="own")
    everyone = Telling(meeting_topic(club))
    assert everyone.chats == []
    assert "You said that you are coming." in everyone.texts[0].text
    assert "Are you coming?" not in everyone.texts[0].text


def test_one_press_marks_a_person_and_can_be_undone(club, people, question, owner):
    key = meeting_topic(club).key
    act = services.mark_told(club.pk, owner, key=key, members=[people["Ken"].pk])
    assert act.sentence == "Ken was told: Club night, Tuesday 24 November, 19:00"
    row = PersonalMessage.objects.get()
    assert (row.membership, row.way, row.by) == (people["Ken"], "text", owner)
    assert Telling(meeting_topic(club)).texts == []
    with pytest.raises(Refused) as refused:
        services.mark_told(club.pk, owner, key=key, members=[people["Ken"].pk])
    assert refused.value.code == "nothing_new"
    history.undo(act.pk, by=owner)
    assert not PersonalMessage.objects.exists()


def test_the_same_request_twice_is_one_act(club, people, question, owner):
    key = meeting_topic(club).key
    for _ in range(2):
        services.mark_told(club.pk, owner, key=key, members=[people["Ken"].pk], request_key="k")
    assert Act.objects.filter(kind="tell").count() == 1


def test_a_press_on_the_page_takes_it_back(club, people, question, owner):
    key = meeting_topic(club).key
    services.mark_told(club.pk, owner, key=key, members=[people["Ken"].pk])
    act = services.mark_untold(club.pk, owner, key=key, member=people["Ken"].pk)
    assert act.sentence == "Ken is still to be told: Club night, Tuesday 24 November, 19:00"
    assert not PersonalMessage.objects.exists()


def test_nobody_of_another_club_is_marked(club, quay, people, question, owner):
    stranger = Membership.objects.create(club=quay, name="Zoe")
    with pytest.raises(Refused):
        services.mark_told(club.pk, owner, key=meeting_topic(club).key, members=[stranger.pk])
    PersonalMessage.objects.create(membership=stranger, topic=meeting_topic(club).key, way="slip", at=BEFORE)
    with pytest.raises(Refused):
        services.mark_untold(club.pk, owner, key=meeting_topic(club).key, member=stranger.pk)


def test_another_time_or_a_cancelled_meeting_is_told_again(club, people, question, owner):
    services.mark_told(club.pk, owner, key=meeting_topic(club).key, members=[people["Ken"].pk])
    meeting = question.meeting
    meeting.starts_at = STARTS + timedelta(hours=1)
    meeting.save()
    assert len(Telling(meeting_topic(club)).texts) == 1
    meeting.is_called_off = True
    meeting.save()
    topic = meeting_topic(club)
    assert topic.title == "Cancelled: Club night, Tuesday 24 November, 20:00"
    text = Telling(topic).texts[0].text
    assert "Cancelled: Club night, Tuesday 24 November, 20:00 to 22:00" in text
    assert "/coming/" not in Telling(topic).texts[0].link


def test_an_old_page_is_refused_politely(club, people, question, owner):
    key = meeting_topic(club).key
    question.meeting.delete()
    with pytest.raises(Refused) as refused:
        services.mark_told(club.pk, owner, key=key, members=[people["Ken"].pk])
    assert refused.value.code == "closed"


def test_only_owners_and_organisers_see_phones_and_texts(club, people, question, staff):
    for role in ("owner", "organiser", "scorer", "member", "guest", None):
        client = Client()
        if role:
            client.force_login(staff[role])
        for path in ("tell/", "tell/slips/"):
            response = client.get(f"/clubs/{club.slug}/{path}")
            assert (response.status_code == 200) == (role in ("owner", "organiser")), (role, path)
            assert ("07700 900123" in response.content.decode()) == (response.status_code == 200 and path == "tell/")


def test_the_page_marks_all_slips_in_one_press(club, people, question, owner):
    client = Client()
    client.force_login(owner)
    path = f"/clubs/{club.slug}/tell/"
    slips = client.get(f"{path}slips/").content.decode()
    assert slips.count('class="qr"') == 2
    assert "Edith" in slips
    assert "edith@example.org" not in slips
    assert "Ken" not in slips
    members = [people["Edith"].pk, people["Gil"].pk]
    key = meeting_topic(club).key
    response = client.post(path, {"act": "done", "topic": key, "membership": members}, follow=True)
    assert "2 people were told: Club night, Tuesday 24 November, 19:00" in unescape(response.content.decode())
    assert Telling(meeting_topic(club)).slips == []
    response = client.post(path, {"act": "undone", "topic": key, "membership": [people["Gil"].pk]}, follow=True)
    assert names(Telling(meeting_topic(club)).slips) == ["Gil"]


def test_another_place_is_news(club, people, question, owner):
    key = meeting_topic(club).key
    services.mark_told(club.pk, owner, key=key, members=[people["Ken"].pk])
    Meeting.objects.update(venue="Quay House")
    assert [message.member.name for message in Telling(meeting_topic(club)).texts] == ["Ken"]
    with pytest.raises(Refused) as refused:
        services.mark_told(club.pk, owner, key=key, members=[people["Gil"].pk])
    assert refused.value.code == "closed"


def test_the_page_of_a_meeting_leads_to_its_topic(club, people, question, owner):
    fields = {"starts_at": STARTS - timedelta(hours=1), "ends_at": STARTS}
    earlier = Meeting.objects.create(club=club, title="Board", **fields)
    client = Client()
    client.force_login(owner)
    page = client.get(f"/clubs/{club.slug}/coming/{question.pk}/")
    path = re.search(r'href="([^"]*/tell/[?]topic=[^"]*)"', page.content.decode())[1]
    topic = client.get(path).context["topic"]
    assert topic.meeting == question.meeting != earlier


def test_forgetting_a_person_forgets_that_they_were_told(club, people, question, owner):
    services.mark_told(club.pk, owner, key=meeting_topic(club).key, members=[people["Ken"].pk])
    erasure.forget_name(club, people["Ken"])
    assert not PersonalMessage.objects.exists()
    assert not Act.objects.filter(sentence__contains="Ken").exists()


def test_a_meeting_without_question_is_told_without_a_link_to_answer(club, people, question):
    question.delete()
    message = Telling(meeting_topic(club)).texts[0]
    assert message.lines == ("Club night, Tuesday 24 November, 19:00",)
    assert not message.is_own_link
    assert message.link.endswith(f"/clubs/{club.slug}/")


def test_there_may_be_nothing_to_tell(club, owner):
    client = Client()
    client.force_login(owner)
    assert "Nothing to tell" in client.get(f"/clubs/{club.slug}/tell/").content.decode()
    assert "No slips" in client.get(f"/clubs/{club.slug}/tell/slips/").content.decode()
    assert occasions.questions().count() == 0


# Leagues


@pytest.fixture
def season(club, owner):
    """A season of four pairs before its first matchday; Ann 1 hears by slip, like everyone."""
    with leagues.september():
        yield leagues.draw(leagues.make_season(club, owner), owner)


def of_kind(club, kind):
    return next(topic for topic in topics.topics(club, leagues.NOW) if topic.key.startswith(kind))


def test_everyone_hears_their_next_matches(club, season):
    topic = of_kind(club, "matches:")
    assert topic.title == "Monday League: next matches, from matchday 1"
    assert len(topic.people()) == 8
    message = topic.message(Membership.objects.get(name="Ann 1"))
    assert len(message.lines) == 3
    assert re.fullmatch(r"Pair \d – Pair \d: (by )?\w+day \d+ \w+(, .*)?", message.lines[0]), message.lines[0]
    assert all("Pair 1" in line for line in message.lines)
    assert message.link.endswith(season.get_absolute_url())


def test_the_link_answers_for_them_where_their_team_is_asked(club, season):
    team = leagues.team(season, "Pair 1")
    member = Membership.objects.get(name="Ann 1")
    match = of_kind(club, "matches:").season.next_of(member.pk)[0]
    Question.objects.create(club=club, team=team, pairing=match.pairing)
    message = of_kind(club, "matches:").message(member)
    assert message.is_own_link
    assert "/clubs/coming/" in message.link


def test_everyone_hears_the_results_of_a_matchday(club, season, owner):
    first = Pairing.objects.filter(round__stage__tournament__division__season=season, round__number=1)
    for pairing in first:
        leagues.decide(
            pairing, owner, {place.entry.name: 3000 - 500 * at for at, place in enumerate(pairing.places.all())}
        )
    topic = of_kind(club, "results:")
    assert topic.title == "Monday League: results of matchday 1"
    lines = topic.message(Membership.objects.get(name="Ann 1")).lines
    assert lines[0].startswith("Matchday 1")
    assert re.fullmatch(r"Pair \d 3,000 – 2,500 Pair \d", lines[1])
    assert lines[2].startswith("Next: ")
    assert of_kind(club, "matches:").title.endswith("from matchday 2")


def test_after_a_press_the_page_stays_at_its_topic(club, season, owner):
    leagues.play_out(season, owner)
    client, key = Client(), of_kind(club, "results:").key
    client.force_login(owner)
    member = Membership.objects.get(name="Ann 1")
    answer = client.post(f"/clubs/{club.slug}/tell/", {"topic": key, "act": "done", "membership": member.pk})
    assert client.get(answer["Location"]).context["topic"].key == key


def test_slips_take_as_many_queries_for_more_people(club, season, owner):
    client, counts = Client(), []
    client.force_login(owner)
    path = f"/clubs/{club.slug}/tell/slips/?topic={of_kind(club, 'matches:').key}"
    client.get(path)
    for left in (8, 2):
        names = Membership.objects.filter(club=club, user=None).order_by("pk")
        Membership.objects.filter(pk__in=list(names.values_list("pk", flat=True)[left:])).update(left_at=leagues.NOW)
        with CaptureQueriesContext(connection) as context:
            assert client.get(path).content.decode().count('class="qr"') == left
        counts.append(len(context))
    assert counts[0] == counts[1]


def test_only_the_players_of_a_rescheduled_match_are_listed_again(club, season, owner):
    topic = of_kind(club, "matches:")
    everyone = topic.people()
    services.mark_told(club.pk, owner, key=topic.key, members=[member.pk for member in everyone])
    assert Telling(of_kind(club, "matches:")).left == 0
    match = topic.season.next_of(everyone[0].pk)[0]
    Pairing.objects.filter(pk=match.pairing.pk).update(starts_at=leagues.NOW + timedelta(days=3))
    moved = Telling(of_kind(club, "matches:"))
    players = {member.pk for member in everyone if match.pairing in [m.pairing for m in topic.season.all_of(member.pk)]}
    assert len(players) == 4
    assert {member.pk for member in moved.slips} == players
    known = moved.messages[0].membership
    services.mark_untold(club.pk, owner, key=moved.topic.key, member=known.pk)
    assert known in Telling(of_kind(club, "matches:")).slips


def test_a_result_is_nothing_new_to_those_who_know_their_matches(club, season, owner):
    topic = of_kind(club, "matches:")
    services.mark_told(club.pk, owner, key=topic.key, members=[member.pk for member in topic.people()])
    pairing = topic.season.next_of(topic.people()[0].pk)[0].pairing
    leagues.decide(pairing, owner, {place.entry.name: 3000 - 500 * at for at, place in enumerate(pairing.places.all())})
    assert Telling(of_kind(club, "matches:")).left == 0


def test_a_team_that_is_asked_later_is_told_again_for_the_link(club, season, owner):
    topic = of_kind(club, "matches:")
    services.mark_told(club.pk, owner, key=topic.key, members=[member.pk for member in topic.people()])
    member = Membership.objects.get(name="Ann 1")
    match = topic.season.next_of(member.pk)[0]
    Question.objects.create(club=club, team=leagues.team(season, "Pair 1"), pairing=match.pairing)
    again = Telling(of_kind(club, "matches:"))
    assert names(again.slips) == ["Ann 1", "Ben 1"]
    topic = of_kind(club, "matches:")
    services.mark_told(club.pk, owner, key=topic.key, members=[row.pk for row in again.slips])
    leagues.decide(match.pairing, owner, {side.name: 2000 + at for at, side in enumerate((match.home, match.away))})
    assert Telling(of_kind(club, "matches:")).left == 0


def test_only_questions_from_this_matchday_on_are_read(club, season, owner):
    every = Pairing.objects.filter(round__stage__tournament__division__season=season).order_by("round__number", "pk")
    team = leagues.team(season, "Pair 1")
    pairings = every.filter(places__entry__name="Pair 1")
    for pairing in pairings:
        Question.objects.create(club=club, team=team, pairing=pairing)
    for pairing in every.filter(round__number=1):
        leagues.decide(
            pairing, owner, {place.entry.name: 3000 - 500 * at for at, place in enumerate(pairing.places.all())}
        )
    assert list(of_kind(club, "matches:").questions) == [(team.pk, pairing.pk) for pairing in pairings[1:]]
