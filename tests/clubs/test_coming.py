"""Who comes: answers by links without an account, partners, reserves, reminders, and the organisers’ page."""

import re
from datetime import UTC, date, datetime, time, timedelta
from html import unescape
from urllib.parse import parse_qs

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Notice
from clubs.coming import asking, desk, letters, links, meeting_events, occasions, phone, repeating, replies
from clubs.coming.details import Details
from clubs.coming.page import Desk
from clubs.models import Act, Meeting, MeetingReserve, Membership, Question, RepeatingMeeting, Reply, ReplyLetter
from clubs.services import erasure, history
from clubs.services.publications import meetings
from tests.at_once import at_once
from tests.makers import make_club, make_event, make_member, make_person
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from web.channels.retries import SENDING_TIME

pytestmark = pytest.mark.django_db
STARTS = datetime(2026, 11, 24, 18, tzinfo=UTC)
"""19:00 on a Tuesday by the club’s clock."""
BEFORE = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def now():
    with time_machine.travel(BEFORE, tick=False):
        yield BEFORE


@pytest.fixture
def question(club, now):
    """The question about a Tuesday of Harbour, which shows its members."""
    return make_question(club)


def make_question(club, starts_at=STARTS, **fields):
    row = RepeatingMeeting.objects.create(
        club=club, title="Club night", weekday=1, starts_at=time(19), first_day=date(2026, 11, 1), **fields
    )
    meeting = Meeting.objects.create(
        club=club,
        title="Club night",
        starts_at=starts_at,
        ends_at=starts_at + timedelta(hours=3),
        repeating=row,
        day=date(2026, 11, 24),
    )
    return Question.objects.create(club=club, meeting=meeting)


@pytest.fixture
def name_of(club):
    """Make a name without an account: `name_of("Edith Clark")`."""

    def make(name, **fields):
        return Membership.objects.create(club=club, name=name, **fields)

    return make


def own_path(question, member):
    return links.own_path(occasions.questions().get(pk=question.pk), member.pk)


def group(question):
    return links.group_path(question)


def answer_of(question, member):
    return Reply.objects.get(question=question, membership=member).answer


def say(question, member, wish, **fields):
    return replies.answer(question.pk, member, wish, way="own", **fields)


# The own link


def test_a_link_is_opened_without_answering(question, name_of):
    edith = name_of("Edith Clark")
    answer = Client().get(own_path(question, edith))
    content = answer.content.decode()
    assert (answer.status_code, Reply.objects.count()) == (200, 0)
    assert "Are you coming, <bdi>Edith</bdi>?" in content
    assert "<b>Tuesday 24 November</b> <span>19:00 to 22:00</span>" in content
    assert Client().head(own_path(question, edith)).status_code == 200
    assert not Reply.objects.exists()


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ("yes", "You are coming on Tuesday"),
        ("partner", "You are on the list of people who need a partner."),
        ("no", "You cannot come on Tuesday"),
    ],
)
def test_one_press_answers(question, name_of, wish, sentence):
    edith, client = name_of("Edith Clark"), Client()
    path = own_path(question, edith)
    assert client.post(path, {"answer": wish})["Location"] == path
    assert answer_of(question, edith) == wish
    assert sentence in client.get(path).content.decode()


def test_an_answer_can_be_changed_and_sent_twice(question, name_of):
    edith, client = name_of("Edith Clark"), Client()
    path = own_path(question, edith)
    for wish in ("yes", "yes", "no", "partner", "partner"):
        client.post(path, {"answer": wish})
    assert list(Reply.objects.values_list("answer", "way")) == [("partner", "own")]


@pytest.mark.parametrize("wish", ["", "maybe", "YES", "yes ", "١"])
def test_an_odd_answer_is_refused(question, name_of, wish):
    answer = Client().post(own_path(question, name_of("Edith Clark")), {"answer": wish})
    assert (answer.status_code, Reply.objects.exists()) == (422, False)
    assert "Choose one of the three answers." in answer.content.decode()


def test_altered_and_forged_links_lead_nowhere(question, name_of, quay):
    edith, ted = name_of("Edith Clark"), name_of("Ted Hobbs")
    token = own_path(question, edith).rstrip("/").rpartition("/")[2]
    numbers, _, signature = token.partition(":")
    stranger = Membership.objects.create(club=quay, name="Quentin")
    other = make_question(quay)
    for forged in (
        f"{question.pk}-{ted.pk}:{signature}",
        f"{other.pk}-{edith.pk}:{signature}",
        f"{numbers}:{signature[:-1]}",
        numbers,
        f"{numbers}:",
        f"x-y:{signature}",
        f"٣-{edith.pk}:{signature}",
        own_path(question, stranger).rstrip("/").rpartition("/")[2],
    ):
        answer = Client().post(f"/clubs/coming/{forged}/", {"answer": "yes"})
        assert (forged, answer.status_code) == (forged, 404)
    assert not Reply.objects.exists()


def test_new_links_end_the_old_ones(question, name_of, owner):
    edith = name_of("Edith Clark")
    old, old_group = own_path(question, edith), group(question)
    asking.renew_links(question.pk, owner)
    question.refresh_from_db()
    assert Client().get(old).status_code == Client().get(old_group).status_code == 404
    assert Client().get(own_path(question, edith)).status_code == Client().get(group(question)).status_code == 200


def test_the_link_of_somebody_who_left_ends(question, name_of, now):
    edith = name_of("Edith Clark")
    path = own_path(question, edith)
    Membership.objects.filter(pk=edith.pk).update(left_at=now)
    assert Client().get(path).status_code == 404


def test_from_the_start_on_answers_are_closed(question, name_of):
    edith = name_of("Edith Clark")
    path = own_path(question, edith)
    with time_machine.travel(STARTS, tick=False):
        answer = Client().post(path, {"answer": "yes"})
        assert (answer.status_code, Reply.objects.exists()) == (422, False)
        assert "Answers are closed" in Client().get(path).content.decode()


def test_a_cancelled_meeting_asks_nobody(question, name_of):
    Meeting.objects.update(is_called_off=True)
    edith = name_of("Edith Clark")
    answer = Client().post(own_path(question, edith), {"answer": "yes"})
    assert (answer.status_code, Reply.objects.exists()) == (422, False)
    assert "This was cancelled" in Client().get(own_path(question, edith)).content.decode()


def test_a_link_shows_no_address_and_no_telephone(question, name_of):
    edith = name_of("Edith Clark", email="edith@example.org", contact="+49 30 1234567", is_listed=True)
    ted = name_of("Ted Hobbs", email="ted@example.org", contact="0171 99", is_listed=True)
    say(question, ted, "partner")
    say(question, edith, "partner")
    for path in (own_path(question, edith), group(question)):
        content = Client().get(path).content.decode()
        assert not any(secret in content for secret in ("example.org/", "@example.org", "1234567", "0171 99"))


def test_the_calendar_has_the_meeting(question, name_of):
    file = Client().get(f"{own_path(question, name_of('Edith Clark'))}meeting.ics").content.decode()
    assert "SUMMARY:Club night: Harbour Hand and Foot" in file
    assert "DTSTART:20261124T180000Z" in file


# The group's link


def test_the_group_asks_for_the_name_once(question, name_of):
    edith, client = name_of("Edith Clark"), Client()
    path = group(question)
    assert client.post(path, {"answer": "yes"}).status_code == 422
    assert client.post(path, {"answer": "yes", "name": " edith  clark "}).status_code == 302
    assert answer_of(question, edith) == "yes"
    assert "See you at 19:00, <bdi>Edith</bdi>." in client.get(path).content.decode()
    client.post(path, {"answer": "no"})
    assert (answer_of(question, edith), Reply.objects.get().way) == ("no", "group")
    assert 'name="name"' in client.get(f"{path}?other=1").content.decode()


def test_the_name_is_kept_for_the_next_evening_of_this_club_alone(question, name_of, club, quay):
    name_of("Edith Clark")
    client = Client()
    client.post(group(question), {"answer": "yes", "name": "Edith Clark"})
    next_one = make_question(club, STARTS + timedelta(days=7))
    assert "Are you coming, <bdi>Edith</bdi>?" in client.get(group(next_one)).content.decode()
    assert 'name="name"' in client.get(group(make_question(quay))).content.decode()


def test_a_forged_cookie_is_no_name(question, club):
    client = Client()
    client.cookies[f"{phone.PREFIX}{club.pk}"] = "IkVkaXRoIg:forged"
    assert 'name="name"' in client.get(group(question)).content.decode()


def test_a_strange_name_waits_for_an_organiser(question, club, owner):
    client = Client()
    client.post(group(question), {"answer": "partner", "name": "Ken Ito"})
    reply = Reply.objects.get()
    assert (reply.membership, reply.name, club.memberships.filter(name="Ken Ito").exists()) == (None, "Ken Ito", False)
    desk.confirm_guest(reply.pk, owner)
    ken = club.memberships.get(name="Ken Ito")
    assert (ken.role, answer_of(question, ken)) == ("guest", "partner")
    client.post(group(question), {"answer": "no"})
    assert (answer_of(question, ken), Reply.objects.count()) == ("no", 1)


def test_a_strange_name_can_be_a_member(question, name_of, owner):
    kenneth = name_of("Kenneth Ito")
    Client().post(group(question), {"answer": "yes", "name": "Ken Ito"})
    desk.confirm_guest(Reply.objects.get().pk, owner, membership=kenneth.pk)
    assert answer_of(question, kenneth) == "yes"


def test_strange_names_are_limited(question, monkeypatch):
    monkeypatch.setattr(replies, "MOST_NAMES", 2)
    answers = [Client().post(group(question), {"answer": "yes", "name": f"Name {at}"}).status_code for at in range(3)]
    assert (answers, Reply.objects.count()) == ([302, 302, 422], 2)


@pytest.mark.parametrize("name", ["x" * 61, "a\u202eb", "<script>", "\u200b"])
def test_odd_names_stay_in_the_form_or_are_escaped(question, name):
    answer = Client().post(group(question), {"answer": "yes", "name": name})
    assert answer.status_code in (302, 422)
    assert "<script>" not in Client().get(group(question)).content.decode()


def test_names_are_shown_only_if_the_club_shows_its_members(question, name_of, club):
    say(question, name_of("Ann Carter", is_listed=True), "yes")
    say(question, name_of("Bob Carter"), "yes")
    content = Client().get(group(question)).content.decode()
    assert ["Ann Carter" in content, "Bob Carter" in content, "and 1 more" in content] == [True, False, True]
    type(club).objects.update(has_directory=False)
    assert "Ann Carter" not in Client().get(group(question)).content.decode()


# Partners


def test_people_who_look_for_a_partner_find_each_other(question, name_of):
    ken, luis = name_of("Ken Ito"), name_of("Luis Pardo")
    for member in (ken, luis):
        say(question, member, "partner")
    kens, luiss = (Reply.objects.get(membership=member) for member in (ken, luis))
    client = Client()
    assert "Luis Pardo" in client.get(own_path(question, ken)).content.decode()
    client.post(own_path(question, ken), {"partner": luiss.pk})
    assert "You asked." in client.get(own_path(question, ken)).content.decode()
    assert "asks you" in client.get(own_path(question, luis)).content.decode()
    for _ in range(2):
        assert client.post(own_path(question, luis), {"partner": kens.pk}).status_code == 302
    assert "You play with <bdi>Ken Ito</bdi>." in client.get(own_path(question, luis)).content.decode()
    assert [answer_of(question, member) for member in (ken, luis)] == ["yes", "yes"]
    assert ReplyLetter.objects.filter(kind="partner").count() == 2


def test_a_club_that_hides_its_members_shows_no_name_until_they_agree(question, name_of, club):
    type(club).objects.update(has_directory=False)
    ken, luis = name_of("Ken Ito"), name_of("Luis Pardo")
    replies_ = [say(question, member, "partner") for member in (ken, luis)]
    content = Client().get(own_path(question, ken)).content.decode()
    assert ["Luis" in content, "Someone in the club" in content] == [False, True]
    Client().post(own_path(question, ken), {"partner": replies_[1].pk})
    Client().post(own_path(question, luis), {"partner": replies_[0].pk})
    assert "Luis Pardo" in Client().get(own_path(question, ken)).content.decode()


def test_if_one_of_a_pair_cannot_come_the_other_looks_again(question, name_of):
    ken, luis = name_of("Ken Ito"), name_of("Luis Pardo")
    first, second = say(question, ken, "partner"), say(question, luis, "partner")
    replies.ask_partner(question.pk, first, second.pk)
    replies.ask_partner(question.pk, second, first.pk)
    say(question, ken, "no")
    reply = Reply.objects.get(membership=luis)
    assert (reply.answer, reply.partner) == ("partner", None)
    assert ReplyLetter.objects.filter(reply=reply, kind="alone").count() == 1


def test_nobody_is_the_partner_of_two(question, name_of, refuses):
    people = [say(question, name_of(name), "partner") for name in ("Ann", "Ben", "Cem")]
    replies.ask_partner(question.pk, people[0], people[1].pk)
    replies.ask_partner(question.pk, people[1], people[0].pk)
    with refuses("not_looking"):
        replies.ask_partner(question.pk, people[2], people[0].pk)
    with refuses("no_partner"):
        replies.ask_partner(question.pk, people[2], people[2].pk)


def test_a_reply_to_another_question_is_no_partner(question, name_of, club, refuses):
    ann = say(question, name_of("Ann"), "partner")
    other = say(make_question(club, STARTS + timedelta(days=7)), name_of("Ben"), "partner")
    with refuses("no_partner"):
        replies.ask_partner(question.pk, ann, other.pk)


# Reserves


@pytest.fixture
def reserves(question, name_of):
    """Three reserves in their order; everyone else was asked."""
    people = [name_of(f"Reserve {at}") for at in range(3)]
    for at, member in enumerate(people):
        MeetingReserve.objects.create(repeating=question.meeting.repeating, membership=member, position=at)
    return people


def reserves_asked(question):
    return [reply.membership.name for reply in Reply.objects.filter(question=question, is_reserve=True)]


def test_reserves_are_asked_in_order_each_with_a_time_to_answer(question, name_of, reserves, now):
    ann, ben = name_of("Ann"), name_of("Ben")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    assert reserves_asked(question) == []
    with time_machine.travel(now + timedelta(hours=7), tick=False):
        say(question, ann, "no")
        assert reserves_asked(question) == ["Reserve 0"]
        asking.attend_to(question.pk, now + timedelta(hours=8))
        assert reserves_asked(question) == ["Reserve 0"]
    asking.attend_to(question.pk, now + timedelta(hours=20))
    asking.attend_to(question.pk, now + timedelta(hours=20))
    assert reserves_asked(question) == ["Reserve 0", "Reserve 1"]
    with time_machine.travel(now + timedelta(hours=21), tick=False):
        say(question, reserves[1], "no")
        assert reserves_asked(question) == ["Reserve 0", "Reserve 1", "Reserve 2"]
        say(question, reserves[2], "yes")
        say(question, ben, "yes")
    asking.attend_to(question.pk, now + timedelta(hours=60))
    assert reserves_asked(question) == ["Reserve 0", "Reserve 1", "Reserve 2"]
    assert ReplyLetter.objects.filter(kind="reserve").count() == 3


def test_reserves_are_not_asked_with_everyone(question, name_of, reserves, now):
    name_of("Ann")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    assert set(ReplyLetter.objects.values_list("reply__membership__name", flat=True)) == {"Ann"}


def test_reserves_are_asked_if_fewer_than_needed_can_come(question, name_of, reserves, now):
    RepeatingMeeting.objects.update(least=3)
    name_of("Ann")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    assert reserves_asked(question) == ["Reserve 0", "Reserve 1"]


def test_the_day_before_an_odd_number_asks_one_more(question, name_of, reserves, now):
    asking.attend_to(question.pk, now + timedelta(hours=6))
    for name in ("Ann", "Ben", "Cem"):
        say(question, name_of(name), "yes")
    asking.attend_to(question.pk, STARTS - timedelta(days=2))
    assert reserves_asked(question) == []
    asking.attend_to(question.pk, STARTS - timedelta(hours=24))
    assert reserves_asked(question) == ["Reserve 0"]


# Asking and reminding


def sent():
    """Due letters are sent; the subjects by address, and the titles of notifications."""
    letters.send_due()
    return [(message.to[0], message.subject) for message in mail.outbox], list(
        Notice.objects.values_list("user__username", "title")
    )


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Europe/Amsterdam", datetime(2026, 11, 20, 17, tzinfo=UTC)),
        ("America/Toronto", datetime(2026, 11, 20, 23, tzinfo=UTC)),
        ("Pacific/Auckland", datetime(2026, 11, 21, 5, tzinfo=UTC)),
    ],
)
def test_people_are_asked_four_days_before_at_six_by_the_clubs_clock(question, name_of, club, zone, moment):
    type(club).objects.update(time_zone=zone)
    name_of("Ann", email="ann@example.org")
    asking.ask_due(moment - timedelta(minutes=1))
    assert not ReplyLetter.objects.exists()
    asking.ask_due(moment)
    asking.ask_due(moment + timedelta(minutes=1))
    assert ReplyLetter.objects.count() == 1


def test_clocks_that_change_in_between_move_the_moment(club, name_of):
    with time_machine.travel(datetime(2026, 10, 20, tzinfo=UTC), tick=False):
        asked_question = make_question(club, datetime(2026, 10, 27, 18, tzinfo=UTC))
        name_of("Ann")
        occasion = occasions.Occasion(occasions.questions().get(pk=asked_question.pk))
        # 18:00 in summer time, and after the change of clocks.
        assert occasion.asks_at == datetime(2026, 10, 23, 16, tzinfo=UTC)
        assert occasion.reminds_at == datetime(2026, 10, 26, 17, tzinfo=UTC)


def test_letters_are_sent_once_in_the_language_of_their_readers(question, name_of, club, now):
    make_member(club, make_person("Greta", language="de"))
    make_member(club, make_person("Ann", language="en"))
    name_of("Edith Clark", email="edith@example.org")
    name_of("Nobody")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    emails, notices = sent()
    assert emails == [
        ("edith@example.org", "Are you coming? Club night, Tuesday 24 November, 19:00 to 22:00 Amsterdam (CET)")
    ]
    titles = dict(notices)
    assert titles["ann"] == "Are you coming? Club night, Tuesday 24 November, 19:00 to 22:00 Amsterdam (CET)"
    assert titles["greta"] == "Kommst du? Club night, Dienstag, 24. November, 19:00 bis 22:00 Amsterdam (CET)"
    assert sent() == (emails, notices)


def test_the_email_leads_to_the_own_link_and_can_be_stopped(question, name_of, now):
    edith = name_of("Edith Clark", email="edith@example.org")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    sent()
    body, headers = mail.outbox[0].body, mail.outbox[0].extra_headers
    assert own_path(question, edith) in body
    stop = headers["List-Unsubscribe"].strip("<>").partition("/clubs")[2]
    assert Client().get(f"/clubs{stop}").status_code == 200
    edith.refresh_from_db()
    assert edith.wants_questions
    assert Client(enforce_csrf_checks=True).post(f"/clubs{stop}").status_code == 200
    edith.refresh_from_db()
    assert not edith.wants_questions
    asking.attend_to(question.pk, STARTS - timedelta(hours=24))
    sent()
    assert len(mail.outbox) == 1


def test_the_day_before_people_are_reminded_or_asked_again_once(question, name_of, now):
    ann, ben, _ = (name_of(name, email=f"{name}@example.org") for name in ("ann", "ben", "cem"))
    asking.attend_to(question.pk, now + timedelta(hours=6))
    sent()
    mail.outbox.clear()
    say(question, ann, "yes")
    say(question, ben, "no")
    eve = datetime(2026, 11, 23, 17, tzinfo=UTC)
    asking.ask_due(eve - timedelta(seconds=1))
    assert sent()[0] == []
    with time_machine.travel(eve, tick=False):
        for _ in range(3):
            asking.ask_due(eve)
            sent()
    assert sorted((message.to[0], message.subject.partition(":")[0]) for message in mail.outbox) == [
        ("ann@example.org", "Tomorrow"),
        ("cem@example.org", "Are you coming tomorrow? Club night, Tuesday 24 November, 19"),
    ]


def test_nobody_is_asked_who_has_answered_meanwhile(question, name_of, now):
    ann = name_of("Ann", email="ann@example.org")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    say(question, ann, "yes")
    assert sent()[0] == []


def test_a_letter_that_the_mail_server_refuses_is_tried_again(question, name_of, now, monkeypatch):
    name_of("Ann", email="ann@example.org")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    ReplyLetter.objects.update(due_at=now)

    def fail(self, *args):
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", fail)
        letters.send_due()
    letter = ReplyLetter.objects.get()
    assert (letter.sent_at, letter.due_at) == (None, now + SENDING_TIME)


# The organisers' page


def test_the_desk_leads_with_the_pair_then_the_answers_newest_first(question, name_of, staff, browser_of):
    for minutes, (name, wish) in enumerate([("Ann", "yes"), ("Ken Ito", "partner"), ("Luis Pardo", "partner")]):
        with time_machine.travel(BEFORE + timedelta(minutes=minutes), tick=False):
            say(question, name_of(name), wish)
    reader = browser_of(staff["scorer"])
    path = f"/clubs/harbour/coming/{question.pk}/"
    page = reader.get(path)
    order = [page.index(words) for words in ("could play together", "Answers</h2>", "Luis Pardo</bdi></th>"[:10])]
    assert order[0] < order[1]
    desk_page = Desk(occasions.Occasion(occasions.questions().get()), BEFORE)
    assert [line.name for line in desk_page.lines] == ["Luis Pardo", "Ken Ito", "Ann"]
    assert dict(desk_page.counts)["partner"] == 2
    reader.submit(path, "pair")
    assert [reply.answer for reply in Reply.objects.order_by("pk")] == ["yes", "yes", "yes"]
    history.undo(Act.objects.get(kind="coming_pair").pk, by=staff["scorer"])
    assert list(Reply.objects.order_by("pk").values_list("answer", "partner")) == [
        ("yes", None),
        ("partner", None),
        ("partner", None),
    ]


def test_an_answer_for_somebody_is_one_line_and_one_undo(question, name_of, staff, browser_of):
    edith = name_of("Edith Clark")
    reader = browser_of(staff["scorer"])
    reader.submit(f"/clubs/harbour/coming/{question.pk}/", "for-no", who="edith clark")
    reply = Reply.objects.get(membership=edith)
    assert (reply.answer, reply.way, reply.by) == ("no", "organiser", staff["scorer"])
    act = Act.objects.get(kind="coming_answer")
    assert act.sentence == "Club night: Edith Clark, no."
    history.undo(act.pk, by=staff["scorer"])
    assert not Reply.objects.filter(membership=edith).exists()


def test_people_without_an_answer_are_asked_again_once(question, name_of, staff, browser_of, refuses):
    name_of("Edith Clark", email="edith@example.org")
    reader = browser_of(staff["organiser"])
    path = f"/clubs/harbour/coming/{question.pk}/"
    assert "Ask 5 again by email" in " ".join(reader.get(path).split())
    reader.submit(path, "remind")
    assert ReplyLetter.objects.filter(kind="again").count() == 5
    assert "again by email" not in reader.get(path)
    with refuses("nobody"):
        asking.remind(question.pk, staff["organiser"])


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 200), ("organiser", 200), ("scorer", 200), ("member", 403), ("guest", 403)]
)
def test_only_people_who_run_the_evening_see_the_desk(question, staff, role, status):
    client = Client()
    client.force_login(staff[role])
    assert client.get(f"/clubs/harbour/coming/{question.pk}/").status_code == status
    answer = client.post(f"/clubs/harbour/coming/{question.pk}/", {"act": "yes", "who": "Edith"})
    assert (answer.status_code == 403) == (status == 403)


def test_the_question_of_another_club_is_not_found(question, quay, staff, browser_of):
    make_member(quay, staff["owner"], "owner")
    other = make_question(quay)
    client = browser_of(staff["owner"]).client
    assert client.get(f"/clubs/harbour/coming/{other.pk}/").status_code == 404


def test_members_find_their_link_with_the_meetings(question, staff, browser_of):
    page = browser_of(staff["member"]).get("/clubs/harbour/dates/")
    member = Membership.objects.get(user=staff["member"])
    assert own_path(question, member) in page
    assert "/coming/" not in browser_of().get("/clubs/harbour/dates/")


def test_organisers_ask_about_a_single_meeting(club, now, staff, browser_of):
    meeting = Meeting.objects.create(club=club, title="General meeting", starts_at=STARTS)
    browser_of(staff["organiser"]).submit(f"/clubs/harbour/dates/{meeting.pk}/", "ask")
    assert Question.objects.get().meeting == meeting


# Tonight


def test_tonight_enters_people_who_said_yes_and_unticks_those_who_cannot(question, name_of, staff, club, browser_of):
    event = make_event(
        staff["owner"], standard("swiss"), entries=0, circle=club.circle, starts_at=STARTS, status="open"
    )
    for name, wish in [("Ann", "yes"), ("Ben", "partner"), ("Cem", "no")]:
        say(question, name_of(name), wish)
    say(question, Membership.objects.get(user=staff["member"]), "yes")
    Meeting.objects.update(event=event)
    with time_machine.travel(STARTS - timedelta(minutes=30), tick=False):
        desk = browser_of(staff["owner"])
        page = " ".join(desk.get("/clubs/harbour/tonight/").split())
        assert "Add 3 entries that said yes" in page
        for answers in ("<b>3</b><span>yes", "<b>1</b><span>no"):
            assert answers in page
        assert "need a partner" not in page, "everyone enters alone"
        desk.submit("/clubs/harbour/tonight/", f"coming-{event.pk}")
        assert sorted(event.entries.values_list("name", flat=True)) == ["Ann", "Ben", "Member"]
        assert event.entries.get(name="Member").members.get().user == staff["member"]
        assert "said yes" not in desk.get("/clubs/harbour/tonight/")
        say(question, Membership.objects.get(name="Ben"), "no")
        page = desk.get("/clubs/harbour/tonight/")
    ticked = {name: pressed_here(page, event.entries.get(name=name).pk) for name in ("Ann", "Ben", "Member")}
    assert ticked == {"Ann": "yes", "Ben": "no", "Member": "yes"}


def pressed_here(page, pk):
    """The ticked choice of an entry on the page of tonight."""
    return re.search(rf'name="here-{pk}" value="(yes|no)"\s*checked', page)[1]


def test_tonight_enters_pairs_in_an_event_of_pairs(question, name_of, staff, club, browser_of):
    event = make_event(
        staff["owner"],
        standard("swiss"),
        kind="partnership",
        entries=0,
        circle=club.circle,
        starts_at=STARTS,
        status="open",
    )
    first, second = (say(question, name_of(name), "partner") for name in ("Ann", "Ben"))
    say(question, name_of("Cem"), "partner")
    replies.ask_partner(question.pk, first, second.pk)
    replies.ask_partner(question.pk, second, first.pk)
    with time_machine.travel(STARTS - timedelta(minutes=30), tick=False):
        desk = browser_of(staff["owner"])
        assert "<span>need a partner" in desk.get("/clubs/harbour/tonight/")
        desk.submit("/clubs/harbour/tonight/", f"coming-{event.pk}")
    assert [entry.name for entry in event.entries.all()] == ["Ann / Ben"]


# At once


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_once_are_one_reply(transactional_db):
    with time_machine.travel(BEFORE, tick=False):
        club = make_club("Harbour", slug="harbour", time_zone="Europe/Amsterdam")
        asked_question = make_question(club)
        edith = Membership.objects.create(club=club, name="Edith Clark")
        at_once(*[lambda: say(asked_question, edith, "yes")] * 4)
        at_once(*[lambda: replies.answer(asked_question.pk, "Ken Ito", "yes", way="group")] * 4)
    assert Reply.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_several_sweepers_at_once_ask_everyone_once(transactional_db):
    # By the clock of the database, which does not travel.
    make_question(make_club("Harbour", slug="harbour"), timezone.now() + timedelta(days=3))
    for name in ("ann", "ben"):
        Membership.objects.create(club_id=Question.objects.get().club_id, name=name, email=f"{name}@example.org")
    at_once(*[asking.ask_due] * 4)
    at_once(*[letters.send_due] * 4)
    assert (ReplyLetter.objects.count(), len(mail.outbox)) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_two_who_accept_the_same_person_at_once_make_one_pair(transactional_db):
    with time_machine.travel(BEFORE, tick=False):
        club = make_club("Harbour", slug="harbour", time_zone="Europe/Amsterdam")
        asked_question = make_question(club)
        ann, ben, cem = (
            say(asked_question, Membership.objects.create(club=club, name=name), "partner")
            for name in ("Ann", "Ben", "Cem")
        )
        Reply.objects.filter(pk=ann.pk).update(wish=ben)
        Reply.objects.filter(pk=cem.pk).update(wish=ann)
        at_once(
            lambda: replies.ask_partner(asked_question.pk, ben, ann.pk),
            lambda: replies.ask_partner(asked_question.pk, ann, cem.pk),
        )
    assert Reply.objects.exclude(partner=None).count() == 2


def test_pages_are_in_german(question, name_of):
    edith = name_of("Edith Clark")
    with override("de"):
        content = Client(headers={"accept-language": "de"}).get(own_path(question, edith)).content.decode()
    assert "Kommst du, <bdi>Edith</bdi>?" in content
    assert "Dienstag, 24. November" in content


# Notes, and people who come later or leave early


def test_a_person_adds_a_note_and_times_by_their_link(question, name_of, browser_of, staff):
    edith = name_of("Edith Clark")
    path, reader = own_path(question, edith), browser_of()
    reader.press(path, "yes")
    reader.submit(path, "details", comes_at="19:30", leaves_at="21:00", note=" I bring   my sister ")
    reply = Reply.objects.get()
    assert (reply.comes_at, reply.leaves_at, reply.note) == (time(19, 30), time(21), "I bring my sister")
    page = reader.get(path)
    assert "Comes at 19:30, leaves at 21:00." in page
    assert 'value="I bring my sister"' in page
    desk_page = browser_of(staff["scorer"]).get(f"/clubs/harbour/coming/{question.pk}/")
    assert "comes at 19:30, leaves at 21:00" in desk_page
    assert "“<bdi>I bring my sister</bdi>”" in desk_page


def test_a_note_is_not_shown_to_others_by_the_groups_link(question, name_of):
    edith, client = name_of("Edith Clark"), Client()
    say(question, edith, "no", details=Details(note="Flu"))
    client.post(group(question), {"answer": "no", "name": "Edith Clark"})
    page = client.get(group(question)).content.decode()
    assert ["Flu" in page, "You left a note. A new one replaces it." in page] == [False, True]
    client.post(group(question), {"details": "1", "note": ""})
    assert Reply.objects.get().note == "Flu"
    client.post(group(question), {"details": "1", "note": "A cold"})
    assert Reply.objects.get().note == "A cold"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"comes_at": "18:00"}, "Enter a time during the meeting: 19:00 to 22:00 Amsterdam (CET)."),
        ({"comes_at": "19:00"}, "Enter a time during the meeting: 19:00 to 22:00 Amsterdam (CET)."),
        ({"leaves_at": "22:00"}, "Enter a time during the meeting: 19:00 to 22:00 Amsterdam (CET)."),
        ({"comes_at": "20:30", "leaves_at": "20:00"}, "Enter a time after you arrive."),
        ({"comes_at": "later"}, "Enter a time, such as 19:30."),
        ({"comes_at": "25:00"}, "Enter a time, such as 19:30."),
        ({"note": "x" * 141}, "At most 140 characters."),
        ({"note": "a\u202eb"}, "The note contains a character that cannot be shown."),
    ],
)
def test_wrong_details_are_refused_beside_the_field_and_stay_typed(question, name_of, browser_of, typed, sentence):
    edith = name_of("Edith Clark")
    path, reader = own_path(question, edith), browser_of()
    reader.press(path, "yes")
    answer = reader.press(path, "details", **typed)
    content = answer.content.decode()
    assert (answer.status_code, sentence in content) == (422, True)
    assert all(f'value="{text}"' in content for text in typed.values())
    reply = Reply.objects.get()
    assert (reply.comes_at, reply.leaves_at, reply.note) == (None, None, "")


def test_times_can_pass_midnight(question, name_of):
    Meeting.objects.update(ends_at=STARTS + timedelta(hours=7))
    reply = say(question, name_of("Edith Clark"), "yes", details=Details(comes_at=time(23, 30), leaves_at=time(1)))
    assert (reply.comes_at, reply.leaves_at) == (time(23, 30), time(1))


def test_who_cannot_come_has_no_times_and_a_new_answer_no_old_note(question, name_of):
    edith = name_of("Edith Clark")
    added = Details(note="Late train", comes_at=time(20))
    say(question, edith, "yes", details=added)
    say(question, edith, "partner")
    assert (Reply.objects.get().note, Reply.objects.get().comes_at) == ("Late train", time(20))
    say(question, edith, "no", details=Details(note="Flu", comes_at=time(20)))
    assert (Reply.objects.get().note, Reply.objects.get().comes_at) == ("Flu", None)
    say(question, edith, "yes")
    assert Reply.objects.get().note == ""


def test_an_organiser_enters_details_and_undoes_them(question, name_of, staff, browser_of):
    name_of("Edith Clark")
    path, reader = f"/clubs/harbour/coming/{question.pk}/", browser_of(staff["owner"])
    reader.submit(path, "for-yes", who="Edith Clark", comes_at="19:30", note="Phoned")
    reader.submit(path, "for-yes", who="Edith Clark", comes_at="20:00", note="Phoned")
    assert reader.press(path, "for-yes", who="Edith Clark", comes_at="20:00", note="Phoned").status_code == 422
    assert Reply.objects.get().comes_at == time(20)
    assert Act.objects.first().sentence == "Club night: Edith Clark, yes, comes at 20:00."
    history.undo(Act.objects.filter(kind="coming_answer").first().pk, by=staff["owner"])
    assert (Reply.objects.get().comes_at, Reply.objects.get().note) == (time(19, 30), "Phoned")


def test_programs_send_and_read_details(question, staff, program):
    member, runner = program(staff["member"]), program(staff["owner"])
    path = f"clubs/harbour/coming/{question.pk}/"
    member.post(f"{path}answer/", answer="yes", note="I bring my sister", comes_at="19:30")
    member.post(f"{path}answer/", answer="yes")
    (row,) = member.get("clubs/harbour/coming/")["coming"]
    assert [row["your_note"], row["you_come_at"], row["you_leave_at"]] == ["I bring my sister", "19:30", ""]
    assert member.post(f"{path}answer/", 422, answer="yes", comes_at="12:00")["field"] == "comes_at"
    runner.post(f"{path}answer-for/", answer="yes", name="Member", leaves_at="21:00")
    (reply,) = runner.get(f"{path}answers/")["replies"]
    assert [reply["note"], reply["comes_at"], reply["leaves_at"]] == ["", "", "21:00"]


def test_tonight_shows_who_comes_later_and_notes(question, name_of, staff, club, browser_of, program):
    event = make_event(
        staff["owner"], standard("swiss"), entries=0, circle=club.circle, starts_at=STARTS, status="open"
    )
    Meeting.objects.update(event=event)
    say(question, name_of("Ann"), "yes", details=Details(note="With <b>my</b> sister", comes_at=time(19, 30)))
    with time_machine.travel(STARTS - timedelta(minutes=30), tick=False):
        desk_ = browser_of(staff["owner"])
        desk_.submit("/clubs/harbour/tonight/", f"coming-{event.pk}")
        assert "comes at 19:30, “With &lt;b&gt;my&lt;/b&gt; sister”" in desk_.get("/clubs/harbour/tonight/")
        (night,) = program(staff["owner"]).get("clubs/harbour/tonight/")["events"]
    assert night["people"][0]["remarks"] == ["comes at 19:30, “With <b>my</b> sister”"]


def test_after_the_start_remarks_stay_and_answers_untick_nobody(question, name_of, staff, club, browser_of):
    event = make_event(
        staff["owner"], standard("swiss"), entries=0, circle=club.circle, starts_at=STARTS, status="open"
    )
    Meeting.objects.update(event=event)
    enrolment.enter_for(event.pk, staff["owner"], members=["Ann"])
    enrolment.enter_for(event.pk, staff["owner"], members=["Ben"])
    say(question, name_of("Ann"), "no")
    say(question, name_of("Ben"), "yes", details=Details(leaves_at=time(21)))
    say(question, name_of("Cem"), "yes")
    type(event).objects.filter(pk=event.pk).update(status="running", started_at=STARTS)
    with time_machine.travel(STARTS + timedelta(minutes=30), tick=False):
        page = browser_of(staff["owner"]).get("/clubs/harbour/tonight/")
    assert ["leaves at 21:00" in page, "said yes" in page] == [True, False]
    assert pressed_here(page, event.entries.get(name="Ann").pk) == "yes"


def test_the_note_of_a_deleted_account_is_gone_also_from_the_history(question, staff):
    member, owner = staff["member"], staff["owner"]
    who = Membership.objects.get(user=member).pk
    desk.answer_for(question.pk, owner, who=who, answer="no", details=Details(note="Flu"))
    erasure.forget(member.pk)
    assert Reply.objects.get().note == ""
    assert "Flu" not in str([act.changes for act in Act.objects.all()])


# Messages to one person


def test_an_organiser_sends_one_person_their_own_link(question, name_of, staff, browser_of):
    edith = name_of('Edith & "Ed" Clark+1')
    path, desk_ = f"/clubs/harbour/coming/{question.pk}/", browser_of(staff["scorer"])
    assert f'href="?ask={edith.pk}#one"' in desk_.get(path)
    page = desk_.get(f"{path}?ask={edith.pk}")
    link = links.full(own_path(question, edith))
    text = f'Hello Edith & "Ed" Clark+1. Club night: Tuesday 24 November, 19:00 to 22:00. Are you coming? {link}'
    for start, key in (("https://wa.me/?", "text"), ("sms:?", "body")):
        (address,) = {
            unescape(each) for each in re.findall(rf'href="({re.escape(start)}[^"]*)"', page) if "Hello" in each
        }
        assert "+" not in address
        assert parse_qs(address.partition("?")[2]) == {key: [text]}
    assert 'data-copy="#one-text" hidden' in page
    Client().post(own_path(question, edith), {"answer": "yes"})
    assert f"?ask={edith.pk}#one" not in desk_.get(path)


@pytest.mark.parametrize("typed", ["0", "x", "-1", "١", "99999999999999999999"])
def test_an_odd_person_is_asked_nothing(question, staff, browser_of, typed):
    page = browser_of(staff["scorer"]).get(f"/clubs/harbour/coming/{question.pk}/?ask={typed}")
    assert 'id="one"' not in page


def test_a_member_of_another_club_is_asked_nothing(question, staff, quay, browser_of):
    stranger = Membership.objects.create(club=quay, name="Quentin")
    page = browser_of(staff["scorer"]).get(f"/clubs/harbour/coming/{question.pk}/?ask={stranger.pk}")
    assert "Quentin" not in page


def test_programs_read_the_links_of_people_without_an_answer(question, name_of, staff, program):
    edith = name_of("Edith Clark")
    rows = program(staff["owner"]).get(f"clubs/harbour/coming/{question.pk}/answers/")["silent"]
    (link,) = [row["link"] for row in rows if row["membership"] == edith.pk]
    assert link == links.full(own_path(question, edith))
    program(staff["member"]).get(f"clubs/harbour/coming/{question.pk}/answers/", 403)


# An evening to which everyone comes alone

ALONE = "Everyone enters alone, so nobody needs a partner."


def test_where_everyone_enters_alone_nobody_is_offered_a_partner(question, night, name_of, staff, browser_of, refuses):
    dan, ben = name_of("Dan"), Membership.objects.get(name="Ben")
    for path in (own_path(question, dan), own_path(question, ben)):
        page = Client().get(path).content.decode()
        assert (ALONE in page, 'value="partner"' in page, "list of people who need" in page) == (True, False, False)
        assert answer_of(question, ben) == "partner"
    assert ALONE in Client().post(own_path(question, dan), {"answer": "partner"}).content.decode()
    with refuses("no_partners"):
        replies.ask_partner(question.pk, say(question, dan, "yes"), Reply.objects.get(membership=ben).pk)
    page = browser_of(staff["owner"]).get(f"/clubs/harbour/coming/{question.pk}/")
    assert (ALONE in page, 'id="for-partner"' in page, "need a partner</span>" in page) == (True, False, False)
    assert Desk(occasions.Occasion(occasions.questions().get()), BEFORE).counts["yes"] == 3


@pytest.mark.parametrize(("starter", "is_offered"), [("mixer", False), ("duplicate", True), ("", True)])
def test_the_template_says_it_before_the_event_is_created(question, name_of, starter, is_offered):
    RepeatingMeeting.objects.update(starter=starter)
    page = Client().get(own_path(question, name_of("Edith Clark"))).content.decode()
    assert ('value="partner"' in page) == is_offered


# A meeting that is moved, cancelled or restored


@pytest.fixture
def night(question, staff, club, name_of):
    """The meeting of the question with its event, to which Ann comes by her account, and Ben without one."""
    meeting = Meeting.objects.get(question=question)
    event = make_event(
        staff["owner"],
        standard("swiss"),
        name=meeting_events.event_name(meeting),
        entries=0,
        circle=club.circle,
        starts_at=STARTS,
        entries_close_at=STARTS - timedelta(hours=1),
        status="open",
    )
    say(question, Membership.objects.get(user=staff["member"]), "yes")
    say(question, name_of("Ben", email="ben@example.org"), "partner")
    say(question, name_of("Cem", email="cem@example.org"), "no")
    Meeting.objects.update(event=event)
    return event


def move(question, by, starts_at, **fields):
    values = {"title": "Club night", "starts_at": starts_at, "ends_at": starts_at + timedelta(hours=3)} | fields
    return meetings.edit(question.meeting_id, by, **values)


def letters_to(kind):
    return sorted(str(letter.reply.membership) for letter in ReplyLetter.objects.filter(kind=kind))


def test_a_moved_meeting_moves_its_event_and_tells_people_who_come(question, night, owner):
    later = STARTS + timedelta(days=1, hours=1)
    act = move(question, owner, later, venue="Quay Hall")
    night.refresh_from_db()
    assert (night.starts_at, night.entries_close_at) == (later, later - timedelta(hours=1))
    assert (night.venue, night.name) == ("Quay Hall", "Club night, 25 Nov 2026")
    assert act.sentence.endswith("Its event follows.")
    assert letters_to("moved") == ["Ben", "Member"]
    letters.send_due()
    (email,) = mail.outbox
    assert (email.to, email.subject) == (
        ["ben@example.org"],
        "Changed: Club night, Wednesday 25 November, 20:00 to 23:00 Amsterdam (CET)",
    )
    assert "Wednesday 25 November, 20:00 to 23:00 Amsterdam (CET), Quay Hall." in email.body
    assert Notice.objects.get(kind="club_coming").title.startswith("Changed: Club night, Wednesday")


def test_undoing_the_move_moves_the_event_back_and_tells_them_again(question, night, owner):
    act = move(question, owner, STARTS + timedelta(days=1))
    letters.send_due()
    history.undo(act.pk, by=owner)
    night.refresh_from_db()
    assert (night.starts_at, night.name) == (STARTS, "Club night, 24 Nov 2026")
    letters.send_due()
    assert [email.subject.rpartition(", ")[0] for email in mail.outbox] == [
        "Changed: Club night, Wednesday 25 November",
        "Changed: Club night, Tuesday 24 November",
    ]


def test_a_cancelled_meeting_cancels_its_event_in_one_act(question, night, owner):
    act = meetings.cancel(question.meeting_id, owner)
    night.refresh_from_db()
    assert (night.status, Act.objects.filter(kind="meeting_off").count()) == ("cancelled", 1)
    letters.send_due()
    assert [email.subject for email in mail.outbox] == [
        "Cancelled: Club night, Tuesday 24 November, 19:00 to 22:00 Amsterdam (CET)"
    ]
    history.undo(act.pk, by=owner)
    night.refresh_from_db()
    assert night.status == "open"
    assert letters_to("on") == ["Ben", "Member"]


def test_a_restored_meeting_restores_its_event(question, night, owner):
    meetings.cancel(question.meeting_id, owner)
    meetings.cancel(question.meeting_id, owner, is_off=False)
    night.refresh_from_db()
    assert night.status == "open"
    letters.send_due()
    assert mail.outbox[-1].subject.startswith("It takes place after all: Club night")


def test_an_event_follows_a_meeting_that_was_moved_while_it_was_cancelled(question, night, owner):
    meetings.cancel(question.meeting_id, owner)
    move(question, owner, STARTS + timedelta(days=7))
    meetings.cancel(question.meeting_id, owner, is_off=False)
    night.refresh_from_db()
    assert (night.status, night.starts_at) == ("open", STARTS + timedelta(days=7))
    assert night.name == "Club night, 1 Dec 2026"


def test_players_of_a_cancelled_event_are_told_once(question, night, owner, staff):
    enrolment.enter_for(night.pk, owner, members=[staff["member"]])
    meetings.cancel(question.meeting_id, owner)
    letters.send_due()
    titles = list(Notice.objects.filter(user=staff["member"]).values_list("title", flat=True))
    assert sum("cancelled" in title.lower() for title in titles) == 1


def test_an_event_that_has_started_stays_as_it_is(question, night, owner):
    type(night).objects.filter(pk=night.pk).update(status="running", started_at=BEFORE)
    meetings.cancel(question.meeting_id, owner)
    night.refresh_from_db()
    assert (night.status, night.starts_at) == ("running", STARTS)


def test_an_event_with_times_and_a_name_of_its_own_keeps_their_distance(question, night, owner):
    type(night).objects.filter(pk=night.pk).update(starts_at=STARTS + timedelta(minutes=30), name="The Cup")
    move(question, owner, STARTS + timedelta(days=7))
    night.refresh_from_db()
    assert (night.starts_at, night.name) == (STARTS + timedelta(days=7, minutes=30), "The Cup")


def test_a_new_title_alone_tells_nobody(question, night, owner):
    move(question, owner, STARTS, title="Harbour night")
    night.refresh_from_db()
    assert (night.name, letters_to("moved")) == ("Harbour night, 24 Nov 2026", [])


def test_people_are_reminded_again_before_the_new_day(question, night, owner):
    Question.objects.update(asked_at=BEFORE, reminded_at=BEFORE)
    ReplyLetter.objects.create(reply=Reply.objects.get(membership__name="Ben"), kind="reminder", sent_at=BEFORE)
    move(question, owner, STARTS + timedelta(days=7))
    question.refresh_from_db()
    assert (question.reminded_at, letters_to("reminder")) == (None, [])


def test_a_skipped_day_cancels_the_event_of_its_meeting(question, night, owner):
    row = RepeatingMeeting.objects.get()
    repeating.skip(row.pk, owner, day=date(2026, 11, 24))
    night.refresh_from_db()
    assert (night.status, letters_to("off")) == ("cancelled", ["Ben", "Member"])


def test_a_meeting_with_an_event_is_cancelled_before_it_is_deleted(question, night, owner, refuses):
    with refuses("has_event"):
        meetings.delete(question.meeting_id, owner)


def test_the_page_of_a_meeting_says_what_follows(question, night, staff, browser_of):
    reader = browser_of(staff["owner"])
    page = reader.get(f"/clubs/harbour/dates/{question.meeting_id}/")
    assert "2 people said yes. We tell them about a new time or place." in " ".join(page.split())
    reader.submit(f"/clubs/harbour/dates/{question.meeting_id}/", "off")
    night.refresh_from_db()
    assert night.status == "cancelled"


# Pairs are entries


@pytest.fixture
def pairs_night(question, staff, club):
    """The event for pairs of the meeting."""
    event = make_event(
        staff["owner"],
        standard("swiss"),
        kind="partnership",
        entries=0,
        circle=club.circle,
        starts_at=STARTS,
        status="open",
    )
    Meeting.objects.update(event=event)
    return event


def entered(event):
    return sorted(event.entries.filter(status="entered").values_list("name", flat=True))


def seekers(question, *people):
    return [say(question, person, "partner") for person in people]


def test_partners_who_find_each_other_are_an_entry_until_one_cannot_come(question, pairs_night, name_of, staff):
    member = Membership.objects.get(user=staff["member"])
    first, second = seekers(question, member, name_of("Ben"))
    replies.ask_partner(question.pk, first, second.pk)
    replies.ask_partner(question.pk, second, first.pk)
    assert entered(pairs_night) == ["Member / Ben"]
    assert pairs_night.entries.get().members.first().user == staff["member"]
    say(question, member, "no")
    assert entered(pairs_night) == []
    assert (pairs_night.entries.get().status, answer_of(question, second.membership)) == ("withdrawn", "partner")


def test_a_pair_made_by_an_organiser_is_an_entry_and_undone_with_it(question, pairs_night, name_of, owner):
    first, second = seekers(question, name_of("Ann"), name_of("Ben"))
    act = desk.pair(question.pk, owner, first=first.pk, second=second.pk)
    assert entered(pairs_night) == ["Ann / Ben"]
    history.undo(act.pk, by=owner)
    assert (entered(pairs_night), Reply.objects.filter(partner=None, answer="partner").count()) == ([], 2)
    assert letters_to("alone") == ["Ann", "Ben"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_changed_partner_changes_the_entry_and_is_undone(question, pairs_night, name_of, owner, order):
    people = dict(zip(order, seekers(question, *map(name_of, ("Ann", "Ben", "Cem"))), strict=True))
    desk.pair(question.pk, owner, first=people[0].pk, second=people[1].pk)
    before = entered(pairs_night)
    act = desk.change_partner(question.pk, owner, reply=people[0].pk, partner=people[2].pk)
    names = [str(people[at].membership) for at in range(3)]
    (entry,) = entered(pairs_night)
    assert set(entry.split(" / ")) == {names[0], names[2]}
    assert (letters_to("alone"), Reply.objects.get(pk=people[1].pk).answer) == ([names[1]], "partner")
    history.undo(act.pk, by=owner)
    assert [set(name.split(" / ")) for name in entered(pairs_night)] == [set(before[0].split(" / "))]
    assert Reply.objects.get(pk=people[0].pk).partner_id == people[1].pk


def test_two_who_part_look_again_and_are_told(question, pairs_night, name_of, owner):
    first, second = seekers(question, name_of("Ann"), name_of("Ben"))
    desk.pair(question.pk, owner, first=first.pk, second=second.pk)
    desk.change_partner(question.pk, owner, reply=second.pk)
    assert (entered(pairs_night), letters_to("alone")) == ([], ["Ann", "Ben"])
    assert set(Reply.objects.values_list("answer", "partner")) == {("partner", None)}


def test_an_entry_of_more_people_or_of_others_stays(question, pairs_night, name_of, owner):
    first, second = seekers(question, name_of("Ann"), name_of("Ben"))
    enrolment.enter_for(pairs_night.pk, owner, members=["Ann", "Zoe"])
    desk.pair(question.pk, owner, first=first.pk, second=second.pk)
    assert entered(pairs_night) == ["Ann / Zoe"]
    desk.change_partner(question.pk, owner, reply=first.pk)
    assert entered(pairs_night) == ["Ann / Zoe"]


def test_names_that_nobody_confirmed_are_entered_by_an_organiser_alone(question, pairs_night, name_of, owner):
    first, second = seekers(question, name_of("Ann"), "Ken Ito")
    replies.ask_partner(question.pk, first, second.pk)
    replies.ask_partner(question.pk, second, first.pk)
    assert entered(pairs_night) == []


def test_tonight_shows_pairs_as_done_and_changes_them(question, pairs_night, name_of, staff, browser_of):
    first, second, third, fourth = seekers(question, *map(name_of, ("Ann", "Ben", "Cem", "Dan")))
    replies.ask_partner(question.pk, first, second.pk)
    replies.ask_partner(question.pk, second, first.pk)
    page, reader = "/clubs/harbour/tonight/", browser_of(staff["owner"])
    with time_machine.travel(STARTS + timedelta(minutes=5), tick=False):
        text = " ".join(reader.get(page).split())
        assert "<b><bdi>Ann</bdi></b> with <b><bdi>Ben</bdi></b>" in text
        assert "2 have none yet" in text
        reader.submit(page, f"partner-save-{first.pk}", partner=str(third.pk))
        assert entered(pairs_night) == ["Ann / Cem"]
        reader.submit(page, f"pair-{second.pk}", second=str(fourth.pk))
        assert entered(pairs_night) == ["Ann / Cem", "Ben / Dan"]
        assert "everyone has one now" in reader.get(page)
        answer = reader.press(page, f"partner-save-{first.pk}", partner=str(fourth.pk))
        assert (answer.status_code, "no longer needs a partner" in answer.content.decode()) == (422, True)
        assert entered(pairs_night) == ["Ann / Cem", "Ben / Dan"]


def test_programs_change_partners(question, pairs_night, name_of, staff, program):
    first, second, third = seekers(question, *map(name_of, ("Ann", "Ben", "Cem")))
    runner, path = program(staff["scorer"]), f"clubs/harbour/coming/{question.pk}/"
    runner.post(f"{path}pair/", first=first.pk, second=second.pk)
    runner.post(f"{path}change-partner/", reply=first.pk, partner=third.pk)
    assert entered(pairs_night) == ["Ann / Cem"]
    program(staff["member"]).post(f"{path}change-partner/", 403, reply=first.pk)
